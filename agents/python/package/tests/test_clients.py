"""Libraries that take the environments as they are published to be taken."""

import unittest

import numpy as np

import maumau


class SuperSuit(unittest.TestCase):
    def test_the_way_from_pettingzoo_to_a_vector_environment(self):
        try:
            import supersuit
        except ImportError:
            self.skipTest("SuperSuit is not installed")
        for processes in (0, 2):
            rows = supersuit.pettingzoo_env_to_vec_env_v1(maumau.parallel_env("basic", 2))
            rows = supersuit.concat_vec_envs_v1(rows, 2, num_cpus=processes, base_class="gymnasium")
            seen, _ = rows.reset(seed=1)
            ended = 0
            for _ in range(300):
                seen, _, terminated, truncated, _ = rows.step(seen["action_mask"].argmax(axis=1))
                ended += int((terminated | truncated).sum())
            self.assertEqual(seen["observation"].shape, (4, maumau.spec("basic", 2).observation))
            self.assertGreater(ended, 4)
            rows.close()


class Pools(unittest.TestCase):
    def test_games_go_to_workers_with_cloudpickle_and_come_back(self):
        try:
            import cloudpickle
        except ImportError:
            self.skipTest("cloudpickle is not installed")
        env = maumau.vector("basic", 2, 4, opponents=lambda observation, mask: mask.argmax(axis=1))
        env.step(env.random_actions())
        again = cloudpickle.loads(cloudpickle.dumps(env))
        for one in (env, again):
            one.step(one.mask.argmax(axis=1))
        np.testing.assert_array_equal(again.observation, env.observation)


class Documented(unittest.TestCase):
    def test_examples_of_docstrings_hold(self):
        import doctest

        import maumau.benchmark
        import maumau.data
        import maumau.gymnasium
        import maumau.vectors

        for module in (maumau.benchmark, maumau.data, maumau.gymnasium, maumau.vectors):
            found = doctest.testmod(module)
            self.assertEqual((found.failed, found.attempted > 2), (0, True))


if __name__ == "__main__":
    unittest.main()
