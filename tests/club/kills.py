#!/usr/bin/env python3
"""Kills a club again and again while authors send, pause, resume and withdraw bots and ask for trials, and lets it go on each time.

    tests/club/kills.py [MAUMAU] [--kills N] [--points N] [--seed N]

MAUMAU is the program, target/release/maumau by default. KILLS times (200) the serving process is killed with -9: at random moments,
in the middle of an upload, and right when an event arrives on the stream (`MOMENTS`); every third time with everything that it has
started. After each kill, on the dead club: `maumau club check` finds nothing; what was answered with 201 is there, under the same
number; no event that was seen is gone; no version or trial has failed; no game is lost; and at the next start what was being built or
checked waits again. From time to time, and at the end, nobody does anything: then nothing may stand still, and the run file is
verified. At the end each version is in the state that follows from what its author did, the league file says the same, quotas have
counted each upload once, the folder holds what the rows name and nothing else, and no process is left.

POINTS times (40; 0 is none) a club is killed at a named point: just before one of the system calls that change a file, evenly spread
over all that the serving process makes from its start over an upload, build, check, join, trial and replacement to the last game. A
small C library counts the calls, so this needs `cc` and a program that is linked dynamically; a tracer would count them for each thread.
The last line is `N passed, N failed`.
"""

import argparse
import collections
import http.client
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

import served
from served import ServedClub, c_bot, digest, python_bot, shell_bot

sys.path.insert(0, str(served.TOP / "tests"))
from checks import Checks  # noqa: E402
from processes import left_after, marked  # noqa: E402

LOST = (OSError, http.client.HTTPException)
# What an event says at whose arrival the club is killed.
MOMENTS = ("was sent", "is building", "is checking", "is ready", "is playing", "has played its first rated game", "is retired",
           "has left the ladder", "is paused", "trial")
MOMENT_WITHIN_S = 25.0
RANDOM_WITHIN_S = 4.0
REST_EVERY = 25
ALONE_FOR_S = 10.0
# A slow machine may need so long until the process that works is there.
WORKED_WITHIN_S = 20.0
SETTLED_WITHIN_S = 300.0
GONE_WITHIN_S = 40.0
ON_ITS_WAY = ("waiting", "building", "checking", "ready")
BUSY = ("building", "checking")


