// @ts-check
// A table at which a person sits: it shows a state and what led to it, and hands what the person chooses to its page. It decides
// nothing.

import { byId, cardInText, html } from './elements.js';
import { drawTable } from './table.js';
import { sentence } from './moves.js';
import { cardCount, handButtons, mayBePlayed, mistakeOf, moveButtons, namingButtons, standingButtons, wordButtons, wordKeys } from './choices.js';
import { PACES, Pace } from './pace.js';
import { prepareSound, sound, soundsOf } from './sound.js';

/** @typedef {import('./choices.js').Verb} Verb */
/** @typedef {import('./story.js').Line & {explained?: {id: string, text: string}[]}} SeatLine */
/** @typedef {{names: string[], faces: string, seat: number, rules: string, rule_set: string, word: string | null, clock: string, scene: import('./story.js').Scene, played: number | null,
 *   said: [number, string][], hand: import('./choices.js').Held[], words: import('./choices.js').Word[], moves: import('./choices.js').Move[],
 *   calls: import('./choices.js').Move[], owed: string | null, owed_costs: number, unfit: string, mistakes: {fault: string, label: string}[], unlisted: import('./choices.js').Move[],
 *   ask: string | null, can_answer: boolean, must_move: boolean, may_decline: boolean, may_interject: boolean, plays_several: boolean, leaves_open: boolean, running: import('./clock.js').Running | null,
 *   over: {places: number[], points: number[]} | null}} State */

/** The page of a table: `act` does what the person has chosen, `hint` gives a hint, if it can; `shown` is called with each state that
 * is shown, `idle` when all that happened has been shown; `clock` shows the time, if any runs.
 * @typedef {{act: (verb: Verb, ask: string | null) => void, hint: (() => void) | null, shown: (now: State, age_ms: number) => void,
 *   idle: () => void, clock: import('./clock.js').Clock | null}} Page */

export const needed = JSON.parse(byId('needed').textContent);
const narrow = matchMedia('(max-width: 620px)');
const stillness = matchMedia('(prefers-reduced-motion: reduce)');

/** Larger hands are shown in smaller cards. */
const MANY = 12;

/** What can be done when nothing can be. */
const NOTHING = { can_answer: false, must_move: false, may_decline: false, moves: [], words: [], calls: [], unlisted: [], owed: null, owed_costs: 0 };

/** @type {State | null} */
let state = null;
/** The words that go with the next move. @type {string[]} */
let tongue = [];
/** A card that does not fit and was clicked once. @type {string | null} */
let asked = null;
/** The places in the hand of the cards to be played at once, in their order; `null` while single cards are played. @type {number[] | null} */
let several = null;
/** The cards that were played at once and the ask that this answers: if they were not taken, they are still picked.
 * @type {{ask: string | null, places: number[]} | null} */
let picked = null;
/** The newest state and when it came, while what led to it is still being shown.
 * @type {{state: State, age_ms: number, at: number} | null} */
let newest = null;
/** @type {Page} */
let page = { act: () => {}, hint: null, shown: () => {}, idle: () => {}, clock: null };

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

/** Does something, with the words on the tongue. @param {Verb} verb */
export function act(verb) {
  const said = verb.do === 'wait' || verb.do === 'say' ? [] : tongue;
  page.act({ ...verb, ...(said.length ? { say: said } : {}) }, state?.ask ?? null);
  tongue = [];
  asked = null;
  several = null;
  // In lockstep an ask is answered once; what can be done next comes with the next state.
  if (state && state.clock !== 'live') state = { ...state, ...NOTHING };
  byId('naming').hidden = true;
  drawChoices();
}

/** @param {string} words */
export function say(words) {
  byId('status').textContent = words;
}

/** What it costs to leave what is owed undone. @param {State} state */
export function priceOfOwed({ owed_costs }) {
  return `if that is left to the next player, a call costs you ${cardCount(owed_costs)}`;
}

/** Picks a card of the hand. @param {number} at */
function pick(at) {
  const held = state?.hand[at];
  if (!held || !state?.can_answer) return;
  if (several) {
    several = several.includes(at) ? several.filter((own) => own !== at) : [...several, at];
    return drawChoices();
  }
  const mistake = mistakeOf(held, state.owed, state.unfit);
  if (mistake && asked !== held.card) {
    asked = held.card;
    const why = mayBePlayed(held) && state.owed ? `${mistake}: ${priceOfOwed(state)}` : `${story.cards[held.card].short} ${mistake}`;
    say(`${why}; press again to play it anyway.`);
    return drawChoices();
  }
  if (held.as.length) return nameStandsFor(held);
  const choices = held.choices.length ? held.choices : [null];
  name(held.card, choices, held.costs, { card: held.card });
}

