// @ts-check
// The page of a person's seat: it shows what the agent sends and sends what the person chooses. Whether that is right is judged by
// the referee alone.

import { byId, html } from './elements.js';
import { Clock } from './clock.js';
import { act, come, needed, pace, priceOfOwed, rest, say, shownState, sit } from './seat_table.js';

/** @typedef {import('./seat_table.js').State} SeatState */

const address = `/seat/${needed.number}`;
const clock = new Clock(byId('time'), byId('left'));
/** How the number of a place ends. */
const ENDINGS = /** @type {Record<string, string>} */ ({ one: 'st', two: 'nd', few: 'rd', other: 'th' });
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
/** How long a chance to act between turns is kept open, if the table waits for it. */
const DECLINE_AFTER_MS = 6000;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let declining;
let lineCount = 0;
let connection = 'lost';
let isEnded = false;
/** Why nothing more comes, once what came before has been shown. */
let lastWords = '';

/** Sends a choice. @param {object} choice */
async function send(choice) {
  try {
    const answer = await fetch(`${address}/choice`, { method: 'POST', body: JSON.stringify(choice), headers: { 'content-type': 'application/json' } });
    if (!answer.ok) say((await answer.json()).why ?? 'That could not be sent.');
  } catch {
    say('The arena cannot be reached; what you chose was not sent.');
  }
}

/** Says what there is to say of a state. @param {SeatState} now @param {number} age_ms */
function showAround(now, age_ms) {
  showTitle(now);
  clearTimeout(declining);
  if (now.may_decline) declining = setTimeout(() => act({ do: 'wait' }), Math.max(1000, DECLINE_AFTER_MS - age_ms));
  if (now.over) say(`The game is over: ${ending(now.over.places, now)}.`);
  else if (now.owed) say(`${now.owed} first: ${priceOfOwed(now)}.`);
  else if (connection === 'open') say(now.clock === 'live' ? 'On the live clock you may speak, call and interject at any time.' : 'You are asked whenever you can act.');
}

/** Names the person and the game, whose rules open beside it. @param {SeatState} now */
function showTitle({ names, seat, rules, rule_set }) {
  const whose = names[seat] ?? 'Your seat';
  if (byId('title').textContent === `${whose} – ${rules}`) return;
  const link = html('a', { href: `/rules/${encodeURIComponent(rule_set)}`, target: '_blank', title: 'The rules of this game, on a page of their own' }, rules);
  byId('title').replaceChildren(html('bdi', {}, whose), ' – ', link);
}

/** What became of the person. @param {number[]} places @param {SeatState} now */
function ending(places, { names, seat }) {
  const place = places[seat];
  const others = names.filter((_, other) => other !== seat && places[other] === place);
  const shared = others.length ? ` together with ${others.join(', ')}` : '';
  const joint = others.length ? 'joint ' : '';
  return place === 1 ? `you have won${shared}` : `you came ${joint}${place}${ENDINGS[ordinals.select(place)]} of ${names.length}${shared}`;
}

const hint = () => send({ hint: true });

sit({
  act: (verb, ask) => {
    clearTimeout(declining);
    send({ ask, act: verb });
  },
  hint,
  shown: showAround,
  idle: () => lastWords && end(lastWords),
  clock,
}, {
  w: () => shownState()?.may_decline && act({ do: 'wait' }),
  h: () => shownState()?.can_answer && hint(),
});

const news = new EventSource(`${address}/news`);
news.addEventListener('open', () => {
  connection = 'open';
  isFresh = true;
});
/** True until the first news after a connection: what happened before it is not shown again move by move. */
let isFresh = true;
news.addEventListener('lines', (event) => {
  const added = JSON.parse(event.data);
  const first = Number(event.lastEventId) - added.length;
  // Moments that are long past are empty.
  const fresh = added.slice(Math.max(0, lineCount - first)).filter((/** @type {object | null} */ entry) => entry);
  lineCount = Number(event.lastEventId);
  if (isFresh) pace.addPast(fresh);
  // Others may act at any time on the live clock: nothing is held back.
  else if (shownState()?.clock === 'live') pace.addAtOnce(fresh);
  else pace.add(fresh);
  isFresh = false;
});
news.addEventListener('state', (event) => {
  const { state, age_ms } = JSON.parse(event.data);
  isFresh = false;
  come(state, age_ms);
});
/** @param {string} why */
function end(why) {
  isEnded = true;
  news.close();
  clearTimeout(declining);
  lastWords = pace.isBehind ? why : '';
  if (lastWords) return;
  const isOver = shownState()?.over;
  if (!isOver) rest();
  clock.set(null, 0);
  if (!isOver) say(why);
}
news.addEventListener('moved', () => end('This seat is open on a newer page of this browser; go on there.'));
news.addEventListener('freed', () => end('The organiser has freed this seat: its link may be used again.'));
news.addEventListener('ended', (event) => end(JSON.parse(event.data).why));
news.addEventListener('error', () => {
  if (isEnded) return;
  connection = 'lost';
  if (news.readyState === EventSource.CLOSED) end('The arena behind this page has ended or was restarted. A new game prints new links.');
  else say('The connection is lost; trying again … Nothing is lost: the table comes back as it is.');
});
