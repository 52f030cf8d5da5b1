// @ts-check
// The viewer of a game: what is shown now, the controls, the keys, the address.

import { REFEREE, Story } from './story.js';
import { byId, html } from './elements.js';
import { drawTable } from './table.js';
import { MoveList, markSign, sentence, summary } from './moves.js';
import { Judgement, drawChances, showBalances, showMoments } from './judge.js';
import { drawTimeline } from './timeline.js';
import { prepareSound, sound, soundsOf } from './sound.js';

const story = new Story(JSON.parse(byId('story').textContent));
/** The last frame; -1 before anything is known of a game that is being played. */
let last = story.frames.length - 1;
const seats = story.names.length;
const law = byId('viewer').dataset.law;
const stillness = matchMedia('(prefers-reduced-motion: reduce)');
/** Whether this is a screen for a room, which plays by itself. */
const isRoom = new URLSearchParams(location.search).has('tv');
/** How long a move is shown in a room, and the end of a game. */
const [ROOM_MS, ROOM_END_MS] = [1000, 8000];
/** How far a finger moves across the table for a step. */
const SWIPE = 40;
/** Where a finger has come down on it. @type {Touch | null} */
let finger = null;
const narrow = matchMedia('(max-width: 620px)');

/** What is shown: the frame, whose eyes see it, which seat is at the bottom. */
const shown = { at: 0, eyes: REFEREE, bottom: 0 };
/** @type {ReturnType<typeof setTimeout> | undefined} */
let playing;

const judgement = new Judgement(story);
const list = new MoveList(byId('moves'), story, judgement, (at) => go(at));
/** Whose eyes the judge's drawing is for, and what moves its cursor. */
const judged = { eyes: -2, setCursor: (/** @type {number} */ _) => {} };
let setCursor = (/** @type {number} */ _) => {};
const live = document.getElementById('live');
/** Where a server draws the moment that is shown. */
const picture = document.getElementById('picture');
/** And the moves that lead to it. */
const moving = document.getElementById('moving');

/** Shows a frame. @param {number | null} at */
function go(at) {
  if (at === null || last < 0) return;
  const before = shown.at;
  shown.at = Math.max(0, Math.min(last, at));
  draw(shown.at === before + 1);
}

/** @param {boolean} moves whether cards move to this moment from the one before */
function draw(moves) {
  if (last < 0) return;
  const { at, eyes, bottom } = shown;
  const frame = story.frames[at];
  const stage = narrow.matches ? story.stages.tall : story.stages.wide;
  const places = at === last && story.places.length ? story.places : undefined;
  const scene = story.scene(eyes, at);
  const before = moves && at > 0 ? story.scene(eyes, at - 1) : null;
  drawTable(byId('table'), { story, scene, frame, stage, bottom, before: stillness.matches ? null : before, places });
  if (before) sound(soundsOfFrame(frame, scene.draw_pile < before.draw_pile));
  list.show(eyes, at);
  setCursor(at);
  if (story.judged) showJudged(eyes, at);
  const where = frame.kind === 'deal' ? 'the deal' : frame.kind === 'lost' ? 'a lost moment' : `${frame.kind} ${frame.number}`;
  byId('moment').value = `${at}`;
  byId('moment').setAttribute('aria-valuetext', `${where}, moment ${at} of ${last}`);
  const lines = story.lines(eyes, at);
  const main = lines.filter((line) => line.level === 'main' && !['note', 'sent', 'stderr'].includes(line.about));
  byId('sentence').replaceChildren(...summary(story, main.length ? main : lines));
  byId('detail').replaceChildren(...details(lines, frame, where));
  byId('eyes').value = `${eyes}`;
  for (const id of ['first', 'back']) byId(id).disabled = at === 0;
  for (const id of ['on', 'last']) byId(id).disabled = at === last;
  for (const mark of ['fault', 'interjection', 'round']) byId(mark).disabled = story.next(at, 1, mark) === null;
  if (story.judged) byId('mistake').disabled = judgement.next(eyes, at, 1) === null;
  if (live) sayLive();
  // A page that follows a game has no moment to be named.
  if (live && at === last) return;
  const seen = [`frame=${at}`, ...(eyes === REFEREE ? [] : [`eyes=${eyes}`]), ...(bottom ? [`bottom=${bottom}`] : [])];
  history.replaceState(null, '', `#${seen.join('&')}`);
  if (picture instanceof HTMLAnchorElement) picture.href = `${picture.dataset.picture}?${seen.join('&')}`;
  if (moving instanceof HTMLAnchorElement) moving.href = `${moving.dataset.picture}?${[...seen, `moves=${moving.dataset.moves}`].join('&')}`;
}