/** Asks for which card another stands, then for what that one lets its player name. @param {import('./choices.js').Held} held */
function nameStandsFor(held) {
  const play = (/** @type {import('./choices.js').Playable} */ other) => name(other.card, other.choices, [], { card: held.card, as: other.card });
  byId('naming').replaceChildren(html('span', {}, 'Play ', cardInText(story.cards[held.card], held.card), ' as '), ...standingButtons(held.as, story.cards, play));
  byId('naming').hidden = false;
  byId('naming').querySelector('button')?.focus();
}

/** Plays what `played` says, once the person has named what `card`, the last of it, asks for.
 * @param {string} card @param {(import('./choices.js').Choice | null)[]} choices @param {number[]} costs @param {{card?: string, as?: string, cards?: string[], close?: boolean}} played */
function name(card, choices, costs, played) {
  const play = (/** @type {import('./choices.js').Choice | null} */ choice) => act({ do: 'play', ...played, ...(choice ? { choose: choice } : {}) });
  if (choices.length === 1) return play(choices[0]);
  byId('naming').replaceChildren(html('span', {}, 'With ', cardInText(story.cards[card], card), ' name '), ...namingButtons(choices, costs, story, play));
  byId('naming').hidden = false;
  byId('naming').querySelector('button')?.focus();
}

/** Plays the cards that were picked, all at once. @param {boolean} open whether their run is left open */
function playSeveral(open) {
  const cards = (several ?? []).map((at) => state?.hand[at]).filter((held) => held !== undefined);
  const last = cards[cards.length - 1];
  if (!last) return;
  picked = { ask: state?.ask ?? null, places: several ?? [] };
  name(last.card, last.as_last, [], { ...(cards.length > 1 ? { cards: cards.map(({ card }) => card) } : { card: last.card }), ...(open ? { close: false } : {}) });
}

/** The ways to begin, finish and give up a play of several cards. */
function severalButtons() {
  if (!state?.plays_several || state.owed) return [];
  const chosen = several;
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
  if (!chosen) return state.hand.length > 1 ? [button('Play several cards', change([]))] : [];
  const play = chosen.length ? [button(`Play these ${chosen.length}`, () => playSeveral(false))] : [];
  const leave = chosen.length && state.leaves_open ? [button(`Play these ${chosen.length}, leave the run open`, () => playSeveral(true))] : [];
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
  replace(byId('hand'), handButtons(hand, story.cards, state.can_answer, owed, state.unfit, asked, several, pick));
  tongue = tongue.filter((own) => words.some(({ text }) => text === own) || !words.length);
  const lead = words.length ? [html('span', { class: 'lead' }, words.some(({ now }) => !now) ? 'Say with it' : 'Say')] : [];
  replace(byId('words'), [...lead, ...wordButtons(words, tongue, story.cards, take)]);
  const buttons = [...severalButtons(), ...moveButtons([...moves, ...calls], act)];
  if (state.may_decline) {
    const wait = html('button', { type: 'button', class: 'decline', 'data-do': 'wait' }, 'Let it pass ', html('kbd', {}, 'w'));
    wait.addEventListener('click', () => act({ do: 'wait' }));
    buttons.push(wait);
  }
  const { hint: ask } = page;
  if (ask && state.can_answer && !state.over) {
    const hint = html('button', { type: 'button', class: 'hint' }, 'Hint ', html('kbd', {}, 'h'));
    hint.addEventListener('click', ask);
    buttons.push(hint);
  }
  replace(byId('moves-now'), buttons);
  replace(byId('unlisted'), moveButtons(state.unlisted, act));
  byId('hand').classList.toggle('mine', state.must_move);
  byId('hand').classList.toggle('many', hand.length > MANY);
  document.body.dataset.mustMove = `${state.must_move}`;
  document.body.dataset.canAnswer = `${state.can_answer}`;
}

/** The table that is shown, and all that its drawing shows, as JSON. @type {{scene: State['scene'] | null, drawing: string}} */
let shown = { scene: null, drawing: '' };

