"""What befalls the arena itself: it is asked to stop, it is held for seconds, it plays with bad bots for very long.

Single plays of bad bots are in plays.py."""

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time

from plays import HERE, HONEST, PATIENCE_S, Kind, Place, Play, peak_kib

HELD_S = 5
MOVE_MS = 1_000
HOSTILE_GAMES = 1_000
# Of one family the kinds that end, fork, flood and close, and cost little time.
HOSTILE = {"end": ("crash-mid-game", "exit-77-mid-game", "answer-then-exit", "child-left-behind", "child-in-own-session",
                   "daemon-with-pipes", "daemon-without-pipes", "daemon-that-ignores", "exit-with-child", "exit-with-daemon",
                   "fork-rabbit", "zombies"),
           "streams": ("stdout-flood", "close-stdout", "close-stdin-and-exit", "close-everything"),
           "form": ("not-json", "half-line-then-exit"),
           "start": ("exit-after-handshake", "missing-file")}
ZOMBIE_S = 2.0
# Descriptors of the arena besides the three pipes and the handle of each process, of which there is one for each agent,
# rotation and processor.
OWN_DESCRIPTORS = 40
DESCRIPTORS_EACH = 4


def upheavals(options):
    """All of them: what it was, and what was wrong."""
    yield from interrupts(options)
    yield from suspensions(options)
    yield "two seats that make false calls on the live clock", false_calls(options)
    if options.full:
        yield "a long run of bad bots", hostile_run(options)


def interrupts(options):
    """A signal while both seats think and are deaf to everything: the arena ends, and its agents with it."""
    for name, league in (("play", False), ("tournament", True)):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            play = Play(options, Kind("end", "signal-start", {}), Place("basic"))
            bot = play.command()
            if league:
                play.write_league([("a", bot), ("b", bot)], {**play.limits(), "move_ms": 60_000}, games_per_pairing=2, concurrency=1)
                arguments = ["tournament", "run", "league.toml", "--cpus", "1"]
            else:
                arguments = ["play", "--move-ms", "60000", "--seat", bot, "--seat", bot]
            process = start_and_wait_for_ask(play, *arguments)
            process.send_signal(number)
            if league and number != signal.SIGKILL:
                # The first signal lets games finish, which is printed; the second ends at once.
                while b"finishing" not in (line := process.stderr.readline()) and line:
                    pass
                process.send_signal(number)
            try:
                process.communicate(timeout=10)
                code = process.returncode
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                code = "none within 10 s"
            play.check(code == (-9 if number == signal.SIGKILL else 130), f"exit code {code}")
            end_play(play)
            shutil.rmtree(play.folder, ignore_errors=True)
            yield f"interrupted: {name} and {number.name}", play.wrong


