// @ts-check
// Shows cards on their way: from the draw pile to a hand, from one hand to another, back from the discard pile. Which cards moved
// follows from the tables before and after.

import { svg } from './elements.js';
import { handSize } from './story.js';

/** @typedef {import('./story.js').Scene} Scene */
/** @typedef {number | 'draw' | 'discard'} Place a seat, or one of the piles */
/** @typedef {{from: Place, to: number, cards: number}} Flight */
/** @typedef {{x: number, y: number}} Point */

const [FLIGHT_MS, AFTER_MS] = [320, 70];
/** Of more cards on one way only so many are drawn. */
const MOST = 3;

/** Each way that cards have taken to a hand. @param {Scene} before @param {Scene} after @param {number} [player] the seat that has played
 * @returns {Flight[]} */
export function flights(before, after, player) {
  const seats = [...after.hands.keys()];
  const size = (/** @type {Scene} */ { hands, sealed }, /** @type {number} */ seat) => handSize(hands[seat]) + handSize(sealed[seat]);
  if (before.round !== after.round) return seats.map((seat) => ({ from: 'draw', to: seat, cards: size(after, seat) }));
  const grown = new Map(seats.map((seat) => [seat, size(after, seat) - size(before, seat)]));
  /** @type {[Place, number][]} */
  const sources = [
    ['draw', before.draw_pile - after.draw_pile],
    ['discard', after.draw_pile > before.draw_pile ? 0 : (before.pile ?? 0) - (after.pile ?? 0)],
    ...seats.filter((seat) => seat !== player).map((seat) => /** @type {[Place, number]} */ ([seat, -(grown.get(seat) ?? 0)])),
    // What a player has given away is known from what nobody else can have given.
    ['draw', after.draw_pile > before.draw_pile ? Infinity : 0],
    ...(player === undefined ? [] : [/** @type {[Place, number]} */ ([player, -(grown.get(player) ?? 0)])]),
  ];
  const found = exchanges(before, after, player);
  for (const [to, more] of grown) {
    let missing = more - found.reduce((cards, flight) => cards + (flight.to === to ? flight.cards : 0), 0);
    for (const source of sources) {
      const cards = Math.min(missing, source[1]);
      if (cards <= 0 || source[0] === to) continue;
      source[1] -= cards;
      missing -= cards;
      found.push({ from: source[0], to, cards });
    }
  }
  return found;
}

/** Hands that were exchanged: seats that hold what another one held, but for the card that was played.
 * @param {Scene} before @param {Scene} after @param {number | undefined} player @returns {Flight[]} */
function exchanges(before, after, player) {
  const held = before.hands.map((hand, seat) => cardsOf(hand, seat === player ? after.top : null));
  const found = [];
  for (const [to, hand] of after.hands.entries()) {
    const cards = cardsOf(hand, null);
    const from = cards === '' || cards === held[to] ? -1 : held.indexOf(cards);
    if (from >= 0) found.push({ from, to, cards: handSize(hand) });
  }
  return found;
}

/** The cards of an open hand in one order, but for one; empty for a closed hand. @param {import('./story.js').Hand} hand
 * @param {string | null} except */
function cardsOf(hand, except) {
  if (typeof hand === 'number') return '';
  const left = [...hand].sort();
  const at = except === null ? -1 : left.indexOf(except);
  if (at >= 0) left.splice(at, 1);
  return left.join();
}

/** Lets backs of cards fly over a drawing, and takes them away when they have come down. @param {SVGElement} drawing
 * @param {Flight[]} ways @param {(place: Place) => Point} where @param {{width: number, height: number}} card */
export function fly(drawing, ways, where, { width, height }) {
  for (const { from, to, cards } of ways) {
    const [start, end] = [where(from), where(to)];
    for (let card = 0; card < Math.min(cards, MOST); card += 1) {
      const back = svg('use', { href: '#card-back', class: 'flying', 'aria-hidden': 'true', x: end.x - width / 2, y: end.y - height / 2, width, height });
      const away = `translate(${start.x - end.x}px, ${start.y - end.y}px)`;
      const flight = back.animate([{ transform: away }, { transform: 'none' }], { duration: FLIGHT_MS, delay: card * AFTER_MS, easing: 'ease-in-out', fill: 'backwards' });
      flight.finished.then(() => back.remove(), () => back.remove());
      drawing.append(back);
    }
  }
}
