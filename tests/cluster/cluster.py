#!/usr/bin/env python3
"""Plays leagues on a cluster of processes while these, the server and the collector are killed, and while results are forged.

    tests/cluster/cluster.py [MAUMAU] [--games N] [--kills N] [--restarts N] [--collector-kills N] [--workers N] [--seed N]
                             [--only PART] [--long]

MAUMAU is the program with the cluster, target/debug/maumau by default; nats-server must be installed. A league of built-in bots is
submitted and played by WORKERS processes. Workers are killed with -9 at random moments and others take their places; so is the
collector; the server is killed and started again. At the end each game is in the run file exactly once, and its tables are those of
one process, byte for byte. Then: formats with rounds, an agent that travels, pages, workers that cannot play a run or whose host is
too busy, a unit that is never handed in, workers that accept only what they say, with --long a server that says nothing, results that are forged, altered or of another run,
games that a run which is played here lends to workers, also those of a club, and a server with passwords and TLS. The last line is `N passed, N failed`.
"""

import argparse
import base64
import contextlib
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.request

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(TOP / "tests"))
from checks import Checks  # noqa: E402
from processes import left_after  # noqa: E402
from server import Client, Server  # noqa: E402

BOTS = ("greedy", "first", "random", "greedy")
PATIENCE_S = 600  # for a short run; long ones have a second for each of so many games
PATIENCE_GAMES = 20


