"""A policy and a value learn by self-play in PyTorch and beat the bot `first`: python3 actor_critic_torch.py [RULES]

Actor and critic share one hidden layer; each batch is learnt from twice, with clipped ratios (PPO, Schulman et al. 2017).
It takes a minute on one processor. The last line is the verdict of the match test, and the program ends with 1 if the policy
is not better.
"""

import sys

import numpy as np
import torch
from torch import nn

import maumau

GAMES, STEPS, UPDATES, HIDDEN, EPOCHS, CLIP = 256, 64, 40, 128, 2, 0.2


class ActorCritic(nn.Module):
    def __init__(self, inputs, actions):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, HIDDEN), nn.ReLU())
        self.actor, self.critic = nn.Linear(HIDDEN, actions), nn.Linear(HIDDEN, 1)

    def forward(self, observation, mask):
        hidden = self.body(observation)
        logits = self.actor(hidden).masked_fill(~mask, -1e9)
        return torch.distributions.Categorical(logits=logits), self.critic(hidden).squeeze(-1)


class Policy:
    """What `maumau` calls: the likeliest action for each row."""

    def __init__(self, network):
        self.network = network

    @torch.no_grad()
    def __call__(self, observation, mask):
        chances, _ = self.network(torch.from_numpy(observation.astype(np.float32)), torch.from_numpy(mask.astype(bool)))
        return chances.probs.argmax(dim=1).numpy()


def played(env, network, going):
    """Steps of games that ended: observation, mask, action, its log probability, seat, and what the game was worth to that seat.

    Those of games that go on are kept in `going`, by row.
    """
    batch = []
    for _ in range(STEPS):
        observation, mask = env.observation.copy(), env.mask.astype(bool)
        with torch.no_grad():
            chances, _ = network(torch.from_numpy(observation), torch.from_numpy(mask))
            action = chances.sample()
            likely = chances.log_prob(action).numpy()
        for row, step in enumerate(zip(observation, mask, action.numpy(), likely, env.seat.copy())):
            going[row].append(step)
        env.step_into(action.numpy())
        for row in np.flatnonzero(env.done):
            batch += [(*step, env.reward[row, step[-1]]) for step in going[row]]
            going[row] = []
    return [torch.from_numpy(np.array(part)) for part in zip(*batch)]


def train(rules):
    torch.manual_seed(1)
    env = maumau.vector(rules, 2, GAMES, seed=1, dtype="float32")
    network = ActorCritic(env.spec.observation, env.spec.actions)
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-3)
    going = [[] for _ in range(GAMES)]
    for update in range(1, UPDATES + 1):
        observation, mask, action, likely, _, worth = played(env, network, going)
        for _ in range(EPOCHS):
            for part in torch.randperm(len(action)).split(4096):
                chances, value = network(observation[part], mask[part])
                gain = worth[part] - value.detach()
                ratio = (chances.log_prob(action[part]) - likely[part]).exp()
                actor = torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
                loss = nn.functional.mse_loss(value, worth[part]) - actor - 0.005 * chances.entropy().mean()
                optimiser.zero_grad()
                loss.backward()
                optimiser.step()
        if update % 10 == 0:
            wrong = (value - worth[part]).abs().mean().item()
            print(f"update {update} of {UPDATES}: the critic is wrong by {wrong:.2f}", flush=True)
    return network


def main(rules="basic"):
    found = maumau.evaluate(Policy(train(rules)), against="first", rules=rules, seats=2, deals=2000, seed=7)
    print(found)
    return 0 if found.verdict == "better" else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
