"""Kinds that take too long, or seem to. What the arena must make of each is in kinds.toml."""

import json
import os
import signal
import sys
import threading
import time

import bot
from bot import act, answers, first_ask, forever, put, send


@answers
def sleep_forever(ask):
    """It reads and says nothing."""


@first_ask
def sleep_once(ask):
    time.sleep(1.5)


@answers
def late(ask):
    """120 % of the time, each time."""
    time.sleep(ask["time_ms"] * 1.2 / 1000)
    send(act(ask))


@answers
def just_in_time(ask):
    """Half of the time, each time."""
    time.sleep(ask["time_ms"] * 0.5 / 1000)
    send(act(ask))


@answers
def late_in_reaction(ask):
    """Only where it need not act: no answer is one."""
    if ask["what"] == "react":
        time.sleep(ask["time_ms"] * 1.2 / 1000)
    send(act(ask))


@answers
def sleep_in_reaction(ask):
    if ask["what"] != "react":
        send(act(ask))


@answers
def busy_loop(ask):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        pass


@first_ask
def busy_in_background(ask):
    """Children go on burning while it answers."""
    for _ in range(4):
        if not os.fork():
            busy_loop(ask)
            os._exit(0)


@answers
def no_flush(ask):
    """The answer stays in a buffer."""
    sys.stdout.write(json.dumps(act(ask)) + "\n")


@answers
def no_newline(ask):
    put(json.dumps(act(ask)).encode())


@answers
def half_a_line(ask):
    put(b'{"type":"act","game":')
    forever()


@answers
def drip(ask):
    """A byte every 50 ms, for ever: no byte moves the deadline."""
    while True:
        put(b" ")
        time.sleep(0.05)


@answers
def drip_an_answer(ask):
    """A whole answer, a byte every 20 ms."""
    for byte in json.dumps(act(ask)).encode() + b"\n":
        put(bytes([byte]))
        time.sleep(0.02)


@answers
def drip_lines(ask):
    """A note every 50 ms: no line moves the deadline either."""
    while True:
        send({"type": "note", "game": ask["game"], "note": 1})
        time.sleep(0.05)


@answers
def drip_blank_lines(ask):
    while True:
        send("")
        time.sleep(0.05)


@answers
def stops_itself(ask):
    os.kill(os.getpid(), signal.SIGSTOP)


@answers
def stops_and_goes_on(ask):
    """A child wakes it up again and again."""
    if not os.fork():
        for _ in range(20):
            time.sleep(0.02)
            os.kill(os.getppid(), signal.SIGCONT)
        os._exit(0)
    os.kill(os.getpid(), signal.SIGSTOP)
    send(act(ask))


@answers
def answers_from_a_thread(ask):
    """Out of order and a little late, but in time."""
    threading.Timer(0.01, lambda: send(act(ask))).start()


bot.run()
