#!/usr/bin/env python3
"""Whether the decisions of a run, as Parquet and as JSON lines, are those of its records, and are read by what people use.

    tests/data/data.py [MAUMAU] [--games N]

MAUMAU has to be built with the feature parquet. Plays a league, exports its decisions in every way, compares them with the records,
which are read here without any code of the arena; then installs polars, pandas and DuckDB into a fresh virtual environment and runs the
examples of arena/docs/data.md there. The last line is `N passed, N failed`.
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import venv

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from checks import Checks  # noqa: E402

LEAGUE = """
rules = "{rules}"
seats = 3
rounds = 2
games_per_pairing = {games}
public_seed = true
seed = 3
[[agent]]
command = "maumau agent greedy"
[[agent]]
command = "maumau agent random"
[[agent]]
command = "maumau agent first"
"""
# Reads the Parquet files with polars and prints what is compared.
READ = """
import json, polars, pyarrow.parquet, sys
counts = {}
for name in sys.argv[1:]:
    meanings = json.loads(pyarrow.parquet.read_metadata(name).metadata[b"maumau"])["meanings"]
    for row in polars.read_parquet(name).iter_rows(named=True):
        for key, value in row.items():
            if key in meanings:
                of = lambda code: meanings[key][code]
                row[key] = [of(code) for code in value] if isinstance(value, list) else value if value is None else of(value)
        print(json.dumps(row))
