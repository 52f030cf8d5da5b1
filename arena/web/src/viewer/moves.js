// @ts-check
// The list of moves. Long games have tens of thousands of lines: a block of them is filled in when it comes near.

/** @typedef {import('./story.js').Story} Story_ */
/** @typedef {import('./judge.js').Judgement} Judgement_ */
import { cardInText, html } from './elements.js';

const BLOCK = 50;

/** The signs of marked decisions. @type {Record<string, string>} */
const SIGNS = { good: '!', inaccuracy: '?!', mistake: '?', blunder: '??' };

/** The sign of a mark, with its word for those who hear it. @param {string} mark */
export function markSign(mark) {
  return html('span', { class: `sign ${mark}`, role: 'img', 'aria-label': mark, title: mark }, SIGNS[mark]);
}

/** The list; `choose` gets the frame that a reader picks. */
export class MoveList {
  /** @param {HTMLElement} list @param {Story_} story @param {Judgement_} judgement @param {(at: number) => void} choose */
  constructor(list, story, judgement, choose) {
    this.list = list;
    this.story = story;
    this.judgement = judgement;
    this.eyes = -2;
    /** @type {HTMLElement | null} */
    this.current = null;
    /** @type {HTMLElement[]} */
    this.blocks = [];
    this.near = new IntersectionObserver((seen) => seen.filter((entry) => entry.isIntersecting).forEach((entry) => this.fill(this.blocks.indexOf(/** @type {HTMLElement} */ (entry.target)))), {
      root: list,
      rootMargin: '600px',
    });
    list.addEventListener('click', (event) => {
      const row = /** @type {Element} */ (event.target).closest('[data-at]');
      if (row instanceof HTMLElement && !(/** @type {Element} */ (event.target).closest('a'))) choose(Number(row.dataset.at));
    });
  }

  /** Shows a frame as the current one. @param {number} eyes @param {number} at */
  show(eyes, at) {
    if (eyes !== this.eyes) this.begin(eyes);
    this.fill(Math.floor(at / BLOCK));
    this.current?.setAttribute('aria-selected', 'false');
    this.current = this.list.querySelector(`[data-at="${at}"]`);
    if (!this.current) return;
    this.current.setAttribute('aria-selected', 'true');
    this.list.setAttribute('aria-activedescendant', this.current.id);
    const [top, height] = [this.current.offsetTop, this.current.offsetHeight];
    const { scrollTop, clientHeight } = this.list;
    if (top < scrollTop + 40 || top + height > scrollTop + clientHeight - 40) this.list.scrollTop = top - clientHeight / 2;
  }

  /** @param {number} eyes */
  begin(eyes) {
    this.eyes = eyes;
    this.near.disconnect();
    const count = Math.ceil(this.story.frames.length / BLOCK);
    this.blocks = Array.from({ length: count }, (_, block) => {
      const frames = Math.min(BLOCK, this.story.frames.length - block * BLOCK);
      const group = html('div', { role: 'group', class: 'block', 'aria-label': `Moments ${block * BLOCK} to ${block * BLOCK + frames - 1}` });
      group.style.minHeight = `${frames * 1.7}rem`;
      return group;
    });
    this.list.replaceChildren(...this.blocks);
    this.blocks.forEach((block) => this.near.observe(block));
  }

  /** Frames from `from` on are new or have changed. @param {number} from */
  grow(from) {
    if (this.eyes === -2) return;
    const first = Math.floor(from / BLOCK);
    for (let number = first; number * BLOCK < this.story.frames.length; number += 1) {
      const block = this.blocks[number] ?? this.addBlock();
      const isNear = block.firstChild !== null;
      while (block.lastElementChild && (number > first || Number(/** @type {HTMLElement} */ (block.lastElementChild).dataset.at) >= from)) block.lastElementChild.remove();
      if (isNear) this.append(number, Math.max(from, number * BLOCK));
      else this.near.observe(block);
    }
  }

  addBlock() {
    const block = html('div', { role: 'group', class: 'block', 'aria-label': `Moments from ${this.blocks.length * BLOCK}` });
    block.style.minHeight = '1.7rem';
    this.blocks.push(block);
    this.list.append(block);
    return block;
  }

