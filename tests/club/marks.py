#!/usr/bin/env python3
"""Measures how fast, how fair and how small a club is, and holds it to `GOALS`.

    tests/club/marks.py [MAUMAU] [--only PART] [--games N] [--keep FOLDER] [--seconds N]

MAUMAU is the program, target/release/maumau by default; PART is one of submit, queue, kill, memory, uploads, shares and large. `large`
measures a club whose season has N games (10^6), which are played first, at 1,000 a second and more by bots that think for nothing; with
--keep such a club is made in FOLDER once, and a copy of it is measured. SECONDS (60) is how long the games of a part are watched. The
table has medians and ranges. Times are those of this machine and of what else it does: compare them only where it does nothing else.
The exit code is 1 if a mark is missed. The last line is `N passed, N failed`.
"""

import argparse
import http.client
import os
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

import served
from served import ServedClub, packed, python_bot, resident_kib, rows_of

sys.path.insert(0, str(served.TOP / "tests"))
from checks import Checks  # noqa: E402
from processes import left_after  # noqa: E402

# Each mark: what is measured, in which unit, and its goal, at most or at least.
GOALS = {
    "idle": ("sent until checked, a Python bot, nothing else sent: median", "s", "<=", 5.0),
    "queued": ("sent until checked, 20 teams at once: 95 of 100", "s", "<=", 30.0),
    "back": ("start after a kill until put back: most", "s", "<=", 5.0),
    "serving": ("memory of the serving process, idle", "MiB", "<=", 60.0),
    "season": ("memory of the process that plays the season", "MiB", "<=", 64.0),
    "bots": ("memory of the house bots and their guards, all together", "MiB", "<=", 128.0),
    "uploads": ("uploads of 1 MiB a minute, as fast as two members send", "", ">=", 300.0),
    "received": ("games a second while one upload of 1 MiB comes each second and is refused unchecked, of those without", "", ">=", 0.95),
    "slower": ("the same while each is a bot that is checked, and ends at once", "", ">=", 0.95),
    "shares": ("games of the bot with the fewest, of the mean of 20 bots", "", ">=", 0.2),
    "first": ("checked until the first rated game: median", "s", "<=", 60.0),
    "join": ("play stops for one that joins: median", "ms", "<=", 100.0),
    "page": ("the front page, 100 viewers: median", "ms", "<=", 50.0),
    "page95": ("the front page, 100 viewers: 95 of 100", "ms", "<=", 250.0),
    "alone": ("the front page, one viewer, every two seconds: median", "ms", "<=", 50.0),
    "servingLarge": ("memory of the serving process after that", "MiB", "<=", 256.0),
    "seasonLarge": ("memory of the process that plays the season after that", "MiB", "<=", 320.0),
}
TEAMS = 20
BLOCKS = 12
VIEWERS = 100
PAGES_EACH = 5


class Marks:
    """What was measured, a line of the table each."""

    def __init__(self, checks):
        self.checks, self.lines = checks, []

    def add(self, mark, values, command, *, by=statistics.median, note=""):
        what, unit, way, goal = GOALS[mark]
        figure = by(values) if values else float("nan")
        good = figure <= goal if way == "<=" else figure >= goal
        shown = f"{figure:.3g}" + (f" ({min(values):.3g} to {max(values):.3g}, {len(values)})" if len(values) > 1 else "")
        self.lines.append(f"| {what}{note} | {way} {goal:g} {unit} | {shown} {unit} | `marks.py --only {command}` |")
        self.checks.check(f"{what}: {shown} {unit}, not {way} {goal:g}", good)
        print(f"{what}{note}: {shown} {unit}", flush=True)

    def table(self):
        return "\n".join(["| mark | goal | measured (range, how many) | command |", "|---|---|---|---|", *self.lines])


def most_of(share):
    """The value that so many of all are not above."""
    return lambda values: sorted(values)[min(len(values) - 1, round(share * len(values) + 0.5) - 1)]


def checked_after(club, token, bot, archive, within_s=600):
    """Sends a bot; gives the seconds until its check is over, and until its first rated game if it is `followed` to there."""
    began = time.monotonic()
    answer = club.upload(bot, archive, token, within_s)
    assert answer.status == 201, answer.error
    version = answer.json()
    for event in club.follow(0, token, within_s):
        if event["version"] == version["id"] and re.search(r" is (ready|playing|refused|failed)\b", event["what"]):
            return time.monotonic() - began, version, event
    raise AssertionError(f"{version['agent']} is not checked within {within_s} s")


