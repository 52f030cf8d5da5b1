#!/usr/bin/env python3
"""Kills runs of every format at random moments and lets them go on, on one processor and on two in turn.

    tests/kill-resume/formats.py [MAUMAU] [--kills N] [--seed N]

Each format is played with each kind of stop rule but minutes. At the end the tables, the rounds and the games of a run that was
killed N times are those of a run that was never interrupted, byte for byte, and `verify` derives every round again. How single
games survive a kill is tested by kill-resume.py. The last line is `N passed, N failed`.
"""

import argparse
import os
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests"))
from checks import Checks  # noqa: E402

AGENT = '[[agent]]\nname = "{name}"\ncommand = "maumau agent {bot}"\n'
BOTS = ("greedy", "first", "random", "greedy", "first")
FORMATS = {
    "round-robin": "",
    "sample": "",
    "gauntlet": 'challengers = ["greedy 0"]\n',
    "match": "",
    "swiss": "rounds = 6\n",
    "knock-out": "",
    "double": "",
    "ladder": "",
}
# What ends a run. All have a budget, for what is asked of equal bots is never shown.
STOPS = {
    "games": "",
    "width": "width = 0.25\n",
    "top": "top = 1\n",
    "ranking": "ranking = true\n",
    "decision": 'decision = { points = 60 }\n',
}


def leagues():
    for form, keys in FORMATS.items():
        for stop, rule in STOPS.items():
            if stop == "decision" and form != "match":
                continue
            agents = 2 if form == "match" else len(BOTS)
            table = "".join(AGENT.format(name=f"{bot} {at}", bot=bot) for at, bot in enumerate(BOTS[:agents]))
            yield f"{form}-{stop}", (
                f'rules = "basic"\nseats = 3\ngames_per_pairing = 60\npublic_seed = true\nseed = 11\n[schedule]\nformat = "{form}"\n{keys}'
                f"[stop]\ngames = 600\n{rule}{table}")


def contents(run):
    """Rounds and games of a run file, without the times in them."""
    with sqlite3.connect(run, timeout=60) as database:
        rounds = database.execute("SELECT number, round FROM rounds ORDER BY number").fetchall()
        return rounds, database.execute("SELECT number, digest FROM games ORDER BY number").fetchall()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("maumau", nargs="?", default=TOP / "target/release/maumau", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=None, help="of the moments of the kills")
    arguments = parser.parse_args()
    maumau, chance, checks = str(arguments.maumau.resolve()), random.Random(arguments.seed), Checks()
    processors = [str(count) for count in (1, 2) if count <= (os.cpu_count() or 1)]
    with tempfile.TemporaryDirectory(prefix="maumau-formats-") as folder:
        for name, league in leagues():
            folder_of = pathlib.Path(folder)
            (folder_of / f"{name}.toml").write_text(league, encoding="utf-8")
            words = [maumau, "tournament", "run", f"{name}.toml", "--quiet", "--format", "json", "--sandbox", "none"]

            def finish(run, cpus):
                done = subprocess.run([*words, "--run", run, "--cpus", cpus], cwd=folder, capture_output=True, text=True)
                checks.check(f"{name}: {done.stderr}", done.returncode == 0)
                return done.stdout

            began = time.monotonic()
            whole = finish("whole.maumau", processors[-1])
            plays_for, killed = time.monotonic() - began, 0
            for kill in range(arguments.kills):
                process = subprocess.Popen([*words, "--run", "killed.maumau", "--cpus", chance.choice(processors)],
                                           cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                try:
                    process.wait(chance.uniform(0, max(0.1, 2 * plays_for / arguments.kills)))
                except subprocess.TimeoutExpired:
                    process.kill()
                    killed += process.wait() == -9
            again = finish("killed.maumau", processors[0])
            checks.check(f"{name}: the tables differ", again == whole)
            same = contents(folder_of / "killed.maumau") == contents(folder_of / "whole.maumau")
            checks.check(f"{name}: a round or a game differs", same)
            verify = subprocess.run([maumau, "verify", "--quiet", "killed.maumau"], cwd=folder, capture_output=True, text=True)
            checks.check(f"{name}: {verify.stdout}{verify.stderr}", verify.returncode == 0)
            rounds, games = contents(folder_of / "whole.maumau")
            print(f"{name}: {killed} kills, {len(rounds)} rounds, {len(games)} games", flush=True)
            for left in folder_of.glob("*.maumau*"):
                if left.is_file():
                    left.unlink()
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
