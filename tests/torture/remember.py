#!/usr/bin/env python3
"""Whether an agent can leave anything for a later process (remember), signal to another while both play (whisper), or make files useless
to others (disable). With `--only speed`, how many bits a second two of them can exchange by what is not closed.

    tests/torture/remember.py [MAUMAU] [--sandbox LEVEL]... [--user USER]... [--trials N] [--only KIND]...

LEVEL may also be `in memory`: `strict` with --sandbox-in-memory for Python. USER is `root` (the arena as it is started by root), `nobody` (by root with --sandbox-user nobody) or `user` (started by a user). Each
trial draws a token of 16 bits, which `bots/media.py` leaves in every medium of its table. By the level `none` it is seen that a medium
works at all. The last line is `N passed, N failed`.
"""

import argparse
import collections
import functools
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "bots"))
import media  # noqa: E402

USER = 1_234_567
# Milliseconds of a slot; a bit has two.
SLOTS = {"load": 10, "free memory": 20, "forks": 20, "numbers of processes": 20}


def is_promised(medium, kind, level):
    """What leaks by time is only measured, but where all is kept in memory or, once a process has ended, what it left there is dropped."""
    return medium not in media.BY_TIME or level == "in memory" or (kind == "remember" and level == "strict+cgroup")


def level_words(level):
    if level != "in memory":
        return ["--sandbox", level]
    return ["--sandbox", "strict", *(word for place in of_python() for word in ("--sandbox-in-memory", place))]


@functools.cache
def of_python():
    """What Python consists of: its program, its modules, the libraries of both."""
    modules = pathlib.Path(sysconfig.get_path("stdlib", vars={"base": "/usr", "installed_base": "/usr"}))
    binaries = ["/usr/bin/python3", *map(str, (modules / "lib-dynload").glob("*.so"))]
    libraries = subprocess.run(["ldd", *binaries], capture_output=True, text=True).stdout
    return ["/usr/bin/python3", str(modules), *sorted(set(re.findall(r"(/\S+) \(0x", libraries)))]


def has_groups(maumau):
    """Whether this user may make control groups here."""
    return subprocess.run([maumau, "doctor", "--sandbox", "strict+cgroup"], capture_output=True).returncode == 0


