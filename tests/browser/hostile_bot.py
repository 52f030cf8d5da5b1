"""A bot that plays fairly, but for some lines, and whose words and notes would be markup if anything took them for it."""

import json
import sys

WORDS = '</script><script>document.title=2</script><b>mau</b>'


def send(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        send({"type": "ready", "protocol": "maumau/1", "name": WORDS, "version": "1"})
    elif message["type"] == "ask":
        head = {"game": message["game"]}
        send({"type": "note", **head, "note": {WORDS: [1.5, WORDS]}})
        if message["as_of"] % 5 == 0:
            print(WORDS, flush=True)
        action = message["legal"][0]
        words = [WORDS] if "say" not in action and action["do"] == "play" else action.get("say")
        send({"type": "act", **head, "id": message["id"], **action, **({"say": words} if words else {})})
