// my-bot: a bot for the Mau-Mau arena. README.md has the commands.
import { Bot, cardPoints, type Action, type Ask } from "./maumau.mjs";

export class MyBot extends Bot {
  choose({ legal = [] }: Ask): Action {
    // Think here. Each entry of `legal` is a whole answer; the ask's `view` is the position.
    const cost = ({ card = "" }: Action): number => cardPoints(card);
    const plays = legal.filter((action) => action.do === "play");
    const dearer = (a: Action, b: Action): Action => (cost(b) > cost(a) ? b : a);
    return plays.length ? plays.reduce(dearer) : legal[0]; // the dearest card first
  }
}
