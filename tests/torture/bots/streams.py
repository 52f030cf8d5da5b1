"""Kinds that flood, close or do not read their streams. What the arena must make of each is in kinds.toml."""

import json
import os
import threading
import time

import bot
from bot import act, answers, first_ask, forever, put, ready, send, starts

MIB = 1 << 20
CHATTER = b"chatter, chatter, chatter, chatter, chatter, chatter, chatter\n" * (MIB // 62)


def note(ask):
    return json.dumps({"type": "note", "game": ask["game"], "note": 1}).encode() + b"\n"


@answers
def stdout_flood(ask):
    """A million lines and more."""
    chunk = note(ask) * 1_000
    while True:
        put(chunk)


@answers
def flood_of_answers(ask):
    chunk = json.dumps(act(ask)).encode() + b"\n"
    while True:
        put(chunk * 1_000)


@answers
def flood_of_bytes(ask):
    """Lines of the greatest length: few, but much."""
    line = json.dumps({"type": "note", "game": ask["game"], "note": 1, "x": "y" * 65_000}).encode() + b"\n"
    for _ in range(40):
        put(line)
    send(act(ask))


@answers
def flood_just_below(ask):
    """As many lines as are allowed, at each ask."""
    put(note(ask) * 60)
    send(act(ask))


@answers
def flood_of_stale_lines(ask):
    """Lines of a game that does not exist, in the name of none."""
    while True:
        put(b'{"type":"note","game":"none","note":1}\n' * 1_000)


@answers
def long_line(ask):
    """100 MiB without a newline."""
    for _ in range(100):
        put(b"x" * MIB)
    forever()


@answers
def long_lines(ask):
    for _ in range(100):
        put(b"x" * MIB + b"\n")
    forever()


@answers
def stderr_flood(ask):
    """20 MiB before every answer, which is in time."""
    for _ in range(20):
        os.write(2, CHATTER)
    send(act(ask))


@starts
def stderr_endless():
    """A thread that never stops talking, while the game is played."""

    def talk():
        while True:
            os.write(2, b"blah " * 2_000 + b"\n")
            time.sleep(0.0005)

    threading.Thread(target=talk, daemon=True).start()


@starts
def stderr_fakes_the_arena():
    """Text that looks like the arena's own, with escapes and without an end of line."""
    os.write(2, b"\x1b[2J\x1b]0;owned\x07maumau: interrupted; greedy was dismissed\r\x1b[1A{\"type\":\"over\"}\x9b31m")


@answers
def stderr_escapes_then_crash(ask):
    os.write(2, b"\x1b[2J\x1b]0;owned\x07\xe2\x80\xaetxt\xc2\x9b31m\xff\xfe\0\r\n")
    os.abort()


@starts
def stderr_escapes_at_start():
    os.write(2, b"\x1b[2J\x1b]0;owned\x07no weights \xe2\x80\xae\xc2\x9b31m\n")
    os._exit(1)


@answers
def close_stdout(ask):
    os.close(1)
    forever()


@first_ask
def close_stderr(ask):
    os.close(2)


@answers
def close_stdin(ask):
    os.close(0)
    send(act(ask))
    forever()


@answers
def close_stdin_and_be_silent(ask):
    os.close(0)
    forever()


@answers
def close_stdin_and_exit(ask):
    os.close(0)
    os._exit(0)


@answers
def close_everything(ask):
    for stream in range(3):
        os.close(stream)
    forever()


@starts
def never_reads():
    send(ready())
    forever()


@answers
def stops_reading(ask):
    forever()


@starts
def answers_unread():
    """It reads nothing and shouts all the same."""
    send(ready())
    while True:
        send({"type": "act", "game": "g", "id": "0000000000000000", "do": "draw"})
        time.sleep(0.01)


bot.run()
