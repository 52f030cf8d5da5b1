// @ts-check
// Draws the table as it stands after a frame, on a stage whose measures the page brings along.

/** @typedef {import('./story.js').Story} Story_ */
import { flights, fly } from './flights.js';
import { handSize } from './story.js';
import { html, svg } from './elements.js';

const CARD = { width: 60, height: 84 };
/** A card of the piles. */
const PILE_CARD = { width: CARD.width * 1.1, height: CARD.height * 1.1 };

/** @typedef {{story: Pick<Story_, 'names' | 'cards' | 'word'>, scene: import('./story.js').Scene, frame: import('./story.js').Frame, stage: import('./story.js').Stage,
 *   bottom: number, before: import('./story.js').Scene | null, own?: boolean, places?: number[]}} Moment `before`: the table from which
 *   cards move to this one, if they may; `own`: the hand of the seat at the bottom lies elsewhere on the page; `places`: those of a match
 *   that is over, by seat */

/** Draws a moment in place of the one before. @param {SVGElement} table @param {Moment} whole */
export function drawTable(table, whole) {
  const moment = whole.own ? { ...whole, stage: withoutHand(whole.stage) } : whole;
  const { story, stage, bottom } = moment;
  const count = story.names.length;
  table.setAttribute('viewBox', `0 0 ${stage.width} ${stage.height}`);
  const seats = stage.spots.map((spot, place) => drawSeat(moment, (bottom + place) % count, spot));
  const spoken = stage.spots.map((spot, place) => drawSpeech(moment, (bottom + place) % count, spot, place === 0));
  table.replaceChildren(drawFelt(moment), ...seats, drawPiles(moment), ...spoken.flat());
  const { before, scene, frame } = moment;
  if (before) fly(table, flights(before, scene, frame.played), (place) => middleOf(moment, place), PILE_CARD);
}

/** Where cards come from and go to. @param {Moment} moment @param {import('./flights.js').Place} place */
function middleOf({ stage, bottom }, place) {
  const beside = PILE_CARD.width / 2 + 12;
  if (place === 'draw') return { x: stage.x - beside, y: stage.y - 8 };
  if (place === 'discard') return { x: stage.x + beside, y: stage.y - 8 };
  return stage.spots[(place - bottom + stage.spots.length) % stage.spots.length];
}

/** A stage that ends below the name of the seat at the bottom: its hand needs no room there. @param {import('./story.js').Stage} stage */
function withoutHand(stage) {
  const { y, scale } = stage.spots[0];
  return { ...stage, height: y - (CARD.height * scale) / 2 + 12 };
}

/** @param {Moment} moment */
function drawFelt({ scene, stage }) {
  const { x, y, ring: [rx, ry] } = stage;
  const turn = scene.direction === 'cw' ? 1 : -1;
  const head = (/** @type {number} */ top, /** @type {number} */ by) =>
    svg('path', { class: 'arrow', d: `M${x - 9 * by} ${top - 8}L${x + 9 * by} ${top}L${x - 9 * by} ${top + 8}z` });
  return svg('g', { role: 'img', 'aria-label': `Played ${turn === 1 ? 'clockwise' : 'anticlockwise'}` },
    svg('rect', { class: 'felt', width: stage.width, height: stage.height, rx: 22 }),
    svg('ellipse', { class: 'ring', cx: x, cy: y, rx, ry }), head(y - ry, turn), head(y + ry, -turn));
}

/** Whether it is a seat's turn, or it may be faster than the one whose turn it is. @param {import('./story.js').Scene} scene @param {number} seat */
const isToMove = ({ turn, racing }, seat) => turn === seat || racing.includes(seat);

/** @param {Moment} moment @param {number} seat @param {import('./story.js').Spot} spot */
function drawSeat({ story, scene, own, bottom, places }, seat, spot) {
  const [hand, sealed] = [scene.hands[seat] ?? 0, scene.sealed[seat] ?? 0];
  const isHidden = own && seat === bottom;
  const shown = [...codes(hand).map((code) => ({ code, shut: false })), ...codes(sealed).map((code) => ({ code, shut: true }))];
  const { left, top, width, height, step } = fan(spot, shown.length);
  const cards = (isHidden ? [] : shown).map(({ code, shut }, at) => {
    const place = { x: left + step * at, y: top, width, height };
    return shut
      ? svg('g', { class: 'sealed' }, drawCard(code, place), svg('rect', { ...place, rx: width * 0.1 }))
      : drawCard(code, place);
  });
  const isTurn = isToMove(scene, seat);
  const notes = [
    isTurn && (scene.racing.length ? 'may move first' : 'to move'), scene.dealer === seat && 'dealer', scene.mau_said.includes(seat) && `has said “${story.word}”`,
    scene.not_looked.includes(seat) && 'has not looked', scene.point_of_order === seat && 'point of order',
    places && (places[seat] === 1 ? 'has won' : `place ${places[seat]}`),
  ].filter(Boolean);
  const names = typeof hand === 'number' ? '' : `: ${hand.map((code) => story.cards[code].name).join(', ')}`;
  const total = handSize(hand) + handSize(sealed);
  const label = [story.names[seat], ...notes, `${total} card${total === 1 ? '' : 's'}${names}`].join(', ');
  const plate = svg('foreignObject', { x: spot.x - spot.width / 2, y: top - 27, width: spot.width, height: 26 }, namePlate(story, scene, seat, total, places?.[seat]));
  return svg('g', { class: isTurn ? 'seat turn' : 'seat', role: 'img', 'aria-label': label }, plate, ...cards);
}

