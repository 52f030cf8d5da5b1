#!/usr/bin/env python3
"""Plays every kind of bad bot against an honest one, and checks what the arena makes of it.

    tests/torture/torture.py [MAUMAU] [--once | --short | --full] [--only KIND...] [--games N] [--jobs N]
                             [--sandbox LEVEL] [--sandbox-user NAME] [--as-user]

MAUMAU is the program, target/release/maumau by default. kinds.toml is the table of kinds and verdicts. A play is a kind
at a place: a rule set, one game (`play`) or N at once (`tournament`, 4 by default), two seats or four, and where in the
game it begins. Of each play is checked that the arena ends, and ends well; that the faults are those of the table and the
honest seats have none; that the result stands and the record is sound; that the arena's memory grows by at most 16 MiB over
what honest bots take; that no control character of a bot reaches the terminal; and that two seconds later no process and no
file is left. Then the arena itself is stopped, held, and made to play with bad bots for very long (upheavals.py), is
watched by bad spectators (spectators.py), and is given secrets (talk_back.py).

--once plays every kind once, in turn under each rule set; --short, the default, plays it once more in a further game of the
family; --full plays everything. The last line is `N passed, N failed`.
"""

import argparse
import collections
import ctypes
import json
import os
import pathlib
import queue
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

from plays import HERE, HONEST, Kind, Place, Play
from spectators import spectators
from talk_back import talk_back
from upheavals import children, upheavals

TOP = HERE.parent.parent
# The further games of the family.
FURTHER = sorted(path.stem for path in (TOP / "arena/engine/rules/family").glob("*.toml"))
GROWTHS_PRINTED = 5
# A user that no account has.
USER = 1_234_567
PRINTED_EVERY = 100


def read_table():
    with open(HERE / "kinds.toml", "rb") as file:
        table = tomllib.load(file)
    return [Kind(family, name, row) for family, kinds in table.items() for name, row in kinds.items()]


def count_asks(options, rule_set, seats, seat):
    """How many asks the honest bot of the suite gets at this place."""
    kind = Kind("form", "honest", {})
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        record = pathlib.Path(folder) / "game.jsonl"
        commands = [HONEST] * seats
        commands[seat] = f"{sys.executable} {HERE / 'bots' / 'form.py'} {kind.name} --count"
        subprocess.run([options.maumau, "play", "--rules", rule_set, "--seed", "3", "--record", record, "--quiet", "--set",
                        "turn_cap=60", *(word for command in commands for word in ("--seat", command))],
                       check=True, stdout=subprocess.DEVNULL)
        lines = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
        return max(line["note"]["asks"] for line in lines if line["entry"] == "note")


def plays(options, kinds):
    """What is to be played, as kinds and places."""
    # In a round of the further games of the family a bot that does such a thing meets the same verdict as in `basic`.
    anywhere = [kind for kind in kinds if "basic" in kind.sets]
    for number, kind in enumerate(anywhere if not options.once else []):
        yield kind, Place(FURTHER[number % len(FURTHER)], rules=("scoring.rounds=1",))
    if not options.full:
        for number, kind in enumerate(kinds):
            rule_set = kind.sets[number % len(kind.sets)]
            yield kind, Place(rule_set, at_once=options.games if number % 4 == 3 else 1)
        return
    for kind in kinds:
        for rule_set in kind.sets:
            for at_once in (1, options.games):
                yield kind, Place(rule_set, at_once)
        yield kind, Place(kind.sets[0], options.games, seats=4)
        rule_set = kind.sets[0]
        yield kind, Place(rule_set, seats=4, seat=3, what="last seat of four")
        yield kind, Place(rule_set, seats=2, what="both seats")
        if kind.family == "start" or kind.row(rule_set).get("quick"):
            continue
        for seats, seat in ((2, 0), (2, 1)):
            asks = options.asks(rule_set, seats, seat)
            yield kind, Place(rule_set, 1, seats, seat, f"--from {max(1, asks // 2)}", "mid-game")
            yield kind, Place(rule_set, 1, seats, seat, f"--from {asks}", "last ask")
        if "spam" in kind.sets:
            yield kind, Place("spam", bot="--in react", what="reaction window")
            for seat in (0, 1):
                yield kind, Place("spam", seat=seat, bot="--in deal", what="as dealer", rules=("deal_count=dealer",))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("maumau", nargs="?", default=TOP / "target/release/maumau", type=pathlib.Path)
    parser.add_argument("--once", action="store_true", help="every kind once")
    parser.add_argument("--short", action="store_true", help="every kind once, and once in a further game of the family (the default)")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--jobs", type=int, default=3)
    parser.add_argument("--games", type=int, default=4, help="games at once, where many are")
    parser.add_argument("--sandbox", help="a level of maumau's sandbox")
    parser.add_argument("--sandbox-user", help="the user as whom agents run")
    parser.add_argument("--as-user", action="store_true", help="all of it as a user without rights, if root starts it")
    parser.add_argument("--keep", action="store_true", help="keep the folders of failed plays")
    options = parser.parse_args()
    options.maumau = str(options.maumau.resolve())
    words = (("--sandbox", options.sandbox), ("--sandbox-user", options.sandbox_user))
    options.level = [word for name, value in words if value for word in (name, value)]
    if options.as_user and os.getuid() == 0:
        os.setgroups([])
        os.setgid(USER)
        os.setuid(USER)
    # What loses its parent comes to this script, and does not stay as a zombie where nobody else would wait for it.
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory(prefix="maumau-torture-") as options.folder:
        # Agents may be another user's.
        os.chmod(options.folder, 0o755)
        return torture(options)


