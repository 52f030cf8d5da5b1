"""The pages of `maumau serve` and `maumau replay --html` in Chromium: what they show, keys, filters, hostile texts, accessibility.

`run.sh` starts it.
"""

import base64
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request
import xml.dom.minidom

from browser import HERE, MAUMAU, PICTURES, WIDTHS, BrowserTest, maumau
from playwright.sync_api import expect

RULES = ["basic", "skat", "deluxe", "snap", "spam"]
HOSTILE_NAME = "<img src=x onerror=alert(1)>"
LEAGUE = f"""
name = "<b>league</b>"
rules = "RULES"
seats = 4
games_per_pairing = 4
public_seed = true
seed = "7"
sandbox.level = "none"
agent = [
    {{ command = "maumau agent greedy" }},
    {{ name = "{HOSTILE_NAME}", command = "'{sys.executable}' '{HERE}/hostile_bot.py'" }},
    {{ command = "maumau agent random" }},
    {{ command = "maumau agent first" }},
]
"""


def play_hostile(folder, rules):
    """A run by `rules` in which a hostile bot plays, and a record of one of its games."""
    (folder / f"{rules}.toml").write_text(LEAGUE.replace("RULES", rules))
    maumau("tournament", "run", f"{rules}.toml", "--quiet", cwd=folder)
    game = "g000-d0000-r0"
    done = maumau("tournament", "export", f"{rules}.maumau", "--to", rules, "--games", game, cwd=folder)
    assert done.returncode == 0, done.stderr
    return (folder / rules / f"{game}.jsonl").read_text()


def serve(*arguments):
    """A server on a free port, and its address."""
    server = subprocess.Popen([MAUMAU, "serve", "--addr", "127.0.0.1:0", *map(str, arguments)], stdout=subprocess.PIPE, text=True)
    return server, server.stdout.readline().strip().rstrip("/")


