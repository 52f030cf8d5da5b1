"""Kinds that make their own main thread wait for a processor: what it waits for are their own workers, many of which live for
moments. They answer at three and a half times their limit; no host is to blame for that."""

import hashlib
import os
import signal
import threading
import time

import bot
from bot import act, answers, send

WORKERS = 3
LATE = 3.5
BLOCK = bytes(1 << 20)


def burn(seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        hashlib.sha256(BLOCK).digest()


def late_beside(ask, work, done=lambda worker: None):
    """Computes far beyond the limit while `WORKERS` of `work` are alive; `work` starts one and gives it, with its end."""
    end = time.monotonic() + LATE * ask["time_ms"] / 1000
    workers = []
    while time.monotonic() < end:
        for over in [(worker, until) for worker, until in workers if until <= time.monotonic()]:
            workers.remove(over)
            done(over[0])
        while len(workers) < WORKERS:
            workers.append(work())
        hashlib.sha256(BLOCK).digest()
    send(act(ask))


def forked(seconds):
    if not (child := os.fork()):
        burn(seconds)
        os._exit(0)
    return child, time.monotonic() + seconds


def thread(seconds):
    worker = threading.Thread(target=burn, args=(seconds,))
    worker.start()
    return worker, time.monotonic() + seconds


@answers
def late_beside_threads(ask):
    late_beside(ask, lambda: thread(0.01), lambda worker: worker.join())


@answers
def late_beside_long_threads(ask):
    late_beside(ask, lambda: thread(5), lambda worker: worker.join())


@answers
def late_beside_children(ask):
    late_beside(ask, lambda: forked(0.01), lambda child: os.waitpid(child, 0))


@answers
def late_beside_strangers(ask):
    """Children that nobody waits for, so that nobody learns what they used."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    late_beside(ask, lambda: forked(0.01))


@answers
def late_beside_orphans(ask):
    """Children of children that have ended."""
    def orphan():
        if not (child := os.fork()):
            forked(0.01)
            os._exit(0)
        os.waitpid(child, 0)
        return None, time.monotonic() + 0.01

    late_beside(ask, orphan)


@answers
def late_in_spurts(ask):
    """Two that compute at the same time and sleep at the same time: each waits for the other half of the time."""
    end = time.monotonic() + LATE * ask["time_ms"] / 1000
    while time.monotonic() < end:
        workers = [thread(0.02)[0] for _ in range(WORKERS)]
        burn(0.02)
        [worker.join() for worker in workers]
        time.sleep(0.02)
    send(act(ask))


bot.run()
