// @ts-check
// The page of a person's seat: it shows what the agent sends and sends what the person chooses. Whether that is right is judged by
// the referee alone.

import { byId, cardInText, html } from './elements.js';
import { drawTable } from './table.js';
import { sentence } from './moves.js';
import { handButtons, mayBePlayed, moveButtons, namingButtons, standingButtons, wordButtons, wordKeys } from './choices.js';
import { Clock } from './clock.js';
import { PACES, Pace } from './pace.js';

/** @typedef {import('./choices.js').Verb} Verb */
/** @typedef {import('./story.js').Line & {explained?: {id: string, text: string}[]}} SeatLine */
/** @typedef {{names: string[], faces: string, seat: number, rules: string, rule_set: string, word: string | null, clock: string, scene: import('./story.js').Scene, played: number | null,
 *   said: [number, string][], hand: import('./choices.js').Held[], words: import('./choices.js').Word[], moves: import('./choices.js').Move[],
 *   calls: import('./choices.js').Move[], owed: string | null, mistakes: {fault: string, label: string}[], unlisted: import('./choices.js').Move[],
 *   ask: string | null, can_answer: boolean, must_move: boolean, may_decline: boolean, may_interject: boolean, plays_several: boolean, leaves_open: boolean, running: import('./clock.js').Running | null,
 *   over: {places: number[], points: number[]} | null}} State */

const needed = JSON.parse(byId('needed').textContent);
const address = `/seat/${needed.number}`;
const clock = new Clock(byId('time'), byId('left'));
const narrow = matchMedia('(max-width: 620px)');
const stillness = matchMedia('(prefers-reduced-motion: reduce)');
/** How long a chance to act between turns is kept open, if the table waits for it. */
const DECLINE_AFTER_MS = 6000;

/** Larger hands are shown in smaller cards. */
const MANY = 12;

/** What can be done when nothing can be. */
const NOTHING = { can_answer: false, must_move: false, may_decline: false, moves: [], words: [], calls: [], unlisted: [], owed: null };

/** @type {State | null} */
let state = null;
/** The words that go with the next move. @type {string[]} */
let tongue = [];
/** A card that does not fit and was clicked once. @type {string | null} */
let asked = null;
/** The places in the hand of the cards to be played at once, in their order; `null` while single cards are played. @type {number[] | null} */
let several = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let declining;
let lines = 0;
let connection = 'lost';
let isEnded = false;
/** Why nothing more comes, once what came before has been shown. */
let lastWords = '';
/** The newest state and when it came, while what led to it is still being shown.
 * @type {{state: State, age_ms: number, at: number} | null} */
let newest = null;

const story = { names: /** @type {string[]} */ ([]), ...needed.words.french, word: '', textOf };
/** What the cards look like. */
let faces = '';

/** Draws and calls the cards as their faces want it. @param {string} wanted */
function useFaces(wanted) {
  if (wanted === faces) return;
  faces = wanted;
  Object.assign(story, needed.words[wanted]);
  const sheet = /** @type {HTMLTemplateElement} */ (document.querySelector(`template[data-faces="${wanted}"]`));
  byId('symbols').replaceChildren(.../** @type {Element} */ (sheet.content.querySelector('svg')).cloneNode(true).childNodes);
}
useFaces('french');

/** @param {import('./story.js').Piece} piece @returns {string} */
function textOf(piece) {
  if (typeof piece === 'string') return piece;
  if (typeof piece === 'number') return story.names[piece] ?? '?';
  if ('card' in piece) return story.cards[piece.card].short;
  if ('said' in piece) return `“${piece.said}”`;
  return 'words' in piece ? piece.words : piece.foreign;
}

/** Sends a choice. @param {object} choice */
async function send(choice) {
  try {
    const answer = await fetch(`${address}/choice`, { method: 'POST', body: JSON.stringify(choice), headers: { 'content-type': 'application/json' } });
    if (!answer.ok) say((await answer.json()).why ?? 'That could not be sent.');
  } catch {
    say('The arena cannot be reached; what you chose was not sent.');
  }
}

