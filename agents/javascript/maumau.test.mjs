/** Tests of the SDK and of the bot beside it. They need no arena: every line of it is made here. */

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import test from "node:test";

import { Agent, Bot, cardPoints, commitment, deck } from "./maumau.mjs";

const SDK = new URL("./maumau.mjs", import.meta.url);
const GREEDY = new URL("./greedy_bot.mjs", import.meta.url);
const SEED = "00".repeat(31) + "07";
const BYE = line("bye", { reason: "done" });

function line(type, members) {
  return JSON.stringify({ type, ...members }) + "\n";
}

function hello(members) {
  return line("hello", { protocol: "maumau/1", arena: "0.1.0", limits: { games: 4096 }, ...members });
}

function start(members) {
  const usual = { game: "g1", seat: 0, names: ["me", "you"], rule_set: "basic", rounds: 1 };
  return line("start", { ...usual, commitment: "0".repeat(64), seed: "0123456789abcdef", ...members });
}

function ask({ game = "g1", id = 1, hand = ["7H", "9C", "JS"], ...members } = {}) {
  const view = { hand, top: "8H", turn: 0, direction: "cw", hands: [hand.length, 5] };
  const legal = [{ do: "play", card: "7H" }, { do: "draw" }];
  const head = { game, id: String(id).padStart(16, "0"), seat: 0, what: "turn", time_ms: 5000, as_of: 3 };
  return line("ask", { ...head, view, legal, ...members });
}

function fault(members) {
  const usual = { game: "g1", fault: "wrong_shape", message: "/card: missing", clause: "SPEC 6" };
  return line("fault", { ...usual, ...members });
}

function over(members) {
  const result = { places: [1, 2], points: [0, 9], wins: [1, 0], rounds: 1 };
  return line("over", { game: "g1", result, ...members });
}

class FirstBot extends Bot {
  choose(ask) {
    return ask.legal[0];
  }
}

function parse(text) {
  return text.split("\n").filter(Boolean).map((answer) => JSON.parse(answer));
}

/** What an agent answers to `lines`, parsed, and what it says on stderr. */
function talk(lines, MyBot = FirstBot, options = {}) {
  const agent = new Agent(() => new MyBot(), options);
  const write = process.stderr.write;
  let err = "";
  process.stderr.write = (text) => Boolean((err += text));
  try {
    return { answers: parse([...agent.receive(Buffer.from(lines.join("")))].join("")), err };
  } finally {
    process.stderr.write = write;
  }
}

/** Runs a module's text and sends it `lines`: its answers, its stderr and its exit status. */
function runModule(source, lines) {
  const text = `import { Bot, run } from ${JSON.stringify(SDK)};\n${source}`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ["--input-type=module", "-e", text], {
    input: lines.join(""),
    encoding: "utf8",
    timeout: 10_000,
  });
  return { answers: parse(stdout), err: stderr, status };
}

test("hello is answered with what the bot wants and no more games than the arena allows", () => {
  const options = { name: "b", version: "2", wants: ["legal"], ticks: true, games: 8, plays: { rules: ["skat"] } };
  const { answers } = talk([hello({ limits: { games: 4 } })], FirstBot, options);
  assert.deepEqual(answers, [{ type: "ready", protocol: "maumau/1", ...options, games: 4 }]);
});

test("another major version is refused in one sentence", () => {
  for (const protocol of ["maumau/2", "maumau/10", "chess/1"]) {
    const { answers, err, status } = runModule("run(() => new Bot());", [hello({ protocol })]);
    assert.deepEqual([answers, status], [[], 2]);
    const words = `this agent speaks maumau/1 and the arena ${protocol}: they cannot play together`;
    assert.equal(err, `maumau: ${words}\n`);
  }
  assert.equal(talk([hello({ protocol: "maumau/1.4" })]).answers.length, 1);
});

test("mistakes in the call of run are named", () => {
  for (const options of [{ name: "x".repeat(65) }, { wants: ["sight"] }, { wants: "view" }, { games: 0 }]) {
    assert.throws(() => new Agent(() => new FirstBot(), options), RangeError);
  }
});

test("an act repeats the game and the id", () => {
  const { answers } = talk([start({ game: "päär" }), ask({ game: "päär", id: 7 })]);
  assert.deepEqual(answers, [{ type: "act", do: "play", card: "7H", game: "päär", id: "0000000000000007" }]);
});

