// @ts-check
// Shows what happened at a pace that a person can follow: one move after another, and a stop when a round is over. The referee is
// not slowed by it: what has happened waits here until it is shown.

/** @typedef {{winners: number[], points: [number, number, number][]}} Sheet seats that won; of each seat that was counted: its
 *   number, the points of the round, the points of the match */
/** @typedef {{scene: import('./story.js').Scene, played: number | null, said: [number, string][], sheet: Sheet | null}} Moment */
/** @typedef {{names: string[], faces: string, line?: any, moment?: Moment}} Entry what a seat is sent; a moment comes after its lines */

/** Milliseconds a move, by the name of the pace. */
export const PACES = { calm: 1400, usual: 700, quick: 300, none: 0 };
const KEY = 'maumau-pace';
/** However much has happened, it is shown within this time. */
const MOST_MS = 10_000;

/** The pace that was chosen last in this browser. */
function kept() {
  try {
    const name = localStorage.getItem(KEY);
    return name !== null && name in PACES ? name : 'usual';
  } catch {
    return 'usual';
  }
}

export class Pace {
  /** @param {{line: (entry: Entry) => void, moment: (entry: Entry) => void, idle: () => void}} shows how each is shown, and what is
   *   done when nothing waits any more */
  constructor(shows) {
    this.shows = shows;
    this.chosen = kept();
    /** @type {Entry[]} */
    this.waiting = [];
    this.isStopped = false;
    /** When the last moment was shown. */
    this.last = -Infinity;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** @param {string} name one of {@link PACES} */
  set name(name) {
    this.chosen = name;
    try {
      localStorage.setItem(KEY, name);
    } catch {
      // A browser that keeps nothing keeps it until the page is closed.
    }
    if (this.timer !== undefined) this.goOn();
  }

  get name() {
    return this.chosen;
  }

  /** True if something has not been shown yet. */
  get isBehind() {
    return this.waiting.length > 0 || this.timer !== undefined || this.isStopped;
  }

  /** Takes what has come, to be shown one after another. @param {Entry[]} entries */
  add(entries) {
    this.waiting.push(...entries);
    if (this.timer === undefined && !this.isStopped) this.step();
  }

  /** Takes what has come and is shown at once: of moments only the ends of rounds. @param {Entry[]} entries */
  addAtOnce(entries) {
    for (const entry of entries) {
      if (entry.line) this.shows.line(entry);
      else if (entry.moment?.sheet) this.shows.moment(entry);
    }
  }

  /** Takes what was shown before this page: its lines. @param {Entry[]} entries */
  addPast(entries) {
    entries.filter(({ line }) => line).forEach((entry) => this.shows.line(entry));
  }

  /** Shows everything that waits, up to the end of a round. */
  hurry() {
    if (this.isStopped) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    while (this.waiting.length > 0 && !this.isStopped) this.show();
    if (!this.isBehind) this.shows.idle();
  }

  /** Stops until it goes on. */
  stop() {
    this.isStopped = true;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  goOn() {
    this.isStopped = false;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.step();
  }

  /** Shows what waits, each moment after its pause. */
  step() {
    while (this.waiting.length > 0 && !this.isStopped) {
      const pause = this.last + this.pause() - performance.now();
      if (pause > 0) {
        this.timer = setTimeout(() => {
          this.timer = undefined;
          this.step();
        }, pause);
        return;
      }
      while (this.waiting.length > 0 && !this.show());
    }
    if (!this.isStopped) this.shows.idle();
  }

  /** Milliseconds from the last moment to the next one; lines without one do not wait. */
  pause() {
    const moments = this.waiting.filter(({ moment }) => moment).length;
    return moments === 0 ? 0 : Math.min(PACES[/** @type {keyof typeof PACES} */ (this.name)], MOST_MS / moments);
  }

  /** Shows the first of what waits; true if it was a moment. */
  show() {
    const entry = /** @type {Entry} */ (this.waiting.shift());
    if (entry.moment) {
      this.last = performance.now();
      this.shows.moment(entry);
    } else this.shows.line(entry);
    return entry.moment !== undefined;
  }
}