class Author(threading.Thread):
    """A team of one, which does something new all the time, and asks again whenever no answer came."""

    def __init__(self, club, world, name, archive_of, seed):
        super().__init__(daemon=True)
        self.club, self.world, self.name, self.bot, self.archive_of = club, world, name, f"{name}-bot", archive_of
        self.dice = random.Random(seed)
        self.token = club.member(name)
        # Answers of uploads by the digest, decisions that were answered by the version's number, trials by theirs.
        self.known, self.decided, self.trials = {}, {}, set()
        self.unsure, self.count, self.resent = None, 0, 0

    def run(self):
        try:
            while not self.world.over.is_set() or self.unsure:
                self.world.may_act.wait()
                if self.unsure:
                    self.send(self.unsure)
                elif not self.world.over.is_set():
                    self.act()
                self.world.over.wait(0.05 if self.unsure else self.dice.uniform(0, 1))
        except Exception as error:  # noqa: BLE001
            self.world.checks.check(f"{self.name} gave up: {error!r}", False)

    def act(self):
        newest = max((answer["id"] for answer in self.known.values()), default=None)
        deed = self.dice.choices(("send", "pause", "resume", "withdraw", "trial", "rerun", "again"), (30, 18, 14, 4, 14, 6, 4))[0]
        if newest is None or deed == "send":
            self.count += 1
            self.send(self.archive_of(f"{self.name} {self.count}"))
        elif deed == "again":
            self.send(self.dice.choice([answer["bytes"] for answer in self.known.values()]))
        elif deed in ("trial", "rerun"):
            (self.ask_trial if deed == "trial" else self.ask_rerun)(self.dice.choice(list(self.known.values()))["id"])
        else:
            self.decide(newest if self.dice.random() < 0.8 else self.dice.choice(list(self.known.values()))["id"], deed)

    def send(self, archive):
        """Sends until it is known whether the club has it: after a lost answer, the same archive again."""
        self.world.sending.set()
        was_unsure, self.unsure = self.unsure is not None, archive
        try:
            answer = self.club.upload(self.bot, archive, self.token)
        except LOST:
            return
        if answer.status == 429 and not was_unsure:
            self.unsure = None
            return
        if answer.status == 429:
            return
        self.unsure = None
        before = self.known.get(digest(archive))
        told = answer.json() if answer.status in (200, 201) else {}
        self.resent += was_unsure and answer.status == 200
        expected = (200, 201) if was_unsure else (200,) if before else (201,)
        self.world.check(f"{self.name}: an upload: {answer.status} {answer.error}", answer.status in expected)
        if told:
            self.world.check(f"{self.name}: the same archive is {told['agent']} now and was {before and before['agent']}",
                             before is None or (before["id"], before["agent"]) == (told["id"], told["agent"]))
            self.known[digest(archive)] = {key: told[key] for key in ("id", "agent", "archive")} | {"bytes": archive}

    def decide(self, version, verb):
        try:
            answer = self.club.ask("POST", f"/api/1/versions/{version}/{verb}", self.token)
        except LOST:
            self.decided.setdefault(version, set()).add(verb)
            return
        self.world.check(f"{self.name}: {verb}: {answer.status} {answer.error}", answer.status in (200, 409))
        if answer.status == 200:
            # What was unsure before is over; only being withdrawn is for good.
            kept = self.decided.get(version, set()) & {"withdraw", "withdrawn"}
            self.decided[version] = kept | {{"pause": "paused", "resume": "resumed", "withdraw": "withdrawn"}[verb]}
            if verb != "resume":
                self.world.over.wait(self.dice.uniform(0, 4))  # so that it leaves before it is resumed

    def ask_trial(self, version):
        try:
            answer = self.club.ask("POST", "/api/1/trials", self.token, {"version": version, "against": ["greedy"], "games": 4})
        except LOST:
            return
        self.world.check(f"{self.name}: a trial: {answer.status} {answer.error}", answer.status in (201, 422, 429))
        if answer.status == 201:
            self.trials.add(answer.json()["id"])

    def ask_rerun(self, version):
        """The organiser wants a game of it played again, also while nobody serves the club."""
        try:
            answer = self.club.ask("GET", f"/api/1/versions/{version}/games", self.token)
        except LOST:
            return
        if answer.status != 200 or not answer.json()["worst"]:
            return
        done = self.club.tried("rerun", answer.json()["worst"][0]["game"])
        is_open = "other games of the deal" in done.stderr
        self.world.check(f"{self.name}: a rerun: {done.returncode} {done.stderr}", done.returncode == (2 if is_open else 0))
        if done.returncode == 0:
            self.trials.add(int(done.stdout.strip().rsplit("/", 1)[1]))


