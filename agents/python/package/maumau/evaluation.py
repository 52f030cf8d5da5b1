"""How good a policy is: duplicate deals against built-in bots, with the intervals and the match test of the arena."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from . import _native
from .table import TableSpec, spec

_MOST_STEPS = 1_000_000


@dataclass(frozen=True)
class Evaluation:
    """The score of a policy: the share of opponents that it beat, over deals that it played once from every seat."""

    deals: int
    games: int
    score: float
    low: float
    high: float
    verdict: str | None
    """"better" or "not better", if the match test has decided."""
    decided_after: int | None
    """The deals before the decision."""

    def __str__(self) -> str:
        text = f"score {self.score:.3f} ({self.low:.3f} to {self.high:.3f}) in {self.games} games of {self.deals} deals"
        return text if self.verdict is None else f"{text}; {self.verdict} after {self.decided_after} deals"


def evaluate(policy: Callable[[np.ndarray, np.ndarray], np.ndarray], against: Sequence[str] | str = ("greedy",), *,
             rules: str | TableSpec = "basic", seats: int = 2, deals: int = 1000, seed: int | str = 0,
             threads: int = 1, rounds: int | None = 1, universal: bool = False, **options) -> Evaluation:
    """Plays `policy` against built-in bots: each deal once from every seat, with the same opponents.

    `policy` takes observations (uint8) and masks of some games and returns their actions. Bots that think ahead may be named with
    a number of playouts for a choice, as `sample:200`; `threads` lets them think side by side.
    """
    if isinstance(deals, bool) or not isinstance(deals, int):
        raise TypeError(f"deals: expected a whole number, found {type(deals).__name__}")
    if deals < 2:
        raise ValueError(f"deals: {deals}; an interval needs at least two")
    if not callable(policy):
        raise TypeError(f"policy: expected a function, found {type(policy).__name__}")
    table = spec(rules, seats, rounds=None if isinstance(rules, TableSpec) else rounds, universal=universal, **options)
    bots = [against] if isinstance(against, str) else list(against)
    if not bots:
        raise ValueError("against: no opponent; name at least one of " + ", ".join(_native.BOTS))
    n = deals * table.seats
    batch = _native.Batch(table, n, seed, bots, threads, False, True)
    observation, mask = np.zeros((n, table.observation), np.uint8), np.zeros((n, table.actions), np.uint8)
    seat, reward, done = np.zeros(n, np.uint8), np.zeros((n, table.seats), np.float32), np.zeros(n, np.uint8)
    arrays = (observation, mask, seat, reward, done, None)
    batch.show(arrays)
    scores = np.full(n, np.nan)
    learner = np.arange(n) % table.seats
    actions = np.full(n, -1, np.int64)
    for _ in range(_MOST_STEPS):
        rows = np.flatnonzero(np.isnan(scores))
        if not rows.size:
            break
        actions.fill(-1)
        actions[rows] = policy(observation[rows], mask[rows])
        batch.step(actions, arrays)
        ended = np.flatnonzero(done)
        scores[ended] = (reward[ended, learner[ended]] + 1) / 2
    else:
        raise RuntimeError(f"the games are not over after {_MOST_STEPS} steps")
    by_deal = scores.reshape(deals, table.seats)
    mean, interval = _native.estimate(by_deal.tolist(), 2 * (table.seats - 1))
    low, high = interval if interval else (0.0, 1.0)
    test = _native.MatchTest()
    for share in by_deal.mean(axis=1):
        test.take(float(share))
    verdict, after = test.decision() or (None, None)
    return Evaluation(deals, n, mean, low, high, verdict, after)