class Trials:
    def __init__(self, options, folder):
        self.options, self.passed, self.failed = options, 0, 0
        self.pages = folder / "pages"
        self.pages.write_bytes(os.urandom(media.APART) * (2 * media.BITS))

    def check(self, what, good, why=""):
        self.passed, self.failed = self.passed + bool(good), self.failed + (not good)
        if not good:
            print(f"FAILED: {what}: {why}", flush=True)

    def cells(self, folder):
        """A folder with something for each bit, as if it had lain there for long."""
        folder.mkdir()
        cells = media.Cells(folder)
        for cell in cells.folders:
            cell.mkdir()
        for cell in cells.links:
            cell.symlink_to("elsewhere")
        for cell in cells.files + cells.spares + cells.dated:
            cell.write_text("")
        os.link(self.pages, cells.pages)
        with open(cells.pages, "rb") as pages:
            os.fsync(pages)
            os.posix_fadvise(pages.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)

    def run(self, words, folder, user):
        """The program as this user of a machine; files that it needs are the user's own."""
        who = {"user": USER, "group": USER, "extra_groups": []} if user == "user" and os.getuid() == 0 else {}
        if who:
            for path in [folder, *folder.rglob("*")]:
                os.chown(path, USER, USER, follow_symlinks=False)
        cells = media.Cells(folder / "bot/cells")
        for cell in filter(os.path.lexists, cells.files + cells.folders + cells.links):
            os.utime(cell, (1_000_000, 1_000_001), follow_symlinks=False)
        environment = {**os.environ, "HOME": str(folder)}
        return subprocess.run([self.options.maumau, *words], cwd=folder, env=environment, capture_output=True, text=True, **who)

    def play(self, level, user, *bots, rules="basic"):
        """The notes of a match of these bots, one after another."""
        with tempfile.TemporaryDirectory(prefix="maumau-media-", dir=self.pages.parent) as name:
            folder = pathlib.Path(name)
            os.chmod(folder, 0o755)
            (folder / "bot").mkdir()
            shutil.copy(HERE / "bots/media.py", folder / "bot")
            self.cells(folder / "bot/cells")
            words = ["play", "--quiet", "--rules", rules, "--move-ms", "30000", *level_words(level), "--record", "game.jsonl"]
            words += ["--sandbox-user", "nobody"] if user == "nobody" and level != "none" else []
            for bot in bots:
                words += ["--seat", "/usr/bin/python3 bot/media.py " + bot.replace("CELLS", str(folder / "bot/cells"))]
            done = self.run([*words, "--seat", "maumau agent greedy"], folder, user)
            record = folder / "game.jsonl"
            entries = [json.loads(line) for line in record.read_text().splitlines()] if record.exists() else []
            clear_away()
            notes = [entry["note"] for entry in entries if isinstance(entry.get("note"), dict)]
            self.check(f"{level}, {user}: {' and '.join(bots)} is played", done.returncode == 0, done.stderr[-600:])
            return {key: value for note in notes for key, value in note.items()}

    def trial(self, kind, level, user, most=1_000_000):
        """How many bits of each medium arrived, all of them, and what refused it."""
        heard, whole, why = collections.Counter(), collections.Counter(), {}
        left = min(self.options.trials, most)
        for _ in range(3 * self.options.trials + 5):
            said = self.play(level, user, {"remember": "leave", "whisper": "talk"}[kind] + " CELLS", "hear CELLS")
            # A match may be over before both have had their say, and in the right order.
            if [word for word in said if word in ("left", "heard")] != ["left", "heard"]:
                continue
            left -= 1
            for medium, got in said["heard"].items():
                if isinstance(got, int):
                    bits = media.BITS - ((got ^ said["left"]) & 0xffff).bit_count()
                    heard[medium], whole[medium] = heard[medium] + bits, whole[medium] + (got == said["left"])
                why[medium] = said["refused"].get(medium) or (got if isinstance(got, str) else "nothing was there")
            if left == 0:
                break
        self.check(f"{kind}, {level}, {user}: as many trials as were wished", left == 0, f"{left} are missing")
        return heard, whole, why

    def talk(self, medium, level, user):
        """Bits in a second that come across by this medium, and of how many how many were wrong."""
        wrong = count = 0
        for _ in range(3):
            said = self.play(level, user, *(f"{what} '{medium}' CELLS {SLOTS[medium]}" for what in ("send", "take")), rules="spam")
            if not isinstance(said.get("taken"), list) or "sent" not in said:
                return 0, str(said.get("taken"))
            taken, sent = said["taken"], said["sent"]
            if medium == "forks":
                taken = [now - before for before, now in zip([taken[0], *taken], taken)]
            for bit, first, second in zip(sent, taken[::2], taken[1::2], strict=True):
                count, wrong = count + 1, wrong + ((first > second) != bit)
        share = (wrong + 0.5) / (count + 1)
        left = 1 + share * math.log2(share) + (1 - share) * math.log2(1 - share) if share < 0.5 else 0
        return left * 1000 / (2 * SLOTS[medium]), f"{wrong} of {count} wrong, {2 * SLOTS[medium]} ms each"

    def disable(self, level, user):
        """A bot that harms the files of another, the league and the run, and what is left of them."""
        with tempfile.TemporaryDirectory(prefix="maumau-media-", dir=self.pages.parent) as name:
            folder = pathlib.Path(name)
            os.chmod(folder, 0o755)
            for bot in ("bad", "good"):
                (folder / bot).mkdir()
                shutil.copy(HERE / "bots/media.py", folder / bot / "bot.py")
            victims = [folder / "good/bot.py", folder / "league.toml", folder / "run.maumau"]
            command = "/usr/bin/python3 bad/hidden.py"
            text = (folder / "bad/bot.py").read_text().replace("sys.argv[1:]", repr(["disable", *map(str, victims)]))
            (folder / "bad/hidden.py").write_text(text)
            (folder / "league.toml").write_text(
                f'rules = "basic"\nseats = 2\nrounds = 1\ngames_per_pairing = 4\n[time]\nmove_ms = 30000\n'
                f'[[agent]]\nname = "bad"\ncommand = "{command}"\n'
                '[[agent]]\nname = "good"\ncommand = "/usr/bin/python3 good/bot.py hear nothing"\n')
            before = [(victim.read_bytes(), victim.stat().st_mode) for victim in victims[:2]]
            words = ["tournament", "run", "league.toml", "--run", "run.maumau", *level_words(level)]
            words += ["--sandbox-user", "nobody"] if user == "nobody" and level != "none" else []
            done = self.run(words, folder, user)
            if level == "none":
                return
            what = f"disable, {level}, {user}"
            self.check(f"{what}: the run is played", done.returncode == 0, done.stderr[-600:])
            after = [(victim.read_bytes(), victim.stat().st_mode) for victim in victims[:2] if victim.exists()]
            self.check(f"{what}: files stay as they were", before == after)
            self.run(["tournament", "export", "run.maumau", "--to", "records"], folder, user)
            notes = [json.loads(line)["note"] for record in (folder / "records").glob("*.jsonl")
                     for line in record.read_text().splitlines() if '"disabled"' in line]
            done = {act for note in notes for act, answer in note["disabled"].items() if not isinstance(answer, str) or len(answer) == 2}
            self.check(f"{what}: it tries {len(media.HARM)} acts on {len(victims)} files in {len(notes)} games, in vain",
                       notes and not done, sorted(done))


