"""What spectators do to a run that is shown while it is played: it goes on, and others are answered.

Bad bots are in plays.py, what befalls the arena otherwise in upheavals.py."""

import http.client
import resource
import shutil
import socket
import subprocess
import threading
import time

from plays import Kind, Place, Play

FILES = 1_024
CONNECTIONS = 1_500
# They take some ten seconds.
GAMES = 20
ANSWERED_WITHIN_S = 3.0
# What each connection says, and then nothing: half of a request's first line, a head without its end, nothing.
HALVES = (b"GET / HTT", b"GET / HTTP/1.1\r\nhost: ", b"")


def spectators(options):
    """All of them: what it was, and what was wrong."""
    if not options.only or "exhaust-connections" in options.only:
        yield "exhaust-connections", exhaust_connections(options)


def exhaust_connections(options):
    """More connections than the arena may open files, which say half a request and no more, for as long as the run lasts."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < FILES + CONNECTIONS:
        return [f"the hard limit of open files is {hard}; raise it to {FILES + CONNECTIONS} (ulimit -Hn)"]
    play = Play(options, Kind("clock", "just-in-time", {"quick": True}), Place("basic"))
    agents = [("a", play.command()), ("b", play.command())]
    play.write_league(agents, play.limits(), games_per_pairing=GAMES, concurrency=4)
    try:
        # The shell lowers its own limits, soft and hard; those of this process stay.
        limited = ["sh", "-c", f'ulimit -n {FILES}; exec "$@"', "sh", options.maumau, "tournament", "run", "league.toml",
                   "--cpus", "1", "--serve", "--addr", "127.0.0.1:0", *options.level]
        process = subprocess.Popen(limited, cwd=play.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        while "http://" not in (line := process.stderr.readline()) and line:
            pass
        if not line:
            return [f"no pages: exit code {process.wait()}"]
        place, _, token = line.rpartition("http://")[2].strip().partition("/")
        address = (place.partition(":")[0], int(place.partition(":")[2]))
        # Where agents reach the pages as well, these want a token.
        cookie = token.replace("?token", f"maumau-{address[1]}")
        rest = []
        reader = threading.Thread(target=lambda: rest.append(process.communicate()))
        reader.start()
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        answers, held = attack(address, cookie)
        reader.join()
        out, err = rest[0]
        play.check(process.returncode == 0, f"exit code {process.returncode}: {err[-300:]!r}")
        play.check(f"{GAMES} of {GAMES} in league.maumau (complete)" in err, f"the run did not end: {err[-300:]!r}")
        play.check(held >= CONNECTIONS, f"only {held} connections were made")
        play.check(answers and all(status == 200 for status, _ in answers), f"others were answered {answers}")
        slowest = max((took for _, took in answers), default=0)
        play.check(slowest < ANSWERED_WITHIN_S, f"somebody else waited {slowest:.1f} s for a page")
        play.check_left()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        shutil.rmtree(play.folder, ignore_errors=True)
    return play.wrong


def attack(address, cookie):
    """Makes connections until the pages are gone; what others were answered meanwhile, and how many connections were made."""
    held, answers, made = [], [], 0
    while True:
        for _ in range(CONNECTIONS // 10):
            try:
                half = socket.create_connection(address, timeout=2)
                half.sendall(HALVES[made % len(HALVES)])
                held.append(half)
                made += 1
            except OSError:
                pass  # it was closed for a newer one, or the pages are gone
        for old in held[:-CONNECTIONS]:
            old.close()
        del held[:-CONNECTIONS]
        try:
            answers.append(look(address, cookie))
        except ConnectionRefusedError:
            break
    if answers and not isinstance(answers[-1][0], int):
        # The pages were closed on this one.
        answers.pop()
    for half in held:
        half.close()
    return answers, made


def look(address, cookie):
    """The status of a page for somebody else, and how long it took."""
    began = time.monotonic()
    try:
        page = http.client.HTTPConnection(*address, timeout=20)
        page.request("GET", "/games", headers={"cookie": cookie})
        status = page.getresponse().status
        page.close()
    except ConnectionRefusedError:
        raise
    except (OSError, http.client.HTTPException) as error:
        status = repr(error)
    return status, time.monotonic() - began
