"""A club that scripts serve, speak to as its members do, and kill. It checks nothing: what is expected is the caller's matter."""

import hashlib
import http.client
import io
import json
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import tarfile
import threading
import time

TOP = pathlib.Path(__file__).resolve().parent.parent.parent
KIT = (TOP / "agents/python/maumau_kit.py").read_bytes()
BOT = """from maumau_kit import Bot, run


class First(Bot):
    def choose(self, ask):
        return ask["legal"][0]


run(First, name="first", games=16)  # {}
"""
# How long one answer, the start and the end of a club may take.
ANSWERED_WITHIN_S = 30.0
STARTED_WITHIN_S = 60.0
ENDED_WITHIN_S = 90.0


def packed(files):
    """A tar file of plain files, from their names to their bytes; the same files give the same bytes."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for name in sorted(files):
            header = tarfile.TarInfo(name)
            header.size = len(files[name])
            tar.addfile(header, io.BytesIO(files[name]))
    return archive.getvalue()


def python_bot(remark, **more):
    """The archive of a Python bot; another `remark` makes another version. `more` are further lines of its bot.toml."""
    manifest = "".join(f"{key} = {json.dumps(value)}\n" for key, value in ({"run": "python3 bot.py"} | more).items())
    return packed({"bot.toml": manifest.encode(), "bot.py": BOT.format(remark).encode(), "maumau_kit.py": KIT})


def c_bot(remark):
    """The archive of a bot in C, which the club builds."""
    source = (TOP / "agents/c/first.c").read_text(encoding="utf-8") + f"/* {remark} */\n"
    return packed({"bot.toml": b'build = "cc -O1 -o bot first.c"\nrun = "./bot"\n', "first.c": source.encode()})


def shell_bot(remark):
    """The archive of a Python bot that a shell script makes of a file of another name, in no great hurry."""
    script = "sleep 0.3\nmv source.py bot.py\n"
    return packed({"bot.toml": b'build = "sh build.sh"\nrun = "python3 bot.py"\n', "build.sh": script.encode(),
                   "source.py": BOT.format(remark).encode(), "maumau_kit.py": KIT})


class Answer:
    """What a club has answered."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def text(self):
        return self.body.decode(errors="replace")

    def json(self):
        return json.loads(self.body)

    @property
    def error(self):
        """Why it was refused."""
        try:
            return self.json()["error"]
        except (ValueError, KeyError, TypeError):
            return self.text


