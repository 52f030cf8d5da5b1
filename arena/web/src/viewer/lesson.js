// @ts-check
// The page of lessons: it asks for one after another, sends what the learner does, and shows what comes of it. What was learnt is
// known to this browser alone.

import { byId, html } from './elements.js';
import { come, pace, rest, say, sit } from './seat_table.js';

/** @typedef {{kind: 'right' | 'wrong' | 'allowed', title: string, says: string, clauses: {id: string, text: string}[]}} Verdict */
/** @typedef {{sent: import('./pace.js').Entry[], state: import('./seat_table.js').State, verdict: Verdict | null,
 *   solution: string | null}} Lesson */

const main = /** @type {HTMLElement} */ (document.querySelector('main.learn'));
const steps = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('.step'))];
const links = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('#steps a'))];
const LEARNT = `maumau-learnt-${main.dataset.set}`;

/** The lesson that is shown, from 0; the one after the last is the end. */
let at = 0;
/** @type {Lesson | null} */
let lesson = null;
/** What is said once everything has been shown. @type {Verdict | null} */
let verdict = null;
/** Counts what was asked for: an answer that comes after the next question is not shown. */
let requests = 0;

/** The lessons that were solved in this browser. @returns {number[]} */
function learnt() {
  try {
    const kept = JSON.parse(localStorage.getItem(LEARNT) ?? '[]');
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** @param {number} solved */
function keep(solved) {
  try {
    localStorage.setItem(LEARNT, JSON.stringify([...new Set([...learnt(), solved])]));
  } catch {
    // A browser that keeps nothing forgets what was learnt.
  }
  mark();
}

/** Marks the lessons that were solved, and the one that is shown. */
function mark() {
  const done = learnt();
  links.forEach((link, own) => {
    const isDone = done.includes(own);
    link.classList.toggle('done', isDone);
    link.setAttribute('aria-label', `${own + 1}. ${link.title}${isDone ? ', done' : ''}`);
    if (own === at) link.setAttribute('aria-current', 'step');
    else link.removeAttribute('aria-current');
  });
}

/** Asks for the lesson, or for what comes of an action. @param {object} [action] */
async function ask(action) {
  requests += 1;
  const own = requests;
  rest();
  say('');
  try {
    const sent = action ? { method: 'POST', body: JSON.stringify(action), headers: { 'content-type': 'application/json' } } : {};
    const answer = await fetch(`${main.dataset.answers}/${at + 1}`, sent);
    const found = await answer.json();
    if (own !== requests) return;
    if (!answer.ok) return say(found.why ?? 'That could not be sent.');
    receive(found, action !== undefined);
  } catch {
    say('The arena cannot be reached; what you chose was not sent.');
  }
}

/** Shows what came. @param {Lesson} found @param {boolean} isAnswer */
function receive(found, isAnswer) {
  // What the others did before the learner has been shown.
  const known = isAnswer ? (lesson?.sent.length ?? 0) : 0;
  if (!isAnswer) lesson = found;
  // The end of a round is no stop here.
  pace.add(found.sent.slice(known).map((entry) => (entry.moment ? { ...entry, moment: { ...entry.moment, sheet: null } } : entry)));
  verdict = found.verdict;
  come({ ...found.state, running: null }, 0);
}

/** The way to a clause. @param {string} id */
const lawLink = (id) => html('a', { class: 'clause', href: `/documents/law#${id.toLowerCase()}`, target: '_blank' }, id);

/** Says what an action was worth, once it has been shown. */
function judge() {
  const said = verdict;
  verdict = null;
  if (!said || !lesson) return;
  rest();
  const clauses = said.clauses.map(({ id, text }) => html('p', { class: 'explained' }, lawLink(id), ` ${text}`));
  byId('verdict').replaceChildren(html('p', { class: said.kind }, html('b', {}, said.title), ` ${said.says}`), ...clauses);
  const isRight = said.kind === 'right';
  byId('next').hidden = !isRight;
  byId('again').hidden = isRight;
  byId('solution').hidden = isRight;
  byId('turn').textContent = '';
  byId('speech').hidden = byId('more').hidden = true;
  byId(isRight ? 'next' : 'again').focus();
  if (isRight) keep(at);
}

/** Begins the lesson again. */
function begin() {
  verdict = null;
  pace.hurry();
  byId('verdict').replaceChildren();
  byId('next').hidden = byId('again').hidden = true;
  byId('solution').hidden = at >= links.length;
  byId('lines').replaceChildren();
  say('');
  if (at < links.length) ask();
}

/** Shows the lesson that the address names. */
function open() {
  const wanted = Number(location.hash.slice(1)) || 1;
  at = Math.min(Math.max(wanted - 1, 0), links.length);
  steps.forEach((step, own) => (step.hidden = own !== at));
  main.classList.toggle('finished', at === links.length);
  mark();
  begin();
}

sit({
  act: (verb) => ask(verb),
  hint: null,
  shown: () => {},
  idle: judge,
  clock: null,
}, {});
byId('next').addEventListener('click', () => {
  location.hash = `#${at + 2}`;
});
byId('again').addEventListener('click', () => {
  begin();
  steps[at].querySelector('h2')?.focus();
});
byId('solution').addEventListener('click', () => say(lesson?.solution ? `${lesson.solution}.` : ''));
addEventListener('hashchange', () => {
  open();
  steps[at].querySelector('h2')?.focus();
});
// Who comes back goes on where something is left to learn.
if (!location.hash) {
  const done = learnt();
  const first = links.findIndex((_, own) => !done.includes(own));
  if (first > 0) history.replaceState(null, '', `#${first + 1}`);
}
open();