/** Draws the table. @param {{scene: State['scene'], played: number | null, said: [number, string][]}} moment @param {number} bottom */
function drawMoment({ scene, played, said }, bottom) {
  const stage = needed.stages[story.names.length][narrow.matches ? 'tall' : 'wide'];
  const drawing = JSON.stringify([scene, played, said, story.names, faces, stage.width]);
  // What is drawn already goes on moving.
  if (drawing === shown.drawing) return;
  const before = JSON.stringify(scene) === JSON.stringify(shown.scene) ? null : shown.scene;
  shown = { scene, drawing };
  if (before) sound(soundsOf({ played, drew: scene.draw_pile < before.draw_pile, said: said.length > 0, fault: false, round: false }));
  const frame = { kind: 'move', number: 0, said, ...(played === null ? {} : { played }) };
  drawTable(byId('table'), { story: /** @type {any} */ (story), scene, frame, stage, bottom, before: stillness.matches ? null : before, own: true });
}

/** Whether nothing can be done before something has been named. @param {State} state */
const mustName = ({ moves }) => moves.length > 0 && moves.every(({ verb }) => verb.do === 'choose');

/** @param {State} now @param {number} age_ms */
function show(now, age_ms) {
  const before = state;
  state = now;
  story.names = now.names;
  useFaces(now.faces);
  story.word = now.word ?? '';
  asked = null;
  if (before?.ask !== now.ask) several = null;
  if (picked && picked.ask === now.ask && now.plays_several) several = picked.places;
  picked = null;
  if (!before || JSON.stringify(before.scene) !== JSON.stringify(now.scene)) byId('naming').hidden = true;
  // After the end nobody faces anything.
  const scene = now.scene && now.over ? { ...now.scene, turn: null, racing: [], facing: [] } : now.scene;
  if (scene) drawMoment({ ...now, scene }, now.seat);
  page.clock?.set(now.running, age_ms);
  const whose = now.running ? (now.running.seat === now.seat ? 'Your move' : `${now.names[now.running.seat]} is to move`) : now.scene?.turn != null ? `${now.names[now.scene.turn]} is to move` : '';
  byId('turn').textContent = now.over ? 'The game is over' : now.owed ? `${now.owed} first` : now.must_move ? (mustName(now) ? 'You must name one of these' : 'Your move') : now.may_decline ? 'You may act before it goes on' : whose;
  drawChoices();
  setOptions('accused', now.names.map((name, seat) => ({ value: `${seat}`, label: name })).filter(({ value }) => value !== `${now.seat}`));
  setOptions('mistake', now.mistakes.map(({ fault, label }) => ({ value: fault, label })));
  byId('more').hidden = !now.can_answer;
  byId('speech').hidden = !now.can_answer;
  if (now.must_move && !before?.must_move) sound(['turn']);
  page.shown(now, age_ms);
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
  sound(['round']);
  byId('sheet').showModal();
}
byId('sheet').addEventListener('close', () => pace.goOn());

export const pace = new Pace({
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
      state = { ...state, ...NOTHING, hand: own.map((card) => ({ card, choices: [], as_last: [], as: [], costs: [], cost: null })) };
      drawChoices();
    }
    if (moment.sheet) showSheet(moment.sheet, moment.scene);
  },
  idle: () => {
    document.body.dataset.isBehind = 'false';
    if (newest) show(newest.state, newest.age_ms + performance.now() - newest.at);
    newest = null;
    page.idle();
  },
});

/** Shows a state that came now and was `age_ms` old, once everything that led to it has been shown.
 * @param {State} now @param {number} age_ms */
export function come(now, age_ms) {
  newest = { state: now, age_ms, at: performance.now() };
  if (!pace.isBehind) return pace.shows.idle();
  document.body.dataset.isBehind = 'true';
  rest();
  page.clock?.set(now.running, age_ms);
  byId('turn').textContent = '… press . to hurry';
}

/** Offers nothing until the next state. */
export function rest() {
  if (!state) return;
  state = { ...state, ...NOTHING };
  drawChoices();
}

/** The state that is shown. */
export function shownState() {
  return state;
}

/** Lets a person sit at the table of `own`; `keys` mean something there besides those of every table.
 * @param {Page} own @param {Record<string, () => void>} keys */
export function sit(own, keys) {
  page = own;
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
  prepareSound(byId('sound'));
  const meaning = { ...KEYS, ...keys };
  addEventListener('keydown', (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey || byId('help').open || byId('sheet').open || target.closest('input, select')) return;
    if (/^[1-9]$/.test(event.key)) return pick(Number(event.key) - 1);
    const word = state?.words[wordKeys(state.words).indexOf(event.key)];
    if (word) take(word);
    else if (meaning[event.key]) meaning[event.key]();
    else return;
    event.preventDefault();
  });
}

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

/** What keys mean at every table. @type {Record<string, () => void>} */
const KEYS = {
  d: () => move('draw'),
  p: () => move('pass'),
  c: () => document.documentElement.classList.toggle('four-colours'),
  '.': () => pace.hurry(),
  '?': help,
};
