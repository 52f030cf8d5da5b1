#!/usr/bin/env python3
"""Plays one league with different programs, on different numbers of processors and with different numbers of games at once,
and compares the digests of all games: they must be the same, since a game follows from its seed and its answers alone.

    tests/determinism/determinism.py                                      10,000 games, the release build
    tests/determinism/determinism.py target/release/maumau target/debug/maumau
    tests/determinism/determinism.py --games 1200 --rules snap

A digest is that of the whole record but for its times (SPEC 9.4). The last line is `N passed, N failed`; exit code 1 if games
differ.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BOTS = ("greedy", "first", "random", "greedy")
# Processors and games at once in all.
WAYS = ((1, 1), (2, 2), (2, 8))


def league(rules, games, at_once):
    pairings = len(BOTS) * (len(BOTS) - 1) // 2
    # Every deal is played in both rotations.
    each = -(-games // (2 * pairings)) * 2
    agents = "".join(f'[[agent]]\nname = "{bot} {n}"\ncommand = "maumau agent {bot}"\n' for n, bot in enumerate(BOTS))
    return (f'rules = "{rules}"\nseats = 2\ngames_per_pairing = {each}\npublic_seed = true\nseed = 7\nconcurrency = {at_once}\n{agents}')


def digests(program, rules, games, cpus, at_once):
    """Name and digest of each game."""
    with tempfile.TemporaryDirectory(prefix="maumau-determinism-") as folder:
        with open(os.path.join(folder, "league.toml"), "w") as file:
            file.write(league(rules, games, at_once))
        run = subprocess.run([program, "tournament", "run", "league.toml", "--quiet", "--announce", "--format", "csv",
                              "--cpus", str(cpus)], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    if run.returncode != 0:
        sys.exit(f"{program} ended with status {run.returncode}")
    rows = (line.split(" ") for line in run.stdout.splitlines())
    return {words[0]: words[1] for words in rows if len(words) == 2 and len(words[1]) == 64}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", default=[os.path.join(TOP, "target/release/maumau")])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--rules", default="skat")
    arguments = parser.parse_args()
    expected, passed, failed = None, 0, 0
    for program in map(os.path.abspath, arguments.programs):
        for cpus, at_once in WAYS:
            if cpus > (os.cpu_count() or 1):
                print(f"left out: {cpus} processors, since this machine has fewer")
                continue
            start = time.monotonic()
            found = digests(program, arguments.rules, arguments.games, cpus, at_once)
            expected = expected or found
            differ = [name for name in sorted({*expected, *found}) if expected.get(name) != found.get(name)]
            good = not differ and len(found) >= arguments.games
            passed, failed = passed + good, failed + (not good)
            print(f"{program}, {cpus} processors, {at_once} games at once: {len(found)} games, {len(differ)} differ"
                  f"{' from ' + differ[0] + ' on' if differ else ''}, {time.monotonic() - start:.0f} s", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