class World:
    """A club, its authors, and what must stay true."""

    def __init__(self, club, checks, mark):
        self.club, self.checks, self.mark = club, checks, mark
        self.over, self.may_act, self.sending = threading.Event(), threading.Event(), threading.Event()
        self.lock = threading.Lock()
        self.authors, self.seen, self.games, self.failed_already = [], {}, 0, set()
        # Sees all events.
        self.organiser = None

    def check(self, what, good):
        with self.lock:
            self.checks.check(what, good)

    def look_at_dead(self, kill):
        """Checks a club that is not served; gives the versions that were being built or checked, and the newest event."""
        done = self.club.tried("check")
        self.check(f"{kill}: club check: {done.returncode} {done.stdout}{done.stderr}", done.returncode == 0 and not done.stdout)
        versions = {row[0]: row[1:] for row in self.club.rows("SELECT id, bot || '@' || number, sha, state, reason, tries FROM version")}
        for author in self.authors:
            for answer in list(author.known.values()):
                found = versions.get(answer["id"], ())[:2]
                self.check(f"{kill}: {answer['agent']} was taken and is {found}", found == (answer["agent"], answer["archive"]))
            sent = [row for row in versions.values() if row[0].startswith(f"{author.bot}@")]
            most = len(author.known) + (author.unsure is not None) + 1
            self.check(f"{kill}: {author.bot} has {len(sent)} versions, answered {len(author.known)}", len(author.known) <= len(sent) <= most)
            self.check(f"{kill}: an archive is there twice", len({row[1] for row in sent}) == len(sent))
        self.no_failures(kill, versions)
        events = dict(self.club.rows("SELECT id, what FROM event"))
        gone = {number: what for number, what in self.seen.items() if events.get(number) != what}
        self.check(f"{kill}: events were seen and are gone: {gone}", not gone)
        self.check(f"{kill}: events are numbered with gaps", sorted(events) == list(range(1, len(events) + 1)))
        games = self.club.games()
        self.check(f"{kill}: {games} games, before {self.games}", games >= self.games)
        self.games = games
        return [(number, row[0], row[2]) for number, row in versions.items() if row[2] in BUSY], max(events, default=0)

    def no_failures(self, kill, versions):
        """Each failure is reported once."""
        for number, (agent, _, state, reason, tries) in versions.items():
            if state in ("refused", "failed") and (agent, state) not in self.failed_already:
                self.failed_already.add((agent, state))
                self.check(f"{kill}: {agent} (version {number}) is {state} after {tries} tries: {reason!r}", False)
        for number, team, state, reason in self.club.rows("SELECT id, team, state, reason FROM trial"):
            if state == "failed" and ("trial", number) not in self.failed_already:
                self.failed_already.add(("trial", number))
                self.check(f"{kill}: trial {number} of {team} has failed: {reason!r}", False)

    def look_at_started(self, kill, busy, newest):
        """What was being built or checked waits again as soon as the club says its address."""
        back = {(row[0], row[1]) for row in self.club.rows("SELECT version, what FROM event WHERE id > ?", newest)}
        for number, agent, state in busy:
            # That it may not have failed is checked elsewhere.
            ways = {(number, f"{agent} is {after}") for after in ("waiting", "failed")}
            self.check(f"{kill}: {agent} was {state} and was not put back", ways & back)

    def rest(self, kill):
        """Nobody does anything for a while: nothing may stand still, and the run file is sound."""
        self.may_act.clear()
        time.sleep(ALONE_FOR_S)
        end = time.monotonic() + WORKED_WITHIN_S
        while limbo := {row["agent"]: row for row in self.club.ask("GET", "/api/1/queue").json()
                        if row["state"] in BUSY and row["in_state_s"] >= ALONE_FOR_S and not self.is_worked_at(row)}:
            if time.monotonic() > end:
                break
            time.sleep(0.5)
        self.check(f"{kill}: nobody works at these: {list(limbo.values())}", not limbo)
        self.verify(kill)
        self.may_act.set()

    def is_worked_at(self, row):
        """True if a process checks or builds this version: then it is slow and in no limbo."""
        bot, number = row["agent"].split("@")
        sha, built = self.club.rows("SELECT sha, built FROM version WHERE bot = ? AND number = ?", bot, int(number))[0]
        places = [str(self.club.path / "bots" / sha), str(self.club.path / "workshop")] + ([str(self.club.path / "built" / built)] if built else [])
        return any(place_of(pid).startswith(tuple(places)) for pid in marked(self.mark))

    def verify(self, kill):
        run = self.club.path / "season/season.maumau"
        done = subprocess.run([self.club.maumau, "verify", run], capture_output=True, text=True, timeout=600)
        self.check(f"{kill}: verify: {done.returncode} {(done.stdout + done.stderr)[-500:]}", done.returncode == 0)

    def settle(self, what):
        """Waits until nothing is on its way."""
        end = time.monotonic() + SETTLED_WITHIN_S
        while True:
            queue = self.club.ask("GET", "/api/1/queue").json()
            trials = self.club.rows("SELECT id, state FROM trial WHERE state IN ('waiting', 'playing')")
            if not queue and not trials:
                break
            if time.monotonic() > end:
                self.check(f"{what}: after {SETTLED_WITHIN_S:.0f} s there is still {queue} {trials}", False)
                break
            time.sleep(0.5)
        time.sleep(ALONE_FOR_S)
        still = [row for row in self.club.ask("GET", "/api/1/queue").json() if row["state"] in ON_ITS_WAY]
        self.check(f"{what}: {ALONE_FOR_S:.0f} s later: {still}", not still)


