#!/usr/bin/env python3
"""Measures what the cluster costs: the same league alone and through a server, with fast and with slow bots.

    tests/cluster/overhead.py [MAUMAU] [--games N] [--repeats N] [--unit-games N] [--slow N] [--submit N]

MAUMAU is an optimised program with the cluster, target/release/maumau by default. Prints what was measured; checks nothing. Beside each
time stands what it took of the processors, which means something on a busy machine too.
"""

import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests"))
sys.path.insert(0, str(TOP / "tests/cluster"))
from checks import Checks  # noqa: E402
from cluster import Place, ends_within, league, wait  # noqa: E402
from server import Server  # noqa: E402


def spent(server):
    """Seconds of processors so far: those of processes that have ended, and the server's."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    fields = pathlib.Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return ended.ru_utime + ended.ru_stime + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def seconds(place, work):
    """What `work` takes: seconds, and seconds of processors."""
    began, before = time.monotonic(), spent(place.server)
    work()
    return time.monotonic() - began, spent(place.server) - before


def must(outcome):
    code, out, error = outcome
    if code != 0:
        raise SystemExit(f"{code} {out} {error}")
    return out


def work(place, checks, name, workers, words=()):
    """Seconds until all units of a run have results, with workers that are started already; seconds of processors; units."""
    before = spent(place.server)
    processes = [place.worker(number, name, "--until-idle", *words) for number in range(workers)]
    began = time.monotonic()
    units = None
    while True:
        [run] = [run for run in json.loads(must(place.run("cluster", "status", "--format", "json")))["runs"] if run["name"] == name]
        units = run["units"]
        if run["results"] == units:
            break
        ends_within(processes[0], 0.1)
    took = time.monotonic() - began
    for process in processes:
        wait(process, checks, "a worker")
    return took, spent(place.server) - before, units


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("maumau", nargs="?", default=TOP / "target/release/maumau", type=pathlib.Path)
    parser.add_argument("--games", type=int, default=60_000)
    parser.add_argument("--slow", type=int, default=240)
    parser.add_argument("--submit", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=3, choices=range(1, 100), metavar="N", help="of the comparison with fast bots")
    parser.add_argument("--unit-games", type=int, default=None, help="of fast bots; by default what `cluster submit` takes")
    options = parser.parse_args()
    checks = Checks()
    cpus = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(prefix="maumau-overhead-") as folder:
        server = Server(folder)
        try:
            place = Place(options.maumau.resolve(), folder, server)
            for name, games in (("fast", options.games), ("large", options.submit)):
                (place.folder / f"{name}.toml").write_text(league(games))
            size = [] if options.unit_games is None else ["--unit-games", options.unit_games]
            for repeat in range(1, options.repeats + 1):
                file, name = f"alone-{repeat}.maumau", f"fast-{repeat}"
                alone, alone_cpu = seconds(place, lambda: must(place.run("tournament", "run", "fast.toml", "--run", file, "--quiet")))
                must(place.run("cluster", "submit", "fast.toml", "--name", name, *size))
                together, together_cpu, units = work(place, checks, name, cpus)
                games = int(re.search(r"(\d+) of", must(place.run("tournament", "status", file)).split(": ", 1)[1])[1])
                print(f"fast bots, {games} games on {cpus} processors: alone {games / alone:.0f} games/s; {cpus} workers and the server "
                      f"{games / together:.0f} games/s, {units / together:.0f} units/s: {100 * alone / together:.0f} %; for a second of "
                      f"processors {games / alone_cpu:.0f} and {games / together_cpu:.0f} games: {100 * alone_cpu / together_cpu:.0f} %",
                      flush=True)
            collect, cpu = seconds(place, lambda: must(place.run("cluster", "collect", name, "--to", "fast.maumau", "--quiet")))
            print(f"collect, with each log played once more: {games / collect:.0f} games/s; {games / cpu:.0f} for a second of processors",
                  flush=True)
            submit, cpu = seconds(place, lambda: must(place.run("cluster", "submit", "large.toml")))
            print(f"submit of {options.submit} games: {submit:.1f} s; {cpu:.1f} s of processors", flush=True)
            kit = place.folder / "slow"
            kit.mkdir()
            for file in ("agents/python/maumau_kit.py", "tests/cluster/slow_bot.py"):
                shutil.copy(TOP / file, kit)
            slow = "".join(f'[[agent]]\nname = "slow{n}"\ncommand = "python3 slow_bot.py"\ndirectory = "{kit}"\n' for n in range(2))
            text = f'rules = "basic"\nseats = 2\npublic_seed = true\nseed = 7\ngames_per_pairing = {options.slow}\n{slow}'
            (place.folder / "slow.toml").write_text(text)
            for workers in (1, 2, 4, 8):
                name = f"slow-{workers}"
                must(place.run("cluster", "submit", "slow.toml", "--name", name, "--unit-games", 4))
                together, *_ = work(place, checks, name, workers, ("--slots", "1"))
                print(f"bots of 5 ms an answer, one game at once in each of {workers} workers: {options.slow / together:.1f} games/s",
                      flush=True)
        finally:
            server.kill()
    return 0


if __name__ == "__main__":
    sys.exit(main())