class ServedClub:
    """A folder of a club, and the process that serves it, if one does."""

    def __init__(self, maumau, path, *, rules="basic", seats=2, sandbox="basic"):
        self.maumau, self.path = str(maumau), pathlib.Path(path)
        self.process = self.host = self.port = None
        self.refused_starts = 0
        self.log = self.path.parent / f"{self.path.name}.log"
        if not (self.path / "club.toml").exists():
            self.run("new", "--rules", rules, "--seats", seats, "--sandbox", sandbox)

    def run(self, verb, *words, expected=0):
        """Runs `maumau club VERB`; gives what it said on stdout."""
        done = self.tried(verb, *words)
        if done.returncode != expected:
            raise AssertionError(f"club {verb}: exit code {done.returncode}: {done.stderr}{done.stdout}")
        return done.stdout

    def tried(self, verb, *words):
        words = [self.maumau, "club", verb, self.path, *map(str, words)]
        return subprocess.run(words, capture_output=True, text=True, timeout=300)

    def set_quotas(self, **quotas):
        """Writes other limits into club.toml; they hold from the next start on."""
        file = self.path / "club.toml"
        text = file.read_text(encoding="utf-8")
        for key, value in quotas.items():
            text, count = re.subn(rf"(?m)^{key} = .*$", f"{key} = {value}", text)
            assert count == 1, f"{key} is not in club.toml"
        file.write_text(text, encoding="utf-8")

    def start(self, environment=None, port=0):
        """Serves the club; gives the seconds until it says its address. It says the rest in a file beside the folder. Where the program says
        that another process serves it, it is started again for a while, and that is counted in `refused_starts`."""
        began = time.monotonic()
        while not self.is_started(environment, port):
            if time.monotonic() - began > STARTED_WITHIN_S:
                raise AssertionError(f"the club does not start: {self.said()[-500:]}")
            self.refused_starts += 1
        return time.monotonic() - began

    def is_started(self, environment, port):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([self.maumau, "club", "serve", self.path, "--addr", f"127.0.0.1:{port}"], stdin=subprocess.DEVNULL,
                                            stdout=subprocess.PIPE, stderr=log, env=dict(os.environ) | (environment or {}))
        overdue = threading.Timer(STARTED_WITHIN_S, self.process.kill)
        overdue.start()
        line = self.process.stdout.readline().decode()
        overdue.cancel()
        found = re.fullmatch(r"http://(127\.0\.0\.1):(\d+)/\n", line)
        if found:
            self.host, self.port = found[1], int(found[2])
            return True
        self.process.stdout.close()
        if self.process.wait(STARTED_WITHIN_S) == -signal.SIGKILL and environment:
            return True  # as its environment asks for
        last = self.said().splitlines()[-5:]
        assert any("another process serves" in line for line in last), f"the club does not start: {last}"
        return False

    def said(self):
        """What it has said on stderr, over all its starts."""
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""

    def kill(self):
        """Kills the serving process alone, as a power cut would; gives whether it ran."""
        self.process.kill()
        self.process.stdout.close()
        return self.process.wait() == -signal.SIGKILL

    def end(self):
        """Ends it as Ctrl-C does; gives its exit code."""
        self.process.terminate()
        try:
            code = self.process.wait(ENDED_WITHIN_S)
        except subprocess.TimeoutExpired:
            self.kill()
            return None
        self.process.stdout.close()
        return code

    def ask(self, method, path, token=None, body=b"", headers=None, within_s=ANSWERED_WITHIN_S):
        """Sends one request; an `OSError` or `HTTPException` says that no answer came."""
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
        # As from a page of the club: forms of others are refused.
        sent = {"Host": "x", "Origin": "http://x"} | ({"Authorization": f"Bearer {token}"} if token else {}) | (headers or {})
        connection = http.client.HTTPConnection(self.host, self.port, timeout=within_s)
        try:
            connection.request(method, path, body=body, headers=sent)
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def upload(self, bot, archive, token, within_s=ANSWERED_WITHIN_S, headers=None):
        return self.ask("PUT", f"/api/1/bots/{bot}/versions", token, archive, headers, within_s)

    def member(self, name, *words):
        """A new member's token, by an invitation of the organiser."""
        key = self.run("invite", *words).strip().rsplit("/", 1)[-1]
        answer = self.ask("POST", f"/api/1/invitations/{key}", body={"name": name})
        assert answer.status == 201, answer.text
        return answer.json()["token"]

    def events(self, after=0, token=None):
        """All events after this number."""
        found = []
        while page := self.ask("GET", f"/api/1/events?after={after}", token).json():
            found += page
            after = page[-1]["id"]
        return found

    def follow(self, after=0, token=None, within_s=60.0):
        """Gives events as they come, until the connection ends or `within_s` have passed."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=within_s)
        end = time.monotonic() + within_s
        try:
            headers = {"Accept": "text/event-stream", "Last-Event-ID": str(after)}
            connection.request("GET", "/api/1/events", headers=headers | ({"Authorization": f"Bearer {token}"} if token else {}))
            answer = connection.getresponse()
            while time.monotonic() < end:
                line = answer.readline()
                if not line:
                    return
                if line.startswith(b"data: "):
                    yield json.loads(line[len(b"data: "):])
                if connection.sock is not None:
                    connection.sock.settimeout(max(0.01, end - time.monotonic()))
        except (OSError, http.client.HTTPException, ValueError):
            return
        finally:
            connection.close()

    def wait_for(self, what, after=0, token=None, within_s=120.0):
        """The first event that says `what`, after the event `after`; None if it does not come."""
        return next((event for event in self.follow(after, token, within_s) if event["what"] == what), None)

    def rows(self, query, *values):
        """Rows of the database; also of a club that is not served."""
        return rows_of(self.path / "club.db", query, *values)

    def games(self):
        """Games in the run file of the season."""
        run = self.path / "season/season.maumau"
        if not run.exists() or not run.stat().st_size or not rows_of(run, "SELECT 1 FROM sqlite_schema WHERE name = 'games'"):
            return 0
        return rows_of(run, "SELECT count(*) FROM games")[0][0]

    def season_players(self):
        """The processes that play its season, by number."""
        wanted = os.fsencode(self.path / "season/season.toml")
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"tournament" in words and b"run" in words and wanted in [os.path.realpath(word) for word in words if word.endswith(b".toml")]:
                found.append(int(pid))
        return found


def rows_of(database, query, *values):
    connection = sqlite3.connect(database, timeout=60)
    try:
        return connection.execute(query, values).fetchall()
    finally:
        connection.close()


def digest(archive):
    return hashlib.sha256(archive).hexdigest()


def resident_kib(pid, key="VmRSS"):
    """Memory of a process: `VmRSS` now, `VmHWM` at most since `forget_peak`."""
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1])
    return 0


def forget_peak(pid):
    pathlib.Path(f"/proc/{pid}/clear_refs").write_text("5")
