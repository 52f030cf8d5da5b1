#!/usr/bin/env python3
"""The suite of the kits: each script says which lines a bot is sent and which it answers, and every kit must do the same.

    tests/kits/kits.py [--only LANGUAGE...] [--script NAME...]

Each bot of bots/ plays by the name of its game: "first" the first legal action, "in-choose" fails in `choose`, and so on. It
is built from its kit in a folder of its own, in the languages whose tools are installed; the others are named. Every
script runs twice: line by line, and cut into pieces of seven bytes. The last line is `N passed, N failed`.

A script: `->` a line for the bot, `<-` a line that it must answer, `stderr has TEXT`, `stderr is empty`, `exit N`, `with
OPTION=VALUE...` how the bot introduces itself, `at once` if all lines are sent before the first answer is read, `half TEXT`
for a last line without end. `hello`, `start`, `ask`, `tell`, `fault`, `over`, `bye`, `ready` and `act` stand for whole
messages (`fill=N`: of N bytes with the newline), `@rules` for the rules of rules.json, and `deck={...}` in a `start` for
another deck in these. In an answer "~TEXT" is any text that holds TEXT, and "=NAME" the same text wherever the name stands,
another for another name.
"""

import argparse
import hashlib
import json
import os
import pathlib
import select
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
AGENTS = HERE.parent.parent / "agents"
SEED = 7
EXAMPLES = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", AGENTS.parent / "target")) / "debug/examples"
# What stderr shows of the place where a bot failed: the file, and in C++, which keeps no trace, the error's type.
AUTHORS = {"python": "suite.py", "javascript": "suite.mjs", "go": "suite.go", "java": "Suite.java", "csharp": "Suite.cs"}
AUTHORS |= {"cpp": "std::runtime_error", "rust": "suite.rs", "ruby": "suite.rb"}
# Scripts about what a language does not let a bot do.
NOT_POSSIBLE = {"rust": {"no-answer": "a bot without an answer does not compile"}}
PATIENCE_S = 60

# The name, the programs that are needed, the files of the kit, how the bot is compiled, how it is started.
KITS = [
    ("python", ["python3"], ["python/maumau_kit.py"], [], "python3 suite.py"),
    ("javascript", ["node"], ["javascript/maumau.mjs"], [], "node suite.mjs"),
    ("go", ["go"], ["go/maumau.go", "go/go.mod"], ["go build -o suite ./bot"], "./suite"),
    ("java", ["java", "javac"], ["java/maumau/Maumau.java"], ["javac -d . Maumau.java Suite.java"], "java -Xmx128m Suite"),
    ("csharp", ["mono", "mcs"], ["csharp/Maumau.cs"], ["mcs -debug -out:suite.exe Maumau.cs Suite.cs"], "mono --debug suite.exe"),
    ("cpp", ["c++"], ["cpp/maumau.hpp"], ["c++ -std=c++17 -O1 -Wall -Wextra -Werror -o suite suite.cpp"], "./suite"),
    ("rust", ["cargo"], [], [] if "BUILT" in os.environ else [f"cargo build -q -p maumau-sdk --example suite --manifest-path {AGENTS.parent}/Cargo.toml"], f"{EXAMPLES}/suite"),
    ("ruby", ["ruby"], ["ruby/maumau.rb"], [], "ruby -w suite.rb"),
]


def message(kind, **members):
    return {"type": kind, **members}


def parsed(words):
    """`name=value` by name; a value is JSON where it can be."""
    members = {}
    for word in words:
        name, _, value = word.partition("=")
        try:
            members[name] = json.loads(value) if value != "@rules" else json.loads((HERE / "rules.json").read_text())
        except ValueError:
            members[name] = value
    return members


def split(text):
    """Words, of which those that begin a JSON value go on to its end."""
    words, decoder = [], json.JSONDecoder()
    while text := text.lstrip():
        end = text.find(" ") if " " in text else len(text)
        place = 0 if text[0] in "[{" else text.find("=") + 1 if "=" in text[:end] else None
        if place is not None and text[place : place + 1] in ("[", "{", '"'):
            end = place + decoder.raw_decode(text[place:])[1]
        words.append(text[:end])
        text = text[end:]
    return words


def commitment(game, seed):
    return hashlib.sha256(b"maumau/1 commitment\0" + game.encode() + b"\0" + bytes.fromhex(seed)).hexdigest()


