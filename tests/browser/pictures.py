"""Makes the pictures of the documents from the pages as they are: a recorded game, a seat, a game that is played, a lesson, the
screen for a room.

    tests/browser/run.sh target/release/maumau pictures.py       # leaves them in arena/docs/pictures: look at them
"""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from browser import HERE, MAUMAU, SeatTest, maumau
from playwright.sync_api import expect

FOLDER = HERE.parents[1] / "arena" / "docs" / "pictures"
BOTS = ("maumau agent greedy", "maumau agent careful", "maumau agent first")


class Pictures(SeatTest):
    def picture(self, page, name):
        # A pointer or a focus on something is nothing to show.
        page.mouse.move(0, 0)
        page.evaluate("document.activeElement?.blur()")
        page.screenshot(path=FOLDER / f"{name}.png")

    def folder(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        return folder

    def serve(self, *files):
        server = subprocess.Popen([MAUMAU, "serve", "--addr", "127.0.0.1:0", *map(str, files)], stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        return server.stdout.readline().strip().rstrip("/")

    def test_a_recorded_game(self):
        record = self.folder() / "deluxe.jsonl"
        seats = [word for seat in (*BOTS, "maumau agent random") for word in ("--seat", seat)]
        played = maumau("play", "--rules", "deluxe", "--seed", "8", "--quiet", "--record", str(record), *seats)
        self.assertEqual(played.returncode, 0, played.stderr)
        page = self.open(f"{self.serve(record)}/games/{record.stem}")
        # Shortly before the end, when hands are small.
        page.press("body", "End")
        for _ in range(6):
            page.press("body", "ArrowLeft")
        page.press("body", "c")
        self.picture(page, "viewer")

    def test_a_seat_and_those_who_watch(self):
        game, base, [link], _ = self.begin("--rules", "skat", "--clock", "lockstep", seats=("web", *BOTS[:2]))
        seat = self.sit(link)
        watcher = self.open(f"{base}/live")
        # Far enough for a story, with something to be played.
        while seat.locator(".line").count() < 14 or not seat.locator("#hand .legal").count():
            self.play(seat, most=1, ends=False)
        self.picture(seat, "seat")
        watcher.locator("main a[href^='/live/']").first.click()
        expect(watcher.locator("#table")).to_be_attached()
        self.picture(watcher, "live")

    def test_a_lesson(self):
        page = self.open(f"{self.serve()}/learn/skat#3")
        expect(page.locator("#hand")).to_be_visible()
        self.picture(page, "lesson")

    def test_a_screen_for_a_room(self):
        folder = self.folder()
        made = maumau("tournament", "demo", "--games", "40", "--folder", "demo", cwd=folder)
        self.assertEqual(made.returncode, 0, made.stderr)
        base = self.serve(folder / "demo" / "demo.maumau")
        page = self.open(f"{base}/tv")
        expect(page.locator("#next")).to_have_text(re.compile("Next: "))
        self.picture(page, "room")


if __name__ == "__main__":
    unittest.main()
