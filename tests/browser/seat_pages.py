"""A person's seat in Chromium: whole games by clicking, two people at one table, words, hints, penalties, and what goes wrong.

`run.sh` starts it. The person is a script that sees the page alone.
"""

import re
import subprocess
import unittest

from browser import GREEDY, MAUMAU, WIDTHS, SeatTest, maumau
from playwright.sync_api import expect

RULES = ["basic", "skat", "deluxe", "snap", "spam", "crazy-eights"]
MAY_FAIL = ["Failed to load", "ERR_", "403"]


class SeatPages(SeatTest):
    def test_a_whole_game_of_each_rule_set_is_played_by_clicking(self):
        for rules in RULES:
            with self.subTest(rules=rules):
                game, _, [link], record = self.begin("--rules", rules, "--rounds", "1", "--clock", "lockstep")
                page = self.sit(link)
                self.play(page)
                self.assertNotIn("dismissed", self.finished(game, record))
                expect(page.locator("#status")).to_contain_text("The game is over")
                self.picture(page, f"seat-{rules}-over")

    def test_several_cards_are_picked_in_their_order_and_played_at_once(self):
        game, _, [link], record = self.begin("--rules", "makao", "--rounds", "1", "--clock", "lockstep")
        page = self.sit(link)
        for _ in range(400):
            pair = page.evaluate(
                """() => {
                    if (document.body.dataset.mustMove !== 'true') return null;
                    const hand = [...document.querySelectorAll('#hand .hand-card')];
                    const equal = (a, b) => a !== b && a.dataset.card[0] === b.dataset.card[0];
                    const first = hand.find((card) => card.classList.contains('legal') && hand.some((other) => equal(card, other)));
                    return first ? [first, hand.find((other) => equal(first, other))].map((card) => hand.indexOf(card)) : null;
                }"""
            )
            if pair:
                break
            self.play(page, says_words=False, most=1, ends=False)
        page.click("text=Play several cards")
        for number, at in enumerate(pair, 1):
            page.locator("#hand .hand-card").nth(at).click()
            expect(page.locator("#hand .hand-card").nth(at)).to_have_attribute("data-order", f"{number}")
        self.check_accessible(page, "several cards are picked")
        self.picture(page, "seat-several")
        cards = [page.locator("#hand .hand-card").nth(at).get_attribute("data-card") for at in pair]
        page.click("text=Play these 2")
        self.play(page, says_words=False)
        self.finished(game, record)
        self.assertIn(f'"cards":["{cards[0]}","{cards[1]}"]', record.read_text())

    def test_what_others_do_is_shown_move_by_move_and_a_round_ends_with_its_scores(self):
        game, _, [link], record = self.begin("--clock", "lockstep", "--rounds", "2", seats=("web", GREEDY, GREEDY))
        page = self.open(link)
        page.clock.install(time=0)
        page.clock.pause_at(1000)
        page.click("form.act button")
        lines = page.locator("#lines .line")
        is_behind = lambda: page.evaluate("document.body.dataset.isBehind === 'true'")
        # How long each of the moves of others was looked at.
        pauses, paused = [], None
        for _ in range(2000):
            if page.is_visible("#sheet"):
                break
            if not is_behind():
                paused = None
                self.play(page, most=1, ends=False)
                continue
            # Nothing can be done before it has been shown.
            self.assertEqual(page.locator("#hand .legal, #moves-now button").count(), 0)
            if len(pauses) == 4:
                # From here on no time passes, and nothing is shown but what is hurried.
                page.keyboard.press(".")
                continue
            before = lines.count()
            page.clock.run_for(100)
            paused = paused and paused + 100
            if lines.count() > before:
                pauses += [paused] if paused else []
                paused = 1
        page.clock.resume()
        self.assertEqual(len(pauses), 4, "the others have moved more often")
        self.assertGreater(min(pauses), 600, pauses)
        expect(page.locator("#sheet-title")).to_contain_text("the round")
        self.assertEqual(page.locator("#sheet-rows tr").count(), 3)
        self.check_accessible(page, "the score sheet")
        self.picture(page, "seat-scores")
        self.assertEqual(page.inner_text("#sheet-next"), "Next round")
        page.click("#sheet-next")
        page.select_option("#pace", "none")
        self.assertEqual(page.evaluate("localStorage.getItem('maumau-pace')"), "none")

    def test_two_people_in_two_browsers_play_with_two_bots(self):
        seats = ("web", GREEDY, "web", "maumau agent random")
        game, base, links, record = self.begin("--clock", "lockstep", seats=seats)
        first, second = self.sit(links[0]), self.sit(links[1])
        watching = self.open(f"{base}/live", allowed=MAY_FAIL)
        expect(watching.locator("#tables")).to_contain_text("web")
        for _ in range(3000):
            states = [page.inner_text("#turn") for page in (first, second)]
            if states == ["The game is over"] * 2:
                break
            for page in (first, second):
                if page.inner_text("#turn") != "The game is over":
                    try:
                        self.play(page, most=3)
                    except AssertionError:
                        pass
        else:
            self.fail("the game does not end")
        self.finished(game, record)

    def test_words_are_offered_and_not_said_and_penalties_are_explained(self):
        game, _, [link], record = self.begin("--clock", "lockstep", "--rounds", "3")
        page = self.sit(link)
        self.play(page, says_words=False)
        self.finished(game, record)
        mine = [line for line in record.read_text().splitlines() if '"event":"said"' in line and '"seat":0' in line]
        self.assertEqual(mine, [], "nothing is said for a person")
        self.assertIn("as penalty (Mau was not said in time)", page.inner_text("#lines"))
        self.assertGreater(page.locator("#lines .explained").count(), 0)
        self.assertTrue(page.locator("#lines a.clause").first.get_attribute("href").startswith("/documents/law#b-"))

    def test_what_must_be_named_is_asked_for_and_no_card_is_said_not_to_fit(self):
        # The jack of clubs is turned up, so the first seat names a suit.
        game, _, [link], record = self.begin("--rules", "skat", "--rounds", "1", "--clock", "lockstep", seats=("web", GREEDY, GREEDY), seed=12)
        page = self.sit(link)
        expect(page.locator("#turn")).to_have_text("You must name one of these")
        nine = page.locator("#hand [data-card='9C']")
        self.assertIn("may not be played now", nine.get_attribute("aria-label"), "a club lies on a club")
        nine.click()
        expect(page.locator("#status")).to_have_text("9♣ may not be played now; press again to play it anyway.")
        page.locator("#moves-now [data-do=choose]").first.click()
        self.play(page)
        self.finished(game, record)
        expect(page.locator("#status")).to_have_text(re.compile("The game is over: you (have won|came (joint )?(2nd|3rd) of 3)"))
        self.assertNotIn("nothing more to play", page.inner_text("#lines"))

    def test_the_page_is_accessible_and_fits_every_width(self):
        game, _, [link], _ = self.begin("--clock", "live")
        page = self.sit(link)
        expect(page.locator("#hand .hand-card").first).to_be_visible(timeout=20_000)
        for width, height in WIDTHS:
            for scheme in ("light", "dark"):
                page.set_viewport_size({"width": width, "height": height})
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                expect(page.locator("#table")).to_have_attribute("viewBox", re.compile("."))
                self.picture(page, f"seat-{width}-{scheme}")
                self.check_fits(page, f"{width} px")
                if width < 2560:
                    self.check_accessible(page, f"{width} px, {scheme}")
        page.keyboard.press("?")
        self.assertTrue(page.is_visible("#help"))
        page.keyboard.press("Escape")
        page.keyboard.press("h")
        expect(page.locator("#lines")).to_contain_text("Hint: greedy would")
        self.assertRegex(page.inner_text("#left"), r"\d+ s")
        page.click("#more summary")
        page.click("#call button")
        expect(page.locator("#lines")).to_contain_text("not upheld")
        page.fill("#said", "<img src=x onerror=alert(1)>")
        page.click("#speech button")
        expect(page.locator("#lines")).to_contain_text("<img src=x onerror")
        self.assertEqual(page.locator("main img").count(), 0)

    def test_a_seat_has_one_browser_and_its_newest_page(self):
        game, base, [link], _ = self.begin("--clock", "live")
        page = self.sit(link)
        expect(page.locator("#hand .hand-card").first).to_be_visible(timeout=20_000)
        self.assertNotIn("token", page.url)
        other = self.open(link, allowed=MAY_FAIL)
        self.assertIn("Another browser has taken this seat", other.inner_text("main"))
        stranger = self.open(f"{base}/seat/0?token=0000", allowed=MAY_FAIL)
        self.assertIn("not the link of this seat", stranger.inner_text("main"))
        newer = page.context.new_page()
        newer.goto(f"{base}/seat/0")
        expect(newer.locator("#hand .hand-card").first).to_be_visible()
        expect(page.locator("#status")).to_contain_text("newer page")
        refused = other.request.post(f"{base}/seat/0/choice", data="{}", headers={"origin": base})
        self.assertEqual(refused.status, 403)
        foreign = newer.request.post(f"{base}/seat/0/choice", data="{}", headers={"origin": "http://evil.example"})
        self.assertEqual(foreign.status, 403)

    def test_whatever_looks_at_a_link_takes_nothing(self):
        game, base, [link], record = self.begin("--clock", "lockstep", "--rounds", "1")
        page = self.open(link, *WIDTHS[0], allowed=MAY_FAIL)
        other = self.open(link)
        for looks in (page.request.head, page.request.get, other.request.head):
            answer = looks(link)
            self.assertEqual((answer.status, answer.headers.get("set-cookie")), (200, None))
        for origin in (None, "http://evil.example"):
            headers = {"content-type": "application/x-www-form-urlencoded", **({"origin": origin} if origin else {})}
            sent = page.request.post(f"{base}/seat/0", data=link.partition("?")[2], headers=headers)
            self.assertEqual(sent.status, 403)
            self.assertRegex(sent.text(), "only a page of this server may act for a seat|pages of other sites")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            self.picture(page, f"door-360-{scheme}")
            self.check_fits(page, "360 px")
            self.check_accessible(page, f"360 px, {scheme}")
        # The button has the focus.
        page.keyboard.press("Enter")
        self.play(page)
        self.finished(game, record)

    def test_a_seat_is_taken_again_by_its_browser_and_elsewhere_by_the_word_of_the_organiser(self):
        game, base, [link], record = self.begin("--clock", "lockstep", "--rounds", "1")
        page = self.sit(link)
        expect(page.locator("#hand .hand-card").first).to_be_visible(timeout=20_000)
        kept = [cookie for cookie in page.context.cookies() if "seat" in cookie["name"]]
        self.assertGreater(kept[0]["expires"], 0, "the cookie outlives the browser")
        page.goto(link)
        expect(page.locator("#hand .hand-card").first).to_be_visible()
        self.assertEqual(page.url, f"{base}/seat/0")
        other = self.open(link, allowed=MAY_FAIL)
        self.assertIn("organiser of the match can free it", other.inner_text("main"))
        stranger = self.open(f"{base}/seats?key=0000", allowed=MAY_FAIL)
        self.assertIn("for the person who started the match", stranger.inner_text("main"))
        organiser = self.open(re.search(r"http\S+key=\S+", self.said)[0], *WIDTHS[0])
        self.picture(organiser, "organiser-360")
        self.check_fits(organiser, "360 px")
        self.check_accessible(organiser, "360 px")
        organiser.focus("form.act button")
        organiser.keyboard.press("Enter")
        expect(organiser.locator("main")).to_contain_text("its link can be used")
        expect(page.locator("#status")).to_contain_text("organiser has freed this seat")
        other.goto(link)
        other.click("form.act button")
        self.play(other)
        self.finished(game, record)

    def test_two_servers_on_one_host_keep_their_seats_and_viewers_apart(self):
        begun = [self.begin("--clock", "lockstep", "--rounds", "1", "--public") for _ in range(2)]
        tables = []
        context = self.browser.new_context()
        self.addCleanup(context.close)
        for _, _, links, _ in begun:
            page = context.new_page()
            for link in links:
                page.goto(link)
                if page.locator("form.act button").count():
                    page.click("form.act button")
            tables.append(page)
        self.assertEqual(len(context.cookies()), 4)
        for (game, base, _, record), page in zip(begun, tables):
            watching = context.new_page()
            self.assertEqual(watching.goto(f"{base}/live").status, 200)
            self.play(page)
            self.finished(game, record)

    def test_a_browser_that_goes_away_comes_back_to_the_table_as_it_is(self):
        game, base, [link], record = self.begin("--clock", "lockstep")
        page = self.sit(link)
        expect(page.locator("body")).to_have_attribute("data-must-move", "true", timeout=20_000)
        page.click("#hand .legal, #moves-now [data-do=draw]")
        lines = page.inner_text("#lines")
        page.goto("about:blank")
        page.goto(f"{base}/seat/0")
        expect(page.locator("#lines")).to_contain_text(lines.splitlines()[-1])
        self.play(page)
        self.finished(game, record)

    def test_a_page_left_open_over_a_restart_says_so(self):
        game, base, [link], _ = self.begin("--clock", "live")
        page = self.sit(link, allowed=MAY_FAIL)
        expect(page.locator("#hand .hand-card").first).to_be_visible(timeout=20_000)
        game.kill()
        game.wait()
        expect(page.locator("#status")).to_contain_text("connection is lost")
        port = base.rsplit(":", 1)[1]
        again = subprocess.Popen(
            [MAUMAU, "play", "--serve", "--addr", f"127.0.0.1:{port}", "--seat", "web", "--seat", GREEDY],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        self.addCleanup(again.communicate)
        self.addCleanup(again.kill)
        expect(page.locator("#status")).to_contain_text("restarted", timeout=20_000)

    def test_what_cannot_be_is_reported(self):
        without = maumau("play", "--seat", "web", "--seat", GREEDY)
        self.assertEqual(without.returncode, 2)
        self.assertIn("add --serve", without.stderr)
        alone = maumau("agent", "web")
        self.assertEqual(alone.returncode, 2)
        self.assertIn("maumau play --serve --seat web", alone.stderr)
        game, base, _, _ = self.begin()
        taken = maumau("play", "--serve", "--addr", base[7:], "--seat", GREEDY, "--seat", GREEDY)
        self.assertEqual(taken.returncode, 3)
        self.assertIn("finds a free port", taken.stderr)


if __name__ == "__main__":
    unittest.main()
