// @ts-check
// Between two games on a screen for a room: chooses what is shown next, and goes there after a while. A game in play comes before a
// finished one, the one with most at stake first; finished ones come in the order of the list, those worth watching first.

import { byId } from './elements.js';

/** @typedef {{game: string, names: string[], round: [number, number], cards: number[]}} Table */
/** @typedef {{name: string, path: string, games: string[]}} Next what is shown next, where it is, and what it is among */

/** How long standings are shown. */
const SHOWN_MS = 8000;
/** How long it waits for something to show. */
const WAIT_MS = 2000;
const KEY = 'maumau-tv';

/** How much is at stake: small hands close together, late in the match. @param {Table} table */
function stakes({ cards, round: [round, rounds] }) {
  const [least, second] = [...cards].sort((one, other) => one - other);
  return (10 * round) / rounds - least - (second ?? least) / 2;
}

/** The games in play. @returns {Promise<Table[]>} */
function tables() {
  return new Promise((done) => {
    const news = new EventSource('/live/news');
    const end = (/** @type {Table[]} */ found) => {
      news.close();
      done(found);
    };
    news.addEventListener('tables', (event) => end(JSON.parse(event.data).tables));
    news.addEventListener('error', () => end([]));
    setTimeout(end, WAIT_MS, []);
  });
}

/** The addresses of finished games. */
async function finished() {
  const answer = await fetch('/games', { cache: 'no-store' }).catch(() => null);
  if (!answer?.ok) return [];
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const links = [...page.querySelectorAll('.worth a, tbody th a')].map((link) => `${link.getAttribute('href')}`);
  return [...new Set(links.map((link) => link.replace(/[?#].*/, '')))].filter((path) => path.startsWith('/games/'));
}

/** What was shown in this window; nothing where the browser keeps nothing. @returns {string[]} */
function seen() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
  } catch {
    return [];
  }
}

/** @param {string[]} paths */
function keep(paths) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(paths));
  } catch {
    // Then the first game of the list is shown again and again.
  }
}

/** @param {string} path @param {string[]} before */
function show(path, before) {
  const name = decodeURIComponent(path.replace(/.*\//, ''));
  byId('next').textContent = `Next: ${name}`;
  setTimeout(() => {
    keep([...before, path]);
    location.replace(`${path}?tv`);
  }, SHOWN_MS);
}

async function choose() {
  const playing = byId('tv').dataset.live ? (await tables()).sort((one, other) => stakes(other) - stakes(one)) : [];
  if (playing.length) return show(`/live/${encodeURIComponent(playing[0].game)}`, seen());
  const games = await finished();
  const fresh = games.find((path) => !seen().includes(path));
  if (fresh) return show(fresh, seen());
  if (games.length) return show(games[0], []);
  byId('next').textContent = 'There is nothing to show yet.';
  setTimeout(choose, WAIT_MS);
}

choose();