"""
# Counts rows with an earlier DuckDB.
OLD = """
import duckdb, sys
assert duckdb.__version__.startswith("1."), duckdb.__version__
print(duckdb.connect().execute(f"select count(hand) from '{sys.argv[1]}'").fetchone()[0])
"""


def decisions(folder):
    """The actions and missed deadlines of records, in the order of the plan: game, seat, action, words, refusal."""
    def place(path):
        group, deal, rotation = (int(part[1:]) for part in path.stem.split("-"))
        return deal, group, rotation

    for number, path in enumerate(sorted(pathlib.Path(folder).glob("*.jsonl"), key=place)):
        entries = [json.loads(line) for line in path.read_text().splitlines()]
        result = next(entry for entry in entries if entry["entry"] == "result")
        for entry, after in zip(entries, entries[1:] + [{}]):
            if entry["entry"] == "act":
                action = entry["action"] if "action" in entry else {key: entry[key] for key in entry if key not in
                                                                    ("entry", "seat", "as_of", "meta", "check", "n")}
                said = action.pop("say", [])
                yield number, entry["seat"], action, [said] if isinstance(said, str) else said, result["places"][entry["seat"]]
            elif entry["entry"] == "stand" and entry["why"] == "slow":
                yield number, entry["seat"], None, [], result["places"][entry["seat"]]


class Trial(Checks):
    def __init__(self, options, place):
        super().__init__()
        self.maumau, self.place = options.maumau, place
        self.python = place / "venv" / "bin" / "python"

    def install(self):
        venv.create(self.place / "venv", with_pip=True)
        subprocess.run([self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "polars", "pandas", "pyarrow", "duckdb",
                        "zstandard"],
                       check=True)
        subprocess.run([self.python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", self.place / "duckdb1",
                        "duckdb>=1.4,<1.5"], check=True)

    def export(self, folder, *words):
        done = subprocess.run([self.maumau, "tournament", "export", "league.maumau", *words], cwd=folder, capture_output=True, text=True)
        self.check(f"export {' '.join(words)}: {done.stderr}", done.returncode == 0)
        return done.stdout

    def rows(self, folder, *files):
        done = subprocess.run([self.python, "-c", READ, *files], cwd=folder, capture_output=True, text=True)
        self.check(f"polars reads {files}: {done.stderr}", done.returncode == 0)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def lines(self, folder, name):
        words = [self.python, "-c", "import sys, zstandard; zstandard.ZstdDecompressor().copy_stream(open(sys.argv[1], 'rb'), sys.stdout.buffer)"]
        done = subprocess.run([*words, name], cwd=folder, capture_output=True, text=True)
        self.check(f"zstd reads {name}: {done.stderr}", done.returncode == 0)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def begun(self, name, rules, games):
        """A folder of this name with a league that has been played."""
        folder = self.place / name
        folder.mkdir()
        (folder / "league.toml").write_text(LEAGUE.format(rules=rules, games=games))
        subprocess.run([self.maumau, "tournament", "run", "league.toml", "--quiet"], cwd=folder, check=True, capture_output=True)
        return folder

    def league(self, rules, games):
        folder = self.begun(rules, rules, games)
        self.export(folder, "--to", "records")
        self.export(folder, "--decisions-to", "moves.parquet")
        self.export(folder, "--decisions-to", "moves.jsonl.zst")
        parts = self.export(folder, "--decisions-to", "parts.parquet", "--games-per-file", str(games // 2))
        expected = list(decisions(folder / "records"))
        rows = self.rows(folder, "moves.parquet")
        self.check(f"{rules}: {len(rows)} rows, {len(expected)} decisions in the records", len(rows) == len(expected) > 0)
        self.check(f"{rules}: two parts: {parts}", "2 files" in parts)
        self.export(folder, "--decisions-to", "dense.parquet", "--dense")
        self.check(f"{rules}: the dense file holds the same rows", self.rows(folder, "dense.parquet") == rows)
        # DuckDB 1 knows no BYTE_STREAM_SPLIT of whole numbers.
        old = [self.python, "-c", OLD, "moves.parquet"]
        done = subprocess.run(old, cwd=folder, capture_output=True, text=True, env={"PYTHONPATH": str(self.place / "duckdb1")})
        self.check(f"{rules}: DuckDB 1.4 reads it: {done.stderr}", done.stdout.split() == [str(len(rows))])
        self.check(f"{rules}: the parts hold the same rows", self.rows(folder, "parts-0000.parquet", "parts-0001.parquet") == rows)
        self.check(f"{rules}: JSON lines hold the same rows", self.lines(folder, "moves.jsonl.zst") == rows)
        different = [(found, row) for found, row in zip(expected, rows)
                     if found != (row["game"], row["seat"], row["action"], row["said"], row["place"])]
        self.check(f"{rules}: the rows are the decisions of the records, in order: {different[:1]}", not different)
        illegal = [row for row in rows if row["action"] is not None and row["refused"] is None and row["action"]["do"] != "say"
                   and row["action"] not in row["legal"] and row["action"]["do"] not in ("call", "glare", "reach", "point_of_order")]
        self.check(f"{rules}: what was accepted was legal: {illegal[:1]}", not illegal)
        foreign = [row for row in rows if (row["action"] or {}).get("do") == "play" and row["refused"] is None
                   and row["action"]["card"] not in row["hand"]]
        self.check(f"{rules}: a card that was played was in the hand: {foreign[:1]}", not foreign)
        agents = collections.Counter(row["agent"] for row in rows)
        size = (folder / "moves.parquet").stat().st_size
        print(f"{rules}: {len(rows)} decisions, {size / len(rows):.1f} bytes each, by agent {dict(agents)}", flush=True)
        return folder

    def judged(self, rules):
        folder = self.begun(f"judged-{rules}", rules, 3)
        done = subprocess.run([self.maumau, "analyse", "league.maumau", "--quick"], cwd=folder, capture_output=True, text=True)
        self.check(f"analyse: {done.stderr}", done.returncode == 0)
        self.export(folder, "--judged-to", "judged.jsonl")
        for name in ("moves.parquet", "moves.jsonl.zst"):
            self.export(folder, "--decisions-to", name)
        rows = self.rows(folder, "moves.parquet")
        self.check(f"{rules}, judged: JSON lines hold the same rows", self.lines(folder, "moves.jsonl.zst") == rows)
        expected = [json.loads(line) for line in (folder / "judged.jsonl").read_text().splitlines()]
        in_millionths = lambda row: [row["number"], row["seat"], *(round(1e6 * row[key]) for key in ("worth", "loss", "loss_error")), row["mark"]]
        found = [[row[key] for key in ("game", "seat", "worth_ppm", "loss_ppm", "loss_error_ppm", "mark")]
                 for row in rows if row["worth_ppm"] is not None]
        self.check(f"{rules}: {len(found)} judged decisions, {len(expected)} in the table of them", len(found) == len(expected) > 0)
        different = [pair for pair in zip(map(in_millionths, expected), found) if pair[0] != pair[1]]
        self.check(f"{rules}: what was judged is the same in both: {different[:1]}", not different)
        bare = [row for row in rows if (row["worth_ppm"] is None) != (row["best"] is None)]
        self.check(f"{rules}: a best action stands beside each judged one alone: {bare[:1]}", not bare)

    def examples(self, folder):
        page = (HERE.parent.parent / "arena" / "docs" / "data.md").read_text()
        blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
        self.check(f"{len(blocks)} examples", len(blocks) == 4)
        for block in blocks:
            done = subprocess.run([self.python, "-c", block], cwd=folder, capture_output=True, text=True)
            self.check(f"an example: {block}{done.stderr}", done.returncode == 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("maumau", nargs="?", default=HERE.parent.parent / "target/release/maumau", type=pathlib.Path)
    parser.add_argument("--games", type=int, default=60)
    options = parser.parse_args()
    options.maumau = str(options.maumau.resolve())
    with tempfile.TemporaryDirectory(prefix="maumau-data-") as folder:
        trial = Trial(options, pathlib.Path(folder))
        trial.install()
        leagues = [trial.league(rules, options.games) for rules in ("basic", "skat", "snap", "spam")]
        for rules in ("skat", "snap", "makao"):
            trial.judged(rules)
        trial.examples(leagues[0])
    print(f"{trial.passed} passed, {trial.failed} failed")
    return 1 if trial.failed else 0


if __name__ == "__main__":
    sys.exit(main())
