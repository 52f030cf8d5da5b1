"""PettingZoo: `aec_env`, in which seats answer one at a time, and `parallel_env`, in which all act at once.

Seats that can act out of turn are asked in the order of SPEC 7.3, each observing the game as of the offer: what others
answer to the same offer is taken up when all have answered.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .bots import MODES, rendered
from .game import Game
from .table import TableSpec, Value, spec

try:
    from gymnasium.spaces import Box, Dict, Discrete
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as error:
    raise ImportError("maumau.env needs PettingZoo: pip install pettingzoo") from error


class _Table(Value):
    """What both environments have in common: agents, spaces, seeds and pictures."""

    def _init(self, table: TableSpec, seed: int | str | None, render_mode: str | None, illegal: str) -> None:
        if render_mode is not None and render_mode not in MODES:
            raise ValueError(f"render_mode: {render_mode!r}; known are {', '.join(MODES)}")
        if illegal not in ("error", "price"):
            raise ValueError(f'illegal: {illegal!r}; "error" refuses an illegal action, "price" lets the rules charge for it')
        self.spec_of_table, self.render_mode, self._illegal = table, render_mode, illegal
        self.possible_agents = [f"seat_{seat}" for seat in range(table.seats)]
        self.agents: list[str] = []
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._game = None
        self._seeds = np.random.default_rng(0)
        self._first_seed = seed
        observation = Box(0, 255, (table.observation,), np.uint8)
        space = Dict({"observation": observation, "action_mask": Box(0, 1, (table.actions,), np.int8)})
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: Discrete(table.actions) for agent in self.possible_agents}

    def _values(self) -> tuple[Any, ...]:
        selected = getattr(self, "agent_selection", None)
        return (self.spec_of_table, self._illegal, self.render_mode, self._first_seed, str(self._seeds.bit_generator.state), self._game,
                tuple(self.agents), selected)

    def observation_space(self, agent: str):
        """The space of the observations of `agent`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str):
        """The space of the actions of `agent`."""
        return self.action_spaces[agent]

    def _begin(self, seed: int | str | None) -> None:
        if seed is None:
            seed = self._first_seed
        self._first_seed = None
        if isinstance(seed, (int, np.integer)) and not isinstance(seed, bool):
            self._seeds = np.random.default_rng(abs(int(seed)))
            seed = int(seed)
        if seed is None:
            seed = int(self._seeds.integers(2**63))
        self._game = Game(self.spec_of_table, seed=seed)
        self.agents = self.possible_agents[:]

    @property
    def game(self) -> Game:
        """The game that is played."""
        if self._game is None:
            raise RuntimeError("the environment must be reset first")
        return self._game

    def _observe(self, seat: int) -> dict[str, np.ndarray]:
        return {"observation": self.game.observation(seat), "action_mask": self.game.mask(seat)}

    def _worth(self) -> dict[str, float]:
        return dict(zip(self.possible_agents, self.game.rewards()))

    def render(self):
        """The table with all hands: printed, as a text, or as an array of pixels."""
        return rendered(self.game, self.render_mode)

    def close(self) -> None:
        """Ends the environment; it can be reset again."""
        self._game = None
        self.agents = []


class AecEnv(_Table, AECEnv):
    """One seat answers at a time."""

    metadata = {"name": "maumau_v1", "render_modes": list(MODES), "is_parallelizable": False, "render_fps": 2}

    def __init__(self, table: TableSpec, seed: int | str | None = None, render_mode: str | None = None,
                 illegal: str = "error") -> None:
        super().__init__()
        self._init(table, seed, render_mode, illegal)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game."""
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.game.turn or 0]
        self._skip_agent_selection = None

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What `agent` may know, and its legal actions; only `wait` if it is not asked."""
        return self._observe(self._seat[agent])

    def step(self, action: int | None) -> None:
        """The answer of the agent that is selected."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return self._was_dead_step(action)
        if action is None or isinstance(action, (bool, float, str)):
            raise TypeError(f"action: expected a whole number, found {type(action).__name__}")
        self.game.step(int(action), self._seat[agent], illegal=self._illegal)
        self._cumulative_rewards[agent] = 0.0
        if self.game.is_over:
            self.rewards = self._worth()
            ends = self.truncations if self.game.is_cut_off else self.terminations
            ends.update(dict.fromkeys(self.agents, True))
            self._accumulate_rewards()
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.possible_agents[self.game.turn]
        if self.render_mode == "human":
            self.render()


class ParallelTable(_Table, ParallelEnv):
    """All seats act at once: those that are not asked can only `wait`, and their actions are passed over."""

    metadata = {"name": "maumau_v1", "render_modes": list(MODES), "render_fps": 2}

    def __init__(self, table: TableSpec, seed: int | str | None = None, render_mode: str | None = None,
                 illegal: str = "error") -> None:
        self._init(table, seed, render_mode, illegal)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None):
        """Begins a new game."""
        self._begin(seed)
        return self._all(), {agent: {} for agent in self.agents}

    def _all(self) -> dict[str, dict[str, np.ndarray]]:
        return {agent: self._observe(self._seat[agent]) for agent in self.agents}

    def step(self, actions: dict[str, int]):
        """The answers of all seats to one offer."""
        asked = self.game.asked
        missing = [self.possible_agents[seat] for seat in asked if self.possible_agents[seat] not in actions]
        if missing:
            raise KeyError(f"actions: none of {', '.join(missing)}, which are asked")
        for seat in asked:
            self.game.step(int(actions[self.possible_agents[seat]]), seat, illegal=self._illegal)
        over = self.game.is_over
        agents = self.agents
        rewards = self._worth() if over else dict.fromkeys(agents, 0.0)
        observations = self._all()
        if over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        cut_off = self.game.is_cut_off
        return (observations, rewards, dict.fromkeys(agents, over and not cut_off), dict.fromkeys(agents, cut_off),
                {agent: {} for agent in agents})


def _table(rules, seats, rounds, universal, options) -> TableSpec:
    return spec(rules, seats, rounds=None if isinstance(rules, TableSpec) else rounds, universal=universal, **options)


def aec_env(rules: str | TableSpec = "basic", seats: int = 4, seed: int | str | None = None, *,
            render_mode: str | None = None, illegal: str = "error", rounds: int | None = 1, universal: bool = False,
            **options: Any) -> AecEnv:
    """One game for PettingZoo's AEC interface."""
    return AecEnv(_table(rules, seats, rounds, universal, options), seed, render_mode, illegal)


def parallel_env(rules: str | TableSpec = "basic", seats: int = 4, seed: int | str | None = None, *,
                 render_mode: str | None = None, illegal: str = "error", rounds: int | None = 1, universal: bool = False,
                 **options: Any) -> ParallelTable:
    """One game for PettingZoo's parallel interface."""
    return ParallelTable(_table(rules, seats, rounds, universal, options), seed, render_mode, illegal)


env = aec_env
