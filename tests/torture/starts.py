#!/usr/bin/env python3
"""How long agents take to start at each level of the sandbox.

    tests/torture/starts.py [MAUMAU]... [--sandbox LEVEL]... [--sandbox-user USER] [--pairs N]

Plays a match of two built-in bots at each level in turn, many times over, so that what else the machine does falls on all of them. A
match starts three processes: a trial of the level and the two agents. Printed are the median of each level in ms, and the median of
its difference from the match just before it at the first level, divided by three. Run as another user, it measures that user's starts.
"""

import argparse
import pathlib
import statistics
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
STARTS = 3


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("maumau", nargs="*", default=[HERE.parent.parent / "target/release/maumau"], type=pathlib.Path)
    parser.add_argument("--sandbox", action="append")
    parser.add_argument("--sandbox-user")
    parser.add_argument("--pairs", type=int, default=50)
    options = parser.parse_args()
    levels = options.sandbox or ["none", "basic", "strict"]
    ways = [(str(maumau.resolve()), level) for maumau in options.maumau for level in levels]
    took = {way: [] for way in ways}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.pairs):
            for maumau, level in ways:
                words = [maumau, "play", "--quiet", "--rules", "basic", "--set", "turn_cap=1", "--sandbox", level]
                if options.sandbox_user and level != "none":
                    words += ["--sandbox-user", options.sandbox_user]
                began = time.monotonic()
                subprocess.run(words + ["--seat", "maumau agent first"] * 2, cwd=folder, check=True, capture_output=True)
                took[maumau, level].append((time.monotonic() - began) * 1000)
    first = took[ways[0]]
    for (maumau, level), times in took.items():
        more = statistics.median(one - other for one, other in zip(times, first, strict=True)) / STARTS
        print(f"{maumau} {level}: {statistics.median(times):.1f} ms a match, {more:+.1f} ms a start")


if __name__ == "__main__":
    main()
