"""A double DQN in one file, in the manner of CleanRL, with masked actions: python3 dqn.py [STEPS]
It takes PyTorch. Prints the score against the bot `first` before and after; ends with 1 if the network has not learnt anything.
"""

import sys

import numpy as np
import torch
from torch import nn

import maumau

ROWS, KEPT, BATCH = 64, 200_000, 256


class Policy(nn.Module):
    """The worth of each action; called by `maumau`, the best action that the mask allows."""
    def __init__(self, inputs, actions):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(inputs, 128), nn.ReLU(), nn.Linear(128, actions))

    def worth(self, observation):
        return self.net(torch.as_tensor(observation).float())

    @torch.no_grad()
    def forward(self, observation, mask):
        return self.worth(observation).masked_fill(torch.as_tensor(mask) == 0, -1e9).argmax(dim=1).numpy()


def train(steps):
    torch.manual_seed(1)
    dice = np.random.default_rng(1)
    env = maumau.vector("basic", 2, ROWS, seed=1, opponents=["first"])
    online, target = (Policy(env.spec.observation, env.spec.actions) for _ in range(2))
    optimiser = torch.optim.Adam(online.parameters(), lr=1e-3)
    seen, after, allowed = (np.zeros((KEPT, array.shape[1]), np.uint8) for array in (env.observation, env.observation, env.mask))
    action, reward, done = np.zeros(KEPT, np.int64), np.zeros(KEPT, np.float32), np.zeros(KEPT, np.float32)
    for step in range(steps):
        explore = dice.random(ROWS) < max(0.05, 1 - 2 * step / steps)
        at, seat = np.arange(step * ROWS, (step + 1) * ROWS) % KEPT, env.seat.copy()
        seen[at], action[at] = env.observation, np.where(explore, env.random_actions(), online(env.observation, env.mask))
        env.step_into(action[at])
        after[at], allowed[at], done[at], reward[at] = env.observation, env.mask, env.done, env.reward[range(ROWS), seat]
        if step >= 200:
            some = dice.integers(min(KEPT, step * ROWS), size=BATCH)
            then = target.worth(after[some])[range(BATCH), online(after[some], allowed[some])].detach().numpy()
            goal = torch.from_numpy(reward[some] + np.float32(0.99) * (1 - done[some]) * then)
            optimiser.zero_grad()
            nn.functional.smooth_l1_loss(online.worth(seen[some])[range(BATCH), action[some]], goal).backward()
            optimiser.step()
        if step % 200 == 0:
            target.load_state_dict(online.state_dict())
    return online


if __name__ == "__main__":
    torch.set_num_threads(1)
    before, after = (maumau.evaluate(train(steps), against="first", deals=400, seed=7) for steps in (0, int((sys.argv[1:] or [800])[0])))
    print(f"before: {before}\nafter: {after}")
    sys.exit(0 if after.low > before.high else 1)
