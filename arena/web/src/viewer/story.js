// @ts-check
// Reads the data of a game (game/story.rs). It knows nothing of how a game is shown.

/** @typedef {{x: number, y: number, width: number, scale: number}} Spot */
/** @typedef {{width: number, height: number, spots: Spot[], x: number, y: number, ring: [number, number]}} Stage */
/** @typedef {string[] | number} Hand */
/** @typedef {{hands: Hand[], sealed: Hand[], top: string?, visible: string?, pile: number?, draw_pile: number, turn: number?, racing: number[],
 *   direction: 'cw' | 'ccw', facing: string[], mau_said: number[], round: number, rounds: number, dealer: number?,
 *   points: number[], wins: number[], not_looked: number[], point_of_order: number?}} Scene */
/** @typedef {string | number | {card: string} | {said: string} | {words: string, tone: string} | {foreign: string, tone: string}} Piece */
/** @typedef {{about: string, level: string, pieces: Piece[], because?: Piece[],
 *   counted?: [number, string, string], clauses?: string[], numbered?: boolean}} Line */
/** @typedef {{kind: string, number: number, seat?: number, took_us?: number, cpu_us?: number, marks?: string[],
 *   said?: [number, string][], played?: number}} Frame */
/** @typedef {{lines?: Line[], scene?: Partial<Scene>}} Seen */
/** @typedef {{at: number, frame: Frame, seen: Seen[]}} Update */
/** @typedef {{number: number, seat: number, mark?: string, worth: number, pieces: Piece[]}} Comment */
/** @typedef {{judge: string, comments: Comment[], moments: {number: number, seat: number, pieces: Piece[]}[],
 *   balances: {seat: number, pieces: Piece[]}[]}} Judged */
/** @typedef {{game: string, rules: string, word: string, names: string[], stages: {wide: Stage, tall: Stage},
 *   cards: Record<string, {name: string, short: string}>, frames: Frame[], eyes: Seen[][], judged?: Judged,
 *   places: number[], clauses: Record<string, string>}} Data */

/** The first pair of eyes: the referee's, which see everything, or a spectator's. */
export const REFEREE = -1;

/** A game, frame by frame. */
export class Story {
  /** @param {Data} data */
  constructor(data) {
    this.names = data.names;
    this.word = data.word;
    this.frames = data.frames;
    this.stages = data.stages;
    this.cards = data.cards;
    this.eyes = data.eyes;
    this.judged = data.judged;
    this.places = data.places;
    this.clauses = data.clauses;
    /** @type {Map<number, Scene[]>} */
    this.scenes = new Map();
  }

  /** The table after a frame. @param {number} eyes @param {number} at @returns {Scene} */
  scene(eyes, at) {
    const scenes = this.scenes.get(eyes) ?? [];
    this.scenes.set(eyes, scenes);
    for (let next = scenes.length; next <= at; next += 1) scenes.push(after(scenes[next - 1] ?? {}, this.eyes[eyes + 1][next]));
    return scenes[at];
  }

  /** Whether it is shown to more than one pair of eyes. */
  isOpen() {
    return this.eyes.length > 1;
  }

  /** Puts a frame of a game that is being played at the end, or in the place of the last one. @param {Update} update */
  put({ at, frame, seen }) {
    this.frames.length = at;
    this.frames.push(frame);
    this.eyes.forEach((own, eyes) => {
      own.length = at;
      own.push(seen[eyes]);
    });
    for (const scenes of this.scenes.values()) scenes.length = Math.min(scenes.length, at);
  }

  /** Says that frames were lost on their way. @param {number} from @param {number} to */
  lose(from, to) {
    /** @type {Line[]} */
    const lines = [{ about: 'game', level: 'main', pieces: ['… not shown: it came faster than this connection'] }];
    for (let at = from; at < to; at += 1) this.put({ at, frame: { kind: 'lost', number: 0 }, seen: this.eyes.map(() => ({ lines })) });
  }

  /** What is shown of a frame. @param {number} eyes @param {number} at @returns {Line[]} */
  lines(eyes, at) {
    return this.eyes[eyes + 1][at].lines ?? this.eyes[0][at].lines ?? [];
  }

  /** The next frame from `at` in a direction that has a mark, or null. @param {number} at @param {1 | -1} by @param {string} mark */
  next(at, by, mark) {
    for (let frame = at + by; this.frames[frame]; frame += by) {
      if (this.frames[frame].marks?.includes(mark)) return frame;
    }
    return null;
  }

  /** Where a step of this unit leads. @param {number} at @param {1 | -1} by @param {string} unit */
  step(at, by, unit) {
    const last = this.frames.length - 1;
    const member = unit === 'turn' ? 'turn' : 'round';
    let frame = at + by;
    if (unit !== 'action') {
      const here = this.scene(REFEREE, at)[member];
      while (frame > 0 && frame < last && this.scene(REFEREE, frame)[member] === here) frame += by;
    }
    return Math.max(0, Math.min(last, frame));
  }

  /** The text of a line. @param {Line} line */
  text(line) {
    return line.pieces.map((piece) => this.textOf(piece)).join('');
  }

  /** @param {Piece} piece @returns {string} */
  textOf(piece) {
    if (typeof piece === 'string') return piece;
    if (typeof piece === 'number') return this.names[piece] ?? '?';
    if ('card' in piece) return this.cards[piece.card].short;
    if ('said' in piece) return `“${piece.said}”`;
    return 'words' in piece ? piece.words : piece.foreign;
  }
}

/** @param {Hand | undefined} hand */
export function handSize(hand) {
  return typeof hand === 'number' ? hand : (hand?.length ?? 0);
}

/** The scene after the members that changed. @param {any} scene @param {Seen} change @returns {Scene} */
function after(scene, change) {
  if (!change.scene) return scene;
  const next = { ...scene, ...change.scene };
  for (const member of ['hands', 'sealed']) {
    const [old, changed] = [scene[member], next[member]];
    if (old?.length === changed?.length) next[member] = changed.map((/** @type {any} */ hand, /** @type {number} */ seat) => hand ?? old[seat]);
  }
  return next;
}
