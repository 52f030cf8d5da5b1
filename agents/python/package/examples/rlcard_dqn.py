"""RLCard's DQN agent at a table of ours: python3 rlcard_dqn.py [GAMES]

    pip install rlcard torch

The last line is the score against the bot `first`. So few games show how the agent is used; to play well it needs many more.
"""

import sys
from collections import OrderedDict
from contextlib import redirect_stdout

import numpy as np
from rlcard.agents import DQNAgent
from rlcard.utils import reorganize

import maumau


def state(game, seat):
    """A position as RLCard has it."""
    legal = game.legal_actions(seat)
    return {"obs": game.observation(seat).astype(np.float32), "legal_actions": OrderedDict.fromkeys(legal), "raw_legal_actions": legal}


def played(agent, number):
    """The transitions of the agent in a game against the bot `first`, in which they change seats from game to game."""
    game, mine, trajectory = maumau.Game("basic", 2, seed=number), number % 2, []
    while not game.is_over:
        if game.turn == mine:
            trajectory.append(state(game, mine))
            trajectory.append(int(agent.step(trajectory[-1])))
            game.step(trajectory[-1])
        else:
            game.step(game.bot_action("first"))
    return reorganize([[*trajectory, state(game, mine)]], [game.rewards()[mine]])[0]


class Policy:
    """What `maumau` calls: the best action of each row in the eyes of the agent."""

    def __init__(self, agent):
        self.agent = agent

    def __call__(self, observation, mask):
        worth = self.agent.q_estimator.predict_nograd(observation.astype(np.float32))
        return np.where(mask == 1, worth, -np.inf).argmax(axis=1)


if __name__ == "__main__":
    table = maumau.spec("basic", 2, rounds=1)
    agent = DQNAgent(num_actions=table.actions, state_shape=[table.observation], mlp_layers=[128], learning_rate=5e-4,
                     epsilon_decay_steps=10_000, train_every=4, device="cpu")
    with redirect_stdout(None):
        for number in range(int((sys.argv[1:] or [150])[0])):
            for transition in played(agent, number):
                agent.feed(transition)
    print(maumau.evaluate(Policy(agent), against="first", rules="basic", seats=2, deals=300, seed=7))
