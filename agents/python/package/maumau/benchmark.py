"""A fixed protocol for policies, so that figures of different papers can be compared: python -m maumau.benchmark FILE.py:NAME

    import maumau.benchmark
    print(maumau.benchmark.run(policy))

Protocol `maumau-benchmark/1`: every built-in rule set with 2, 3 and 4 seats, one round a game, 500 deals, each played once from
every seat, against `first`, `greedy` and `sample:60` at all other seats. Deals and the bots' lots follow from the seed 1. The score is
the share of opponents left behind, and the interval the 95% interval over deals, as in tournaments. The cost is the processor
time of the policy for each answer, without that of the rules. Cite it with the version that `Result` names.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from . import _native
from .evaluation import evaluate

PROTOCOL = "maumau-benchmark/1"
RULES = ("basic", "crazy-eights", "deluxe", "skat", "snap", "spam")
SEATS = (2, 3, 4)
OPPONENTS = ("first", "greedy", "sample:60")
DEALS = 500
SEED = 1

Policy = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Row:
    """The score of the policy at one table."""

    rules: str
    seats: int
    opponent: str
    games: int
    score: float
    low: float
    high: float
    answers: int
    """Actions that the policy was asked for."""
    microseconds: float
    """Processor time of the policy for each of them."""


@dataclass(frozen=True)
class Result:
    """What `run` found."""

    protocol: str
    """`maumau-benchmark/1`; with ` (part)` if tables, opponents or deals were others than the protocol's."""
    version: str
    """The version of this package, from which the rules, the opponents and the deals follow."""
    encoding: int
    deals: int
    rows: list[Row]

    def json(self) -> str:
        """All of it as JSON."""
        return json.dumps(asdict(self), indent=1)

    def __str__(self) -> str:
        lines = [f"{self.protocol}, maumau {self.version}, encoding {self.encoding}, {self.deals} deals", "",
                 "| rules | seats | opponents | score | 95% interval | games | µs an answer |", "|---|---|---|---|---|---|---|"]
        return "\n".join(lines + [
            f"| {row.rules} | {row.seats} | {row.opponent} | {row.score:.3f} | {row.low:.3f} to {row.high:.3f} | {row.games} | "
            f"{row.microseconds:.1f} |" for row in self.rows])


def run(policy: Policy, *, rules: Sequence[str] = RULES, seats: Sequence[int] = SEATS, opponents: Sequence[str] = OPPONENTS,
        deals: int = DEALS, universal: bool = False, threads: int = 1, each: Callable[[Row], object] = lambda row: None) -> Result:
    """Plays `policy` by the protocol.

    Parameters
    ----------
    policy
        A function of observations (uint8, rows by numbers) and masks (uint8, rows by actions) that returns the action of each row
        (integers, one a row). It gets rows of every table: their widths differ unless `universal`.
    rules, seats, opponents, deals
        Part of the protocol, for a policy that was made for one table, or for a first look; the result says so.
    universal
        Observations and actions in the encoding that all tables share.
    threads
        Threads on which opponents that think ahead do so. No figure but the cost depends on it.
    each
        Is called with each row once it is known.

    Raises
    ------
    ValueError
        A table or an opponent does not exist. What the policy raises is passed on.

    Examples
    --------
    >>> import maumau.benchmark
    >>> result = maumau.benchmark.run(lambda observation, mask: mask.argmax(axis=1), rules=["basic"], seats=[2],
    ...                               opponents=["first"], deals=4)
    >>> result.protocol, result.rows[0].games
    ('maumau-benchmark/1 (part)', 8)
    """
    whole = (set(rules), set(seats), set(opponents), deals) == (set(RULES), set(SEATS), set(OPPONENTS), DEALS)
    rows = []
    for table in rules:
        for count in seats:
            for opponent in opponents:
                timed = _Timed(policy)
                found = evaluate(timed, against=opponent, rules=table, seats=count, deals=deals, seed=SEED, threads=threads,
                                 universal=universal)
                rows.append(Row(table, count, opponent, found.games, found.score, found.low, found.high, timed.answers,
                                timed.seconds / max(1, timed.answers) * 1e6))
                each(rows[-1])
    return Result(PROTOCOL if whole else f"{PROTOCOL} (part)", _native.VERSION, _native.ENCODING_VERSION, deals, rows)


class _Timed:
    """A policy whose answers are counted and timed."""

    def __init__(self, policy: Policy):
        self.policy, self.answers, self.seconds = policy, 0, 0.0

    def __call__(self, observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        begun = time.process_time()
        actions = self.policy(observation, mask)
        self.seconds += time.process_time() - begun
        self.answers += len(mask)
        return actions


def load(name: str) -> Policy:
    """The policy that `name` says: `FILE.py:NAME` or `module:NAME`; raises `ValueError` if it does not say one."""
    home, _, attribute = name.rpartition(":")
    if not home or not attribute:
        raise ValueError(f"{name!r}: expected FILE.py:NAME or MODULE:NAME")
    if not home.endswith(".py"):
        module = importlib.import_module(home)
    else:
        if not Path(home).exists():
            raise ValueError(f"{home}: no such file")
        found = importlib.util.spec_from_file_location(Path(home).stem, home)
        module = importlib.util.module_from_spec(found)
        sys.modules[found.name] = module
        found.loader.exec_module(module)
    if not callable(policy := getattr(module, attribute, None)):
        raise ValueError(f"{home}: there is no function {attribute} in it")
    return policy


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `python -m maumau.benchmark`."""
    parser = argparse.ArgumentParser(prog="python -m maumau.benchmark", description="Plays a policy by the protocol " + PROTOCOL)
    parser.add_argument("policy", help="FILE.py:NAME or MODULE:NAME, a function of observations and masks that returns actions")
    parser.add_argument("--rules", nargs="+", default=RULES, help="part of the rule sets")
    parser.add_argument("--seats", nargs="+", type=int, default=SEATS, help="part of the numbers of seats")
    parser.add_argument("--opponents", nargs="+", default=OPPONENTS, help="other opponents, or part of them")
    parser.add_argument("--deals", type=int, default=DEALS, help=f"other than {DEALS}, for a first look")
    parser.add_argument("--universal", action="store_true", help="the encoding that all tables share")
    parser.add_argument("--threads", type=int, default=1, help="threads for opponents that think ahead")
    parser.add_argument("--json", action="store_true", help="print JSON, not a table")
    options = parser.parse_args(arguments)
    progress = lambda row: print(f"{row.rules}, {row.seats} seats, {row.opponent}: {row.score:.3f}", file=sys.stderr, flush=True)
    try:
        result = run(load(options.policy), rules=options.rules, seats=options.seats, opponents=options.opponents, deals=options.deals,
                     universal=options.universal, threads=options.threads, each=progress)
    except (ValueError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(result.json() if options.json else result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
