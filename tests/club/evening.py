#!/usr/bin/env python3
"""A season of one evening: people join a club by invitations, send bots in many languages, and the ladder is played.

    tests/club/evening.py [MAUMAU] [--minutes N] [--bots N] [--pictures FOLDER] [--seed N]

Each bot belongs to a team of its own or of two, comes at its own moment of the first third of the evening, and is sent by `maumau submit`
from its folder: a bot of `maumau agent new` for each language that is installed, then bots in Python that play well, badly, slowly or
wrongly. Some are sent again, better; besides the N bots some come that must be refused. At the end the tables: times from sending
to the check and to the first rated game, games and ratings, refusals, how evenly games are shared, bytes on disk. With Python's playwright
and Chromium, which `tests/browser/run.sh` installs, pictures of the pages are left in FOLDER (target/evening).
The last line is `N passed, N failed`.
"""

import argparse
import contextlib
import dataclasses
import json
import os
import pathlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests"))
from checks import Checks  # noqa: E402
from processes import left_after  # noqa: E402

WIDTHS = {390: 844, 1280: 800, 2560: 1440}
LEAST_LANGUAGES = 10
# The least games of a bot, of the mean of all, since all play: `floor` of the season, less some chance.
LEAST_OF_MEAN = 0.2
# How long a bot that is to rest may play on after the evening.
PATIENCE_S = 600

# A bot in Rust is sent as a program, which its author must build first.
NOT_IN_A_CLUB = {"rust": "cargo builds it at home, from crates that are fetched"}

HEAD = "import os, sys, time\nfrom maumau_kit import Bot, card_points, run\n\n"
BEST = "        plays = [one for one in ask['legal'] if one['do'] == 'play']\n"
# Bots in Python: the body of `choose`, and lines before and after the class.
OWN = {
    "first-legal": ("        return ask['legal'][0]\n", "", ""),
    "last-legal": ("        return ask['legal'][-1]\n", "", ""),
    "dice": ("        return self.random.choice(ask['legal'])\n", "", ""),
    "dearest": (BEST + "        return max(plays, key=lambda one: card_points(one['card'])) if plays else ask['legal'][0]\n", "", ""),
    "cheapest": (BEST + "        return min(plays, key=lambda one: card_points(one['card'])) if plays else ask['legal'][0]\n", "", ""),
    "never-plays": ("        return next((one for one in ask['legal'] if one['do'] != 'play'), ask['legal'][0])\n", "", ""),
    "dawdler": ("        time.sleep(0.02)\n        return ask['legal'][0]\n", "", ""),
    "talker": ("        print('I think. ' * 400, file=sys.stderr)\n        return ask['legal'][0]\n", "", ""),
    "slow-start": ("        return ask['legal'][0]\n", "time.sleep(4)\n", ""),
    "crasher": (
        "        self.turns = getattr(self, 'turns', 0) + 1\n        if self.turns > 9 and self.random.random() < 0.1:\n"
        "            os._exit(3)\n        return ask['legal'][0]\n",
        "",
        "",
    ),
    "cheat": ("        return {'do': 'play', 'card': 'AS'} if self.random.random() < 0.05 else ask['legal'][0]\n", "", ""),
    "staller": ("        if self.random.random() < 0.01:\n            time.sleep(3)\n        return ask['legal'][0]\n", "", ""),
}
# Bots that the check may refuse or let play, as their dice fall.
EITHER = {"crasher", "cheat", "staller"}
KIT = TOP / "agents/python/maumau_kit.py"
# Folders that must not come to play: the files, and a word of the answer.
REFUSED = {
    "silent": ({"bot.py": "import time\ntime.sleep(60)\n"}, "handshake"),
    "exits": ({"bot.py": "raise SystemExit('I do not want to')\n"}, "handshake"),
    "debugs": ({"bot.py": "print('debug', flush=True)\n" + HEAD + "run(Bot, name='debugs')\n", "maumau_kit.py": KIT}, "handshake"),
    "no-compiler": ({"bot.toml": 'build = "cobol-compiler bot.cob"\nrun = "./bot"\n', "bot.cob": "STOP RUN.\n"}, "no program"),
    "typo": ({"bot.toml": 'build = "cc -o bot bot.c"\nrun = "./bot"\n', "bot.c": "int main(void) { retrun 0; }\n"}, "error"),
    "leads-out": ({"bot.toml": 'run = "python3 ../bot.py"\n', "bot.py": ""}, "leads out"),
    "nothing": ({"notes.txt": "soon\n"}, "expected bot.toml"),
}


