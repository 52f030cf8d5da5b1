// @ts-check
// What a judge says of a game that is over: comments on decisions, the chances of the seats, moments worth a look. It knows nothing of
// how the game itself is shown.

/** @typedef {import('./story.js').Story} Story_ */
import { REFEREE } from './story.js';
import { html, svg } from './elements.js';
import { sentence } from './moves.js';

const CHANCES = { width: 1000, height: 120 };

/** The comments on a game by frame; none if nobody has judged it. */
export class Judgement {
  /** @param {Story_} story */
  constructor(story) {
    this.story = story;
    /** @type {Map<number, import('./story.js').Comment>} */
    this.byFrame = new Map();
    const frames = new Map();
    story.frames.forEach((frame, at) => frame.kind === 'move' && frames.set(frame.number, at));
    this.frames = frames;
    for (const comment of story.judged?.comments ?? []) {
      const at = frames.get(comment.number);
      if (at !== undefined) this.byFrame.set(at, comment);
    }
  }

  /** The comment on a frame, if these eyes may see it. @param {number} eyes @param {number} at */
  comment(eyes, at) {
    const comment = this.byFrame.get(at);
    return comment && (eyes === REFEREE || eyes === comment.seat) ? comment : undefined;
  }

  /** The next frame with a marked loss that these eyes may see, or null. @param {number} eyes @param {number} at @param {1 | -1} by */
  next(eyes, at, by) {
    for (let frame = at + by; this.story.frames[frame]; frame += by) {
      const mark = this.comment(eyes, frame)?.mark;
      if (mark && mark !== 'good') return frame;
    }
    return null;
  }

  /** The frame of a move, or of the first move after it. @param {number} number */
  frameOf(number) {
    const at = this.story.frames.findIndex((frame) => frame.kind === 'move' && frame.number >= number);
    return at < 0 ? this.story.frames.length - 1 : at;
  }
}

/** The moments that these eyes may see. @param {HTMLElement} list @param {HTMLElement} none @param {Judgement} judgement @param {number} eyes
 *  @param {(at: number) => void} choose */
export function showMoments(list, none, judgement, eyes, choose) {
  const { story } = judgement;
  const seen = (story.judged?.moments ?? []).filter(({ seat }) => eyes === REFEREE || eyes === seat);
  list.replaceChildren(...seen.map(({ number, pieces }) => {
    const button = html('button', { type: 'button' }, `Move ${number}`);
    button.addEventListener('click', () => choose(judgement.frameOf(number)));
    return html('li', {}, button, ' ', ...sentence(story, { about: 'game', level: 'main', pieces }));
  }));
  none.hidden = seen.length > 0;
}

/** What moved the chances of the seats that these eyes may see. @param {HTMLElement} list @param {Judgement} judgement @param {number} eyes */
export function showBalances(list, { story }, eyes) {
  const seen = (story.judged?.balances ?? []).filter(({ seat }) => eyes === REFEREE || eyes === seat);
  list.replaceChildren(...seen.map(({ pieces }) => html('li', {}, ...sentence(story, { about: 'game', level: 'main', pieces }))));
}

/** Draws the chances of the seats that these eyes may see. @param {SVGElement} chart @param {Judgement} judgement @param {number} eyes
 *  @returns {(at: number) => void} moves the cursor */
export function drawChances(chart, judgement, eyes) {
  const { story } = judgement;
  const { width, height } = CHANCES;
  const last = Math.max(1, story.frames.length - 1);
  const x = (/** @type {number} */ at) => ((at / last) * width).toFixed(1);
  const y = (/** @type {number} */ worth) => (height - 6 - (worth / 1000) * (height - 12)).toFixed(1);
  const seats = story.names.map((_, seat) => seat).filter((seat) => eyes === REFEREE || eyes === seat);
  /** @type {Map<number, string[]>} */
  const points = new Map(seats.map((seat) => [seat, []]));
  const signs = [];
  for (const at of [...judgement.byFrame.keys()].sort((one, other) => one - other)) {
    const comment = judgement.byFrame.get(at);
    const own = comment && points.get(comment.seat);
    if (!comment || !own) continue;
    own.push(`${own.length ? 'L' : 'M'}${x(at)} ${y(comment.worth)}`);
    if (comment.mark) signs.push(svg('path', { class: `dot ${comment.mark}`, d: `M${x(at)} ${y(comment.worth)}h0.01` }));
  }
  const curves = seats.map((seat) => svg('path', { class: `curve seat-${seat}`, d: (points.get(seat) ?? []).join('') }));
  const cursor = svg('path', { class: 'cursor', d: '' });
  chart.setAttribute('viewBox', `0 0 ${width} ${height}`);
  chart.setAttribute('preserveAspectRatio', 'none');
  chart.replaceChildren(svg('path', { class: 'half', d: `M0 ${y(500)}H${width}` }), ...curves, ...signs, cursor);
  return (at) => cursor.setAttribute('d', `M${x(at)} 0V${height}`);
}
