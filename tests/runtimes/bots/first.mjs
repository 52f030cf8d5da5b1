// Answers with the first legal action. Nothing but the runtime is under test: it checks no line and knows no rules.

import { createInterface } from "node:readline";

const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "hello") send({ type: "ready", protocol: "maumau/1", name: "node", wants: ["legal"] });
  if (message.type === "ask") send({ type: "act", game: message.game, id: message.id, ...message.legal[0] });
  if (message.type === "bye") break;
}
