"""One play: a kind of bad bot at a place in a game, and everything that is checked of it.

It starts the arena and reads its output, records and processes; which verdict is right is said by kinds.toml."""

import json
import os
import pathlib
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from processes import left_after  # noqa: E402

SETS = ("basic", "skat", "spam")
LEVELS = ("none", "basic", "strict", "strict+cgroup")
HONEST = "maumau agent greedy"
PATIENCE_S = 600
GONE_WITHIN_S = 2.0
GROWTH_KIB = 16 * 1024
LOOK_EVERY_MS = 20
# What a bot may never do to a terminal: control characters but newline and tab, and those that turn text round.
CONTROLS = {*range(0x00, 0x20), *range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A)} - {0x09, 0x0A}
# How a line begins that only a bot wrote (moves.py, forges-lines).
FORGED = "FORGED"


class Kind:
    """One row of the table."""

    def __init__(self, family, name, row):
        self.family, self.name = family, name
        self.number = row.get("no")
        self.rows = {None: row}
        self.rows.update({key: {**row, **row[key]} for key in (*SETS, "deal") if key in row})
        self.sets = row.get("sets", SETS)

    def row(self, rule_set):
        return self.rows.get(rule_set, self.rows[None])


class Place:
    """Where a kind is played."""

    def __init__(self, rule_set, at_once=1, seats=2, seat=0, bot="", what="first ask", rules=()):
        self.rule_set, self.at_once, self.seats, self.seat, self.bot, self.what = rule_set, at_once, seats, seat, bot, what
        self.rules = rules
        self.deals = "deal_count=dealer" in rules

    def __str__(self):
        return f"{self.rule_set}, {self.at_once} at once, seat {self.seat} of {self.seats}, {self.what}"


def verdict(text):
    """`"not_json 3, slow +"` as name to count; `+` stands for any number above 0, `*` for any number at all."""
    counts = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, count = part.partition(" ")
        counts[name] = count or "+"
    return counts


def fits(expected, found):
    """What of `found` is not as the verdict says, or nothing."""
    for name, count in found.items():
        if name not in expected:
            return f"{count} {name}"
    for name, count in expected.items():
        there = found.get(name, 0)
        if count == "+" and not there or count not in ("+", "*") and there != int(count):
            return f"{there} {name}"
    return None