/** Does something, with the words on the tongue. @param {Verb} verb */
function act(verb) {
  clearTimeout(declining);
  const said = verb.do === 'wait' || verb.do === 'say' ? [] : tongue;
  send({ ask: state?.ask, act: { ...verb, ...(said.length ? { say: said } : {}) } });
  tongue = [];
  asked = null;
  several = null;
  // In lockstep an ask is answered once; what can be done next comes with the next state.
  if (state && state.clock !== 'live') state = { ...state, ...NOTHING };
  byId('naming').hidden = true;
  drawChoices();
}

/** @param {string} words */
function say(words) {
  byId('status').textContent = words;
}

/** Picks a card of the hand. @param {number} at */
function pick(at) {
  const held = state?.hand[at];
  if (!held || !state?.can_answer) return;
  if (several) {
    several = several.includes(at) ? several.filter((own) => own !== at) : [...several, at];
    return drawChoices();
  }
  const isWise = mayBePlayed(held) && !state.owed;
  if (!isWise && asked !== held.card) {
    asked = held.card;
    const why = mayBePlayed(held) ? `${state.owed} first: it is a mistake to leave that to the next player` : `${story.cards[held.card].short} does not fit`;
    say(`${why}; press again to play it anyway.`);
    return drawChoices();
  }
  if (held.as.length) return nameStandsFor(held);
  const choices = held.choices.length ? held.choices : [null];
  name(held.card, choices, { card: held.card });
}

/** Asks for which card another stands, then for what that one lets its player name. @param {import('./choices.js').Held} held */
function nameStandsFor(held) {
  const play = (/** @type {import('./choices.js').Playable} */ other) => name(other.card, other.choices, { card: held.card, as: other.card });
  byId('naming').replaceChildren(html('span', {}, 'Play ', cardInText(story.cards[held.card], held.card), ' as '), ...standingButtons(held.as, story.cards, play));
  byId('naming').hidden = false;
  byId('naming').querySelector('button')?.focus();
}

/** Plays what `played` says, once the person has named what `card`, the last of it, asks for.
 * @param {string} card @param {(import('./choices.js').Choice | null)[]} choices @param {{card?: string, as?: string, cards?: string[], close?: boolean}} played */
function name(card, choices, played) {
  const play = (/** @type {import('./choices.js').Choice | null} */ choice) => act({ do: 'play', ...played, ...(choice ? { choose: choice } : {}) });
  if (choices.length === 1) return play(choices[0]);
  byId('naming').replaceChildren(html('span', {}, 'With ', cardInText(story.cards[card], card), ' name '), ...namingButtons(choices, story, play));
  byId('naming').hidden = false;
  byId('naming').querySelector('button')?.focus();
}

/** Plays the cards that were picked, all at once. @param {boolean} open whether their run is left open */
function playSeveral(open) {
  const cards = (several ?? []).map((at) => state?.hand[at]).filter((held) => held !== undefined);
  const last = cards[cards.length - 1];
  if (!last) return;
  name(last.card, last.as_last, { ...(cards.length > 1 ? { cards: cards.map(({ card }) => card) } : { card: last.card }), ...(open ? { close: false } : {}) });
}

/** The ways to begin, finish and give up a play of several cards. */
function severalButtons() {
  if (!state?.plays_several || state.owed) return [];
  const picked = several;
  const button = (/** @type {string} */ text, /** @type {() => void} */ choose) => {
    const made = html('button', { type: 'button', class: 'several' }, text);
    made.addEventListener('click', choose);
    return made;
  };
  const change = (/** @type {number[] | null} */ next) => () => {
    several = next;
    if (next) say('Pick cards in the order in which they are to be played; the last one lies on top.');
    drawChoices();
  };
  if (!picked) return state.hand.length > 1 ? [button('Play several cards', change([]))] : [];
  const play = picked.length ? [button(`Play these ${picked.length}`, () => playSeveral(false))] : [];
  const leave = picked.length && state.leaves_open ? [button(`Play these ${picked.length}, leave the run open`, () => playSeveral(true))] : [];
  return [...play, ...leave, button('Play single cards', change(null))];
}

/** @param {import('./choices.js').Word} word */
function take(word) {
  if (word.now) return act({ do: 'say', text: word.text });
  tongue = tongue.includes(word.text) ? tongue.filter((own) => own !== word.text) : [...tongue, word.text];
  drawChoices();
}

