#!/usr/bin/env python3
"""Records random games of RLCard's uno for arena/engine/tests/rlcard.rs.

    python3 -m venv /tmp/rl && /tmp/rl/bin/pip install rlcard==1.2.0
    /tmp/rl/bin/python tests/rlcard/record.py > tests/rlcard/colours.jsonl

A line is a game. Cards are written as in our rule set `colours` (7R, NB, VG, PY, W0, W4). Members, by their place in the
line: players; the whole pack as it comes (hands seat by seat, the card turned up, the draw pile); the colour of a wild card
turned up; legal actions of every decision, a wild card once for its four colours, `--` for drawing; what was done: a card,
a wild card with its colour (`W0R`), a card drawn and kept (`--`) or played (`-+`, of a wild card with its colour); cards held
at the end; why the recording ends. It ends early before what RLCard's program does on purpose or by mistake in another way:

- `wild`: a wild plus four that is drawn lies on the pile at once and nobody draws for it;
- `turn`: between two players a card that turns play round does not make the other miss a turn;
- `empty`: a new draw pile takes the card on top with it.

Left out are games whose first card is a plus two, as the first player draws two cards and has a turn nevertheless, and games
that end before a decision.
"""
import json
import random

import numpy
from rlcard.games.uno import Game

VALUES = {**{str(number): str(number) for number in range(10)}, "skip": "N", "reverse": "V", "draw_2": "P"}
WILD = {"wild": "W0", "wild_draw_4": "W4"}
COST = {"draw_2": 2, "wild_draw_4": 4}


def code(card):
    return WILD.get(card.trait) or VALUES[card.trait] + card.color.upper()


def legal(game):
    actions = set(game.get_legal_actions())
    if actions == {"draw"}:
        return "--"
    cards = []
    for wild, name in WILD.items():
        of_each = [action for action in actions if action.endswith("-" + wild)]
        assert len(of_each) in (0, 4), of_each
        cards += [name] if of_each else []
    for action in actions:
        colour, trait = action.split("-")
        cards += [] if trait in WILD else [VALUES[trait] + colour.upper()]
    return "".join(sorted(cards))


def after_wild(trait, colour):
    return colour.upper() if trait in WILD else ""


def record(players, rng):
    """One game of random legal actions."""
    game = Game(num_players=players)
    game.np_random = numpy.random.RandomState(rng.randrange(2**32))
    turned = None
    while turned is None or turned.trait == "draw_2":
        game.init_game()
        turned = game.round.target
    pack = "".join(code(card) for player in game.players for card in player.hand) + code(turned)
    pack += "".join(code(card) for card in reversed(game.dealer.deck))
    colour = after_wild(turned.trait, turned.color)
    asked, done, end = [], [], "won"
    while not game.is_over():
        actions = sorted(set(game.get_legal_actions()))
        action = rng.choice(actions)
        drawn = game.dealer.deck[-1] if action == "draw" and game.dealer.deck else None
        trait = drawn.trait if drawn else action.split("-")[-1]
        if action == "draw" and drawn is None or len(game.dealer.deck) < COST.get(trait, 0) + (1 if drawn else 0):
            end = "empty"
            break
        if trait == "wild_draw_4" and drawn:
            end = "wild"
            break
        if trait == "reverse" and players == 2 and (drawn is None or drawn.color == game.round.target.color):
            end = "turn"
            break
        asked.append(legal(game))
        game.step(action)
        if drawn is None:
            shown = action.split("-")
            done.append((WILD.get(trait) or VALUES[trait] + shown[0].upper()) + after_wild(trait, shown[0]))
        else:
            played = game.round.played_cards[-1] is drawn
            done.append("-+" + after_wild(trait, drawn.color) if played else "--")
    held = [len(player.hand) for player in game.players]
    return [players, pack, colour, " ".join(asked), " ".join(done), held, end]


def main():
    rng = random.Random(20240809)
    for players in (2, 3, 4, 5, 7, 10):
        for _ in range(120):
            game = record(players, rng)
            while not game[4]:
                game = record(players, rng)
            print(json.dumps(game, separators=(",", ":")))


main()
