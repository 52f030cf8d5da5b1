"""OpenSpiel solves a toy table: python3 cfr.py [ITERATIONS]

    pip install open_spiel

CFR+ by OpenSpiel on `toy.toml`, with a few deals, each equally likely. Prints how exploitable the average strategy is: what two best
responses would win against it together. The program ends with 1 if that does not fall below a tenth of what it was.
"""

import sys
from pathlib import Path

import pyspiel
from open_spiel.python.algorithms import cfr, exploitability

import maumau.openspiel  # noqa: F401  registers the game

DEALS = 40


def main(iterations="16"):
    rules = Path(__file__).with_name("toy.toml")
    game = pyspiel.load_game("python_maumau", {"rules": str(rules), "players": 2, "deals": DEALS})
    solver = cfr.CFRPlusSolver(game)
    begun = exploitability.nash_conv(game, solver.average_policy())
    print(f"{len(solver.average_policy().state_lookup)} information states of {DEALS} deals; uniform play: {begun:.4f}", flush=True)
    for iteration in range(1, int(iterations) + 1):
        solver.evaluate_and_update_policy()
        if iteration % 8 == 0:
            now = exploitability.nash_conv(game, solver.average_policy())
            print(f"iteration {iteration}: {now:.4f}", flush=True)
    return 0 if now < begun / 10 else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