def place_of(pid):
    try:
        return os.readlink(f"/proc/{pid}/cwd")
    except OSError:
        return ""


def kill_club(world, with_all):
    """Kills the serving process, and everything that it has started if so wanted."""
    was_running = world.club.kill()
    if with_all:
        # What is started meanwhile is found the next time.
        while found := {pid: words for pid, words in marked(world.mark).items() if is_of_club(pid)}:
            for pid in found:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            time.sleep(0.01)
    return was_running


def is_of_club(pid):
    """False for what has ended and only waits to be noticed."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def wait_for_moment(world, moment, dice):
    """Waits for the moment of the next kill; gives what it was."""
    if moment == "at random":
        time.sleep(dice.uniform(0, RANDOM_WITHIN_S))
        return moment
    if moment == "in an upload":
        world.sending.clear()
        came = world.sending.wait(MOMENT_WITHIN_S)
        time.sleep(dice.uniform(0, 0.03))
        return moment if came else "at random"
    newest = max(world.seen, default=0)
    for event in world.club.follow(newest, world.organiser, MOMENT_WITHIN_S):
        world.seen[event["id"]] = event["what"]
        is_it = event["what"].startswith("trial") if moment == "trial" else event["what"].endswith(moment)
        # Those that have happened already come first.
        if is_it and time.time() - event["at_s"] < 2:
            time.sleep(dice.choice((0, 0, dice.uniform(0, 0.05))))
            return moment
    return "at random"


def kill_at_random(maumau, folder, kills, seed, can_build, checks):
    dice = random.Random(seed)
    club = ServedClub(maumau, folder / "club")
    club.set_quotas(uploads_a_day=100_000, on_their_way=2)
    world = World(club, checks, str(folder))
    club.start()
    world.organiser = club.member("olga", "--organiser")
    kinds = [("ann", python_bot), ("bob", python_bot), ("cid", shell_bot if can_build else python_bot), ("dan", c_bot if can_build else python_bot)]
    world.authors = [Author(club, world, name, archive_of, dice.random()) for name, archive_of in kinds]
    world.may_act.set()
    for author in world.authors:
        author.start()
    met, starts, running = collections.Counter(), [], 0
    moments = ["at random", *MOMENTS, "in an upload", "at random"]
    for kill in range(kills):
        moment = wait_for_moment(world, moments[kill % len(moments)], dice)
        with_all = kill % 3 == 2
        world.may_act.clear() if dice.random() < 0.2 else None
        running += kill_club(world, with_all)
        what = f"kill {kill + 1} ({moment}{', with all' if with_all else ''})"
        met[moment] += 1
        busy, newest = world.look_at_dead(what)
        starts.append(club.start())
        world.look_at_started(what, busy, newest)
        world.may_act.set()
        if (kill + 1) % REST_EVERY == 0:
            world.rest(what)
        if (kill + 1) % 5 == 0 or kill + 1 == kills:
            versions = sum(len(author.known) for author in world.authors)
            print(f"kill {kill + 1} of {kills}: {versions} versions, {len(world.seen)} events seen, {world.games} games, "
                  f"{sum(len(author.trials) for author in world.authors)} trials, {checks.failed} checks failed", flush=True)
    world.check(f"{running} of {kills} kills met a running club", running == kills)
    world.check(f"{club.refused_starts} times the club could not be served because the killed one still held it", not club.refused_starts)
    world.over.set()
    for author in world.authors:
        author.join(60)
        world.check(f"{author.name} still waits for an answer", not author.is_alive())
    world.settle("at the end")
    as_decided(world)
    code = club.end()
    world.check(f"the club ends with {code}", code == 130)
    world.look_at_dead("at the end")
    world.verify("at the end")
    holds_what_rows_name(club, checks)
    left = left_after(world.mark, GONE_WITHIN_S)
    world.check(f"processes are left: {left}", not left)
    counted_once(world)
    left = left_after(world.mark, GONE_WITHIN_S)
    world.check(f"processes are left: {left}", not left)
    starts.sort()
    print(f"{running} kills: {dict(met)}; {sum(author.resent for author in world.authors)} uploads were there already when they were sent again; "
          f"seconds until the club was served again: median {starts[len(starts) // 2]:.2f}, most {starts[-1]:.2f}")
    if can_build:
        missing = [moment for moment in moments if kills >= 4 * len(moments) and not met[moment]]
        world.check(f"no kill came at {missing}", not missing)


def as_decided(world):
    """Each version is in the state that follows from what its author did and which versions have joined, and so is the league file."""
    rows = world.club.rows("SELECT id, bot, number, state, reason FROM version ORDER BY bot, number")
    joined = {row[0] for row in world.club.rows("SELECT version FROM event WHERE what LIKE '%@% is playing'")}
    decided = {number: verbs for author in world.authors for number, verbs in author.decided.items()}
    for number, bot, place, state, reason in rows:
        if state in ("refused", "failed"):
            continue  # which was reported
        later = [row for row in rows if row[1] == bot and row[2] > place]
        verbs = decided.get(number, set())
        sure = {verb for verb in verbs if verb in ("paused", "resumed", "withdrawn")}
        unsure = verbs - sure
        if "withdrawn" in sure:
            expected = {"withdrawn"}
        elif any(row[3] == "playing" for row in later):
            expected = {"retired"}
        else:
            expected = {"paused"} if "paused" in sure else {"playing"}
            expected |= {"retired"} if any(row[0] in joined for row in later) else set()
        expected |= {"paused"} if "pause" in unsure else set()
        expected |= {"playing"} if "resume" in unsure else set()
        expected |= {"withdrawn"} if "withdraw" in unsure else set()
        world.check(f"{bot}@{place} is {state} {reason!r} and not {expected}, after {verbs}", state in expected)
    league = tomllib.loads((world.club.path / "season/season.toml").read_text(encoding="utf-8"))
    playing = {agent["name"] for agent in league["agent"] if not agent.get("retired") and "@" in agent["name"]}
    expected = {f"{bot}@{place}" for _, bot, place, state, _ in rows if state == "playing"}
    world.check(f"the league file lets {playing} play, the rows {expected}", playing == expected)
    trials = world.club.rows("SELECT id, state FROM trial")
    asked = {number for author in world.authors for number in author.trials}
    world.check("a trial was asked for and is not known", asked <= {row[0] for row in trials})


def counted_once(world):
    """After one more upload, the limit of what was sent and has not failed on this side is reached."""
    club, author = world.club, world.authors[0]
    charged = club.rows("SELECT count(*) FROM version JOIN bot ON bot.name = bot WHERE team = ? AND state <> 'failed'", author.name)[0][0]
    club.set_quotas(uploads_a_day=charged + 1, on_their_way=1_000)
    club.start()
    answers = [club.upload(author.bot, python_bot(f"the last {count}"), author.token) for count in range(2)]
    found = [answer.status for answer in answers]
    world.check(f"quotas: after {charged} uploads of {charged + 1}: {found}", found == [201, 429])
    world.check(f"quotas: {answers[1].error}", f"uploads_a_day = {charged + 1}" in answers[1].error and answers[1].headers["Retry-After"])
    world.check("the club ends", club.end() == 130)


def holds_what_rows_name(club, checks):
    """Archives, folders and builds are those that rows name, and nothing half made is left."""
    shas = {row[0] for row in club.rows("SELECT sha FROM version")}
    built = {row[0] for row in club.rows("SELECT built FROM version WHERE built <> ''")}
    for part, expected in (("uploads", shas), ("bots", shas), ("built", built), ("workshop", set())):
        found = set(os.listdir(club.path / part))
        checks.check(f"{part}: missing {expected - found}, left over {found - expected}", found == expected)


POINTS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Counts the calls that change files, in the process that serves a club, and kills it before the one with the number KILL_AT. */
static atomic_long count;
static long kill_at;
static int said = -1, serves;

__attribute__((constructor)) static void begin(void) {
    char words[4096] = {0};
    int file = open("/proc/self/cmdline", O_RDONLY);
    ssize_t length = file < 0 ? 0 : read(file, words, sizeof words - 1);
    if (file >= 0) close(file);
    for (ssize_t at = 0; at + 11 < length; at++)
        if (!memcmp(words + at, "\0club\0serve\0", 12)) serves = 1;
    const char *place = getenv("POINTS_SAID");
    if (!serves || !place) return;
    kill_at = atol(getenv("KILL_AT") ? getenv("KILL_AT") : "0");
    said = open(place, O_WRONLY | O_APPEND | O_CLOEXEC);
    unsetenv("LD_PRELOAD");
}

static void point(const char *call, const char *path) {
    if (said < 0) return;
    long number = atomic_fetch_add(&count, 1) + 1;
    char line[512];
    int length = snprintf(line, sizeof line, "%ld %s %s\n", number, call, path);
    if (length > (int)sizeof line - 1) length = sizeof line - 1;
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = dlsym(RTLD_NEXT, "write");
    if (real(said, line, length) < 0) abort();
    if (number == kill_at) {
        raise(SIGKILL);
        for (;;) pause();
    }
}

static void point_of(const char *call, int fd) {
    struct stat about;
    if (said < 0 || fd == said || fstat(fd, &about) || !S_ISREG(about.st_mode)) return;
    char name[64], path[256];
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(name, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    point(call, path);
}

#define REAL(name) static __typeof__(name) *real; if (!real) real = dlsym(RTLD_NEXT, #name)
#define ON_PATH(name) int name(const char *path) { REAL(name); point(#name, path); return real(path); }
#define ON_FILE(name) int name(int fd) { REAL(name); point_of(#name, fd); return real(fd); }

ON_PATH(unlink)
ON_PATH(rmdir)
ON_FILE(fsync)
ON_FILE(fdatasync)
int rename(const char *from, const char *to) { REAL(rename); point("rename", to); return real(from, to); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) { REAL(renameat2); point("renameat2", to); return real(a, from, b, to, flags); }
int link(const char *from, const char *to) { REAL(link); point("link", to); return real(from, to); }
int mkdir(const char *path, mode_t mode) { REAL(mkdir); point("mkdir", path); return real(path, mode); }
int unlinkat(int at, const char *path, int flags) { REAL(unlinkat); point("unlinkat", path); return real(at, path, flags); }
int ftruncate(int fd, off_t size) { REAL(ftruncate); point_of("ftruncate", fd); return real(fd, size); }
int ftruncate64(int fd, off64_t size) { REAL(ftruncate64); point_of("ftruncate64", fd); return real(fd, size); }
ssize_t write(int fd, const void *from, size_t size) { REAL(write); point_of("write", fd); return real(fd, from, size); }
ssize_t pwrite(int fd, const void *from, size_t size, off_t at) { REAL(pwrite); point_of("pwrite", fd); return real(fd, from, size, at); }
ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at) { REAL(pwrite64); point_of("pwrite64", fd); return real(fd, from, size, at); }
#define OPENS(name) int name(const char *path, int flags, ...) { \
    REAL(name); va_list more; va_start(more, flags); mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(more, mode_t) : 0; va_end(more); \
    if (flags & O_CREAT) point(#name, path); return real(path, flags, mode); }
OPENS(open)
OPENS(open64)
"""


