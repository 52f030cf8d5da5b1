"""The games in OpenSpiel: its own tests, a playthrough, and its search bot."""

import copy
import pickle
import random
import unittest


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