class Pages(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.records = cls.folder / "records"
        cls.records.mkdir()
        for rules in RULES:
            (cls.records / f"{rules}.jsonl").write_text(play_hostile(cls.folder, rules))
        sound = (cls.records / "skat.jsonl").read_text().splitlines(keepends=True)
        (cls.records / "torn.jsonl").write_text("".join(sound[: len(sound) // 2]))
        (cls.records / "shopping.jsonl").write_text("bread and butter\n")
        made = maumau("tournament", "demo", "--games", "40", "--folder", "demo", cwd=cls.folder)
        assert made.returncode == 0, made.stderr
        for judged in (["skat.jsonl", "--keep"], [str(cls.folder / "demo" / "demo.maumau"), "--games", "6"]):
            done = maumau("analyse", *judged, "--quick", cwd=cls.records)
            assert done.returncode == 0, done.stderr
        cls.servers = [serve(cls.records), serve(cls.folder / "demo" / "demo.maumau"), serve(cls.folder / "spam.maumau")]
        (_, cls.of_records), (_, cls.of_run), (_, cls.of_hostile) = cls.servers

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        for server, _ in cls.servers:
            server.kill()
            server.wait()
            server.stdout.close()
        shutil.rmtree(cls.folder)

    def sentence(self, page):
        return page.inner_text("#sentence")

    def frame(self, page):
        return int(page.input_value("#moment"))

    def test_every_page_is_accessible_and_fits_every_width(self):
        offline = self.folder / "offline.html"
        self.assertEqual(maumau("replay", str(self.records / "deluxe.jsonl"), "--html", str(offline)).returncode, 0)
        run = self.of_run
        game = self.open(f"{run}/games").get_attribute("tbody a", "href")
        pages = {
            "standings": f"{run}/",
            "screen": f"{run}/tv",
            "screen-game": f"{run}{game}?tv",
            "games": f"{run}/games",
            "game": f"{run}{game}#frame=20",
            "judged": f"{self.of_records}/games/skat#move=9",
            "hostile-standings": f"{self.of_hostile}/",
            "records": f"{self.of_records}/games",
            "hostile": f"{self.of_records}/games/snap#frame=12",
            "rules": f"{run}/rules/skat",
            "documents": f"{run}/documents?q=deadline",
            "document": f"{run}/documents/sandbox",
            "wrong": f"{self.of_records}/games/torn",
            "missing": f"{run}/nothing",
            "offline": f"{offline.as_uri()}#frame=20",
        }
        for name, address in pages.items():
            page = self.browser.new_page()
            page.goto(address)
            for width, height in WIDTHS:
                for scheme in ("light", "dark") if width == 1280 else ("light",):
                    with self.subTest(page=name, width=width, scheme=scheme):
                        page.set_viewport_size({"width": width, "height": height})
                        page.emulate_media(color_scheme=scheme)
                        page.screenshot(path=PICTURES / f"{name}-{width}-{scheme}.png")
                        overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                        self.assertLessEqual(overflow, 0, "the page scrolls sideways")
                        # The largest screen shows what the middle one does.
                        if width < 2560:
                            self.check_accessible(page, address)
            page.close()

    def test_a_screen_for_a_room_shows_one_game_after_another_and_standings_between(self):
        page = self.browser.new_page()
        self.addCleanup(page.close)
        # From now on time passes only as the test says.
        page.clock.install(time=0)
        page.clock.pause_at(1_000)
        page.goto(f"{self.of_run}/tv")
        shown = []
        for _ in range(2):
            expect(page.locator("#tv li").first).to_contain_text("greedy")
            expect(page.locator("#next")).to_contain_text("Next: g")
            page.clock.fast_forward(8_000)
            page.wait_for_url(re.compile(r"/games/[^/]+\?tv"))
            shown.append(page.url)
            # Nothing but the table, and from the beginning of the last round.
            expect(page.locator("body.tv #table .felt")).to_be_visible()
            self.assertFalse(page.locator(".controls, .story, footer").first.is_visible())
            begun, last = self.frame(page), int(page.get_attribute("#moment", "max"))
            marks = page.evaluate("JSON.parse(document.getElementById('story').textContent).frames.map(({ marks }) => marks ?? [])")
            rounds = [at for at, own in enumerate(marks) if "round" in own]
            self.assertLess(begun, last)
            self.assertLessEqual([at for at in rounds if at < last][-1:], [begun])
            for at in range(begun + 1, last + 1):
                page.clock.run_for(1_000)
                expect(page.locator("#moment")).to_have_value(f"{at}")
            page.clock.run_for(1_000)
            page.clock.fast_forward(8_000)
            page.wait_for_url(f"{self.of_run}/tv")
        self.assertEqual(len(set(shown)), 2, shown)

    def test_a_judged_game_shows_marks_and_what_was_better_to_the_eyes_that_may_see_it(self):
        page = self.open(f"{self.of_records}/games/skat")
        marks = page.locator("#moves .sign")
        self.assertGreater(marks.count(), 0)
        page.keyboard.press("m")
        chosen = page.locator("[aria-selected=true]")
        expect(chosen.locator(".sign:not(.good)")).to_have_count(1)
        expect(page.locator("#detail .comment")).to_contain_text("points lost.")
        self.picture(page, "judged-mistake")
        at = self.frame(page)
        page.keyboard.press("M")
        self.assertLessEqual(self.frame(page), at)
        self.assertGreater(page.locator("#chances .curve").count(), 1)
        moments = page.locator("#moments button")
        self.assertLessEqual(moments.count(), 3)
        moments.first.click()
        expect(page.locator("#detail .comment")).to_have_count(1)
        balances = page.locator("#balances li")
        expect(balances).to_have_count(4)
        expect(balances.first).to_contain_text("% at first; own decisions")
        shown = marks.count()
        by_seat = []
        for seat in range(4):
            page.select_option("#eyes", str(seat))
            expect(page.locator("#chances .curve")).to_have_count(1)
            expect(balances).to_have_count(1)
            # Once what was chosen is drawn.
            page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            by_seat.append(marks.count())
        self.assertEqual(sum(by_seat), shown, "a seat sees its own marks alone")
        plain = self.open(f"{self.of_records}/games/basic")
        self.assertEqual(plain.locator("#chances, #mistake, .sign").count(), 0, "nobody has judged it")

    def test_the_report_leads_from_the_worst_decisions_to_their_replay(self):
        page = self.open(f"{self.of_run}/")
        page.locator("details summary").first.click()
        link = page.locator("details[open] .worst a").first
        move = re.search(r"move (\d+)", link.inner_text()).group(1)
        link.click()
        expect(page.locator("#detail .where")).to_contain_text(f"Move {move}")
        expect(page.locator("#detail .comment")).to_contain_text("points lost.")

    def test_on_a_telephone_the_buttons_are_in_sight_and_steps_are_seen(self):
        for height in (640, 740):
            page = self.open(f"{self.of_records}/games/skat", 360, height)
            self.picture(page, f"game-360-{height}")
            for button in ("#first", "#back", "#play", "#on", "#last"):
                box = page.locator(button).bounding_box()
                self.assertLessEqual(box["y"] + box["height"], height, f"{button} at {height}")
            page.click("#on")
            self.assertEqual(self.frame(page), 1)
            self.check_fits(page, "360 px")

    def test_at_twice_the_size_the_buttons_are_in_sight(self):
        page = self.open(f"{self.of_records}/games/skat", 640, 400, device_scale_factor=2)
        box = page.locator("#on").bounding_box()
        self.assertLessEqual(box["y"] + box["height"], 400)
        page.click("#on")
        self.assertEqual(self.frame(page), 1)

    def test_a_finger_across_the_table_steps_and_one_down_it_does_not(self):
        page = self.open(f"{self.of_records}/games/skat#frame=5", 390, 844, has_touch=True, is_mobile=True)
        driver = page.context.new_cdp_session(page)
        x, y = 200, page.locator("#table").bounding_box()["y"] + 200

        def swipe(across, along):
            touch = lambda kind, *points: driver.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})
            touch("touchStart", {"x": x, "y": y})
            for step in (1, 2, 3, 4):
                touch("touchMove", {"x": x + across * step / 4, "y": y + along * step / 4})
            touch("touchEnd")

        for across, along, frame in ((-120, 10, 6), (-120, -10, 7), (120, 0, 6), (10, -120, 6), (-20, 0, 6)):
            swipe(across, along)
            page.wait_for_timeout(100)
            self.assertEqual(self.frame(page), frame, f"{across}, {along}")

    def test_the_end_of_a_round_shows_the_table_before_the_next_deal(self):
        record, shown = self.folder / "rounds.jsonl", self.folder / "rounds.html"
        bots = ["--seat", "maumau agent greedy"] * 3
        done = maumau("play", "--rules", "skat", "--rounds", "2", "--seed", "7", "--record", str(record), "-q", *bots)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(maumau("replay", str(record), "--html", str(shown)).returncode, 0)
        page = self.open(shown.as_uri())
        page.keyboard.press("r")
        end = self.frame(page)
        self.assertIn("wins the round", self.sentence(page))
        counts = page.locator("#table .seat .plate b")
        self.assertIn("0", counts.all_inner_texts(), "the winner has no card left")
        self.assertEqual(page.locator("#table .plate.turn").count(), 0)
        page.keyboard.press("ArrowRight")
        self.assertEqual(self.frame(page), end + 1)
        self.assertEqual(set(counts.all_inner_texts()), {counts.first.inner_text()}, "everybody is dealt as many")
        self.assertIn("Round 2", page.inner_text("#moves [aria-selected=true]"))

    def test_the_row_of_the_moment_stays_in_sight_when_rows_above_are_filled_in(self):
        record, shown = self.folder / "long.jsonl", self.folder / "long.html"
        bots = ["--seat", "maumau agent greedy"] * 3
        done = maumau("play", "--rules", "skat", "--rounds", "6", "--seed", "7", "--record", str(record), "-q", *bots)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(maumau("replay", str(record), "--html", str(shown)).returncode, 0)
        for at in (52, 101, 155):
            with self.subTest(at=at):
                page = self.open(f"{shown.as_uri()}#frame={at}")
                page.wait_for_function("at => document.querySelectorAll('#moves .block')[Math.floor(at / 50) - 1].firstChild", arg=at)
                row, box = (page.locator(place).bounding_box() for place in ("#moves [aria-selected=true]", "#moves"))
                self.assertGreaterEqual(row["y"], box["y"])
                self.assertLessEqual(row["y"] + row["height"], box["y"] + box["height"])
                page.close()

    def test_a_picture_of_the_whole_page_shows_sections_far_below(self):
        page = self.open(f"{self.of_run}/")
        page.wait_for_selector("html.settled", state="attached")
        hidden = "[...document.querySelectorAll('.report > section')].filter((part) => getComputedStyle(part).contentVisibility !== 'visible').length"
        self.assertEqual(page.evaluate(hidden), 0)

    def test_keys_step_jump_flip_and_change_eyes(self):
        page = self.open(f"{self.of_records}/games/deluxe")
        last = int(page.get_attribute("#moment", "max"))
        press = page.keyboard.press
        press("ArrowRight")
        press("ArrowRight")
        self.assertEqual(self.frame(page), 2)
        press("ArrowLeft")
        self.assertEqual(self.frame(page), 1)
        press("End")
        self.assertEqual(self.frame(page), last)
        press("R")
        press("Home")
        press("x")
        self.assertIn("has-fault", page.get_attribute("[aria-selected=true]", "class"))
        fault = self.frame(page)
        press("x")
        self.assertGreater(self.frame(page), fault)
        press("X")
        self.assertEqual(self.frame(page), fault)
        press("]")
        self.assertGreater(self.frame(page), fault)
        bottom = page.inner_text("#table .seat:nth-of-type(2) .name")
        press("f")
        self.assertNotEqual(page.inner_text("#table .seat:nth-of-type(2) .name"), bottom)
        self.assertEqual(page.locator("#table .seat use[href='#card-back']").count(), 0)
        press("e")
        self.assertEqual(page.input_value("#eyes"), "0")
        self.assertGreater(page.locator("#table .seat use[href='#card-back']").count(), 0, "a seat sees backs")
        press("?")
        self.assertTrue(page.is_visible("#help"))
        press("Escape")
        self.assertFalse(page.is_visible("#help"))
        press("Home")
        press("+")
        press("+")
        press("+")
        press(" ")
        expect(page.locator("#moment")).not_to_have_value("0")
        press(" ")
        self.assertEqual(page.get_attribute("#play", "aria-label"), "Play (space)")

    def test_cards_fly_to_the_hand_that_they_come_to_where_motion_is_wanted(self):
        page = self.open(f"{self.of_records}/games/snap")
        page.emulate_media(reduced_motion="no-preference")
        # Cards that have come down are gone: each is counted when it sets out.
        page.evaluate(
            """() => {
                window.flown = 0;
                const count = ({ addedNodes }) => (window.flown += [...addedNodes].filter((node) => node.matches('.flying')).length);
                new MutationObserver((changes) => changes.forEach(count)).observe(document.querySelector('#table'), { childList: true });
            }"""
        )
        flown = "() => { const flown = window.flown; window.flown = 0; return flown; }"
        seen = {}
        for _ in range(int(page.get_attribute("#moment", "max"))):
            page.keyboard.press("ArrowRight")
            sentence = page.inner_text("#sentence")
            what = next((what for what in ("takes", "draws") if f" {what} " in sentence), "else")
            has_flown = page.evaluate(flown) > 0
            if what != "else" or (sentence.count("plays") == 1 and "; " not in sentence):
                seen.setdefault(what, set()).add(has_flown)
        self.assertEqual(seen, {"takes": {True}, "draws": {True}, "else": {False}})
        expect(page.locator(".flying")).to_have_count(0)
        page.keyboard.press("Home")
        page.emulate_media(reduced_motion="reduce")
        for _ in range(20):
            page.keyboard.press("ArrowRight")
        self.assertEqual(page.evaluate(flown), 0)

    def test_sound_is_off_until_it_is_wanted_and_stays_as_chosen(self):
        page = self.open(f"{self.of_records}/games/skat")
        sound = page.locator("#sound")
        expect(sound).to_have_attribute("aria-pressed", "false")
        page.keyboard.press("s")
        expect(sound).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("ArrowRight")
        page.reload()
        expect(page.locator("#sound")).to_have_attribute("aria-pressed", "true")
        page.keyboard.press("s")
        expect(page.locator("#sound")).to_have_attribute("aria-pressed", "false")

    def test_an_address_names_the_moment(self):
        page = self.open(f"{self.of_records}/games/skat#frame=9&eyes=1&bottom=1")
        self.assertEqual((self.frame(page), page.input_value("#eyes")), (9, "1"))
        sentence = self.sentence(page)
        page.keyboard.press("ArrowRight")
        again = self.open(page.url)
        self.assertEqual(self.sentence(again), self.sentence(page))
        self.assertNotEqual(self.sentence(again), sentence)
        nonsense = self.open(f"{self.of_records}/games/skat#frame=-1e9&eyes=99&bottom=x")
        self.assertEqual((self.frame(nonsense), nonsense.input_value("#eyes")), (0, "-1"))

    def test_texts_of_others_are_text(self):
        for rules in RULES:
            with self.subTest(rules=rules):
                page = self.open(f"{self.of_records}/games/{rules}")
                last = int(page.get_attribute("#moment", "max"))
                for at in range(0, last + 1, max(1, last // 60)):
                    page.evaluate(f"location.hash = 'frame={at}'")
                self.assertNotEqual(page.title(), "2")
                self.assertEqual(page.locator("main img, main b b, main script, #moves b").count(), 0)
                self.assertIn("<img src=x onerror=", page.inner_text("#legend"))
        page = self.open(f"{self.of_records}/games")
        self.assertIn("<img src=x onerror=", page.inner_text("main"))
        self.assertEqual(page.locator("main img").count(), 0)
        self.assertNotEqual(page.title(), "2")

    def test_filters_stay_in_the_address_and_pages_go_on(self):
        page = self.open(f"{self.of_run}/games")
        self.assertEqual(page.locator("tbody tr").count(), 50)
        page.click("text=Next page")
        self.assertIn("from=50", page.url)
        page.select_option("[name=agent]", "greedy")
        page.fill("[name=place]", "1")
        page.click("text=Show")
        self.assertIn("agent=greedy", page.url)
        rows = page.locator("tbody tr").all()
        self.assertGreater(len(rows), 0)
        for row in rows:
            self.assertIn("greedy", row.locator(".place").first.inner_text())
        self.assertEqual(self.open(page.url).locator("tbody tr").count(), len(rows))
        page.fill("[name=name]", "no game is called so")
        page.click("text=Show")
        self.assertIn("No game here is like that", page.inner_text("main"))

    def test_games_are_filtered_by_seat_and_length_and_sorted_in_the_page(self):
        page = self.open(f"{self.of_run}/games?agent=greedy&seat=0&moves=30")
        rows = page.locator("tbody tr")
        first, total = page.locator("tbody a").first.get_attribute("href"), rows.count()
        self.assertGreater(total, 1)
        page.click(f"tbody a >> nth=0")
        page.wait_for_selector("#moves .row")
        self.assertGreaterEqual(int(page.get_attribute("#moment", "max")), 30)
        page.go_back()
        self.assertEqual(page.input_value("[name=moves]"), "30")
        page.fill("[name=moves]", "100000")
        page.click("text=Show")
        self.assertIn("No game here is like that", page.inner_text("main"))
        page.go_back()
        head = page.locator("thead button", has_text="Game").first
        names = lambda: page.locator("tbody a").all_inner_texts()
        shown = names()
        head.click()
        self.assertEqual(names(), sorted(shown))
        head.click()
        self.assertEqual(names(), sorted(shown, reverse=True))
        self.assertEqual(page.get_attribute("thead th >> nth=0", "aria-sort"), "descending")
        head.click()
        self.assertEqual(names(), shown)
        self.check_accessible(page, "a sorted list")

    def test_games_are_sorted_and_chosen_by_their_figures_and_lead_to_one_another(self):
        page = self.open(f"{self.of_run}/games")
        while not page.locator(".worth li").count():
            page.reload()
        self.assertIn("comeback", page.inner_text(".worth"))
        self.check_accessible(page, "games with figures")
        counts = lambda: [int(text) for text in page.locator("td[data-figure='Lead changes']").all_inner_texts()]
        page.click("thead a:text-is('Lead changes')")
        self.assertIn("sort=lead_changes", page.url)
        most = counts()
        self.assertEqual(most, sorted(most, reverse=True))
        page.click("nav.pages >> text=Next page")
        self.assertLessEqual(max(counts()), min(most))
        page.click("thead a:text-is('Lead changes')")
        self.assertEqual(counts(), sorted(counts()))
        page.click("details.figures > summary")
        page.fill("[name=comeback]", "3-4")
        page.click("text=Show")
        behind = page.locator("td[data-figure='Comeback']").all_inner_texts()
        self.assertTrue(behind and set(behind) <= {"3", "4"}, behind)
        name = page.inner_text("tbody a >> nth=0")
        page.click("tbody a >> nth=0")
        page.wait_for_selector("#moves .row")
        self.assertIn(name, page.title())
        self.assertIn(name, page.inner_text("p.id"))
        self.check_accessible(page, "a game with ways to others")
        page.click("nav.beside >> text=The same deal >> a >> nth=0")
        self.assertEqual(page.inner_text("p.id").split()[1][:11], name[:11], "another rotation of the deal")

    def test_a_moment_is_shared_as_a_picture_and_as_html(self):
        page = self.open(f"{self.of_records}/games/skat#frame=9&eyes=1&bottom=1")
        card = lambda name: page.get_attribute(f"meta[property='og:{name}']", "content")
        self.assertEqual(card("url"), f"{self.of_records}/games/skat")
        self.assertIn("skat", card("title"))
        self.assertIn(HOSTILE_NAME, card("description"))
        address = page.get_attribute("#picture", "href")
        self.assertTrue(address.endswith("/games/skat/picture.svg?frame=9&eyes=1&bottom=1"), address)
        with urllib.request.urlopen(f"{self.of_records}{address}") as answer:
            self.assertEqual(answer.headers["content-type"], "image/svg+xml")
            svg = answer.read().decode()
        xml.dom.minidom.parseString(svg)
        self.assertNotIn("<img", svg)
        with urllib.request.urlopen(card("image")) as answer:
            self.assertNotEqual(answer.read().decode(), svg, "the last moment")
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.click("#embed")
        expect(page.locator("#embed")).to_have_text("Copied")
        copied = page.evaluate("navigator.clipboard.readText()")
        self.assertTrue(copied.startswith(f'<a href="{self.of_records}/games/skat#frame=9&amp;eyes=1&amp;bottom=1"><svg '), copied[:200])
        self.assertTrue(copied.endswith("</svg></a>"))
        page.click("#embed-moving")
        expect(page.locator("#embed-moving")).to_have_text("Copied")
        copied = page.evaluate("navigator.clipboard.readText()")
        self.assertTrue(copied.startswith(f'<a href="{self.of_records}/games/skat#frame=9&amp;eyes=1&amp;bottom=1"><svg '), copied[:200])
        # It moves on the page that holds it.
        other = self.browser.new_page()
        self.addCleanup(other.close)
        other.set_content(f"<p>Look:</p>{copied}")
        self.assertGreater(other.evaluate("document.getAnimations().length"), 5)
        self.check_accessible(page, "a game to be shared")

    def test_the_last_moves_are_a_picture_that_moves_where_motion_is_wanted(self):
        page = self.open(f"{self.of_records}/games/skat#frame=14&bottom=1")
        address = page.get_attribute("#moving", "href")
        self.assertTrue(address.endswith("/games/skat/picture.svg?frame=14&bottom=1&moves=10"), address)
        with urllib.request.urlopen(f"{self.of_records}{address}") as answer:
            svg = answer.read()
        self.assertLess(len(svg), 512 * 1024)
        xml.dom.minidom.parseString(svg)
        shown = "[...document.querySelectorAll('[class^=maumau]')].map((step) => getComputedStyle(step).visibility)"
        at = "(ms) => document.getAnimations().forEach((moved) => { moved.pause(); moved.currentTime = ms; })"
        still = self.open(f"{self.of_records}{address}")
        steps = still.evaluate(shown)
        self.assertGreaterEqual(len(steps), 11)
        self.assertEqual(steps, ["hidden"] * (len(steps) - 1) + ["visible"], "without motion the last moment is shown")
        self.assertEqual(still.evaluate("document.getAnimations().length"), 0)
        still.emulate_media(reduced_motion="no-preference")
        for step in range(len(steps)):
            still.evaluate(at, step * 1300 + 650)
            self.assertEqual(still.evaluate(shown).index("visible"), step)
            self.assertEqual(still.evaluate(shown).count("visible"), 1)
            if step in (0, 5, len(steps) - 1):
                self.picture(still, f"moving-{step}")
        # It goes on from the beginning.
        still.evaluate(at, (len(steps) - 1) * 1300 + 3500 + 650)
        self.assertEqual(still.evaluate(shown).index("visible"), 0)
        # On the page of somebody else it stands as a picture.
        other = self.open("about:blank")
        other.set_content(f"<img alt='moves' src='data:image/svg+xml;base64,{base64.b64encode(svg).decode()}' width=700>")
        other.wait_for_function("document.images[0].naturalWidth > 0")

    def test_the_race_of_a_run_is_played_and_gone_through_by_keys(self):
        page = self.open(f"{self.of_run}/")
        race = page.locator(".race")
        race.scroll_into_view_if_needed()
        slider, button = race.locator("input"), race.locator("button")
        games = [int(games) for games in race.get_attribute("data-games").split()]
        self.assertLessEqual(len(games), 200)

        def shown():
            """What stands in the list, from the first row to the last, once it has come to rest."""
            return race.evaluate(
                """(race) => [...race.querySelectorAll('li')]
                    .sort((one, other) => one.getBoundingClientRect().y - other.getBoundingClientRect().y)
                    .map((item) => item.innerText.trim().split(/\\s+/))"""
            )

        def check_order(step):
            rows = shown()
            scores = [float(score) for _, _, score in rows if score]
            self.assertEqual(scores, sorted(scores, reverse=True), rows)
            self.assertEqual([int(place) for place, _, _ in rows], [1 + sum(other > score for other in scores) for score in scores])
            self.assertEqual(race.locator("output").inner_text(), f"after {games[step]} games")
            self.assertIn(f"after {games[step]} games: 1. {rows[0][1]}", slider.get_attribute("aria-valuetext"))
            dots = race.evaluate(
                """(race) => [...race.querySelectorAll('li')].map((item) => {
                    const dot = race.querySelector(`circle[data-runner="${item.dataset.runner}"]`).getBoundingClientRect();
                    const row = item.getBoundingClientRect();
                    return Math.abs(dot.y + dot.height / 2 - row.y - row.height / 2);
                })"""
            )
            self.assertLess(max(dots), 2, "the dot of an agent is beside its name")

        last = len(games) - 1
        check_order(last)
        final = shown()
        self.check_accessible(page, "a race")
        slider.focus()
        page.keyboard.press("ArrowLeft")
        check_order(last - 1)
        for _ in range(3):
            page.keyboard.press("PageDown")
        page.keyboard.press("ArrowRight")
        step = int(slider.input_value())
        self.assertLess(step, last - 1)
        check_order(step)
        # It is played to its end, from the beginning if it is there.
        page.keyboard.press("End")
        button.focus()
        page.keyboard.press("Enter")
        expect(button).to_have_text("Pause")
        expect(race.locator("output")).not_to_have_text(f"after {games[-1]} games")
        page.keyboard.press("Enter")
        expect(button).to_have_text("Play")
        stopped = int(slider.input_value())
        self.assertLess(stopped, last)
        page.keyboard.press("Enter")
        expect(slider).to_have_value(f"{last}", timeout=20_000)
        expect(button).to_have_text("Play")
        self.assertEqual(shown(), final)
        for width, height in WIDTHS:
            for scheme in ("light", "dark"):
                page = self.open(f"{self.of_run}/", width, height, color_scheme=scheme)
                page.locator(".race").scroll_into_view_if_needed()
                page.locator(".race input").evaluate("(slider) => { slider.value = 5; slider.dispatchEvent(new Event('input')); }")
                self.check_fits(page, f"a race at {width}")
                self.picture(page, f"race-{width}-{scheme}")
        # On a site of files it is played as well.
        run = str(self.folder / "demo" / "demo.maumau")
        done = maumau("tournament", "site", run, "--to", str(self.folder / "raced"), "--games", "g000-d0000-r0")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = self.open((self.folder / "raced" / "index.html").as_uri())
        page.locator(".race input").focus()
        page.keyboard.press("Home")
        expect(page.locator(".race output")).to_have_text(f"after {games[0]} games")
        # Without scripts it stands still, and nothing offers to move it.
        page = self.open(f"{self.of_run}/", java_script_enabled=False)
        expect(page.locator(".race .controls")).to_be_hidden()
        self.assertEqual(page.locator(".race li").count(), len(final))

    def test_a_site_of_files_leads_from_page_to_page_without_a_server(self):
        site = self.folder / "site"
        games = "g000-d0000-r0,g000-d0000-r1"
        done = maumau("tournament", "site", str(self.folder / "spam.maumau"), "--to", str(site), "--games", games)
        self.assertEqual(done.returncode, 0, done.stderr)
        page = self.open((site / "index.html").as_uri())
        self.picture(page, "site-index")
        page.click("text=The games of this site")
        self.assertEqual(page.locator("tbody tr").count(), 2)
        page.click("tbody a >> nth=0")
        page.wait_for_selector("#moves .row")
        with page.expect_navigation():
            page.click("text=moves as a moving picture")
        self.assertTrue(page.url.endswith("g000-d0000-r0.svg"), page.url)
        self.assertGreaterEqual(page.evaluate("document.querySelectorAll('[class^=maumau]').length"), 11)
        page.go_back()
        page.wait_for_selector("#moves .row")
        self.picture(page, "site-game")
        self.check_accessible(page, "a game of the site")
        page.click("nav.site >> text=Rules")
        page.click("main li a >> nth=0")
        expect(page.locator("text=Learn it by positions")).to_be_visible()
        rules = page.url
        page.click("text=Learn it by positions")
        expect(page.locator("h1")).to_contain_text("Learn ")
        self.assertTrue(page.locator("article").count() >= 5 and page.locator("article svg").count() == page.locator("article").count())
        self.assertTrue(page.locator("article svg use").first.evaluate("(use) => use.getBBox().width > 10"), "cards are drawn")
        self.check_accessible(page, "lessons to be read")
        self.check_fits(page, "lessons to be read")
        page.click("summary >> nth=0")
        expect(page.locator("article >> nth=0")).to_contain_text(": Right. ")
        self.picture(page, "site-lessons")
        page.click("text=All rules in words")
        self.assertEqual(page.url, rules)
        page.click("nav.site >> text=Learn")
        self.check_accessible(page, "the lessons of a site")
        page.click("dl.learn a")
        expect(page.locator("h1")).to_contain_text("Learn ")
        page.click("nav.site >> text=Documents")
        page.click("text=The protocol")
        self.assertIn("maumau/1", page.inner_text("h1"))
        page.click("nav.site >> text=Standings")
        self.assertEqual(page.locator("main img").count(), 0)
        for file in site.rglob("*.html"):
            text = file.read_text()
            for link in re.findall(r'href="([^"#:]+)[^":]*"', text):
                self.assertTrue((file.parent / link).resolve().is_file(), f"{file.name}: {link}")

    def test_first_paint_and_what_is_loaded(self):
        """Prints a table; it fails only where a page loads from elsewhere."""
        pages = {
            "standings": f"{self.of_run}/",
            "games": f"{self.of_run}/games",
            "game": f"{self.of_records}/games/skat",
            "rules": f"{self.of_run}/rules/skat",
            "protocol": f"{self.of_run}/documents/protocol",
        }
        print(f"\n{'page':10} {'requests':>8} {'kB':>7} {'first paint':>12}")
        for name, address in pages.items():
            page = self.open(address)
            page.wait_for_load_state("networkidle")
            page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length > 0")
            loaded = page.evaluate(
                """() => {
                    const parts = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
                    const paint = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
                    return [parts.length, parts.reduce((sum, part) => sum + part.transferSize, 0), paint, parts.map((part) => part.name)];
                }"""
            )
            count, size, paint, names = loaded
            print(f"{name:10} {count:8} {size / 1000:7.1f} {paint:9.0f} ms")
            base = re.match(r"http://[^/]+/", address)[0]
            self.assertEqual([other for other in names if not other.startswith(base)], [])

    def test_every_number_of_the_standings_leads_to_the_games_behind_it_and_games_lead_to_rules(self):
        """Cells of the cross-table, and all other numbers: each leads to a list that has games and says of whom."""
        page = self.open(f"{self.of_hostile}/")
        cells = page.locator(".heat tbody td a")
        self.assertEqual(cells.count(), 4 * 3, "every two agents have met")
        asked = cells.first.get_attribute("href")
        self.assertRegex(asked, r"^/games\?agent=.+&against=.+$")
        for section, least in {"ratings": 2 * 4, "standings": 4 * 4, "seats": 4, "faults": 2, "lengths": 5, "times": 4}.items():
            links = page.locator(f"section[aria-labelledby={section}] :is(td, p, svg) a")
            self.assertGreaterEqual(links.count(), least, section)
            asked = [link.get_attribute("href") for link in links.all()]
            with_games = 0
            for address in dict.fromkeys(asked):
                with urllib.request.urlopen(f"{self.of_hostile}{address}") as answer:
                    with_games += b"<tbody>" in answer.read()
            # A seat may have won no game.
            self.assertGreater(with_games, 0 if section == "seats" else len(set(asked)) - 1, section)
        cells.last.click()
        page.wait_for_url("**/games?**")
        chosen = [page.input_value(f"[name={name}]") for name in ("agent", "against")]
        self.assertTrue(all(chosen) and chosen[0] != chosen[1], chosen)
        rows = page.locator("tbody tr").all()
        self.assertGreater(len(rows), 0)
        for row in rows:
            for agent in chosen:
                self.assertIn(agent, row.inner_text())
        page.click("tbody a >> nth=0")
        page.wait_for_selector("#moves .row")
        for _ in range(80):
            page.keyboard.press("ArrowRight")
            if page.locator("#detail details.clause").count():
                break
        clause = page.locator("#detail details.clause").first
        self.assertGreater(len(clause.locator("summary").get_attribute("title")), 10)
        clause.locator("summary").click()
        self.assertGreater(len(clause.locator("p").inner_text()), 10, "a clause says its words in place")
        clause.locator("a").click()
        self.assertIn("/documents/law#", page.url)

    def test_a_wrong_record_says_why_and_shows_what_is_right(self):
        page = self.open(f"{self.of_records}/games/torn")
        self.assertIn("does not verify", page.inner_text(".wrong"))
        self.assertNotRegex(page.locator("header.game p").first.inner_text(), r"\d\. ", "nobody knows the places")
        page.keyboard.press("End")
        self.assertGreater(self.frame(page), 3)
        page = self.open(f"{self.of_records}/games/shopping")
        self.assertIn("This record is wrong", page.inner_text("h1"))

    def test_a_file_opened_from_disk_asks_nobody_for_anything(self):
        file = self.folder / "alone.html"
        maumau("replay", str(self.records / "spam.jsonl"), "--html", str(file), check=True)
        page = self.browser.new_page()
        self.addCleanup(page.close)
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        page.keyboard.press("End")
        self.assertGreater(self.frame(page), 5)
        self.assertEqual(asked, [file.as_uri()])

    def test_a_long_game_fills_only_the_part_of_the_list_that_is_near(self):
        record = self.folder / "long.jsonl"
        seats = ["--seat", "maumau agent random"] * 4
        maumau("play", "--quiet", "--rounds", "50", "--seed", "7", "--record", str(record), *seats, check=True)
        file = self.folder / "long.html"
        maumau("replay", str(record), "--html", str(file), check=True)
        page = self.open(file.as_uri())
        last = int(page.get_attribute("#moment", "max"))
        self.assertGreater(last, 9_000)
        took = page.evaluate(
            """() => {
                const moment = document.getElementById('moment');
                const times = [];
                for (let at = 0; at <= Number(moment.max); at += 97) {
                    const began = performance.now();
                    moment.value = `${at}`;
                    moment.dispatchEvent(new Event('input'));
                    document.getElementById('table').getBoundingClientRect();
                    times.push(performance.now() - began);
                }
                times.sort((one, other) => one - other);
                return [times[Math.floor(times.length / 2)], times[times.length - 1]];
            }"""
        )
        print(f"{last + 1} frames, {file.stat().st_size / 1e6:.1f} MB: a step takes {took[0]:.1f} ms, at most {took[1]:.1f} ms")
        page.keyboard.press("End")
        page.keyboard.press("Home")
        self.assertEqual(self.frame(page), 0)

    def test_other_sites_other_names_and_other_files_are_refused(self):
        def status(path, **headers):
            request = urllib.request.Request(f"{self.of_run}{path}", headers=headers)
            try:
                with urllib.request.urlopen(request) as answer:
                    return answer.status, answer.headers
            except urllib.error.HTTPError as error:
                with error:
                    return error.code, error.headers

        self.assertEqual(status("/", Host="evil.example")[0], 421)
        self.assertEqual(status("/", Origin="http://evil.example")[0], 403)
        self.assertEqual(status("/games/..%2F..%2Fetc%2Fpasswd")[0], 404)
        code, headers = status("/games")
        self.assertEqual(code, 200)
        self.assertIn("script-src 'self'", headers["Content-Security-Policy"])
        self.assertNotIn("'unsafe-inline'", headers["Content-Security-Policy"].split("style-src-attr")[0])

        port = self.of_run.rsplit(":", 1)[1]
        taken = maumau("serve", "--addr", f"127.0.0.1:{port}")
        self.assertEqual(taken.returncode, 3)
        self.assertIn("finds a free port", taken.stderr)
        missing = maumau("serve", "nothing.maumau")
        self.assertEqual(missing.returncode, 2)
        no_run = maumau("serve", __file__)
        self.assertEqual(no_run.returncode, 2)
        self.assertIn("neither a run file nor a record", no_run.stderr)
        two = maumau("serve", *[str(self.folder / "demo" / "demo.maumau")] * 2)
        self.assertEqual(two.returncode, 2)
        self.assertIn("one run file", two.stderr)


if __name__ == "__main__":
    unittest.main()