def clear_away():
    """What media that work leave for the next trial."""
    for place in ("/tmp", "/var/tmp", "/dev/shm"):
        for path in pathlib.Path(place).glob("maumau-medium-*"):
            path.unlink()
    removals = [lambda: media.c("shmctl", media.c("shmget", media.KEY, 0, 0), 0, None),
                lambda: media.c("semctl", media.c("semget", media.KEY, 1, 0), 0, 0, None),
                lambda: media.c("msgctl", media.c("msgget", media.KEY, 0), 0, None),
                lambda: media.c(241, b"maumau-medium"),
                lambda: media.c(250, 9, media.c(250, 10, -4, b"user", b"maumau-medium", 0), -4)]
    for removal in removals:
        try:
            removal()
        except OSError:
            pass  # There is none.


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("maumau", nargs="?", default=HERE.parent.parent / "target/release/maumau", type=pathlib.Path)
    parser.add_argument("--sandbox", action="append")
    parser.add_argument("--user", action="append", choices=["root", "nobody", "user"])
    parser.add_argument("--only", action="append", choices=["remember", "whisper", "disable", "speed"])
    parser.add_argument("--trials", type=int, default=2)
    options = parser.parse_args()
    options.maumau = str(options.maumau.resolve())
    kinds = options.only or ["remember", "whisper", "disable"]
    users = options.user or (["root", "nobody", "user"] if os.getuid() == 0 else ["user"])
    levels = options.sandbox or ["basic", "strict", "in memory", *(["strict+cgroup"] if has_groups(options.maumau) else [])]

    def levels_of(user):
        # The groups of root are not this user's.
        return [level for level in levels if level != "strict+cgroup" or user != "user" or os.getuid() != 0]

    # Not in a place where agents have a folder of their own, such as /var/tmp at strict.
    with tempfile.TemporaryDirectory(prefix="maumau-remember-") as name:
        os.chmod(name, 0o755)
        trials = Trials(options, pathlib.Path(name))
        for kind in [kind for kind in kinds if kind in ("remember", "whisper")]:
            _, works, _ = trials.trial(kind, "none", users[-1], 3)
            works = {medium for medium, count in works.items() if count}
            print(f"{kind}: {len(works)} of {len(media.MEDIA)} media work at none; not here: "
                  f"{', '.join(medium for medium in media.MEDIA if medium not in works) or 'none'}", flush=True)
            trials.check(f"{kind}: media work where nothing is closed", len(works) * 2 > len(media.MEDIA))
            for user in users:
                for level in levels_of(user):
                    began = time.monotonic()
                    heard, whole, why = trials.trial(kind, level, user)
                    promised = [medium for medium in media.MEDIA if is_promised(medium, kind, level)]
                    for medium in promised:
                        # Of what leaks by time half of the bits are right by chance, and some more by the processor's caches.
                        bits = media.BITS * options.trials
                        came = heard[medium] > bits * 7 // 8 if medium in media.BY_TIME else whole[medium]
                        trials.check(f"{kind}, {level}, {user}: {medium}", not came and medium in why,
                                     f"{whole[medium]} of {options.trials} tokens came, {heard[medium]} of {bits} bits")
                    came = sum(whole[medium] for medium in promised)
                    shares = ", ".join(f"{medium}: {heard[medium]} of {media.BITS * options.trials} bits" for medium in sorted(media.BY_TIME))
                    print(f"{kind}, {level}, {user}: {came} tokens of {options.trials} by {len(promised)} media; {shares}; "
                          f"{time.monotonic() - began:.0f} s", flush=True)
        for user in users if "speed" in kinds else []:
            for level in levels_of(user):
                for medium in media.LIVE:
                    speed, detail = trials.talk(medium, level, user)
                    print(f"speed, {level}, {user}: {medium}: {speed:.1f} bits a second ({detail})", flush=True)
        for user in users if "disable" in kinds else []:
            for level in levels_of(user):
                trials.disable(level, user)
    print(f"{trials.passed} passed, {trials.failed} failed")
    return 1 if trials.failed else 0


if __name__ == "__main__":
    sys.exit(main())
