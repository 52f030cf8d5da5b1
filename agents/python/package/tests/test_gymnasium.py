"""Gymnasium's own checks, wrappers and vector environments, and Minari's way back to an environment."""

import copy
import os
import pickle
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy as np

import maumau

try:
    import gymnasium
    from gymnasium.utils.env_checker import check_env
    from gymnasium.vector import AsyncVectorEnv, AutoresetMode, SyncVectorEnv

    maumau.register_envs()
except ImportError:
    raise unittest.SkipTest("gymnasium is not installed")

IDS = [f"maumau/{name}-v{maumau.ENCODING_VERSION}" for name in maumau.RULE_SETS]
BASIC = f"maumau/basic-v{maumau.ENCODING_VERSION}"


def lowest(info):
    return int(np.argmax(info["action_mask"]))


def first(observation, mask):
    """A policy."""
    return mask.argmax(axis=1)


def ahead(env, steps=200):
    """What an environment tells from here on."""
    told = []
    for _ in range(steps):
        if env.game.is_over:
            observation, info = env.reset()
            told.append(observation.tobytes())
        observation, reward, terminated, truncated, info = env.step(int(env.action_masks().argmax()))
        told.append((observation.tobytes(), reward, terminated, truncated, info["action_mask"].tobytes()))
    return told


class Single(unittest.TestCase):
    def test_gymnasium_finds_nothing_to_object_to(self):
        for name in IDS:
            for options in ({"opponents": ["greedy"]}, {"opponents": [first, "random", "search:2"]}):
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    warnings.filterwarnings("ignore", message=".*render.*")
                    check_env(gymnasium.make(name, **options).unwrapped, skip_render_check=True)

    def test_it_can_be_shown(self):
        env = gymnasium.make(BASIC, render_mode="ansi")
        env.reset(seed=1)
        self.assertIn("seat 1", env.render())

    def test_a_game_goes_to_its_end_and_the_arena_verifies_it(self):
        for name in IDS:
            env = gymnasium.make(name, opponents=["greedy", "first"]).unwrapped
            seats = set()
            for seed in range(12):
                observation, info = env.reset(seed=seed)
                self.assertEqual(env.game.turn, info["seat"])
                self.assertEqual(env.game.seed, maumau.Game("basic", 2, seed=seed).seed)
                seats.add(info["seat"])
                over = False
                while not over:
                    np.testing.assert_array_equal(env.action_masks(), info["action_mask"] == 1)
                    np.testing.assert_array_equal(observation, env.game.observation(env.seat))
                    observation, reward, terminated, truncated, info = env.step(lowest(info))
                    over = terminated or truncated
                    self.assertTrue(over or reward == 0)
                self.assertEqual(reward, env.game.rewards()[env.seat])
                self.assertTrue(maumau.verify(env.game.record().encode()))
                self.assertRaises(ValueError, env.step, 0)
            self.assertEqual(seats, {0, 1, 2})

    def test_the_turn_cap_truncates(self):
        env = gymnasium.make(BASIC, turn_cap=2, seat=1)
        ends = set()
        for seed in range(10):
            _, info = env.reset(seed=seed)
            self.assertEqual(info["seat"], 1)
            over = False
            while not over:
                *_, terminated, truncated, info = env.step(lowest(info))
                over = terminated or truncated
            ends.add((terminated, truncated))
        self.assertEqual(ends, {(False, True)})

    def test_what_is_illegal_loses_raises_or_has_its_price(self):
        env = gymnasium.make(BASIC)
        _, info = env.reset(seed=1)
        illegal = int(np.argmin(info["action_mask"]))
        _, reward, terminated, truncated, info = env.step(illegal)
        self.assertEqual((reward, terminated, truncated), (-1, True, False))
        self.assertRegex(info["illegal"], "refused|nothing|action")
        self.assertRaises(ValueError, env.step, 0)
        env = gymnasium.make(BASIC, illegal="error")
        env.reset(seed=1)
        self.assertRaises(maumau.IllegalAction, env.step, illegal)
        env = gymnasium.make(BASIC, illegal="price")
        env.reset(seed=1)
        self.assertFalse(env.step(illegal)[2])

    def test_wrong_arguments_are_named(self):
        for options in ({"opponents": []}, {"opponents": [3]}, {"opponents": ["nobody"]}, {"opponents": ["greedy"] * 2, "seats": 2},
                        {"seat": 5}, {"illegal": "maybe"}, {"render_mode": "smell"}, {"no_such_option": 1}):
            self.assertRaisesRegex((ValueError, TypeError), "opponents|nobody|seat|illegal|render_mode|no_such_option",
                                   gymnasium.make, BASIC, **options)

    def test_it_is_a_value_whatever_its_opponents_remember(self):
        for opponents in (["greedy"], ["random"], ["search:3"], [first, "sample:3"]):
            env = gymnasium.make("maumau/snap-v1", opponents=opponents).unwrapped
            self.assertEqual(copy.deepcopy(env), env)
            _, info = env.reset(seed=3)
            for _ in range(12):
                info = env.step(lowest(info))[-1] if not env.game.is_over else env.reset()[-1]
            for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
                self.assertEqual((other, hash(other)), (env, hash(env)))
                self.assertEqual(ahead(other, 60), ahead(copy.deepcopy(env), 60))
                self.assertNotEqual(other, env)

    def test_ids_are_there_in_whatever_order_modules_come(self):
        for text in ("import gymnasium, maumau", "import maumau.gymnasium, gymnasium; maumau.register_envs()"):
            subprocess.run([sys.executable, "-c", f"{text}; gymnasium.make({BASIC!r}).reset(seed=1)"], check=True)


