"""Games with several cards at once, open runs, challenges, exchanged hands and added rules, played by clicking.

`run.sh` starts it. The person is a script that sees the page alone, and does on it what each game has beyond a card in turn.
"""

import re
import unittest

from browser import GREEDY, SeatTest
from playwright.sync_api import expect

# Each game with its options, and what its record shows that the person did.
GAMES = {
    "eights": (["--rounds", "1"], ['"do":"draw"', '"choose":{"suit"']),
    "countdown": (["--rounds", "1"], ['"do":"play"']),
    "mau-mau": (["--rounds", "2"], ['"say":["mau"]']),
    "tschau-sepp": (["--rounds", "2"], ['"say":["tschau"]']),
    "pesten": (["--rounds", "1"], ['"do":"play"']),
    "prsi": (["--rounds", "2"], ['"do":"draw"']),
    "makao": (["--rounds", "2"], ['"cards":["']),
    "switch": (["--rounds", "2"], ['"cards":["']),
    "colours": (["--rounds", "2", "--set", "seven_zero=true"], ['"choose":{"seat"', '"choose":{"suit"']),
    "waterfall": (["--rounds", "3"], ['"cards":["', '"close":false']),
    "bartok": (["--rounds", "4"], ['"rule"']),
}
NARROW = {"width": 390, "height": 844}

# One thing that a person does: what is asked first, then words that are due, several cards at once, a card, anything else.
STEP = """() => {
    const find = (selector) => document.querySelector(selector);
    const all = (selector) => [...document.querySelectorAll(selector)];
    const next = find('#sheet[open] #sheet-next');
    if (next) return next.click() ?? 'next round';
    if (find('#turn').textContent === 'The game is over') return 'over';
    const naming = find('#naming:not([hidden]) button');
    if (naming) return naming.click() ?? 'named';
    const hand = all('#hand .hand-card');
    const buttons = (text) => all('#moves-now .several').filter((button) => button.textContent.startsWith(text));
    const picked = hand.filter((card) => card.ariaPressed === 'true').length;
    const must = document.body.dataset.mustMove === 'true';
    const leaves = hand.length - Math.max(picked, 1);
    const due = (word) => word.ariaPressed !== 'true' && (!word.textContent.includes('with your move') || (leaves === 1 && must));
    const word = all('#words button').find(due);
    if (word) return word.click() ?? 'said';
    const decline = find('#moves-now .decline');
    if (!must && decline) return decline.click() ?? 'declined';
    if (!must) return null;
    if (picked) {
        const [open] = buttons(`Play these ${picked}, leave`);
        const [close] = buttons(`Play these ${picked}`);
        return (leaves > 2 && open ? open : close).click() ?? 'several';
    }
    const challenge = find('[data-do=challenge]');
    if (challenge) return challenge.click() ?? 'challenged';
    const lifted = all('#hand .legal');
    const first = lifted.find((card) => card.dataset.card[0] === 'F') ?? lifted[0];
    const [several] = buttons('Play several');
    // Equal values go together, in a coloured pack what follows a card that opens a run.
    const [value, suit] = first?.dataset.card ?? '';
    const place = !('BGRY'.includes(suit) || value === 'W') ? 0 : value === 'F' ? 1 : null;
    const follows = (card) => card !== first && place !== null && card.dataset.card[place] === first.dataset.card[place];
    const cards = several && first ? [first, ...hand.filter(follows)] : [];
    if (cards.length > 1) {
        const places = cards.map((card) => hand.indexOf(card));
        several.click();
        places.forEach((place) => all('#hand .hand-card')[place].click());
        return 'picked';
    }
    const move = first ?? find('#moves-now [data-do]');
    return move ? (move.click() ?? 'moved') : null;
}"""


class FamilyPages(SeatTest):
    def play_on(self, page):
        """Plays to the end, after a few moves on a narrow page."""
        expect(page.locator("body")).to_have_attribute("data-can-answer", re.compile("."), timeout=20_000)
        moves = acts = idle = 0
        while idle < 1000 and acts < 4000:
            done = page.evaluate(STEP)
            if done == "over":
                return
            if done in ("moved", "several"):
                moves += 1
                if moves == 4:
                    page.set_viewport_size(NARROW)
                    self.check_fits(page, "390 px")
                    self.check_accessible(page, "390 px")
            acts, idle = (acts + 1, 0) if done else (acts, idle + 1)
            page.wait_for_timeout(10 if done else 30)
        self.fail(f"the game does not end: {page.inner_text('main')[:500]}")

    def test_a_whole_game_of_each_is_played_by_clicking(self):
        for rules, (options, shown) in GAMES.items():
            with self.subTest(rules=rules):
                game, _, [link], record = self.begin("--rules", rules, "--clock", "lockstep", *options, seats=("web", GREEDY))
                page = self.sit(link)
                self.play_on(page)
                self.picture(page, f"seat-{rules}-over")
                self.assertNotIn("dismissed", self.finished(game, record))
                lines = record.read_text().splitlines()
                mine = "\n".join(line for line in lines if '"entry":"act"' in line and '"seat":0' in line)
                for what in shown:
                    self.assertIn(what, mine)
                penalties = sum('"event":"penalty","seat":0' in line for line in lines)
                announced = page.locator("#lines .line", has_text=re.compile(r"^web takes .* as penalty")).count()
                self.assertEqual(announced, penalties, "each penalty is announced")
                refused = sum('"event":"refused","seat":0' in line for line in lines)
                self.assertEqual(refused, 0, [line for line in lines if '"event":"refused"' in line])
                page.context.close()

    def test_a_challenge_is_offered_clicked_and_its_outcome_said(self):
        _, _, [link], _ = self.begin("--rules", "colours", "--clock", "lockstep", "--rounds", "20", seats=("web", GREEDY))
        page = self.sit(link)
        step = STEP.replace("challenge.click() ?? 'challenged'", "'challenge'")
        done, idle = None, 0
        while done not in ("challenge", "over") and idle < 1000:
            done = page.evaluate(step)
            idle = 0 if done else idle + 1
            page.wait_for_timeout(10 if done else 30)
        self.assertEqual(done, "challenge", "no challenge is offered in the whole match")
        challenge = page.locator("[data-do=challenge]")
        self.assertRegex(challenge.inner_text(), r"^Challenge the card \(if it was right, you draw \d+\)$")
        challenge.click()
        outcome = re.compile(r"^web challenges the card of .*: the card was (right|wrong)")
        expect(page.locator("#lines .line", has_text=outcome)).to_have_count(1, timeout=20_000)
        page.context.close()

    def test_cards_have_the_pictures_and_names_of_their_game(self):
        for rules, suits in {"prsi": "acorns|bells|hearts|leaves", "tschau-sepp": "acorns|bells|roses|shields"}.items():
            with self.subTest(rules=rules):
                _, _, [link], _ = self.begin("--rules", rules, "--clock", "lockstep", seats=("web", GREEDY))
                page = self.sit(link)
                card = page.locator("#hand .hand-card").first
                expect(card).to_have_attribute("aria-label", re.compile(rf"^\w+ of ({suits}),"), timeout=20_000)
                self.assertEqual(page.locator("#symbols #suit-S[fill-rule=evenodd]").count(), 1, "the suits are drawn")
                self.picture(page, f"seat-{rules}-cards")
                page.context.close()


if __name__ == "__main__":
    unittest.main()
