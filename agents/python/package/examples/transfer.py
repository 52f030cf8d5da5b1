"""How a network that learned one rule set by self-play fares on the others: python3 transfer.py

It sees and acts in the universal encoding, in which every number means the same at every table. Each line is its score
against `first`, which is 0.5 for equal players, with a 95 % interval.
"""

from self_play import train

import maumau


def main(updates=120, deals=300):
    network = train("basic", updates, universal=True)
    for name in maumau.RULE_SETS:
        print(f"{name:14} {maumau.evaluate(network, against='first', rules=name, deals=deals, universal=True)}")


if __name__ == "__main__":
    main()
