#!/usr/bin/env node
/** Plays the dearest card it may, and names what it holds most of. Jacks are dear, so they go early. */

import { Bot, cardPoints, run } from "./maumau.mjs";

class GreedyBot extends Bot {
  choose(ask) {
    const { hand } = ask.view;
    const better = (action, best) => isBetter(worth(action, hand), worth(best, hand));
    return ask.legal.reduce((best, action) => (better(action, best) ? action : best));
  }
}

/** What counts for `action`, most important first: an order to take a card, a play, its points, its name. */
function worth(action, hand) {
  const { card = "-", choose } = action;
  const left = hand.filter((_, place) => place !== hand.indexOf(card));
  const named = choose?.suit ?? choose?.rank ?? action.suit ?? action.rank;
  const held = named ? left.filter((other) => other.includes(named)).length : 0;
  // To name what one does not hold is worse than to draw: where it is a request it costs cards.
  const plays = action.do === "play" ? (choose && left.length && !held ? -1 : 1) : 0;
  return [Number(action.do === "take"), plays, cardPoints(card), held];
}

/** Whether the first list is greater at the first place where the two differ. */
function isBetter(left, right) {
  const place = left.findIndex((value, index) => value !== right[index]);
  return place >= 0 && left[place] > right[place];
}

run(() => new GreedyBot(), { name: "greedy.mjs", version: "1", games: 64 });