/** Replaces buttons without taking the focus away. @param {HTMLElement} part @param {Node[]} nodes */
function replace(part, nodes) {
  const focused = part.contains(document.activeElement) ? [...part.children].indexOf(/** @type {Element} */ (document.activeElement)) : -1;
  part.replaceChildren(...nodes);
  if (focused >= 0) /** @type {HTMLElement | undefined} */ (part.children[Math.min(focused, part.children.length - 1)])?.focus();
}

function drawChoices() {
  if (!state) return;
  const { hand, words, moves, calls, owed } = state;
  if (several?.some((at) => at >= hand.length) || !state.can_answer) several = null;
  replace(byId('hand'), handButtons(hand, story.cards, state.can_answer, owed, asked, several, pick));
  tongue = tongue.filter((own) => words.some(({ text }) => text === own) || !words.length);
  const lead = words.length ? [html('span', { class: 'lead' }, words.some(({ now }) => !now) ? 'Say with it' : 'Say')] : [];
  replace(byId('words'), [...lead, ...wordButtons(words, tongue, story.cards, take)]);
  const buttons = [...severalButtons(), ...moveButtons([...moves, ...calls], act)];
  if (state.may_decline) {
    const wait = html('button', { type: 'button', class: 'decline', 'data-do': 'wait' }, 'Let it pass ', html('kbd', {}, 'w'));
    wait.addEventListener('click', () => act({ do: 'wait' }));
    buttons.push(wait);
  }
  if (state.can_answer && !state.over) {
    const hint = html('button', { type: 'button', class: 'hint' }, 'Hint ', html('kbd', {}, 'h'));
    hint.addEventListener('click', () => send({ hint: true }));
    buttons.push(hint);
  }
  replace(byId('moves-now'), buttons);
  replace(byId('unlisted'), moveButtons(state.unlisted, act));
  byId('hand').classList.toggle('mine', state.must_move);
  byId('hand').classList.toggle('many', hand.length > MANY);
  document.body.dataset.mustMove = `${state.must_move}`;
  document.body.dataset.canAnswer = `${state.can_answer}`;
}

/** The table that is shown, as JSON. */
let shown = '';

/** Draws the table. @param {{scene: State['scene'], played: number | null, said: [number, string][]}} moment @param {number} bottom */
function drawMoment({ scene, played, said }, bottom) {
  const drawing = JSON.stringify(scene);
  const moves = drawing !== shown && !stillness.matches;
  shown = drawing;
  const stage = needed.stages[story.names.length][narrow.matches ? 'tall' : 'wide'];
  const frame = { kind: 'move', number: 0, said, ...(played === null ? {} : { played }) };
  drawTable(byId('table'), { story: /** @type {any} */ (story), scene, frame, stage, bottom, moves, own: true });
}

/** @param {State} now @param {number} age_ms */
function show(now, age_ms) {
  const before = state;
  state = now;
  story.names = now.names;
  useFaces(now.faces);
  story.word = now.word ?? '';
  asked = null;
  if (before?.ask !== now.ask) several = null;
  if (!before || JSON.stringify(before.scene) !== JSON.stringify(now.scene)) byId('naming').hidden = true;
  showTitle(now);
  // After the end nobody faces anything.
  const scene = now.scene && now.over ? { ...now.scene, turn: null, facing: [] } : now.scene;
  if (scene) drawMoment({ ...now, scene }, now.seat);
  clock.set(now.running, age_ms);
  const whose = now.running ? (now.running.seat === now.seat ? 'Your move' : `${now.names[now.running.seat]} is to move`) : now.scene?.turn != null ? `${now.names[now.scene.turn]} is to move` : '';
  byId('turn').textContent = now.over ? 'The game is over' : now.owed ? `${now.owed} first` : now.must_move ? 'Your move' : now.may_decline ? 'You may act before it goes on' : whose;
  drawChoices();
  setOptions('accused', now.names.map((name, seat) => ({ value: `${seat}`, label: name })).filter(({ value }) => value !== `${now.seat}`));
  setOptions('mistake', now.mistakes.map(({ fault, label }) => ({ value: fault, label })));
  byId('more').hidden = !now.can_answer;
  byId('speech').hidden = !now.can_answer;
  clearTimeout(declining);
  if (now.may_decline) declining = setTimeout(() => act({ do: 'wait' }), Math.max(1000, DECLINE_AFTER_MS - age_ms));
  if (now.over) say(`The game is over: ${ending(now.over.places, now)}.`);
  else if (connection === 'open') say(now.clock === 'live' ? 'On the live clock you may speak, call and interject at any time.' : 'You are asked whenever you can act.');
}

