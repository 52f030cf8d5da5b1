"""The games in OpenSpiel: its own tests, a playthrough, and its search bot."""

import copy
import pickle
import random
import unittest
from pathlib import Path


class OpenSpiel(unittest.TestCase):
    def setUp(self):
        try:
            import pyspiel
        except ImportError:
            self.skipTest("open_spiel is not installed")
        import maumau.openspiel

        self.module, self.pyspiel = maumau.openspiel, pyspiel
        self.game = pyspiel.load_game("python_maumau(rules=basic,players=2,deals=20)")

    def test_its_own_basic_tests_pass(self):
        self.pyspiel.random_sim_test(self.game, num_sims=3, serialize=True, verbose=False)

    def test_states_are_values(self):
        state = self.game.new_initial_state()
        for action in (3, None, None, None, None):
            state.apply_action(state.legal_actions()[0] if action is None else action)
        sampled = self.module.resample(state, 1, random.Random(1))
        for one in (self.game.new_initial_state(), state, sampled):
            for other in (one.clone(), pickle.loads(pickle.dumps(one)), copy.deepcopy(one)):
                self.assertEqual((other, hash(other), str(other)), (one, hash(one), str(one)))
                self.assertEqual(other.legal_actions(), one.legal_actions())
        self.assertNotEqual(state, sampled)

    def test_a_state_in_the_midst_of_a_play_shows_its_steps_to_its_player_only(self):
        state, dice, met = self.pyspiel.load_game("python_maumau(rules=waterfall,players=2,deals=20)").new_initial_state(), random.Random(1), 0
        state.apply_action(1)
        while not state.is_terminal():
            before, player = state.clone(), state.current_player()
            state.apply_action(dice.choice(state.legal_actions()))
            if not state.is_terminal() and state.dealt.begun():
                met += 1
                self.assertNotEqual(state.information_state_string(player), before.information_state_string(player))
                self.assertEqual(state.information_state_string(1 - player), before.information_state_string(1 - player))
        self.assertGreater(met, 0)

    def test_compact_states_have_one_set_of_actions_and_are_short(self):
        game = self.pyspiel.load_game("python_maumau(rules=snap,players=3,deals=20,infostate=compact)")
        self.pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
        own, actions, met = random.Random(1), {}, 0
        for deal in range(6):
            state, log = game.new_initial_state(), self.pyspiel.load_game("python_maumau(rules=snap,players=3,deals=20)").new_initial_state()
            action = deal
            while not state.is_terminal() and met < 3000:
                state.apply_action(action)
                log.apply_action(action)
                if state.is_terminal():
                    break
                text, legal = state.information_state_string(), state.legal_actions()
                self.assertEqual(actions.setdefault((state.current_player(), text), legal), legal)
                self.assertLess(len(text), 600)
                self.assertNotIn(text, log.information_state_string())
                action, met = own.choice(legal), met + 1
        self.assertLess(len(actions), met)

    def test_compact_states_of_a_toy_table_are_fewer(self):
        from open_spiel.python.algorithms import cfr

        counts = []
        toy = next(folder / "examples/toy.toml" for folder in Path(__file__).resolve().parents if (folder / "examples/toy.toml").exists())
        for kind in ("log", "compact"):
            game = self.pyspiel.load_game("python_maumau", {"rules": str(toy), "players": 2, "deals": 4, "infostate": kind})
            solver = cfr.CFRPlusSolver(game)
            solver.evaluate_and_update_policy()
            counts.append(len(solver.average_policy().state_lookup))
        self.assertLess(counts[1], counts[0])

    def test_an_unknown_kind_of_state_is_refused(self):
        with self.assertRaisesRegex(Exception, "expected log or compact, found 'short'"):
            self.pyspiel.load_game("python_maumau", {"infostate": "short"})

    def test_a_playthrough_is_the_same_twice(self):
        from open_spiel.python.algorithms import generate_playthrough

        text = "python_maumau(rules=basic,players=2,deals=20)"
        one, other = (generate_playthrough.playthrough(text, None, seed=1) for _ in range(2))
        self.assertEqual(one, other)
        self.assertIn("IsTerminal() = True", one)

    def test_its_search_bot_plays(self):
        import numpy as np
        from open_spiel.python.algorithms import ismcts, mcts

        dice, own = np.random.RandomState(1), random.Random(1)
        bot = ismcts.ISMCTSBot(
            game=self.game, evaluator=mcts.RandomRolloutEvaluator(1, dice), uct_c=1.4, max_simulations=5,
            random_state=dice)
        bot.set_resampler(lambda state, player: self.module.resample(state, player, own))
        state = self.game.new_initial_state()
        state.apply_action(3)
        while not state.is_terminal():
            player = state.current_player()
            state.apply_action(bot.step(state) if player == 0 else own.choice(state.legal_actions()))
        self.assertEqual(sum(state.returns()), 0)


if __name__ == "__main__":
    unittest.main()
