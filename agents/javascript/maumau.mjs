/**
 * What a bot needs to play in the Mau-Mau arena: `maumau/1` in one file, no packages, for Node 18 or later.
 *
 *     import { Bot, run } from "./maumau.mjs";
 *
 *     class MyBot extends Bot {
 *       choose(ask) {
 *         return this.pick(ask.legal);
 *       }
 *     }
 *
 *     run(() => new MyBot(), { name: "my bot" });
 *
 * Messages are the parsed JSON objects of the protocol; protocol/SPEC.md describes their members. `run` makes
 * one bot object for each game, so a process can play many games at once without mixing them up.
 */

import { Console } from "node:console";
import { createHash } from "node:crypto";
import { readSync, writeSync } from "node:fs";
import { isatty } from "node:tty";

export const PROTOCOL = "maumau/1";

const WANTS = ["view", "legal", "events", "rules"];
const MAX_NAME_CHARS = 64;
const MAX_NOTE_BYTES = 4096;
const MAX_CRASH_CHARS = 1000;
// <messages> made from the protocol's types by a test of agents/sdk
const VERBS = new Set([
  "play", "draw", "pass", "challenge", "say", "call", "choose", "take", "deal", "deal_penalties",
  "turn_up", "look", "reach", "glare", "point_of_order", "end_point_of_order", "count", "pick_up",
  "wait",
]);
// </messages>
const READ_BYTES = 1 << 16;
const PATIENCE_MS = 1; // answers are gathered for one write only as long as this
const NEWLINE = 10;

/** Where the notes of a bot go while its game is open. @type {WeakMap<Bot, string[]>} */
const outboxes = new WeakMap();

const POINTS = { J: 20, A: 11, T: 10, 9: 9, 8: 8, 7: 7, K: 3, Q: 3 };

/** Points against a seat that is left with `card`: by the table of `rules`, else by that of `skat`. */
export function cardPoints(card, rules) {
  const points = rules ? rules.scoring.points : POINTS;
  return points[card] ?? points[card[0]] ?? 0;
}

const suited = (suits, ranks) => [...suits].flatMap((suit) => [...ranks].map((rank) => rank + suit));
// The cards of each pack but for jokers, in the order of a deck.
const PACKS = {
  french: suited("CDHS", "23456789TJQKA"),
  colours: [...suited("BGRY", "23456789NVP01"), "W0", "W4"],
  waterfall: [...suited("BGRY", "M3456789NVPF1"), "W0", "WF", "WK"],
};

/** All cards of a table of so many seats, each as often as it is there. `rules` are those of `start`. */
export function deck(rules, seats) {
  // A value, or rows of values by the number of seats.
  const here = (value) => {
    const rows = value?.[0]?.seats ? value : [];
    return rows.find((row) => row.seats[0] <= seats && seats <= row.seats[1])?.is ?? value;
  };
  const { pack = "french", cards, copies = [], jokers = 0, packs = 1 } = rules.deck;
  // Whether a list names a card. The letters of a wild card stand for nothing by themselves.
  const among = (card, list) => {
    const tokens = typeof list === "string" ? list.split(" ") : list;
    return [card, ...(card[0] === "W" ? [] : card)].some((token) => tokens.includes(token));
  };
  const each = (card) => Array(copies.find((row) => among(card, row.cards))?.is ?? 1).fill(card);
  const named = PACKS[pack].filter((card) => among(card, here(cards)));
  const whole = [...named.flatMap(each), ...Array(jokers).fill("XX")];
  return Array(here(packs)).fill(whole).flat();
}

/** The seat after `seat` in the direction of play, if nobody is skipped. */
export function nextSeat(view, seat) {
  const seats = view.hands.length;
  return (seat + (view.direction === "cw" ? 1 : seats - 1)) % seats;
}

/** The cards that may be played now, each once, in the order of `legal`. */
export function fits(ask) {
  const plays = (ask.legal ?? []).filter((action) => action.do === "play");
  return [...new Set(plays.map((action) => action.card))];
}

/** Keeps count of the cards that a seat has not seen; for a bot that wants "events" and "rules". */
export class CardCounter {
  #deck;
  #played = [];

  constructor(rules, seats) {
    this.#deck = deck(rules, seats);
  }

  /** Takes the events of an ask, a tell or an over, in order. */
  see(events = []) {
    for (const { event, card } of events) {
      if (event === "turned_up" || event === "played") this.#played.push(card);
      else if (event === "reshuffled") this.#played.splice(0, this.#played.length - 1); // all but the top card
      else if (event === "taken_back") this.#played.pop();
      else if (event === "round_started") this.#played = [];
    }
  }

