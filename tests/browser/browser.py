"""What all tests of pages share: the program, servers on free ports, Chromium, axe-core, pictures.

`run.sh` starts them. It says in the environment where the program (MAUMAU) and axe-core (AXE) are.
"""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

from playwright.sync_api import expect, sync_playwright

HERE = pathlib.Path(__file__).resolve().parent
MAUMAU = os.environ["MAUMAU"]
AXE = pathlib.Path(os.environ["AXE"]).read_text()
PICTURES = HERE.parents[1] / "target" / "browser"
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
