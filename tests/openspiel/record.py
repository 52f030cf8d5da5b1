#!/usr/bin/env python3
"""Records random games of OpenSpiel's crazy_eights for arena/engine/tests/openspiel.rs.

    python3 -m venv /tmp/os && /tmp/os/bin/pip install open_spiel==2.0.2
    /tmp/os/bin/python tests/openspiel/record.py > tests/openspiel/crazy-eights.jsonl

A line is a game. Actions are letters: A-Z a-z the cards (OpenSpiel's 0 to 51: rank * 4 + suit, ranks from the deuce, suits
C D H S), 0 draw, 1 pass, 2-5 a suit. Members, by their place in the line: players; special cards and reshuffle (0 or 1);
max_draw_cards; max_turns; dealer; hands as dealt; the card turned up (eights before it are put back, and left out here);
draws in their order, those of debts too; the legal actions at every decision; the chosen ones, one letter for each;
returns. To keep the file small the legal actions of the decision after a draw are written as what changed: the letters that
are in this set or in the one before, but not in both; and the four suits are written as *.
"""
import json
import random
import string

import pyspiel

LETTERS = string.ascii_uppercase + string.ascii_lowercase + "012345"
DRAW = 52
SUITS = [54, 55, 56, 57]
EIGHTS = range(24, 28)


def record(players, special, reshuffle, max_draws, max_cards, eager, rng):
    """One game; with the chance `eager` a card is played where one can be, otherwise any legal action is taken."""
    game = pyspiel.load_game("crazy_eights", {
        "players": players, "use_special_cards": special, "reshuffle": reshuffle,
        "max_draw_cards": max_draws, "max_turns": max_cards})
    state = game.new_initial_state()

    def chance():
        outcomes, weights = zip(*state.chance_outcomes())
        action = rng.choices(outcomes, weights)[0]
        state.apply_action(action)
        return action

    dealer = chance() - 52
    hands = [""] * players
    for card in range(players * (7 if players == 2 else 5)):
        hands[(dealer + 1 + card) % players] += LETTERS[chance()]
    first = chance()
    while first in EIGHTS:
        first = chance()
    draws, legal, chosen, before = "", [], "", set()
    while not state.is_terminal():
        if state.is_chance_node():
            draws += LETTERS[chance()]
            continue
        actions = state.legal_actions()
        played = [action for action in actions if action < DRAW]
        action = rng.choice(played if played and rng.random() < eager else actions)
        written = sorted(set(actions) ^ before)
        legal.append("*" if actions == SUITS else "".join(LETTERS[action] for action in written))
        before = set(actions) if action == DRAW else set()
        chosen += LETTERS[action]
        state.apply_action(action)
    return [
        players, int(special), int(reshuffle), max_draws, max_cards, dealer, " ".join(hands), LETTERS[first], draws,
        " ".join(legal), chosen, [int(value) for value in state.returns()]]


def write(game):
    print(json.dumps(game, separators=(",", ":")))


def main():
    rng = random.Random(20240808)
    for special in (False, True):
        for reshuffle in (False, True):
            for players in (2, 3, 4, 5):
                for number in range(60 if reshuffle else 170):
                    eager = 0 if number < 3 else 0.95 if number < 40 else 1
                    max_draws = 5 if number < 60 else 1
                    write(record(players, special, reshuffle, max_draws, 100, eager, rng))
            # Other limits, and two packs.
            for players, max_draws, max_cards in ((2, 1, 100), (3, 2, 20), (4, 3, 40), (5, 9, 100), (6, 5, 100), (8, 1, 60)):
                for number in range(9):
                    eager = 0.5 if number < 3 else 0.9
                    write(record(players, special, reshuffle, max_draws, max_cards, eager, rng))
    # Owed cards that take the last of the pile are a pass: the round is over one pass earlier. Rare, so looked for.
    while True:
        game = record(2, True, False, 5, 100, 0, rng)
        if game[10].endswith("011") and game[9].endswith("1 1"):
            return write(game)


main()
