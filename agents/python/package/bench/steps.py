"""Steps per CPU second of maumau and of its peers, in turn: python3 steps.py [--seconds 1] [--repeats 3] [--only TEXT]

Prints a Markdown table and what a game takes of memory. A peer that is not installed is left out, which is said.
"""

import argparse
import resource
import statistics
import time

import numpy as np

import maumau


def cpu():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def rate(step, per_step, seconds):
    """Steps per CPU second, and per second of the clock."""
    step()
    steps, begun, clock = 0, cpu(), time.perf_counter()
    while (spent := cpu() - begun) < seconds:
        for _ in range(8):
            step()
        steps += 8 * per_step
    return steps / spent, steps / (time.perf_counter() - clock)


def inside(games, **options):
    env = maumau.vector("basic", 4, games, **options)
    repeats = max(1, 4096 // games)
    return lambda: env.step_at_random(repeats), games * repeats


def in_numpy(games, **options):
    env = maumau.vector("basic", 4, games, **options)
    return lambda: env.step_into(env.random_actions()), games


def bare(games, **options):
    """The first legal action instead of a random one: what a step costs besides the policy."""
    env = maumau.vector("basic", 4, games, **options)
    return lambda: env.step_into(env.mask.argmax(axis=1)), games


def aec():
    env = maumau.env("basic", 4, seed=1)
    env.reset(seed=1)

    def step():
        for _ in range(64):
            if not env.agents or env.game.is_over:
                env.reset()
            env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))

    return step, 64


def rlcard():
    import rlcard

    env = rlcard.make("uno")
    state, _ = env.reset()
    held = {"state": state}

    def step():
        for _ in range(64):
            legal = list(held["state"]["legal_actions"])
            held["state"], _ = env.step(legal[0])
            if env.is_over():
                held["state"], _ = env.reset()

    return step, 64


def open_spiel():
    import pyspiel

    game = pyspiel.load_game("crazy_eights(players=4)")
    random = np.random.default_rng(1)
    held = {"state": game.new_initial_state()}

    def step():
        for _ in range(64):
            state = held["state"]
            while state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[random.integers(len(outcomes))][0])
            if state.is_terminal():
                held["state"] = game.new_initial_state()
                continue
            state.observation_tensor()
            legal = state.legal_actions()
            state.apply_action(legal[0])

    return step, 64


def envpool(games):
    import envpool

    env = envpool.make("CartPole-v1", env_type="gymnasium", num_envs=games)
    env.reset()
    actions = np.zeros(games, np.int32)
    return lambda: env.step(actions), games


def pgx(games):
    import jax
    import pgx

    env = pgx.make("leduc_holdem")
    begin, step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))
    keys = jax.random.split(jax.random.PRNGKey(1), games)
    held = {"state": begin(keys)}

    def run():
        state = held["state"]
        action = state.legal_action_mask.argmax(axis=1)
        held["state"] = step(state, action)
        jax.block_until_ready(held["state"].observation)

    return run, games


def resident():
    """Bytes of memory that this process holds."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def bytes_a_game(games=16384):
    """What a row takes once its games have been played for a while, arrays included."""
    maumau.vector("basic", 4, 64).step_at_random(64)
    before = resident()
    env = maumau.vector("basic", 4, games)
    env.step_at_random(300)
    return (resident() - before) / games


ROWS = [
    *((f"maumau vector, {games} games, drawn inside", inside, {"games": games}) for games in (1, 64, 1024, 4096)),
    ("maumau vector, 64 games, float32, drawn inside", inside, {"games": 64, "dtype": "float32"}),
    *((f"maumau vector, {games} games, drawn in numpy", in_numpy, {"games": games}) for games in (64, 1024, 4096)),
    *((f"maumau vector, {games} games, first action in numpy", bare, {"games": games}) for games in (64, 1024, 4096)),
    ("maumau vector, 4096 games, drawn inside, 2 threads", inside, {"games": 4096, "threads": 2}),
    ("maumau AEC, first action", aec, {}),
    ("RLCard uno", rlcard, {}),
    ("OpenSpiel crazy_eights with observation", open_spiel, {}),
    ("EnvPool CartPole, 64 games", envpool, {"games": 64}),
    ("EnvPool CartPole, 1024 games", envpool, {"games": 1024}),
    ("Pgx leduc_holdem, 64 games", pgx, {"games": 64}),
    ("Pgx leduc_holdem, 1024 games", pgx, {"games": 1024}),
]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", default="", help="only rows whose name contains this")
    arguments = parser.parse_args()
    memory = bytes_a_game()
    found = {}
    for _ in range(arguments.repeats):
        for name, make, options in (row for row in ROWS if arguments.only in row[0]):
            try:
                step, per_step = make(**options)
            except ImportError as error:
                found.setdefault(name, str(error))
                continue
            found.setdefault(name, []).append(rate(step, per_step, arguments.seconds))
    print("| | steps/CPU s | steps/s |\n|---|---|---|")
    for name, rates in found.items():
        if isinstance(rates, str):
            print(f"| {name} | left out: {rates} | |")
            continue
        by_cpu, by_clock = (statistics.median(column) for column in zip(*rates))
        print(f"| {name} | {by_cpu:,.0f} | {by_clock:,.0f} |")
    print(f"\nA game of basic with 4 seats takes {memory:,.0f} bytes.")


if __name__ == "__main__":
    main()