def expanded(line):
    """The message that a line of a script stands for, as text."""
    words = split(line) if line.split(" ")[0] in ("start", "ask", "tell", "fault", "over", "act") else [line]
    kind, rest = words[0], words[1:]
    if kind == "hello":
        limits = {"line_bytes": 65536, "lines_per_ask": 64, "says": 8, "say_chars": 200, "note_bytes": 4096, "games": 4096}
        value = message("hello", protocol="maumau/1", arena="1", limits=limits, clock="lockstep")
    elif kind == "bye":
        value = message("bye", reason="done")
    elif kind == "ready":
        wants = ["view", "legal", "events", "rules"]
        value = message("ready", protocol="maumau/1", name="suite", version="1", wants=wants, ticks=False, games=8)
    elif kind == "start":
        time_ms = {"move_ms": 5000, "bank_ms": 0, "increment_ms": 0, "start_ms": 10000, "grace_ms": 1, "reaction_ms": 1, "closing_ms": 1, "count_ms": 1}
        usual = dict(seat=0, names=["a", "b"], rule_set="basic", rounds=1, time=time_ms, max_strikes=3, commitment="0" * 64, seed="0" * 16)
        usual |= parsed(rest[1:])
        if "deck" in usual:
            usual["rules"]["deck"] = usual.pop("deck")
        if usual.pop("seeded", False):
            usual["commitment"] = commitment(rest[0], f"{SEED:064x}")
        usual["seed"] = str(usual["seed"]).rjust(16, "0")
        value = message("start", game=rest[0], **usual)
    elif kind == "ask":
        game, number, legal = rest[:3]
        usual = dict(seat=0, what="turn", time_ms=5000, as_of=3) | parsed(rest[3:])
        usual |= {} if legal == "absent" else {"legal": json.loads(legal)}
        value = message("ask", game=game, id=f"{int(number):016x}", **usual)
    elif kind == "tell":
        value = message("tell", game=rest[0], events=json.loads(rest[1]), **parsed(rest[2:]))
    elif kind == "fault":
        usual = dict(fault="wrong_shape", message="/card: missing", clause="SPEC 6", cards=0, strikes=1)
        value = message("fault", game=rest[0], id=f"{int(rest[1]):016x}", **usual | parsed(rest[2:]))
    elif kind == "over":
        result = {"places": [1, 2], "points": [0, 9], "wins": [1, 0], "rounds": 1, "dismissed": []}
        usual = parsed(rest[1:])
        if "seed" in usual:
            usual["seed"] = str(usual["seed"]).rjust(64, "0")
        value = message("over", game=rest[0], result=result, **usual)
    elif kind == "act":
        value = message("act", game=rest[0], id=f"{int(rest[1]):016x}", **json.loads(rest[2]))
    else:
        return line
    # `fill`: so many bytes with the newline, by a member that no kit knows.
    fill = value.pop("fill", 0)
    text = json.dumps(value, ensure_ascii=False)
    room = fill - len(text.encode()) - len(', "fill": ""\n')
    return text if room < 0 else f'{text[:-1]}, "fill": "{"x" * room}"}}'


class Script:
    def __init__(self, path):
        self.name, self.options, self.steps = path.stem, [], []
        self.stderr, self.is_silent, self.status, self.at_once, self.half = [], False, 0, False, ""
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith("# ") or not line:
                continue
            elif line.startswith(("->", "<-")):
                self.steps.append((line[:2], expanded(line[2:].strip())))
            elif line.startswith("stderr has "):
                self.stderr.append(line.removeprefix("stderr has "))
            elif line == "stderr is empty":
                self.is_silent = True
            elif line.startswith("exit "):
                self.status = int(line.removeprefix("exit "))
            elif line.startswith("with "):
                self.options = line.removeprefix("with ").split()
            elif line == "at once":
                self.at_once = True
            elif line.startswith("half "):
                self.half = line.removeprefix("half ")
            else:
                sys.exit(f"{path}:{number}: {line!r} begins with none of ->, <-, stderr, exit, with, at once, half, #")


class Wrong(Exception):
    """What a bot did otherwise than its script."""


