"""Games, observers, tables and environments as values: pickled, copied, compared, hashed, sent to other processes, saved."""

import copy
import multiprocessing
import pickle
import random
import tempfile
import unittest
from pathlib import Path

import numpy as np

import maumau
from maumau import _native

try:
    import cloudpickle
except ImportError:
    cloudpickle = None


def played(rules="basic", seats=2, seed=1, moves=15):
    """A game after some random answers."""
    game, dice = maumau.Game(rules, seats, seed=seed), random.Random(seed)
    for _ in range(moves):
        if not game.is_over:
            game.step(dice.choice(game.legal_actions()))
    return game


def rest(game, seed=5):
    """What happens when a game is played on, by the same choices whatever game it is."""
    game, dice = game.clone(), random.Random(seed)
    while not game.is_over:
        game.step(dice.choice(game.legal_actions()))
    return game.events(), game.result()


def first(observation, mask):
    """A policy."""
    return mask.argmax(axis=1)


def rows_ahead(env, steps=60):
    """What a vector environment shows in its next steps."""
    told = []
    for _ in range(steps):
        env.step_into(env.random_actions())
        told.append((env.observation.tobytes(), env.mask.tobytes(), env.reward.tobytes(), env.done.tobytes()))
    return told


def agents_ahead(env, steps=40):
    """What an AEC environment tells in its next steps."""
    told, env = [], copy.deepcopy(env)
    for _ in range(steps):
        if not env.agents or env.terminations[env.agent_selection]:
            env.reset()
        mask = env.observe(env.agent_selection)["action_mask"]
        told.append((env.agent_selection, mask.tobytes()))
        env.step(int(mask.argmax()))
    return told


WAYS = [pickle.dumps] + ([cloudpickle.dumps] if cloudpickle else [])
COPIES = [copy.copy, copy.deepcopy] + [lambda thing, dumps=dumps: pickle.loads(dumps(thing)) for dumps in WAYS]


def in_child(game):
    return game.view(0), rest(game), hash(game) is not None


