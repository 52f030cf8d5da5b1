"""What `--serve` costs the arena: the same match without pages, with pages and nobody there, and with viewers of its game.

    python3 tests/browser/cost.py [MAUMAU] [PAIRS]

Matches are played in turns, each with its neighbour as a pair, so that what else the machine does meets both alike. Told are the
median of moves a second in proportion to the match without pages, and of the processor time of the arena itself, all its threads.
"""

import os
import re
import socket
import statistics
import subprocess
import sys
import threading
import time

MAUMAU = sys.argv[1] if len(sys.argv) > 1 else "target/release/maumau"
PAIRS = int(sys.argv[2]) if len(sys.argv) > 2 else 10
ROUNDS = 400
SEATS = ["--seat", "maumau agent first"] * 2


def view(port, stop):
    """Reads the news of the game until they end."""
    while not stop.is_set():
        with socket.create_connection(("127.0.0.1", port)) as arena:
            arena.sendall(f"GET /live/match/news HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            begun = arena.recv(65536)
            if b" 200 " not in begun[:20]:
                continue
            while not stop.is_set() and arena.recv(1 << 20):
                pass
            return


def play(viewers):
    """Seconds and processor seconds of a match; `viewers` is None for one without pages."""
    pages = [] if viewers is None else ["--serve=127.0.0.1:0"]
    command = [MAUMAU, "play", "--quiet", "--rounds", str(ROUNDS), "--seed", "7", "--sandbox", "none", *pages, *SEATS]
    began = time.monotonic()
    game = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    stop = threading.Event()
    if viewers is not None:
        port = int(re.search(r"http://127.0.0.1:(\d+)", game.stderr.readline())[1])
        for _ in range(viewers):
            threading.Thread(target=lambda: ignoring(view, port, stop), daemon=True).start()
    _, _, used = os.wait4(game.pid, 0)
    took = time.monotonic() - began
    stop.set()
    game.stderr.close()
    return took, used.ru_utime + used.ru_stime


def ignoring(work, *arguments):
    """A viewer whose arena is gone has nothing more to see."""
    try:
        work(*arguments)
    except OSError:
        pass


print(f"{ROUNDS} rounds a match, {PAIRS} pairs each, load {os.getloadavg()[0]:.1f}")
for viewers in (0, 1, 100):
    speeds, costs = [], []
    for turn in range(PAIRS):
        pair = {}
        for which in ((None, viewers), (viewers, None))[turn % 2]:
            pair[which] = play(which)
        speeds.append(pair[None][0] / pair[viewers][0])
        costs.append(pair[viewers][1] / pair[None][1])
    print(f"{viewers:4} viewers: {statistics.median(speeds):.3f} of the speed, {statistics.median(costs):.3f} of the processor time")
