#!/usr/bin/env python3
"""Kills a run of built-in bots again and again at random moments and lets it go on each time.

    tests/kill-resume/kill-resume.py [MAUMAU] [--kills N] [--seed N] [--sandbox LEVEL]

MAUMAU is the program, target/release/maumau by default. Every other kill comes with the announcement of a game, the rest at
random moments from the start of the process on. After each kill: what was announced on stdout is in the file, nothing was
announced twice, no game that was in the file was lost or changed, the file is sound, and within two seconds no agent is
left. At the end the standings are those of a run that was never interrupted, byte for byte; so are the exported records of
up to 500 games, those that were played round a kill among them, but for the times in them, and `verify` finds them sound.
The last line is `N passed, N failed`.
"""

import argparse
import json
import os
import pathlib
import random
import select
import sqlite3
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests"))
from checks import Checks  # noqa: E402
from processes import left_after  # noqa: E402

LEAGUE = """
rules = "skat"
seats = 4
games_per_pairing = {games}
public_seed = true
seed = 7
"""
AGENT = """
[[agent]]
name = "{name}"
command = "maumau agent {bot}"
"""
NAMES = ("greedy", "first", "random", "greedy again")
GAMES_PER_KILL = 60
LEAST_GAMES = 1_000
RECORDS = 500
GONE_WITHIN_S = 2.0


class Run:
    """A process that plays, and the lines in which it announces games."""

    def __init__(self, maumau, folder, words):
        self.process = subprocess.Popen([maumau, "tournament", "run", *words, "--announce"], cwd=folder,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.out = b""

    def announced(self):
        """Whole lines about games; a last one without its newline was not announced."""
        return [line.decode() for line in self.out.split(b"\n")[:-1] if line.startswith(b"g")]

    def read(self, until=None, lines=None):
        """Reads up to the end, the moment `until`, or so many announcements; whether it was the end."""
        stdout = self.process.stdout
        while lines is None or self.out.count(b"\n") < lines:
            left = None if until is None else until - time.monotonic()
            if left is not None and left <= 0 or not select.select([stdout], [], [], left)[0]:
                return False
            came = os.read(stdout.fileno(), 1 << 16)
            if not came:
                return True
            self.out += came
        return False

    def kill(self):
        """Gives whether it was running."""
        self.process.kill()
        self.read()
        error = self.process.stderr.read().decode(errors="replace")
        self.process.stdout.close()
        self.process.stderr.close()
        return self.process.wait() == -9, error


def games_in(run):
    """The finished games, by number; none while there is no run file to speak of."""
    if not os.path.exists(run):
        return {}
    with sqlite3.connect(run, timeout=60) as database:
        if not database.execute("SELECT 1 FROM sqlite_schema WHERE name = 'games'").fetchone():
            return {}
        sound = database.execute("PRAGMA integrity_check").fetchone()
        assert sound == ("ok",), sound
        rows = database.execute("SELECT number, digest, faults, outcome, log FROM games")
        return {row[0]: (name_of(row[0]), *row[1:]) for row in rows}


def name_of(number):
    """The name of a game, where all agents sit at one table of four."""
    return f"g000-d{number // 4:04}-r{number % 4}"


def without_times(record):
    """A record without what no two runs have in common: times, and the sums that guard lines with times in them."""
    lines = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    return [json.dumps({key: value for key, value in line.items() if key not in ("meta", "check")}) for line in lines]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("maumau", nargs="?", default=TOP / "target/release/maumau", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=None, help="of the moments of the kills")
    parser.add_argument("--sandbox", help="a level of maumau's sandbox")
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="maumau-kill-resume-") as folder:
        level = ["--sandbox", arguments.sandbox] if arguments.sandbox else []
        # Agents have the path of the arena, by which they are found.
        os.environ["PATH"] += f":{os.path.realpath(folder)}"
        run_all(str(arguments.maumau.resolve()), pathlib.Path(os.path.realpath(folder)), arguments.kills, level, chance, checks)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


