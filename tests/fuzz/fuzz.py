#!/usr/bin/env python3
"""Runs the fuzzing targets under cargo-fuzz and keeps what they find.

    tests/fuzz/fuzz.py                            all targets, a minute each
    tests/fuzz/fuzz.py game record --seconds 600  these, ten minutes each
    tests/fuzz/fuzz.py --turns 1000 --jobs 2      in turns, two targets at once, until it is stopped
    tests/fuzz/fuzz.py --until 10000000           in turns, until each has so many executions in all
    tests/fuzz/fuzz.py --tally                    executions so far
    tests/fuzz/fuzz.py --keep                     write the smallest inputs with all that was reached to corpus/

Needs `cargo install cargo-fuzz`; a stable compiler will do, since no sanitizer is used (what is fuzzed has no unsafe code).
Work is done in out/ beside this file: the growing corpora, and what was found (to be given to the target's program).
executions.json counts the executions of each target so far. The last line is `N executions, N found`.
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
WORK = os.path.join(HERE, "out")
# Kept with the corpora: executions so far, by target.
TALLY = os.path.join(HERE, "executions.json")
# The longest input of each target: usually, since time goes with length; and every eighth turn.
TARGETS = {"agent_line": (256, 1024), "arena_line": (512, 2048), "rule_file": (256, 768), "record": (256, 768), "packed": (128, 512),
           "game": (32, 160), "referee": (32, 128)}
LONG_EVERY = 8
# Where the words of a target's language are found.
WORDS = {
    "agent_line": ("protocol/tests/samples", r'"[a-z_]+"'),
    "arena_line": ("protocol/tests/samples", r'"[a-z_]+"'),
    "rule_file": ("arena/engine/rules", r"[A-Za-z_]{2,}"),
    "record": ("protocol/tests/samples", r'"[a-z_]+"'),
    "packed": ("protocol/tests/samples", r'"[a-z_]+"'),
}


def programs():
    """Builds the targets; the path of each by its name."""
    subprocess.run(["cargo", "fuzz", "build", "--fuzz-dir", HERE, "-s", "none", "--no-trace-compares"],
                   cwd=TOP, check=True,
                   env={**os.environ, "RUSTC_BOOTSTRAP": "1", "RUSTC_WRAPPER": os.path.join(HERE, "rustc.sh")})
    metadata = subprocess.run(["cargo", "metadata", "--manifest-path", os.path.join(HERE, "Cargo.toml"), "--no-deps",
                           "--format-version", "1"], cwd=TOP, check=True, capture_output=True, text=True)
    host = re.search(r"host: (\S+)", subprocess.run(["rustc", "-vV"], capture_output=True, text=True).stdout)[1]
    folder = os.path.join(json.loads(metadata.stdout)["target_directory"], host, "release")
    return {target: os.path.join(folder, target) for target in TARGETS}


def kept(target):
    return os.path.join(HERE, "corpus", f"{target}.jsonl")


def unpack(target):
    """Writes the kept inputs as files; the folder with them and all that were found since."""
    folder = os.path.join(WORK, target)
    os.makedirs(folder, exist_ok=True)
    with open(kept(target)) as file:
        for number, line in enumerate(file):
            with open(os.path.join(folder, f"kept-{number}"), "wb") as out:
                out.write(json.loads(line).encode("latin-1"))
    return folder


def pack(target, folder):
    """Keeps the inputs in `folder`: one a line, each byte a character."""
    inputs = []
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), "rb") as file:
            inputs.append(file.read())
    inputs.sort(key=lambda data: (len(data), data))
    with open(kept(target), "w") as file:
        file.writelines(json.dumps(data.decode("latin-1")) + "\n" for data in inputs)
    return len(inputs)


def dictionary(target):
    """A file with the words of the target's language, for libFuzzer."""
    folder, pattern = WORDS[target]
    words = set()
    for name in sorted(os.listdir(os.path.join(TOP, folder))):
        if name.endswith((".toml", ".jsonl")):
            with open(os.path.join(TOP, folder, name)) as file:
                words.update(word for word in re.findall(pattern, file.read()) if len(word) < 32)
    path = os.path.join(WORK, f"{target}.dict")
    with open(path, "w") as file:
        file.writelines('"%s"\n' % word.replace('"', '\\"') for word in sorted(words))
    return path


TALLYING = threading.Lock()


def tally():
    try:
        with open(TALLY) as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


def fuzz(target, program, seconds, long):
    """Runs one target for so long; its executions, and whether it found something."""
    words = [f"-dict={dictionary(target)}"] if target in WORDS else []
    run = subprocess.run(
        [program, unpack(target), f"-max_total_time={seconds}", f"-max_len={TARGETS[target][long]}", "-len_control=0",
         "-timeout=300", "-rss_limit_mb=1024", f"-artifact_prefix={WORK}/{target}-", "-print_final_stats=1",
         "-close_fd_mask=1", "-use_counters=0", "-entropic=0", *words],
        cwd=WORK, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
    done = re.search(r"stat::number_of_executed_units: (\d+)", run.stderr)
    executions = int(done[1]) if done else 0
    with TALLYING:
        counts = tally()
        counts[target] = counts.get(target, 0) + executions
        with open(TALLY + ".new", "w") as file:
            json.dump(counts, file, indent=2, sort_keys=True)
            file.write("\n")
        os.replace(TALLY + ".new", TALLY)
    if run.returncode != 0:
        print(run.stderr[-4000:])
    return executions, run.returncode != 0


def keep(target, program):
    """Reduces what was reached to few small inputs and keeps them."""
    few = os.path.join(WORK, f"{target}.few")
    os.makedirs(few, exist_ok=True)
    subprocess.run([program, "-merge=1", f"-max_len={TARGETS[target][1]}", few, unpack(target)], cwd=WORK, check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    count = pack(target, few)
    for name in os.listdir(few):
        os.remove(os.path.join(few, name))
    os.rmdir(few)
    print(f"{target}: {count} inputs, {os.path.getsize(kept(target))} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("targets", nargs="*", choices=[*TARGETS, []], help="all of them by default")
    parser.add_argument("--seconds", type=int, default=60, help="for each target in a turn")
    parser.add_argument("--turns", type=int)
    parser.add_argument("--until", type=int, metavar="EXECUTIONS", help="of each target in all")
    parser.add_argument("--jobs", type=int, default=1, help="targets at once")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--tally", action="store_true")
    arguments = parser.parse_args()
    targets = arguments.targets or list(TARGETS)
    os.makedirs(WORK, exist_ok=True)
    if arguments.tally:
        for target, executions in tally().items():
            print(f"{target}: {executions:,}")
        return 0
    built = programs()
    if arguments.keep:
        for target in targets:
            keep(target, built[target])
        return 0
    executions = found = turn = 0
    turns = arguments.turns or (sys.maxsize if arguments.until else 1)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        while turn < turns and targets:
            turn += 1
            long = turn % LONG_EVERY == 0
            runs = {pool.submit(fuzz, target, built[target], arguments.seconds, long): target for target in targets}
            for run in concurrent.futures.as_completed(runs):
                target, (count, bad) = runs[run], run.result()
                executions, found = executions + count, found + bad
                print(f"{target}: {count:,} executions, {tally()[target]:,} in all" + (", FOUND" * bad), flush=True)
            if arguments.until:
                targets = [target for target in targets if tally().get(target, 0) < arguments.until]
    print(f"{executions} executions, {found} found")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
