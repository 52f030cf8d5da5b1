#!/usr/bin/env node
/** Lays the dearest card it may, and names the suit it holds most of. Jacks are dear, so they go early. */

import { Bot, cardPoints, run } from "./maumau.mjs";

class GreedyBot extends Bot {
  choose(ask) {
    const { hand } = ask.view;
    const worth = (action) => [action.do === "play", cardPoints(action.card ?? "-"), suitCount(hand, action)];
    const best = ask.legal.reduce((best, action) => (isBetter(worth(action), worth(best)) ? action : best));
    return this.withMau(ask, best);
  }
}

/** Cards of the suit that `action` names, as part of a play or on its own. */
function suitCount(hand, action) {
  const suit = action.choose?.suit ?? action.suit;
  return hand.filter((card) => card[1] === suit).length;
}

/** Whether the first list is greater at the first place where the two differ. */
function isBetter(left, right) {
  const place = left.findIndex((value, index) => value !== right[index]);
  return place >= 0 && left[place] > right[place];
}

run(() => new GreedyBot(), { name: "greedy.mjs", version: "1", games: 64 });
