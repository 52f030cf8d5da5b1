// @ts-check
// What a person can do now, as buttons with keys: the hand, the words that are due, the moves. It decides nothing: what can be done
// comes from the agent, what is done is handed to `choose`.

import { html, svg } from './elements.js';

/** @typedef {{suit?: string, rank?: string, seat?: number}} Choice */
/** @typedef {{card: string, choices: (Choice | null)[]}} Playable */
/** @typedef {Playable & {as_last: (Choice | null)[], as: Playable[], costs: number[], cost: string | null}} Held a card, and the cards for
 *   which it may stand; cards that each choice costs, and what the card itself costs, in words */
/** @typedef {{text: string, now: boolean, cards: string[], leaves: number | null}} Word */
/** @typedef {{do: string, [member: string]: any}} Verb */
/** @typedef {{verb: Verb, label: string}} Move */
/** @typedef {{name: string, short: string}} CardWords */

/** How what can be named is called. @typedef {{names: string[], suits: Record<string, string>, ranks: Record<string, string>}} Named */

/** @param {Choice | null} choice @param {Named} named */
export function nameOf(choice, { names, suits, ranks }) {
  if (!choice) return 'name nothing';
  if (choice.seat !== undefined) return names[choice.seat] ?? '?';
  if (choice.suit) return suits[choice.suit];
  return ranks[choice.rank ?? ''];
}

/** Whether a card may be played, by itself or as another. @param {Held} held */
export function mayBePlayed(held) {
  return held.choices.length > 0 || held.as.length > 0;
}

/** How many cards something costs. @param {number} count */
export function cardCount(count) {
  return count === 1 ? '1 card' : `${count} cards`;
}

/** Why it would be a mistake to play a card now; empty if it is none. @param {Held} held @param {string | null} owed
 * @param {string} unfit what is said of a card that may not be played */
export function mistakeOf(held, owed, unfit) {
  if (!mayBePlayed(held)) return unfit;
  if (owed) return `${owed} first`;
  return held.cost ?? '';
}

/** The cards of the hand. Cards that may be played at no cost are lifted. @param {Held[]} hand @param {Record<string, CardWords>} cards
 * @param {boolean} canAnswer whether anything may be played now @param {string | null} owed what is to be done before a card is played
 * @param {string} unfit what is said of a card that may not be played
 * @param {string | null} asked the card whose second click plays it although that is a mistake
 * @param {number[] | null} several the places of the cards picked to be played at once, in their order; `null` if single cards are played
 * @param {(at: number) => void} pick */
export function handButtons(hand, cards, canAnswer, owed, unfit, asked, several, pick) {
  return hand.map((held, at) => {
    const { card } = held;
    const mistake = mistakeOf(held, owed, unfit);
    const isLegal = canAnswer && !mistake;
    const key = at < 9 ? `${at + 1}` : undefined;
    const order = several ? several.indexOf(at) + 1 : 0;
    const isPicked = several ? `${order > 0}` : undefined;
    const label = several ? [cards[card].name, order ? `number ${order} of those to be played` : '', key ? `key ${key}` : ''].filter(Boolean).join(', ') : [cards[card].name, isLegal || !canAnswer ? '' : asked === card ? `${mistake}; press again to play it anyway` : mistake, key ? `key ${key}` : ''].filter(Boolean).join(', ');
    const classes = ['hand-card', isLegal && 'legal', asked === card && 'asked', order && 'picked'].filter(Boolean).join(' ');
    const button = html('button', { type: 'button', class: classes, 'aria-label': label, title: label, 'data-card': card, 'aria-pressed': isPicked, 'data-order': order ? `${order}` : undefined },
      svg('svg', { viewBox: '0 0 60 84', 'aria-hidden': true }, svg('use', { href: `#card-${card}`, width: 60, height: 84 })));
    button.addEventListener('click', () => pick(at));
    return button;
  });
}

/** A key of its own for each word: a letter of it that no other has taken, and no command. @param {Word[]} words */
export function wordKeys(words) {
  const taken = new Set(['d', 'p', 'w', 'h', 'c']);
  return words.map(({ text }) => {
    const key = [...text.toLowerCase()].find((letter) => /^\p{L}$/u.test(letter) && !taken.has(letter)) ?? '';
    taken.add(key);
    return key;
  });
}

/** The words that are due. Those that go with a card are put on the tongue; those that are due now are said at once.
 * @param {Word[]} words @param {string[]} tongue @param {Record<string, CardWords>} cards @param {(word: Word) => void} take */
export function wordButtons(words, tongue, cards, take) {
  const keys = wordKeys(words);
  return words.map((word, at) => {
    const isChosen = tongue.includes(word.text);
    const left = word.leaves === 0 ? 'with your last cards' : word.leaves === 1 ? 'if one card is left' : 'with your move';
    const when = word.now ? 'now' : word.cards.length ? `with ${word.cards.map((card) => cards[card].short).join(' ')}` : left;
    const button = html('button', { type: 'button', class: isChosen ? 'word chosen' : 'word', 'aria-pressed': word.now ? undefined : `${isChosen}`, 'data-word': word.text },
      html('bdi', {}, word.text), ' ', html('small', {}, when), ...(keys[at] ? [' ', html('kbd', {}, keys[at])] : []));
    button.addEventListener('click', () => take(word));
    return button;
  });
}

/** Buttons for moves. @param {Move[]} moves @param {(verb: Verb) => void} choose */
export function moveButtons(moves, choose) {
  const keys = /** @type {Record<string, string>} */ ({ draw: 'd', pass: 'p' });
  return moves.map(({ verb, label }) => {
    const key = keys[verb.do];
    const button = html('button', { type: 'button', class: verb.do === 'take' ? 'owed' : undefined, 'data-do': verb.do }, html('bdi', {}, label), ...(key ? [' ', html('kbd', {}, key)] : []));
    button.addEventListener('click', () => choose(verb));
    return button;
  });
}

/** Buttons for the cards for which one may stand. @param {Playable[]} others @param {Record<string, CardWords>} cards
 * @param {(other: Playable) => void} choose */
export function standingButtons(others, cards, choose) {
  return others.map((other) => {
    const { name, short } = cards[other.card];
    const button = html('button', { type: 'button', class: 'stands-for', 'aria-label': name, title: name, 'data-as': other.card }, short);
    button.addEventListener('click', () => choose(other));
    return button;
  });
}

/** Buttons that name a suit, a value or a player. @param {(Choice | null)[]} choices @param {number[]} costs cards that each costs
 * @param {Named} named @param {(choice: Choice | null) => void} choose */
export function namingButtons(choices, costs, named, choose) {
  return choices.map((choice, at) => {
    const cost = costs[at] ? [' ', html('small', {}, `costs ${cardCount(costs[at])}: you hold none`)] : [];
    const button = html('button', { type: 'button' }, nameOf(choice, named), ...cost);
    button.addEventListener('click', () => choose(choice));
    return button;
  });
}
