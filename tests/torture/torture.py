#!/usr/bin/env python3
"""Plays every kind of bad bot against an honest one, and checks what the arena makes of it.

    tests/torture/torture.py [MAUMAU] [--short | --full] [--only KIND...] [--jobs N] [--sandbox LEVEL]

MAUMAU is the program, target/release/maumau by default. kinds.toml is the table of kinds and verdicts. A play is a kind
at a place: a rule set, one game (`play`) or four at once (`tournament`), two seats or four, and where in the game it
begins. Of each play is checked that the arena ends, and ends well; that the faults are those of the table and the honest
seats have none; that the result stands and the record is sound; that the arena's memory stays flat; that no control
character of a bot reaches the terminal; and that two seconds later no process and no file is left.

--short plays every kind once, in turn under each rule set; --full plays everything. The last line is `N passed, N failed`.
"""

import argparse
import ctypes
import json
import os
import pathlib
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
TOP = HERE.parent.parent
SETS = ("basic", "skat", "spam")
HONEST = "maumau agent greedy"
PATIENCE_S = 90
GONE_WITHIN_S = 2.0
GROWTH_KIB = 16 * 1024
GAMES_AT_ONCE = 4
# What a bot may never do to a terminal: control characters but newline and tab, and those that turn text round.
CONTROLS = {*range(0x00, 0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)} - {0x09, 0x0A}


class Kind:
    """One row of the table."""

    def __init__(self, family, name, row):
        self.family, self.name = family, name
        self.number = row.get("no")
        self.rows = {None: row}
        self.rows.update({key: {**row, **row[key]} for key in SETS if key in row})
        self.sets = row.get("sets", SETS)

    def row(self, rule_set):
        return self.rows.get(rule_set, self.rows[None])


class Place:
    """Where a kind is played."""

    def __init__(self, rule_set, at_once=1, seats=2, seat=0, bot="", what="first ask"):
        self.rule_set, self.at_once, self.seats, self.seat, self.bot, self.what = rule_set, at_once, seats, seat, bot, what

    def __str__(self):
        return f"{self.rule_set}, {self.at_once} at once, seat {self.seat} of {self.seats}, {self.what}"