test("what must be said goes out as it stands in legal", () => {
  const play = { do: "play", card: "7H", say: ["snap", "last card"] };
  const { answers } = talk([start(), ask({ legal: [play] })]);
  assert.deepEqual(answers, [{ type: "act", ...play, game: "g1", id: "0000000000000001" }]);
});

test("interleaved games keep to themselves", () => {
  class Counter extends Bot {
    asks = 0;
    choose() {
      this.asks += 1;
      return { do: "say", text: `${this.game} ${this.asks}` };
    }
  }
  const [a, b] = [{ game: "a" }, { game: "b" }];
  const lines = [start(a), start(b), ask(b), ask(a), over(b), ask(a), start(b), ask(b)];
  const { answers, err } = talk(lines, Counter);
  assert.deepEqual(answers.map((answer) => answer.text), ["b 1", "a 1", "a 2", "b 1"]);
  assert.equal(err, "");
});

test("unknown types, unknown members and blank lines mean nothing", () => {
  const x = { what: ["is", "this"] };
  const nothing = [line("weather", { x }), "\n", " \r\n"];
  const { answers, err } = talk([hello({ x }), ...nothing, start({ x }), ask({ x }), over({ x })]);
  assert.deepEqual(answers.map((answer) => answer.type), ["ready", "act"]);
  assert.equal(err, "");
});

test("lines may arrive in pieces", () => {
  const game = "gä";
  const stream = Buffer.from(hello() + start({ game }) + ask({ game, id: 1 }) + ask({ game, id: 2 }));
  for (const size of [1, 7, 100, stream.length]) {
    const agent = new Agent(() => new FirstBot());
    let out = "";
    for (let at = 0; at < stream.length; at += size) {
      for (const answer of agent.receive(stream.subarray(at, at + size))) out += answer;
    }
    assert.deepEqual(parse(out).map((answer) => answer.id?.at(-1)), [undefined, "1", "2"]);
  }
});

test("the bot's own numbers follow from the seed", () => {
  class Dice extends Bot {
    choose() {
      return { do: "say", text: String(this.random()) };
    }
  }
  const roll = (seed) => Number(talk([start({ seed }), ask()], Dice).answers[0].text);
  assert.equal(roll("00000000000000aa"), roll("00000000000000aa"));
  assert.notEqual(roll("00000000000000aa"), roll("00000000000000ab"));
  assert.ok(roll("ffffffffffffffff") >= 0 && roll("ffffffffffffffff") < 1);
});

test("an open fault is answered again, a closed one is only reported", () => {
  const id = "0000000000000001";
  const faults = [fault({ id, open: true }), fault({ id }), fault({ game: null })];
  const { answers, err } = talk([start(), ask(), ...faults]);
  assert.equal(answers.length, 2);
  assert.deepEqual(answers[0], answers[1]);
  assert.equal(err.match(/wrong_shape/g).length, 3);
});

test("a bot that fails plays the first legal action and tells its author", () => {
  class Broken extends Bot {
    choose() {
      return { nothing: null, later: Promise.resolve() }[this.game] ?? null.length;
    }
  }
  const legal = [{ do: "play", card: "7H", say: ["mau"] }];
  for (const [game, error] of [["g1", "TypeError"], ["later", "not a promise"]]) {
    const { answers, err } = talk([start({ game }), ask({ game, legal })], Broken);
    assert.match(answers[0].crash, new RegExp(error));
    assert.deepEqual([answers[0].card, answers[0].say], ["7H", ["mau"]]);
    assert.match(err, /the bot failed at ask/);
  }
});

test("what fails is told with the next act, once and with its place", () => {
  for (const place of ["make", "start", "tell", "fault", "choose", "over"]) {
    const fail = (at) => {
      if (at === place) throw new Error(`${at} ${"x".repeat(2000)}`);
    };
    class Clumsy extends FirstBot {
      made = fail("make");
      start() {
        fail("start");
      }
      tell() {
        fail("tell");
      }
      fault(fault) {
        fail("fault");
        return super.fault(fault);
      }
      choose() {
        fail("choose");
        return { do: "draw" };
      }
    }
    const lines = [start(), line("tell", { game: "g1", events: [] }), fault(), ask(), ask({ id: 2 }), over()];
    const [first, second] = talk(lines, Clumsy).answers;
    const always = ["make", "choose"].includes(place);
    assert.equal("crash" in first, place !== "over", place);
    assert.equal("crash" in second, always, place);
    assert.equal(first.do, always ? "play" : "draw");
    assert.ok((first.crash ?? "").length <= 1000);
    assert.match(first.crash ?? "over", new RegExp(place));
  }
});