/** Names the person and the game, whose rules open beside it. @param {State} now */
function showTitle({ names, seat, rules, rule_set }) {
  const whose = names[seat] ?? 'Your seat';
  if (byId('title').textContent === `${whose} – ${rules}`) return;
  const link = html('a', { href: `/rules/${encodeURIComponent(rule_set)}`, target: '_blank', title: 'The rules of this game, on a page of their own' }, rules);
  byId('title').replaceChildren(html('bdi', {}, whose), ' – ', link);
}

/** What became of the person. @param {number[]} places @param {State} now */
function ending(places, { names, seat }) {
  const place = places[seat];
  const others = names.filter((_, other) => other !== seat && places[other] === place);
  const shared = others.length ? ` together with ${others.join(', ')}` : '';
  return place === 1 ? `you have won${shared}` : `you are number ${place} of ${names.length}${shared}`;
}

/** @param {string} id @param {{value: string, label: string}[]} options */
function setOptions(id, options) {
  const select = byId(id);
  if (select.options.length === options.length) return;
  select.replaceChildren(...options.map(({ value, label }) => html('option', { value }, label)));
}

/** @param {SeatLine} line */
function addLine(line) {
  const list = byId('lines');
  const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 60;
  // What is right needs no reason; what is wrong names its clause.
  const isWrong = line.about !== 'game' || line.explained;
  const clauses = (isWrong ? (line.clauses ?? []) : []).map((id) => html('a', { class: 'clause', href: `/documents/law#${id.toLowerCase()}`, target: '_blank' }, id));
  const explained = (line.explained ?? []).map(({ id, text }) => html('p', { class: 'explained' }, html('b', {}, id), ` ${text}`));
  list.append(html('div', { class: `line ${line.level} ${line.about}` },
    html('div', { class: 'text' }, ...sentence(/** @type {any} */ (story), line), ...clauses.flatMap((clause) => [' ', clause]), ...explained)));
  if (isAtEnd) list.scrollTop = list.scrollHeight;
}

/** Shows the score of a round that is over, until the person goes on. @param {import('./pace.js').Sheet} sheet
 * @param {import('./story.js').Scene} scene */
function showSheet({ winners, points }, { round, rounds, wins }) {
  const won = winners.map((seat) => story.names[seat]).join(' and ');
  const title = won ? `${won} ${winners.length === 1 ? 'wins' : 'win'} the round` : 'Nobody wins the round';
  byId('sheet-title').textContent = title;
  // Many rule sets count rounds and no points.
  const counts = points.some(([, , total]) => total !== 0);
  const rows = points.map(([seat, ofRound, total]) => {
    const won = (wins[seat] ?? 0) + (winners.includes(seat) ? 1 : 0);
    const cells = [...(counts ? [ofRound, total] : []), won].map((number) => html('td', {}, `${number}`));
    return html('tr', winners.includes(seat) ? { class: 'winner' } : {}, html('th', { scope: 'row' }, html('bdi', {}, story.names[seat])), ...cells);
  });
  const heads = ['Seat', ...(counts ? ['This round', 'Points'] : []), 'Rounds won'];
  byId('sheet-heads').replaceChildren(...heads.map((head) => html('th', { scope: 'col' }, head)));
  byId('sheet-rows').replaceChildren(...rows);
  byId('sheet-next').textContent = round < rounds ? 'Next round' : 'Go on to the result';
  pace.stop();
  byId('sheet').showModal();
}
byId('sheet').addEventListener('close', () => pace.goOn());

const pace = new Pace({
  line: ({ names, faces, line }) => {
    story.names = names;
    useFaces(faces);
    addLine(line);
  },
  moment: ({ names, faces, moment }) => {
    const known = newest?.state ?? state;
    if (!moment || !known) return;
    story.names = names;
    useFaces(faces);
    drawMoment(moment, known.seat);
    const own = moment.scene.hands[known.seat];
    if (state && Array.isArray(own)) {
      state = { ...state, ...NOTHING, hand: own.map((card) => ({ card, choices: [], as_last: [], as: [] })) };
      drawChoices();
    }
    if (moment.sheet) showSheet(moment.sheet, moment.scene);
  },
  idle: () => {
    document.body.dataset.isBehind = 'false';
    if (newest) show(newest.state, newest.age_ms + performance.now() - newest.at);
    newest = null;
    if (lastWords) end(lastWords);
  },
});

