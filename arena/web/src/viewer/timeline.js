// @ts-check
// The course of a game: how many cards each seat held, where rounds ended, where something went wrong.

/** @typedef {import('./story.js').Story} Story_ */
import { REFEREE, handSize } from './story.js';
import { html, svg } from './elements.js';

const [WIDTH, HEIGHT] = [1000, 100];
/** Points of a curve at most; more than a screen has columns helps nobody. */
const POINTS = 700;

/** @param {SVGElement} chart @param {HTMLElement} legend @param {Story_} story @returns {(at: number) => void} moves the cursor */
export function drawTimeline(chart, legend, story) {
  const last = Math.max(1, story.frames.length - 1);
  const x = (/** @type {number} */ at) => (at / last) * WIDTH;
  const every = Math.max(1, Math.ceil(story.frames.length / POINTS));
  const sizes = story.names.map((_, seat) => {
    const sampled = [];
    for (let at = 0; at <= last; at += every) {
      const scene = story.scene(REFEREE, Math.min(at, story.frames.length - 1));
      sampled.push({ at, size: handSize(scene.hands[seat]) + handSize(scene.sealed[seat]) });
    }
    return sampled;
  });
  const most = Math.max(1, ...sizes.flat().map(({ size }) => size));
  const curves = sizes.map((sampled, seat) => {
    const steps = sampled.map(({ at, size }, place) => `${place ? 'H' : 'M'}${x(at).toFixed(1)}${place ? 'V' : ' '}${(HEIGHT - 8 - (size / most) * (HEIGHT - 14)).toFixed(1)}`);
    return svg('path', { class: `curve seat-${seat}`, d: steps.join('') });
  });
  const ticks = (/** @type {string} */ mark, /** @type {number} */ top) => {
    const columns = new Set();
    story.frames.forEach((frame, at) => frame.marks?.includes(mark) && columns.add(Math.round(x(at))));
    return svg('path', { class: `ticks ${mark}`, d: [...columns].map((column) => `M${column} ${top}V${HEIGHT}`).join('') });
  };
  const cursor = svg('path', { class: 'cursor', d: '' });
  chart.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
  chart.setAttribute('preserveAspectRatio', 'none');
  chart.replaceChildren(ticks('round', 0), ...curves, ticks('fault', HEIGHT - 9), cursor);
  legend.replaceChildren(
    ...story.names.map((name, seat) => html('li', {}, html('span', { class: `swatch seat-${seat}` }), html('bdi', {}, name))),
    html('li', { class: 'key' }, `up to ${most} cards`),
    ...(story.frames.some((frame) => frame.marks?.includes('fault')) ? [html('li', { class: 'key' }, html('span', { class: 'swatch fault' }), 'faults')] : []),
  );
  return (at) => cursor.setAttribute('d', `M${x(at).toFixed(1)} 0V${HEIGHT}`);
}
