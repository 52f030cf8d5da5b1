"""Trains the networks of the bot `net`, for tables of two: python3 train_net.py FOLDER [RULES ...]

First the network imitates a bot in games between two of it, `sample` with 150 playouts or, in `deluxe`, `careful`; then it plays
against `greedy` and itself and learns from what games were worth, by PPO (Schulman et al. 2017) with advantages by GAE (Schulman et
al. 2016). numpy alone, on one processor, a few minutes for a rule set. All is counted and nothing timed, so the same numpy on the same
kind of processor gives the same weights. FOLDER gets for each of them

- RULES.net: the weights that `maumau.net` and `maumau agent net` read;
- RULES.csv: the learning curve, decisions learnt from and the score against `greedy` with its 95% interval;
- RULES.json: some positions and what the network does in them, for tests of other programs that read the weights.
"""

import argparse
import json
import os
import time
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # With matrices as small as these, more threads wait for each other.
import numpy as np

import maumau
from maumau import _native
from maumau.net import RULES, Net

HIDDEN, GAMES, STEPS, EPOCHS, BATCH = 256, 384, 32, 3, 4096
CLIP, DISCOUNT, ENTROPY, VALUE, RATE, AVERAGE = 0.2, 0.95, 0.01, 0.5, 4e-4, 0.96

# What is imitated. Where a game is long or has races, `sample` takes too long for a decision.
TEACHER, TEACHERS = "sample:150", {"deluxe": "careful", "snap": "careful", "spam": "careful"}


class Network:
    """One hidden layer below the logits of actions and what the game is expected to be worth."""

    def __init__(self, inputs, actions, seed=1):
        self.random = np.random.default_rng(seed)
        scale = (2 / inputs) ** 0.5
        self.weights = [self.random.normal(0, scale, (inputs + 1, HIDDEN)).astype(np.float32),
                        np.zeros((HIDDEN, actions), np.float32), np.zeros((HIDDEN, 1), np.float32)]
        self.moments = [[np.zeros_like(w), np.zeros_like(w)] for w in self.weights]
        self.updates = 0
        # A running mean of the weights plays better than those of the last update.
        self.averages = None

    def average(self):
        """Takes the weights into the running mean."""
        if self.averages is None:
            self.averages = [weights.copy() for weights in self.weights]
        for mean, weights in zip(self.averages, self.weights):
            mean += (1 - AVERAGE) * (weights - mean)

    def forward(self, observation, mask):
        """The hidden layer, the logarithm of the chance of each action, and the expected worth."""
        hidden = np.maximum(observation @ self.weights[0][:-1] + self.weights[0][-1], 0)
        logits = np.where(mask, hidden @ self.weights[1], np.float32(-1e9))
        logits -= logits.max(axis=1, keepdims=True)
        return hidden, logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)), (hidden @ self.weights[2])[:, 0]

    def backward(self, observation, hidden, by_logit, by_worth, rate):
        """One step of Adam along these slopes."""
        by_worth = by_worth[:, None]
        by_hidden = (by_logit @ self.weights[1].T + by_worth @ self.weights[2].T) * (hidden > 0)
        first = np.vstack([observation.T @ by_hidden, by_hidden.sum(axis=0)])
        self.updates += 1
        for weights, moments, slope in zip(self.weights, self.moments, (first, hidden.T @ by_logit, hidden.T @ by_worth)):
            norm = max(1.0, float(np.linalg.norm(slope)))
            for place, (keep, value) in enumerate(((0.9, slope / norm), (0.999, (slope / norm) ** 2))):
                moments[place] = keep * moments[place] + (1 - keep) * value
            mean, square = moments[0] / (1 - 0.9**self.updates), moments[1] / (1 - 0.999**self.updates)
            weights -= (rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)

    def net(self):
        """Its mean with whole numbers, as large as 16 bits hold."""
        means = self.averages or self.weights
        first, second = (weights * (32767 / max(1e-9, np.abs(weights).max())) for weights in means[:2])
        return Net(np.rint(first), np.rint(second))


def imitated(table, bot, count):
    """At least `count` decisions of `bot` in games between two of it: observations, masks, actions, and what the game was worth to the
    seat."""
    rows, seed = [], 0
    while len(rows) < count:
        seed += 1
        game = maumau.Game(table, seed=10_000_000 + seed)
        players = [_native.Player(table, bot, seed, seat) for seat in range(table.seats)]
        first = len(rows)
        while (seat := game.turn) is not None:
            before = game.observation(seat), game.mask(seat)
            action = game._game.act_by(players[seat])
            if action is not None and before[1].sum() > 1:
                rows.append([*before, action, seat])
        worth = game.rewards()
        for row in rows[first:]:
            row[3] = worth[row[3]]
    observation, mask, action, worth = zip(*rows)
    return (np.array(observation, np.float32), np.array(mask, bool), np.array(action), np.array(worth, np.float32))


