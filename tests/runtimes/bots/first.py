"""Answers with the first legal action. Nothing but the runtime is under test: it checks no line and knows no rules."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": "maumau/1", "name": "python", "wants": ["legal"]}), flush=True)
    elif message["type"] == "ask":
        print(json.dumps({"type": "act", "game": message["game"], "id": message["id"], **message["legal"][0]}), flush=True)
    elif message["type"] == "bye":
        break
