// The program of the bot, whose thoughts are in my_bot.mts.
import { run } from "./maumau.mjs";
import { MyBot } from "./my_bot.mjs";

run(() => new MyBot(), { name: "my-bot", games: 64 });
