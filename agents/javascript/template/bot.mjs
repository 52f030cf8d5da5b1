// my-bot: a bot for the Mau-Mau arena. README.md has the commands.
import { pathToFileURL } from "node:url";
import { Bot, cardPoints, run } from "./maumau.mjs";

export class MyBot extends Bot {
  /**
   * @param {import("./maumau.mjs").Ask} ask
   * @returns {import("./maumau.mjs").Action}
   */
  choose(ask) {
    // Think here. Each entry of ask.legal is a whole answer; ask.view is the position.
    const plays = ask.legal.filter((action) => action.do === "play");
    const dearer = (a, b) => (cardPoints(b.card) > cardPoints(a.card) ? b : a);
    return plays.length ? plays.reduce(dearer) : ask.legal[0]; // the dearest card first
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) run(() => new MyBot(), { name: "my-bot", games: 64 });
