"""One seat of a table for Gymnasium: the other seats are played by bots or policies.

    import gymnasium, maumau
    env = gymnasium.make("maumau/basic-v1", opponents=["greedy"])
    rows = gymnasium.make_vec("maumau/basic-v1", num_envs=64, opponents=["greedy"])

There is an id for each built-in rule set; its version is that of the encoding (`maumau.ENCODING_VERSION`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import _native, register_envs
from .bots import MODES, rendered
from .game import Game
from .table import TableSpec, Value, spec
from .vectors import VectorEnv, vector

try:
    from gymnasium import Env
    from gymnasium.spaces import Box, Discrete
except ImportError as error:
    raise ImportError("maumau.gymnasium needs Gymnasium: pip install gymnasium") from error

Player = str | Callable[[np.ndarray, np.ndarray], np.ndarray]
"""The name of a built-in bot (`maumau.BOTS`), or a policy: observations and masks of some rows to their actions."""


def _opponents(opponents: Player | Sequence[Player], seats: int | None) -> tuple[tuple[Player, ...], int]:
    """The opponents as a tuple, and the seats of the table: those asked for, or one for each opponent and one more."""
    opponents = (opponents,) if isinstance(opponents, str) or callable(opponents) else tuple(opponents)
    if not opponents:
        raise ValueError("opponents: none; name at least one of " + ", ".join(_native.BOTS))
    for opponent in opponents:
        if not (isinstance(opponent, str) or callable(opponent)):
            raise TypeError(f"opponents: expected names of bots or policies, found {type(opponent).__name__}")
    return opponents, len(opponents) + 1 if seats is None else seats


class SingleAgentEnv(Env, Value):
    """The table as one seat sees it, until the game is over.

    Parameters
    ----------
    rules, options
        A built-in set or the path of a rule file, and its table options by name.
    seats
        Seats of the table; by default one more than opponents.
    opponents
        Names of built-in bots or policies: one for all other seats, or one for each, clockwise from the agent.
    seat
        The seat of the agent; by default another one in each game, drawn at random.
    illegal
        What an action outside the mask does: `"lose"` ends the game with the reward -1 and the reason as `info["illegal"]`,
        `"error"` raises `maumau.IllegalAction`, `"price"` lets the rules charge for it (and raises where they name no price).
    rounds
        Rounds of a match; `None` for those of the rule set.
    universal
        The encoding that all rule sets and numbers of seats share.
    render_mode
        `"human"`, `"ansi"` or `"rgb_array"`.

    Notes
    -----
    An observation is a vector of `uint8`, an action a number (`maumau.spec(...)` lists the blocks of both). The mask of legal
    actions is `info["action_mask"]` (`int8`) and `action_masks()` (`bool`). The reward is 0 until the game is over, and then from -1
    to 1: the share of opponents beaten less the share that won. A game that its turn cap ended is truncated.

    Examples
    --------
    >>> import gymnasium, maumau
    >>> env = gymnasium.make("maumau/basic-v1", opponents=["greedy", "first"])
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, observation.dtype, env.action_space
    ((193,), dtype('uint8'), Discrete(55))
    >>> action = env.action_space.sample(mask=info["action_mask"])
    >>> observation, reward, terminated, truncated, info = env.step(action)
    """

    metadata = {"render_modes": list(MODES), "render_fps": 2}

    def __init__(self, rules: str | TableSpec = "basic", seats: int | None = None,
                 opponents: Player | Sequence[Player] = ("greedy",), *, seat: int | None = None, render_mode: str | None = None,
                 illegal: str = "lose", rounds: int | None = 1, universal: bool = False, **options: Any) -> None:
        self._opponents, seats = _opponents(opponents, rules.seats if isinstance(rules, TableSpec) else seats)
        self.table = spec(rules, seats, rounds=None if isinstance(rules, TableSpec) else rounds, universal=universal, **options)
        if len(self._opponents) not in (1, self.table.seats - 1):
            raise ValueError(f"opponents: {len(self._opponents)} of them; one for all other seats, or one for each of the "
                             f"{self.table.seats - 1}")
        if seat is not None and seat not in range(self.table.seats):
            raise ValueError(f"seat: {seat!r}; seats are 0 to {self.table.seats - 1}")
        if illegal not in ("lose", "error", "price"):
            raise ValueError(f'illegal: {illegal!r}; known are "lose", "error" and "price"')
        if render_mode is not None and render_mode not in MODES:
            raise ValueError(f"render_mode: {render_mode!r}; known are {', '.join(MODES)}")
        for opponent in self._opponents:
            if isinstance(opponent, str):
                _native.Player(self.table, opponent, 0, 0)
        self._fixed_seat, self._illegal, self.render_mode = seat, illegal, render_mode
        self._game: Game | None = None
        self._seat, self._lost, self._players = 0, False, {}
        self.observation_space = Box(0, 255, (self.table.observation,), np.uint8)
        self.action_space = Discrete(self.table.actions)

    def _values(self) -> tuple[Any, ...]:
        dice = None if self._np_random is None else str(self._np_random.bit_generator.state)
        return (self.table, self._opponents, self._fixed_seat, self._illegal, self.render_mode, dice, self._game, self._seat,
                self._lost)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_players": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self._game is not None:
            self._seat_players()
            for player in self._players.values():
                if not callable(player):
                    player.resume(self._game._game)

    @property
    def game(self) -> Game:
        """The game that is played; over, it has a record."""
        if self._game is None:
            raise RuntimeError("the environment must be reset first")
        return self._game

    @property
    def seat(self) -> int:
        """The seat of the agent in this game."""
        return self._seat

    def _seat_players(self) -> None:
        self._players = {}
        for place in range(1, self.table.seats):
            opponent, seat = self._opponents[(place - 1) % len(self._opponents)], (self._seat + place) % self.table.seats
            self._players[seat] = (_native.Player(self.table, opponent, self.game.seed, seat) if isinstance(opponent, str)
                                   else opponent)

    def _play_opponents(self) -> None:
        game = self.game
        while (seat := game.turn) is not None and seat != self._seat:
            player = self._players[seat]
            if callable(player):
                game.step(int(player(game.observation(seat)[None], game.mask(seat).view(np.uint8)[None])[0]), seat)
            else:
                game._game.act_by(player)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None):
        """Begins a game: that of `seed`, as the arena plays it, or the next one. `options` has no members."""
        super().reset(seed=seed)
        self._lost = False
        while True:
            own = int(self.np_random.integers(2**63)) if seed is None else seed
            self._game, seed = Game(self.table, seed=own), None
            self._seat = int(self.np_random.integers(self.table.seats)) if self._fixed_seat is None else self._fixed_seat
            self._seat_players()
            self._play_opponents()
            # Rarely a game is over before the agent is asked.
            if not self._game.is_over:
                return self._shown()

    def step(self, action: int):
        """The answer of the agent, and those of all others until it is asked again.

        Raises `maumau.IllegalAction` with `illegal="error"`, `IndexError` for a number that no action has, and `ValueError` once
        the game is over.
        """
        if self._lost:
            raise ValueError("the game is over: reset the environment")
        try:
            self.game.step(action, self._seat, illegal="price" if self._illegal == "price" else "error")
        except _native.IllegalAction as error:
            if self._illegal != "lose":
                raise
            self._lost = True
            observation, info = self._shown()
            return observation, -1.0, True, False, info | {"illegal": str(error)}
        self._play_opponents()
        observation, info = self._shown()
        over, cut_off = self.game.is_over, self.game.is_cut_off
        if self.render_mode == "human":
            self.render()
        return observation, self.game.rewards()[self._seat] if over else 0.0, over and not cut_off, cut_off, info

    def _shown(self):
        return self.game.observation(self._seat), {"action_mask": self.game.mask(self._seat), "seat": self._seat}

    def action_masks(self) -> np.ndarray:
        """The legal actions as truth values, as MaskablePPO of sb3-contrib asks for them; only `wait` when the game is over."""
        return self.game.mask(self._seat).view(bool)

    def render(self):
        """The table with all hands: printed, as a text, or as an array of pixels."""
        return rendered(self.game, self.render_mode)

    def close(self) -> None:
        """Ends the environment; it can be reset again."""
        self._game, self._players = None, {}


def vector_env(num_envs: int = 1, rules: str | TableSpec = "basic", seats: int | None = None,
               opponents: Player | Sequence[Player] = ("greedy",), **options: Any) -> VectorEnv:
    """`maumau.vector` with the defaults of `SingleAgentEnv`, for `gymnasium.make_vec`; `options` as there."""
    opponents, seats = _opponents(opponents, rules.seats if isinstance(rules, TableSpec) else seats)
    return vector(rules, seats, num_envs, opponents=opponents, **options)


register_envs()