def verdict(text):
    """`"not_json 3, slow +"` as name to count; None stands for any number above 0, (0, None) for any number at all."""
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
        self.row = kind.row(place.rule_set)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="maumau-torture-", dir=options.folder))
        self.inside = self.folder / "tmp"
        self.inside.mkdir()
        self.wrong = []

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
        games = GAMES_AT_ONCE if self.place.at_once > 1 else 1
        if "command" in self.row:
            return self.row["command"]
        return f"{sys.executable} {program} {self.kind.name} {self.place.bot} --games {games} {self.row.get('bot', '')}".strip()

    def arena(self, *arguments, patience=PATIENCE_S):
        """Runs the program; gives its exit code, its output, and how far its memory grew."""
        files = [open(self.folder / name, "w+b") for name in ("stdout", "stderr")]
        environment = {**os.environ, "TMPDIR": str(self.inside), "SECRET_KEY": "not for bots"}
        environment.pop("MAUMAU_LOG", None)
        process = subprocess.Popen([self.options.maumau, *arguments], stdin=subprocess.DEVNULL, stdout=files[0],
                                   stderr=files[1], env=environment, cwd=self.folder)
        began, peak, hangs = time.monotonic(), 0, False
        while process.poll() is None:
            peak = max(peak, peak_kib(process.pid))
            if time.monotonic() - began > patience:
                process.kill()
                hangs = True
            time.sleep(0.01)
        out, err = (read(file) for file in files)
        self.check(not hangs, f"the arena did not end within {patience} s")
        self.check(b"panicked" not in err, f"the arena panicked: {err[-300:]!r}")
        self.check_escapes(out + err)
        return process.returncode, out, err, peak

    def check_escapes(self, output):
        raw = sorted({hex(ord(c)) for c in output.decode("utf-8", "replace") if ord(c) in CONTROLS})
        self.check(not raw, f"raw control characters on the terminal: {raw}")

    def limits(self):
        quick = self.row.get("quick", False)
        return {"move_ms": 300 if quick else 5_000, "start_ms": self.row.get("start_ms", 10_000),
                "turn_cap": 8 if quick else self.row.get("turn_cap", 60)}

    def play_one(self):
        place, limits = self.place, self.limits()
        seats = [HONEST] * place.seats
        bad = range(place.seats) if place.what == "both seats" else [place.seat]
        for seat in bad:
            seats[seat] = self.command()
        arguments = ["play", "--rules", place.rule_set, "--seed", "3", "--format", "json", "--record", "game.jsonl",
                     "--move-ms", str(limits["move_ms"]), "--start-ms", str(limits["start_ms"]),
                     "--set", f"turn_cap={limits['turn_cap']}"]
        arguments += [word for option in self.row.get("set", []) for word in ("--set", option)]
        arguments += [word for seat in seats for word in ("--seat", seat)]
        arguments += ["--sandbox", self.options.sandbox] if self.options.sandbox else []
        code, out, err, peak = self.arena(*arguments)
        if not self.check(code == 0, f"exit code {code}: {err[-300:]!r}"):
            return
        shown = json.loads(out)
        for seat in range(place.seats):
            if seat not in bad:
                self.check(shown["faults"][seat] == {}, f"the honest seat {seat} was punished: {shown['faults'][seat]}")
                self.check(seat not in shown["result"]["dismissed"], f"the honest seat {seat} was dismissed")
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
        self.check(peak - self.options.quiet_kib <= GROWTH_KIB, f"the arena's memory grew by {peak - self.options.quiet_kib} KiB")
        self.check_record(self.folder / "game.jsonl", words=place.what != "both seats")

    def play_many(self):
        place, limits = self.place, self.limits()
        league = [f'name = "torture"\nrules = "{place.rule_set}"\nseats = {place.seats}\nrounds = 1',
                  f"games_per_pairing = {GAMES_AT_ONCE}\nseed = 3\nconcurrency = {place.at_once}",
                  f"[options]\nturn_cap = {limits['turn_cap']}"]
        league += [option.replace("=", " = ") for option in self.row.get("set", [])]
        league += [f"[time]\nmove_ms = {limits['move_ms']}\nstart_ms = {limits['start_ms']}"]
        agents = [("bad", self.command())] + [(f"honest {number}", HONEST) for number in range(1, place.seats)]
        league += [f"[[agent]]\nname = {json.dumps(name)}\ncommand = {json.dumps(command)}" for name, command in agents]
        (self.folder / "league.toml").write_text("\n".join(league) + "\n", encoding="utf-8")
        arguments = ["tournament", "run", "league.toml", "--cpus", "1", "--format", "json"]
        arguments += ["--sandbox", self.options.sandbox] if self.options.sandbox else []
        code, out, err, peak = self.arena(*arguments)
        if not self.check(code == 0, f"exit code {code}: {err[-300:]!r}"):
            return
        standings = json.loads(out)["standings"]
        self.check(standings["games"] == standings["planned"] == GAMES_AT_ONCE, f"{standings['games']} games")
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
        self.check(peak - self.options.quiet_kib <= GROWTH_KIB, f"the arena's memory grew by {peak - self.options.quiet_kib} KiB")
        code, out, err, _ = self.arena("tournament", "export", "league.maumau", "--to", "records")
        self.check(code == 0, f"no records: {err[-300:]!r}")
        records = sorted((self.folder / "records").glob("*.jsonl"))
        self.check(len(records) == GAMES_AT_ONCE, f"{len(records)} records")
        for record in records:
            self.check_record(record, words=False)

    def check_record(self, record, words=True):
        code, out, _, _ = self.arena("verify", str(record))
        self.check(code == 0, f"the record is not sound: {out[-300:]!r}")
        code, out, _, _ = self.arena("replay", str(record))
        self.check(code == 0, f"the record is not shown: {out[-300:]!r}")
        said = ""
        for line in record.read_text(encoding="utf-8").splitlines():
            if line.startswith(('{"entry":"fault"', '{"entry":"dismissed"')):
                said = json.loads(line)["message"]
        if words and (said or not self.place.bot):
            self.check(self.row.get("says", "") in said, f"the record says {said!r} and not {self.row.get('says')!r}")

    def check_left(self):
        """No process and no file of this play may be left two seconds after it."""
        mark = str(self.folder).encode()
        began = time.monotonic()
        while left := marked(mark):
            if time.monotonic() - began > GONE_WITHIN_S:
                self.check(False, f"still running: {left}")
                for pid in left:
                    end(pid)
                break
            time.sleep(0.05)
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


