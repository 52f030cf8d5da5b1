"""An agent that is awkward in one way: silent, drip, late, flood, deaf; or prompt, which is not."""

import json
import os
import sys
import time

KIND = sys.argv[1]
DRIP_EVERY_S = 0.02
NOTES, NOTE = 60, "x" * 4_000


def send(message):
    os.write(1, json.dumps(message).encode() + b"\n")


def lines():
    """Lines of the arena; None for each moment in which none has come, where this drips."""
    if KIND == "drip":
        os.set_blocking(0, False)
    rest = b""
    while True:
        try:
            chunk = os.read(0, 65_536)
            if not chunk:
                return
            rest += chunk
        except BlockingIOError:
            time.sleep(DRIP_EVERY_S)
            yield None
        *whole, rest = rest.split(b"\n")
        yield from (json.loads(line) for line in whole)


def answer(ask):
    if KIND == "late":
        time.sleep(0.9 * ask["time_ms"] / 1_000)
    if KIND == "flood":
        for _ in range(NOTES):
            send({"type": "note", "game": ask["game"], "note": NOTE})
    action = {"do": "wait"} if ask["what"] == "react" else ask["legal"][0]
    send({"type": "act", "game": ask["game"], "id": ask["id"], **action})


def main():
    # A bot that is slow on purpose plays one game, so that no game waits for another.
    send({"type": "ready", "protocol": "maumau/1", "name": KIND, "wants": ["legal"], "games": 1})
    while KIND == "deaf":
        time.sleep(60)
    asked = False
    for line in lines():
        if line is None:
            if asked:
                os.write(1, b" ")
        elif line["type"] == "ask":
            asked = True
            if KIND not in ("silent", "drip"):
                answer(line)
        elif line["type"] == "bye":
            return


main()
