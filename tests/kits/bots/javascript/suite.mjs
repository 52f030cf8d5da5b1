// The bot of the kits' suite in JavaScript: it plays by the name of its game.
import { Bot, CardCounter, cardPoints, deck, fits, nextSeat, run } from "./maumau.mjs";

class Suite extends Bot {
  start() {
    this.asks = 0;
    this.counter = this.rules && new CardCounter(this.rules, this.names.length);
    this.fail("start");
  }

  fail(place) {
    if (this.game === `in-${place}`) throw new Error(`no hands in ${place}`);
  }

  choose(ask) {
    this.asks += 1;
    this.fail("choose");
    switch (this.game.split("-")[0]) {
      case "last":
        return ask.legal.at(-1);
      case "count":
        return { do: "say", text: `${this.game} ${this.asks}` };
      case "nothing":
        return undefined;
      case "print":
        console.log("thinking aloud");
        return { do: "draw" };
      case "dice":
        return { do: "say", text: String(this.random()) };
      case "note":
        this.note(this.asks === 1 ? { win: 0.5 } : "x".repeat(5000));
        break;
      case "table":
        return { do: "say", text: this.table(ask) };
    }
    return ask.legal[0];
  }

  table(ask) {
    this.counter.see(ask.events);
    const cost = [cardPoints("JS"), cardPoints("JS", this.rules), cardPoints("7H", this.rules)];
    return (
      `next ${nextSeat(ask.view, this.seat)}, fits ${fits(ask).join(" ")}, points ${cost.join(" ")}, ` +
      `deck ${deck(this.rules, this.names.length).length}, unseen ${this.counter.unseen(ask.view.hand).length}`
    );
  }

  tell() {
    this.fail("tell");
  }

  fault(fault) {
    this.fail("fault");
    return this.game === "sorry" ? { do: "draw" } : super.fault(fault);
  }

  over() {
    this.fail("over");
    if (this.game === "note") this.note("too late");
  }
}

const given = Object.fromEntries(process.argv.slice(2).map((word) => word.split("=")));
run(() => new Suite(), {
  name: given.name ?? "suite",
  version: given.version ?? "1",
  wants: (given.wants ?? "view,legal,events,rules").split(","),
  ticks: given.ticks === "true",
  games: Number(given.games ?? 8),
});