def marked(mark):
    """Living processes in whose environment or folder the mark is, by number."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            environment = pathlib.Path(f"/proc/{pid}/environ").read_bytes()
            if mark in environment or mark in os.readlink(f"/proc/{pid}/cwd").encode():
                found[int(pid)] = pathlib.Path(f"/proc/{pid}/comm").read_text(encoding="ascii", errors="replace").strip()
        except OSError:
            pass  # it has ended, or is not ours
    return found


def end(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def read_table():
    with open(HERE / "kinds.toml", "rb") as file:
        table = tomllib.load(file)
    return [Kind(family, name, row) for family, kinds in table.items() for name, row in kinds.items()]


def count_asks(options, rule_set, seats, seat):
    """How many asks the honest bot of the suite gets at this place."""
    kind = Kind("form", "honest", {})
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        record = pathlib.Path(folder) / "game.jsonl"
        commands = [HONEST] * seats
        commands[seat] = f"{sys.executable} {HERE / 'bots' / 'form.py'} {kind.name} --count"
        subprocess.run([options.maumau, "play", "--rules", rule_set, "--seed", "3", "--record", record, "--quiet", "--set",
                        "turn_cap=60", *(word for command in commands for word in ("--seat", command))],
                       check=True, stdout=subprocess.DEVNULL)
        lines = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
        return max(line["note"]["asks"] for line in lines if line["entry"] == "note")


def plays(options, kinds):
    """What is to be played, as kinds and places."""
    if not options.full:
        for number, kind in enumerate(kinds):
            rule_set = kind.sets[number % len(kind.sets)]
            yield kind, Place(rule_set, at_once=GAMES_AT_ONCE if number % 4 == 3 else 1)
        return
    for kind in kinds:
        for rule_set in kind.sets:
            for at_once in (1, GAMES_AT_ONCE):
                yield kind, Place(rule_set, at_once)
        yield kind, Place(kind.sets[0], GAMES_AT_ONCE, seats=4)
        rule_set = kind.sets[0]
        yield kind, Place(rule_set, seats=4, seat=3, what="last seat of four")
        yield kind, Place(rule_set, seats=2, what="both seats")
        if kind.family == "start" or kind.row(rule_set).get("quick"):
            continue
        for seats, seat in ((2, 0), (2, 1)):
            asks = options.asks(rule_set, seats, seat)
            yield kind, Place(rule_set, 1, seats, seat, f"--from {max(1, asks // 2)}", "mid-game")
            yield kind, Place(rule_set, 1, seats, seat, f"--from {asks}", "last ask")
        if "spam" in kind.sets:
            yield kind, Place("spam", bot="--in react", what="reaction window")


def interrupts(options):
    """A signal while both seats think and are deaf to everything: the arena ends, and its agents with it."""
    wrong = []
    for name, league in (("play", False), ("tournament", True)):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            play = Play(options, Kind("end", "tell-start", {}), Place("basic"))
            bot = play.command()
            if league:
                (play.folder / "league.toml").write_text(
                    'name = "stop"\nrules = "basic"\nseats = 2\ngames_per_pairing = 2\n[time]\nmove_ms = 60000\n'
                    f'[[agent]]\nname = "a"\ncommand = {json.dumps(bot)}\n[[agent]]\nname = "b"\ncommand = {json.dumps(bot)}\n',
                    encoding="utf-8")
                arguments = ["tournament", "run", "league.toml", "--cpus", "1"]
            else:
                arguments = ["play", "--move-ms", "60000", "--seat", bot, "--seat", bot]
            # Without one, since the bots tell by a file that they have been asked.
            arguments += ["--sandbox", "none"]
            with open(play.folder / "stderr", "w+b") as stderr:
                process = subprocess.Popen([options.maumau, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                           stderr=stderr, env={**os.environ, "TMPDIR": str(play.inside)}, cwd=play.folder)
                began = time.monotonic()
                while not list(play.inside.glob("asked-*")) and time.monotonic() - began < 20:
                    time.sleep(0.02)
                process.send_signal(number)
                if league and number != signal.SIGKILL:
                    time.sleep(0.3)  # the first signal lets games finish, the second ends at once
                    process.send_signal(number)
                try:
                    code = process.wait(10)
                except subprocess.TimeoutExpired:
                    process.kill()
                    code = "none within 10 s"
            for file in play.inside.glob("asked-*"):
                file.unlink()
            play.check(code == (-9 if number == signal.SIGKILL else 130), f"exit code {code}")
            play.check_left()
            shutil.rmtree(play.folder, ignore_errors=True)
            wrong.append((f"{name} and {number.name}", play.wrong))
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("maumau", nargs="?", default=TOP / "target/release/maumau", type=pathlib.Path)
    parser.add_argument("--short", action="store_true", help="every kind once (the default)")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--jobs", type=int, default=3)
    parser.add_argument("--sandbox", help="a level of maumau's sandbox")
    parser.add_argument("--keep", action="store_true", help="keep the folders of failed plays")
    options = parser.parse_args()
    options.maumau = str(options.maumau.resolve())
    # What loses its parent comes to this script, and does not stay as a zombie where nobody else would wait for it.
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory(prefix="maumau-torture-") as options.folder:
        return torture(options)


def torture(options):
    table = read_table()
    kinds = [kind for kind in table if not options.only or kind.name in options.only]
    catalogue = {kind.number for kind in table if kind.number}
    asks, lock = {}, threading.Lock()

    def asked(*place):
        with lock:
            if place not in asks:
                asks[place] = count_asks(options, *place)
            return asks[place]

    options.asks = asked
    options.quiet_kib = 0
    quiet = Play(options, Kind("form", "honest", {}), Place("basic"))
    options.quiet_kib = measure_quiet(quiet)
    todo = queue.Queue()
    for item in plays(options, kinds):
        todo.put(item)
    planned, results = todo.qsize(), []

    def work():
        while True:
            try:
                kind, place = todo.get_nowait()
            except queue.Empty:
                return
            wrong = Play(options, kind, place).run()
            with lock:
                results.append(wrong)
                for what in wrong:
                    print(f"FAILED: {kind.family} {kind.name} ({place}): {what}", flush=True)

    began = time.monotonic()
    workers = [threading.Thread(target=work) for _ in range(options.jobs)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    passed = sum(not wrong for wrong in results)
    failed = planned - passed
    if not options.only:
        missing = set(range(1, 67)) - catalogue
        if missing:
            failed += 1
            print(f"FAILED: the table lacks the kinds {sorted(missing)} of the catalogue")
        for what, wrong in interrupts(options):
            passed, failed = passed + (not wrong), failed + bool(wrong)
            for each in wrong:
                print(f"FAILED: interrupted: {what}: {each}", flush=True)
    print(f"{len(kinds)} kinds, {planned} plays in {time.monotonic() - began:.0f} s")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def measure_quiet(play):
    """The peak of the arena's memory in a game in which nothing happens, in KiB."""
    bot = play.command()
    _, _, _, peak = play.arena("play", "--seed", "3", "--quiet", "--seat", bot, "--seat", HONEST)
    shutil.rmtree(play.folder, ignore_errors=True)
    return peak


if __name__ == "__main__":
    sys.exit(main())
