#!/usr/bin/env python3
"""Plays as a careful person would: sheds dear cards, keeps jacks, names its longest suit, attacks whoever
is nearly out.

It looks one card ahead, remembers nothing and leaves nothing to chance.
"""

import maumau

ATTACKS = ("7", "8", "KH")
"""Ranks and cards that cost the next player cards or a turn."""


class CarefulBot(maumau.Bot):
    def choose(self, ask):
        view = ask["view"]
        hand = " ".join(view["hand"])
        threatened = self.next_hand(view) <= 2
        action = max(ask["legal"], key=lambda action: worth(action, hand, threatened))
        return self.with_mau(ask, action)

    def next_hand(self, view):
        """The number of cards of the player who is next."""
        step = 1 if view["direction"] == "clockwise" else -1
        return view["hands"][(self.seat + step) % len(view["hands"])]


def worth(action, hand, threatened):
    """How good `action` looks, in card points; to lay a card is always better than not to.

    `hand` is a text like "7H JS". No rank shares a letter with a suit: to count either is to count letters.
    """
    card = action.get("card")
    if card is None:
        return hand.count(action.get("suit", " ")) if action["do"] == "choose" else 0
    rank, suit = card
    if "choose" in action:
        suit = action["choose"].get("suit", suit)
    value = 100 + 2 * (hand.count(suit) + hand.count(rank))  # what is left should go on well
    value += -30 if rank == "J" else maumau.card_points(card)
    if threatened and card.startswith(ATTACKS):
        value += 30
    return value


if __name__ == "__main__":
    maumau.run(CarefulBot, name="careful.py", version="1", games=64)