class SentBot:
    """A bot of one author: where it is, what came of it, and when."""

    def __init__(self, name, language, folder, expected, token=""):
        self.name, self.language, self.folder, self.expected, self.token = name, language, folder, expected, token
        self.versions, self.code, self.said = 0, None, ""
        self.sent = self.checked = self.played = None
        self.state, self.reason, self.agent = "not taken", "", name


@dataclasses.dataclass
class Evening:
    """What was measured: of each bot's first version when it was sent, checked and first played; games when all had come; how long it was."""

    firsts: dict
    settled: dict
    seconds: float


class ServedClub:
    """A club that is served, and what is done there as its organiser."""

    def __init__(self, maumau, folder, level):
        self.maumau, self.place = maumau, folder / "evening-club"
        made = self.run("club", "new", self.place, "--sandbox", level)
        assert made.returncode == 0, made.stderr
        settings = self.place / "club.toml"
        settings.write_text(settings.read_text().replace('title = "evening-club"', 'title = "One evening"'))
        self.errors = open(folder / "club.err", "wb")
        words = [maumau, "club", "serve", self.place, "--addr", "127.0.0.1:0"]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.url = self.process.stdout.readline().strip().rstrip("/")
        self.organiser = self.join(made.stdout, "olga")

    def run(self, *words, **more):
        return subprocess.run([str(word) for word in (self.maumau, *words)], capture_output=True, text=True, **more)

    def ask(self, path, token="", body=None, method=None):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/api/1/{path}", data=data, headers=headers, method=method)
        return json.loads(urllib.request.urlopen(request, timeout=60).read() or b"null")

    def join(self, link, name):
        """The token of a new member."""
        key = link.strip().rsplit("/", 1)[1]
        return self.ask(f"invitations/{key}", body={"name": name})["token"]

    def member(self, name, team=None):
        # Authors are of two classes.
        words = ["--team", team] if team else ["--class", ("10a", "10b")[len(name) % 2]]
        invited = self.run("club", "invite", self.place, *words)
        assert invited.returncode == 0, invited.stderr
        return self.join(invited.stdout, name)

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
        try:
            return self.process.wait(60)
        finally:
            self.process.kill()
            self.process.stdout.close()
            self.errors.close()


def level_of(maumau):
    """The level of this machine, and why it is not `strict`, if it is not."""
    words = ["play", "--quiet", "--rules", "basic", "--rounds", "1", "--seat", "maumau agent first", "--seat", "maumau agent first"]
    tried = subprocess.run([maumau, *words, "--sandbox", "strict"], capture_output=True, text=True)
    return ("strict", "") if tried.returncode == 0 else ("basic", tried.stderr.strip())


def made_bots(maumau, folder, options):
    """The bots of the evening, in the order in which people think of them."""
    listed = json.loads(subprocess.check_output([maumau, "agent", "languages", "--format", "json"]))
    new, own = [], []
    for language in listed:
        name = f"{language['name']}-bot"
        if language["missing"] or language["name"] in NOT_IN_A_CLUB:
            why = NOT_IN_A_CLUB.get(language["name"]) or f"{' '.join(language['missing'])} is not installed"
            print(f"{language['name']}: left out, {why}")
            continue
        words = [maumau, "agent", "new", name, "--language", language["name"]]
        subprocess.run(words, cwd=folder, check=True, capture_output=True)
        new.append(SentBot(name, language["title"], folder / name, "plays"))
    for name, (choose, before, after) in OWN.items():
        bot = folder / name
        bot.mkdir()
        body = f"{HEAD}{before}\n\nclass Own(Bot):\n    def choose(self, ask):\n{choose}\n\n{after}run(Own, name='{name}', games=16)\n"
        (bot / "bot.py").write_text(body)
        shutil.copy(KIT, bot)
        own.append(SentBot(name, "Python, own", bot, "either" if name in EITHER else "plays"))
    # Two of `agent new` for each of the others, as long as there are both.
    bots = sorted([*enumerate(new), *((2 * place + 1.5, bot) for place, bot in enumerate(own))], key=lambda one: one[0])
    bots = [bot for _, bot in bots][: options.bots]
    for name, (files, word) in REFUSED.items():
        bot = folder / name
        bot.mkdir()
        for file, text in files.items():
            shutil.copy(text, bot) if isinstance(text, pathlib.Path) else (bot / file).write_text(text)
        bots.append(SentBot(name, "", bot, word))
    return bots


