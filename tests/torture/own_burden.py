#!/usr/bin/env python3
"""Whether an agent can have its deadlines made void by work of its own (SPEC 5.9).

    tests/torture/own_burden.py [MAUMAU] [--sandbox LEVEL] [--sandbox-user NAME] [--only KIND...] [--at-most N]

Each kind of bots/burden.py plays an honest bot on one processor: it answers at three and a half times its limit, and its main
thread waits for workers of its own. Prints the deadlines that each of them missed and how many of those were void. With --at-most
the exit code is 1 where more than N percent of a kind's were. The load of other programs makes deadlines void with good reason:
started by root at the level none, which is the default here, the agents go before them; at others the machine must be idle.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from plays import HERE, HONEST

KINDS = ["late-beside-threads", "late-beside-long-threads", "late-beside-children", "late-beside-strangers",
         "late-beside-orphans", "late-in-spurts"]
MOVE_MS = 300


def misses(options, kind):
    """The deadlines that it missed: the `meta` of each, with `void`."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        record = pathlib.Path(folder) / "game.jsonl"
        bot = f"{sys.executable} {HERE / 'bots' / 'burden.py'} {kind}"
        command = [options.maumau, "play", "--rules", "basic", "--rounds", "1", "--seed", "3", "--quiet", "--record", record,
                   "--move-ms", str(MOVE_MS), "--start-ms", "60000", "--set", "turn_cap=16", "--seat", bot, "--seat", HONEST]
        command += ["--sandbox", options.sandbox] if options.sandbox else []
        command += ["--sandbox-user", options.sandbox_user] if options.sandbox_user else []
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for entry in map(json.loads, record.read_text(encoding="utf-8").splitlines()):
            meta = entry.get("meta", {})
            yield from (missed for missed in meta.get("missed", []) if missed["seat"] == 0)
            if entry["entry"] == "stand" and entry["why"] == "slow":
                yield {**meta, "void": False}


def go_first():
    """This session, in which agents stay at the level none, goes before everything else."""
    if not os.fork():
        os.setsid()
        pathlib.Path("/proc/self/autogroup").write_text("-19", encoding="ascii")
        os.setpriority(os.PRIO_PROCESS, 0, -19)
        return
    sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("maumau", nargs="?", default=HERE.parent.parent / "target/release/maumau", type=pathlib.Path)
    parser.add_argument("--sandbox", default="none")
    parser.add_argument("--sandbox-user")
    parser.add_argument("--only", nargs="+", default=KINDS)
    parser.add_argument("--at-most", type=float)
    options = parser.parse_args()
    options.maumau = str(options.maumau.resolve())
    if os.geteuid() == 0:
        go_first()
    print("| kind | deadlines missed | void | processor ms of one | waited ms of one |\n|---|---|---|---|---|")
    good = True
    for kind in options.only:
        all_of_it = list(misses(options, kind))
        void = sum(miss["void"] for miss in all_of_it)
        mean = lambda name: sum(miss.get(name, 0) for miss in all_of_it) / max(1, len(all_of_it)) / 1e3
        print(f"| {kind} | {len(all_of_it)} | {void} | {mean('cpu_us'):.0f} | {mean('waited_us'):.0f} |", flush=True)
        good = good and all_of_it and (options.at_most is None or 100 * void <= options.at_most * len(all_of_it))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
