#!/usr/bin/env python3
"""What an ask costs a bot in CPU time: `benchmark.py [--games N] [--asks N] COMMAND...`.

A stand-in for the arena. It asks the same things of any bot, in any language, and never looks at the answers.
"""

import argparse
import json
import os
import subprocess
import time

HANDS = (
    ("9C 8D QD 7H JS", "QH", [6, 5, 2, 4]),
    ("TC 7D AD KH 9S JS", "9H", [5, 1, 3, 6]),
    ("8C QC", "8S", [2, 2]),
)


LIMITS = {"line_bytes": 65536, "lines_per_ask": 64, "says": 8, "say_chars": 200}
LIMITS |= {"note_bytes": 4096, "games": 4096}
TIME = {"move_ms": 5000, "bank_ms": 0, "increment_ms": 0, "start_ms": 10000}


def line(message):
    return json.dumps(message, separators=(",", ":")) + "\n"


def legal_actions(hand, top):
    say = {"say": ["mau"]} if len(hand) == 2 else {}
    for card in hand:
        if card[0] == "J" or card[0] == top[0] or card[1] == top[1]:
            yield {"do": "play", "card": card, **say}
        if card[0] == "J":
            for suit in "CDHS":
                yield {"do": "play", "card": card, "choose": {"suit": suit}, **say}
    yield {"do": "draw"}


def ask(game, number):
    cards, top, hands = HANDS[number % len(HANDS)]
    hand, nobody = cards.split(), [0] * len(hands)
    view = {"hand": hand, "top": top, "turn": 0, "direction": "cw", "hands": hands, "draw_pile": 14}
    view |= {"pending": {}, "round": 1, "rounds": 1, "dealer": 1, "points": nobody, "wins": nobody}
    head = {"type": "ask", "game": game, "id": f"{number:016x}", "seat": 0, "what": "turn", "time_ms": 5000}
    return line({**head, "as_of": number, "view": view, "legal": list(legal_actions(hand, top))})


def opening(games):
    hello = {"type": "hello", "protocol": "maumau/1", "arena": "0", "limits": LIMITS, "clock": "lockstep"}
    yield line(hello)
    for game in games:
        start = {"type": "start", "game": game, "seat": 0, "names": ["a", "b", "c", "d"], "rule_set": "basic"}
        start |= {"rounds": 1, "time": TIME, "max_strikes": 3, "commitment": "0" * 64}
        yield line({**start, "seed": "0123456789abcdef"})


def play(command, games, asks):
    """CPU and wall seconds of a process that is asked `asks` times, once a game at a time."""
    names = [f"game-{number}" for number in range(games)]
    batch = "".join(ask(game, number) for number, game in enumerate(names)).encode()
    began = time.monotonic()
    bot = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    os.write(bot.stdin.fileno(), "".join(opening(names)).encode())
    wait_for_lines(bot, 1)
    for _ in range(asks // games):
        bot.stdin.write(batch)
        wait_for_lines(bot, games)
    bot.stdin.write(line({"type": "bye", "reason": "done"}).encode())
    _, status, usage = os.wait4(bot.pid, 0)
    bot.returncode = os.waitstatus_to_exitcode(status)
    if bot.returncode:
        raise SystemExit(f"{command[0]} ended with status {bot.returncode}")
    return usage.ru_utime + usage.ru_stime, time.monotonic() - began


def wait_for_lines(bot, count):
    while count > 0:
        data = os.read(bot.stdout.fileno(), 1 << 16)
        if not data:
            raise SystemExit("the bot closed its output")
        count -= data.count(b"\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=64, help="games at once (default 64)")
    parser.add_argument("--asks", type=int, default=100_000, help="asks in all (default 100000)")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the bot")
    options = parser.parse_args()
    if not options.command:
        parser.error("which bot?")
    idle_cpu_s, idle_s = play(options.command, options.games, 0)
    cpu_s, wall_s = play(options.command, options.games, options.asks)
    asks = options.asks // options.games * options.games
    cpu_us, wall_us = 1e6 * (cpu_s - idle_cpu_s) / asks, 1e6 * (wall_s - idle_s) / asks
    print(f"CPU time: {cpu_us:.1f} µs an ask, {1e3 * idle_cpu_s:.0f} ms to start and stop; ", end="")
    print(f"wall time: {wall_us:.1f} µs an ask")


if __name__ == "__main__":
    main()
