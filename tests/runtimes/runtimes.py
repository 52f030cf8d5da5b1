#!/usr/bin/env python3
"""Whether agents in the usual languages start and play in the sandbox, without a switch.

    tests/runtimes/runtimes.py [MAUMAU] [--sandbox LEVEL]... [--sandbox-user NAME] [--only NAME...]

Each bot of bots/ whose runtime is installed is compiled where it has to be, and plays a game against `maumau agent first` at each
level (basic by default). Runtimes that are not installed are named. The last line is `N passed, N failed`.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# The name, the programs that are needed, how it is compiled in a folder of its own, how it is started.
RUNTIMES = [
    ("Python", ["python3"], None, "/usr/bin/python3 FOLDER/first.py"),
    ("Node", ["node"], None, "node FOLDER/first.mjs"),
    ("Ruby", ["ruby"], None, "ruby FOLDER/first.rb"),
    ("PHP", ["php"], None, "php FOLDER/first.php"),
    ("Lua", ["lua5.4"], None, "lua5.4 FOLDER/first.lua"),
    ("Go", ["go"], "go build -o first first.go", "FOLDER/first"),
    ("Java", ["java", "javac"], "javac First.java", "java -Xmx128m -cp FOLDER First"),
    ("Mono", ["mono", "mcs"], "mcs -out:first.exe First.cs", "mono FOLDER/first.exe"),
]


def play(options, level, command):
    """What is wrong with a game of this command, or nothing."""
    words = [options.maumau, "play", "--rules", "basic", "--seed", "3", "--set", "turn_cap=40", "--rounds", "1", "--format", "json",
             "--start-ms", "60000", "--move-ms", "60000", "--sandbox", level, "--seat", command, "--seat", "maumau agent first"]
    words += ["--sandbox-user", options.sandbox_user] if options.sandbox_user else []
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        return f"exit code {done.returncode}: {done.stderr.strip()}"
    faults = json.loads(done.stdout)["faults"][0]
    return f"faults {faults}" if faults else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("maumau", nargs="?", default=HERE.parent.parent / "target/release/maumau", type=pathlib.Path)
    parser.add_argument("--sandbox", action="append")
    parser.add_argument("--sandbox-user")
    parser.add_argument("--only", nargs="+", default=[])
    options = parser.parse_args()
    options.maumau = str(options.maumau.resolve())
    passed = failed = 0
    for name, programs, build, command in RUNTIMES:
        if options.only and name not in options.only:
            continue
        missing = [program for program in programs if shutil.which(program) is None]
        if missing:
            print(f"left out: {name}, since {' and '.join(missing)} cannot be found")
            continue
        with tempfile.TemporaryDirectory(prefix="maumau-runtimes-") as folder:
            bots = pathlib.Path(folder) / "bots"
            shutil.copytree(HERE / "bots", bots)
            if build:
                environment = {**os.environ, "GOCACHE": folder + "/cache", "GO111MODULE": "off"}
                subprocess.run(build.split(), cwd=bots, env=environment, check=True)
            # Agents may be another user's.
            os.chmod(folder, 0o755)
            for level in options.sandbox or ["basic"]:
                wrong = play(options, level, command.replace("FOLDER", str(bots)))
                passed, failed = passed + (not wrong), failed + bool(wrong)
                print(f"{name} at {level}: {wrong or 'plays'}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
