#!/usr/bin/env python3
"""Plays any legal action, 5 ms after it was asked, without using the processor meanwhile; as `slow_bot.py busy` after 20 ms of it."""

import os
import sys
import time

sys.path.insert(0, os.environ.get("KIT", os.path.dirname(os.path.abspath(__file__))))
from maumau_kit import Bot, run  # noqa: E402

IS_BUSY = sys.argv[1:] == ["busy"]


class SlowBot(Bot):
    def choose(self, ask):
        if IS_BUSY:
            until = time.process_time() + 0.02
            while time.process_time() < until:
                pass
        else:
            time.sleep(0.005)
        return self.random.choice(ask["legal"])


if __name__ == "__main__":
    run(SlowBot, name="slow.py", version="1", wants=("legal",))
