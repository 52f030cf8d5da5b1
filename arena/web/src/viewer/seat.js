// @ts-check
// The page of a person's seat: it shows what the agent sends and sends what the person chooses. Whether that is right is judged by
// the referee alone.

import { byId, cardInText, html } from './elements.js';
import { drawTable } from './table.js';
import { sentence } from './moves.js';
import { handButtons, moveButtons, namingButtons, wordButtons, wordKeys } from './choices.js';
import { Clock } from './clock.js';

/** @typedef {import('./choices.js').Verb} Verb */
/** @typedef {import('./story.js').Line & {explained?: {id: string, text: string}[]}} SeatLine */
/** @typedef {{names: string[], seat: number, rules: string, rule_set: string, clock: string, scene: import('./story.js').Scene, played: number | null,
 *   said: [number, string][], hand: import('./choices.js').Held[], words: import('./choices.js').Word[], moves: import('./choices.js').Move[],
 *   calls: {seat: number, fault: string}[], mistakes: {fault: string, label: string}[], unlisted: import('./choices.js').Move[],
 *   ask: string | null, can_answer: boolean, must_move: boolean, may_decline: boolean, may_interject: boolean, running: import('./clock.js').Running | null,
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
const NOTHING = { can_answer: false, must_move: false, may_decline: false, moves: [], words: [], calls: [], unlisted: [] };

/** @type {State | null} */
let state = null;
/** The words that go with the next move. @type {string[]} */
let tongue = [];
/** A card that does not fit and was clicked once. @type {string | null} */
let asked = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let declining;
let lines = 0;
let connection = 'lost';
let isEnded = false;

const story = { names: /** @type {string[]} */ ([]), cards: needed.cards, textOf };

/** @param {import('./story.js').Piece} piece @returns {string} */
function textOf(piece) {
  if (typeof piece === 'string') return piece;
  if (typeof piece === 'number') return story.names[piece] ?? '?';
  if ('card' in piece) return needed.cards[piece.card].short;
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
  if (held.choices.length === 0 && asked !== held.card) {
    asked = held.card;
    say(`${needed.cards[held.card].short} does not fit; press again to play it all the same.`);
    return drawChoices();
  }
  const choices = held.choices.length ? held.choices : [null];
  const play = (/** @type {import('./choices.js').Choice | null} */ choice) => act({ do: 'play', card: held.card, ...(choice ? { choose: choice } : {}) });
  if (choices.length === 1) return play(choices[0]);
  byId('naming').replaceChildren(html('span', {}, 'With ', cardInText(needed.cards[held.card], held.card), ' name '), ...namingButtons(choices, play));
  byId('naming').hidden = false;
  byId('naming').querySelector('button')?.focus();
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
  const { hand, words, moves, calls, names } = state;
  replace(byId('hand'), handButtons(hand, needed.cards, asked, pick));
  tongue = tongue.filter((own) => words.some(({ text }) => text === own) || !words.length);
  const lead = words.length ? [html('span', { class: 'lead' }, words.some(({ now }) => !now) ? 'Say with it' : 'Say')] : [];
  replace(byId('words'), [...lead, ...wordButtons(words, tongue, needed.cards, take)]);
  const callMoves = calls.map(({ seat, fault }) => ({ verb: { do: 'call', against: seat, fault }, label: `Call ${names[seat]}: ${fault.replaceAll('_', ' ')}` }));
  const buttons = moveButtons([...moves, ...callMoves], act);
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

/** @param {State} now @param {number} age_ms */
function show(now, age_ms) {
  const before = state;
  state = now;
  story.names = now.names;
  asked = null;
  const moved = !before || JSON.stringify(before.scene) !== JSON.stringify(now.scene);
  if (moved) byId('naming').hidden = true;
  showTitle(now);
  const stage = needed.stages[now.names.length][narrow.matches ? 'tall' : 'wide'];
  const frame = { kind: 'move', number: 0, said: now.said, ...(now.played === null ? {} : { played: now.played }) };
  // After the end nobody faces anything.
  const scene = now.scene && now.over ? { ...now.scene, turn: null, facing: [] } : now.scene;
  if (scene) drawTable(byId('table'), { story: /** @type {any} */ (story), scene, frame, stage, bottom: now.seat, moves: moved && !stillness.matches, own: true });
  clock.set(now.running, age_ms);
  const whose = now.running ? (now.running.seat === now.seat ? 'Your move' : `${now.names[now.running.seat]} is to move`) : now.scene?.turn != null ? `${now.names[now.scene.turn]} is to move` : '';
  byId('turn').textContent = now.over ? 'The game is over' : now.must_move ? 'Your move' : now.may_decline ? 'You may act before it goes on' : whose;
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

const news = new EventSource(`${address}/news`);
news.addEventListener('open', () => (connection = 'open'));
news.addEventListener('lines', (event) => {
  const added = JSON.parse(event.data);
  const first = Number(event.lastEventId) - added.length;
  added.slice(Math.max(0, lines - first)).forEach((/** @type {{names: string[], line: SeatLine}} */ { names, line }) => {
    story.names = names;
    addLine(line);
  });
  lines = Number(event.lastEventId);
});
news.addEventListener('state', (event) => {
  const newest = JSON.parse(event.data);
  show(newest.state, newest.age_ms);
});
/** @param {string} why */
function end(why) {
  isEnded = true;
  news.close();
  clearTimeout(declining);
  if (state && !state.over) {
    state = { ...state, ...NOTHING };
    drawChoices();
  }
  clock.set(null, 0);
  if (!state?.over) say(why);
}
news.addEventListener('moved', () => end('This seat is open on a newer page of this browser; go on there.'));
news.addEventListener('freed', () => end('The organiser has freed this seat: whoever opens its link may take it.'));
news.addEventListener('ended', (event) => end(JSON.parse(event.data).why));
news.addEventListener('error', () => {
  if (isEnded) return;
  connection = 'lost';
  if (news.readyState === EventSource.CLOSED) end('The arena behind this page has ended or was started anew. A new game prints new links.');
  else say('The connection is lost; trying again … Nothing is lost: the table comes back as it is.');
});

byId('speech').addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = byId('said').value.trim();
  if (text) act({ do: 'say', text });
  byId('said').value = '';
});
byId('call').addEventListener('submit', (/** @type {Event} */ event) => {
  event.preventDefault();
  act({ do: 'call', against: Number(byId('accused').value), fault: byId('mistake').value });
});
narrow.addEventListener('change', () => state && show(state, 0));

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
  '?': help,
};

addEventListener('keydown', (event) => {
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.altKey || event.metaKey || byId('help').open || target.closest('input, select')) return;
  if (/^[1-9]$/.test(event.key)) return pick(Number(event.key) - 1);
  const word = state?.words[wordKeys(state.words).indexOf(event.key)];
  if (word) take(word);
  else if (KEYS[event.key]) KEYS[event.key]();
  else return;
  event.preventDefault();
});
