"""Tests of the installed package: python3 -m unittest discover -s agents/python/package/tests"""

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import numpy as np

import maumau
from maumau import _native

SETS = maumau.RULE_SETS
MAUMAU = os.environ.get("MAUMAU") or shutil.which("maumau")
GAMES = int(os.environ.get("PARITY_GAMES", "20"))


def first_of_mask(observation, mask):
    """A policy that a bot file can import nothing for: the first legal action."""
    return mask.argmax(axis=1)


def last_of_mask(observation, mask):
    """The last legal action: one that needs a further step, where there is any."""
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)


def play_randomly(game, random, illegal=0.0):
    while (seat := game.turn) is not None:
        legal = game.legal_actions(seat)
        action = int(random.choice(legal))
        if random.random() < illegal:
            other = int(random.integers(game.spec.actions))
            try:
                game.step(other, seat, illegal="price")
                continue
            except maumau.IllegalAction:
                pass
        game.step(action, seat)


class Games(unittest.TestCase):
    def test_stepped_games_have_records_that_the_arena_verifies(self):
        """PARITY_GAMES=10000 plays that many games of each set."""
        random = np.random.default_rng(1)
        for name in SETS:
            for number in range(GAMES):
                game = maumau.Game(name, 2 + number % 4, seed=number)
                play_randomly(game, random, illegal=0.02 * (number % 2))
                record = game.record()
                told = [entry for entry in map(json.loads, record.splitlines()) if entry.get("entry") == "event"]
                self.assertTrue(maumau.verify(record.encode()))
                mine = game.events()
                self.assertEqual([{key: entry[key] for key in event} for entry, event in zip(told, mine)], mine)
                self.assertEqual(len(told), len(mine))

    def test_the_program_verifies_them_too(self):
        if MAUMAU is None:
            self.skipTest("the program maumau is not on the path (or set MAUMAU)")
        with tempfile.TemporaryDirectory() as folder:
            for name in SETS:
                game = maumau.play("greedy", "random", "first", rules=name, seed=7)
                path = Path(folder, f"{name}.jsonl")
                path.write_text(game.record(), encoding="utf-8")
                done = subprocess.run([MAUMAU, "verify", str(path)], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_clones_go_on_by_themselves_and_playouts_change_nothing(self):
        game = maumau.Game("spam", 3, seed=2)
        random = np.random.default_rng(2)
        for _ in range(20):
            game.step(int(random.choice(game.legal_actions())))
        before, copy = game.view(0), game.clone()
        play_randomly(copy, random)
        self.assertEqual(len(game.playout("greedy", seed=1)), 3)
        self.assertEqual(game.view(0), before)
        self.assertTrue(copy.is_over and not game.is_over)

    def test_samples_agree_with_what_a_seat_has_seen(self):
        random = np.random.default_rng(3)
        sampled = differing = calls = 0
        for name in SETS:
            for seed in range(3):
                game = maumau.Game(name, 3, seed=seed)
                observers = [maumau.Observer(game.spec, seat) for seat in range(3)]
                while (seat := game.turn) is not None:
                    observers[seat].follow(game)
                    sample = observers[seat].sample(sampled)
                    self.assertEqual(sample.view(seat), game.view(seat))
                    legal, sampled_legal = set(game.legal_actions(seat)), set(sample.legal_actions(seat))
                    # Events do not tell how much a seat had seen when it acted: a call of what it then forgot may differ.
                    self.assertLessEqual({game.decode(action)["do"] for action in legal ^ sampled_legal}, {"call"})
                    calls += legal != sampled_legal
                    np.testing.assert_array_equal(sample.observation(seat), game.observation(seat))
                    other = (seat + 1) % 3
                    sampled, differing = sampled + 1, differing + (sample.view(other)["hand"] != game.view(other)["hand"])
                    if sampled % 20 == 0:
                        self.assertEqual(len(sample.playout("first")), 3)
                        play_randomly(sample, random)
                        self.assertRaisesRegex(ValueError, "in the midst", sample.record)
                    game.step(int(random.choice(game.legal_actions())))
        self.assertGreater(differing, sampled / 2)
        self.assertLess(calls, sampled / 100)

    def test_an_observer_can_be_given_events_alone(self):
        game, random = maumau.Game("snap", 2, seed=4), np.random.default_rng(4)
        observer = maumau.Observer(game.spec, 1)
        for _ in range(30):
            game.step(int(random.choice(game.legal_actions())))
        observer.see(game.events(1), game.asked_for(1))
        self.assertEqual(observer.view(), game.view(1))
        self.assertEqual(observer.sample(1).view(1), game.view(1))
        with self.assertRaisesRegex(ValueError, "does not follow from the events before it"):
            observer.see(game.events(1)[5:9])
            observer.view()

    def test_actions_are_coded_both_ways(self):
        for name in SETS:
            game = maumau.Game(name, 3, seed=3)
            for action in game.legal_actions():
                self.assertEqual(game.encode(game.decode(action)), action)


class Vectors(unittest.TestCase):
    def test_rows_depend_on_neither_threads_nor_other_rows(self):
        for name in SETS:
            shown = []
            for threads in (1, 3):
                env = maumau.vector(name, 4, 9, seed=5, threads=threads)
                for _ in range(300):
                    env.step_into(env.mask.argmax(axis=1))
                shown.append(env.observation.copy())
            np.testing.assert_array_equal(*shown)

    def test_a_row_is_the_game_of_its_seed(self):
        for name in SETS:
            env = maumau.vector(name, 3, 4, seed=6)
            game = maumau.Game(name, 3, seed=env.row_seed(2))
            random = np.random.default_rng(6)
            while not game.is_over:
                np.testing.assert_array_equal(env.observation[2], game.observation())
                np.testing.assert_array_equal(env.mask[2], game.mask())
                self.assertEqual(env.seat[2], game.turn)
                env.random_actions()
                action = int(random.choice(game.legal_actions()))
                actions = np.full(4, -1)
                actions[2] = action
                env.step_into(actions)
                game.step(action)
            self.assertEqual(env.done.tolist(), [0, 0, 2 if game.is_cut_off else 1, 0])
            np.testing.assert_allclose(env.reward[2], game.rewards())

    def test_opponents_answer_inside_the_batch(self):
        for opponents in ("greedy", ["first", "random"], first_of_mask):
            env = maumau.vector("basic", 3, 8, opponents=opponents)
            total, games = 0.0, 0
            env.reset(seed=1)
            for _ in range(400):
                _, reward, done, truncated, info = env.step(env.random_actions())
                over = done | truncated
                total, games = total + reward.sum(), games + over.sum()
                self.assertFalse((reward[~over] != 0).any() or (done & truncated).any())
                np.testing.assert_array_equal(info["_final_obs"], over)
            self.assertGreater(games, 20)

    def test_the_turn_cap_truncates_and_the_hands_decide(self):
        for opponents in ((), "greedy", first_of_mask):
            env = maumau.vector("basic", 2, 4, seed=2, opponents=opponents, turn_cap=6)
            env.reset(seed=2)
            cut, rewards = 0, set()
            for _ in range(60):
                before = env.observation.copy()
                _, reward, done, truncated, info = env.step(env.mask.argmax(axis=1))
                for row in np.flatnonzero(truncated):
                    cut += 1
                    rewards.add(float(reward[row]))
                    self.assertTrue(info["final_obs"][row].any())
                    self.assertFalse((info["final_obs"][row] == before[row]).all())
            self.assertGreater(cut, 10)
            self.assertTrue(rewards <= {-1.0, 0.0, 1.0} and len(rewards) > 1, rewards)
        table = maumau.aec_env("basic", 2, seed=1, turn_cap=2)
        table.reset(seed=1)
        while not any(table.truncations.values()):
            self.assertFalse(any(table.terminations.values()))
            table.step(int(table.observe(table.agent_selection)["action_mask"].argmax()))
        both = maumau.parallel_env("basic", 2, seed=1, turn_cap=2)
        observations, _ = both.reset(seed=1)
        truncated = False
        while not truncated:
            observations, _, done, cut, _ = both.step({agent: int(seen["action_mask"].argmax()) for agent, seen in observations.items()})
            truncated = any(cut.values())
            self.assertFalse(any(done.values()))

    def test_observations_are_the_same_in_both_types(self):
        one, other = maumau.vector("snap", 4, 5, dtype="uint8"), maumau.vector("snap", 4, 5, dtype="float32")
        for _ in range(100):
            one.step_into(one.mask.argmax(axis=1))
            other.step_into(other.mask.argmax(axis=1))
        np.testing.assert_array_equal(one.observation, other.observation)

    def test_gymnasium_steps_it(self):
        try:
            import gymnasium
        except ImportError:
            self.skipTest("gymnasium is not installed")
        env = maumau.vector("basic", 2, 16, opponents="first")
        self.assertIsInstance(env, gymnasium.vector.VectorEnv)
        observation, info = env.reset(seed=1)
        self.assertIn(observation, env.observation_space)
        observation, *_ = env.step(env.random_actions())
        self.assertIn(observation, env.observation_space)

    def test_the_universal_encoding_is_the_same_size_everywhere(self):
        sizes = {(table.actions, table.observation) for name in SETS for seats in (2, 4)
                 for table in [maumau.spec(name, seats, rounds=1, universal=True)]}
        self.assertEqual(len(sizes), 1)


class Zoo(unittest.TestCase):
    def setUp(self):
        try:
            import pettingzoo  # noqa: F401
        except ImportError:
            self.skipTest("pettingzoo is not installed")

    def test_api(self):
        from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

        for name in SETS:
            api_test(maumau.aec_env(name, 3), num_cycles=300)
            parallel_api_test(_Legal(name), num_cycles=300)
            seed_test(lambda: maumau.aec_env(name, 3), num_cycles=50)
            parallel_seed_test(lambda: _Legal(name), num_cycles=50)
            with contextlib.redirect_stdout(io.StringIO()):
                render_test(lambda render_mode: maumau.aec_env(name, 3, render_mode=render_mode))

    def test_render(self):
        for name in SETS:
            env = maumau.env(name, 2, render_mode="ansi")
            env.reset(seed=1)
            self.assertIn("seat 0", env.render())


def _Legal(name):
    """The parallel tests of PettingZoo ignore masks: illegal actions become the first legal one."""
    from maumau.zoo import ParallelTable

    class Legal(ParallelTable):
        def step(self, actions):
            chosen = {}
            for agent, action in actions.items():
                mask = self._observe(self._seat[agent])["action_mask"]
                chosen[agent] = int(action) if mask[action] else int(mask.argmax())
            return super().step(chosen)

    return Legal(maumau.spec(name, 3, rounds=1))


class Pictures(unittest.TestCase):
    def test_a_record_is_told_in_frames(self):
        game = maumau.play("greedy", "sample:8", seed=3)
        frames = maumau.replay(game.record(["ann", "bob"]))
        self.assertEqual([frame.number for frame in frames], list(range(len(frames))))
        self.assertEqual(frames[0].kind, "deal")
        moves = [frame for frame in frames if frame.kind == "move"]
        self.assertGreater(len(moves), 5)
        self.assertTrue(all(frame.action["do"] and frame.lines and frame.events for frame in moves))
        self.assertIn("hands", frames[-1].position)
        self.assertIn("<svg", frames[3]._repr_html_())
        seen = maumau.replay(game.record(["ann", "bob"]), seat=1)
        self.assertEqual(seen[0].svg().count('"#card-back"'), 6, "the draw pile and the five cards of the other seat")
        with self.assertRaisesRegex(IndexError, "seat 2 does not exist"):
            maumau.replay(game.record(), seat=2)
        with self.assertRaisesRegex(ValueError, "line 1: its checksum"):
            maumau.replay(game.record().replace("draw", "drew"))

    def test_a_game_shows_itself(self):
        for name in SETS:
            game = maumau.Game(name, 3, seed=1)
            self.assertIn("<svg", game._repr_html_())
            self.assertGreater(game.svg(seat=1).count("card-back\""), game.svg().count("card-back\""))

    def test_a_picture_becomes_pixels(self):
        try:
            import resvg  # noqa: F401
        except ImportError:
            self.skipTest("resvg is not installed")
        env = maumau.env("basic", 4, render_mode="rgb_array")
        env.reset(seed=1)
        before = env.render()
        self.assertEqual((before.shape, before.dtype), ((620, 1000, 3), np.uint8))
        for _ in range(4):
            env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
        self.assertGreater((env.render() != before).sum(), 1000)


class Policies(unittest.TestCase):
    def test_evaluation_has_duplicate_deals(self):
        found = maumau.evaluate(first_of_mask, against="first", deals=60)
        self.assertEqual((found.deals, found.games), (60, 120))
        self.assertTrue(0 <= found.low <= found.score <= found.high <= 1)

    def test_bots_that_think_ahead_are_opponents(self):
        one, other = (maumau.evaluate(first_of_mask, against="search:8", deals=4, threads=threads) for threads in (1, 2))
        self.assertEqual(one, other)
        against = {bot: maumau.evaluate(first_of_mask, against=bot, deals=8).score for bot in ("random", "sample:40")}
        self.assertLess(against["sample:40"], against["random"])
        env = maumau.vector("snap", 3, 2, opponents=["careful", "sample:4"])
        for _ in range(20):
            env.step(env.random_actions())

    def test_an_exported_bot_plays_in_the_arena(self):
        if MAUMAU is None:
            self.skipTest("the program maumau is not on the path (or set MAUMAU)")
        with tempfile.TemporaryDirectory() as folder:
            path = maumau.export_bot(first_of_mask, Path(folder, "bot.py"))
            done = subprocess.run([MAUMAU, "check", "--games", "1", "--", sys.executable, str(path)],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


    def test_an_exported_bot_plays_several_cards(self):
        if MAUMAU is None:
            self.skipTest("the program maumau is not on the path (or set MAUMAU)")
        with tempfile.TemporaryDirectory() as folder:
            path, record = maumau.export_bot(last_of_mask, Path(folder, "bot.py")), Path(folder, "record.jsonl")
            seats = 2 * [f"--seat={sys.executable} -W error::UserWarning {path}"]
            for rules, played in (("makao", '"cards":['), ("waterfall", '"close":false'), ("tschau-sepp", '"as":')):
                options = ["--set", "jokers=2"] if rules == "tschau-sepp" else []
                found = ""
                for seed in range(4):
                    done = subprocess.run([MAUMAU, "play", "--rules", rules, *options, "--seed", str(seed), "--record", record,
                                           "--quiet", *seats], capture_output=True, text=True)
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    found += record.read_text()
                self.assertIn(played, found, rules)
                self.assertNotIn('"event":"refused"', found, rules)


class Episodes(unittest.TestCase):
    def test_each_seat_of_each_game_has_one(self):
        from maumau.minari import episodes

        found = list(episodes(["greedy", first_of_mask, "random"], 4, rules="deluxe", seed=1))
        self.assertEqual(len(found), 12)
        for episode in found:
            decisions = len(episode["actions"])
            self.assertEqual((len(episode["observations"]), len(episode["action_masks"])), (decisions + 1, decisions))
            self.assertTrue(episode["action_masks"][np.arange(decisions), episode["actions"]].all())
        for number in range(4):
            self.assertEqual(sum(episode["rewards"].sum() for episode in found if episode["game"] == number), 0)

    def test_minari_keeps_them(self):
        try:
            import minari
        except ImportError:
            self.skipTest("minari is not installed")
        import maumau.minari

        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(os.environ, MINARI_DATASETS_PATH=folder):
            maumau.minari.create("maumau/test-v0", ["greedy", "first"], 3, rules="basic", seed=1)
            kept = minari.load_dataset("maumau/test-v0")
            self.assertEqual(kept.total_episodes, 6)
            for episode, other in zip(kept, maumau.minari.episodes(["greedy", "first"], 3, rules="basic", seed=1)):
                np.testing.assert_array_equal(episode.actions, other["actions"])


class Nonsense(unittest.TestCase):
    """Whatever is given, an exception of Python's is raised, and no panic."""

    NEVER = [object(), {"x": object()}, 1.5, float("nan"), b"\xff", (object(),)]
    """What no function takes, at any place."""

    SELDOM = [None, -1, 0, 1, 3, 2**31, 2**63, 2**64, 10**30, "", "x", "basic", "a/b.toml", [], ["x"], {}, True, np.zeros(3),
              np.zeros((2, 2), np.uint8), np.zeros(4, np.int64), "\x00", "../" * 50]
    """What some take."""

    def calls(self):
        game = maumau.Game("basic", 2, seed=1)
        env = maumau.vector("basic", 2, 4)
        batch = env._batch
        for value in self.NEVER + self.SELDOM:
            calls = (
                lambda: maumau.spec(value), lambda: maumau.spec("basic", value), lambda: maumau.spec("basic", 2, rounds=value),
                lambda: maumau.spec("basic", 2, mau=value), lambda: maumau.spec("basic", 2, unknown=value),
                lambda: maumau.Game("basic", 2, seed=value), lambda: maumau.Game(value),
                lambda: maumau.vector("basic", 2, value if not isinstance(value, int) or value < 100 else 10**9),
                lambda: maumau.vector("basic", 2, 4, seed=value), lambda: maumau.vector("basic", 2, 4, opponents=value),
                lambda: maumau.vector("basic", 2, 4, threads=value if not isinstance(value, int) or value < 9 else 10**6),
                lambda: maumau.vector("basic", 2, 4, dtype=value), lambda: maumau.vector("basic", 2, 4, illegal=value),
                lambda: env.step(value), lambda: env.step_into(value), lambda: env.reset(seed=value), lambda: env.row_seed(value),
                lambda: game.step(value), lambda: game.step(0, value), lambda: game.observation(value), lambda: game.mask(value),
                lambda: game.view(value), lambda: game.events(value), lambda: game.decode(value), lambda: game.decode(0, value),
                lambda: game.encode(value), lambda: game.act(value), lambda: game.legal_actions(value),
                lambda: game.asked_for(value), lambda: game.action_name(value), lambda: game.playout(value),
                lambda: maumau.Observer(game.spec, value), lambda: maumau.Observer(value, 0),
                lambda: game.observer(0).see(value), lambda: game.observer(0).follow(value),
                lambda: game.observer(0).sample(value), lambda: game.observer(0)._observer.sample(1, value),
                lambda: game.bot_action(value), lambda: game.svg(value), lambda: _native.Replay(value),
                lambda: game.playout("first", value), lambda: game.record(value), lambda: game.record(None, value),
                lambda: maumau.verify(value), lambda: maumau.replay(value), lambda: maumau.play(value, value),
                lambda: maumau.evaluate(value), lambda: maumau.evaluate(first_of_mask, value, deals=2),
                lambda: maumau.evaluate(first_of_mask, deals=value if not isinstance(value, int) or value < 9 else 2),
                lambda: maumau.export_bot(value, "/nonexistent/bot.py"),
                lambda: _native.estimate(value, 2), lambda: _native.MatchTest(value), lambda: _native.Reader(value, 2, 1, False),
                lambda: _native.Player(game.spec, value, 0, 0), lambda: batch.step(value, env._arrays),
                lambda: batch.show((value, *env._arrays[1:])), lambda: batch.show((*env._arrays[:4], value)),
                lambda: batch.show((env.observation,) * 5),
            )
            for number, call in enumerate(calls):
                yield value, number, call

    def test_no_panic_crosses_the_border(self):
        never = {id(value) for value in self.NEVER}
        for value, number, call in self.calls():
            # A panic is a BaseException, and would pass through.
            try:
                call()
            except (TypeError, ValueError, IndexError, OverflowError, OSError):
                continue
            with self.subTest(value=value, call=number):
                self.assertNotIn(id(value), never, "it was accepted")

    def test_mistakes_are_exceptions_of_the_right_kind(self):
        game, env = maumau.Game("basic", 2, seed=1), maumau.vector("basic", 2, 4)
        illegal = next(action for action in range(game.spec.actions) if action not in game.legal_actions())
        with self.assertRaisesRegex(maumau.IllegalAction, r"clause [A-Z]-\d+"):
            game.step(illegal)
        with self.assertRaisesRegex(ValueError, "unknown|no rule set|bsic"):
            maumau.spec("bsic")
        with self.assertRaises(TypeError):
            maumau.spec(3)
        with self.assertRaisesRegex(ValueError, "11 seats; 2 to 10 can play"):
            maumau.spec("basic", 11)
        with self.assertRaisesRegex(IndexError, "seat 2 does not exist"):
            game.view(2)
        with self.assertRaisesRegex(IndexError, "action 9999 does not exist"):
            game.step(9999)
        with self.assertRaisesRegex(ValueError, "shape"):
            env._batch.show((env.observation[:2], *env._arrays[1:]))
        with self.assertRaisesRegex(TypeError, "numpy array"):
            env._batch.show((3, *env._arrays[1:]))
        env.close()
        with self.assertRaisesRegex(RuntimeError, "closed"):
            env.reset()

    def test_an_illegal_action_steps_no_row(self):
        env = maumau.vector("basic", 4, 6, seed=3)
        before = env.observation.copy()
        actions = env.mask.argmax(axis=1)
        actions[4] = env.mask[4].argmin()
        with self.assertRaisesRegex(maumau.IllegalAction, "row 4"):
            env.step_into(actions)
        env.done[:] = 0
        env._batch.show(env._arrays)
        np.testing.assert_array_equal(env.observation, before)


if __name__ == "__main__":
    unittest.main()
