"""Random and greedy play against themselves on every rule set: how long games are, and what the first seat is worth."""

import numpy as np

import maumau

for name in maumau.RULE_SETS:
    env = maumau.vector(name, 2, 256, seed=1)
    steps, ends, first = 0, 0, 0.0
    while ends < 300:
        env.step_at_random()
        steps, ends, first = steps + 256, ends + int((env.done > 0).sum()), first + float(env.reward[:, 0].sum())
    greedy = [maumau.Game(name, 2, seed=seed).playout("greedy") for seed in range(50)]
    print(f"{name:14} random: {steps / ends:6.1f} decisions a game, seat 0 {first / ends:+.3f}; "
          f"greedy: seat 0 {np.mean([worth[0] for worth in greedy]):+.3f}")