test("the place of a failure is in the author's file", () => {
  class Broken extends Bot {
    choose(ask) {
      return ask.view.nope.card;
    }
  }
  const { crash } = talk([start(), ask()], Broken).answers[0];
  assert.match(crash, /^TypeError: .* \(at Broken.choose \(maumau.test.mjs:\d+:\d+\)\)$/);
});

test("a place leaves out the folders, whether source maps or modules name it", () => {
  const frames = [
    ["MyBot.choose (/some/bots/my_bot.mts:6:11)", "MyBot.choose (my_bot.mts:6:11)"],
    ["MyBot.choose (file:///some/bots/bot.mjs:6:11)", "MyBot.choose (bot.mjs:6:11)"],
    ["/some/bots/my_bot.mts:6:11", "my_bot.mts:6:11"],
    ["node:internal/modules/esm:1:2", "node:internal/modules/esm:1:2"],
  ];
  for (const [frame, place] of frames) {
    class Broken extends Bot {
      choose() {
        throw Object.assign(new Error("no"), { stack: `Error: no\n    at ${frame}` });
      }
    }
    assert.equal(talk([start(), ask()], Broken).answers[0].crash, `Error: no (at ${place})`);
  }
});

test("without a list of what is legal a failure draws or waits", () => {
  class Broken extends Bot {}
  const lines = ["turn", "react", "choose"].map((what, id) => ask({ id, what, legal: undefined }));
  const { answers } = talk([start(), ...lines, ask({ id: 9 })], Broken);
  assert.deepEqual(answers.map((answer) => answer.do), ["draw", "wait", "play"]);
  for (const answer of answers) assert.match(answer.crash, /write a choose/);
});

test("what a later version adds to legal is left out", () => {
  class Last extends Bot {
    choose(ask) {
      return ask.legal.at(-1);
    }
  }
  const juggle = { do: "x_juggle", balls: 3 };
  const lines = [start(), ask({ legal: [juggle, { do: "draw" }, juggle] }), ask({ legal: [juggle] })];
  const { answers, err } = talk(lines, Last);
  assert.deepEqual(answers.map((answer) => answer.do), ["draw", "x_juggle"]);
  assert.deepEqual([answers[1].balls, err], [3, ""]);
});

test("a line that makes no sense is reported and passed over", () => {
  const { answers, err } = talk(["nonsense\n", "null\n", line("ask", { game: "unknown" }), start(), ask()]);
  assert.equal(answers.length, 1);
  assert.equal(err.match(/could not deal with this line/g).length, 3);
});

test("a seed is checked against the commitment", () => {
  const bytes = Buffer.concat([Buffer.from("maumau/1 commitment\0g1\0"), Buffer.alloc(31), Buffer.from([7])]);
  const digest = createHash("sha256").update(bytes).digest("hex");
  assert.equal(commitment("g1", SEED), digest);
  assert.equal(talk([start({ commitment: digest }), over({ seed: SEED })]).err, "");
  assert.equal(talk([start(), over()]).err, "");
  assert.match(talk([start(), over({ seed: SEED })]).err, /^maumau: the seed of game g1 is not .*\n$/);
});

test("notes go before the act, long ones and late ones nowhere", () => {
  class Writer extends FirstBot {
    choose(ask) {
      this.note({ win: 0.5 });
      this.note("x".repeat(5000));
      return super.choose(ask);
    }
    over() {
      this.note("too late");
    }
  }
  const { answers, err } = talk([start(), ask(), over()], Writer);
  assert.deepEqual(answers.map((answer) => answer.type), ["note", "act"]);
  assert.deepEqual(answers[0], { type: "note", game: "g1", note: { win: 0.5 } });
  assert.match(err, /was dropped/);
});