def run_all(maumau, folder, kills, level, chance, checks):
    def arena(*words):
        done = subprocess.run([maumau, *words], cwd=folder, capture_output=True, text=True)
        checks.check(f"{' '.join(words)[:200]}: {done.stderr}", done.returncode == 0)
        return done.stdout

    games = max(LEAST_GAMES, GAMES_PER_KILL * kills) // 4 * 4
    agents = "".join(AGENT.format(name=name, bot=name.split()[0]) for name in NAMES)
    (folder / "league.toml").write_text(LEAGUE.format(games=games) + agents, encoding="utf-8")
    whole = Run(maumau, folder, ["league.toml", "--quiet", "--run", "whole.maumau", *level])
    began = time.monotonic()
    whole.read(lines=1)
    starts_in = time.monotonic() - began
    whole.read()
    checks.check("the uninterrupted run", whole.process.wait() == 0 and len(whole.announced()) == games)
    plays_for = time.monotonic() - began - starts_in
    expected = arena("tournament", "show", "whole.maumau", "--format", "json")

    words = ["league.toml", "--quiet", *level]
    known, killed, counts, around = {}, 0, {}, []
    for kill in range(kills):
        run, began = Run(maumau, folder, words), time.monotonic()
        if kill % 2:
            ended = run.read(lines=chance.randint(1, 20))
        else:
            ended = run.read(until=began + chance.uniform(0, starts_in + plays_for / kills))
        was_running, error = run.kill()
        killed += was_running
        checks.check(f"kill {kill}: the run ended before: {error}", was_running or ended and run.process.returncode == 0)
        checks.check(f"kill {kill}: it said {error}", not error)
        left = left_after(str(folder), GONE_WITHIN_S)
        checks.check(f"kill {kill}: agents are left: {left}", not left)
        now = games_in(folder / "league.maumau")
        kept = all(now.get(number) == game for number, game in known.items())
        checks.check(f"kill {kill}: a game was lost or changed", kept)
        announced, there = run.announced(), {f"{game[0]} {game[1].hex()}" for game in now.values()}
        for line in announced:
            counts[line] = counts.get(line, 0) + 1
        checks.check(f"kill {kill}: a game was announced and is gone, or another", counts.keys() <= there)
        checks.check(f"kill {kill}: a game was announced twice", all(count == 1 for count in counts.values()))
        print(f"kill {kill + 1}: {len(now)} of {games} games are in the file, {len(counts)} were announced", flush=True)
        around += [now[number][0] for number in sorted(now.keys() - known.keys())[-1:]]
        known = now
    checks.check(f"only {killed} of {kills} kills met a running process", killed >= kills - 2)
    arena("tournament", "run", *words)
    checks.check("agents are left at the end", not left_after(str(folder), GONE_WITHIN_S))
    standings = arena("tournament", "show", "league.maumau", "--format", "json")
    checks.check("the standings differ from those of an uninterrupted run", standings == expected)
    found = [games_in(folder / name) for name in ("whole.maumau", "league.maumau")]
    alike = [{number: game[:3] for number, game in games.items()} for games in found]
    checks.check("a game differs from that of an uninterrupted run", alike[0] == alike[1] and len(found[0]) == games)
    names = [game[0] for game in found[0].values()]
    some = sorted({*around, *chance.sample(names, max(0, RECORDS - len(set(around))))})
    for name in ("whole", "league"):
        arena("tournament", "export", f"{name}.maumau", "--to", name, "--games", ",".join(some))
    records = ((folder / run / f"{name}.jsonl" for run in ("whole", "league")) for name in some)
    others = [first.name for first, second in records if without_times(first) != without_times(second)]
    checks.check(f"{len(others)} records differ: {others[:3]}", not others)
    arena("verify", *(f"league/{name}.jsonl" for name in some))
    print(f"{killed} kills over {games} games: {len(counts)} were announced, {len(some)} records compared")


if __name__ == "__main__":
    sys.exit(main())
