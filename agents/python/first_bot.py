#!/usr/bin/env python3
"""Plays the first legal action, whatever it is: the smallest whole bot."""

import maumau


class FirstBot(maumau.Bot):
    def choose(self, ask):
        return ask["legal"][0]


if __name__ == "__main__":
    maumau.run(FirstBot, name="first.py", version="1", wants=("legal",), games=64)
