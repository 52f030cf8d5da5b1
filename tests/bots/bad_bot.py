#!/usr/bin/env python3
"""A bot that does one thing wrong, named by its first argument; in everything else it plays the first legal action.

Each mode is a function of the loop below or an entry of ANSWERS; tests/e2e/bad_bots.rs says what the arena makes of it.
"""

import json
import os
import signal
import subprocess
import sys
import time

MODE = sys.argv[1]
MIB = 1 << 20


def send(message, end="\n"):
    text = message if isinstance(message, str) else json.dumps(message)
    sys.stdout.write(text + end)
    sys.stdout.flush()


def forever():
    while True:
        time.sleep(1)


def flood(stream, chunk, count=None):
    while count is None or count > 0:
        stream.write(chunk)
        count = None if count is None else count - 1
    stream.flush()


def act(ask, action=None, **other):
    return {"type": "act", "game": ask["game"], "id": ask["id"], **(action or first(ask)), **other}


def first(ask):
    action = dict(ask["legal"][0])
    if action["do"] == "play" and len(ask["view"]["hand"]) == 2:
        action["say"] = ["mau"]
    return action


def not_held(ask):
    held = ask["view"]["hand"]
    return next(r + s for r in "789TJQKA" for s in "CDHS" if r + s not in held)


def not_fitting(ask):
    legal = {action.get("card") for action in ask["legal"]}
    return next((card for card in ask["view"]["hand"] if card not in legal), None)


def illegal(ask):
    card = not_fitting(ask)
    send(act(ask, {"do": "play", "card": card} if card else None))


def late(ask):
    time.sleep(0.45)
    send(act(ask))


def half_a_line(ask):
    send('{"type":"act","game":', end="")
    forever()


def long_line(ask):
    flood(sys.stdout, "x" * MIB, 100)
    forever()


def flood_notes(ask):
    send({"type": "note", "game": ask["game"], "note": 1})
    flood(sys.stdout, json.dumps({"type": "note", "game": ask["game"], "note": 1}) + "\n")


def flood_stderr(ask):
    flood(sys.stderr, "chatter, chatter, chatter\n" * 4096, 20)
    send(act(ask))


def close_stdout(ask):
    os.close(1)
    forever()


def close_stdin(ask):
    os.close(0)
    send(act(ask))
    forever()


def leave_child(ask):
    if not leave_child.done:
        subprocess.Popen(["sleep", "60"])
        leave_child.done = True
    send(act(ask))


leave_child.done = False


def exit_with_child(ask):
    """The child keeps the pipes open."""
    subprocess.Popen(["sleep", "60"])
    os._exit(7)


def two_answers(ask):
    send(act(ask))
    send(act(ask))


# By mode, what is done at an ask.
ANSWERS = {
    "garbage": lambda ask: send("what is this?"),
    "blank": lambda ask: flood(sys.stdout, "\n" * 4096),
    "array": lambda ask: send([act(ask)]),
    "utf16": lambda ask: (sys.stdout.buffer.write(json.dumps(act(ask)).encode("utf-16")), send("")),
    "silent": lambda ask: None,
    "half-a-line": half_a_line,
    "wrong-id": lambda ask: send(act(ask, id="0000000000000000")),
    "wrong-game": lambda ask: send(act(ask, game="another")),
    "illegal": illegal,
    "not-held": lambda ask: send(act(ask, {"do": "play", "card": not_held(ask)})),
    "no-such-card": lambda ask: send(act(ask, {"do": "play", "card": "1X"})),
    "no-such-verb": lambda ask: send(act(ask, {"do": "dance"})),
    "wait": lambda ask: send(act(ask, {"do": "wait"})),
    "two-answers": two_answers,
    "second-ready": lambda ask: (ready(), send(act(ask))),
    "late": late,
    "exit-mid-game": lambda ask: sys.exit(3),
    "crash-mid-game": lambda ask: os.kill(os.getpid(), signal.SIGSEGV),
    "flood": flood_notes,
    "long-line": long_line,
    "flood-stderr": flood_stderr,
    "close-stdout": close_stdout,
    "close-stdin": close_stdin,
    "leave-child": leave_child,
    "exit-with-child": exit_with_child,
}


def ready(**other):
    send({"type": "ready", "protocol": "maumau/1", "name": MODE, **other})


def main():
    if MODE == "exit-at-start":
        print("cannot find my weights", file=sys.stderr)
        sys.exit(1)
    if MODE == "slow-start":
        time.sleep(0.5)
    if MODE == "never-ready":
        forever()
    if MODE == "banner":
        send("Welcome to my bot!")
    if MODE == "act-before-ready":
        send({"type": "act", "game": "g", "id": "0000000000000000", "do": "draw"})
    if MODE == "never-reads":
        ready()
        forever()
    if MODE == "ignore-the-end":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            ready(protocol="maumau/9" if MODE == "wrong-version" else "maumau/1")
            if MODE == "exit-after-ready":
                sys.exit(0)
            if MODE == "flood-after-ready":
                flood(sys.stdout, "\n")
        elif kind == "start" and MODE == "tell-start":
            with open(os.path.join(os.environ["TMPDIR"], f"started-{os.getpid()}"), "w") as file:
                file.write("started")
        elif kind == "ask":
            if MODE == "tell-start":
                forever()
            asked = message
            ANSWERS.get(MODE, lambda ask: send(act(ask)))(asked)
        elif kind == "fault" and message["open"] and MODE not in ("second-ready", "two-answers"):
            ANSWERS[MODE](asked)
        elif kind == "bye" and MODE != "ignore-the-end":
            return
    if MODE == "ignore-the-end":
        forever()


main()