/** Shows the newest state once everything that led to it has been shown. */
function comeToNow() {
  if (!newest) return;
  if (!pace.isBehind) return pace.shows.idle();
  document.body.dataset.isBehind = 'true';
  if (state) {
    state = { ...state, ...NOTHING };
    drawChoices();
  }
  const { running } = newest.state;
  clock.set(running, newest.age_ms + performance.now() - newest.at);
  byId('turn').textContent = '… press . to hurry';
}

const news = new EventSource(`${address}/news`);
news.addEventListener('open', () => {
  connection = 'open';
  isFresh = true;
});
/** True until the first news after a connection: what happened before it is not shown again move by move. */
let isFresh = true;
news.addEventListener('lines', (event) => {
  const added = JSON.parse(event.data);
  const first = Number(event.lastEventId) - added.length;
  // Moments that are long past are empty.
  const fresh = added.slice(Math.max(0, lines - first)).filter((/** @type {object | null} */ entry) => entry);
  lines = Number(event.lastEventId);
  if (isFresh) pace.addPast(fresh);
  // Others may act at any time on the live clock: nothing is held back.
  else if (state?.clock === 'live') pace.addAtOnce(fresh);
  else pace.add(fresh);
  isFresh = false;
});
news.addEventListener('state', (event) => {
  newest = { ...JSON.parse(event.data), at: performance.now() };
  isFresh = false;
  comeToNow();
});
/** @param {string} why */
function end(why) {
  isEnded = true;
  news.close();
  clearTimeout(declining);
  lastWords = pace.isBehind ? why : '';
  if (lastWords) return;
  if (state && !state.over) {
    state = { ...state, ...NOTHING };
    drawChoices();
  }
  clock.set(null, 0);
  if (!state?.over) say(why);
}
news.addEventListener('moved', () => end('This seat is open on a newer page of this browser; go on there.'));
news.addEventListener('freed', () => end('The organiser has freed this seat: its link may be used again.'));
news.addEventListener('ended', (event) => end(JSON.parse(event.data).why));
news.addEventListener('error', () => {
  if (isEnded) return;
  connection = 'lost';
  if (news.readyState === EventSource.CLOSED) end('The arena behind this page has ended or was restarted. A new game prints new links.');
  else say('The connection is lost; trying again … Nothing is lost: the table comes back as it is.');
});

byId('speech').addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = byId('said').value.trim();
  if (text) act({ do: 'say', text });
  byId('said').value = '';
  // The next key is a move again.
  byId('said').blur();
});
byId('call').addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  act({ do: 'call', against: Number(byId('accused').value), fault: byId('mistake').value });
});
narrow.addEventListener('change', () => state && !pace.isBehind && show(state, 0));
byId('table').addEventListener('click', () => pace.hurry());
byId('pace').replaceChildren(...Object.keys(PACES).map((name) => html('option', { value: name }, name)));
byId('pace').value = pace.name;
byId('pace').addEventListener('change', () => (pace.name = byId('pace').value));

function help() {
  const dialog = byId('help');
  if (dialog.open) dialog.close();
  else dialog.showModal();
}

/** @param {string} name */
const move = (name) => {
  const verb = state?.moves.map((own) => own.verb).find((own) => own.do === name);
  if (verb) act(verb);
};

/** @type {Record<string, () => void>} */
const KEYS = {
  d: () => move('draw'),
  p: () => move('pass'),
  w: () => state?.may_decline && act({ do: 'wait' }),
  h: () => state?.can_answer && send({ hint: true }),
  c: () => document.documentElement.classList.toggle('four-colours'),
  '.': () => pace.hurry(),
  '?': help,
};

addEventListener('keydown', (event) => {
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.altKey || event.metaKey || byId('help').open || byId('sheet').open || target.closest('input, select')) return;
  if (/^[1-9]$/.test(event.key)) return pick(Number(event.key) - 1);
  const word = state?.words[wordKeys(state.words).indexOf(event.key)];
  if (word) take(word);
  else if (KEYS[event.key]) KEYS[event.key]();
  else return;
  event.preventDefault();
});
