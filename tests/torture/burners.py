#!/usr/bin/env python3
"""How much longer an honest bot thinks while others at the table compute without being asked.

    tests/torture/burners.py [MAUMAU] [--sandbox LEVEL] [--burners N] [--rounds N] [--spends MS] [--at-most FACTOR]

An honest bot that spends 2 ms (--spends) of processor time on each answer plays quiet bots, then bots that loop whenever they are not
asked. Prints the time from its ask to its answer, as it sees it itself: of the first seconds, in which the arena finds the
others out, and after. With --at-most the exit code is 1 where p90 after is more than FACTOR times the quiet one.
"""

import argparse
import json
import os
import pathlib
import select
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
# Seconds in which the arena is given time to find out who computes.
FIRST_S = 4


def play_as(kind, spends_s):
    """Is a bot: `honest`, `quiet` or `burner`."""
    began = time.monotonic()
    pending, asks = b"", 0
    while True:
        while kind == "burner" and not select.select([0], [], [], 0)[0]:
            pass
        data = os.read(0, 65_536)
        came = time.monotonic()
        if not data:
            return
        *lines, pending = (pending + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if message["type"] == "hello":
                answer = {"type": "ready", "protocol": "maumau/1", "name": kind, "wants": ["legal"]}
            elif message["type"] == "ask":
                answer = {"type": "act", "game": message["game"], "id": message["id"], **message["legal"][0]}
                if kind == "honest":
                    spent = time.thread_time()
                    while time.thread_time() - spent < spends_s:
                        pass
                    asks += 1
                    took = {"at_s": came - began, "took_ms": (time.monotonic() - came) * 1e3}
                    print(json.dumps({"type": "note", "game": message["game"], "note": took}))
            else:
                continue
            print(json.dumps(answer), flush=True)


def measure(options, kind):
    """The times of the honest bot among so many of this kind, before and after the first seconds."""
    with tempfile.TemporaryDirectory() as folder:
        record = pathlib.Path(folder) / "game.jsonl"
        bots = [f"{sys.executable} {__file__} --spends {options.spends} --play-as {name}" for name in ["honest"] + [kind] * options.burners]
        command = [options.maumau, "play", "--rules", "basic", "--rounds", str(options.rounds), "--seed", "3", "--quiet",
                   "--record", record, "--move-ms", "10000", *(word for bot in bots for word in ("--seat", bot))]
        command += ["--sandbox", options.sandbox] if options.sandbox else []
        command += ["--sandbox-user", options.sandbox_user] if options.sandbox_user else []
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        entries = map(json.loads, record.read_text(encoding="utf-8").splitlines())
        notes = [entry["note"] for entry in entries if entry["entry"] == "note"]
    first = [note["took_ms"] for note in notes if note["at_s"] < FIRST_S]
    return first, [note["took_ms"] for note in notes if note["at_s"] >= FIRST_S]


def quantile(times, part):
    return sorted(times)[int((len(times) - 1) * part)] if times else float("nan")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("maumau", nargs="?", default=TOP / "target/release/maumau", type=pathlib.Path)
    parser.add_argument("--sandbox")
    parser.add_argument("--sandbox-user")
    parser.add_argument("--burners", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--spends", type=float, default=2)
    parser.add_argument("--at-most", type=float)
    parser.add_argument("--play-as", choices=["honest", "quiet", "burner"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.play_as:
        return play_as(options.play_as, options.spends / 1e3)
    options.maumau = str(options.maumau.resolve())
    print("| others | answers | p50 ms | p90 ms |\n|---|---|---|---|")

    def row(who, times):
        print(f"| {options.burners} {who} | {len(times)} | {quantile(times, 0.5):.2f} | {quantile(times, 0.9):.2f} |", flush=True)
        return quantile(times, 0.9)

    quiet = row("quiet", sum(measure(options, "quiet"), []))
    first, after = measure(options, "burner")
    row(f"burners, first {FIRST_S} s", first)
    burned = row("burners, after", after)
    # A game too short to say anything is no success either.
    return 0 if options.at_most is None or burned <= options.at_most * quiet else 1


if __name__ == "__main__":
    sys.exit(main())
