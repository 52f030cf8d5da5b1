"""The network of the bot `net`: numpy and the bot choose alike, files that do not fit are refused, and larger tables are played."""

import tempfile
import unittest
from pathlib import Path

import numpy as np

import maumau
from maumau import _native, benchmark, net


class TrainedNet(unittest.TestCase):
    def test_the_bot_and_the_numpy_policy_choose_alike_in_whole_games(self):
        self.assertEqual(sorted(net.RULES), sorted(maumau.RULE_SETS))
        for rules in net.RULES:
            table, choices = maumau.spec(rules, 2, rounds=1), 0
            for seed in range(4):
                game = maumau.Game(table, seed=seed)
                bots = [_native.Player(table, "net", seed, seat) for seat in range(2)]
                while (seat := game.turn) is not None:
                    observation, mask = game.observation(seat), game.mask(seat)
                    expected = int(net.policy(observation[None], mask[None])[0])
                    self.assertEqual(game._game.act_by(bots[seat]), expected, (rules, seed))
                    choices += mask.sum() > 1
            self.assertGreater(choices, 20, rules)

    def test_it_beats_the_bot_first(self):
        for rules in net.RULES:
            found = maumau.evaluate(net.policy, against="first", rules=rules, deals=100, seed=3)
            self.assertGreater(found.low, 0.5, f"{rules}: {found}")

    def test_a_file_is_read_as_it_was_written_and_others_are_refused(self):
        small = net.Net(np.array([[1, -2], [3, 4], [5, 6]]), np.array([[7, 8, 9], [-7, -8, -9]]))
        file = small.to_bytes()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "small.net")
            path.write_bytes(file)
            again = net.Net.read(path)
        self.assertEqual((again.shape, again.to_bytes()), ((2, 2, 3), file))
        # By hand: the hidden units are 2 * 1 + 1 * 3 + 5 = 10 and 2 * -2 + 1 * 4 + 6 = 6.
        observation = np.array([[2, 1]], np.uint8)
        self.assertEqual(again.outputs(observation).tolist(), [[28, 32, 36]])
        self.assertEqual(again(observation, np.array([[1, 1, 0]], np.uint8)).tolist(), [1])
        for other, words in ((b"M" + file[1:], "begins with maumau-net"), (file[:9], "begins with maumau-net"),
                             (file[:10] + b"\2" + file[11:], "version 2"), (file[:14] + b"\9" + file[15:], "encoding"),
                             (file[:-2], "expected 12"), (file[:-1], "expected 12"), (file + b"\0\0", "expected 12")):
            with self.assertRaisesRegex(ValueError, words):
                net.Net.of_bytes(other)
        with self.assertRaisesRegex(ValueError, "no weights"):
            net.built_in("bridge")

    def test_it_plays_every_table_of_the_benchmark(self):
        result = benchmark.run(net.policy, opponents=["first"], deals=2)
        self.assertEqual(len(result.rows), 18)
        with self.assertRaisesRegex(ValueError, "no table"):
            net.policy(np.zeros((1, 7), np.uint8), np.ones((1, 3), np.uint8))


if __name__ == "__main__":
    unittest.main()
