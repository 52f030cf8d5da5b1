"""The pages of a club in Chromium: people join by a link, send a folder and a zip, are refused, play, pause, look at games; the organiser
invites, writes a message, freezes, has a game played again and bans.

`run.sh` starts it.
"""

import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest

from browser import HERE, MAUMAU, BrowserTest, maumau
from playwright.sync_api import expect

SIZES = [(390, 844), (1280, 800), (2560, 1300)]
BOT = "from maumau_kit import Bot, run\n\nclass First(Bot):\n    def choose(self, ask):\n        return ask['legal'][0]\n\nrun(First, name='first')\n"


class ClubPages(BrowserTest):
    def club(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        made = maumau("club", "new", folder / "club", "--sandbox", "basic")
        self.assertEqual(made.returncode, 0, made.stderr)
        server = subprocess.Popen(
            [MAUMAU, "club", "serve", folder / "club", "--addr", "127.0.0.1:0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.addCleanup(server.communicate)
        self.addCleanup(server.terminate)
        address = server.stdout.readline().strip().rstrip("/")
        return folder, address, made.stdout.strip().rsplit("/", 1)[1]

    def join(self, address, key, name, width, height):
        # A page that refreshes its tables is refused while the ladder is frozen.
        page = self.open(f"{address}/join/{key}", width, height, allowed=["403"])
        page.fill("[name=name]", name)
        self.look(page, f"invitation-{width}")
        page.click("text=Join")
        expect(page.locator("h1")).to_contain_text(f"Welcome, {name}")
        return page, page.locator("pre").first.inner_text()

    def send(self, page, field, path):
        page.set_input_files(f"[name={field}]", path)
        page.click("button:text-is('Send')")

    def until(self, page, is_so, patience_s=60):
        end = time.monotonic() + patience_s
        while not is_so():
            self.assertLess(time.monotonic(), end, page.inner_text("main"))
            page.reload()

    def look(self, page, name):
        self.picture(page, f"club-{name}")
        self.check_fits(page, name)
        self.check_accessible(page, name)

    def test_people_join_send_pause_and_are_banned(self):
        for width, height in SIZES:
            with self.subTest(width=width):
                folder, address, key = self.club()
                house, _ = self.join(address, key, "olga", width, height)
                house.click("text=House")
                house.fill("[name=class]", "10b")
                house.click("button:has-text('Invite')")
                link = house.locator("pre").first.inner_text()
                self.look(house, f"house-{width}")
                bots, token = self.join(address, link.rsplit("/", 1)[1], "ann", width, height)
                self.look(bots, f"welcome-{width}")
                bot = folder / "bot"
                bot.mkdir()
                (bot / "bot.toml").write_text('name = "ann-bot"\nrun = "python3 bot.py"\n')
                (bot / "bot.py").write_text(BOT)
                shutil.copy(HERE.parents[1] / "agents/python/maumau_kit.py", bot)
                bots.click("text=My bots")
                # A folder on the form is a version; one that crashes is refused with the reason.
                broken = folder / "broken"
                shutil.copytree(bot, broken)
                (broken / "bot.py").write_text("raise SystemExit('no such file')\n")
                self.send(bots, "files", broken)
                expect(bots.locator("h1")).to_have_text("ann-bot@1")
                self.until(bots, lambda: bots.locator("strong").inner_text() == "refused")
                expect(bots.locator("main")).to_contain_text("handshake")
                self.look(bots, f"refused-{width}")
                bots.click("text=My bots")
                packed = shutil.make_archive(folder / "good", "zip", folder, "bot")
                self.send(bots, "archive", packed)
                expect(bots.locator("h1")).to_have_text("ann-bot@2")
                (folder / "token").write_text(token)
                sent = maumau("submit", bot, "--to", address, "--token-file", folder / "token", "--no-check")
                self.assertEqual((sent.returncode, sent.stdout.split()[0]), (0, "ann-bot@2"), sent.stderr)
                bots.click("text=My bots")
                self.look(bots, f"bots-{width}")
                bots.click("text=ann-bot@2")
                self.look(bots, f"version-{width}")
                own = bots.locator("a:text-is('in words')").first
                words, game = own.get_attribute("href"), bots.locator("a[href^='/games/']").first.get_attribute("href")
                bots.goto(address + words)
                expect(bots.locator("h1")).to_contain_text("as ann-bot@2 saw it")
                self.look(bots, f"own-game-{width}")
                bots.goto(f"{address}/versions/2")
                bots.click("text=Pause")
                expect(bots.locator("strong")).to_have_text("paused")
                bots.click("text=Resume")
                expect(bots.locator("strong")).not_to_have_text("paused")
                bots.goto(address)
                bots.click("text=10b")
                expect(bots.locator("main")).to_contain_text("ann-bot@2")
                self.look(bots, f"front-{width}")
                bots.goto(address + game)
                expect(bots.locator("body")).to_contain_text("ann-bot@2")
                self.look(bots, f"game-{width}")
                # What the process that plays the season serves is shown here as well.
                for path, words in (("/live", "Live"), ("/games", "Games"), ("/rules", "Rules"), ("/standings", "Standings")):
                    bots.goto(address + path)
                    expect(bots.locator("body")).to_contain_text(words)
                    self.look(bots, f"season{path.replace('/', '-')}-{width}")
                house.click("text=House")
                house.fill("[name=text]", "Finals on Friday at six.")
                house.click("text=Say")
                house.click("text=Freeze the ladder")
                expect(house.locator("button:has-text('Show the ladder again')")).to_be_visible()
                self.look(house, f"frozen-{width}")
                bots.goto(address)
                expect(bots.locator("body")).to_contain_text("stands still")
                expect(bots.locator("[role=status]")).to_have_text("Finals on Friday at six.")
                hidden = bots.request.get(f"{address}/live")
                self.assertEqual((hidden.status, "stands still" in hidden.text()), (403, True))
                bots.goto(f"{address}/events")
                self.look(bots, f"events-{width}")
                house.click("text=Show the ladder again")
                # A disputed game is played again beside the season.
                house.goto(address + game)
                self.until(house, lambda: house.locator("a[href^='/house?game=']").count() == 1)
                house.click("a[href^='/house?game=']")
                house.click("#again button")
                self.until(house, lambda: house.locator("strong").inner_text() == "done")
                expect(house.locator("pre")).to_contain_text("is the same again, event by event")
                self.look(house, f"rerun-{width}")
                house.click("text=The game as it was played again")
                expect(house.locator("body")).to_contain_text("it counts for nothing")
                self.look(house, f"rerun-game-{width}")
                house.goto(f"{address}/house")
                self.look(house, f"house-again-{width}")
                bots.goto(address)
                bots.click("text=Log out")
                bots.click("text=Log in")
                self.look(bots, f"login-{width}")
                bots.fill("[name=token]", token)
                bots.click("main button")
                expect(bots.locator("h1")).to_have_text("My bots")
                house.click("text=House")
                house.click("text=Ban ann")
                expect(house.locator("main")).to_contain_text("banned")
                bots.goto(f"{address}/bots")
                expect(bots.locator("h1")).to_have_text("Log in")


if __name__ == "__main__":
    unittest.main()