def league(games, extra="", bots=BOTS):
    agents = "".join(f'[[agent]]\nname = "{bot}{place}"\ncommand = "maumau agent {bot}"\n' for place, bot in enumerate(bots))
    pairs = len(bots) * (len(bots) - 1) // 2
    each = max(2, games // pairs // 2 * 2)
    return f'rules = "basic"\nseats = 2\npublic_seed = true\nseed = 7\n{"" if "[schedule]" in extra else f"games_per_pairing = {each}"}\n{extra}\n{agents}'


class Place:
    """A folder, a server, and the processes that work there."""

    def __init__(self, maumau, folder, server, games=0):
        self.maumau, self.folder, self.server = maumau, pathlib.Path(folder), server
        self.patience_s = max(PATIENCE_S, games / PATIENCE_GAMES)
        self.environment = dict(os.environ, NATS_URL=server.url, XDG_CACHE_HOME=str(self.folder / "cache"))

    def start(self, *words, **more):
        log = open(self.folder / f"{words[1]}.log", "ab")
        with log:
            return subprocess.Popen([self.maumau, *map(str, words)], cwd=self.folder, env=self.environment | more.pop("env", {}),
                                    stdout=subprocess.DEVNULL, stderr=log, **more)

    def run(self, *words, env=None):
        done = subprocess.run([self.maumau, *map(str, words)], cwd=self.folder, env=self.environment | (env or {}),
                              capture_output=True, text=True, timeout=self.patience_s)
        return done.returncode, done.stdout, done.stderr

    def tables(self, run):
        code, out, error = self.run("tournament", "show", run)
        return out if code == 0 else f"{code} {error}"

    def worker(self, number=0, *words):
        # Workers share the processors as hosts would not; each plays on one.
        cpus = sorted(os.sched_getaffinity(0))
        return self.start("cluster", "work", "--cpus", f"{cpus[number % len(cpus)]},", *words)


def wait(process, checks, what, patience_s=PATIENCE_S):
    try:
        return process.wait(patience_s)
    except subprocess.TimeoutExpired:
        checks.check(f"{what} has not ended after {patience_s} s", False)
        process.kill()
        return process.wait()


def ends_within(process, seconds):
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def chaos(place, checks, options):
    """Kills at random, as many as `options` say, spread over the run."""
    dice = random.Random(options.seed)
    (place.folder / "chaos.toml").write_text(league(options.games))
    code, out, error = place.run("cluster", "submit", "chaos.toml", "--lease", 4, "--park-after", 50)
    checks.check(f"submit: {code} {out} {error}", code == 0)
    code, out, _ = place.run("cluster", "submit", "chaos.toml", "--lease", 4, "--park-after", 50)
    checks.check(f"submitting again adds nothing: {out}", code == 0 and " 0 new" in out)
    collect = ("cluster", "collect", "chaos", "--to", "chaos.maumau", "--quiet")
    workers = [place.worker(number) for number in range(options.workers)]
    collector = place.start(*collect)
    kinds = ["worker"] * options.kills + ["server"] * options.restarts + ["collector"] * options.collector_kills
    dice.shuffle(kinds)
    units = json.loads(place.run("cluster", "status", "--format", "json")[1])["runs"][0]["units"]
    began, killed_in_play = time.monotonic(), 0
    for place_in_run, kind in enumerate(kinds):
        # The kills are spread over the units, and come at a random moment after a number of results.
        goal = units * (place_in_run + dice.random()) / (len(kinds) + 1)
        while True:
            status = place.run("cluster", "status", "--format", "json")
            done = json.loads(status[1])["runs"][0]["results"] if status[0] == 0 else 0
            if done >= goal or time.monotonic() - began > place.patience_s or ends_within(collector, dice.random() * 0.1):
                break
        if kind == "worker":
            number = dice.randrange(len(workers))
            killed_in_play += workers[number].poll() is None
            workers[number].kill()
            workers[number].wait()
            workers[number] = place.worker(number)
        elif kind == "server":
            place.server.restart()
        elif collector.poll() is None:
            collector.kill()
            collector.wait()
            collector = place.start(*collect)
    code = wait(collector, checks, "the collector", place.patience_s)
    checks.check(f"the collector ends with {code}", code == 0)
    took = time.monotonic() - began
    for worker in workers:
        worker.terminate()
    for worker in workers:
        # One that has only just begun ends by the signal itself.
        code = wait(worker, checks, "a worker")
        checks.check(f"a worker ends when it is asked to: {code}", code in (130, 143, -signal.SIGTERM))
    checks.check(f"{killed_in_play} of {options.kills} kills met a worker", killed_in_play == options.kills)
    same_as_alone(place, checks, "chaos")
    print(f"{options.games} games, {units} units, {options.workers} workers: {options.kills} workers killed, {options.restarts} "
          f"restarts of the server, {options.collector_kills} of the collector: {took:.1f} s")


def same_as_alone(place, checks, name):
    """The tables are those of one process, and each game is there once."""
    code, out, error = place.run("tournament", "run", f"{name}.toml", "--run", f"{name}-alone.maumau", "--quiet")
    checks.check(f"{name}: the run of one process: {code} {error}", code == 0)
    alone, together = place.tables(f"{name}-alone.maumau"), place.tables(f"{name}.maumau")
    checks.check(f"{name}: the tables differ:\n{alone}\n{together}", alone == together and "interval" in alone)
    games = []
    for run in (f"{name}.maumau", f"{name}-alone.maumau"):
        code, out, _ = place.run("verify", "--format", "json", run)
        games.append([game.get("digest") for game in json.loads(out)["records"]] if code == 0 else [])
    checks.check(f"{name}: each game once, with the digest that it has alone", games[0] == games[1] and games[0])


def rounds(place, checks, _):
    """A format whose rounds follow from results, and one that stops by itself; the collector is killed between rounds."""
    swiss = 'games_per_pairing = 8\n[schedule]\nformat = "swiss"\nrounds = 4'
    stop = '[schedule]\nformat = "sample"\n[stop]\ngames = 400'
    for name, extra in (("swiss", swiss), ("stop", stop)):
        (place.folder / f"{name}.toml").write_text(league(0, extra))
        code, out, error = place.run("cluster", "submit", f"{name}.toml", "--unit-games", 8)
        checks.check(f"{name}: submit: {code} {out} {error}", code == 0 and "rounds" in out)
        worker = place.worker()
        for after_s in (0.5, 1.0):
            collector = place.start("cluster", "collect", name, "--to", f"{name}.maumau")
            try:
                collector.wait(after_s)
            except subprocess.TimeoutExpired:
                collector.kill()
                collector.wait()
        code, out, error = place.run("cluster", "collect", name, "--to", f"{name}.maumau")
        checks.check(f"{name}: collect: {code} {out} {error}", code == 0)
        code, out, error = place.run("cluster", "collect", name, "--to", f"{name}-second.maumau")
        checks.check(f"{name}: a second collector comes to the same: {code} {out} {error}",
                     code == 0 and place.tables(f"{name}-second.maumau") == place.tables(f"{name}.maumau"))
        worker.terminate()
        wait(worker, checks, "a worker")
        same_as_alone(place, checks, name)


def travel(place, checks, _):
    """An agent with a folder comes as an archive, or is there already and checked by its digest."""
    folder = place.folder / "traveller"
    shutil.copytree(TOP / "agents/python", folder, ignore=shutil.ignore_patterns("__pycache__", "test*"))
    text = league(40, bots=BOTS[:2]) + f'[[agent]]\nname = "mine"\ncommand = "python3 careful_bot.py"\ndirectory = "{folder}"\n'
    (place.folder / "travel.toml").write_text(text)
    code, out, error = place.run("cluster", "submit", "travel.toml")
    checks.check(f"travel: submit: {code} {out} {error}", code == 0 and "archives of" in out)
    # The worker has the archive alone.
    folder.rename(place.folder / "elsewhere")
    code, _, error = place.run("cluster", "work", "travel", "--until-idle")
    checks.check(f"travel: work: {code} {error}", code == 0)
    (place.folder / "elsewhere").rename(folder)
    code, out, error = place.run("cluster", "collect", "travel", "--to", "travel.maumau")
    checks.check(f"travel: collect: {code} {out} {error}", code == 0)
    same_as_alone(place, checks, "travel")

    code, _, error = place.run("cluster", "submit", "travel.toml", "--name", "present", "--present")
    checks.check(f"present: submit: {code} {error}", code == 0)
    code, _, error = place.run("cluster", "work", "present", "--until-idle")
    checks.check(f"a worker without the agent names it: {error}", code == 1 and 'agent "mine"' in error and "--agents" in error)
    have = place.folder / "have"
    shutil.copytree(folder, have / "mine")
    with open(have / "mine" / "careful_bot.py", "a") as bot:
        bot.write("# another version\n")
    code, _, error = place.run("cluster", "work", "present", "--until-idle", "--agents", have)
    checks.check(f"a worker with another version names it: {error}", code == 1 and "another version" in error)
    shutil.copy(folder / "careful_bot.py", have / "mine" / "careful_bot.py")
    code, _, error = place.run("cluster", "work", "present", "--until-idle", "--agents", have)
    checks.check(f"a worker with the same files plays: {error}", code == 0)
    code, _, error = place.run("cluster", "collect", "present", "--to", "present.maumau")
    checks.check(f"present: {error}", code == 0 and place.tables("present.maumau") == place.tables("travel.maumau"))


def pages(place, checks, _):
    """While a run is collected its pages show the tables as they grow, and the workers. A worker that waits gets the last unit, which
    was in the hands of one that is never heard of again."""
    (place.folder / "pages.toml").write_text(league(64, bots=BOTS[:2]))
    code, _, error = place.run("cluster", "submit", "pages.toml", "--unit-games", 16, "--lease", 10)
    checks.check(f"pages: submit: {error}", code == 0)
    collector = subprocess.Popen([place.maumau, "cluster", "collect", "pages", "--to", "pages.maumau", "--quiet", "--serve", "--addr", "127.0.0.1:0"],
                                 cwd=place.folder, env=place.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    address = re.search(r"http://\S+/", collector.stderr.readline())[0]

    def page(path):
        with urllib.request.urlopen(address + path) as answer:
            return answer.headers["Refresh"], answer.read().decode()

    refresh, nobody = page("workers")
    checks.check(f"nobody plays yet: {nobody}", refresh == "2" and "0 of 4 units have results" in nobody and "No worker" in nobody)
    client = Client(place.server)
    client.request("$JS.API.CONSUMER.MSG.NEXT.maumau-work-pages.workers", b'{"batch":1,"expires":5000000000}')
    client.close()
    worker = place.worker(0, "pages")
    until = time.monotonic() + PATIENCE_S
    while "Processors" not in (shown := page("workers")[1]) and time.monotonic() < until and not ends_within(collector, 0.2):
        pass
    checks.check(f"the page has a row for the worker: {shown}", "Processors" in shown and "of 4 units have results" in shown)
    checks.check("the standings are there", "greedy0" in page("")[1])
    _, error = collector.communicate(timeout=PATIENCE_S)
    checks.check(f"all is collected, and the pages end: {collector.returncode} {error}", collector.returncode == 0)
    worker.terminate()
    wait(worker, checks, "a worker")


def refusals(place, checks, _):
    """A worker that cannot give what a run needs leaves it to others, and names the reason."""
    secret = league(40, bots=BOTS[:2]) + '[[agent]]\nname = "mine"\ncommand = "maumau agent first"\nsecrets = ["CLUSTER_SECRET"]\n'
    (place.folder / "secret.toml").write_text(secret)
    code, _, error = place.run("cluster", "submit", "secret.toml")
    checks.check(f"secret: submit needs no secret: {error}", code == 0)
    accepting = ("--accept-secret", "CLUSTER_SECRET")
    code, _, error = place.run("cluster", "work", "secret", "--until-idle", *accepting)
    checks.check(f"a worker without the secret names it: {error}", code == 1 and "CLUSTER_SECRET" in error and "export" in error)
    code, _, error = place.run("cluster", "work", "secret", "--until-idle", *accepting, env={"CLUSTER_SECRET": "hush-hush"})
    checks.check(f"a worker with the secret plays: {error}", code == 0)
    code, _, error = place.run("cluster", "collect", "secret", "--to", "secret.maumau")
    checks.check(f"secret: collect: {error}", code == 0)
    stored = b"".join(path.read_bytes() for path in place.folder.rglob("*") if path.is_file())
    checks.check("the secret is nowhere in the server, the run file or a log", b"hush-hush" not in stored)

    code, _, error = place.run("cluster", "submit", "secret.toml", "--seed", 8)
    checks.check(f"another run of the same name is refused: {error}", code == 2 and "is another run" in error)
    for words, says in ((("--nats", "nats://me:word@127.0.0.1"), "must not hold a password"), (("--creds", "none"), "there is no file")):
        code, _, error = place.run("cluster", "status", *words)
        checks.check(f"{words}: {error}", code == 2 and says in error)
    code, _, error = place.run("cluster", "collect", "nothing", "--to", "nothing.maumau")
    checks.check(f"a run that is not there: {error}", code == 2 and "there is no run nothing" in error)


def parked(place, checks, _):
    """A unit that a worker has not handed in too often is parked and named, the others are played, and it can be tried again."""
    (place.folder / "parked.toml").write_text(league(64, bots=BOTS[:2]))
    submit = ("cluster", "submit", "parked.toml", "--lease", 2, "--park-after", 1, "--unit-games", 16)
    code, _, error = place.run(*submit)
    checks.check(f"parked: submit: {error}", code == 0)
    # A worker that takes a unit and is never heard of again.
    client = Client(place.server)
    unit = client.request("$JS.API.CONSUMER.MSG.NEXT.maumau-work-parked.workers", b'{"batch":1,"expires":5000000000}')["number"]
    client.close()
    code, _, error = place.run("cluster", "work", "parked", "--until-idle")
    checks.check(f"parked: work: {error}", code == 0)
    status = json.loads(place.run("cluster", "status", "--format", "json")[1])
    [run] = [run for run in status["runs"] if run["name"] == "parked"]
    checks.check(f"the status names the unit: {run}", [(failed["unit"], failed["parked"]) for failed in run["failures"]] == [(unit, True)])
    code, out, error = place.run("cluster", "collect", "parked", "--to", "parked.maumau")
    checks.check(f"the collector names the unit: {code} {out} {error}", code == 1 and f"unit {unit} is parked" in out)
    code, out, error = place.run(*submit)
    checks.check(f"the unit is submitted again: {out} {error}", code == 0 and "1 new" in out)
    place.run("cluster", "work", "parked", "--until-idle")
    code, out, error = place.run("cluster", "collect", "parked", "--to", "parked.maumau")
    checks.check(f"and is played: {code} {out} {error}", code == 0)
    same_as_alone(place, checks, "parked")


def frozen(place, checks, _):
    """A server that is silent until connections to it are given up: one worker and the collector go on when it is back."""
    (place.folder / "frozen.toml").write_text(league(1_000))
    code, _, error = place.run("cluster", "submit", "frozen.toml", "--unit-games", 16)
    checks.check(f"frozen: submit: {error}", code == 0)
    worker, collector = place.worker(0, "frozen"), place.start("cluster", "collect", "frozen", "--to", "frozen.maumau", "--quiet")
    while json.loads(status(place, checks))["runs"][-1]["results"] == 0 and not ends_within(collector, 0.1):
        pass
    place.server.freeze(True)
    ends_within(worker, 25)
    place.server.freeze(False)
    code = wait(collector, checks, "the collector")
    checks.check(f"the collector ends with {code}", code == 0)
    worker.terminate()
    wait(worker, checks, "a worker")
    same_as_alone(place, checks, "frozen")


def status(place, checks):
    code, out, error = place.run("cluster", "status", "--format", "json")
    checks.check(f"status: {code} {error}", code == 0)
    return out


def drained(place, checks, _):
    """A worker whose host keeps its agents from answering in time takes no more units and is named; another one plays the rest."""
    kit = place.folder / "busy"
    kit.mkdir()
    for file in ("agents/python/maumau_kit.py", "tests/cluster/slow_bot.py"):
        shutil.copy(TOP / file, kit)
    agents = "".join(f'[[agent]]\nname = "busy{n}"\ncommand = "python3 slow_bot.py busy"\ndirectory = "{kit}"\n' for n in range(2))
    text = f'rules = "basic"\nseats = 2\npublic_seed = true\nseed = 7\ngames_per_pairing = 24\n[options]\nturn_cap = 20\n[time]\nmove_ms = 200\n{agents}'
    (place.folder / "drained.toml").write_text(text)
    code, _, error = place.run("cluster", "submit", "drained.toml", "--unit-games", 2)
    checks.check(f"drained: submit: {error}", code == 0)
    # So many agents at once want this processor that each waits for it longer than it has.
    worker = place.worker(0, "drained", "--slots", 24)
    code = wait(worker, checks, "the worker of a busy host")
    checks.check(f"the worker ends by itself: {code}", code == 3)
    status = json.loads(place.run("cluster", "status", "--format", "json")[1])
    drained = [worker["what"] for worker in status["workers"] if worker["state"] == "drained"]
    checks.check(f"the status names it: {status['workers']}", len(drained) == 1 and "the host is to blame" in drained[0])
    code, out, error = place.run("cluster", "work", "drained", "--until-idle", "--slots", 1)
    checks.check(f"another worker plays the rest: {code} {out} {error}", code == 0)
    code, out, error = place.run("cluster", "collect", "drained", "--to", "drained.maumau")
    checks.check(f"all games are there: {code} {out} {error}", code == 0)


def forged(place, checks, _):
    """Results that are garbage, altered, of another run or of another unit are refused and named, and their units played again."""
    (place.folder / "forged.toml").write_text(league(96, bots=BOTS[:3]))
    for name, seed in (("forged", 7), ("other", 8)):
        code, _, error = place.run("cluster", "submit", "forged.toml", "--name", name, "--seed", seed, "--unit-games", 16)
        checks.check(f"{name}: submit: {error}", code == 0)
    code, _, error = place.run("cluster", "work", "other", "--until-idle")
    checks.check(f"other: work: {error}", code == 0)
    client = Client(place.server)

    def result(number):
        answer = client.request("$JS.API.STREAM.MSG.GET.maumau-results-other",
                                json.dumps({"last_by_subj": f"maumau.results.other.{number}"}).encode())
        return base64.b64decode(answer["message"]["data"])

    def publish(name, number, body, digest=None):
        headers = {"Nats-Msg-Id": digest or hashlib.sha256(body).hexdigest()}
        answer = client.request(f"maumau.results.{name}.{number}", body, headers)
        checks.check(f"the forged result of unit {number} reaches the server: {answer}", "error" not in answer)

    publish("forged", 0, b"garbage")
    publish("forged", 1, result(1))  # of another run
    publish("forged", 2, result(2), "0" * 64)
    publish("forged", 99, b"no unit")  # of no unit
    worker = place.worker(0, "forged", "other")
    code, out, error = place.run("cluster", "collect", "forged", "--to", "forged.maumau")
    checks.check(f"forged: collect: {code} {out}\n{error}", code == 0 and "4 results refused" in out)
    for says in ("unit 0", "no head", "of another unit or another run", "changed on the way",
                 "unit 99, which the run does not have"):
        checks.check(f"the collector names {says!r}: {error}", says in error)
    same_as_alone(place, checks, "forged")

    # One bit of one game of a sound result is altered, and everything that a forger can compute is right.
    body = bytearray(result(3))
    answer = client.request("$JS.API.STREAM.MSG.GET.maumau-results-other",
                            json.dumps({"last_by_subj": "maumau.results.other.3"}).encode())
    client.request("$JS.API.STREAM.MSG.DELETE.maumau-results-other", json.dumps({"seq": answer["message"]["seq"]}).encode())
    body[body.index(b"\n") + 6] ^= 1
    publish("other", 3, bytes(body))
    client.close()
    code, out, error = place.run("cluster", "collect", "other", "--to", "other.maumau")
    checks.check(f"an altered game is refused: {code} {out} {error}", code == 0 and "1 result refused" in out and "unit 3" in error)
    worker.terminate()
    wait(worker, checks, "a worker")


def accepted(place, checks, _):
    """A worker plays nothing that its command line does not accept: no run without a sandbox, no secret, no file of the machine."""
    private = place.folder / "private"
    private.mkdir()
    (private / "key").write_text("a key of the worker")
    agents = ('[[agent]]\nname = "taker"\ncommand = "maumau agent first"\nsecrets = ["WORKER_SECRET"]\nnetwork = true\n'
              f'host = "model:443"\nenv = {{ MODEL = "x" }}\nread = ["{private}/key"]\n'
              '[[agent]]\nname = "other"\ncommand = "maumau agent greedy"\n')
    secret = {"WORKER_SECRET": "the worker's own"}
    text = f'rules = "basic"\nseats = 2\nseed = 7\ngames_per_pairing = 4\n[sandbox]\nlevel = "none"\n{agents}'
    (place.folder / "accepted.toml").write_text(text)
    code, _, error = place.run("cluster", "submit", "accepted.toml", env=secret)
    checks.check(f"accepted: submit: {error}", code == 0)
    options = ("--accept-level none", "--accept-secret WORKER_SECRET", "--accept-network", "--accept-host model:443",
               "--accept-env MODEL", f"--accept-read {private}/key")
    code, _, error = place.run("cluster", "work", "accepted", "--until-idle", env=secret)
    checks.check(f"a worker accepts nothing by itself: {code} {error}",
                 code == 1 and "more than this worker accepts" in error and all(option in error for option in options))
    for left_out in options:
        words = [word for option in options if option != left_out for word in option.split(" ", 1)]
        code, _, error = place.run("cluster", "work", "accepted", "--until-idle", *words, env=secret)
        named = [option for option in options if option in error]
        checks.check(f"it names what is missing, {left_out}: {code} {error}", code == 1 and named == [left_out])
    words = [word for option in options for word in option.split(" ", 1)]
    code, _, error = place.run("cluster", "work", "accepted", "--until-idle", *words, env=secret)
    checks.check(f"it plays what it accepts: {code} {error}", code == 0)
    code, _, error = place.run("cluster", "remove", "accepted")
    checks.check(f"accepted: remove: {error}", code == 0)


def played_elsewhere(run):
    """The games of a run that workers have played."""
    with contextlib.closing(sqlite3.connect(f"file:{run}?mode=ro", uri=True)) as file:
        found = file.execute("SELECT value FROM meta WHERE key = 'hosts'").fetchone()
    return sum(host["games"] for host in json.loads(found[0]).values()) if found else 0


def until(happened, patience_s=PATIENCE_S):
    """Waits until it has happened; whether it has."""
    began = time.monotonic()
    while not happened():
        if time.monotonic() - began > patience_s:
            return False
        time.sleep(0.1)
    return True


def lent(place, checks, _):
    """A run that is played here lends games: while workers and the server are killed, while an agent joins, and once all workers are gone."""
    folder, run = place.folder, place.folder / "lent.maumau"
    (folder / "lent.toml").write_text(league(6_000))
    workers = [place.worker(number) for number in range(2)]
    here = ("tournament", "run", "lent.toml", "--quiet", "--lend", "--cpus", "0,")
    playing = place.start(*here)
    checks.check("lent: workers play games", until(lambda: run.exists() and played_elsewhere(run) > 50 or ends_within(playing, 0.1)))
    workers[0].kill()
    workers[0].wait()
    workers[0] = place.worker(0)
    place.server.restart()
    before = played_elsewhere(run)
    checks.check("lent: after a restart of the server workers play on", until(lambda: played_elsewhere(run) > before or ends_within(playing, 0.1)))
    playing.kill()
    playing.wait()
    playing = place.start(*here)
    checks.check("lent: after a kill it goes on", until(lambda: played_elsewhere(run) > before + 100 or ends_within(playing, 0.1)))
    for worker in workers:
        worker.kill()
        worker.wait()
    code = wait(playing, checks, "a run without its workers", place.patience_s)
    checks.check(f"lent: what killed workers had is played here: {code} {played_elsewhere(run)}", code == 0)
    same_as_alone(place, checks, "lent")
    workers = [place.worker(number) for number in range(2)]
    (folder / "shared.toml").write_text(league(2_000))
    playing, shared = place.start("tournament", "run", "shared.toml", "--quiet", "--lend", "--cpus", "0,"), folder / "shared.maumau"
    checks.check("lent: two workers play", until(lambda: shared.exists() and played_elsewhere(shared) > 50 or ends_within(playing, 0.1)))
    workers[0].kill()
    workers[0].wait()
    code = wait(playing, checks, "a run one of whose workers was killed", place.patience_s)
    checks.check(f"lent: what one worker had another plays: {code}", code == 0)
    workers[1].terminate()
    wait(workers[1], checks, "a worker")
    same_as_alone(place, checks, "shared")
    code, out, error = place.run("cluster", "status", "--format", "json")
    names = [run["name"] for run in json.loads(out)["runs"]] if code == 0 else [error]
    checks.check(f"lent: no run is left on the server: {names}", not any(name.startswith(("lent-", "shared-")) for name in names))
    club(place, checks)


def club(place, checks):
    """A club lends the games of its season, also those of a version that joins meanwhile."""
    folder = place.folder
    run = folder / "club/season/season.maumau"
    code, _, error = place.run("club", "new", "club", "--sandbox", "basic")
    checks.check(f"club: {code} {error}", code == 0)
    worker = place.worker(1)
    serving = place.start("club", "serve", "club", "--addr", "127.0.0.1:0", "--nats", place.server.url)
    checks.check("club: a worker plays games of the season", until(lambda: run.exists() and played_elsewhere(run) > 20 or ends_within(serving, 0.1)))
    code, out, error = place.run("tournament", "add", run, "newcomer", "--command", "maumau agent first")
    checks.check(f"club: an agent joins while games are lent: {code} {out} {error}", code == 0)
    before = played_elsewhere(run)
    checks.check("club: games are lent after that, too", until(lambda: played_elsewhere(run) > before + 20 or ends_within(serving, 0.1)))
    serving.send_signal(signal.SIGTERM)
    code = wait(serving, checks, "a club")
    checks.check(f"club: it ends when it is asked to: {code}", code in (0, 130, 143, -signal.SIGTERM))
    worker.terminate()
    wait(worker, checks, "a worker")
    code, out, error = place.run("verify", run)
    checks.check(f"club: every game verifies: {code} {error}", code == 0 and out.rstrip().endswith(" 0 failed"))


def secured(place, checks, _):
    """A server that asks for a password, encrypts, and wants certificates of its clients."""
    folder = place.folder / "secured"
    folder.mkdir()

    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, capture_output=True)

    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=maumau test")
    for name in ("server", "client"):
        (folder / f"{name}.ext").write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
        openssl("req", *key, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", "/CN=localhost")
        openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile",
                f"{name}.ext", "-out", f"{name}.pem")
    # The file that the documents show, with clients' certificates besides.
    shown = (TOP / "arena/docs/cluster.md").read_text().split("```text\nlisten: ")[1].split("```")[0]
    shown = re.sub(r"(?m)^jetstream .*\n", "", "listen: " + shown).replace("/etc/maumau", str(folder))
    shown = shown.replace('/server.key" }', f'/server.key", ca_file: "{folder}/ca.pem", verify: true }}')
    for user in ("organiser", "worker", "submitter"):
        shown = shown.replace(f"PASSWORD-OF-{user.upper()}", f"{user}, not on a command line")
        (folder / f"password-{user}").write_text(f"{user}, not on a command line\n")
    (folder / "nats.conf").write_text(shown)
    server = Server(folder, words=("-c", folder / "nats.conf"))
    try:
        there = Place(place.maumau, folder, server)
        there.environment["NATS_URL"] = f"tls://localhost:{server.port}"
        (folder / "secured.toml").write_text(league(40, bots=BOTS[:2]))
        trust, own = ("--tls-ca", "ca.pem"), ("--tls-cert", "client.pem", "--tls-key", "client.key")
        user = ("--user", "organiser", "--password-file", "password-organiser")
        for lacks, words in (("certificates to trust", (*own, *user)), ("a certificate", (*trust, *user))):
            code, _, error = there.run("cluster", "submit", "secured.toml", *words)
            checks.check(f"without {lacks} the server cannot be reached: {code} {error}", code == 3 and "cannot be reached" in error)
        others = ("--user", "organiser", "--password-file", "password-worker")
        for what, words in (("no user", (*trust, *own)), ("another's password", (*trust, *own, *others))):
            code, _, error = there.run("cluster", "submit", "secured.toml", *words)
            checks.check(f"{what} is refused in one sentence: {code} {error}",
                         code == 3 and "refuses this user" in error and error.count("\n") == 1)
        access = ("--tls", *trust, *own, *user)

        def as_user(name):
            return ("--tls", *trust, *own, "--user", name, "--password-file", f"password-{name}")

        code, _, error = there.run("cluster", "status", *access)
        checks.check(f"secured: the organiser's status makes what others use: {error}", code == 0)
        code, _, error = there.run("cluster", "submit", "secured.toml", *as_user("worker"))
        checks.check(f"secured: a worker may not submit: {code} {error}", code == 3 and "does not permit this user" in error)
        code, _, error = there.run("cluster", "submit", "secured.toml", *as_user("submitter"))
        checks.check(f"secured: submit: {error}", code == 0)
        code, _, error = there.run("cluster", "work", "--until-idle", *as_user("worker"))
        checks.check(f"secured: work: {error}", code == 0)
        environment = {"NATS_PASSWORD": "organiser, not on a command line"}
        code, _, error = there.run("cluster", "collect", "secured", "--to", "secured.maumau", *access[:-2], env=environment)
        checks.check(f"secured: collect, with the password in the environment: {error}", code == 0)
        same_as_alone(there, checks, "secured")
    finally:
        server.kill()


# The pages come first: they begin where no worker has been.
PARTS = {part.__name__: part for part in (pages, chaos, rounds, travel, refusals, accepted, parked, drained, frozen, forged, lent, secured)}
LONG = ("frozen",)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("maumau", nargs="?", default=TOP / "target/debug/maumau", type=pathlib.Path)
    parser.add_argument("--games", type=int, default=2_000)
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--restarts", type=int, default=1)
    parser.add_argument("--collector-kills", type=int, default=2)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=PARTS, action="append")
    parser.add_argument("--long", action="store_true", help="also the parts that mostly wait")
    options = parser.parse_args()
    checks = Checks()
    with tempfile.TemporaryDirectory(prefix="maumau-cluster-") as folder:
        server = Server(folder)
        try:
            for name in options.only or [name for name in PARTS if options.long or name not in LONG]:
                began = time.monotonic()
                PARTS[name](Place(options.maumau.resolve(), folder, server, options.games), checks, options)
                print(f"{name}: {time.monotonic() - began:.1f} s", flush=True)
        finally:
            server.kill()
        left = left_after(folder, 10)
        checks.check(f"processes are left: {left}", not left)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 0 if checks.failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
