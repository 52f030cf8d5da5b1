"""Flat Monte Carlo: for each legal action, games are played out from positions that agree with what the seat sees."""

import numpy as np

import maumau

ROLLOUTS = 10


def choose(game, random):
    """The action whose playouts were worth most to the seat that is asked."""
    seat, legal = game.turn, game.legal_actions()
    if len(legal) == 1:
        return legal[0]
    observer, worth = game.observer(seat), np.zeros(len(legal))
    for _ in range(ROLLOUTS):
        number = int(random.integers(2**32))
        position = observer.sample(number)
        for place, action in enumerate(legal):
            branch = position.clone()
            branch.step(action)
            worth[place] += branch.rewards()[seat] if branch.is_over else branch.playout("greedy", number)[seat]
    return legal[int(worth.argmax())]


def main(deals=20):
    random, wins = np.random.default_rng(1), 0
    for deal in range(deals):
        for mine in range(2):
            game = maumau.Game("basic", 2, seed=deal)
            while (seat := game.turn) is not None:
                game.step(choose(game, random) if seat == mine else game.bot_action("first"))
            wins += game.rewards()[mine] > 0
    print(f"flat Monte Carlo won {wins} of {2 * deals} games against first")


if __name__ == "__main__":
    main()