def kill_at_points(maumau, folder, points, can_build, checks):
    """Kills a club just before each of `points` calls that change its files, spread over one course of uploads."""
    library = folder / "points.so"
    (folder / "points.c").write_text(POINTS, encoding="utf-8")
    made = subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", library, folder / "points.c", "-ldl"], capture_output=True, text=True)
    checks.check(f"the library that counts: {made.stderr}", made.returncode == 0)
    if made.returncode:
        return
    calls = [line.split(" ", 2) for line in one_course(maumau, folder, library, 0, can_build, checks)]
    checks.check(f"only {len(calls)} calls were counted; is {maumau} linked statically?", len(calls) > 50)
    if len(calls) <= 50:
        return
    # In the middle of equal parts: courses differ by a few calls, so the very last call of one is not in every other.
    chosen = sorted({1 + int((at + 0.5) * len(calls) / points) for at in range(points)})
    met, names = 0, collections.Counter()
    for at, number in enumerate(chosen):
        said = one_course(maumau, folder, library, number, can_build, checks)
        met += len(said) == number
        names[said[-1].split(" ", 2)[1] if said else "none"] += 1
        print(f"point {at + 1} of {len(chosen)}: call {number} of {len(calls)}: {said[-1] if said else 'none'}; {checks.failed} checks failed", flush=True)
    # How many calls there are differs a little from course to course.
    checks.check(f"{met} of {len(chosen)} points were met", met >= 0.9 * len(chosen))
    print(f"{met} kills at named points of {len(calls)} calls: {dict(names)}")


