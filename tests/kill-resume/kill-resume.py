#!/usr/bin/env python3
"""Kills a run of built-in bots again and again at random moments and lets it go on each time.

    tests/kill-resume/kill-resume.py [MAUMAU] [--kills N] [--seed N]

MAUMAU is the program, target/release/maumau by default. At the end the standings must be those of a run that was never
interrupted, byte for byte; no game may have been lost, played twice or changed that was in the file before; what was
announced on stdout must be in the file after each kill; and no agent may be left. The last line is `N passed, N failed`.
"""

import argparse
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

LEAGUE = """
rules = "skat"
seats = 4
games_per_pairing = {games}
seed = 7
"""
AGENT = """
[[agent]]
name = "{name}"
command = "maumau agent {bot}"
"""
NAMES = ("greedy", "first", "random", "greedy again")
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, what, good):
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED: {what}", flush=True)


def agents_of(folder):
    """Processes that were started in `folder`, which only this script uses."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{pid}/cwd") == folder and int(pid) != os.getpid():
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    found.append(file.read().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:
            pass  # it has ended meanwhile
    return found


def games_in(run):
    """The finished games, by number; none while there is no run file to speak of."""
    if not os.path.exists(run):
        return {}
    with sqlite3.connect(run, timeout=60) as database:
        if not database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'games'").fetchone():
            return {}
        sound = database.execute("PRAGMA integrity_check").fetchone()
        assert sound == ("ok",), sound
        return {row[0]: row[1:] for row in database.execute("SELECT number, id, result, digest, log FROM games")}


def announced_in(path):
    """The games that were announced, and how often each; a last line without its newline was not."""
    counts = {}
    with open(path) as file:
        for line in file:
            if line.endswith("\n") and line.startswith("g"):
                counts[line.rstrip("\n")] = counts.get(line.rstrip("\n"), 0) + 1
    return counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("maumau", nargs="?", default=os.path.join(TOP, "target", "release", "maumau"))
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=None, help="of the moments of the kills")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    maumau = os.path.abspath(arguments.maumau)
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="maumau-kill-resume-") as folder:
        folder = os.path.realpath(folder)
        run_all(maumau, folder, arguments.kills, chance, checks)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


def run_all(maumau, folder, kills, chance, checks):
    def tournament(*words):
        done = subprocess.run([maumau, "tournament", *words], cwd=folder, capture_output=True, text=True)
        checks.check(f"{' '.join(words)}: {done.stderr}", done.returncode == 0)
        return done.stdout

    def write_league(games):
        agents = "".join(AGENT.format(name=name, bot=name.split()[0]) for name in NAMES)
        with open(os.path.join(folder, "league.toml"), "w") as file:
            file.write(LEAGUE.format(games=games) + agents)

    # A run that takes some tenths of a second for each kill, on this machine.
    write_league(400)
    started = time.monotonic()
    tournament("run", "league.toml", "--run", "trial.maumau", "--quiet")
    games = 4 * max(250, int(48 * kills / (time.monotonic() - started)))
    write_league(games)
    started = time.monotonic()
    tournament("run", "league.toml", "--run", "whole.maumau", "--quiet")
    lasts = time.monotonic() - started
    expected = tournament("show", "whole.maumau", "--format", "json")

    run = os.path.join(folder, "league.maumau")
    known, killed = {}, 0
    said = os.path.join(folder, "announced")
    for kill in range(kills):
        with open(said, "a") as stdout:
            process = subprocess.Popen(
                [maumau, "tournament", "run", "league.toml", "--quiet", "--announce"],
                cwd=folder, stdout=stdout, stderr=subprocess.PIPE, text=True)
        try:
            process.wait(chance.uniform(0, 1.6 * lasts / kills))
            checks.check(f"kill {kill}: the run ended before: {process.stderr.read()}", process.returncode == 0)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            killed += 1
        process.stderr.close()
        time.sleep(0.1)
        left = agents_of(folder)
        checks.check(f"kill {kill}: agents are left: {left}", not left)
        now = games_in(run)
        kept = all(now.get(number) == game for number, game in known.items())
        checks.check(f"kill {kill}: a game was lost or changed", kept)
        announced, there = announced_in(said), {f"{game[0]} {game[2].hex()}" for game in now.values()}
        checks.check(f"kill {kill}: a game was announced and is gone, or another", announced.keys() <= there)
        checks.check(f"kill {kill}: a game was announced twice", all(count == 1 for count in announced.values()))
        print(f"kill {kill + 1}: {len(now)} of {games} games are in the file, {len(announced)} were announced", flush=True)
        known = now
    checks.check(f"only {killed} of {kills} kills met a running process", killed >= kills - 2)
    tournament("run", "league.toml", "--quiet")
    standings = tournament("show", "league.maumau", "--format", "json")
    checks.check("the standings differ from those of an uninterrupted run", standings == expected)
    whole, resumed = (games_in(os.path.join(folder, name)) for name in ("whole.maumau", "league.maumau"))
    digests = [{number: game[:3] for number, game in games.items()} for games in (whole, resumed)]
    checks.check("a game differs from that of an uninterrupted run", digests[0] == digests[1] and len(whole) == games)
    checks.check("agents are left at the end", not agents_of(folder))


if __name__ == "__main__":
    sys.exit(main())