def send(club, bot, checks_at_home):
    """Sends a bot as its author would, and notes when it was checked and when it first played."""
    bot.versions += 1
    bot.sent, bot.checked, bot.played, bot.said = time.monotonic(), None, None, ""
    words = [club.maumau, "submit", ".", "--to", club.url, "--format", "json", "--name", bot.name]
    words += [] if checks_at_home else ["--no-check"]
    environment = dict(os.environ, MAUMAU_TOKEN=bot.token)
    with subprocess.Popen(words, cwd=bot.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as author:
        errors = []
        reader = threading.Thread(target=lambda: errors.append(author.stderr.read()))
        reader.start()
        for line in author.stdout:
            version, now = json.loads(line), time.monotonic()
            if version["state"] == "waiting" and checks_at_home:
                bot.sent = now  # what is measured is the club
            bot.state, bot.reason, bot.agent = version["state"], version["reason"], version["agent"]
            if bot.checked is None and bot.state in ("ready", "playing", "refused"):
                bot.checked = now
            if bot.played is None and version["games"] > 0:
                bot.played = now
        bot.code = author.wait()
        reader.join()
        bot.said = errors[0]


def improved(bot):
    """The next version: it differs, and plays as well."""
    with open(bot.folder / "README.md", "a") as readme:
        readme.write(f"\nVersion {bot.versions + 1}: better.\n")


def table(title, head, rows):
    print(f"\n{title}\n")
    widths = [max(len(str(row[place])) for row in [head, *rows]) for place in range(len(head))]
    for row in [head, *rows]:
        print("  ".join(str(cell).ljust(width) for cell, width in zip(row, widths)).rstrip())


def seconds(begin, end):
    return "" if begin is None or end is None else f"{end - begin:.1f}"


def spread(values):
    """Median and the 95th percentile."""
    values = sorted(values)
    return (statistics.median(values), values[min(len(values) - 1, int(0.95 * len(values)))]) if values else (0, 0)


def size(folder):
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def all_events(club):
    """Everything that has happened; an answer has a part of it."""
    after = 0
    while part := club.ask(f"events?after={after}", club.organiser):
        yield from part
        after = part[-1]["id"]


def has_left(club, bot):
    return any(row["agent"] == bot.agent and row["retired"] for row in club.ask("ladder"))


def play(club, bots, options, dice):
    """The evening: bots come, some come again, one rests, and the ladder is played until its end."""
    began, length = time.monotonic(), 60 * options.minutes
    threads = []

    def later(moment, what):
        def wait():
            time.sleep(max(0, began + moment * length - time.monotonic()))
            what()

        threads.append(threading.Thread(target=wait))
        threads[-1].start()

    for place, bot in enumerate(bots):
        team = f"pair-{place // 12}" if place % 12 in (0, 1) else None
        bot.token = club.member(f"author-{bot.name}"[:32], team)
    for bot in dice.sample(bots, len(bots)):
        # A few check at home before they send anything; who sends what is wrong, does not.
        at_home = bot.expected == "plays" and dice.random() < 0.2
        later(dice.random() / 3, lambda bot=bot, at_home=at_home: send(club, bot, at_home))
    for thread in threads:
        thread.join()
    settled = {row["agent"]: row["games"] for row in club.ask("ladder")}
    first = list(threads)
    firsts = {bot.name: (bot.sent, bot.checked, bot.played) for bot in bots}
    playing = [bot for bot in bots if bot.state == "playing"]
    for bot in dice.sample(playing, min(4, len(playing))):
        improved(bot)
        later(0.5 + 0.1 * dice.random(), lambda bot=bot: send(club, bot, False))
    for thread in threads[len(first) :]:
        thread.join()
    rests = next((bot for bot in playing if bot.state == "playing"), None)
    if rests:
        number = next(event["version"] for event in all_events(club) if event["what"].startswith(f"{rests.agent} is"))
        club.ask(f"versions/{number}/pause", rests.token, method="POST")
        rests.expected, rests.state = "paused", "paused"
    time.sleep(max(0, began + length - time.monotonic()))
    # It leaves at the end of a round.
    patience = time.monotonic() + PATIENCE_S
    while rests and not has_left(club, rests) and time.monotonic() < patience:
        time.sleep(1)
    return Evening(firsts, settled, time.monotonic() - began)


def report(club, bots, evening, checks, options):
    ladder = {row["agent"]: row for row in club.ask("ladder")}
    rows, waits, joins = [], [], []
    for bot in bots:
        sent, checked, played = evening.firsts[bot.name]
        row = ladder.get(bot.agent)
        if checked is not None and bot.expected in ("plays", "paused", "either"):
            waits.append(checked - sent)
        if played is not None:
            joins.append(played - sent)
        if row:
            cells = (bot.agent, bot.language, bot.state, seconds(sent, checked), seconds(sent, played), row["games"])
            rows.append((*cells, f"{row['rating']:.0f}" if row["rating"] is not None else ""))
    rows.sort(key=lambda row: float(row[-1] or 0), reverse=True)
    table("Bots", ("bot", "language", "state", "s to check*", "s to game*", "games", "rating"), rows)
    print("* of the first version")
    house = [(row["agent"], row["games"], f"{row['rating']:.0f}") for row in ladder.values() if "@" not in row["agent"] and row["rating"] is not None]
    table("House bots", ("bot", "games", "rating"), house)
    refused = [(bot.name, bot.code, bot.state, (bot.reason or bot.said).strip().replace("\n", " / ")[:150]) for bot in bots if bot.agent not in ladder]
    table("Refused", ("bot", "exit code", "state", "why"), refused)
    (check, late_check), (game, late_game) = spread(waits), spread(joins)
    print(f"\nfrom sending to the end of the check: median {check:.1f} s, p95 {late_check:.1f} s of {len(waits)}")
    print(f"from sending to the first rated game: median {game:.1f} s, p95 {late_game:.1f} s of {len(joins)}")
    stayed = [bot.agent for bot in bots if bot.state == "playing" and bot.agent in evening.settled and bot.agent in ladder]
    shares = [ladder[agent]["games"] - evening.settled[agent] for agent in stayed]
    mean, least = statistics.mean(shares) if shares else 0, min(shares, default=0)
    print(f"games of a bot that stayed, since all had come: least {least}, mean {mean:.1f}, most {max(shares, default=0)}")
    played = [row["games"] for row in ladder.values()]
    games = sum(played) // 2
    run, whole = size(club.place / "season"), size(club.place)
    print(f"{games} rated games in {evening.seconds / 60:.1f} minutes; {run / max(games, 1):.0f} bytes of the season a game, {whole / 2**20:.1f} MiB in all")
    for bot in bots:
        what = f"{bot.name}: {bot.code} {bot.state} {bot.reason} {bot.said[-300:]}"
        if bot.expected == "plays":
            checks.check(f"{what}: it plays", bot.state == "playing" and bot.code == 0)
        elif bot.expected == "either":
            checks.check(f"{what}: it plays or is refused", bot.state in ("playing", "refused"))
        elif bot.expected == "paused":
            checks.check(f"{what}: it rests", ladder[bot.agent]["retired"])
        else:
            said = bot.reason + bot.said
            checks.check(f"{what}: it is refused because of {bot.expected!r}", bot.code in (1, 2) and bot.expected in said and bot.agent not in ladder)
    languages = {bot.language for bot in bots if bot.agent in ladder}
    checks.check(f"{len(languages)} languages play", len(languages) >= min(LEAST_LANGUAGES, options.bots // 2))
    checks.check(f"a bot has {least} games, and the mean is {mean:.1f}", least >= LEAST_OF_MEAN * mean)


def again(club, house, look):
    """The organiser has a game played again, from the page of the game."""
    house.goto(f"{club.url}/games")
    house.locator("a[href*='/games/g']").last.click()
    link = house.locator("a[href^='/house?game=']")
    if not link.count():
        return
    link.click()
    house.click("#again button")
    for _ in range(300):
        if house.locator("strong").inner_text() in ("done", "failed"):
            break
        house.wait_for_timeout(200)
        house.reload()
    look(house, "rerun")
    house.click("text=The game as it was played again")
    house.wait_for_timeout(500)
    look(house, "rerun-game")


def pictures(club, bots, folder):
    """Pictures of what an organiser, an author and a stranger see."""
    sys.path.insert(0, str(TOP / "target/browser/tools/python"))
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return print("\npictures: left out, playwright is not installed (tests/browser/run.sh)")
    if not shutil.which("chromium"):
        return print("\npictures: left out, chromium is not installed (tests/browser/run.sh)")
    folder.mkdir(parents=True, exist_ok=True)
    author = next(bot for bot in bots if bot.state == "playing")
    refused = next((bot for bot in bots if bot.name == "typo"), author)
    link = club.run("club", "invite", club.place).stdout.strip().rsplit("/", 1)[1]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for width, height in WIDTHS.items():

            def look(page, name, width=width):
                page.screenshot(path=folder / f"{name}-{width}.png", full_page=True)

            def logged_in(token, width=width, height=height):
                context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
                page = context.new_page()
                page.goto(f"{club.url}/login")
                if token:
                    page.fill("[name=token]", token)
                    page.click("main button")
                return page

            stranger = logged_in("")
            look(stranger, "login")
            for name, path in {"front": "/", "invitation": f"/join/{link}", "missing": "/versions/1"}.items():
                stranger.goto(club.url + path)
                look(stranger, name)
            for bot, name in ((author, "author"), (refused, "refused")):
                page = logged_in(bot.token)
                look(page, f"{name}-bots")
                page.click(f"text={bot.agent}")
                look(page, f"{name}-version")
                game = page.locator("a[href^='/games/']")
                if bot is author and game.count():
                    page.goto(club.url + game.first.get_attribute("href"))
                    page.wait_for_timeout(500)
                    look(page, "game")
            stranger.goto(f"{club.url}/?class=10a")
            look(stranger, "class")
            house = logged_in(club.organiser)
            look(house, "house")
            house.goto(club.url + "/")
            look(house, "front-organiser")
            again(club, house, look)
        browser.close()
    shown = folder.relative_to(TOP) if folder.is_relative_to(TOP) else folder
    print(f"\npictures: {len(list(folder.glob('*.png')))} in {shown}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("maumau", nargs="?", default=TOP / "target/release/maumau", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--bots", type=int, default=30)
    parser.add_argument("--pictures", type=pathlib.Path, default=TOP / "target/evening")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    maumau, checks = str(options.maumau.resolve()), Checks()
    level, why = level_of(maumau)
    print(f"the club's sandbox is {level}" + (f": {why}" if why else ""), flush=True)
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="maumau-evening-")))
        bots = made_bots(maumau, folder, options)
        club = ServedClub(maumau, folder, level)
        try:
            evening = play(club, bots, options, random.Random(options.seed))
            report(club, bots, evening, checks, options)
            pictures(club, bots, options.pictures.resolve())
        finally:
            code = club.end()
        checks.check(f"the club ends when it is asked to: {code}", code in (0, 130, 143))
        for words in (("club", "check", club.place), ("verify", club.place / "season/season.maumau")):
            done = club.run(*words)
            checks.check(f"{words[0]}: {done.stdout[-300:]} {done.stderr[-300:]}", done.returncode == 0)
        left = left_after(str(folder), 10)
        checks.check(f"processes are left: {left}", not left)
        said = (folder / "club.err").read_text(errors="replace").strip()
        if said:
            print(f"\nThe club said\n\n{said[-2000:]}")
    print(f"{checks.passed} passed, {checks.failed} failed")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
