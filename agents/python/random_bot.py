#!/usr/bin/env python3
"""Plays any legal action, each as likely as the others. The weakest opponent that breaks no rule."""

import maumau


class RandomBot(maumau.Bot):
    def choose(self, ask):
        action = self.random.choice(ask["legal"])
        return self.with_mau(ask, action)


if __name__ == "__main__":
    maumau.run(RandomBot, name="random.py", version="1", games=64)