test("points are those of the rules, else those of skat", () => {
  const points = ["JS", "AH", "TD", "7C", "KC", "XX"].map((card) => cardPoints(card));
  assert.deepEqual(points, [20, 11, 10, 7, 3, 0]);
  assert.equal(cardPoints("KC", { scoring: { points: { K: 4 } } }), 4);
});

test("what is printed does not reach the arena", () => {
  const source = `
    class Chatty extends Bot {
      choose() {
        console.log("thinking");
        process.stdout.write("aloud");
        return { do: "draw" };
      }
    }
    run(() => new Chatty());`;
  const { answers, err, status } = runModule(source, [hello(), start(), ask(), BYE]);
  assert.deepEqual(answers.map((answer) => answer.type), ["ready", "act"]);
  assert.deepEqual([err, status], ["thinking\naloud", 0]);
});

test("a closed stdin ends the process, in the middle of a line too", () => {
  const { err, status } = runModule("run(() => new Bot());", [hello(), start(), ask().slice(0, 40)]);
  assert.deepEqual([err, status], ["", 0]);
});

test("bye ends the process while stdin stays open", async () => {
  const bot = spawn(process.execPath, [GREEDY.pathname], { stdio: ["pipe", "pipe", "inherit"] });
  bot.stdin.write(hello() + BYE);
  assert.equal(await new Promise((ended) => bot.on("exit", ended)), 0);
});

test("greedy plays its dearest card, names what it holds most of, and follows orders", () => {
  const jack = (name, value) => ({ do: "play", card: "JS", choose: { [name]: value } });
  const jacks = (name, values) => [...values].map((value) => jack(name, value));
  const [draw, wait, take] = [{ do: "draw" }, { do: "wait" }, { do: "take", from: 1 }];
  const plays = ["7D", "9D"].map((card) => ({ do: "play", card }));
  for (const [legal, best] of [
    [[draw, ...plays, ...jacks("suit", "CDHS")], jack("suit", "D")],
    [[draw, ...plays], { do: "play", card: "9D" }],
    [[draw, ...jacks("rank", "79TQ")], jack("rank", "9")],
    [[draw, ...jacks("rank", "8K")], draw],
    [[take, wait, ...plays], take],
    [[wait, ...plays], { do: "play", card: "9D" }],
  ]) {
    const input = hello() + start() + ask({ hand: ["7D", "9D", "QD", "9C", "JS"], legal }) + BYE;
    const options = { cwd: "/", input, encoding: "utf8", timeout: 10_000 };
    const bot = spawnSync(process.execPath, [GREEDY.pathname], options);
    const [, { type, game, id, ...act }] = parse(bot.stdout);
    assert.deepEqual([act, bot.stderr, bot.status], [best, "", 0]);
  }
});

test("the deck is that of the rules and the seats", () => {
  const packs = [{ seats: [2, 4], is: 1 }, { seats: [5, 8], is: 2 }];
  const skat = { deck: { cards: "7 8 9 T J Q K A", packs } };
  assert.deepEqual([deck(skat, 4).length, deck(skat, 5).length], [32, 64]);
  assert.deepEqual(["6S", "7C", "AS"].filter((card) => deck(skat, 2).includes(card)), ["7C", "AS"]);
  const odd = deck({ deck: { cards: ["S", "2", "KH"], jokers: 2, packs: 3 } }, 2);
  assert.deepEqual([odd.length, odd.filter((card) => card === "XX").length], [3 * (13 + 3 + 1 + 2), 6]);
});

test("a deck of another pack has its cards and copies", () => {
  const copies = [{ cards: "1 2 3 4 5 6 7 8 9 N V P", is: 2 }, { cards: ["W0", "W4"], is: 4 }];
  const of = { pack: "colours", cards: "0 1 2 3 4 5 6 7 8 9 N V P W0 W4", copies };
  const cards = deck({ deck: of }, 2);
  const times = (card) => cards.filter((other) => other === card).length;
  assert.deepEqual([cards.length, ...["0B", "1G", "PY", "W0", "W4"].map(times)], [108, 1, 2, 2, 4, 4]);
  assert.deepEqual(deck({ deck: { ...of, cards: "0" } }, 2), ["0B", "0G", "0R", "0Y"]);
  const points = { scoring: { points: { 0: 7, P: 20, W0: 50 } } };
  assert.deepEqual(["0B", "PR", "W0", "W4"].map((card) => cardPoints(card, points)), [7, 20, 50, 0]);
});
