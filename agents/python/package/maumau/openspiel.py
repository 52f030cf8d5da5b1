"""The games in OpenSpiel's Python API: import this module, then `pyspiel.load_game("python_maumau")`.

Parameters: `rules`, `players`, and `deals`, the number of equally likely deals at the chance node in which a game begins.
All cards follow from the deal, so there is no other chance node.

`infostate` says what an information state string holds. `"log"`, the default, is everything that the player has seen, with perfect
recall. `"compact"` is the position: the observation, which has the cards of the open discard pile, and the legal actions. It
forgets the order in which cards were played and by whom, who drew when, what others could not or did not play, what was
seen of their hands, and shuffles. States that differ only in that are one, so learning by table is faster, but best responses
and exploitability by it are those of a player who forgets the same, not those of the game.

>>> import pyspiel, maumau.openspiel
>>> game = pyspiel.load_game("python_maumau(rules=basic,players=2,infostate=compact)")
>>> state = game.new_initial_state()
>>> state.apply_action(3)
>>> len(state.information_state_string(0)) < 500
True

`resample` is a resampler for OpenSpiel's search bots: it makes a state that agrees with everything that a player has seen.
"""

from __future__ import annotations

import json
import random

import numpy as np

from .game import Game
from .table import Value, spec

try:
    import pyspiel
except ImportError as error:
    raise ImportError("maumau.openspiel needs OpenSpiel: pip install open_spiel") from error

_TYPE = pyspiel.GameType(
    short_name="python_maumau",
    long_name="Mau-Mau",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=16,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rules": "basic", "players": 2, "deals": 1000, "infostate": "log"},
)
_MOST_ACTIONS = 100_000


class MauMauGame(pyspiel.Game):
    """One table."""

    def __init__(self, params=None):
        params = {"rules": "basic", "players": 2, "deals": 1000, "infostate": "log", **(params or {})}
        if params["infostate"] not in ("log", "compact"):
            raise ValueError(f"infostate: expected log or compact, found {params['infostate']!r}")
        self.table = spec(params["rules"], params["players"], rounds=1)
        self.deals, self.compact = params["deals"], params["infostate"] == "compact"
        info = pyspiel.GameInfo(
            num_distinct_actions=max(self.table.actions, self.deals),
            max_chance_outcomes=self.deals,
            num_players=self.table.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=_MOST_ACTIONS,
        )
        super().__init__(_TYPE, info, params)

    def new_initial_state(self):
        """A game that has not been dealt."""
        return MauMauState(self)

    def make_py_observer(self, iig_obs_type=None, params=None):
        """What a player may know."""
        return MauMauObserver(self.table, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), self.compact)


class MauMauState(pyspiel.State, Value):
    """A position."""

    def __init__(self, game, dealt=None, before=()):
        super().__init__(game)
        self.seats, self.deals = game.table.seats, game.deals
        self.dealt = dealt
        # What had been seen when the position was sampled.
        self.before = list(before)

    def _values(self):
        return str(self.get_game()), self.dealt, json.dumps(self.before)

    def current_player(self):
        """The seat that answers next."""
        if self.dealt is None:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.dealt.is_over else self.dealt.turn

    def _legal_actions(self, player):
        return self.dealt.legal_actions(player)

    def chance_outcomes(self):
        """The deals."""
        return [(deal, 1.0 / self.deals) for deal in range(self.deals)]

    def _apply_action(self, action):
        if self.dealt is None:
            self.dealt = Game(self.get_game().table, seed=action)
        else:
            self.dealt.step(action)

    def _action_to_string(self, player, action):
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else self.dealt.action_name(action)

    def is_terminal(self):
        """Whether the game is over."""
        return self.dealt is not None and self.dealt.is_over

    def returns(self):
        """From -1 to 1 at the end of the game."""
        return self.dealt.rewards() if self.is_terminal() else [0.0] * self.seats

    def __deepcopy__(self, memo):
        # `clone()` of OpenSpiel: a copy with the same hidden cards.
        return MauMauState(self.get_game(), self.dealt and self.dealt.clone(), self.before)

    def __str__(self):
        return "not dealt" if self.dealt is None else json.dumps(self.dealt.events())


class MauMauObserver:
    """Observations as numbers and as text; with perfect recall, all events that the player has seen, or what `compact` keeps."""

    def __init__(self, table, kind, compact=False):
        self.table, self.kind, self.compact = table, kind, compact
        self.tensor = np.zeros(table.observation, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state, player):
        """Writes the observation of `player`."""
        self.tensor[:] = 0 if state.dealt is None else state.dealt.observation(player)

    def string_from(self, state, player):
        """The observation of `player` as text."""
        if state.dealt is None:
            return "not dealt"
        if self.kind.perfect_recall and self.compact:
            observation = state.dealt.observation(player)
            numbers = " ".join(f"{at}:{observation[at]}" for at in np.flatnonzero(observation))
            return f"{numbers} | {' '.join(map(str, state.dealt.legal_actions(player)))}"
        if self.kind.perfect_recall:
            return json.dumps([state.before + state.dealt.events(player), *self._present(state.dealt, player)])
        return json.dumps(self._present(state.dealt, player))

    def _present(self, game, player):
        begun = [game.action_name(step) for step in game.begun(player)]
        return [game.view(player), game.asked_for(player), *([begun] if begun else [])]


def resample(state, player, random=random):
    """A state that agrees with everything that `player` has seen."""
    game = state.dealt.observer(player).sample(random.getrandbits(32))
    return MauMauState(state.get_game(), game, state.dealt.events(player))


pyspiel.register_game(_TYPE, MauMauGame)
