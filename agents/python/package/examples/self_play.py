"""A small network learns `basic` with two seats by playing itself, and beats the bot `first`: python3 self_play.py

REINFORCE in numpy with one hidden layer. It takes minutes on one processor; the last line is the verdict of the
match test, and the program ends with 1 if the network is not better.
"""

import sys

import numpy as np

import maumau

GAMES, UPDATES, HIDDEN, RATE = 256, 250, 64, 0.003


class Network:
    def __init__(self, inputs, actions, seed=1):
        random = np.random.default_rng(seed)
        self.random = random
        self.weights = [random.normal(0, inputs**-0.5, (inputs, HIDDEN)).astype(np.float32),
                        np.zeros((HIDDEN, actions), np.float32)]
        self.moments = [[np.zeros_like(w), np.zeros_like(w)] for w in self.weights]
        self.updates = 0

    def probabilities(self, observation, mask):
        hidden = np.maximum(observation @ self.weights[0], 0)
        logits = np.where(mask, hidden @ self.weights[1], -1e9)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, chances / chances.sum(axis=1, keepdims=True)

    def sample(self, observation, mask):
        _, chances = self.probabilities(observation, mask)
        noise = -np.log(self.random.random(chances.shape) + 1e-12)
        return (chances / noise).argmax(axis=1)

    def __call__(self, observation, mask):
        return self.probabilities(observation.astype(np.float32), mask)[1].argmax(axis=1)

    def learn(self, observation, mask, action, worth):
        hidden, chances = self.probabilities(observation, mask)
        slope = chances.copy()
        slope[np.arange(len(action)), action] -= 1
        slope *= worth[:, None] / len(action)
        slope += 0.003 / len(action) * chances * (np.log(chances + 1e-9) + 1)
        first = observation.T @ ((slope @ self.weights[1].T) * (hidden > 0))
        self.updates += 1
        for weights, moments, gradient in zip(self.weights, self.moments, (first, hidden.T @ slope)):
            for place, (keep, value) in enumerate(((0.9, gradient), (0.999, gradient**2))):
                moments[place] = keep * moments[place] + (1 - keep) * value
            mean, square = moments[0] / (1 - 0.9**self.updates), moments[1] / (1 - 0.999**self.updates)
            weights -= RATE * mean / (np.sqrt(square) + 1e-8)


def train(rules, updates=UPDATES, universal=False):
    """A network that has played so many rounds of games against itself, with two seats."""
    env = maumau.vector(rules, 2, GAMES, seed=1, dtype="float32", universal=universal)
    network = Network(env.spec.observation, env.spec.actions)
    for _ in range(updates):
        episodes, steps = [[] for _ in range(GAMES)], []
        for step in range(64):
            action = network.sample(env.observation, env.mask)
            steps.append((env.observation.copy(), env.mask.astype(bool), action, env.seat.copy(), np.zeros(GAMES, np.float32)))
            for row in range(GAMES):
                episodes[row].append(step)
            env.step_into(action)
            for row in np.flatnonzero(env.done):
                for past in episodes[row]:
                    steps[past][4][row] = env.reward[row, steps[past][3][row]]
                episodes[row] = []
        observation, mask, action, _, worth = (np.concatenate(part) for part in zip(*steps))
        told = np.flatnonzero(worth)
        network.learn(observation[told], mask[told], action[told], worth[told])
    return network


def main():
    network = train("basic")
    found = maumau.evaluate(network, against="first", rules="basic", seats=2, deals=2000, seed=7)
    print(found)
    return 0 if found.verdict == "better" else 1


if __name__ == "__main__":
    sys.exit(main())
