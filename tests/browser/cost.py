"""What `--serve` costs the arena: the same match without pages, with pages and nobody there, and with viewers of its game.

    python3 tests/browser/cost.py [MAUMAU] [PAIRS] [ROUNDS] [BOT]

Matches are played in turns, each with its neighbour as a pair, so that what else the machine does meets both alike. Printed are
medians in proportion to the match without pages, with their quartiles: moves a second; and processor time, of the arena without the
server of the pages, and of that server; the milliseconds that it took until each viewer had its first news stand apart, since they
are the same however long the match. The processor times hold on a busy machine too, the speed does not. Memory is the most that
the arena held beyond the match without pages, shared out among the viewers.
"""

import functools
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
ROUNDS = int(sys.argv[3]) if len(sys.argv) > 3 else 8000
BOT = sys.argv[4] if len(sys.argv) > 4 else "first"
SEATS = ["--seat", f"maumau agent {BOT}"] * 2


def view(port, stop, come):
    """Reads the news of the game until they end; `come` once the first are there."""
    while not stop.is_set():
        with socket.create_connection(("127.0.0.1", port)) as arena:
            arena.sendall(f"GET /live/match/news HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
            begun = arena.recv(65536)
            if b" 200 " not in begun[:20]:
                continue
            while not stop.is_set() and arena.recv(1 << 20):
                come()
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
            with open(f"/proc/{process}/task/{thread}/comm") as comm, open(f"/proc/{process}/task/{thread}/schedstat") as times:
                used[thread] = (comm.read().strip() == "pages", int(times.read().split()[0]) / 1e9)
        except OSError:
            continue
    return used


def most_memory(process):
    """The most kilobytes that a process has held so far; 0 once it has ended."""
    with open(f"/proc/{process}/status") as status:
        return next((int(line.split()[1]) for line in status if line.startswith("VmHWM")), 0)


def share(used, of_pages):
    return sum(seconds for is_pages, seconds in used.values() if is_pages == of_pages)


def play(viewers):
    """Seconds of a match, processor seconds of the arena, of its pages once all viewers had come and before, and the most kilobytes;
    `viewers` is None for a match without pages."""
    pages = [] if viewers is None else ["--serve", "--addr", "127.0.0.1:0"]
    command = [MAUMAU, "play", "--quiet", "--rounds", str(ROUNDS), "--seed", "7", "--sandbox", "none", *pages, *SEATS]
    began = time.monotonic()
    game = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    stop, there = threading.Event(), set()
    if viewers is not None:
        port = int(re.search(r"http://127.0.0.1:(\d+)", game.stderr.readline())[1])
        for viewer in range(viewers):
            come = functools.partial(there.add, viewer)
            threading.Thread(target=ignoring, args=(view, port, stop, come), daemon=True).start()
    used, memory, until_there = {}, 0, None
    while True:
        # A thread that has ended keeps what was seen of it last.
        try:
            used.update(used_by_threads(game.pid))
            memory = max(memory, most_memory(game.pid))
            if until_there is None and len(there) == (viewers or 0):
                until_there = share(used, True)
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
    if until_there is None:
        sys.exit(f"the match was over before all {viewers} viewers had come: play more rounds")
    return took, share(used, False), share(used, True) - until_there, until_there, memory


print(f"{ROUNDS} rounds of {BOT} a match, {PAIRS} pairs each, load {os.getloadavg()[0]:.1f}")
for viewers in (0, 1, 100):
    speeds, costs, served, coming, memories = [], [], [], [], []
    for turn in range(PAIRS):
        pair = {}
        for which in ((None, viewers), (viewers, None))[turn % 2]:
            pair[which] = play(which)
        speeds.append(pair[None][0] / pair[viewers][0])
        costs.append(pair[viewers][1] / pair[None][1])
        served.append(pair[viewers][2] / pair[None][1])
        coming.append(1000 * pair[viewers][3])
        memories.append((pair[viewers][4] - pair[None][4]) / max(viewers, 1))
    figures = []
    for values in (speeds, costs, served):
        low, middle, high = statistics.quantiles(values, n=4)
        figures.append(f"{middle:.3f} ({low:.3f}-{high:.3f})")
    print(f"{viewers:4} viewers: {figures[0]} of the speed; processor time: the games {figures[1]}, the pages {figures[2]} besides,", end=" ")
    print(f"and {statistics.median(coming):.0f} ms until all had come; {statistics.median(memories):.0f} kB a viewer", flush=True)