class Many(unittest.TestCase):
    def play(self, env, steps=120):
        observation, info = env.reset(seed=4)
        total = 0
        for _ in range(steps):
            observation, reward, terminated, truncated, info = env.step(np.argmax(info["action_mask"], axis=1))
            total += int((terminated | truncated).sum())
        self.assertEqual(observation.shape, env.observation_space.shape)
        env.close()
        return total

    def test_vector_environments_of_gymnasium(self):
        for kind in (SyncVectorEnv, AsyncVectorEnv):
            for mode in AutoresetMode:
                if mode != AutoresetMode.DISABLED:
                    made = kind([lambda: gymnasium.make(BASIC, opponents=["greedy"])] * 3, autoreset_mode=mode)
                    self.assertGreater(self.play(made), 3)

    def test_make_vec(self):
        for mode in ("vector_entry_point", "sync", "async"):
            env = gymnasium.make_vec(BASIC, num_envs=3, vectorization_mode=mode, opponents=["greedy", "first"])
            self.assertGreater(self.play(env), 3)
        env = gymnasium.make_vec(BASIC, num_envs=5, opponents=["greedy"], autoreset="next_step", dtype="float32")
        self.assertIsInstance(env.unwrapped, maumau.VectorEnv)
        self.assertEqual((env.num_envs, env.metadata["autoreset_mode"]), (5, AutoresetMode.NEXT_STEP))
        self.assertGreater(self.play(env), 3)

    def test_wrappers_take_it_in_each_mode(self):
        from gymnasium.wrappers import vector as wrappers

        for autoreset in ("same_step", "next_step"):
            env = maumau.vector("basic", 2, 4, opponents=["greedy"], autoreset=autoreset)
            env = wrappers.RecordEpisodeStatistics(env)
            if autoreset == "next_step":  # Those of observations have no same-step mode.
                env = wrappers.DtypeObservation(wrappers.FlattenObservation(env), np.float32)
            env = wrappers.NormalizeReward(env)
            self.assertGreater(self.play(env), 3)
        infos = wrappers.DictInfoToList(maumau.vector("basic", 2, 4, opponents=["greedy"])).reset(seed=1)[1]
        self.assertEqual([info["seat"] for info in infos], [0, 1, 0, 1])


