"""Decisions as files: of records and of runs, the same rows by both ways."""

import csv
import json
import tempfile
import unittest
from pathlib import Path

import maumau
from maumau import data

LEAGUE = """
rules = "{rules}"
seats = 2
games_per_pairing = 4
public_seed = true
seed = 3
agent = [{{ command = "maumau agent greedy" }}, {{ command = "maumau agent random" }}]
"""
OF_TOURNAMENTS = ("game", "group", "deal", "rotation")


class Export(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.record = maumau.play("greedy", "first", rules="skat", seed=1).record()

    def run_file(self, rules):
        try:
            data.program()
        except FileNotFoundError:
            self.skipTest("the package is installed without its program")
        (self.folder / "league.toml").write_text(LEAGUE.format(rules=rules))
        data.run_program("tournament", "run", "league.toml", "--quiet", folder=self.folder)
        return self.folder / "league.maumau"

    def test_records_and_their_run_have_the_same_rows(self):
        try:
            import polars
            import pyarrow.parquet
        except ImportError:
            self.skipTest("polars or pyarrow is not installed")
        for rules in ("basic", "snap"):
            run = self.run_file(rules)
            data.run_program("tournament", "export", run, "--to", self.folder / rules)
            file = maumau.export(run, self.folder / "moves.parquet")
            meanings = json.loads(pyarrow.parquet.read_metadata(file).metadata[b"maumau"])["meanings"]
            of_run = {}
            for row in polars.read_parquet(file).iter_rows(named=True):
                for name, value in row.items():
                    if name in meanings and value is not None:
                        row[name] = [meanings[name][code] for code in value] if isinstance(value, list) else meanings[name][value]
                of_run.setdefault(row["game"], []).append({name: row[name] for name in row if name not in OF_TOURNAMENTS})
            of_records = []
            for record in sorted((self.folder / rules).glob("*.jsonl")):
                lines = maumau.export(record, self.folder / "moves.jsonl").read_text().splitlines()
                rows = map(json.loads, lines)
                of_records.append([{name: row[name] for name in row if name not in OF_TOURNAMENTS} for row in rows])
            by_text = lambda games: sorted(json.dumps(game, sort_keys=True) for game in games)
            self.assertEqual(by_text(of_records), by_text(of_run.values()))
            self.assertEqual(len(of_records), 4)
            run.unlink()

    def test_every_format_holds_every_row(self):
        rows = [json.loads(line) for line in maumau.export([self.record] * 2, self.folder / "moves.jsonl").read_text().splitlines()]
        self.assertEqual(rows[: len(rows) // 2], rows[len(rows) // 2:])
        with maumau.export(self.record, self.folder / "moves", format="csv").open(newline="") as file:
            self.assertEqual([json.loads(row["hand"]) for row in csv.DictReader(file)], [row["hand"] for row in rows[: len(rows) // 2]])
        try:
            import pyarrow.parquet
        except ImportError:
            return
        table = pyarrow.parquet.read_table(maumau.export(self.record, self.folder / "moves.parquet"))
        self.assertEqual([json.loads(action) for action in table["action"].to_pylist()], [row["action"] for row in rows[: len(rows) // 2]])

    def test_other_rows_of_a_run(self):
        run = self.run_file("basic")
        for rows, count in (("games", 4), ("seats", 8), ("seeds", 4)):
            lines = maumau.export(run, self.folder / "rows", rows=rows, format="csv").read_text().splitlines()
            self.assertEqual(len(lines), 1 + count)
        self.assertEqual(maumau.export(run, self.folder / "moves.jsonl.zst").read_bytes()[:4], b"\x28\xb5\x2f\xfd")
        maumau.export(run, self.folder / "part.parquet", games_per_file=2, dense=True)
        self.assertEqual(len(list(self.folder.glob("part-*.parquet"))), 2)

    def test_what_does_not_fit_is_refused_in_words(self):
        run = self.folder / "none.maumau"
        for error, words, source, path, options in [
            (ValueError, "a path that ends so, found 'moves.txt'", self.record, "moves.txt", {}),
            (ValueError, "rows: expected one of", self.record, "m.csv", {"rows": "moves"}),
            (ValueError, "for runs", self.record, "m.csv", {"rows": "games"}),
            (ValueError, "not jsonl.zst", self.record, "m.jsonl.zst", {}),
            (ValueError, "line 1: ", "{}", "m.csv", {}),
            (ValueError, "are written as parquet or jsonl.zst, not csv", run, "m.csv", {}),
            (FileNotFoundError, "no such run file", run, "m.parquet", {}),
            (FileNotFoundError, "none.jsonl", "none.jsonl", "m.csv", {}),
        ]:
            with self.subTest(words), self.assertRaisesRegex(error, words):
                maumau.export(source, self.folder / path, **options)


if __name__ == "__main__":
    unittest.main()