def torture(options):
    table = read_table()
    kinds = [kind for kind in table if not options.only or kind.name in options.only]
    catalogue = {kind.number for kind in table if kind.number}
    asks, lock = {}, threading.Lock()

    def asked(*place):
        with lock:
            if place not in asks:
                asks[place] = count_asks(options, *place)
            return asks[place]

    options.asks = asked
    options.quiet_kib = {}
    todo = queue.Queue()
    for item in plays(options, kinds):
        todo.put(item)
    for place in {(place.at_once, place.seats) for _, place in todo.queue}:
        options.quiet_kib[place] = measure_quiet(options, *place)
    planned, results, began = todo.qsize(), [], time.monotonic()
    left = collections.Counter()

    def work():
        while True:
            try:
                kind, place = todo.get_nowait()
            except queue.Empty:
                return
            play = Play(options, kind, place)
            wrong = play.run()
            with lock:
                results.append((not wrong, play.grown_kib, f"{kind.name} ({place})"))
                left.update(wait_for_adopted(options))
                for what in wrong:
                    print(f"FAILED: {kind.family} {kind.name} ({place}): {what}", flush=True)
                if len(results) % PRINTED_EVERY == 0:
                    print(f"{len(results)} of {planned} plays after {time.monotonic() - began:.0f} s", flush=True)

    workers = [threading.Thread(target=work) for _ in range(options.jobs)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    passed = sum(good for good, _, _ in results)
    failed = planned - passed
    for _, grown_kib, what in sorted(results, key=lambda result: -result[1])[:GROWTHS_PRINTED]:
        print(f"the arena's memory grew by {grown_kib} KiB: {what}")
    running = [name_of(pid) for pid in children(os.getpid())[0]]
    left.update(wait_for_adopted(options))
    # The first process of a namespace, which is bubblewrap's, may end a moment after the arena.
    del left["bwrap"]
    if left or running:
        failed += 1
        print(f"FAILED: the arena ended without waiting for {dict(left)}; still running: {running}")
    if not options.only:
        missing = set(range(1, 67)) - catalogue
        if missing:
            failed += 1
            print(f"FAILED: the table lacks the kinds {sorted(missing)} of the catalogue")
    more = [*([upheavals] if not options.only else []), spectators, talk_back]
    for what, wrong in (found for each in more for found in each(options)):
        passed, failed = passed + (not wrong), failed + bool(wrong)
        for each in wrong:
            print(f"FAILED: {what}: {each}", flush=True)
    print(f"{len(kinds)} kinds, {planned} plays in {time.monotonic() - began:.0f} s")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def wait_for_adopted(options):
    """Waits for ended processes that came to this script when the arena ended: they would use up the machine's numbers. Their
    names."""
    arena = pathlib.Path(options.maumau).name[:15]
    names = {pid: name_of(pid) for pid in children(os.getpid())[1]}
    adopted = {pid: name for pid, name in names.items() if name not in (arena, None)}
    for pid in adopted:
        os.waitpid(pid, 0)
    return adopted.values()


def name_of(pid):
    """None if it has been waited for meanwhile."""
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return None


def measure_quiet(options, at_once, seats):
    """The peak of the arena's memory with honest bots, in KiB."""
    play = Play(options, Kind("form", "honest", {}), Place("basic", at_once, seats))
    if wrong := play.run():
        sys.exit(f"honest bots at a table of {seats}, {at_once} games at once: {wrong}")
    return play.grown_kib


if __name__ == "__main__":
    sys.exit(main())
