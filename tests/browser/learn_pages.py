"""Lessons in Chromium: each set is clicked through from its first lesson to its last, wrong answers are said, nothing else is taken.

`run.sh` starts it. What solves a lesson is read from the files that the program has inside.
"""

import json
import re
import subprocess
import unittest

from browser import HERE, MAUMAU, BrowserTest
from playwright.sync_api import expect

FILES = HERE.parents[1] / "arena" / "model-check" / "lessons"
SIZES = [(390, 844), (1280, 800)]
SUITS = {"C": "clubs|acorns", "D": "diamonds|bells", "H": "hearts|roses", "S": "spades|leaves|shields", "B": "blue", "G": "green", "R": "red", "Y": "yellow"}
RANKS = dict(zip("23456789TJQKA", "twos threes fours fives sixes sevens eights nines tens jacks queens kings aces".split()))


class LearnPages(BrowserTest):
    def serve(self):
        server = subprocess.Popen([MAUMAU, "serve", "--addr", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        return server.stdout.readline().strip().rstrip("/")

    def learn(self, base, rules, **options):
        page = self.open(f"{base}/learn/{rules}", **options)
        page.evaluate("localStorage.setItem('maumau-pace', 'none')")
        page.reload()
        return page

    def pick(self, page, card, at=0):
        page.locator(f"#hand [data-card='{card}']").nth(at).click()

    def name(self, page, said):
        """Answers what is asked after a card."""
        if said is None:
            words = "name nothing"
        elif "seat" in said:
            words = ["Alex", "Bo", "Cleo", "Dana"][said["seat"]]
        else:
            words = SUITS.get(said.get("suit")) or RANKS[said["rank"]]
        page.locator("#naming button", has_text=re.compile(words)).click()

    def solve(self, page, action):
        """Does by clicks what `action` says."""
        for word in action.get("say", []):
            page.click(f"#words [data-word='{word}']")
        verb = action["do"]
        if verb == "play" and "cards" in action:
            page.locator("#moves-now .several", has_text="Play several cards").click()
            for card in action["cards"]:
                page.locator(f"#hand [data-card='{card}']:not(.picked)").first.click()
            page.locator("#moves-now .several", has_text="Play these").nth(0 if action.get("close", True) else 1).click()
        elif verb == "play":
            card = page.locator(f"#hand [data-card='{action['card']}']").first
            # What is not lifted is pressed twice.
            is_lifted = "legal" in card.get_attribute("class")
            for _ in range(1 if is_lifted else 2):
                card.click()
            if "as" in action:
                page.click(f"#naming [data-as='{action['as']}']")
        elif verb == "say":
            page.click(f"#words [data-word='{action['text']}']")
        elif verb == "choose":
            page.locator("#moves-now [data-do=choose]", has_text=re.compile(SUITS[action["suit"]])).click()
        else:
            page.locator(f"#moves-now [data-do={verb}]").first.click()
        if verb == "play" and page.locator("#naming").is_visible():
            self.name(page, action.get("choose"))

    def test_each_set_is_learnt_from_its_first_lesson_to_its_last(self):
        base = self.serve()
        for file in sorted(FILES.glob("*.json")):
            lessons = json.loads(file.read_text())
            page = self.learn(base, file.stem)
            for number, lesson in enumerate(lessons, 1):
                with self.subTest(rules=file.stem, lesson=lesson["title"]):
                    if number > 1:
                        page.goto(f"{base}/learn/{file.stem}#{number}")
                    step = page.locator(".step:visible")
                    expect(step.locator("h2")).to_have_text(lesson["title"])
                    expect(page.locator("body")).to_have_attribute("data-can-answer", "true")
                    expect(page.locator("#verdict")).to_be_empty()
                    self.solve(page, lesson["right"][0]["action"])
                    expect(page.locator("#verdict .right")).to_contain_text("Right.")
                    expect(page.locator("#next")).to_be_focused()
                    page.keyboard.press("Enter")
            with self.subTest(rules=file.stem, lesson="the end"):
                expect(page.locator(".step:visible")).to_contain_text("You know the rules")
                expect(page.locator("#steps .done")).to_have_count(len(lessons))
                page.reload()
                expect(page.locator("#steps .done")).to_have_count(len(lessons))
            page.context.close()

    def test_a_wrong_answer_is_said_with_its_price_and_can_be_tried_again(self):
        page = self.learn(self.serve(), "basic")
        cards = page.locator("#hand .hand-card")
        expect(cards).to_have_count(4)
        self.pick(page, "TD")
        expect(page.locator("#status")).to_contain_text("press again to play it anyway")
        self.pick(page, "TD")
        expect(page.locator("#verdict .wrong")).to_contain_text("No. The ten of diamonds has neither")
        expect(page.locator("#verdict .wrong")).to_contain_text("It costs 2 cards.")
        expect(page.locator("#verdict .explained").first).to_contain_text("A card has to match the top card")
        expect(cards).to_have_count(6)
        expect(page.locator("#hand .legal")).to_have_count(0)
        expect(page.locator("#next")).to_be_hidden()
        page.keyboard.press("Enter")
        expect(page.locator("#verdict")).to_be_empty()
        expect(cards).to_have_count(4)
        page.keyboard.press("d")
        expect(page.locator("#verdict .allowed")).to_contain_text("Allowed, but this lesson is about something else.")
        page.click("#solution")
        expect(page.locator("#status")).to_have_text("Play 10♥.")

    def test_pages_of_lessons_are_accessible_and_fit(self):
        base = self.serve()
        for width, height in SIZES:
            for scheme in ("light", "dark"):
                where = f"{width} px, {scheme}"
                page = self.open(f"{base}/learn", width, height, color_scheme=scheme)
                self.picture(page, f"learn-{width}-{scheme}")
                self.check_accessible(page, f"the sets, {where}")
                self.check_fits(page, f"the sets, {where}")
                page.context.close()
                page = self.learn(base, "snap", width=width, height=height, color_scheme=scheme)
                expect(page.locator("#hand .hand-card")).to_have_count(4)
                self.check_accessible(page, f"a lesson, {where}")
                self.check_fits(page, f"a lesson, {where}")
                self.picture(page, f"lesson-{width}-{scheme}")
                self.pick(page, "4D")
                self.pick(page, "4D")
                expect(page.locator("#verdict .wrong")).to_be_visible()
                self.check_accessible(page, f"a wrong answer, {where}")
                self.check_fits(page, f"a wrong answer, {where}")
                self.picture(page, f"lesson-wrong-{width}-{scheme}")
                page.goto(f"{base}/learn/snap#99")
                expect(page.locator(".step:visible")).to_contain_text("You know the rules")
                self.check_accessible(page, f"the end, {where}")
                page.context.close()

    def test_lessons_are_linked_where_rules_are(self):
        base = self.serve()
        for address in (f"{base}/play?rules=skat", f"{base}/rules/skat"):
            page = self.open(address)
            page.click("text=Learn it by playing")
            expect(page.locator("h1")).to_have_text("Learn Mau-Mau with a skat pack")

    def test_what_is_no_action_of_a_lesson_is_refused(self):
        page = self.open(f"{self.serve()}/learn/basic", allowed=["400", "404", "413"])
        send = "async ([path, body]) => (await fetch(path, { method: 'POST', body })).status"
        for path, body, status in [
            ("/learn/basic/1", '{"do":"draw"}', 200),
            ("/learn/basic/1", '{"do":"fly"}', 400),
            ("/learn/basic/1", "[]", 400),
            ("/learn/basic/1", "x" * 20_000, 400),
            ("/learn/basic/0", '{"do":"draw"}', 404),
            ("/learn/basic/99", '{"do":"draw"}', 404),
            ("/learn/none/1", '{"do":"draw"}', 404),
        ]:
            with self.subTest(path=path, body=body[:20]):
                self.assertEqual(page.evaluate(send, [path, body]), status)


if __name__ == "__main__":
    unittest.main()
