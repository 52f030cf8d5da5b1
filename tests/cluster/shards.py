#!/usr/bin/env python3
"""Plays a league in parts by the examples of arena/docs/cluster.md as they stand there, and compares the merged tables.

    tests/cluster/shards.py [MAUMAU]

GNU parallel gets the example's command, with this machine alone as its hosts. Of the Kubernetes job, whose form is checked if Python's
`kubernetes-validate` is installed, the command is run once for each index, as a cluster would. The Slurm example is run by slurm.sh.
MAUMAU is target/release/maumau by default. What is not installed is left out, which is said. The last line is `N passed, N failed`.
"""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests"))
from checks import Checks  # noqa: E402
from cluster import league  # noqa: E402


def example(name):
    """The lines of the example that follows `name` in the document."""
    text = (TOP / "arena/docs/cluster.md").read_text()
    return textwrap.dedent(re.search(rf"\*\*{name}\*\*[^\n]*\n\n((?:    .*\n)+)", text)[1])


class Folder:
    """A folder with the league, in which `maumau` is the program that is tested."""

    def __init__(self, path, maumau):
        self.path = pathlib.Path(path)
        self.environment = dict(os.environ, PATH=f"{maumau.parent}:{os.environ['PATH']}")
        (self.path / "my-league.toml").write_text(league(1_200, bots=("greedy", "first", "random")))

    def run(self, *words, **more):
        done = subprocess.run(words, cwd=self.path, env=self.environment | more, capture_output=True, text=True, timeout=600)
        return done.returncode, (done.stdout + done.stderr)[-10_000:]

    def tables(self, run):
        return self.run("maumau", "tournament", "show", run)[1]


def parallel(folder, checks):
    if not shutil.which("parallel"):
        return print("GNU parallel is left out: apt-get install parallel")
    (folder.path / "hosts").write_text(":\n")
    code, printed = folder.run("sh", "-c", example("GNU parallel"))
    checks.check(f"GNU parallel: {code} {printed}", code == 0)


def kubernetes(folder, checks):
    job = example("Kubernetes")
    (folder.path / "job.yaml").write_text(job)
    if importlib.util.find_spec("kubernetes_validate"):
        code, printed = folder.run(sys.executable, "-m", "kubernetes_validate", "job.yaml")
        checks.check(f"the job's form: {code} {printed}", code == 0 and "passed" in printed)
    else:
        print("the job's form is left unchecked: pip install kubernetes-validate")
    command = re.search(r"^ *args: \['(.*)'\]$", job, re.MULTILINE)[1]
    for index in range(int(re.search(r"completions: (\d+)", job)[1])):
        code, printed = folder.run("sh", "-c", command, JOB_COMPLETION_INDEX=str(index))
        checks.check(f"the pod {index}: {code} {printed}", code == 0)


def main():
    maumau = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else TOP / "target/release/maumau").resolve()
    if maumau.name != "maumau":
        raise SystemExit(f"{maumau}: the examples call the program `maumau`, so its file must be named so")
    checks = Checks()
    for play in (parallel, kubernetes):
        with tempfile.TemporaryDirectory(prefix="maumau-shards-") as path:
            folder = Folder(path, maumau)
            play(folder, checks)
            parts = sorted(part.name for part in folder.path.glob("part-*.maumau"))
            if not parts:
                continue
            code, printed = folder.run("maumau", "tournament", "merge", *reversed(parts), "--to", "whole.maumau")
            checks.check(f"merge of {len(parts)} parts: {code} {printed}", code == 0 and len(parts) == 8)
            folder.run("maumau", "tournament", "run", "my-league.toml", "--run", "alone.maumau", "--quiet")
            whole, alone = folder.tables("whole.maumau"), folder.tables("alone.maumau")
            checks.check(f"{play.__name__}: the tables differ:\n{whole}\n{alone}", whole == alone and "interval" in whole)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 0 if checks.failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