  /** The cards in other hands and in the draw pile, in the order of the deck, for a seat that holds `hand`. */
  unseen(hand) {
    const left = [...this.#deck];
    for (const card of [...this.#played, ...hand]) {
      const place = left.indexOf(card);
      if (place >= 0) left.splice(place, 1);
    }
    return left;
  }
}

/** What `start` must have published for a game whose seed is `seed` (64 hexadecimal digits). */
export function commitment(game, seed) {
  const hash = createHash("sha256").update("maumau/1 commitment\0").update(game, "utf8").update("\0");
  return hash.update(Buffer.from(seed, "hex")).digest("hex");
}

/** The player of one game. Derive from it and write `choose`; the other methods may stay as they are. */
export class Bot {
  /** The name of the game. @type {string} */ game = "";
  /** Your seat; seats are counted clockwise from 0. @type {number} */ seat = 0;
  /** The names of all seats, in order. @type {string[]} */ names = [];
  /** The resolved rule set, if `wants` includes "rules". @type {object | undefined} */ rules = undefined;
  /** The last ask of this game. @type {object | undefined} */ asked = undefined;
  /** Like `Math.random`, but seeded by the arena, so that a game that is played again goes the same way. */
  random = Math.random;

  /** The game begins. The members above are set. */
  start(_start) {}

  /**
   * The answer to `ask`: one of `ask.legal`, or an action made by hand like `{ do: "draw" }`.
   * `legal` holds the actions that this kit knows; those of a later version of the protocol are left out.
   * A legal action says what the rules want said with it; one made by hand says what its `say` holds.
   */
  choose(_ask) {
    throw new Error("write a choose(ask) that returns an action");
  }

  /** Something happened while nothing is asked; only for a bot that wants "events". */
  tell(_tell) {}

  /**
   * Something was wrong. Where `fault.open`, an action returned here answers the same ask again.
   * Unless overridden, it reports the fault on stderr and answers an open ask with its first legal action.
   */
  fault(fault) {
    complain(`${fault.fault} in game ${this.game}: ${fault.message} (${fault.clause})`);
    const asked = this.asked;
    return fault.open && asked?.id === fault.id ? asked.legal?.[0] : undefined;
  }

  /** The game is over; this object is not used again. */
  over(_over) {}

  /** Any element of a list, each as likely as the others. */
  pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }

  /** Puts any JSON value of at most 4 KiB into the game's record, such as your view of the position. */
  note(note) {
    const line = JSON.stringify({ type: "note", game: this.game, note: note ?? null });
    const bytes = Buffer.byteLength(line);
    if (bytes > MAX_NOTE_BYTES) complain(`a note of ${bytes} bytes was dropped; at most ${MAX_NOTE_BYTES}`);
    else outboxes.get(this)?.push(line);
  }
}

/** In the place of a bot that could not be made: it fails at every ask, for that reason. */
class Unmade extends Bot {
  constructor(error) {
    super();
    this.choose = () => {
      throw error;
    };
  }
}

/** A process's side of the protocol without its pipes: the arena's bytes go in, lines for it come out. */
export class Agent {
  /** Whether the arena has said `bye`. */
  done = false;

  #makeBot;
  #ready;
  #bots = new Map();
  #commitments = new Map();
  /** What failed in a bot's own code, until its next act tells it. @type {WeakMap<Bot, string>} */
  #crashes = new WeakMap();
  #out = [];
  #rest = Buffer.alloc(0);
  #isRehearsal = false;

  /** See {@link run} for the parameters. */
  constructor(makeBot, options = {}) {
    const { name = "", version = "", wants = ["view", "legal"], ticks = false, games = 1, plays } = options;
    for (const [what, text] of Object.entries({ name, version })) {
      if ([...text].length > MAX_NAME_CHARS) throw new RangeError(`${what} is over ${MAX_NAME_CHARS} long`);
    }
    if (!Array.isArray(wants) || !wants.every((want) => WANTS.includes(want))) {
      throw new RangeError(`wants is ${JSON.stringify(wants)}; it is a list of some of ${WANTS.join(", ")}`);
    }
    if (!Number.isInteger(games) || games < 1) throw new RangeError(`games is ${games}; at least 1`);
    this.#makeBot = makeBot;
    this.#ready = { name, version, wants, ticks, games, plays };
  }

