// Feeds the bot a recorded game: `lines.jsonl` is what the arena sent a player of `game.jsonl`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { MyBot } from "./my_bot.mjs";
import { rehearse } from "./maumau.mjs";

test("every answer is legal", () => {
  const lines = readFileSync(new URL("lines.jsonl", import.meta.url), "utf8").split("\n");
  const answers = rehearse(() => new MyBot(), lines);
  assert.ok(answers.length > 0);
  for (const { ask, action } of answers) {
    assert.ok(ask.legal.some((legal) => JSON.stringify(legal) === JSON.stringify(action)), JSON.stringify(action));
  }
});
