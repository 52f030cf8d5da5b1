"""What all tests of pages share: the program, servers on free ports, Chromium, axe-core, pictures.

`run.sh` starts them. It says in the environment where the program (MAUMAU) and axe-core (AXE) are.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from playwright.sync_api import expect, sync_playwright

HERE = pathlib.Path(__file__).resolve().parent
MAUMAU = os.environ["MAUMAU"]
AXE = pathlib.Path(os.environ["AXE"]).read_text()
PICTURES = HERE.parents[1] / "target" / "browser"
GREEDY = "maumau agent greedy"
WIDTHS = [(360, 740), (1280, 800), (2560, 1440)]


def maumau(*arguments, **options):
    return subprocess.run([MAUMAU, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, **options)


class BrowserTest(unittest.TestCase):
    """A test with a browser."""

    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        cls.browser = cls.playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        PICTURES.mkdir(parents=True, exist_ok=True)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()

    def open(self, address, width=1280, height=800, allowed=(), **options):
        """A page of a browser of its own, of which every complaint fails the test, but those that hold an `allowed` text."""
        context = self.browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **options)
        self.addCleanup(context.close)
        page = context.new_page()
        complaints = []

        def complain(text):
            if not any(known in text for known in allowed):
                complaints.append(text)

        page.on("console", lambda message: complain(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: complain(str(error)))
        page.on("dialog", lambda dialog: complain(f"a dialog: {dialog.message}"))
        self.addCleanup(lambda: self.assertEqual(complaints, [], address))
        page.goto(address)
        return page

    def check_accessible(self, page, where):
        # In the world of the driver, so that the policy of the page holds.
        found = page.evaluate(f"() => {{ {AXE}; return axe.run() }}")
        violations = [f"{wrong['id']}: {wrong['help']}: {node['html'][:200]}" for wrong in found["violations"] for node in wrong["nodes"]]
        self.assertEqual(violations, [], where)

    def check_fits(self, page, where):
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0, f"{where} scrolls sideways")

    def picture(self, page, name):
        page.screenshot(path=PICTURES / f"{name}.png")

    def play(self, page, says_words=True, most=4000, ends=True):
        """Plays to the end, or a few steps, as a person would: says what is due, plays what is lifted, else takes what is offered."""
        expect(page.locator("body")).to_have_attribute("data-can-answer", re.compile("."), timeout=20_000)
        for _ in range(most):
            done = page.evaluate(
                """(says) => {
                    const find = (selector) => document.querySelector(selector);
                    const next = find('#sheet[open] #sheet-next');
                    if (next) return next.click() ?? 'next round';
                    if (find('#turn').textContent === 'The game is over') return 'over';
                    const naming = find('#naming:not([hidden]) button');
                    if (naming) return naming.click() ?? 'named';
                    const word = says && [...document.querySelectorAll('#words button')].find((word) => word.ariaPressed !== 'true');
                    if (word) return word.click() ?? 'said';
                    const must = document.body.dataset.mustMove === 'true';
                    const decline = find('#moves-now .decline');
                    if (!must && decline) return decline.click() ?? 'declined';
                    if (!must) return null;
                    const move = find('#hand .legal') ?? find('#moves-now [data-do]');
                    if (!move) return null;
                    move.click();
                    return 'moved';
                }""",
                says_words,
            )
            if done == "over":
                return
            page.wait_for_timeout(10 if done else 40)
        if ends:
            self.fail(f"the game does not end: {page.inner_text('main')[:500]}")


class SeatTest(BrowserTest):
    """A test with people at tables."""

    def begin(self, *arguments, seats=("web", GREEDY), seed=7):
        """A match that waits for its people: the process, the address of the table, the links, where the record will be."""
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        record = folder / "game.jsonl"
        words = [word for seat in seats for word in ("--seat", seat)]
        command = [MAUMAU, "play", "--serve", "--addr", "127.0.0.1:0", "--seed", seed, "--record", record, *arguments, *words]
        game = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(game.communicate)
        self.addCleanup(game.kill)
        people = sum(seat == "web" for seat in seats)
        said = ""
        while len(re.findall(r"token=", said)) < people or "key=" not in said:
            line = game.stderr.readline()
            self.assertNotEqual(line, "", said)
            said += line
        self.said = said
        base = re.search(r"seen at (http://[\d.:]+)/", said)[1]
        return game, base, re.findall(r"http\S+token=\S+", said), record

    def sit(self, link, pace="none", **options):
        """A page of a browser that has pressed the button behind a link, and shows what others do at this pace."""
        page = self.open(link, **options)
        page.evaluate("(pace) => localStorage.setItem('maumau-pace', pace)", pace)
        page.click("form.act button")
        expect(page.locator("#table")).to_be_attached()
        return page

    def finished(self, game, record):
        out, errors = game.communicate(timeout=60)
        self.assertEqual(game.returncode, 0, errors)
        verified = maumau("verify", str(record))
        self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
        return out
