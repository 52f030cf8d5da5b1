#!/usr/bin/env python3
"""Plays as a careful person would: sheds dear cards, keeps jacks that fit anything, names what it holds most
of, attacks a player who is nearly out.

It looks one card ahead, remembers nothing and leaves nothing to chance.
"""

from maumau_kit import Bot, card_points, run

ATTACKS = ("7", "8", "KH")
"""Ranks and cards that cost the next player cards or a turn."""


class CarefulBot(Bot):
    def choose(self, ask):
        view = ask["view"]
        threatened = self.next_hand(view) <= 2
        return max(ask["legal"], key=lambda action: worth(action, view["hand"], threatened))

    def next_hand(self, view):
        """The number of cards of the player who is next."""
        step = 1 if view["direction"] == "cw" else -1
        return view["hands"][(self.seat + step) % len(view["hands"])]


def worth(action, hand, threatened):
    """How good `action` looks, in card points; to play a card is better than not to, as a rule."""
    if action["do"] == "take":  # an order, which costs cards if it is not followed
        return 1000
    if action["do"] == "choose":
        return count(hand, action.get("suit") or action.get("rank"))
    if action["do"] != "play":
        return 0
    card = action["card"]
    rank, suit = card
    left = list(hand)
    left.remove(card)
    named = action.get("choose", {})
    if named and left and not count(left, *named.values()):
        return -1  # it helps the others, and where it is a request it costs cards
    suit, next_rank = named.get("suit", suit), named.get("rank", rank)
    value = 100 + 2 * (count(left, suit) + count(left, next_rank))  # what is left should go on well
    value += -30 if rank == "J" and "rank" not in named else card_points(card)
    if threatened and card.startswith(ATTACKS):
        value += 30
    return value


def count(hand, name):
    """How many cards have the suit or rank `name`: no letter stands for both."""
    return sum(name in card for card in hand)


if __name__ == "__main__":
    run(CarefulBot, name="careful.py", version="1", games=64)
