"""Games in Chromium while they are played: tables and standings that move, a connection that is lost, hidden hands.

`run.sh` starts it. A relay stands between the browser and the arena, which the tests cut and mend.
"""

import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

from browser import HERE, MAUMAU, WIDTHS, BrowserTest, maumau
from playwright.sync_api import expect

LEAGUE = f"""
name = "<b>live</b>"
rules = "skat"
seats = 3
games_per_pairing = GAMES
public_seed = true
seed = "7"
agent = [
    {{ command = "maumau agent greedy" }},
    {{ name = "<img src=x onerror=alert(1)>", command = "'{sys.executable}' '{HERE}/gated_bot.py'", host = "127.0.0.1:GATE" }},
    {{ command = "maumau agent random" }},
]
"""

# What each format needs in a league file: keys of [schedule], and what ends it.
FORMATS = {
    "round-robin": ("", ""),
    "sample": ("", "games = 12"),
    "gauntlet": ('challengers = ["a"]', ""),
    "match": ("", "games = 12"),
    "swiss": ("rounds = 2", ""),
    "knock-out": ("", ""),
    "double": ("", ""),
    "ladder": ("", "games = 12"),
}


class Gate:
    """Lets the bots of a run move: each move takes a token from here."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.tokens = threading.Semaphore(0)
        self.open_for_all = threading.Event()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                bot, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.attend, args=(bot,), daemon=True).start()

    def attend(self, bot):
        with bot:
            while bot.recv(1):
                while not self.open_for_all.is_set() and not self.tokens.acquire(timeout=0.1):
                    pass
                bot.sendall(b"!")

    def let(self, moves):
        self.tokens.release(moves)

    def open(self):
        self.open_for_all.set()

    def close(self):
        self.open()
        self.listener.close()


class Relay:
    """A connection to the arena that can be cut."""

    def __init__(self, port):
        self.target = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.is_cut = False
        self.pairs = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                browser, _ = self.listener.accept()
            except OSError:
                return
            if self.is_cut:
                browser.close()
                continue
            arena = socket.create_connection(("127.0.0.1", self.target))
            self.pairs.append((browser, arena))
            for one, other in ((browser, arena), (arena, browser)):
                threading.Thread(target=self.copy, args=(one, other), daemon=True).start()

    def copy(self, one, other):
        try:
            while data := one.recv(65536):
                # The arena is asked under its own address.
                other.sendall(data.replace(f"127.0.0.1:{self.port}".encode(), f"127.0.0.1:{self.target}".encode()))
        except OSError:
            pass
        for end in (one, other):
            end.close()

    def cut(self):
        self.is_cut = True
        for pair in self.pairs:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
        self.pairs = []

    def mend(self):
        self.is_cut = False

    def close(self):
        self.cut()
        self.listener.close()


class LivePages(BrowserTest):
    def begin(self, *arguments, games=3):
        """A run that is played with the gate shut, and its address."""
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        gate = Gate()
        self.addCleanup(gate.close)
        (folder / "live.toml").write_text(LEAGUE.replace("GATE", str(gate.port)).replace("GAMES", str(games)))
        command = [MAUMAU, "tournament", "run", "live.toml", "--quiet", "--serve", "--addr", "127.0.0.1:0", "--cpus", "1", *arguments]
        run = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.communicate)
        self.addCleanup(gate.open)
        address = re.search(r"http://127.0.0.1:(\d+)", run.stderr.readline())
        self.assertIsNotNone(address)
        self.await_game(int(address[1]), "g000-d0000-r0")
        return run, gate, int(address[1]), folder

    def begin_format(self, folder, gate, name, port=0):
        """A run of this format, or the rest of one; its address."""
        keys, stop = FORMATS[name]
        gated = f"'{sys.executable}' '{HERE}/gated_bot.py'"
        commands = ["maumau agent greedy", gated, "maumau agent first", "maumau agent random"][:2 if name == "match" else 4]
        permits = {gated: f'host = "127.0.0.1:{gate.port}"\n'}
        agents = "".join(f'[[agent]]\nname = "{letter}"\ncommand = "{command}"\n{permits.get(command, "")}'
                         for letter, command in zip("abcd", commands))
        (folder / "league.toml").write_text(
            f'rules = "basic"\nseats = 2\ngames_per_pairing = 4\npublic_seed = true\nseed = "7"\n'
            f'[schedule]\nformat = "{name}"\n{keys}\n[stop]\n{stop}\n{agents}')
        command = [MAUMAU, "tournament", "run", "league.toml", "--quiet", "--serve", "--addr", f"127.0.0.1:{port}", "--cpus", "1"]
        run = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.communicate)
        self.addCleanup(gate.open)
        address = re.search(r"http://127.0.0.1:(\d+)", run.stderr.readline())
        self.assertIsNotNone(address)
        return run, int(address[1])

    def look_at_everything(self, port):
        """Every page of a run that stands at the gate; those that go on are left open."""
        base, allowed = f"http://127.0.0.1:{port}", ["Failed to load", "ERR_"]
        standings, tables = self.open(f"{base}/", allowed=allowed), self.open(f"{base}/live", allowed=allowed)
        link = tables.locator("#tables a").first
        link.wait_for(timeout=30_000)
        # The game that is listed may be over before its page is opened; then another one is listed.
        for _ in range(10):
            game = self.open(base + link.get_attribute("href"), allowed=allowed)
            if game.locator("#live").count():
                break
        expect(game.locator("#live")).to_contain_text("following")
        self.open(f"{base}/games", allowed=allowed)
        return standings, tables, game

    def test_a_screen_for_a_room_shows_the_game_in_play_and_goes_on_when_it_is_over(self):
        _, gate, port, _ = self.begin()
        base = f"http://127.0.0.1:{port}"
        page = self.browser.new_page()
        self.addCleanup(page.close)
        # From now on time passes only as the test says.
        page.clock.install(time=0)
        page.clock.pause_at(1_000)
        page.goto(f"{base}/tv")
        expect(page.locator("#next")).to_have_text("Next: g000-d0000-r0")
        page.clock.fast_forward(8_000)
        page.wait_for_url(f"{base}/live/g000-d0000-r0?tv")
        expect(page.locator("body.tv #table .felt")).to_be_visible()
        expect(page.locator("#live[data-connection=open]")).to_have_count(1)
        self.assertFalse(page.locator("#live").is_visible())
        # A game of which nothing is known any more leads back.
        self.assertEqual(self.open(f"{base}/live/nothing?tv").url, f"{base}/tv")
        connected = page.locator("#live[data-connection=open]")
        for _ in range(2000):
            if connected.count():
                gate.let(1)
            page.clock.run_for(1_000)
            if "?tv" not in page.url:
                break
        page.wait_for_url(f"{base}/tv")

    def test_every_live_page_follows_a_run_of_every_format_to_its_end_and_over_a_resume(self):
        for name in FORMATS:
            with self.subTest(format=name):
                folder = pathlib.Path(tempfile.mkdtemp())
                self.addCleanup(shutil.rmtree, folder)
                gate = Gate()
                self.addCleanup(gate.close)
                run, port = self.begin_format(folder, gate, name)
                _, tables, _ = self.look_at_everything(port)
                # A few games are over when the run is killed.
                for _ in range(400):
                    if re.search(r"[1-9]\d* games? played", tables.inner_text("#progress")):
                        break
                    gate.let(2)
                    tables.wait_for_timeout(50)
                else:
                    self.fail("no game comes to its end")
                run.kill()
                run.wait()
                run, port = self.begin_format(folder, gate, name, port)
                standings, tables, game = self.look_at_everything(port)
                gate.open()
                expect(game.locator("#live")).to_contain_text("This game is over", timeout=60_000)
                expect(tables.locator("#progress")).to_contain_text("the run is over", timeout=60_000)
                expect(standings.locator("#progress")).to_contain_text("the run is over")
                self.assertEqual(run.wait(60), 0)
                self.assertEqual(run.stderr.read(), "")
                shown = maumau("tournament", "status", "league.maumau", cwd=folder)
                self.assertEqual(shown.returncode, 0, shown.stdout + shown.stderr)
            # The pages of one format are enough at a time.
            self.doCleanups()

    def await_game(self, port, game):
        """Asks until a game is in play, which takes as long as its agents take to start; the arena itself looks for a moment."""
        for _ in range(100):
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/live/{game}"):
                    return
            except urllib.error.HTTPError as error:
                with error:
                    self.assertEqual(error.code, 404)
        self.fail(f"{game} does not begin")

    def frames(self, page):
        return int(page.get_attribute("#moment", "max")) + 1

    def test_standings_and_tables_move_and_say_when_the_run_is_over(self):
        run, gate, port, _ = self.begin(games=6)
        base = f"http://127.0.0.1:{port}"
        standings, tables = self.open(f"{base}/", allowed=["Failed to load"]), self.open(f"{base}/live", allowed=["Failed to load"])
        expect(tables.locator("#tables tr")).to_have_count(1)
        self.assertIn("<img src=x onerror", tables.inner_text("#tables"))
        self.assertEqual(tables.locator("main img").count(), 0)
        for width, height in WIDTHS:
            tables.set_viewport_size({"width": width, "height": height})
            self.picture(tables, f"live-tables-{width}")
            self.check_fits(tables, f"{width} px")
        self.check_accessible(tables, "tables")
        gate.open()
        expect(standings.locator("#progress")).to_contain_text("the run is over", timeout=60_000)
        expect(tables.locator("#progress")).to_contain_text("6 games played")
        expect(standings.locator("main")).to_contain_text("Games6, 1 round each", timeout=10_000)
        self.assertEqual(run.wait(60), 0)

    def test_a_game_goes_on_after_a_lost_connection_and_no_frame_is_missing(self):
        run, gate, port, folder = self.begin()
        relay = Relay(port)
        self.addCleanup(relay.close)
        watched = self.open(f"http://127.0.0.1:{relay.port}/live/g000-d0000-r0", allowed=["Failed to load", "ERR_"])
        straight = self.open(f"http://127.0.0.1:{port}/live/g000-d0000-r0")
        expect(watched.locator("#live")).to_contain_text("following")
        gate.let(2)
        expect(watched.locator("#moves .row").nth(3)).to_be_attached()
        before = self.frames(watched)
        relay.cut()
        expect(watched.locator("#live")).to_contain_text("connection is lost")
        gate.let(2)
        expect(straight.locator("#moves .row").nth(before)).to_be_attached()
        self.assertEqual(self.frames(watched), before)
        relay.mend()
        expect(watched.locator("#live")).to_contain_text("following", timeout=20_000)
        rows = lambda page: page.locator("#moves .row").all_text_contents()
        expect(watched.locator("#moment")).to_have_attribute("max", straight.get_attribute("#moment", "max"))
        self.assertEqual(rows(watched), rows(straight))
        watched.keyboard.press("Home")
        expect(watched.locator("#live")).to_contain_text("ahead")
        self.picture(watched, "live-game-1280")
        self.check_accessible(watched, "a game in play")
        for width, height in WIDTHS:
            straight.set_viewport_size({"width": width, "height": height})
            self.picture(straight, f"live-game-{width}")
            self.check_fits(straight, f"{width} px")
        gate.open()
        expect(straight.locator("#live")).to_contain_text("This game is over", timeout=60_000)
        run.wait(60)
        # What was shown while it was played is what is shown afterwards, but for moves that came faster than anybody can see.
        record = maumau("tournament", "export", "live.maumau", "--to", "records", "--games", "g000-d0000-r0", cwd=folder)
        self.assertEqual(record.returncode, 0, record.stderr)
        story = maumau("replay", "records/g000-d0000-r0.jsonl", "--format", "json", cwd=folder).stdout.splitlines()
        self.assertIn("the match", straight.locator("#moves .row").last.text_content())
        rows = straight.locator("#moves .row").evaluate_all(
            "rows => rows.map(row => [row.querySelector('.number:not(:empty)')?.textContent ?? '', row.textContent])")
        self.assertEqual(len(rows), self.frames(straight))
        counted = leaps = 0
        for number, text in rows:
            if hidden := re.search(r"… (\d+) moves? not shown", text):
                counted, leaps = counted + int(hidden[1]), leaps + 1
            elif number:
                counted += 1
                self.assertEqual(int(number), counted, f"moves are missing without a word: {text}")
        frames = [json.loads(line) for line in story[1:]]
        self.assertEqual(counted, max(frame.get("move") or 0 for frame in frames))
        if not leaps:
            self.assertEqual(self.frames(straight), json.loads(story[0])["frames"])

    def test_hands_are_hidden_unless_the_run_allows_it(self):
        for arguments, is_open in ((), False), (("--open-hands",), True):
            with self.subTest(is_open=is_open):
                _, gate, port, _ = self.begin(*arguments)
                base = f"http://127.0.0.1:{port}"
                page = self.open(f"{base}/live/g000-d0000-r0")
                expect(page.locator("#moves .row").first).to_be_attached()
                backs = page.locator("#table .seat use[href='#card-back']").count()
                self.assertEqual(backs == 0, is_open)
                with urllib.request.urlopen(f"{base}/live/g000-d0000-r0/news") as news:
                    first = "".join(news.readline().decode() for _ in range(5))
                dealt = re.search(r"is dealt", first)
                self.assertEqual(dealt is not None, is_open, first[:300])
                gate.open()

    def test_a_page_left_open_over_a_restart_says_so_and_keeps_what_it_shows(self):
        run, gate, port, folder = self.begin()
        page = self.open(f"http://127.0.0.1:{port}/live/g000-d0000-r0", allowed=["Failed to load", "ERR_"])
        gate.let(2)
        expect(page.locator("#moves .row").nth(3)).to_be_attached()
        rows = page.locator("#moves .row").all_text_contents()
        run.kill()
        run.wait()
        expect(page.locator("#live")).to_contain_text("connection is lost")
        command = [MAUMAU, "tournament", "run", "live.toml", "--quiet", "--serve", "--addr", f"127.0.0.1:{port}", "--cpus", "1"]
        again = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
        self.addCleanup(again.communicate)
        self.addCleanup(gate.open)
        expect(page.locator("#live")).to_contain_text("restarted", timeout=20_000)
        self.assertEqual(page.locator("#moves .row").all_text_contents(), rows)
        page.click("#live a")
        expect(page.locator("#live")).to_contain_text("following")

    def test_a_game_that_is_not_played_is_said_not_to_be(self):
        _, _, port, _ = self.begin()
        page = self.open(f"http://127.0.0.1:{port}/live/g000-d0000-r9", allowed=["404"])
        self.assertIn("no game of this name in play", page.inner_text("main"))


if __name__ == "__main__":
    unittest.main()