/** @param {import('./story.js').Frame} frame @param {boolean} drew */
function soundsOfFrame({ played, said, marks }, drew) {
  const has = (/** @type {string} */ mark) => marks?.includes(mark) ?? false;
  return soundsOf({ played, drew, said: (said ?? []).length > 0, fault: has('fault'), round: has('round') });
}

/** @param {number} eyes @param {number} at */
function showJudged(eyes, at) {
  if (judged.eyes !== eyes) {
    judged.eyes = eyes;
    judged.setCursor = drawChances(byId('chances'), judgement, eyes);
    showMoments(byId('moments'), byId('no-moments'), judgement, eyes, go);
    showBalances(byId('balances'), judgement, eyes);
    byId('judge').textContent = story.judged?.judge;
  }
  judged.setCursor(at);
}

/** @param {import('./story.js').Line[]} lines @param {import('./story.js').Frame} frame @param {string} where */
function details(lines, frame, where) {
  const mine = shown.eyes === REFEREE || shown.eyes === frame.seat;
  const name = frame.seat === undefined ? [] : [' · ', html('bdi', {}, story.names[frame.seat])];
  const parts = [html('p', { class: 'where' }, where[0].toUpperCase() + where.slice(1), ...name)];
  const comment = judgement.comment(shown.eyes, shown.at);
  if (comment) parts.push(html('p', { class: 'comment' }, ...(comment.mark ? [markSign(comment.mark), ' '] : []), ...sentence(story, { about: 'game', level: 'main', pieces: comment.pieces })));
  if (mine && frame.took_us !== undefined) {
    const cpu = frame.cpu_us === undefined ? '' : `, ${milliseconds(frame.cpu_us)} of processor time`;
    parts.push(html('p', {}, `Answered in ${milliseconds(frame.took_us)}${cpu}`));
  }
  const clauses = [...new Set(lines.flatMap((line) => line.clauses ?? []))];
  if (clauses.length) {
    parts.push(html('p', {}, 'By rule'), html('div', { class: 'clauses' }, ...clauses.map(clause)));
  }
  for (const line of lines.filter(({ about }) => ['note', 'sent', 'stderr'].includes(about))) {
    parts.push(html('p', { class: 'note' }, ...sentence(story, line)));
  }
  return parts;
}

/** A clause, which says its words in place when it is pointed at or opened. @param {string} id */
function clause(id) {
  const words = story.clauses[id];
  if (!words) return html('span', { class: 'clause' }, id);
  const page = law ? [' ', html('a', { class: 'clause', href: `${law}#${id.toLowerCase()}` }, 'all rules')] : [];
  return html('details', { class: 'clause' }, html('summary', { title: words }, id), html('p', {}, words, ...page));
}

/** @param {number} us */
function milliseconds(us) {
  return us < 1_000_000 ? `${(us / 1000).toFixed(2)} ms` : `${(us / 1_000_000).toFixed(2)} s`;
}

/** @param {boolean} on */
function setPlaying(on) {
  clearTimeout(playing);
  playing = undefined;
  if (on) {
    if (shown.at === last) go(0);
    wait();
  }
  byId('play').classList.toggle('playing', on);
  const title = on ? 'Pause (space)' : 'Play (space)';
  byId('play').setAttribute('aria-label', title);
  byId('play').title = title;
  byId('play').querySelector('path').setAttribute('d', on ? 'M6 4h4v16H6zM14 4h4v16h-4z' : 'M6 3l14 9-14 9z');
  byId('sentence').setAttribute('aria-live', on ? 'off' : 'polite');
}

/** Waits as long as the speed says, then steps. */
function wait() {
  const next = story.frames[Math.min(last, shown.at + 1)];
  const speed = byId('speed').value;
  const ms = speed === 'played' ? Math.max(20, Math.min(5000, (next.took_us ?? 300_000) / 1000)) : 900 / Number(speed);
  playing = setTimeout(() => {
    go(story.step(shown.at, 1, byId('unit').value));
    if (shown.at === last) setPlaying(false);
    else wait();
  }, ms);
}

/** @param {1 | -1} by */
const step = (by) => go(story.step(shown.at, by, byId('unit').value));
/** @param {string} mark @param {1 | -1} by */
const jump = (mark, by = 1) => go(story.next(shown.at, by, mark));
const toMistake = (/** @type {1 | -1} */ by) => go(judgement.next(shown.eyes, shown.at, by));

function flip() {
  shown.bottom = (shown.bottom + 1) % seats;
  draw(false);
}

/** @param {number} eyes */
function look(eyes) {
  shown.eyes = eyes;
  if (eyes !== REFEREE) shown.bottom = eyes;
  draw(false);
}