class Values(unittest.TestCase):
    def check(self, thing, ahead=None):
        """Copies are equal and hash alike; both go on alike, and one that goes on alone is equal no more."""
        for way in COPIES:
            with self.subTest(type(thing).__name__, way=way):
                other = way(thing)
                self.assertIsNot(other, None)
                self.assertEqual(other, thing)
                self.assertEqual(hash(other), hash(thing))
                self.assertIn(other, {thing})
                if ahead:
                    self.assertEqual(ahead(other), ahead(way(thing)))

    def test_tables(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "own.toml")
            path.write_text('format = 1\nextends = "basic"\nname = "own"\ntitle = "Own"\n', encoding="utf-8")
            own = maumau.spec(str(path), 3)
        for table in [*(maumau.spec(name, 3) for name in maumau.RULE_SETS), maumau.spec("snap", 4, universal=True), own]:
            self.check(table)
            again = pickle.loads(pickle.dumps(table))
            self.assertEqual((again.name, again.observation_blocks(), again.action_blocks(), again.rules_json()),
                             (table.name, table.observation_blocks(), table.action_blocks(), table.rules_json()))
        self.assertEqual(maumau.spec("basic", 2), maumau.spec("basic", 2))
        for other in (maumau.spec("basic", 3), maumau.spec("basic", 2, rounds=2), maumau.spec("basic", 2, universal=True),
                      maumau.spec("snap", 2), "basic", None):
            self.assertNotEqual(maumau.spec("basic", 2, rounds=1), other)

    def test_games_at_every_point(self):
        for name in maumau.RULE_SETS:
            for moves in (0, 1, 7, 40, 5000):
                game = played(name, 3, moves=moves)
                self.check(game, rest)
                again = pickle.loads(pickle.dumps(game))
                self.assertEqual([again.view(seat) for seat in range(3)], [game.view(seat) for seat in range(3)])
                self.assertEqual((again.events(), again.asked, again.is_over), (game.events(), game.asked, game.is_over))
                if game.is_over:
                    self.assertEqual(again.record(), game.record())

    def test_a_game_keeps_the_steps_of_a_play_that_is_not_complete(self):
        for rules, options in (("makao", {}), ("waterfall", {}), ("tschau-sepp", {"jokers": 2})):
            game, dice, met = maumau.Game(rules, 2, seed=1, rounds=9, **options), random.Random(1), 0
            while not game.is_over and met < 5:
                before = game.clone()
                game.step(dice.choice(game.legal_actions()))
                if steps := game.begun() if not game.is_over else []:
                    met += 1
                    self.check(game, rest)
                    self.assertNotEqual(game, before)
                    again = pickle.loads(pickle.dumps(game))
                    self.assertEqual((again.begun(), again.legal_actions()), (steps, game.legal_actions()))
                    self.assertEqual(game.begun(1 - game.turn), [])
            self.assertEqual(met, 5, rules)

    def test_a_game_keeps_what_the_rules_charged_for(self):
        game, dice = maumau.Game("snap", 3, seed=3), random.Random(3)
        for _ in range(120):
            if game.is_over:
                break
            action = dice.randrange(game.spec.actions)
            try:
                game.step(action, illegal="price")
            except ValueError:
                game.step(dice.choice(game.legal_actions()))
        self.assertIn("refused", {event["event"] for event in game.events()})
        self.check(game, rest)

    def test_games_that_differ_are_not_equal(self):
        game = played()
        other = game.clone()
        self.assertEqual(game, other)
        other.step(other.legal_actions()[0])
        self.assertNotEqual(game, other)
        self.assertNotEqual(hash(game), hash(other))
        self.assertNotEqual(game, played(seed=2))
        self.assertNotEqual(maumau.Game("basic", 2), maumau.Game("basic", 3))
        self.assertNotEqual(game, 3)

    def test_observers_and_the_games_that_they_sample(self):
        for name in maumau.RULE_SETS:
            game, dice = maumau.Game(name, 3, seed=9), random.Random(9)
            watching = maumau.Observer(game.spec, 1)
            for number in range(60):
                if game.is_over:
                    break
                if number % 7 == 0:
                    watching.follow(game)
                if number % 21 == 0:
                    watching.sample(number)
                game.step(dice.choice(game.legal_actions()))
            for observer in (watching, game.observer(0), maumau.Observer(game.spec, 2)):
                self.check(observer, lambda observer: (observer.view(), [observer.sample(seed).events() for seed in range(3)]))
            sample = watching.sample(4)
            self.check(sample, rest)
            for _ in range(10):
                if not sample.is_over:
                    sample.step(dice.choice(sample.legal_actions()))
            self.check(sample, rest)
            self.assertEqual([pickle.loads(pickle.dumps(sample)).view(seat) for seat in range(3)],
                             [sample.view(seat) for seat in range(3)])
            self.assertNotEqual(watching.sample(4), watching.sample(5))
            # Together they still are of one table.
            observer, other = pickle.loads(pickle.dumps((game.observer(0), game)))
            observer.follow(other)

    def test_a_search_tree_is_saved_and_read(self):
        root, dice = played("crazy-eights", 2), random.Random(1)
        tree = {root.clone(): [0, 0.0]}
        for _ in range(200):
            game = root.clone()
            while not game.is_over and len(game.events()) < len(root.events()) + 12:
                game.step(dice.choice(game.legal_actions()))
                node = tree.setdefault(game.clone(), [0, 0.0])
                node[0] += 1
        with tempfile.TemporaryFile() as file:
            pickle.dump(tree, file)
            file.seek(0)
            again = pickle.load(file)
        self.assertGreater(len(tree), 100)
        self.assertEqual(again, tree)
        self.assertEqual(again[root][0], 0)

    def test_environments_of_pettingzoo(self):
        try:
            import pettingzoo  # noqa: F401
        except ImportError:
            self.skipTest("PettingZoo is not installed")
        aec, parallel = maumau.env("basic", 3, seed=4), maumau.parallel_env("spam", 3, seed=4)
        self.check(aec)
        self.check(parallel)
        aec.reset(seed=4)
        parallel.reset(seed=4)
        for _ in range(9):
            aec.step(int(aec.observe(aec.agent_selection)["action_mask"].argmax()))
            parallel.step({agent: int(parallel.game.mask(seat).argmax()) for seat, agent in enumerate(parallel.agents)})
        self.check(aec, agents_ahead)
        self.check(parallel)
        other = copy.deepcopy(aec)
        other.step(int(other.observe(other.agent_selection)["action_mask"].argmax()))
        self.assertNotEqual(other, aec)

    def test_vector_environments(self):
        for options in ({}, {"opponents": ["greedy"]}, {"opponents": ["random", "search:2"]}, {"opponents": [first]},
                        {"dtype": "float32", "threads": 2, "illegal": "price"}, {"universal": True}):
            env = maumau.vector("snap", 3, 5, seed=6, **options)
            self.check(env)
            env.step_at_random(3)
            for _ in range(40):
                env.step(env.random_actions())
            for way in COPIES[1:]:
                other = way(env)
                self.assertEqual(other, env)
                self.assertEqual(hash(other), hash(env))
                self.assertEqual(rows_ahead(other), rows_ahead(way(env)))
                self.assertNotEqual(other, env)
                self.assertEqual([way(env).row_seed(row) for row in range(5)], [env.row_seed(row) for row in range(5)])
                drawn, again = way(env), way(env)
                drawn.step_at_random(20)
                again.step_at_random(20)
                self.assertEqual(drawn.observation.tobytes(), again.observation.tobytes())

    def test_a_copy_of_a_vector_environment_goes_on_as_it_does(self):
        env = maumau.vector("skat-deluxe" if "skat-deluxe" in maumau.RULE_SETS else "basic", 4, 6, seed=6, opponents="greedy")
        for _ in range(30):
            env.step(env.random_actions())
        other = pickle.loads(pickle.dumps(env))
        self.assertEqual(rows_ahead(other), rows_ahead(env))
        self.assertEqual(other, env)

    def test_frames_of_a_record(self):
        record = maumau.play("greedy", "first", seed=1).record()
        frames = maumau.replay(record)
        again = pickle.loads(pickle.dumps(frames))
        self.assertEqual(again, frames)
        self.assertEqual(again[3].svg(), frames[3].svg())

    def test_other_processes(self):
        games = [played(name, 3) for name in maumau.RULE_SETS] + [played("basic", 2).observer(0).sample(1)]
        for method in ("spawn", "fork"):
            with self.subTest(method), multiprocessing.get_context(method).Pool(2) as pool:
                self.assertEqual(pool.map(in_child, games), [in_child(game) for game in games])

    def test_nonsense_raises_exceptions(self):
        game, env = played(), maumau.vector("basic", 2, 2, opponents=["greedy"])
        observer = game.observer(0)._observer
        for thing, states in (
                (game._game, ["", (), ("", None), ("[]", 1), ("[[0,{}]]", None), ("[[7,{\"do\":\"draw\"}]]", None),
                              ("[[0,{\"do\":\"wait\"}]]", None), ("[]", (9, "{}", None)), ("[]", (0, "{}", None)),
                              ("[]", (0, '{"events":[],"looks":[[3,[]]]}', None)),
                              ("[]", (0, '{"events":[],"looks":[]}', "sing")), ("[[255,{\"do\":\"draw\"}]]", None)]),
                (observer, ["", "[]", "{}", '{"events":[],"looks":[[18446744073709551615,[]]]}', 1]),
                (env._batch, [[], [(0, 0, b"")], [(0, 0, b"\xff\xff"), (0, 0, b"")], [(2**64, 0, b""), (0, 0, b"")], None])):
            for state in states:
                with self.subTest(type(thing).__name__, state=state):
                    self.assertRaises((ValueError, TypeError, IndexError, OverflowError), thing.__setstate__, state)
        env._batch.__setstate__([(2**64 - 1, 0, b""), (2**63, 2**64 - 1, b"")])
        env.step_at_random(500)
        self.assertRaises(ValueError, _native.unpacked_spec, "{}", 2, 1, False)
        for seats in (0, 1, 200):
            self.assertRaises(ValueError, _native.unpacked_spec, game.spec.rules_json(), seats, 1, False)


if __name__ == "__main__":
    unittest.main()
