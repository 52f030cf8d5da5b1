#!/usr/bin/env python3
"""Whether `maumau agent llm` plays every rule set, keeps its deadlines and budgets, and reaches its host and no other.

    tests/llm/llm.py [MAUMAU] [--games N] [--sandbox LEVEL]...

Plays against stub.py, an endpoint that misbehaves on request. The long part is a league of N games (1000 by default) in which one of
five replies is faulty. The last line is `N passed, N failed`.
"""

import argparse
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from checks import Checks  # noqa: E402

RULE_SETS = ["basic", "skat", "deluxe", "snap", "spam", "crazy-eights"]
KEY = "sk-0123456789-secret"


@contextlib.contextmanager
def stub(*words):
    """The address of a stub, and what it counted, once it has ended."""
    process = subprocess.Popen([sys.executable, HERE / "stub.py", *map(str, words)], stdout=subprocess.PIPE, text=True)
    counts = {}
    try:
        yield process.stdout.readline().strip(), counts
    finally:
        process.send_signal(signal.SIGTERM)
        counts.update(json.loads(process.communicate(timeout=30)[0]))


class Trial(Checks):
    def __init__(self, options):
        super().__init__()
        self.options = options

    def seat(self, address, *words):
        return " ".join(["maumau agent llm --endpoint", address, "--model stub", *words])

    def play(self, folder, seat, *words, rules="basic", level="basic", record=None):
        """The result of a game of `seat` against `first`, and its record."""
        path = pathlib.Path(folder) / "game.jsonl"
        path.unlink(missing_ok=True)
        command = [self.options.maumau, "play", "--rules", rules, "--seed", "5", "--rounds", "1", "--format", "json", "--move-ms", "4000",
                   "--sandbox", level, "--record", path, "--seat", seat, "--seat", "maumau agent first", *words]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "MODEL_KEY": KEY})
        if done.returncode:
            self.check(f"{rules} at {level} is played: {done.stderr}", False)
            return {"faults": [{"exit": 1}]}, []
        notes = [entry["note"] for entry in map(json.loads, path.read_text().splitlines()) if entry.get("entry") == "note"]
        self.check(f"{rules} at {level}: the key is not in the record", KEY not in path.read_text())
        return json.loads(done.stdout), notes

    def last_lines(self, seat, *words, level="basic"):
        """What `play --quiet` prints of such a game."""
        command = [self.options.maumau, "play", "--quiet", "--seed", "5", "--rounds", "1", "--move-ms", "4000", "--sandbox", level,
                   "--seat", seat, "--seat", "maumau agent first", *words]
        return subprocess.run(command, capture_output=True, text=True).stdout

    def every_rule_set(self, folder, level):
        with stub("--key", KEY) as (address, counts):
            host = address.removeprefix("http://").removesuffix("/v1")
            for rules in RULE_SETS:
                seat = self.seat(address, "--key-env MODEL_KEY --price-in 1 --price-cached 0.5 --price-out 10")
                result, notes = self.play(folder, seat, "--sandbox-host", host, "--sandbox-env", "MODEL_KEY", rules=rules, level=level)
                self.check(f"{rules} at {level}: no faults: {result['faults'][0]}", not result["faults"][0])
                self.check(f"{rules} at {level}: the model has played", notes and all(note["by"] in ("model", "kept") for note in notes))
                asked = [note for note in notes if note["by"] == "model"]
                # 200 tokens at 1, 800 at 0.5, 20 at 10, a million each.
                self.check(f"{rules} at {level}: cost is noted", asked and all(abs(note["cost"] - 0.0008) < 1e-12 for note in asked))
        self.check(f"{level}: one beginning of a prompt for each rule set", counts["prefixes"] == len(RULE_SETS))
        self.check(f"{level}: never asked about a single action", counts["shortest_list"] > 1)
        print(f"{len(RULE_SETS)} rule sets at {level}: {counts['asked']} questions", flush=True)

    def what_can_go_wrong(self, folder, level):
        with stub() as (address, counts):
            host = address.removeprefix("http://").removesuffix("/v1")
            for what, words in [("no host", []), ("another host", ["--sandbox-host", "127.0.0.1:9"])]:
                result, notes = self.play(folder, self.seat(address), *words, level=level)
                good = not result["faults"][0] and notes and all(note["by"] == "greedy" and note["trouble"] for note in notes)
                self.check(f"{level}, {what}: the bot plays: {result['faults'][0]} {notes[:1]}", good)
        self.check(f"{level}: nothing has reached the endpoint", not counts.get("asked"))
        with stub() as (address, counts):
            host = address.removeprefix("http://").removesuffix("/v1")
            result, notes = self.play(folder, self.seat(address, "--game-tokens 3000"), "--sandbox-host", host, level=level)
            asked = sum(note["by"] == "model" for note in notes)
            self.check(f"{level}: a budget of 3,000 tokens is three questions of 1,020, and not {asked}", asked == 3)
            rest = [note for note in notes if note["by"] == "greedy"]
            self.check(f"{level}: then the bot plays", rest and all("budget" in note["trouble"] for note in rest))
        with stub("--no-schema") as (address, counts):
            host = address.removeprefix("http://").removesuffix("/v1")
            result, notes = self.play(folder, self.seat(address), "--sandbox-host", host, level=level)
            self.check(f"{level}: an endpoint without schemas is asked without", notes and all(note["by"] != "greedy" for note in notes))
        with stub("--key", "another") as (address, counts):
            host = address.removeprefix("http://").removesuffix("/v1")
            result, notes = self.play(folder, self.seat(address), "--sandbox-host", host, level=level)
            good = notes and all("status 401" in note["trouble"] for note in notes)
            self.check(f"{level}: the note names what the endpoint refuses: {notes[:1]}", good and not result["faults"][0])
            told = self.last_lines(self.seat(address), "--sandbox-host", host, level=level)
            said = f"{len(notes)} of {len(notes)} moves by greedy (not asked any more after status 401"
            self.check(f"{level}: the last lines say that the model never answered: {told}", said in told)
            self.check(f"{level}: the result says it: {result}", result["models"][0]["played_instead"] == len(notes))
        self.check(f"{level}: a wrong key is tried once in a game: {counts}", counts["asked"] == 2)
        with stub("--new-bound", "--no-schema") as (address, counts):
            host = address.removeprefix("http://").removesuffix("/v1")
            result, notes = self.play(folder, self.seat(address), "--sandbox-host", host, level=level)
            good = notes and all(note["by"] in ("model", "kept") for note in notes)
            self.check(f"{level}: the bound of an answer is called as the endpoint wants: {notes[:1]}", good)
            told = self.last_lines(self.seat(address, "--price-in 2"), "--sandbox-host", host, level=level)
            self.check(f"{level}: the last lines have the cost: {told}", "by the model; " in told and "cost 0.0" in told)

    def league(self, folder, games):
        """A league with one of five replies faulty."""
        place = pathlib.Path(folder)
        with stub("--faulty", "0.2", "--slow-ms", "400") as (address, counts):
            host = address.removeprefix("http://").removesuffix("/v1")
            (place / "league.toml").write_text(f"""
                rules = "basic"
                seats = 2
                rounds = 1
                games_per_pairing = {games}
                public_seed = true
                seed = 1
                [time]
                move_ms = 2000
                [[agent]]
                name = "model"
                command = "{self.seat(address, '--patience-ms 200')}"
                host = "{host}"
                [[agent]]
                command = "maumau agent first"
            """)
            done = subprocess.run([self.options.maumau, "tournament", "run", "league.toml", "--quiet"], cwd=folder, capture_output=True,
                                  text=True)
            self.check(f"the league is played: {done.stderr}", done.returncode == 0)
        shown = subprocess.run([self.options.maumau, "tournament", "show", "league.maumau", "--format", "json"], cwd=folder,
                               capture_output=True, text=True)
        result = json.loads(shown.stdout)
        model = next(row for row in result["standings"]["rows"] if row["name"] == "model")
        self.check(f"{games} games are counted: {model}", model["games"] == games)
        self.check(f"no strike and no dismissal in {games} games: {model}", self.is_spotless(model))
        used = result["models"][0]
        # A game in which it never had a choice has no note and is not counted.
        counted = 0.95 * games < used["games"] <= games
        self.check(f"the table counts tokens: {used}", used["name"] == "model" and counted and used["tokens_in"] > 0)
        tables = subprocess.run([self.options.maumau, "tournament", "show", "league.maumau", "--all"], cwd=folder, capture_output=True,
                                text=True)
        self.check("the tables show what models used", "What language models used" in tables.stdout)
        print(tables.stdout[tables.stdout.find("What language models used"):], flush=True)
        faulty = sum(count for kind, count in counts.items() if kind not in ("asked", "good", "prefixes", "shortest_list"))
        self.check("one beginning of a prompt, whatever seat and game", counts["prefixes"] == 1)
        self.check("a fifth of the replies is faulty", 0.17 < faulty / counts["asked"] < 0.23)
        print(f"{games} games, {counts['asked']} questions, {faulty} of the replies faulty: {counts}", flush=True)

    def is_spotless(self, row):
        return not row["faults"] and not row["dismissals"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("maumau", nargs="?", default=HERE.parent.parent / "target/release/maumau", type=pathlib.Path)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--sandbox", action="append")
    options = parser.parse_args()
    options.maumau = str(options.maumau.resolve())
    trial = Trial(options)
    with tempfile.TemporaryDirectory(prefix="maumau-llm-") as folder:
        for level in options.sandbox or ["basic"]:
            trial.every_rule_set(folder, level)
            trial.what_can_go_wrong(folder, level)
        trial.league(folder, options.games)
    print(f"{trial.passed} passed, {trial.failed} failed")
    return 1 if trial.failed else 0


if __name__ == "__main__":
    sys.exit(main())