  /** @param {number} number */
  fill(number) {
    const block = this.blocks[number];
    if (!block || block.firstChild) return;
    this.near.unobserve(block);
    const [{ scrollTop }, guessed] = [this.list, block.offsetHeight];
    const isAbove = block.offsetTop + guessed / 2 < scrollTop;
    this.append(number, number * BLOCK);
    block.style.minHeight = '';
    // What a reader sees stays where it is when rows above turn out higher than was guessed.
    if (isAbove) this.list.scrollTop = scrollTop + block.offsetHeight - guessed;
  }

  /** Adds the rows of a block from a frame on. @param {number} number @param {number} from */
  append(number, from) {
    const last = Math.min((number + 1) * BLOCK, this.story.frames.length);
    for (let at = from; at < last; at += 1) this.blocks[number].append(this.row(at));
  }

  /** @param {number} at */
  row(at) {
    const { story } = this;
    const lines = story.lines(this.eyes, at);
    const frame = story.frames[at];
    const marks = (frame.marks ?? []).map((mark) => `has-${mark}`);
    const row = html('div', {
      role: 'option', id: `frame-${at}`, class: ['row', ...marks].join(' '), 'data-at': at, 'aria-selected': 'false',
      'aria-setsize': story.frames.length, 'aria-posinset': at + 1,
    });
    let number = frame.kind === 'move' ? `${frame.number}` : '';
    let mark = this.judgement.comment(this.eyes, at)?.mark;
    for (const line of lines.length ? lines : [{ about: 'game', level: 'main', pieces: ['…'] }]) {
      const isNumbered = /** @type {any} */ (line).numbered || lines.length < 2;
      row.append(html('div', { class: `line ${line.level} ${line.about}` },
        html('span', { class: 'number' }, isNumbered ? number : ''), html('span', { class: 'text' }, ...sentence(story, line), ...(isNumbered && mark ? [' ', markSign(mark)] : []))));
      if (isNumbered) number = mark = '';
    }
    return row;
  }
}

/** The nodes of a line. @param {Pick<Story_, 'cards' | 'textOf'>} story @param {import('./story.js').Line} line @returns {(Node | string)[]} */
export function sentence(story, line) {
  const said = words(story, line.pieces);
  return line.because ? [...said, html('span', { class: 'because' }, ' (', ...words(story, line.because), ')')] : said;
}

/** @param {Pick<Story_, 'cards' | 'textOf'>} story @param {import('./story.js').Piece[]} pieces @returns {(Node | string)[]} */
function words(story, pieces) {
  return pieces.map((piece) => {
    if (typeof piece === 'string') return piece;
    if (typeof piece === 'number') return html('bdi', { class: 'name' }, story.textOf(piece));
    if ('card' in piece) return cardInText(story.cards[piece.card], piece.card);
    if ('said' in piece) return html('q', {}, html('bdi', {}, piece.said));
    return 'words' in piece ? html('span', { class: piece.tone }, piece.words) : html('bdi', { class: `foreign ${piece.tone}` }, piece.foreign);
  });
}

/** The most parts of a sentence that sums up a moment; what is left out is counted. */
const PARTS = 5;

/** One sentence for several lines: those that say the same of one seat are counted. @param {Pick<Story_, 'cards' | 'textOf'>} story
 * @param {import('./story.js').Line[]} lines @returns {(Node | string)[]} */
export function summary(story, lines) {
  /** @type {import('./story.js').Line[][]} */
  const groups = [];
  for (const line of lines) {
    const last = groups[groups.length - 1];
    if (last && line.counted && `${last[0].counted}` === `${line.counted}`) last.push(line);
    else groups.push([line]);
  }
  const shown = groups.length > PARTS ? groups.slice(0, PARTS - 1) : groups;
  const left = groups.slice(shown.length).flat().length;
  const parts = shown.map(([line, ...more]) => {
    const [seat, verb, what] = line.counted ?? [0, '', ''];
    return more.length ? [...words(story, [seat]), ` ${verb} ${more.length + 1} ${what}`] : sentence(story, line);
  });
  if (left) parts.push([`and ${left} more`]);
  return parts.flatMap((part, place) => [place ? '; ' : '', ...part]);
}
