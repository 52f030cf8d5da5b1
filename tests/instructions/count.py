#!/usr/bin/env python3
"""Counts the instructions of fixed work and compares them with the committed figures.

usage: [MAUMAU_UPDATE=1] count.py [--program target/release/maumau-lab]

The times of a busy machine say little; the number of instructions of the same work is the same every time. valgrind's
callgrind counts them, less those of starting the program. A figure that is more than 3 % above the committed one in
expected.json fails: something has become slower. One that is more than 3 % below fails too and asks for the new figure
(MAUMAU_UPDATE=1), so that the gain cannot be lost unnoticed.

The figures hold for one compiler, its flags and one kind of processor (which vector instructions are used is decided when
the program runs); all stand beside them. With others nothing is compared: the counts are printed, and what to do.

Exit status: 0 compared and well, or not comparable here; 1 a figure has changed; 2 wrong usage; 3 valgrind is missing.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
EXPECTED = FOLDER / "expected.json"
TOLERANCE = 0.03
WORK = {
    "playout of basic, no events, 4 players": ["playout", "--rules", "basic", "--build", "nothing", "--games"],
    "playout of basic, events and views, 4 players": ["playout", "--rules", "basic", "--build", "all", "--games"],
    "playout of crazy-eights, no events, 4 players": ["playout", "--rules", "crazy-eights", "--build", "nothing", "--games"],
    "playout of deluxe, no events, 4 players": ["playout", "--rules", "deluxe", "--build", "nothing", "--games"],
    "playout of snap, events and views, 4 players": ["playout", "--rules", "snap", "--build", "all", "--games"],
    "playout of spam, no events, 4 players": ["playout", "--rules", "spam", "--build", "nothing", "--games"],
    "match of basic through the referee, 4 players": ["referee", "--rules", "basic", "--games"],
    "verify of records of basic, 4 players": ["verify", "--rules", "basic", "--games"],
}
# How much more work is counted than the least there is, whose instructions, those of starting included, are taken off:
# games, or rounds over the records.
MORE = {"playout": 640, "referee": 64, "verify": 4}


def instructions(program, arguments):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "bench", *arguments]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {run.returncode}:\n{run.stderr}")
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


def count(program, work):
    more = MORE[work[0]]
    return instructions(program, [*work, str(1 + more)]) - instructions(program, [*work, "1"])


def kind():
    """The compiler, flags of the environment in place of the project's own, and the processor's vector instructions."""
    rustc = subprocess.run(["rustc", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    flags = re.search(r"^flags\s*:(.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    vectors = sorted({"ssse3", "avx", "avx2"} & set(flags.group(1).split() if flags else []))
    given = [os.environ.get(name, "") for name in ("CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS")]
    return {"rustc": rustc, "rustflags": " ".join(filter(None, given)), "vectors": " ".join(vectors)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(FOLDER.parent.parent / "target/release/maumau-lab"))
    arguments = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("left out: valgrind is not installed, so no instructions can be counted", file=sys.stderr)
        sys.exit(3)
    found = {name: count(arguments.program, work) for name, work in WORK.items()}
    if os.environ.get("MAUMAU_UPDATE"):
        EXPECTED.write_text(json.dumps({**kind(), "instructions": found}, indent=2) + "\n")
        print(f"written to {EXPECTED}")
        return
    expected = json.loads(EXPECTED.read_text())
    there = {name: expected[name] for name in ("rustc", "rustflags", "vectors")}
    comparable = there == kind()
    changed = []
    for name, now in found.items():
        before = expected["instructions"].get(name)
        change = now / before - 1 if before else float("inf")
        print(f"{name}: {now} instructions, {change:+.2%} of the committed {before}")
        if abs(change) > TOLERANCE:
            changed.append(f"{name} is {'slower' if change > 0 else 'faster'} by {abs(change):.1%}")
    if not comparable:
        print(f"left out: the committed figures are of {there} and this is {kind()}, so the change means nothing here.")
        print("Where this is the new compiler of the project, write the figures again: MAUMAU_UPDATE=1 tests/instructions/count.py")
        return
    print(f"{len(found) - len(changed)} passed, {len(changed)} failed")
    if changed:
        print("; ".join(changed))
        print("If that is meant, write the new figures: MAUMAU_UPDATE=1 tests/instructions/count.py")
        sys.exit(1)


main()
