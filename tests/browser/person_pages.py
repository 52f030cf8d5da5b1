"""A person plays by the page and by the terminal, in a hurry: a few rule sets, a few moves, no penalty that was not announced.

`run.sh` starts it. `person.py` plays every rule set to the end of a match, in the time of a person.
"""

import io
import unittest

from browser import BrowserTest
from person import Page, Terminal, play_all, table

# Times of a person, a twentieth of them, and bots that do not wait.
SPEED = 0.05
AT_ONCE = ["--bot-pace", "full"]
MOVES = 12
LIMIT = 120
SETS = ["snap", "makao", "colours", "pesten"]


class PersonPages(BrowserTest):
    def check(self, seat):
        log = io.StringIO()
        played = play_all(self.browser, seat, SETS, 3, AT_ONCE, SPEED, 0.25, 7, LIMIT, log, most_moves=MOVES)
        print(f"\n{table(played)}")
        for one in played:
            self.assertTrue(one.ended, f"{one.rules} stands still:\n{log.getvalue()[-3000:]}")
            self.assertGreater(one.moves, 0, one.rules)
            self.assertEqual(one.unannounced, [], one.rules)

    def test_nothing_that_the_page_offers_brings_a_penalty_that_it_did_not_announce(self):
        self.check(Page)

    def test_nothing_that_the_terminal_offers_brings_a_penalty_that_it_did_not_announce(self):
        self.check(Terminal)


if __name__ == "__main__":
    unittest.main()