/** @param {Pick<Story_, 'names' | 'word'>} story @param {import('./story.js').Scene} scene @param {number} seat @param {number} total
 * @param {number} [place] its place, if the match is over */
function namePlate(story, scene, seat, total, place) {
  const badge = (/** @type {string} */ text, /** @type {string} */ name, /** @type {string} */ title) => html('span', { class: `badge ${name}`, title }, text);
  const badges = [];
  if (place) badges.push(badge(place === 1 ? 'won' : `place ${place}`, place === 1 ? 'winner' : 'place', 'place in the match'));
  if (scene.dealer === seat) badges.push(badge('D', 'dealer', 'dealt'));
  if (scene.mau_said.includes(seat)) badges.push(badge(story.word, 'mau', 'has said it'));
  if (scene.not_looked.includes(seat)) badges.push(badge('not looked', 'blind', 'has not looked at the cards'));
  if (scene.point_of_order === seat) badges.push(badge('point of order', 'blind', 'play rests'));
  if (scene.wins[seat] > 0) badges.push(badge(`★${scene.wins[seat]}`, 'wins', 'rounds won'));
  if (scene.points[seat] || (place && scene.points.some((points) => points !== 0))) badges.push(badge(`${scene.points[seat]}`, 'points', 'points'));
  return html('div', { class: isToMove(scene, seat) ? 'plate turn' : 'plate' },
    html('span', { class: `swatch seat-${seat}` }), html('bdi', { class: 'name' }, story.names[seat]), html('b', {}, `${total}`), ...badges);
}

/** Where the cards of a hand lie. @param {import('./story.js').Spot} spot @param {number} count */
function fan(spot, count) {
  const gaps = Math.max(count - 1, 0);
  // Many cards become smaller, so that their corners can still be read.
  const size = Math.max(0.55, Math.min(1, spot.width / (CARD.width * spot.scale * (1 + 0.36 * gaps))));
  const [width, height] = [CARD.width * spot.scale * size, CARD.height * spot.scale * size];
  const step = Math.min((spot.width - width) / Math.max(gaps, 1), width * 0.42);
  return { width, height, step, left: spot.x - (width + step * gaps) / 2, top: spot.y - (CARD.height * spot.scale) / 2 + 10 };
}

/** @param {Moment} moment */
function drawPiles(moment) {
  const { story, scene, frame, stage, before } = moment;
  const { width, height } = PILE_CARD;
  const top = stage.y - height / 2 - 8;
  const parts = [];
  for (let depth = Math.min(3, scene.draw_pile) - 1; depth >= 0; depth -= 1) {
    parts.push(drawCard('back', { x: stage.x - width - 12 - 2.5 * depth, y: top - 2.5 * depth, width, height }));
  }
  parts.push(svg('text', { x: stage.x - width / 2 - 12, y: top + height + 17 }, `${scene.draw_pile} left`));
  if (scene.pile !== null) parts.push(svg('text', { x: stage.x + width / 2 + 12, y: top + height + 17 }, `${scene.pile} played`));
  const place = { x: stage.x + 12, y: top, width, height };
  if (!scene.top) parts.push(svg('rect', { class: 'empty', ...place, rx: 6 }));
  if (scene.visible && scene.visible !== scene.top) parts.push(drawCard(scene.visible, { ...place, x: place.x + 26 }));
  if (scene.top) {
    const played = svg('g', { class: frame.played === undefined ? '' : 'played' }, drawCard(scene.top, place));
    parts.push(played);
    if (frame.played !== undefined && before) {
      const from = middleOf(moment, frame.played);
      const away = `translate(${from.x - place.x - width / 2}px, ${from.y - place.y - height / 2}px)`;
      played.animate([{ transform: away }, { transform: 'none' }], { duration: 220, easing: 'ease-out' });
    }
  }
  const top_name = scene.top ? story.cards[scene.top].name : 'nothing';
  const facing = html('div', { class: 'facing' }, ...scene.facing.map((words) => html('span', {}, words)));
  return svg('g', { role: 'img', class: 'piles', 'aria-label': [`On top lies ${top_name}`, `${scene.draw_pile} cards to draw from`, ...scene.facing].join('; ') },
    ...parts, svg('foreignObject', { x: stage.x - 180, y: top + height + 22, width: 360, height: 54 }, facing));
}

/** Bubbles for what a seat said in a frame. @param {Moment} moment @param {number} seat @param {import('./story.js').Spot} spot @param {boolean} above */
function drawSpeech({ frame, stage }, seat, spot, above) {
  const words = (frame.said ?? []).filter(([by]) => by === seat).map(([, text]) => text);
  if (words.length === 0) return [];
  const { top, height } = fan(spot, 1);
  const width = Math.min(spot.width, 230);
  const x = Math.max(4, Math.min(stage.width - width - 4, spot.x - width / 2));
  const y = above ? top - 30 - 58 : top + height - 30;
  const bubble = html('div', { class: above ? 'bubble above' : 'bubble' }, html('span', {}, `“${words.join('” “')}”`));
  return [svg('foreignObject', { x, y, width, height: 62, role: 'img', 'aria-label': `says ${words.join(', ')}` }, bubble)];
}

/** The symbols of a hand. @param {import('./story.js').Hand} hand @returns {string[]} */
function codes(hand) {
  return typeof hand === 'number' ? Array(hand).fill('back') : hand;
}

/** @param {string} code @param {{x: number, y: number, width: number, height: number}} place */
function drawCard(code, place) {
  return svg('use', { href: `#card-${code}`, ...place });
}