class Bot:
    """A running bot, with deadlines for its lines."""

    def __init__(self, folder, command, options, pieces):
        words = [*shlex.split(command), *options]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        self.errors = tempfile.TemporaryFile()
        pipes["stderr"] = self.errors
        self.process = subprocess.Popen(words, cwd=folder, **pipes)
        self.pieces, self.rest = pieces, b""

    def send(self, data):
        try:
            for at in range(0, len(data), self.pieces):
                os.write(self.process.stdin.fileno(), data[at : at + self.pieces])
        except BrokenPipeError:
            pass  # how it ended is looked at afterwards

    def line(self):
        deadline = time.monotonic() + PATIENCE_S
        while b"\n" not in self.rest:
            if not select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
                raise Wrong(f"no line within {PATIENCE_S} s")
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                raise Wrong("its output ended")
            self.rest += data
        line, _, self.rest = self.rest.partition(b"\n")
        return line.decode()

    def end(self, closes):
        """The rest of its output and its exit status. After `bye` its input stays open, which must not hold it up."""
        if closes:
            self.process.stdin.close()
        try:
            status = self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise Wrong(f"it had not ended after {PATIENCE_S} s") from None
        return (self.rest + self.process.stdout.read()).decode(), status

    def stderr(self):
        self.errors.seek(0)
        return self.errors.read().decode("utf-8", "replace")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.errors.close()
        if not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass


def agree(expected, found, names):
    """Whether an answer is the one of the script."""
    if isinstance(expected, dict):
        return isinstance(found, dict) and expected.keys() == found.keys() and all(agree(expected[k], found[k], names) for k in expected)
    if isinstance(expected, str) and expected.startswith("~"):
        return isinstance(found, str) and expected[1:] in found
    if isinstance(expected, str) and expected.startswith("="):
        others = [text for name, text in names.items() if name != expected]
        return found == names.setdefault(expected, found) and found not in others
    return type(expected) is type(found) and expected == found


def follow(script, bot, author):
    names = {}
    steps = script.steps
    if script.at_once:
        bot.send("".join(line + "\n" for way, line in steps if way == "->").encode())
    for way, line in steps:
        if way == "->" and not script.at_once:
            bot.send((line + "\n").encode())
        elif way == "<-":
            found = bot.line()
            try:
                good = agree(json.loads(line), json.loads(found), names)
            except ValueError:
                good = False
            if not good:
                raise Wrong(f"expected {line}\n      found    {found}")
    bot.send(script.half.encode())
    rest, status = bot.end(closes=not any('"bye"' in line for _, line in steps))
    if rest:
        raise Wrong(f"further output: {rest[:300]}")
    if status != script.status:
        raise Wrong(f"exit status {status}, expected {script.status}")
    stderr = bot.stderr()
    if script.is_silent and stderr:
        raise Wrong("stderr is not empty")
    for text in script.stderr:
        text = author if text == "the author's file" else text
        if text not in stderr:
            raise Wrong(f"stderr does not have {text!r}")


def build(folder, name, files, commands):
    for file in files:
        shutil.copy(AGENTS / file, folder)
    if (HERE / "bots" / name).is_dir():
        shutil.copytree(HERE / "bots" / name, folder, dirs_exist_ok=True)
    environment = {**os.environ, "GOCACHE": f"{tempfile.gettempdir()}/maumau-go-cache", "GOFLAGS": "-mod=mod"}
    for command in commands:
        done = subprocess.run(shlex.split(command), cwd=folder, env=environment, capture_output=True, text=True)
        if done.returncode:
            return f"`{command}` failed:\n{done.stdout}{done.stderr}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--script", nargs="+", default=[])
    options = parser.parse_args()
    paths = sorted((HERE / "scripts").glob("*.txt"))
    scripts = [Script(path) for path in paths if not options.script or path.stem in options.script]
    passed = failed = 0
    for name, programs, files, commands, start in KITS:
        if options.only and name not in options.only:
            continue
        missing = [program for program in programs if shutil.which(program) is None]
        if missing:
            print(f"== {name}: left out, {' and '.join(missing)} cannot be found")
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="maumau-kits-") as folder:
            if problem := build(folder, name, files, commands):
                print(f"FAILED: {name}: {problem}")
                failed += 1
                continue
            wrong = 0
            author = AUTHORS[name]
            for script in scripts:
                if why := NOT_POSSIBLE.get(name, {}).get(script.name):
                    print(f"== {name}, {script.name}: left out, {why}")
                    continue
                for pieces in (1 << 20, 7):
                    bot = Bot(folder, start, script.options, pieces)
                    try:
                        follow(script, bot, author)
                        passed += 1
                    except Wrong as error:
                        wrong += 1
                        print(f"FAILED: {name}, {script.name}{' in pieces' if pieces == 7 else ''}: {error}")
                        print("".join(f"      | {line}\n" for line in bot.stderr().splitlines()[-12:]), end="")
                    finally:
                        bot.kill()
            failed += wrong
        print(f"{name}: {len(scripts)} scripts, {wrong or 'none'} wrong, {time.monotonic() - began:.1f} s", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