def imitate(network, decisions, epochs=12):
    """Learns to choose as in these decisions."""
    observation, mask, action, worth = decisions
    for epoch in range(epochs):
        for part in np.array_split(network.random.permutation(len(action)), max(1, len(action) // 512)):
            hidden, log_chances, expected = network.forward(observation[part], mask[part])
            slope = np.exp(log_chances)
            slope[np.arange(len(part)), action[part]] -= 1
            network.backward(observation[part], hidden, slope / len(part), 0.2 * (expected - worth[part]) / len(part),
                             1e-3 * (1 - epoch / epochs))


def sampled(network, log_chances):
    noise = network.random.random(log_chances.shape, dtype=np.float32)
    return (log_chances - np.log(-np.log(noise + 1e-12) + 1e-12)).argmax(axis=1)


def played(network, env):
    """What happened in `env` while the network played: observations, masks, actions, log chances, advantages and returns."""
    n, rows = env.num_envs, np.arange(env.num_envs)
    steps = []
    for _ in range(STEPS):
        observation, mask, seat = env.observation.copy(), env.mask.astype(bool), env.seat.copy()
        _, log_chances, expected = network.forward(observation, mask)
        action = sampled(network, log_chances)
        env.step_into(action)
        steps.append((observation, mask, action, log_chances[rows, action], expected, seat, env.reward.copy(), env.done > 0))
    # What follows each seat's decision: the next one of that seat, or the end of the game. Where neither is known yet, nothing is learnt.
    value, advantage = np.zeros((n, 2), np.float32), np.zeros((n, 2), np.float32)
    known = np.zeros((n, 2), bool)
    value[rows, env.seat] = network.forward(env.observation, env.mask.astype(bool))[2]
    known[rows, env.seat] = True
    kept = []
    for observation, mask, action, likely, expected, seat, reward, done in reversed(steps):
        value[done], advantage[done], known[done] = reward[done], 0, True
        change = value[rows, seat] - expected + DISCOUNT * advantage[rows, seat]
        use = known[rows, seat] & (mask.sum(axis=1) > 1)
        kept.append([part[use] for part in (observation, mask, action, likely, change, change + expected)])
        value[rows, seat], advantage[rows, seat], known[rows, seat] = expected, change, True
    return [np.concatenate(part) for part in zip(*kept)]


def improve(network, batch, rate):
    """PPO's update."""
    observation, mask, action, likely, advantage, worth = batch
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-6)
    for _ in range(EPOCHS):
        for part in np.array_split(network.random.permutation(len(action)), max(1, len(action) // BATCH)):
            rows = np.arange(len(part))
            hidden, log_chances, expected = network.forward(observation[part], mask[part])
            chances, gain = np.exp(log_chances), advantage[part]
            ratio = np.exp(log_chances[rows, action[part]] - likely[part])
            weight = np.where(((gain > 0) & (ratio > 1 + CLIP)) | ((gain < 0) & (ratio < 1 - CLIP)), 0, ratio * gain)
            slope = chances * weight[:, None]
            slope[rows, action[part]] -= weight
            legal = np.where(mask[part], log_chances, 0)
            slope += ENTROPY * chances * (legal - (chances * legal).sum(axis=1, keepdims=True))
            network.backward(observation[part], hidden, slope / len(part), VALUE * (expected - worth[part]) / len(part), rate)


def positions(net, table, games=6):
    """A few positions of games against itself, and what it does in them."""
    found = []
    for seed in range(games):
        game = maumau.Game(table, seed=20_000_000 + seed)
        asked = []
        while (seat := game.turn) is not None:
            observation, mask = game.observation(seat), game.mask(seat)
            action = int(net(observation[None], mask[None])[0])
            if mask.sum() > 1:
                asked.append({"observation": observation.tolist(), "legal": np.flatnonzero(mask).tolist(), "action": action,
                              "output": int(net.outputs(observation[None])[0, action])})
            game.step(action, seat)
        found.append(asked[len(asked) * seed // games])
    return found


def train(rules, folder, imitation, updates, deals=1500):
    """Trains by so many imitated decisions and then by so many updates of PPO, and writes what is found to `folder`."""
    table = maumau.spec(rules, 2, rounds=1)
    network = Network(table.observation, table.actions)
    curve = ["decisions,score,low,high"]

    def measure(decisions):
        net = network.net()
        found = maumau.evaluate(net, against="greedy", rules=table, deals=deals, seed=999)
        curve.append(f"{decisions},{found.score:.4f},{found.low:.4f},{found.high:.4f}")
        print(f"{rules}: {curve[-1]}  {time.process_time() - began:.0f} s", flush=True)
        (folder / f"{rules}.net").write_bytes(net.to_bytes())
        (folder / f"{rules}.csv").write_text("\n".join(curve) + "\n")
        lines = ",\n".join(json.dumps(position, separators=(",", ":")) for position in positions(net, table))
        (folder / f"{rules}.json").write_text(f"[\n{lines}\n]\n")

    began = time.process_time()
    decisions = imitated(table, TEACHERS.get(rules, TEACHER), imitation)
    imitate(network, decisions)
    learnt = len(decisions[2])
    measure(learnt)
    envs = [maumau.vector(table, games=GAMES, seed=number + 1, dtype="float32", opponents=opponents)
            for number, opponents in enumerate((["greedy"], ["greedy"], []))]
    for update in range(updates):
        batch = [np.concatenate(part) for part in zip(*(played(network, env) for env in envs))]
        improve(network, batch, RATE * (1 - 0.9 * update / updates))
        network.average()
        learnt += len(batch[2])
        if (update + 1) * 8 % updates < 8:
            measure(learnt)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("rules", nargs="*", default=RULES)
    parser.add_argument("--imitation", type=int, default=60_000, help="decisions to imitate, for each set")
    parser.add_argument("--updates", type=int, default=800, help="updates from play, for each set")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    for rules in options.rules:
        train(rules, options.folder, options.imitation, options.updates)


if __name__ == "__main__":
    main()