  /** Takes a Buffer as it comes, whole lines or not; yields lines to send as soon as each is known. */
  *receive(data) {
    const all = this.#rest.length ? Buffer.concat([this.#rest, data]) : data;
    const end = all.lastIndexOf(NEWLINE) + 1;
    this.#rest = Buffer.from(all.subarray(end));
    if (end === 0) return;
    for (const line of all.toString("utf8", 0, end - 1).split("\n")) {
      try {
        this.#handle(JSON.parse(line));
      } catch (error) {
        // One game's misfortune must not end the others of this process.
        if (error instanceof Refusal) throw error;
        if (line.trim()) complain(`could not deal with this line of the arena: ${line.slice(0, 200)}`, error);
      }
      for (const answer of this.#out) yield answer + "\n";
      this.#out.length = 0;
    }
  }

  /** See {@link rehearse}. */
  rehearse(lines) {
    this.#isRehearsal = true;
    const answers = [];
    for (const line of lines) {
      if (!line.trim()) continue;
      this.#handle(JSON.parse(line));
      for (const text of this.#out.splice(0)) {
        const { type, game, id, ...action } = JSON.parse(text);
        if (type === "act") answers.push({ ask: JSON.parse(line), action });
      }
    }
    return answers;
  }

  #handle(message) {
    switch (message.type) {
      case "ask":
        return this.#ask(message);
      case "tell":
        return this.#call(this.#bot(message), "tell", message);
      case "fault":
        return this.#fault(message);
      case "start":
        return this.#start(message);
      case "over":
        return this.#over(message);
      case "hello":
        return this.#hello(message);
      case "bye":
        this.done = true;
    }
  }

  #bot(message) {
    const bot = this.#bots.get(message.game);
    if (!bot) throw new Error(`no game ${message.game} has been started`);
    return bot;
  }

  #hello(hello) {
    const theirs = String(hello.protocol);
    if (theirs.split(".")[0] !== PROTOCOL) {
      throw new Refusal(`this agent speaks ${PROTOCOL} and the arena ${theirs}: they cannot play together`);
    }
    const games = Math.min(this.#ready.games, hello.limits?.games ?? 1);
    this.#send({ type: "ready", protocol: PROTOCOL, ...this.#ready, games });
  }

  #start(start) {
    const { game, seat, names, rules, seed } = start;
    const bot = this.#made(game);
    Object.assign(bot, { game, seat, names, rules, random: seededRandom(seed) });
    this.#bots.set(game, bot);
    this.#commitments.set(game, start.commitment);
    outboxes.set(bot, this.#out);
    this.#call(bot, "start", start);
  }

  #made(game) {
    try {
      return this.#makeBot();
    } catch (error) {
      if (this.#isRehearsal) throw error;
      complain(`the bot of game ${game} could not be made`, error);
      return new Unmade(error);
    }
  }

  #ask(ask) {
    const bot = this.#bot(ask);
    bot.asked = ask;
    const instead = fallback(ask);
    if (ask.legal?.length) {
      ask.legal = ask.legal.filter((action) => VERBS.has(action.do));
      // A later version wants something that no bot of this kit knows.
      if (!ask.legal.length) return this.#act(bot, ask, instead);
    }
    try {
      this.#act(bot, ask, bot.choose(ask));
    } catch (error) {
      this.#crashed(bot, error, `at ask ${ask.id}`, ask.legal ? "; it plays the first legal action" : "");
      if (instead) this.#act(bot, ask, instead);
    }
  }

  /** Calls a method of the author's that has nothing to answer, or not at once. */
  #call(bot, method, message) {
    try {
      return bot[method](message);
    } catch (error) {
      return this.#crashed(bot, error, `in ${method}`);
    }
  }

  /** Tells the author on stderr, and the arena with the next act. */
  #crashed(bot, error, where, so = "") {
    if (this.#isRehearsal) throw error;
    complain(`the bot failed ${where} of game ${bot.game}${so}`, error);
    if (!this.#crashes.has(bot)) this.#crashes.set(bot, sentence(error));
  }

  #fault(fault) {
    const bot = this.#bots.get(fault.game);
    if (!bot) return complain(`${fault.fault}: ${fault.message} (${fault.clause})`);
    const action = this.#call(bot, "fault", fault);
    if (action !== undefined && fault.open) this.#act(bot, fault, action);
  }

  #over(over) {
    const bot = this.#bot(over);
    const committed = this.#commitments.get(over.game);
    this.#bots.delete(over.game);
    this.#commitments.delete(over.game);
    outboxes.delete(bot);
    if (over.seed && commitment(over.game, over.seed) !== committed) {
      complain(`the seed of game ${over.game} is not the one that the arena was committed to`);
    }
    bot.over(over);
  }

  #act(bot, ask, action) {
    if (typeof action?.then === "function") throw new TypeError("an action is needed at once, not a promise");
    if (typeof action?.do !== "string") {
      throw new TypeError(`${JSON.stringify(action)} is no action; one is an object like { do: "draw" }`);
    }
    const crash = this.#crashes.get(bot);
    this.#crashes.delete(bot);
    // A member that is undefined is not written.
    this.#send({ type: "act", ...action, game: ask.game, id: ask.id, crash });
  }

  #send(message) {
    this.#out.push(JSON.stringify(message));
  }
}