def one_course(maumau, folder, library, number, can_build, checks):
    """Takes a club from its start to a replaced version, killed before the call `number`; gives the calls up to there."""
    place = folder / "course"
    place.mkdir()
    said = place / "points"
    said.touch()
    club = ServedClub(maumau, place / "club")
    token = None
    key = club.run("invite").strip().rsplit("/", 1)[-1]
    what = f"point {number}"
    first, second = (shell_bot if can_build else python_bot)("1"), python_bot("2")
    environment = {"LD_PRELOAD": str(library), "POINTS_SAID": str(said), "KILL_AT": str(number)}
    club.start(environment)
    kills = 0

    def answered(ask):
        """Asks until an answer comes; a club that was killed is started again, this once."""
        nonlocal kills
        end = time.monotonic() + 120
        while time.monotonic() < end:
            if club.process.poll() is not None:
                kills += 1
                done = club.tried("check")
                checks.check(f"{what}: club check: {done.stdout}{done.stderr}", done.returncode == 0 and not done.stdout)
                club.process.stdout.close()
                club.start()
            try:
                return ask()
            except LOST:
                time.sleep(0.05)
        checks.check(f"{what}: no answer", False)
        return None

    def until(what_for, is_so):
        end = time.monotonic() + 90
        while not answered(is_so):
            if time.monotonic() > end:
                checks.check(f"{what}: it is not so after 90 s: {what_for}: {club.rows('SELECT id, state, reason, tries FROM version')}", False)
                return
            time.sleep(0.1)

    def state(version):
        answer = club.ask("GET", f"/api/1/versions/{version}", token)
        return answer.json().get("state") if answer.status == 200 else answer.error

    def joined():
        answer = club.ask("POST", f"/api/1/invitations/{key}", body={"name": "ann"})
        # The answer with the token may have been lost: then the organiser invites once more.
        return answer.json()["token"] if answer.status == 201 else club.member(f"ann-{kills}")

    token = answered(joined)
    owner = club.rows("SELECT name FROM member ORDER BY id DESC LIMIT 1")[0][0]
    for archive, expected in ((first, 1), (second, 2)):
        answer = answered(lambda archive=archive: club.upload("bot", archive, token))
        good = answer is not None and answer.status in (200, 201)
        checks.check(f"{what}: upload: {answer and answer.error}", good and answer.json()["agent"] == f"bot@{expected}")
        if not good:
            break
        until(f"bot@{expected} plays", lambda expected=expected: state(expected) == "playing")
        until(f"bot@{expected} has games", lambda expected=expected: club.ask("GET", f"/api/1/versions/{expected}", token).json()["games"] > 0)
        if expected == 1:
            answered(lambda: club.ask("POST", "/api/1/trials", token, {"version": 1, "against": ["greedy"], "games": 2}))
            games = answered(lambda: club.ask("GET", "/api/1/versions/1/games", token).json()["worst"]) or []
            asked = club.tried("rerun", games[-1]["game"] if games else "none")
            is_open = "other games of the deal" in asked.stderr
            checks.check(f"{what}: a rerun: {asked.returncode} {asked.stderr}", asked.returncode == (2 if is_open else 0))
            until("the trials are over", lambda: club.ask("GET", "/api/1/ladder").status == 200
                  and not club.rows("SELECT 1 FROM trial WHERE state IN ('waiting', 'playing')"))
    until("bot@1 is retired", lambda: state(1) == "retired")
    answered(lambda: club.ask("POST", "/api/1/versions/2/pause", token))
    until("bot@2 has left", lambda: state(2) == "paused" and any(event["what"] == "bot@2 has left the ladder" for event in club.events()))
    lines = said.read_text(encoding="utf-8").splitlines()
    code = club.end()
    if code is not None and club.process.returncode == -signal.SIGKILL:
        kills += 1  # at its end
        club.start()
        code = club.end()
    checks.check(f"{what}: the club ends with {code}", code == 130)
    checks.check(f"{what}: {kills} kills", kills == (1 if number and len(said.read_text(encoding='utf-8').splitlines()) == number else 0))
    rows = club.rows("SELECT bot || '@' || number, state, tries FROM version")
    checks.check(f"{what}: {rows}", [row[:2] for row in rows] == [("bot@1", "retired"), ("bot@2", "paused")] and all(row[2] <= 1 for row in rows))
    trials = club.rows("SELECT state, reason FROM trial WHERE state <> 'done'")
    checks.check(f"{what}: trials: {trials}", not trials)
    checks.check(f"{what}: {owner} owns the bot", club.rows("SELECT team FROM bot") == [(owner,)])
    done = club.tried("check")
    checks.check(f"{what}: club check: {done.stdout}{done.stderr}", done.returncode == 0 and not done.stdout)
    done = subprocess.run([maumau, "verify", club.path / "season/season.maumau"], capture_output=True, text=True)
    checks.check(f"{what}: verify: {done.stdout[-300:]}{done.stderr[-300:]}", done.returncode == 0)
    holds_what_rows_name(club, checks)
    left = left_after(str(folder), GONE_WITHIN_S)
    checks.check(f"{what}: processes are left: {left}", not left)
    lines = said.read_text(encoding="utf-8").splitlines() or lines
    shutil.rmtree(place)
    return lines


