"""tianshou's DQN at a table of ours: python3 tianshou_dqn.py [STEPS]

    pip install "tianshou==0.5.1" torch

It prints the score against the bot `first` before and after; 1,500 steps take a minute or two and learn, 300 show how the library is used.
"""

import sys

import gymnasium
import numpy as np
import torch
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.policy import DQNPolicy
from tianshou.utils.net.common import Net

import maumau


class Masked(gymnasium.Wrapper):
    """tianshou reads the legal actions from the observation."""

    def seen(self, observation):
        return {"obs": observation.astype(np.float32), "mask": self.env.unwrapped.action_masks().astype(bool)}

    def reset(self, **options):
        observation, info = self.env.reset(**options)
        return self.seen(observation), info

    def step(self, action):
        observation, *rest = self.env.step(action)
        return self.seen(observation), *rest


if __name__ == "__main__":
    torch.manual_seed(1), np.random.seed(1)
    envs = DummyVectorEnv([lambda: Masked(gymnasium.make("maumau/basic-v1", opponents=["first"], rounds=1)) for _ in range(16)])
    table = maumau.spec("basic", 2, rounds=1)
    net = Net(table.observation, table.actions, hidden_sizes=[128])
    policy = DQNPolicy(net, torch.optim.Adam(net.parameters(), lr=5e-4), discount_factor=0.95, estimation_step=5, target_update_freq=300)

    def choose(observation, mask):
        """The best legal action of each row."""
        seen = Batch(obs=Batch(obs=observation.astype(np.float32), mask=mask.astype(bool)), info=Batch())
        return policy(seen).act

    def score():
        policy.eval(), policy.set_eps(0)
        return maumau.evaluate(choose, against="first", rules="basic", seats=2, deals=300, seed=7)

    before = score()
    collector = Collector(policy, envs, VectorReplayBuffer(20_000, 16), exploration_noise=True)
    for step in range(int((sys.argv[1:] or [1500])[0])):
        policy.train(), policy.set_eps(max(0.05, 1 - step / 200))
        collector.collect(n_step=64)
        policy.update(512, collector.buffer)
    print("untrained:", before)
    print("trained:  ", score())