class Autoreset(unittest.TestCase):
    """The same games in each mode, by policies that see the mask alone."""

    def episodes(self, autoreset, opponents, steps=400):
        """Of each row: its episodes as observations, rewards and how they ended."""
        n = 4
        env = maumau.vector("basic", 3, n, seed=8, opponents=opponents, autoreset=autoreset, turn_cap=12)
        observation, info = env.reset(seed=8)
        rows = [[[observation[row].tobytes()]] for row in range(n)]
        waits = np.zeros(n, bool)
        for _ in range(steps):
            mask = info["action_mask"]
            observation, reward, terminated, truncated, info = env.step(mask.argmax(axis=1))
            over = terminated | truncated
            for row in range(n):
                seen = observation[row]
                if autoreset == "next_step" and waits[row]:
                    self.assertEqual((reward[row], over[row]), (0, False))
                    rows[row].append([seen.tobytes()])
                    continue
                final = info["final_obs"][row] if autoreset == "same_step" and over[row] else seen
                rows[row][-1].append((final.tobytes(), reward[row], terminated[row], truncated[row]))
                if autoreset == "same_step":
                    self.assertEqual(info["_final_obs"][row], over[row])
                    if over[row]:
                        self.assertEqual(info["final_info"]["rewards"][row].sum(), 0)
                        rows[row].append([seen.tobytes()])
                elif over[row]:
                    self.assertEqual(np.flatnonzero(info["action_mask"][row]).tolist(), [env.spec.wait])
            waits = over
            if autoreset == "disabled" and over.any():
                self.assertRaisesRegex(ValueError, "have ended", env.step, np.zeros(n, np.int64))
                observation, info = env.reset(options={"reset_mask": over})
                for row in np.flatnonzero(over):
                    rows[row].append([observation[row].tobytes()])
        return [episodes[:-1] for episodes in rows]

    def test_all_modes_tell_the_same_games(self):
        for opponents in ((), ["greedy"], ["greedy", "random"], [first]):
            same, following, disabled = (self.episodes(mode, opponents) for mode in ("same_step", "next_step", "disabled"))
            for one, two, three in zip(same, following, disabled):
                self.assertGreater(len(two), 10)
                self.assertEqual(one[:len(two)], two)
                self.assertEqual(one, three)
            ends = {episode[-1][2:] for row in same for episode in row}
            self.assertEqual(ends, {(True, False), (False, True)})

    def test_rows_that_go_on_can_be_reset(self):
        env = maumau.vector("basic", 2, 3, seed=1, opponents=[first], autoreset="disabled")
        env.reset(seed=1)
        seeds = [env.row_seed(row) for row in range(3)]
        seats = env.seat.copy()
        env.reset(options={"reset_mask": np.array([False, True, False])})
        self.assertEqual([env.row_seed(row) == seed for row, seed in enumerate(seeds)], [True, False, True])
        self.assertEqual((env.seat != seats).tolist(), [False, True, False])
        for wrong in (np.zeros(3, bool), np.ones(2, bool), np.ones(3), [True] * 3):
            self.assertRaises((TypeError, ValueError), env.reset, options={"reset_mask": wrong})
        self.assertRaises(ValueError, env.reset, seed=1, options={"reset_mask": np.ones(3, bool)})
        self.assertRaisesRegex(ValueError, "autoreset", maumau.vector, "basic", autoreset="later")


class WithMinari(unittest.TestCase):
    def test_a_data_set_recovers_its_environment(self):
        try:
            import minari  # noqa: F401
        except ImportError:
            self.skipTest("Minari is not installed")
        code = ("import maumau.minari, minari; maumau.minari.create('maumau/basic-v0', ['first', 'greedy', 'random'], games=3); "
                "env = minari.load_dataset('maumau/basic-v0').recover_environment(); "
                "print(env.spec.id, env.unwrapped.table == maumau.spec('basic', 3, rounds=1), env.unwrapped._opponents)")
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                                  env=os.environ | {"MINARI_DATASETS_PATH": folder})
        self.assertEqual(done.stdout.strip(), f"{BASIC} True ('greedy', 'random')", done.stderr)


if __name__ == "__main__":
    unittest.main()