def builds_are_possible(maumau):
    """True if this machine has a compiler and the level `strict`."""
    if shutil.which("cc") is None:
        return False
    done = subprocess.run([maumau, "doctor", "--format", "json"], capture_output=True, text=True)
    text = done.stdout if done.returncode == 0 else subprocess.run([maumau, "doctor"], capture_output=True, text=True).stdout
    return shutil.which("bwrap") is not None and "strict" in text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("maumau", nargs="?", default=served.TOP / "target/release/maumau", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--points", type=int, default=40)
    parser.add_argument("--seed", type=int, default=None, help="of the moments of the kills")
    arguments = parser.parse_args()
    checks = Checks()
    maumau = arguments.maumau.resolve()
    can_build = builds_are_possible(maumau)
    if not can_build:
        print("left out: nothing can be built here, so no bot is sent as source")
    with tempfile.TemporaryDirectory(prefix="maumau-club-kills-") as folder:
        folder = pathlib.Path(os.path.realpath(folder))
        # What clubs start has this path, by which it is found.
        os.environ["PATH"] += f":{folder}"
        if arguments.kills:
            kill_at_random(maumau, folder, arguments.kills, arguments.seed, can_build, checks)
        if arguments.points and shutil.which("cc"):
            kill_at_points(maumau, folder, arguments.points, can_build, checks)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
