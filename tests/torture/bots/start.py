"""Kinds that go wrong before the first game. What the arena must make of each is in kinds.toml."""

import os
import sys
import time

import bot
from bot import answers, forever, greets, ready, send, starts


# What stands in `ready` in place of the honest member.
READY = {
    "wrong-version": dict(protocol="maumau/9"),
    "newer-version": dict(protocol="maumau/1.7"),  # A minor version is none of the arena's business.
    "version-no-text": dict(protocol=1),
    "name-empty": dict(name=""),
    "name-64k": dict(name="n" * 60_000),
    "name-longest": dict(name="\U0001f0a1" * 64),
    "name-taken": dict(name="greedy"),
    "name-escapes": dict(name="\x1b[2J\x1b]0;owned\x07\u202egreedy\u2066\x9b31m", version="\x1b[31m"),
    "name-zero-width": dict(name="gr\u200bee\u200d\ufeffdy\u2060"),
    "name-path": dict(name="../../../../tmp/x'; DROP TABLE games; --<script>"),
    "name-a-list": dict(name=["a"]),
    "games-none": dict(games=0),
    "games-negative": dict(games=-1),
    "games-too-many": dict(games=2**32 - 1),  # Counts as the most that there may be.
    "games-beyond-a-number": dict(games=2**32),
    "wants-unknown": dict(wants=["view", "everything"]),
    "wants-all-doubled": dict(wants=["view", "legal", "events", "rules"] * 1000),
    "wants-nothing": dict(wants=[]),  # Then it has no legal actions to choose from, and plays by ear.
}
for name, members in READY.items():
    bot.KINDS["greets"][name] = lambda hello, members=members: send(ready(**members))


@greets
def silent_start(hello):
    forever()


@starts
def exit_0_at_start():
    sys.exit(0)


@starts
def exit_1_at_start():
    print("cannot find my weights", file=sys.stderr)
    sys.exit(1)


@starts
def hang_before_reading():
    forever()


@greets
def exit_after_handshake(hello):
    send(ready())
    sys.exit(0)


@greets
def second_hello(hello):
    send(ready())
    send(ready())


@answers
def second_hello_in_game(ask):
    send(ready())


@starts
def move_before_hello():
    send({"type": "act", "game": "g", "id": "0000000000000000", "do": "draw"})


@starts
def banner():
    send("Welcome to my bot!")


@starts
def ready_before_hello():
    """Allowed: nobody need wait for the hello (SPEC 2.2)."""
    send(ready())


bot.KINDS["greets"]["ready-before-hello"] = lambda hello: None


@greets
def slow_hello(hello):
    time.sleep(0.5)
    send(ready())


@greets
def drip_ready(hello):
    """A byte at a time, slower than the allowance lasts."""
    for byte in b'{"type":"ready","protocol":"maumau/1"}\n' * 10:
        bot.put(bytes([byte]))
        time.sleep(0.05)


@greets
def games_a_fraction(hello):
    send('{"type":"ready","protocol":"maumau/1","games":1.0}')


bot.KINDS["answers"]["wants-nothing"] = lambda ask: send(bot.act(ask, {"do": "draw" if ask["what"] == "turn" else "wait"}))


@greets
def ready_with_bom(hello):
    send(b"\xef\xbb\xbf" + b'{"type":"ready","protocol":"maumau/1"}')


@greets
def ready_cut_by_exit(hello):
    send('{"type":"ready","protocol":"maumau/1"}', end="")
    os._exit(0)


@greets
def flood_before_ready(hello):
    """Blank lines mean nothing, but are counted."""
    for _ in range(1_000):
        send("\n" * 4_096, end="")


@greets
def flood_after_ready(hello):
    send(ready())
    while True:
        send("\n" * 4_096, end="")


@greets
def long_line_before_ready(hello):
    send("x" * 200_000)


@greets
def fork_before_ready(hello):
    """The parent goes, the child plays: the process that was started has ended."""
    if os.fork():
        os._exit(0)
    send(ready())


bot.run()
