"""Feeds the bot a recorded game: `lines.jsonl` is what the arena sent a player of `game.jsonl`."""

import pathlib
import unittest

from maumau_kit import rehearse
from bot import MyBot

LINES = pathlib.Path(__file__).with_name("lines.jsonl").read_text(encoding="utf-8").splitlines()


class RecordedGame(unittest.TestCase):
    def test_every_answer_is_legal(self) -> None:
        answers = rehearse(MyBot, LINES)
        self.assertGreater(len(answers), 0)
        for ask, action in answers:
            self.assertIn(action, ask["legal"])


if __name__ == "__main__":
    unittest.main()
