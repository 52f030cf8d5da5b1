"""Kinds that go wrong before the first game."""

import os
import sys
import time

import bot
from bot import answers, forever, greets, ready, send, starts


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
def wrong_version(hello):
    send(ready(protocol="maumau/9"))


@greets
def newer_version(hello):
    """A minor version is none of the arena's business."""
    send(ready(protocol="maumau/1.7"))


@greets
def version_no_text(hello):
    send(ready(protocol=1))


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
def name_empty(hello):
    send(ready(name=""))


@greets
def name_64k(hello):
    send(ready(name="n" * 60_000))


@greets
def name_longest(hello):
    send(ready(name="\U0001f0a1" * 64))


@greets
def name_taken(hello):
    send(ready(name="greedy"))


@greets
def name_escapes(hello):
    send(ready(name="\x1b[2J\x1b]0;owned\x07\u202egreedy\u2066\x9b31m", version="\x1b[31m"))


@greets
def name_zero_width(hello):
    send(ready(name="gr\u200bee\u200d\ufeffdy\u2060"))


@greets
def name_path(hello):
    send(ready(name="../../../../tmp/x'; DROP TABLE games; --<script>"))


@greets
def name_a_list(hello):
    send(ready(name=["a"]))


@greets
def games_none(hello):
    send(ready(games=0))


@greets
def games_negative(hello):
    send(ready(games=-1))


@greets
def games_too_many(hello):
    """Counts as the most that there may be."""
    send(ready(games=2**32 - 1))


@greets
def games_beyond_a_number(hello):
    send(ready(games=2**32))


@greets
def games_a_fraction(hello):
    send('{"type":"ready","protocol":"maumau/1","games":1.0}')


@greets
def wants_unknown(hello):
    send(ready(wants=["view", "everything"]))


@greets
def wants_all_doubled(hello):
    send(ready(wants=["view", "legal", "events", "rules"] * 1000))


@greets
def wants_nothing(hello):
    """Then it has no legal actions to choose from, and plays by ear."""
    send(ready(wants=[]))


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
    """The parent goes, the child plays: whoever was started has ended."""
    if os.fork():
        os._exit(0)
    send(ready())


bot.run()