/** The arena speaks another protocol. */
class Refusal extends Error {}

/**
 * Plays until the arena says `bye` or goes away. Standard output belongs to the arena: from here on
 * `console.log` and `process.stdout` write to stderr.
 *
 * @param {() => Bot} makeBot called once for each game
 * @param {object} [options]
 * @param {string} [options.name] at most 64 characters, like the version
 * @param {string} [options.version]
 * @param {string[]} [options.wants] what an ask should hold: "view", "legal", "events"; and "rules" for the
 *   rule set in `start`. Absent: view and legal
 * @param {boolean} [options.ticks] be asked at every opportunity to act, not only when there is a card to play
 * @param {number} [options.games] how many games this process plays at once. Their asks are answered one
 *   after another and each has its own deadline, so leave it at 1 if the bot thinks for long
 * @param {object} [options.plays] the games that the bot was made for, such as `{ rules: ["skat"], seats: [2, 3] }`;
 *   a league with others is not begun. Absent: all
 */
export function run(makeBot, options) {
  const agent = new Agent(makeBot, options);
  if (isatty(0)) complain("this is a bot; it now waits for an arena to speak to it. See agents/README.md.");
  Object.defineProperty(process, "stdout", { get: () => process.stderr });
  globalThis.console = new Console(process.stderr);
  const chunk = Buffer.allocUnsafe(READ_BYTES);
  try {
    while (!agent.done) {
      const length = retry(() => readSync(0, chunk));
      if (length === 0) break;
      const writeBy = performance.now() + PATIENCE_MS;
      let answers = "";
      for (const answer of agent.receive(chunk.subarray(0, length))) {
        answers += answer;
        if (performance.now() >= writeBy) answers = write(answers);
      }
      if (answers) write(answers);
    }
  } catch (error) {
    if (error instanceof Refusal) {
      complain(error.message);
      process.exitCode = 2;
    } else if (error.code !== "EPIPE" && error.code !== "EOF") {
      throw error; // either of these: the arena has gone
    }
  }
}

/**
 * Sends a bot recorded lines of the arena, without an arena: each ask with its answer. `lines` are those that
 * `maumau feed GAME --seat N --lines` prints; the options are those of {@link run}. What the bot throws is thrown
 * here, so that a test or a debugger stops at its line.
 */
export function rehearse(makeBot, lines, options) {
  return new Agent(makeBot, options).rehearse(lines);
}

function write(text) {
  let data = Buffer.from(text);
  while (data.length) data = data.subarray(retry(() => writeSync(1, data)));
  return "";
}

/** What `call` returns, however often a descriptor that does not block has to be asked for it. */
function retry(call) {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1); // a pause of a millisecond
    }
  }
}

/** What is played where the bot fails, if there is anything that is sure to be an answer. */
function fallback(ask) {
  if (ask.legal?.length) return ask.legal[0];
  return { turn: { do: "draw" }, react: { do: "wait" } }[ask.what];
}

/** What was thrown, and where: in the author's file, if that is known. */
function sentence(error) {
  const frames = String(error?.stack ?? "").match(/^ +at .*$/gm) ?? [];
  const frame = frames.find((frame) => !frame.includes(import.meta.url));
  // Source maps name files by their paths, modules are named by URLs.
  const place = frame?.trim().replace(/(?:file:\/\/|(?<=[( ]))\/\S*\//, "");
  return [...`${error}${place ? ` (${place})` : ""}`].slice(0, MAX_CRASH_CHARS).join("");
}

function complain(text, error) {
  process.stderr.write(`maumau: ${text}\n${error ? `${error.stack ?? error}\n` : ""}`);
}

/** A generator of numbers in [0, 1) from 16 hexadecimal digits, by SplitMix64. */
function seededRandom(seed) {
  let state = BigInt(`0x${seed}`);
  return () => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let mixed = state;
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
    return Number((mixed ^ (mixed >> 31n)) >> 11n) / 2 ** 53;
  };
}
