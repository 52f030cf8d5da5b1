#!/usr/bin/env python3
"""Fills a disk under a run, its fault reports, its exported records and the record of a match.

    tests/full-disk/full-disk.py [MAUMAU] [--full]

MAUMAU is the program, target/release/maumau by default. The disk is a file system in memory of 4 MiB, mounted where only
this script sees it; a file that fills it leaves more or less room. The arena must end with exit code 3 and say what to do;
what it has announced must be there, whole; and once there is room, by a larger disk or by removing what fills it, the same
command goes on to the standings of a run that was never interrupted. --full fills the whole disk with games as well. The
last line is `N passed, N failed`.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
sys.path.insert(0, str(TOP / "tests"))
from checks import Checks  # noqa: E402

DISK_KIB = 4_096
# What is left free before the run begins, and games that do not fit into it.
SHORT = ((0, 40, 250), 1_600)  # their run file has about 300 KiB, less where answers take less time
FULL = ((0, 8, 40, 100, 300, 1_000, DISK_KIB), 16_000)
INSIDE = "MAUMAU_OWN_MOUNTS"
LEAGUE = """
rules = "skat"
seats = 2
games_per_pairing = {games}
public_seed = true
seed = 7
[options]
turn_cap = 40
[[agent]]
name = "greedy"
command = "maumau agent greedy"
[[agent]]
name = "first"
command = "{first}"
"""


class Disk:
    """A small disk, `free_kib` of it free; it goes when this is left."""

    def __init__(self, place, free_kib):
        self.place, self.free_kib = place, free_kib

    def __enter__(self):
        self.place.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_KIB}k", "tmpfs", self.place], check=True)
        with open(self.place / "filler", "wb") as filler:
            filler.write(bytes((DISK_KIB - self.free_kib) << 10))
        return self

    def __exit__(self, *_):
        subprocess.run(["umount", self.place], check=True)
        self.place.rmdir()

    def grow(self):
        subprocess.run(["mount", "-o", "remount,size=64m", self.place], check=True)

    def empty(self):
        (self.place / "filler").unlink()


class Trial:
    def __init__(self, maumau, folder, checks):
        self.maumau, self.folder, self.checks = maumau, folder, checks

    def arena(self, what, expected, *words):
        """Runs the program, which ends as expected; gives what it said."""
        done = subprocess.run([self.maumau, *map(str, words)], cwd=self.folder, capture_output=True, text=True)
        wrong = f"{what}: {' '.join(map(str, words))}: exit code {done.returncode}: {done.stderr[-400:]}"
        self.checks.check(wrong, done.returncode == expected and "panicked" not in done.stderr)
        return done.stdout, done.stderr

    def says(self, what, text, words):
        self.checks.check(f"{what}: it says {text!r}, not {words!r}", words in text)

    def no_parts(self, what, place):
        parts = [path.name for path in place.rglob("*.part")]
        self.checks.check(f"{what}: half files: {parts}", not parts)

    def run_file(self, free_kib, make_room):
        what = f"a run with {free_kib} KiB, then {make_room.__name__}"
        with Disk(self.folder / "disk", free_kib) as disk:
            words = ("tournament", "run", "league.toml", "--run", "disk/league.maumau", "--quiet", "--announce")
            out, err = self.arena(what, 3, *words)
            self.says(what, err, "full" if free_kib else "cannot be written")
            announced = [line for line in out.splitlines() if line.startswith("g0")]
            if announced:
                names = ",".join(line.split()[0] for line in announced[-200:])
                self.arena(f"{what}: what was announced is there", 0, "tournament", "export", "disk/league.maumau", "--to",
                           "records", "--games", names)
                digests = {path.stem: path.read_text(encoding="utf-8") for path in (self.folder / "records").iterdir()}
                for line in announced[-200:]:
                    name, digest = line.split()
                    self.checks.check(f"{what}: {name} has another digest", f'"digest":"{digest}"' in digests[name])
                shutil.rmtree(self.folder / "records")
            make_room(disk)
            out, _ = self.arena(f"{what}: it goes on", 0, *words)
            again = [line for line in out.splitlines() if line.startswith("g0")]
            self.checks.check(f"{what}: announced twice", not set(announced) & set(again))
            shown, _ = self.arena(what, 0, "tournament", "show", "disk/league.maumau", "--format", "json")
            self.checks.check(f"{what}: other standings", shown == self.expected)
            print(f"{what}: {len(announced)} games were announced before the disk was full, {len(again)} after", flush=True)

    def exports(self, free_kib):
        what = f"an export with {free_kib} KiB"
        with Disk(self.folder / "disk", free_kib) as disk:
            words = ("tournament", "export", "whole.maumau", "--to", "disk/records")
            _, err = self.arena(what, 3, *words)
            self.says(what, err, "No space left on device")
            self.no_parts(what, disk.place)
            there = list((disk.place / "records").glob("*.jsonl"))
            if there:
                self.arena(f"{what}: {len(there)} records are whole", 0, "verify", *there)
            print(f"{what}: {len(there)} whole records", flush=True)

    def match(self):
        what = "the record of a match"
        with Disk(self.folder / "disk", 4) as disk:
            out, err = self.arena(what, 3, "play", "--seed", "3", "--record", "disk/game.jsonl", "--seat", "maumau agent first",
                                  "--seat", "maumau agent greedy")
            self.says(what, err, "disk/game.jsonl cannot be written")
            self.says(what, out, "digest ")
            self.checks.check(f"{what}: files are left", [path.name for path in disk.place.iterdir()] == ["filler"])

    def fault_reports(self):
        what = "fault reports"
        bot = f"{sys.executable} {TOP}/tests/torture/bots/form.py not-json"
        (self.folder / "faulty.toml").write_text(LEAGUE.format(games=40, first=bot), encoding="utf-8")
        with Disk(self.folder / "disk", 24) as disk:
            out, err = self.arena(what, 0, "tournament", "run", "faulty.toml", "--fault-reports", "disk/fault-reports", "--quiet", "--announce")
            self.says(what, err, "no more fault reports: ")
            self.checks.check(f"{what}: not every game was played", out.count("\ng0") + out.startswith("g0") == 40)
            self.no_parts(what, disk.place)

    def all(self, rooms_kib, games):
        (self.folder / "league.toml").write_text(LEAGUE.format(games=games, first="maumau agent first"), encoding="utf-8")
        self.arena("a whole run", 0, "tournament", "run", "league.toml", "--run", "whole.maumau", "--quiet")
        self.expected, _ = self.arena("a whole run", 0, "tournament", "show", "whole.maumau", "--format", "json")
        size = (self.folder / "whole.maumau").stat().st_size >> 10
        self.checks.check(f"the run file of {size} KiB has room on the disk", size > max(rooms_kib))
        for number, free_kib in enumerate(rooms_kib):
            self.run_file(free_kib, Disk.empty if number % 2 and size < DISK_KIB else Disk.grow)
        for free_kib in (0, 100):
            self.exports(free_kib)
        self.match()
        self.fault_reports()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("maumau", nargs="?", default=TOP / "target/release/maumau", type=pathlib.Path)
    parser.add_argument("--full", action="store_true", help="take minutes")
    arguments = parser.parse_args()
    if INSIDE not in os.environ:
        for unshare in (["unshare", "--mount"], ["unshare", "--user", "--map-root-user", "--mount"]):
            trial = [*unshare, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
            if shutil.which("unshare") and subprocess.run(trial, stderr=subprocess.DEVNULL).returncode == 0:
                os.execvpe("unshare", [*unshare, sys.executable, *sys.argv], {**os.environ, INSIDE: "1"})
        print("left out: nothing may be mounted here, neither by this user nor in a user namespace")
        return 0
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="maumau-full-disk-") as folder:
        Trial(str(arguments.maumau.resolve()), pathlib.Path(os.path.realpath(folder)), checks).all(*(FULL if arguments.full else SHORT))
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