function setColours() {
  const four = document.documentElement.classList.toggle('four-colours');
  byId('colours').setAttribute('aria-pressed', `${four}`);
}

/** @param {1 | -1} by */
function faster(by) {
  const speed = byId('speed');
  speed.selectedIndex = Math.max(0, Math.min(speed.options.length - 1, speed.selectedIndex + by));
}

function help() {
  const dialog = byId('help');
  if (dialog.open) dialog.close();
  else dialog.showModal();
}

/** Copies a text, and says so for a while on the button that was pressed. @param {string} id @param {string} text @param {string} otherwise */
async function copy(id, text, otherwise) {
  const button = byId(id);
  const name = button.textContent;
  const say = (/** @type {string} */ word) => {
    button.textContent = word;
    setTimeout(() => (button.textContent = name), 1500);
  };
  await navigator.clipboard?.writeText(text).then(() => say('Copied'), () => say(otherwise));
}

// Where a page may not write to the clipboard the address holds the link as well.
const copyLink = () => copy('link', location.href, 'See address');

/** Copies HTML that shows a picture on any page: the picture itself, which leads to the game.
 * @param {string} button @param {HTMLElement | null} shownBy the link to the picture */
async function copyEmbed(button, shownBy) {
  if (!(shownBy instanceof HTMLAnchorElement)) return;
  const link = html('a', { href: location.href }).outerHTML;
  const svg = await (await fetch(shownBy.href)).text();
  await copy(button, link.replace('</a>', `${svg}</a>`), 'Not copied');
}

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowLeft: () => step(-1),
  ArrowRight: () => step(1),
  ' ': () => setPlaying(playing === undefined),
  '[': () => go(story.step(shown.at, -1, 'turn')),
  ']': () => go(story.step(shown.at, 1, 'turn')),
  PageUp: () => go(story.step(shown.at, -1, 'round')),
  PageDown: () => go(story.step(shown.at, 1, 'round')),
  Home: () => go(0),
  End: () => go(last),
  x: () => jump('fault'),
  X: () => jump('fault', -1),
  i: () => jump('interjection'),
  I: () => jump('interjection', -1),
  r: () => jump('round'),
  R: () => jump('round', -1),
  m: () => toMistake(1),
  M: () => toMistake(-1),
  f: flip,
  e: () => story.isOpen() && look(shown.eyes + 1 === seats ? REFEREE : shown.eyes + 1),
  c: setColours,
  s: () => byId('sound').click(),
  '+': () => faster(1),
  '-': () => faster(-1),
  '?': help,
};

/** @type {Record<string, () => void>} */
const BUTTONS = {
  first: () => go(0),
  back: () => step(-1),
  play: () => setPlaying(playing === undefined),
  on: () => step(1),
  last: () => go(last),
  fault: () => jump('fault'),
  interjection: () => jump('interjection'),
  round: () => jump('round'),
  flip,
  colours: setColours,
  link: copyLink,
  keys: help,
};

/** Shows what the address names. */
function readAddress() {
  const named = new URLSearchParams(location.hash.slice(1));
  const number = (/** @type {string} */ name, /** @type {number} */ most, /** @type {number} */ otherwise) => {
    const value = named.get(name);
    return value !== null && /^\d+$/.test(value) && Number(value) <= most ? Number(value) : otherwise;
  };
  const move = named.get('move');
  const start = move !== null && /^\d+$/.test(move) ? judgement.frameOf(Number(move)) : live ? Math.max(last, 0) : 0;
  const eyes = story.isOpen() ? number('eyes', seats - 1, REFEREE) : REFEREE;
  Object.assign(shown, { at: number('frame', last, start), eyes, bottom: number('bottom', seats - 1, 0) });
  draw(false);
}

/** Shows frames that are new or have changed since `from`; a reader at the end stays there. @param {number} from */
function grow(from) {
  const follows = shown.at >= last && !isRoom;
  last = story.frames.length - 1;
  list.grow(from);
  fit();
  if (follows || shown.at > last) go(last);
  else draw(false);
}

/** Makes the slider and the timeline as long as the game. */
function fit() {
  byId('moment').max = `${Math.max(0, last)}`;
  if (last >= 0) setCursor = drawTimeline(byId('timeline'), byId('legend'), story);
}

/** The first frame of the round that `at` belongs to. @param {number} at */
const roundOf = (at) => (story.next(at, -1, 'round') ?? -1) + 1;

