"""A small network learns `basic` with two seats by playing itself, and beats the bot `first`: python3 self_play.py

REINFORCE in numpy with one hidden layer, which also learns what a game is worth. It takes less than a minute on one processor;
the last line is the verdict of the match test, and the program ends with 1 if the network is not better.
"""

import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # With matrices as small as these, more threads wait for each other.
import numpy as np

import maumau

GAMES, STEPS, UPDATES, HIDDEN, RATE, ENTROPY = 256, 64, 150, 64, 0.001, 0.03


class Network:
    def __init__(self, inputs, actions, seed=1):
        random = np.random.default_rng(seed)
        self.random = random
        self.weights = [random.normal(0, inputs**-0.5, (inputs, HIDDEN)).astype(np.float32),
                        np.zeros((HIDDEN, actions + 1), np.float32)]
        self.moments = [[np.zeros_like(w), np.zeros_like(w)] for w in self.weights]
        self.updates = 0

    def probabilities(self, observation, mask):
        """The hidden layer, the chance of each action, and what the game is expected to be worth."""
        hidden = np.maximum(observation @ self.weights[0], 0)
        output = hidden @ self.weights[1]
        logits = np.where(mask, output[:, :-1], -1e9)
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, chances / chances.sum(axis=1, keepdims=True), output[:, -1]

    def sample(self, observation, mask):
        chances = self.probabilities(observation, mask)[1]
        noise = -np.log(self.random.random(chances.shape) + 1e-12)
        return (chances / noise).argmax(axis=1)

    def __call__(self, observation, mask):
        return self.probabilities(observation.astype(np.float32), mask)[1].argmax(axis=1)

    def learn(self, observation, mask, action, worth):
        hidden, chances, expected = self.probabilities(observation, mask)
        policy = chances.copy()
        policy[np.arange(len(action)), action] -= 1
        policy *= (worth - expected)[:, None]
        surprise = -np.log(chances + 1e-9)
        policy += ENTROPY * chances * ((chances * surprise).sum(axis=1, keepdims=True) - surprise)
        slope = np.column_stack([policy, expected - worth]) / len(action)
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
    # Games that are not over yet go on in the next round: to leave them out would favour what ends games soon.
    going = [[] for _ in range(GAMES)]
    for _ in range(updates):
        batch = []
        for _ in range(STEPS):
            action = network.sample(env.observation, env.mask)
            for row, step in enumerate(zip(env.observation.copy(), env.mask.astype(bool), action, env.seat.copy())):
                going[row].append(step)
            env.step_into(action)
            for row in np.flatnonzero(env.done):
                batch += [(*step, env.reward[row, step[-1]]) for step in going[row]]
                going[row] = []
        observation, mask, action, _, worth = (np.array(part) for part in zip(*batch))
        for part in np.array_split(network.random.permutation(len(batch)), 4):
            network.learn(observation[part], mask[part], action[part], worth[part])
    return network


def main():
    network = train("basic")
    found = maumau.evaluate(network, against="first", rules="basic", seats=2, deals=2000, seed=7)
    print(found)
    return 0 if found.verdict == "better" else 1


if __name__ == "__main__":
    sys.exit(main())
