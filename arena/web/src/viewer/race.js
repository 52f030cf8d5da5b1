// @ts-check
// The race of a run: places after a growing share of the games, by a slider or played. All numbers stand in the page.

/** The time of a step that is played. */
const STEP_MS = 250;

/** Where the reader is, so that a page that is filled again goes on there: a share of the steps, whether it plays, what has the focus. */
const kept = { at: 1, plays: false, focus: '' };

/** @param {HTMLElement} race */
function prepareRace(race) {
  const controls = /** @type {HTMLElement} */ (race.querySelector('.controls'));
  const button = /** @type {HTMLButtonElement} */ (race.querySelector('.play'));
  const slider = /** @type {HTMLInputElement} */ (race.querySelector('.step'));
  const after = /** @type {HTMLElement} */ (race.querySelector('.after'));
  const cover = /** @type {SVGElement} */ (race.querySelector('.cover'));
  const now = /** @type {SVGElement} */ (race.querySelector('.now'));
  const games = (race.dataset.games ?? '').split(' ').map(Number);
  const last = games.length - 1;
  const rows = [.../** @type {NodeListOf<HTMLElement>} */ (race.querySelectorAll('li'))].map((item) => {
    const each = (/** @type {string} */ name) => (item.dataset[name] ?? '').split(' ');
    const drawn = [...race.querySelectorAll(`[data-runner="${item.dataset.runner}"]`)].filter((part) => part !== item);
    const dot = drawn.find((part) => part.tagName === 'circle');
    const [place, name, number] = ['.place', '.name', '.number'].map((part) => /** @type {HTMLElement} */ (item.querySelector(part)));
    return { item, drawn, dot, place, name, number, rows: each('rows'), places: each('places'), scores: each('scores') };
  });
  const height = (/** @type {SVGElement} */ (cover.parentNode).clientHeight || rows.length * 24) / rows.length;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let playing;

  /** @param {number} step */
  function show(step) {
    const share = (100 * games[step]) / games[last];
    kept.at = step / last;
    slider.value = `${step}`;
    cover.setAttribute('x', `${share}%`);
    cover.setAttribute('width', `${100 - share}%`);
    for (const end of ['x1', 'x2']) now.setAttribute(end, `${share}%`);
    let without = rows.filter(({ rows }) => rows[step] !== '-').length;
    for (const { item, dot, place, number, rows: own, places, scores } of rows) {
      const has = own[step] !== '-';
      const row = has ? Number(own[step]) : without++;
      item.style.setProperty('--row', `${row}`);
      item.classList.toggle('none', !has);
      place.textContent = has ? places[step] : '–';
      number.textContent = has ? scores[step] : '';
      dot?.setAttribute('cx', `${share}%`);
      dot?.setAttribute('cy', `${height * (row + 0.5)}`);
      dot?.setAttribute('visibility', has ? 'visible' : 'hidden');
    }
    const said = `after ${games[step].toLocaleString('en')} games`;
    after.textContent = said;
    const leaders = rows.filter(({ rows }) => Number(rows[step]) < 3).sort((one, other) => Number(one.rows[step]) - Number(other.rows[step]));
    slider.setAttribute('aria-valuetext', `${said}: ${leaders.map(({ places, name }) => `${places[step]}. ${name.textContent}`).join(', ')}`);
  }

  /** @param {boolean} plays */
  function play(plays) {
    clearInterval(playing);
    kept.plays = plays;
    button.textContent = plays ? 'Pause' : 'Play';
    if (!plays) return;
    if (Number(slider.value) === last) show(0);
    playing = setInterval(() => {
      // It was replaced by newer ones.
      if (!race.isConnected) return clearInterval(playing);
      show(Math.min(Number(slider.value) + 1, last));
      if (Number(slider.value) === last) play(false);
    }, STEP_MS);
  }

  button.addEventListener('click', () => play(!kept.plays));
  slider.addEventListener('input', () => {
    play(false);
    show(Number(slider.value));
  });
  race.addEventListener('focusin', ({ target }) => (kept.focus = target === slider ? '.step' : target === button ? '.play' : ''));
  race.addEventListener('focusout', () => {
    if (race.isConnected) kept.focus = '';
  });
  for (const { item, drawn } of rows) {
    const light = (/** @type {boolean} */ lit) => [item, ...drawn].forEach((part) => part.classList.toggle('lit', lit));
    for (const [event, lit] of /** @type {[string, boolean][]} */ ([['pointerenter', true], ['pointerleave', false], ['focusin', true], ['focusout', false]])) {
      item.addEventListener(event, () => light(lit));
    }
  }
  controls.hidden = false;
  show(Math.round(kept.at * last));
  if (kept.plays) play(true);
  if (kept.focus) /** @type {HTMLElement} */ (race.querySelector(kept.focus)).focus({ preventScroll: true });
}

/** Prepares all races of a part of the page. @param {ParentNode} part */
export function prepareRaces(part) {
  for (const race of /** @type {NodeListOf<HTMLElement>} */ (part.querySelectorAll('.race'))) prepareRace(race);
}

prepareRaces(document);