def new_club(maumau, folder, name):
    club = ServedClub(maumau, folder / name)
    club.set_quotas(uploads_a_day=100_000, on_their_way=100_000)
    return club


def submit(maumau, folder, marks, _):
    club = new_club(maumau, folder, "submit")
    club.start()
    token = club.member("ann")
    times = []
    for count in range(10):
        took_s, _, event = checked_after(club, token, "ann-bot", python_bot(f"idle {count}"))
        marks.checks.check(f"a bot is not taken: {event}", "ready" in event["what"] or "playing" in event["what"])
        times.append(took_s)
        print(f"submit: {count + 1} of 10: {took_s:.1f} s", flush=True)
        time.sleep(2)
    marks.add("idle", times, "submit")
    club.end()


def queue(maumau, folder, marks, _):
    club = new_club(maumau, folder, "queue")
    club.start()
    tokens = [club.member(f"team-{team}") for team in range(TEAMS)]
    times, gate = [None] * TEAMS, threading.Barrier(TEAMS)

    def send(team):
        gate.wait()
        try:
            times[team] = checked_after(club, tokens[team], f"bot-{team}", python_bot(f"queue {team}"))[0]
        except (OSError, AssertionError, http.client.HTTPException) as error:
            marks.checks.check(f"team {team}: {error!r}", False)

    threads = [threading.Thread(target=send, args=(team,)) for team in range(TEAMS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    marks.add("queued", [took_s for took_s in times if took_s is not None], "queue", by=most_of(0.95))
    club.end()


def kill(maumau, folder, marks, _):
    """Kills a club that checks a bot, and starts it again."""
    club = new_club(maumau, folder, "kill")
    club.start()
    token = club.member("ann")
    times, last = [], 0
    for count in range(10):
        version = club.upload("ann-bot", python_bot(f"kill {count}"), token).json()
        # The versions before this one are checked first.
        began_check = club.wait_for(f"{version['agent']} is checking", last, token)
        marks.checks.check(f"{version['agent']} is checked", began_check is not None)
        club.kill()
        newest = club.rows("SELECT max(id) FROM event")[0][0]
        began = time.monotonic()
        club.start()
        back = None
        while back is None and time.monotonic() - began < 60:
            told = club.events(newest)
            back = next((event for event in told if event["version"] == version["id"] and event["what"].endswith(("is waiting", "is failed"))), None)
        times.append(time.monotonic() - began)
        marks.checks.check(f"{version['agent']} is not put back", back is not None)
        last = newest
    marks.add("back", times, "kill", by=max)
    club.end()


def processes_of_season(club):
    """Memory of the process that plays the season, and of what it has started, in MiB."""
    players = club.season_players()
    parents = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[int(pid)] = int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
    below, found = set(), set(players)
    while found:
        found = {pid for pid, parent in parents.items() if parent in found}
        below |= found
    return sum(map(resident, players)) / 1024, sum(map(resident, below)) / 1024


def resident(pid):
    try:
        return resident_kib(pid)
    except OSError:
        return 0


def memory(maumau, folder, marks, options):
    club = new_club(maumau, folder, "memory")
    club.start()
    time.sleep(10)
    serving, season, bots = [], [], []
    for _ in range(10):
        time.sleep(min(2, options.seconds / 10))
        own, below = processes_of_season(club)
        serving.append(resident_kib(club.process.pid) / 1024)
        season.append(own)
        bots.append(below)
    marks.add("serving", serving, "memory")
    marks.add("season", season, "memory")
    marks.add("bots", bots, "memory")
    club.end()


def games_so_far(club):
    """By the number of the newest game, which is found at once."""
    return rows_of(club.path / "season/season.maumau", "SELECT coalesce(max(number), 0) FROM games")[0][0]


def rate(club, seconds):
    before, began = games_so_far(club), time.monotonic()
    time.sleep(seconds)
    return (games_so_far(club) - before) / (time.monotonic() - began)


def heavy_bot(remark, run=b'run = "python3 bot.py"\n'):
    """An archive of 1 MiB whose bot ends at once, so that no check takes long."""
    bot = f"# {remark}\nraise SystemExit(3)\n".encode()
    return packed({"bot.toml": run, "bot.py": bot, "weights": os.urandom((1 << 20) - 4_096)})


def slowed(club, marks, options, token, run, expected):
    """Games a second while an upload comes each second, of those without, for each of BLOCKS in the order without, with, with, without: what
    else the machine does comes and goes in less than the whole time."""
    shares, window = [], options.seconds / 10
    for block in range(BLOCKS):
        rates = {False: 0.0, True: 0.0}
        for place, is_sending in enumerate((False, True, True, False)):
            watched = []
            watching = threading.Thread(target=lambda watched=watched: watched.append(rate(club, window)))
            archives = [heavy_bot(f"{run} {block} {place} {at}", run) for at in range(round(window))] if is_sending else []
            began = time.monotonic()
            watching.start()
            for at, archive in enumerate(archives):
                answer = club.upload("ann-bot", archive, token)
                marks.checks.check(f"an upload of 1 MiB: {answer.status} {answer.error}", answer.status == expected)
                time.sleep(max(0, began + at + 1 - time.monotonic()))
            watching.join()
            rates[is_sending] += watched[0] / 2
        shares.append(rates[True] / rates[False])
    return shares


def uploads(maumau, folder, marks, options):
    club = new_club(maumau, folder, "uploads")
    # The interpreter itself: what stands in its place in PATH may take longer than all the rest of a check.
    python = pathlib.Path(sys.executable).resolve().parent
    club.start({"PATH": f"{python}{os.pathsep}{os.environ['PATH']}"})
    tokens = [club.member(name) for name in ("ann", "bob")]
    time.sleep(5)
    # What is received, unpacked and refused for its manifest costs what an upload costs; a check costs what the bot does besides.
    for mark, run, expected in (("received", b'run = ""\n', 422), ("slower", b'run = "python3 bot.py"\n', 201)):
        shares = slowed(club, marks, options, tokens[0], run, expected)
        error = statistics.stdev(shares) / len(shares) ** 0.5
        marks.add(mark, shares, "uploads", by=statistics.fmean, note=f", mean of {len(shares)} with a standard error of {error:.3f}")
    counts, end = [0, 0], time.monotonic() + options.seconds / 3

    def send(member):
        while time.monotonic() < end:
            answer = club.upload(f"fast-{member}", heavy_bot(f"fast {member}"), tokens[member])
            counts[member] += answer.status == 201

    threads = [threading.Thread(target=send, args=(member,)) for member in range(2)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    marks.add("uploads", [sum(counts) * 60 / (time.monotonic() - began)], "uploads")
    club.end()


def add_agents(club, count, others=("first", "greedy", "careful", "random")):
    """Writes further agents of this program into the league file of a season that has not begun."""
    league = club.path / "season/season.toml"
    names = [f"bot-{at}" for at in range(count)]
    table = '\n[[agent]]\nname = "{0}"\nauthor = "{0}"\ncommand = "maumau agent {1}"\n'
    more = "".join(table.format(name, others[at % len(others)]) for at, name in enumerate(names))
    league.write_text(league.read_text(encoding="utf-8") + more, encoding="utf-8")


def shares(maumau, folder, marks, options):
    club = new_club(maumau, folder, "shares")
    add_agents(club, 17)
    club.start()
    time.sleep(options.seconds)
    games = [row["games"] for row in club.ask("GET", "/api/1/ladder").json() if not row["retired"]]
    mean = statistics.mean(games)
    note = f" ({options.seconds} s, {sum(games) // 2} games, mean {mean:.0f}, least {min(games)}, most {max(games)})"
    marks.add("shares", [min(games) / mean], "shares", note=note)
    club.end()


def large_club(maumau, folder, options):
    """A club whose season has so many games, and how many it has. They are played once if it is kept."""
    club = new_club(maumau, options.keep.resolve() if options.keep else folder, "club") if options.keep else new_club(maumau, folder, "large")
    league = club.path / "season/season.toml"
    run = club.path / "season/season.maumau"
    if not run.exists():
        # Of the house bots, these think for nothing.
        text = league.read_text(encoding="utf-8")
        league.write_text(re.sub(r"maumau agent (careful|random)", "maumau agent first", text), encoding="utf-8")
    began = time.monotonic()
    while (have := games_so_far(club) if run.exists() and run.stat().st_size else 0) < options.games:
        playing = subprocess.Popen([maumau, "tournament", "run", "--quiet", league], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while have < options.games and playing.poll() is None:
            time.sleep(5)
            have = games_so_far(club) if run.exists() and run.stat().st_size else 0
            print(f"large: {have} of {options.games} games after {time.monotonic() - began:.0f} s", flush=True)
        playing.send_signal(signal.SIGINT)
        playing.wait(60)
    if options.keep:
        shutil.copytree(club.path, folder / "copy")
        club = ServedClub(maumau, folder / "copy")
    return club, have


def large(maumau, folder, marks, options):
    club, games = large_club(maumau, folder, options)
    note = f" ({games} games)"
    began = time.monotonic()
    club.start()
    token = club.member("ann")
    while not club.season_players():
        time.sleep(0.1)
    print(f"large: served {time.monotonic() - began:.1f} s after its start", flush=True)
    times = []
    for count in range(3):
        _, version, ready = checked_after(club, token, f"bot-{count}", python_bot(f"large {count}"))
        began = time.monotonic()
        first = club.wait_for(f"{version['agent']} has played its first rated game", ready["id"], token, 300)
        marks.checks.check(f"{version['agent']} plays no game", first is not None)
        times.append(time.monotonic() - began)
        print(f"large: first game of {count + 1} of 3: {times[-1]:.1f} s", flush=True)
    marks.add("first", times, "large", note=note)
    stops = []
    for count in range(10):
        words = [maumau, "tournament", "add", club.path / "season/season.maumau", f"joins-{count}", "--command", "maumau agent first"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=300)
        found = re.search(r"(\d+) ms between two rounds", done.stdout)
        marks.checks.check(f"an agent joins: {done.stdout}{done.stderr}", found is not None)
        stops += [int(found[1])] if found else []
    marks.add("join", stops, "large", note=note)
    alone = []
    for _ in range(10):
        time.sleep(2)  # so that what is shown was not made for the page before
        alone.append(page_ms(club)[0])
    marks.add("alone", alone, "large", note=note)
    times, wrong, gate = [], [], threading.Barrier(VIEWERS)

    def view():
        gate.wait()
        for _ in range(PAGES_EACH):
            try:
                ms, status = page_ms(club)
                times.append(ms)
                wrong.extend([status] if status != 200 else [])
            except (OSError, http.client.HTTPException) as error:
                wrong.append(repr(error))
            time.sleep(1)

    threads = [threading.Thread(target=view) for _ in range(VIEWERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    marks.checks.check(f"{len(wrong)} pages of {VIEWERS * PAGES_EACH} were not shown: {wrong[:3]}", not wrong)
    marks.add("page", times, "large", note=note)
    marks.add("page95", times, "large", by=most_of(0.95), note=note)
    marks.add("servingLarge", [resident_kib(club.process.pid) / 1024], "large", note=note)
    marks.add("seasonLarge", [processes_of_season(club)[0]], "large", note=note)
    club.end()


def page_ms(club):
    began = time.monotonic()
    answer = club.ask("GET", "/", within_s=60)
    return 1e3 * (time.monotonic() - began), answer.status


PARTS = (submit, queue, kill, memory, uploads, shares, large)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("maumau", nargs="?", default=served.TOP / "target/release/maumau", type=pathlib.Path)
    parser.add_argument("--only", choices=[part.__name__ for part in PARTS])
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--keep", type=pathlib.Path, help="where the large club is kept")
    parser.add_argument("--seconds", type=int, default=60)
    arguments = parser.parse_args()
    checks = Checks()
    marks = Marks(checks)
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory(prefix="maumau-club-marks-") as folder:
        folder = pathlib.Path(os.path.realpath(folder))
        os.environ["PATH"] += f":{folder}"
        for part in PARTS:
            if arguments.only in (None, part.__name__):
                print(f"{part.__name__}:", flush=True)
                part(str(arguments.maumau.resolve()), folder, marks, arguments)
        left = left_after(str(folder), 40)
        checks.check(f"processes are left: {left}", not left)
    print(f"\n{os.cpu_count()} processors, load {load:.1f} before and {os.getloadavg()[0]:.1f} after\n\n{marks.table()}\n")
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