/** Plays by itself, as on a screen for a room: the last round, or what is played now, and then what comes next. */
function playInRoom() {
  document.body.classList.add('tv');
  const isOver = !live || ['over', 'gone', 'restarted'].includes(connection);
  const [end, start] = [shown.at === last, roundOf(last)];
  // Where a round is over, those between it and the one that is played now are passed over.
  if (!end && last >= 0) go(story.frames[shown.at].marks?.includes('round') ? Math.max(start, shown.at + 1) : shown.at + 1);
  if (isOver && end) setTimeout(leaveRoom, ROOM_END_MS);
  else setTimeout(playInRoom, ROOM_MS);
}

/** Goes on to what comes next as soon as there is somebody to ask. */
function leaveRoom() {
  const again = () => setTimeout(leaveRoom, ROOM_END_MS);
  fetch('/tv', { cache: 'no-store' }).then((answer) => (answer.ok ? location.replace('/tv') : again()), again);
}

/** How the connection of a page is doing that follows a game: `open`, `lost`, `over`, `gone`, `restarted`. */
let connection = 'lost';

function sayLive() {
  const banner = byId('live');
  const ahead = last - shown.at;
  const words = {
    open: ahead > 0 ? `Live: ${ahead} moment${ahead === 1 ? '' : 's'} ahead; End follows the game.` : 'Live: following the game.',
    lost: 'The connection is lost; trying again …',
    over: 'This game is over.',
    gone: 'The arena no longer shows this game.',
    restarted: 'The arena was restarted; what stands here was played before.',
  }[connection];
  banner.dataset.connection = connection;
  const after = connection === 'over' ? banner.dataset.after : connection === 'restarted' ? location.pathname : undefined;
  const text = `${words}`;
  if (banner.firstChild?.textContent === text) return;
  banner.replaceChildren(text, ...(after ? [' ', html('a', { href: after }, connection === 'over' ? 'Its page' : 'The game as it is now')] : []));
}

/** Follows a game that is being played. @param {string} address */
function follow(address) {
  const news = new EventSource(address);
  const set = (/** @type {string} */ state) => {
    connection = state;
    sayLive();
  };
  news.addEventListener('open', () => set('open'));
  news.addEventListener('frames', (event) => {
    /** @type {import('./story.js').Update[]} */
    const updates = JSON.parse(event.data);
    updates.forEach((update) => story.put(update));
    grow(updates[0].at);
  });
  news.addEventListener('lost', (event) => {
    const { from, to, frame } = JSON.parse(event.data);
    story.lose(from, to);
    story.put(frame);
    grow(from);
  });
  news.addEventListener('restarted', () => {
    news.close();
    set('restarted');
  });
  news.addEventListener('over', () => {
    news.close();
    set('over');
  });
  news.addEventListener('error', () => {
    if (connection !== 'over') set(news.readyState === EventSource.CLOSED ? 'gone' : 'lost');
  });
}

if (picture) byId('embed').addEventListener('click', () => copyEmbed('embed', picture));
if (moving) byId('embed-moving').addEventListener('click', () => copyEmbed('embed-moving', moving));
if (story.judged) byId('mistake').addEventListener('click', () => toMistake(1));
for (const [id, act] of Object.entries(BUTTONS)) byId(id).addEventListener('click', act);
byId('moment').addEventListener('input', () => go(Number(byId('moment').value)));
byId('eyes').addEventListener('change', () => look(Number(byId('eyes').value)));
narrow.addEventListener('change', () => draw(false));
byId('table').addEventListener('touchstart', (/** @type {TouchEvent} */ event) => (finger = event.touches.length === 1 ? event.touches[0] : null), { passive: true });
byId('table').addEventListener('touchend', (/** @type {TouchEvent} */ event) => {
  // On a page that was made larger the finger moves the page.
  if (!finger || event.touches.length || (visualViewport?.scale ?? 1) > 1.01) return;
  const { clientX, clientY } = event.changedTouches[0];
  const across = clientX - finger.clientX;
  if (Math.abs(across) > Math.max(SWIPE, 2 * Math.abs(clientY - finger.clientY))) step(across < 0 ? 1 : -1);
});
addEventListener('hashchange', readAddress);
addEventListener('keydown', (event) => {
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.altKey || event.metaKey || byId('help').open || target.closest('select')) return;
  // A button and a slider have keys of their own.
  if ((event.key === ' ' && target.closest('button, a, summary')) || (target.closest('input') && event.key.length > 1)) return;
  const inList = target.closest('#moves');
  const key = inList && event.key === 'ArrowUp' ? 'ArrowLeft' : inList && event.key === 'ArrowDown' ? 'ArrowRight' : event.key;
  if (!KEYS[key]) return;
  event.preventDefault();
  KEYS[key]();
});
prepareSound(byId('sound'));
fit();
readAddress();
if (live?.dataset.news) follow(live.dataset.news);
if (isRoom) {
  if (last >= 0) go(roundOf(last));
  playInRoom();
}
