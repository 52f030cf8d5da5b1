#!/usr/bin/env python3
"""Plays any legal action, each card as likely as the others. The weakest opponent that breaks no rule."""

from maumau_kit import Bot, run


class RandomBot(Bot):
    def choose(self, ask):
        actions = {}  # a card first, then what is named with it
        for action in ask["legal"]:
            actions.setdefault(action.get("card") or str(action), []).append(action)
        return self.random.choice(self.random.choice(list(actions.values())))


if __name__ == "__main__":
    run(RandomBot, name="random.py", version="1", wants=("legal",), games=64)
