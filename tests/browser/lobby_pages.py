"""The lobby in Chromium: a table is opened, played, played again; others are invited; what goes wrong is a sentence.

`run.sh` starts it.
"""

import re
import shutil
import signal
import subprocess
import tempfile
import unittest

from browser import MAUMAU, BrowserTest
from playwright.sync_api import expect

SIZES = [(390, 844), (1280, 800)]
MAY_FAIL = ["Failed to load", "ERR_", "400", "403"]


class LobbyPages(BrowserTest):
    def lobby(self):
        server = subprocess.Popen(
            [MAUMAU, "serve", "--addr", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        return server, server.stdout.readline().strip()

    def fill(self, page, rules, name="Ann", seat1="first", rounds="1", clock="lockstep"):
        page.click(f"nav.sets a[href*='rules={rules}']")
        page.fill("[name=name]", name)
        page.select_option("[name=seat1]", seat1)
        page.fill("[name=rounds]", rounds)
        page.select_option("[name=clock]", clock)

    def opened(self, page):
        page.click("form.table button")
        expect(page.locator("#table")).to_be_attached(timeout=20_000)

    def test_a_table_is_opened_played_and_played_again(self):
        for width, height in SIZES:
            with self.subTest(width=width):
                server, address = self.lobby()
                page = self.open(address, width, height)
                page.evaluate("localStorage.setItem('maumau-pace', 'none')")
                expect(page).to_have_url(re.compile("/play$"))
                self.fill(page, "skat")
                page.click("form.table summary")
                self.picture(page, f"lobby-{width}")
                self.check_fits(page, f"the form at {width} px")
                self.check_accessible(page, f"the form at {width} px")
                self.opened(page)
                expect(page.locator("#title")).to_contain_text("Ann", timeout=20_000)
                self.play(page)
                self.assertEqual(page.inner_text("#turn"), "The game is over")
                self.check_accessible(page, f"the seat at {width} px")
                page.click("text=This table: leave, rematch, replay")
                expect(page.locator("main")).to_contain_text("The match is over", timeout=20_000)
                self.picture(page, f"lobby-over-{width}")
                self.check_fits(page, f"the table at {width} px")
                self.check_accessible(page, f"the table at {width} px")
                replay = page.locator("text=Replay it").get_attribute("href")
                page.goto(address.rstrip("/") + replay)
                expect(page.locator("#table")).to_be_attached()
                page.go_back()
                page.click("text=Play again")
                expect(page.locator("#hand .hand-card").first).to_be_visible(timeout=20_000)
                self.assertTrue(page.url.endswith("/seat/1"), page.url)
                server.send_signal(signal.SIGINT)
                self.assertEqual(server.wait(timeout=20), 130)
                self.assertEqual(server.stderr.read().count("\n"), 2)

    def test_a_person_is_invited_sits_down_comes_back_and_leaves(self):
        _, address = self.lobby()
        page = self.open(address, allowed=MAY_FAIL)
        self.fill(page, "basic", name="<b>Ann</b>", seat1="person")
        page.click("form.table button")
        expect(page.locator("main")).to_contain_text("<b>Ann</b>")
        self.check_accessible(page, "a table that waits")
        link = page.locator("main li a").get_attribute("href")
        table = page.url
        page.click("text=Go to the seat of")
        guest = self.open(address.rstrip("/") + link, allowed=MAY_FAIL)
        guest.click("form.act button")
        expect(guest.locator("#hand .hand-card").first).to_be_visible(timeout=20_000)
        expect(page.locator("#hand .hand-card").first).to_be_visible(timeout=20_000)
        # The browser is closed in the middle of the game, and comes back.
        again = page.context.new_page()
        page.close()
        again.goto(table)
        again.click("text=Go to the seat of >> nth=0")
        expect(again.locator("#hand .hand-card").first).to_be_visible()
        # A second browser does not get the seat, and cannot give it up.
        other = self.open(address.rstrip("/") + link, allowed=MAY_FAIL)
        expect(other.locator("main")).to_contain_text("This seat is taken")
        other.goto(table)
        other.click("text=Leave the seat of >> nth=0")
        expect(other.locator("main")).to_contain_text("Only the browser that has this seat")
        for leaver in (again, guest):
            leaver.goto(table)
            leaver.click("text=Leave the seat of <b>Ann" if leaver is again else "text=Leave the seat of guest")
        expect(guest.locator("main")).to_contain_text(re.compile("no result|is over"), timeout=20_000)

    def test_eight_people_play_on_telephones_at_one_table(self):
        _, address = self.lobby()
        host = self.open(address, 390, 844, allowed=MAY_FAIL)
        self.fill(host, "basic", seat1="person")
        for seat in range(2, 8):
            host.select_option(f"[name=seat{seat}]", "person")
        host.click("form.table button")
        links = [link.get_attribute("href") for link in host.locator("main li a").all()]
        self.assertEqual(len(links), 7)
        self.check_fits(host, "a table that waits for seven guests")
        host.click("text=Go to the seat of")
        people = [host]
        for link in links:
            guest = self.open(address.rstrip("/") + link, 390, 844, allowed=MAY_FAIL)
            guest.click("form.act button")
            people.append(guest)
        for person in people:
            expect(person.locator("#hand .hand-card").first).to_be_visible(timeout=20_000)
            person.select_option("#pace", "none")
        self.assertEqual(host.locator("#table .seat").count(), 8)
        self.picture(host, "lobby-eight-390")
        for _ in range(400):
            for person in people:
                self.play(person, most=3, ends=False)
            if all(person.inner_text("#turn") == "The game is over" for person in people):
                break
        for person in people:
            expect(person.locator("#turn")).to_have_text("The game is over")
            expect(person.locator("#status")).to_have_text(re.compile("you (have won|came (joint )?[2-8](nd|rd|th) of 8)"))
            self.check_fits(person, "a seat of eight")
        self.check_accessible(host, "a seat of eight")

    def test_a_browser_that_was_closed_comes_back_to_its_seat_and_its_table(self):
        server = subprocess.Popen(
            [MAUMAU, "serve", "--public", "--addr", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.addCleanup(server.communicate)
        self.addCleanup(server.kill)
        address = server.stdout.readline().strip()
        base = re.match(r"http://[\d.:]+", address)[0]
        profiles = [tempfile.mkdtemp() for _ in range(2)]
        for profile in profiles:
            self.addCleanup(shutil.rmtree, profile, ignore_errors=True)

        def start(profile):
            # A browser of its own, which is closed as a whole and started again from what it has kept.
            return self.playwright.chromium.launch_persistent_context(
                profile, executable_path=shutil.which("chromium"), args=["--no-sandbox"], viewport={"width": 390, "height": 844}
            )

        opener = start(profiles[0])
        page = opener.new_page()
        page.goto(address)
        self.fill(page, "basic", seat1="person")
        page.click("form.table button")
        link = page.locator("main li a").get_attribute("href")
        table = page.url
        guest = start(profiles[1])
        sits = guest.new_page()
        sits.goto(base + link)
        sits.click("form.act button")
        expect(sits.locator("#hand .hand-card").first).to_be_visible(timeout=20_000)
        for browser, name in ((opener, "Ann"), (guest, "guest")):
            browser.close()
            again = start(profiles[0 if browser is opener else 1])
            page = again.new_page()
            # What everybody can find again is the page of the tables.
            page.goto(base)
            page.click("text=Table 1")
            page.click(f"text=Go to the seat of {name}")
            expect(page.locator("#hand .hand-card").first).to_be_visible(timeout=20_000)
            if name == "guest":
                page.goto(base + link)
                expect(page.locator("#hand .hand-card").first).to_be_visible(timeout=20_000)
            else:
                opener = again
        # Elsewhere, the word of the person who has opened the table.
        phone = self.open(base + link, 390, 844, allowed=MAY_FAIL)
        expect(phone.locator("main")).to_contain_text("the person who has opened the table can free it")
        again.pages[-1].goto(table)
        again.pages[-1].click("text=Somebody has lost a seat")
        again.pages[-1].click("text=Free the seat of guest")
        expect(again.pages[-1].locator("main")).to_contain_text("Only the browser of the person who has opened this table")
        page = opener.pages[-1]
        page.goto(table)
        page.click("text=Somebody has lost a seat")
        self.picture(page, "lobby-lost-390")
        self.check_fits(page, "a lost seat at 390 px")
        self.check_accessible(page, "a lost seat at 390 px")
        page.click("text=Free the seat of guest")
        expect(page.locator("main")).to_contain_text("A seat has been freed")
        phone.goto(base + link)
        phone.click("form.act button")
        expect(phone.locator("#hand .hand-card").first).to_be_visible(timeout=20_000)
        for browser in (opener, again):
            browser.close()

    def test_what_is_wrong_is_said_and_the_number_of_tables_is_limited(self):
        _, address = self.lobby()
        page = self.open(address, allowed=MAY_FAIL)
        self.fill(page, "basic", seat1="")
        page.click("form.table button")
        expect(page.locator(".why")).to_contain_text("This table cannot be played: basic: 1 seat")
        self.assertEqual(page.input_value("[name=name]"), "Ann", "what was typed is still there")
        self.check_accessible(page, "a form with a mistake")
        for _ in range(6):
            page.goto(address)
            self.fill(page, "basic", seat1="person")
            page.click("form.table button")
            expect(page.locator("main")).to_contain_text("Send each person")
        page.goto(address)
        self.fill(page, "basic", seat1="person")
        page.click("form.table button")
        expect(page.locator(".why")).to_contain_text("6 tables are open")
        page.click("text=Table 1")
        page.click("text=Leave the seat of Ann")
        expect(page.locator("main")).to_contain_text("everybody has left it", timeout=20_000)


if __name__ == "__main__":
    unittest.main()