def start_and_wait_for_ask(play, *arguments):
    """Starts the program and waits until a bot signals that it has been asked, as no sandbox would let it."""
    os.mkfifo(play.inside / "asked")
    asked = os.open(play.inside / "asked", os.O_RDWR | os.O_NONBLOCK)
    process = play.start(*arguments, "--sandbox", "none", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    play.check(select.select([asked], [], [], PATIENCE_S)[0], "no bot was asked")
    os.close(asked)
    return process


def end_play(play):
    """What has to be after the end, the pipe of `start_and_wait_for_ask` aside."""
    (play.inside / "asked").unlink()
    play.check_left()


def suspensions(options):
    """The arena is held for longer than a move may take, and goes on: nobody is punished for it."""
    for kind in ("honest", "just-in-time"):
        family = "form" if kind == "honest" else "clock"
        play = Play(options, Kind(family, kind, {}), Place("basic"))
        arguments = ["play", "--seed", "3", "--move-ms", str(MOVE_MS), "--set", "turn_cap=8", "--record", "game.jsonl",
                     "--seat", f"{play.command()} --signal 3", "--seat", play.command()]
        process = start_and_wait_for_ask(play, *arguments)
        process.send_signal(signal.SIGSTOP)
        time.sleep(HELD_S if options.full else 2 * MOVE_MS / 1_000)
        process.send_signal(signal.SIGCONT)
        _, err = process.communicate()
        play.check(process.returncode == 0, f"exit code {process.returncode}: {err[-300:]!r}")
        entries = [json.loads(line) for line in (play.folder / "game.jsonl").read_text(encoding="utf-8").splitlines()]
        faults = [entry for entry in entries if entry["entry"] in ("fault", "dismissed", "stand")]
        play.check(not faults, f"a bot was punished: {faults}")
        end_play(play)
        shutil.rmtree(play.folder, ignore_errors=True)
        yield f"held for seconds, {kind}", play.wrong


def false_calls(options):
    """Two of three seats make false calls until nothing is left to draw; the third, which answers each ask with the first
    entry of `legal`, finds them out, far more than 64 in a row, and is not punished for it."""
    play = Play(options, Kind("moves", "false-calls", {}), Place("spam", seats=3))
    honest = f"{sys.executable} {HERE / 'bots' / 'form.py'} honest"
    arguments = ["play", "--rules", "spam", "--clock", "live", "--seed", "3", "--move-ms", "500",
                 "--set", "turn_cap=20", "--record", "game.jsonl", "--format", "json", *options.level,
                 "--seat", play.command(), "--seat", play.command(), "--seat", honest]
    code, out, err = play.arena(*arguments)
    if play.check(code == 0, f"exit code {code}: {err[-300:]!r}"):
        shown = json.loads(out)
        punished = {name for name in shown["faults"][2] if name not in ("slow", "not_now")}
        play.check(not punished and 2 not in shown["result"]["dismissed"], f"the honest seat was punished: {shown['faults'][2]}")
        in_a_row, most = 0, 0
        for line in (play.folder / "game.jsonl").read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            if entry["entry"] == "event":
                in_a_row += entry["event"] == "called" and entry["upheld"] and entry["by"] == 2
                in_a_row *= entry["event"] in ("called", "waived", "said", "mistake")
                most = max(most, in_a_row)
        play.check(most > 64, f"only {most} calls in a row, with faults {shown['faults']} and result {shown['result']}")
        play.check_record(play.folder / "game.jsonl")
    play.check_left()
    shutil.rmtree(play.folder, ignore_errors=True)
    return play.wrong


def hostile_run(options):
    """A run of a thousand games with bad bots in one arena: no descriptor, no zombie and no memory is kept of them."""
    play = Play(options, Kind("form", "honest", {}), Place("basic"))
    agents = [(name, "/nowhere/bot" if name == "missing-file" else f"{sys.executable} {HERE}/bots/{family}.py {name}")
              for family, names in HOSTILE.items() for name in names]
    agents.append(("honest", HONEST))
    pairs = len(agents) * (len(agents) - 1) // 2
    games = -(-HOSTILE_GAMES // pairs // 2) * 2
    play.write_league(agents, {**play.limits(), "turn_cap": 8}, games_per_pairing=games, concurrency=0)
    arguments = ["tournament", "run", "league.toml", "--quiet", "--announce", "--format", "json", *options.level]
    with open(play.folder / "stderr", "w+b") as stderr:
        process = play.start(*arguments, stdout=subprocess.PIPE, stderr=stderr)
        zombies, peaks, most, out = {}, [], 0, b""
        while came := os.read(process.stdout.fileno(), 1 << 16):
            out += came
            announced = out.count(b"\n")
            dead = children(process.pid)[1]
            now = time.monotonic()
            zombies = {pid: zombies.get(pid, now) for pid in dead}
            lasting = [pid for pid, since in zombies.items() if now - since > ZOMBIE_S]
            play.check(not lasting, f"zombies after {announced} games: {lasting}")
            most = max(most, descriptors(process.pid))
            if peak := peak_kib(process.pid):
                peaks.append((announced, peak))
        code = process.wait()
    standings = json.loads(out[out.index(b"\n{"):])["standings"]
    # One of the agents cannot be run, which the exit code says.
    play.check(code == 2 and standings["games"] == pairs * games >= HOSTILE_GAMES, f"exit code {code}, {standings['games']} games")
    honest = next(row for row in standings["rows"] if row["name"] == "honest")
    play.check(honest["faults"] == {} and not honest["dismissals"], f"the honest bot was punished: {honest['faults']}")
    half = next((peak for count, peak in peaks if count >= standings["games"] // 2), 0)
    grown = peaks[-1][1] - half
    play.check(grown <= 4 * 1024, f"the arena's memory grew by {grown} KiB in the second half")
    # What is lost is given up when its place is next needed.
    allowed = OWN_DESCRIPTORS + DESCRIPTORS_EACH * len(agents) * play.place.seats * os.cpu_count()
    play.check(most <= allowed, f"{most} descriptors, more than {allowed}")
    play.check_left()
    print(f"{standings['games']} games of {len(agents)} agents in one arena: at most {most} descriptors and {peaks[-1][1]} KiB, "
          f"{grown} KiB of it in the second half")
    shutil.rmtree(play.folder, ignore_errors=True)
    return play.wrong


def children(parent):
    """The numbers of the living children of a process, and of those that nobody has waited for."""
    living, dead = [], []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
                state, above = file.read().rpartition(")")[2].split()[:2]
        except OSError:
            continue  # it has ended
        if int(above) == parent:
            (dead if state == "Z" else living).append(int(pid))
    return living, dead


def descriptors(pid):
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0  # it has ended