class Play:
    """One play in a folder of its own, whose name marks every process of it."""

    def __init__(self, options, kind, place):
        self.options, self.kind, self.place = options, kind, place
        row = kind.row("deal" if place.deals and "deal" in kind.rows else place.rule_set)
        self.sandbox = options.sandbox or ("basic" if sys.platform == "linux" else "none")
        self.row = {**row, **row.get(self.sandbox, {})}
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="maumau-torture-", dir=options.folder))
        # Agents may be another user's.
        self.folder.chmod(0o755)
        self.inside = self.folder / "tmp"
        self.inside.mkdir()
        self.wrong, self.peak_kib, self.grown_kib = [], 0, 0

    def check(self, good, what):
        if not good:
            self.wrong.append(what)
        return good

    def run(self):
        try:
            if self.place.at_once == 1:
                self.play_one()
            else:
                self.play_many()
        finally:
            self.check_left()
            if not self.wrong or not self.options.keep:
                shutil.rmtree(self.folder, ignore_errors=True)
        return self.wrong

    def command(self):
        program = HERE / "bots" / f"{self.kind.family}.py"
        if "command" in self.row:
            return self.row["command"]
        words = (sys.executable, program, self.kind.name, self.place.bot, f"--games {self.place.at_once}", self.row.get("bot", ""))
        return " ".join(str(word) for word in words if word)

    def start(self, *arguments, stdout, stderr):
        """The program, in this folder and with its mark: agents get its path, whatever else they do not get."""
        environment = {**os.environ, "TMPDIR": str(self.inside), "SECRET_KEY": "not for bots"}
        environment["PATH"] += f":{self.folder}"
        environment.pop("MAUMAU_LOG", None)
        return subprocess.Popen([self.options.maumau, *arguments], stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
                                env=environment, cwd=self.folder)

    def arena(self, *arguments, patience=PATIENCE_S):
        """Runs the program; gives its exit code and its output, and notes the peak of its memory."""
        files = [open(self.folder / name, "w+b") for name in ("stdout", "stderr")]
        process = self.start(*arguments, stdout=files[0], stderr=files[1])
        began, end, peak = time.monotonic(), select.poll(), 0
        ends = os.pidfd_open(process.pid)
        end.register(ends, select.POLLIN)
        while not end.poll(LOOK_EVERY_MS) and time.monotonic() - began < patience:
            peak = max(peak, peak_kib(process.pid))
        os.close(ends)
        hangs = process.poll() is None
        process.kill()
        process.wait()
        out, err = (read(file) for file in files)
        self.check(not hangs, f"the arena did not end within {patience} s")
        self.check(b"panicked" not in err, f"the arena panicked: {err[-300:]!r}")
        self.check_escapes(out + err)
        self.peak_kib = max(self.peak_kib, peak)
        return process.returncode, out, err

    def check_escapes(self, output):
        text = output.decode("utf-8", "replace")
        raw = sorted({hex(ord(c)) for c in text if ord(c) in CONTROLS})
        self.check(not raw, f"raw control characters on the terminal: {raw}")
        forged = [line for line in text.split("\n") if line.strip().startswith(FORGED)]
        self.check(not forged, f"lines that a bot forged: {forged[:1]}")

    def limits(self):
        quick = self.row.get("quick", False)
        return {"move_ms": 300 if quick else 5_000, "start_ms": self.row.get("start_ms", 60_000),
                "turn_cap": 8 if quick else self.row.get("turn_cap", 60)}

    def play_one(self):
        place, limits = self.place, self.limits()
        seats = [HONEST] * place.seats
        bad = range(place.seats) if place.what == "both seats" else [place.seat]
        for seat in bad:
            seats[seat] = self.command()
        arguments = ["play", "--rules", place.rule_set, "--seed", "3", "--format", "json", "--record", "game.jsonl",
                     "--move-ms", str(limits["move_ms"]), "--start-ms", str(limits["start_ms"]),
                     "--set", f"turn_cap={limits['turn_cap']}", *self.options.level]
        arguments += [word for option in (*self.row.get("set", []), *place.rules) for word in ("--set", option)]
        arguments += [word for seat in seats for word in ("--seat", seat)]
        code, out, err = self.arena(*arguments)
        if not self.check(code in (0, 1, 2) and out, f"exit code {code}: {err[-300:]!r}"):
            return
        shown = json.loads(out)
        for seat in range(place.seats):
            if seat not in bad:
                self.check(shown["faults"][seat] == {}, f"the honest seat {seat} was punished: {shown['faults'][seat]}")
        if shown["result"] is None:
            self.check_refusal(code, shown, bad)
            return
        self.check(code == 0, f"exit code {code}: {err[-300:]!r}")
        honest = [seat for seat in range(place.seats) if seat not in bad and seat in shown["result"]["dismissed"]]
        self.check(not honest, f"honest seats were dismissed: {honest}")
        expected = verdict(self.row.get("faults", ""))
        if place.bot:
            # Later in the game there may be fewer occasions, or none.
            expected = {**{name: "*" for name in expected}, "slow": "*"} if expected else {}
        for seat in bad:
            off = fits(expected, shown["faults"][seat])
            self.check(off is None, f"the table says {self.row.get('faults', 'no fault')!r}, seat {seat} has {shown['faults'][seat]}")
            out = seat in shown["result"]["dismissed"]
            self.check(place.bot or self.row.get("out", out) == out, f"dismissed: {out}")
        # A match without anybody left to play it ends as it stands.
        self.check(shown["result"]["rounds"] >= 1 and len(shown["result"]["places"]) == place.seats, "no result")
        self.check_memory()
        self.check_record(self.folder / "game.jsonl", words=place.what != "both seats")

    def check_refusal(self, code, shown, bad):
        """A match that was not played, since the bad bot did not start."""
        expected, says = verdict(self.row.get("faults", "")), self.row.get("says", "")
        for seat in bad:
            off = fits(expected, shown["faults"][seat])
            self.check(off is None, f"the table says {self.row.get('faults', 'no fault')!r}, seat {seat} has {shown['faults'][seat]}")
        for failure in shown["not_started"]:
            said = failure["reason"] + failure["stderr"]
            self.check(failure["seat"] in bad and says in said, f"seat {failure['seat']} says {said!r} and not {says!r}")
            self.check(code == (2 if "cannot be started" in says else 1), f"exit code {code}")
        self.check(not (self.folder / "game.jsonl").exists(), "there is a record of a match that was not played")

    def play_many(self):
        place, limits = self.place, self.limits()
        games = -(-place.at_once // place.seats) * place.seats
        agents = [("bad", self.command())] + [(f"honest {number}", HONEST) for number in range(1, place.seats)]
        self.write_league(agents, limits, games_per_pairing=games, concurrency=place.at_once)
        code, out, err = self.arena("tournament", "run", "league.toml", "--cpus", "1", "--format", "json", *self.options.level)
        # An agent that never started has an exit code of its own.
        if not self.check(code == 0 or code in (1, 2) and b"did not start in any of its" in err, f"exit code {code}: {err[-300:]!r}"):
            return
        standings = json.loads(out)["standings"]
        self.check(standings["games"] == standings["planned"] == games, f"{standings['games']} games")
        rows = {row["name"]: row for row in standings["rows"]}
        for name, row in rows.items():
            if name != "bad":
                self.check(row["faults"] == {} and not row["dismissals"], f"{name} was punished: {row['faults']}")
        expected = {name: "*" if count == "*" else "+" for name, count in verdict(self.row.get("faults", "")).items()}
        # A process that is lost in one game is lost to its others too; and a line that names no game is charged to the
        # one that was asked first, while another one waits in vain.
        lost = {name: "*" for name in ("gone", "not_started", "flood", "slow", *self.row.get("four", "").split())}
        found = {name: count for name, count in rows["bad"]["faults"].items() if count}
        off = fits({**(lost if self.row.get("out") or self.row.get("four") else {}), **expected}, found)
        self.check(off is None, f"the table says {self.row.get('faults', 'no fault')!r}, the bad bot has {found}")
        self.check_memory()
        code, out, err = self.arena("tournament", "export", "league.maumau", "--to", "records")
        self.check(code == 0, f"no records: {err[-300:]!r}")
        records = sorted((self.folder / "records").glob("*.jsonl"))
        self.check(len(records) == games, f"{len(records)} records")
        for record in records:
            self.check_record(record, words=False)

    def write_league(self, agents, limits, games_per_pairing, concurrency):
        """league.toml: these names and commands, at tables as this place has them."""
        league = [f'name = "torture"\nrules = "{self.place.rule_set}"\nseats = {self.place.seats}\nrounds = 1',
                  f"games_per_pairing = {games_per_pairing}\npublic_seed = true\nseed = 3\nconcurrency = {concurrency}",
                  f"[options]\nturn_cap = {limits['turn_cap']}"]
        league += [option.replace("=", " = ") for option in self.row.get("set", [])]
        league += [f"[time]\nmove_ms = {limits['move_ms']}\nstart_ms = {limits['start_ms']}"]
        league += [f"[[agent]]\nname = {json.dumps(name)}\ncommand = {json.dumps(command)}" for name, command in agents]
        (self.folder / "league.toml").write_text("\n".join(league) + "\n", encoding="utf-8")

    def check_memory(self):
        """The arena may not have grown beyond what an honest bot takes at such a place, which is measured first."""
        quiet_kib = self.options.quiet_kib.get((self.place.at_once, self.place.seats))
        self.grown_kib = self.peak_kib - (quiet_kib or 0)
        if quiet_kib is not None:
            self.check(self.grown_kib <= GROWTH_KIB, f"the arena's memory grew by {self.grown_kib} KiB")

    def check_record(self, record, words=True):
        code, out, _ = self.arena("verify", str(record))
        self.check(code == 0, f"the record is not sound: {out[-300:]!r}")
        code, out, _ = self.arena("replay", str(record))
        self.check(code == 0, f"the record is not shown: {out[-300:]!r}")
        holds = self.row.get("holds")
        if holds and LEVELS.index(self.sandbox) >= LEVELS.index(holds):
            got = [line for line in record.read_text(encoding="utf-8").splitlines() if '"note":{"got":' in line]
            self.check(not got, f"{self.sandbox} does not hold it: {got[:1]}")
        said = ""
        for line in record.read_text(encoding="utf-8").splitlines():
            if line.startswith(('{"entry":"fault"', '{"entry":"dismissed"')):
                said = json.loads(line)["message"]
        if words and (said or not self.place.bot):
            words = self.row.get("says", "")
            words = [words] if isinstance(words, str) else words
            self.check(any(word in said for word in words), f"the record says {said!r} and not {' or '.join(words)!r}")

    def check_left(self):
        """No process and no file of this play may be left two seconds after it."""
        left = left_after(str(self.folder), GONE_WITHIN_S)
        self.check(not left, f"still running: {left}")
        for pid in left:
            end(pid)
        files = sorted(path.name for path in self.inside.iterdir())
        self.check(not files, f"files were left: {files}")


def read(file):
    file.seek(0)
    data = file.read()
    file.close()
    return data


def peak_kib(pid):
    try:
        with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
            return next((int(line.split()[1]) for line in file if line.startswith("VmHWM:")), 0)
    except OSError:
        return 0  # it has ended meanwhile


def end(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
