// @ts-check
// The pages of a run that is being played: which games are in play, and standings that move. News come from the server; a lost
// connection is made again by the browser.

import { prepareRaces } from './race.js';
import { prepareTables, sortTable } from './tables.js';

/** @typedef {{game: string, names: string[], round: [number, number], cards: number[], inputs: number}} Table */

const progress = document.getElementById('progress');
const tables = document.getElementById('tables');
/** The least time between two readings of the standings. */
const EVERY_MS = 2000;

/** @param {string} name @param {...(Node | string)} children */
function element(name, ...children) {
  const made = document.createElement(name);
  made.append(...children);
  return made;
}

/** The rows by game: they stay where they are while a reader points at them. @type {Map<string, HTMLTableRowElement>} */
const rows = new Map();

/** @param {Table} table @returns {HTMLTableRowElement} */
function addRow({ game }) {
  const link = /** @type {HTMLAnchorElement} */ (element('a', game));
  link.href = `/live/${encodeURIComponent(game)}`;
  const head = element('th', link);
  head.setAttribute('scope', 'row');
  const row = /** @type {HTMLTableRowElement} */ (element('tr', head, element('td'), element('td'), element('td')));
  tables?.append(row);
  rows.set(game, row);
  return row;
}

/** @param {Table[]} list */
function showTables(list) {
  if (!tables) return;
  for (const [game, row] of rows) {
    if (list.some((table) => table.game === game)) continue;
    row.remove();
    rows.delete(game);
  }
  for (const table of list) {
    const { game, names, round, cards, inputs } = table;
    const row = rows.get(game) ?? addRow(table);
    const seats = names.flatMap((name, seat) => [element('bdi', name), ' ', element('b', `${cards[seat] ?? 0}`), seat < names.length - 1 ? ' · ' : '']);
    row.cells[1].replaceChildren(...seats);
    row.cells[2].textContent = `${round[0]} of ${round[1]}`;
    row.cells[3].textContent = `${inputs}`;
  }
}

/** The number of games in the standings that are shown, and when they were read. */
const shown = { games: -1, at: 0 };
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/** Reads the standings again, with the order that the reader has chosen. */
async function refresh() {
  waiting = undefined;
  shown.at = Date.now();
  // Where the arena is gone the news say so.
  const answer = await fetch(location.pathname, { cache: 'no-store' }).catch(() => null);
  if (!answer?.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const chosen = [...document.querySelectorAll('table')].map((table) => {
    const heads = [...(table.tHead?.rows[table.tHead.rows.length - 1]?.cells ?? [])];
    const column = heads.findIndex((head) => head.ariaSort);
    return column < 0 ? null : { column, order: heads[column].ariaSort === 'ascending' ? 'ascending' : 'descending' };
  });
  const open = [...document.querySelectorAll('details')].map((details) => details.open);
  for (const part of ['main', 'header']) {
    const [old, fresh] = [document.querySelector(part), page.querySelector(part)];
    if (old && fresh) old.replaceWith(fresh);
  }
  prepareTables(document);
  prepareRaces(document);
  document.querySelectorAll('table').forEach((table, at) => {
    const { column, order } = chosen[at] ?? {};
    if (column === undefined) return;
    const head = table.tHead?.rows[table.tHead.rows.length - 1]?.cells[column];
    if (head) head.ariaSort = order ?? null;
    sortTable(table, column, /** @type {'ascending' | 'descending'} */ (order));
  });
  document.querySelectorAll('details').forEach((details, at) => (details.open = open[at] ?? details.open));
  if (document.getElementById('partial')) waiting ??= setTimeout(refresh, EVERY_MS);
}

/** @param {string} words */
function say(words) {
  if (progress && progress.textContent !== words) progress.textContent = words;
}

const news = new EventSource('/live/news');
let isOver = false;
news.addEventListener('tables', (event) => {
  const state = JSON.parse(event.data);
  isOver = state.is_over;
  showTables(state.tables);
  const played = `${state.games} game${state.games === 1 ? '' : 's'} played by this command`;
  say(isOver ? `${played}; the run is over.` : `${played}, ${state.tables.length} being played.`);
  if (progress?.dataset.refresh && (isOver || state.games !== shown.games)) {
    shown.games = state.games;
    // At the end the arena does not stay for long.
    if (isOver) clearTimeout(waiting);
    if (isOver || waiting === undefined) waiting = setTimeout(refresh, isOver ? 0 : Math.max(0, shown.at + EVERY_MS - Date.now()));
  }
  if (isOver) news.close();
});
news.addEventListener('error', () => {
  if (isOver) return;
  say(news.readyState === EventSource.CLOSED ? 'The arena no longer shows this run. It can be seen with maumau serve.' : 'The connection is lost; trying again …');
});
