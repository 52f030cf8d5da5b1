"""What all bad bots share: an honest bot that answers with the first legal action, and where its kind takes over.

A file beside this one is a family of kinds, and each kind a function that bears its name:

    @answers    in place of an answer, with the ask
    @first_ask  before the first answer, with the ask; it answers as if nothing were
    @starts     before the first line is read
    @greets     in place of `ready`, with the hello
    @parts      at the end: `bye`, or the end of the input

Every kind is honest wherever it has no function. The command line is `FAMILY.py KIND`, with

    --from N     misbehave from ask number N on (1 by default)
    --only N     misbehave at so many asks, then be honest
    --in WHAT    misbehave only where WHAT is asked: turn, react, choose or deal
    --games N    how many games at once to offer
    --count      write the number of asks into the record, as a note with each
    --signal N     say at ask number N that it has come, see `signal_arrival`
"""

import argparse
import json
import os
import sys
import time

KINDS = {"answers": {}, "starts": {}, "greets": {}, "parts": {}}


def _named(table):
    def enter(function):
        KINDS[table][function.__name__.strip("_").replace("_", "-")] = function
        return function

    return enter


answers, starts, greets, parts = map(_named, KINDS)


def first_ask(function):
    asked = []

    def answer(ask):
        if not asked:
            asked.append(True)
            function(ask)
        send(act(ask))

    answer.__name__ = function.__name__
    return answers(answer)


def send(message, end="\n"):
    """Writes a line: text as it stands, bytes as they are, anything else as JSON."""
    if not isinstance(message, (str, bytes)):
        message = json.dumps(message)
    if isinstance(message, str):
        message = message.encode("utf-8", "surrogatepass")
    put(message + end.encode())


def put(data):
    """Writes bytes to stdout, past every buffer."""
    view = memoryview(data)
    while view:
        view = view[os.write(1, view):]


def forever():
    while True:
        time.sleep(1)


def first(ask):
    """The first legal action."""
    return dict(ask["legal"][0])


def act(ask, action=None, **other):
    """A whole answer: the first legal action unless its options say otherwise."""
    return {"type": "act", "game": ask["game"], "id": ask["id"], **(first(ask) if action is None else action), **other}


def ready(**other):
    """The honest `ready`, with what is to be different."""
    games = OPTIONS.games
    return {"type": "ready", "protocol": "maumau/1", "name": OPTIONS.kind, "wants": ["view", "legal"], "games": games, **other}


def signal_arrival():
    """Signals to the process that waits at the pipe `asked` in TMPDIR that something has come; no sandbox lets it."""
    with open(os.path.join(os.environ["TMPDIR"], "asked"), "wb", buffering=0) as pipe:
        pipe.write(b".")


def lines():
    """What comes, one message at a time."""
    for line in sys.stdin.buffer:
        yield json.loads(line)


class Player:
    """Plays all games of the process."""

    def __init__(self, answer):
        self.answer = answer
        self.asks = 0
        self.done = 0
        self.asked = {}

    def ask(self, ask):
        self.asks += 1
        self.asked[ask["game"]] = ask
        if OPTIONS.count:
            send({"type": "note", "game": ask["game"], "note": {"asks": self.asks}})
        if self.asks == OPTIONS.signal:
            signal_arrival()
        if self.is_due(ask):
            self.done += 1
            self.answer(ask)
        else:
            send(act(ask))

    def is_due(self, ask):
        here = OPTIONS.what is None or ask["what"] == OPTIONS.what
        return self.answer and here and self.asks >= OPTIONS.start and (not OPTIONS.only or self.done < OPTIONS.only)

    def fault(self, fault):
        """An ask that stays open is answered once more, in the same way."""
        ask = self.asked.get(fault.get("game"))
        if not fault["open"] or ask is None or fault.get("id") != ask["id"]:
            return
        if self.is_due(ask):
            self.done += 1
            self.answer(ask)
        elif self.answer:
            send(act(ask))


def run():
    """Plays as the kind that the command line names."""
    kind = OPTIONS.kind
    if not any(kind in table for table in KINDS.values()) and kind != "honest":
        sys.exit(f"no kind {kind!r} here; there are {', '.join(sorted(name for table in KINDS.values() for name in table))}")
    if kind in KINDS["starts"]:
        KINDS["starts"][kind]()
    player = Player(KINDS["answers"].get(kind))
    for message in lines():
        what = message["type"]
        if what == "hello":
            greet = KINDS["greets"].get(kind)
            greet(message) if greet else send(ready())
        elif what == "ask":
            player.ask(message)
        elif what == "fault":
            player.fault(message)
        elif what == "bye":
            break
    if kind in KINDS["parts"]:
        KINDS["parts"][kind]()


def _options():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind")
    parser.add_argument("--from", dest="start", type=int, default=1)
    parser.add_argument("--only", type=int, default=0)
    parser.add_argument("--in", dest="what")
    parser.add_argument("--games", type=int, default=1)
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--signal", type=int, default=0)
    return parser.parse_args()


OPTIONS = _options()
