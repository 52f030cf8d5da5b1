#!/usr/bin/env python3
"""Whether agents have what they are permitted and no more, and whether a secret is written anywhere.

    tests/torture/permits.py [MAUMAU] [--sandbox LEVEL]... [--sandbox-user NAME]

A bot that says on stderr what it can do, and then ends, plays in a league with permits and in one without. The last line is
`N passed, N failed`.
"""

import argparse
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SECRET = "sk-0123456789-secret"
BOT = """
import json, os, socket, sys
def attempt(what, act):
    try:
        print("can", what, act(), file=sys.stderr)
    except Exception as error:
        print("cannot", what, error, file=sys.stderr)
attempt("plain", lambda: os.environ["PLAIN"])
attempt("secret", lambda: os.environ["API_KEY"])
attempt("hidden", lambda: os.environ["HIDDEN"])
attempt("connect", lambda: socket.create_connection(("127.0.0.1", {port}), 5).close())
attempt("listen", lambda: socket.create_server(("127.0.0.1", 0)).close())
attempt("read", lambda: open("{weights}").read())
attempt("see", lambda: any(":{port:04X} " in line for line in open("/proc/self/net/tcp")))
print("started", file=sys.stderr, flush=True)
input()
print('{{"type":"ready","protocol":"maumau/1","name":"bot"}}', flush=True)
sys.exit(3)
"""
PERMITS = 'env = {{ PLAIN = "plain value" }}\nsecrets = ["API_KEY"]\nread = ["{weights}"]\nnetwork = true\n'
# What the bot says: with permits, without.
EXPECTED = [("can plain plain value", "cannot plain"), ("can secret [secret API_KEY]", "cannot secret"),
            ("cannot hidden", "cannot hidden"), ("can connect", "cannot connect"), ("cannot listen", "cannot listen"),
            ("can read weights", "cannot read"), ("can see True", "can see False")]


class Trial:
    def __init__(self, options):
        self.options, self.passed, self.failed = options, 0, 0

    def check(self, what, good, why=""):
        self.passed, self.failed = self.passed + bool(good), self.failed + (not good)
        if not good:
            print(f"FAILED: {what}: {why}", flush=True)

    def run(self, folder, level, port, permitted):
        place = pathlib.Path(folder)
        (place / "bot").mkdir()
        (place / "elsewhere").mkdir()
        weights = place / "elsewhere" / "weights"
        weights.write_text("weights")
        (place / "bot" / "bot.py").write_text(BOT.format(port=port, weights=weights))
        league = (f'rules = "basic"\nseats = 2\nrounds = 1\ngames_per_pairing = 2\n[sandbox]\nlevel = "{level}"\n'
                  f'[[agent]]\nname = "bot"\ncommand = "/usr/bin/python3 {place}/bot/bot.py"\n')
        league += PERMITS.format(weights=weights) if permitted else ""
        (place / "league.toml").write_text(league + '[[agent]]\ncommand = "maumau agent first"\n')
        words = [self.options.maumau, "tournament", "run", "league.toml", "--run", "run.maumau", "--all"]
        words += ["--sandbox-user", self.options.sandbox_user] if self.options.sandbox_user else []
        environment = {**os.environ, "API_KEY": SECRET, "HIDDEN": "hidden", "MAUMAU_LOG": "trace"}
        name = f"{level}, {'with' if permitted else 'without'} permits"
        if permitted:
            bare = {key: value for key, value in environment.items() if key != "API_KEY"}
            done = subprocess.run(words, cwd=folder, env=bare, capture_output=True, text=True)
            self.check(f"{name}: a secret is missing", done.returncode == 2 and "API_KEY" in done.stderr, done.stderr)
            self.check(f"{name}: nothing has begun", not (place / "run.maumau").exists())
        done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True)
        self.check(f"{name}: it is played", done.returncode == 0, done.stderr)
        subprocess.run([self.options.maumau, "tournament", "export", "run.maumau", "--to", "records"], cwd=folder, check=True,
                       capture_output=True)
        pages = "".join(page.read_text() for page in (place / "run.fault-reports").glob("*.txt"))
        for said in EXPECTED:
            self.check(f"{name}: {said[not permitted]!r}", said[not permitted] in pages, pages[-1500:])
        written = b"".join(path.read_bytes() for path in place.rglob("*") if path.is_file())
        written += done.stdout.encode() + done.stderr.encode()
        self.check(f"{name}: the secret is written nowhere", SECRET.encode() not in written)
        header = json.loads(next((place / "records").glob("*.jsonl")).read_text().splitlines()[0])
        expected = {"env": ["PLAIN"], "secrets": ["API_KEY"], "read": [str(weights)], "network": True}
        found = [permits for permits in header["meta"].get("permits", []) if permits]
        self.check(f"{name}: the record names what is permitted", found == ([expected] if permitted else []), header["meta"])
        self.check(f"{name}: so do the tables", ("Permitted to bot: network; env PLAIN" in done.stdout) == permitted, done.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("maumau", nargs="?", default=HERE.parent.parent / "target/release/maumau", type=pathlib.Path)
    parser.add_argument("--sandbox", action="append")
    parser.add_argument("--sandbox-user")
    options = parser.parse_args()
    options.maumau = str(options.maumau.resolve())
    trial = Trial(options)
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        for level in options.sandbox or ["basic"]:
            for permitted in (True, False):
                # A folder of its own that is not one for everybody.
                with tempfile.TemporaryDirectory(prefix="maumau-permits-") as folder:
                    os.chmod(folder, 0o755)
                    trial.run(folder, level, server.getsockname()[1], permitted)
    print(f"{trial.passed} passed, {trial.failed} failed")
    return 1 if trial.failed else 0


if __name__ == "__main__":
    sys.exit(main())
