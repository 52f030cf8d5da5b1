"""What `--serve` costs the arena: the same match without pages, with pages and nobody there, and with viewers of its game.

    python3 tests/browser/cost.py [MAUMAU] [PAIRS]

Matches are played in turns, each with its neighbour as a pair, so that what else the machine does meets both alike. Told are
medians in proportion to the match without pages: moves a second; and processor time, of the arena without the server of the
pages, and of that server. The processor times hold on a busy machine too.
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
TICKS = os.sysconf("SC_CLK_TCK")


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


def ignoring(work, *arguments):
    """A viewer whose arena is gone has nothing more to see."""
    try:
        work(*arguments)
    except OSError:
        pass


def used_by_threads(process):
    """The processor seconds of a process's threads so far, by thread: those of the server of the pages, and all others."""
    used = {}
    for thread in os.listdir(f"/proc/{process}/task"):
        try:
            with open(f"/proc/{process}/task/{thread}/stat") as stat:
                name, fields = stat.read().split("(", 1)[1].rsplit(")", 1)
        except OSError:
            continue
        user, system = fields.split()[11:13]
        used[thread] = (name == "pages", (int(user) + int(system)) / TICKS)
    return used


def play(viewers):
    """Seconds of a match, processor seconds of the arena, and of its pages; `viewers` is None for a match without pages."""
    pages = [] if viewers is None else ["--serve=127.0.0.1:0"]
    command = [MAUMAU, "play", "--quiet", "--rounds", str(ROUNDS), "--seed", "7", "--sandbox", "none", *pages, *SEATS]
    began = time.monotonic()
    game = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    stop = threading.Event()
    if viewers is not None:
        port = int(re.search(r"http://127.0.0.1:(\d+)", game.stderr.readline())[1])
        for _ in range(viewers):
            threading.Thread(target=ignoring, args=(view, port, stop), daemon=True).start()
    used = {}
    while True:
        # A thread that has ended keeps what was seen of it last.
        try:
            used.update(used_by_threads(game.pid))
            game.wait(0.01)
            break
        except subprocess.TimeoutExpired:
            continue
        except OSError:
            break
    game.wait()
    took = time.monotonic() - began
    stop.set()
    game.stderr.close()
    share = lambda of_pages: sum(seconds for is_pages, seconds in used.values() if is_pages == of_pages)
    return took, share(False), share(True)


print(f"{ROUNDS} rounds a match, {PAIRS} pairs each, load {os.getloadavg()[0]:.1f}")
for viewers in (0, 1, 100):
    speeds, costs, served = [], [], []
    for turn in range(PAIRS):
        pair = {}
        for which in ((None, viewers), (viewers, None))[turn % 2]:
            pair[which] = play(which)
        speeds.append(pair[None][0] / pair[viewers][0])
        costs.append(pair[viewers][1] / pair[None][1])
        served.append(pair[viewers][2] / pair[None][1])
    told = [f"{statistics.median(values):.3f}" for values in (speeds, costs, served)]
    print(f"{viewers:4} viewers: {told[0]} of the speed; processor time: the games {told[1]}, the pages {told[2]} besides")
