"""The benchmark: what is fixed stays fixed, a part says that it is one, and the command prints what the function returns."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

import maumau
from maumau import benchmark


def first(observation, mask):
    return mask.argmax(axis=1)


class Benchmark(unittest.TestCase):
    def test_the_protocol_is_the_documented_one(self):
        self.assertEqual((benchmark.PROTOCOL, benchmark.SEATS, benchmark.DEALS, benchmark.SEED), ("maumau-benchmark/1", (2, 3, 4), 500, 1))
        self.assertEqual(sorted(benchmark.RULES), sorted(maumau.RULE_SETS))

    def test_scores_are_those_of_evaluate_and_do_not_depend_on_threads(self):
        part = {"rules": ["snap"], "seats": [3], "opponents": ["sample:3"], "deals": 6}
        one, other = (benchmark.run(first, **part, threads=threads).rows[0] for threads in (1, 2))
        found = maumau.evaluate(first, against="sample:3", rules="snap", seats=3, deals=6, seed=1)
        for row in (one, other):
            self.assertEqual((row.score, row.low, row.high, row.games), (found.score, found.low, found.high, 18))
        self.assertEqual(one.answers, other.answers)
        self.assertGreater(one.answers, 18)

    def test_a_policy_of_the_shared_encoding_plays_tables_of_all_sizes(self):
        widths = set()

        def policy(observation, mask):
            widths.add(observation.shape[1])
            return mask.argmax(axis=1)

        benchmark.run(policy, rules=["basic", "spam"], opponents=["first"], deals=2, universal=True)
        self.assertEqual(len(widths), 1)

    def run_command(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = benchmark.main([*arguments, "--rules", "basic", "--seats", "2", "--opponents", "first", "--deals", "4"])
        return code, out.getvalue(), err.getvalue()

    def test_the_command_reads_a_policy_from_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "mine.py")
            file.write_text("def choose(observation, mask):\n    return mask.argmax(axis=1)\n")
            code, out, _ = self.run_command(f"{file}:choose", "--json")
            same = benchmark.run(first, rules=["basic"], seats=[2], opponents=["first"], deals=4).rows[0]
            read = json.loads(out)
            self.assertEqual((code, read["protocol"], read["rows"][0]["score"]), (0, "maumau-benchmark/1 (part)", same.score))
            self.assertIn(f"| basic | 2 | first | {same.score:.3f} |", self.run_command(f"{file}:choose")[1])
            for name, words in ((f"{file}:other", "no function other"), (str(file), "expected FILE.py:NAME"), ("no.py:x", "no such file")):
                code, _, err = self.run_command(name)
                self.assertEqual((code, words in err), (2, True), err)

    def test_the_citation_names_the_version_and_the_protocol(self):
        file = next((parent / "CITATION.cff" for parent in Path(__file__).resolve().parents if (parent / "CITATION.cff").exists()), None)
        if file is None:
            self.skipTest("the tests lie outside the repository")
        self.assertIn(f"\nversion: {maumau.__version__}\n", file.read_text())
        self.assertIn(benchmark.PROTOCOL, file.read_text())


if __name__ == "__main__":
    unittest.main()
