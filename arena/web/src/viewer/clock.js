// @ts-check
// The clock for the eye: whose time runs and how much is left. The referee's clock decides.

/** @typedef {{seat: number, left_ms: number, of_ms: number}} Running */

/** Shows the time that runs. */
export class Clock {
  /** @param {HTMLElement} bar @param {HTMLElement} left */
  constructor(bar, left) {
    this.bar = bar;
    this.left = left;
    /** @type {Running | null} */
    this.running = null;
    this.since = 0;
    setInterval(() => this.draw(), 250);
  }

  /** @param {Running | null} running @param {number} age_ms how old it is */
  set(running, age_ms) {
    this.running = running;
    this.since = performance.now() - age_ms;
    this.draw();
  }

  draw() {
    const { running } = this;
    this.bar.hidden = !running;
    if (!running) return;
    const left = Math.max(0, running.left_ms - (performance.now() - this.since));
    this.bar.style.setProperty('--left', `${(100 * left) / Math.max(1, running.of_ms)}%`);
    this.bar.classList.toggle('short', left < 10_000 && left < running.of_ms / 3);
    this.left.textContent = left < 10_000 ? `${(left / 1000).toFixed(1)} s` : `${Math.ceil(left / 1000)} s`;
  }
}
