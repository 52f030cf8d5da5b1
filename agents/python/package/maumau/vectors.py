"""Many games per call in numpy arrays: `vector`, with Gymnasium's vector interface and a bare `step_into`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from . import _native
from .table import TableSpec, Value, spec

try:
    from gymnasium.vector import AutoresetMode, VectorEnv as _Base
except ImportError:  # Gymnasium is optional: the arrays are the same without it.
    _Base, AutoresetMode = object, None

Policy = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""A policy: observations and masks of some rows to their actions."""


class VectorEnv(_Base, Value):
    """Rows of games. Each row shows the next seat that is asked; a game that is over is followed by the next one at once.

    The arrays `observation`, `mask`, `seat`, `reward` (by seat, at the end of a game from -1 to 1) and `done` belong to the
    environment and are written anew by each step.
    """

    metadata = {"render_modes": [], "autoreset_mode": getattr(AutoresetMode, "SAME_STEP", None)}
    render_mode = None

    def __init__(self, table: TableSpec, games: int, seed: int | str, opponents: Sequence[str | Policy], threads: int,
                 dtype: Any, illegal: str) -> None:
        if illegal not in ("error", "price"):
            raise ValueError(f'illegal: {illegal!r}; "error" refuses an illegal action, "price" lets the rules charge for it')
        dtype = np.dtype(dtype)
        if dtype not in (np.dtype(np.uint8), np.dtype(np.float32)):
            raise ValueError(f"dtype: {dtype}; observations are uint8 or float32")
        for name, value in (("games", games), ("threads", threads)):
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
                raise TypeError(f"{name}: expected a whole number, found {type(value).__name__}")
            if value < 1:
                raise ValueError(f"{name}: {value}; at least one")
        if isinstance(opponents, str) or callable(opponents):
            opponents = [opponents]
        self.spec, self.num_envs = table, int(games)
        self._policies: dict[int, Policy] = {}
        self._closed = False
        mixed = [opponent for opponent in opponents if callable(opponent)]
        for opponent in opponents:
            if not (callable(opponent) or isinstance(opponent, str)):
                raise TypeError(f"opponents: expected names of bots or policies, found {type(opponent).__name__}")
        if mixed and len(mixed) != len(opponents):
            raise ValueError("opponents: either names of built-in bots or policies, not both")
        if mixed and len(mixed) not in (1, table.seats - 1):
            raise ValueError(f"opponents: {len(mixed)} of them; one for all other seats, or one for each of the "
                             f"{table.seats - 1}")
        if mixed:
            self._policies = {place: mixed[(place - 1) % len(mixed)] for place in range(1, table.seats)}
        bots = [] if mixed else list(opponents)
        self._single = bool(bots or mixed)
        self._batch = _native.Batch(table, self.num_envs, seed, bots, int(threads), illegal == "price")
        n = self.num_envs
        self.observation = np.zeros((n, table.observation), dtype)
        self.mask = np.zeros((n, table.actions), np.uint8)
        self.seat = np.zeros(n, np.uint8)
        self.reward = np.zeros((n, table.seats), np.float32)
        self.done = np.zeros(n, np.uint8)
        self._arrays = (self.observation, self.mask, self.seat, self.reward, self.done, None)
        self._random = np.random.default_rng(0)
        self._draw_from_masks()
        self._learner = np.arange(n) % table.seats
        self._batch.show(self._arrays)
        self._play_opponents()

    def _draw_from_masks(self) -> None:
        # All masks as one list of truth values, and where each row begins in it.
        self._legal = self.mask.reshape(-1).view(bool)
        self._begins = np.arange(0, self.num_envs * self.spec.actions + 1, self.spec.actions)

    def _values(self) -> tuple[Any, ...]:
        policies = tuple(self._policies.values())
        return (self._batch, self.observation.dtype, policies, self._learner.tobytes(), str(self._random.bit_generator.state),
                self._closed)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_legal", "_begins")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._draw_from_masks()

    # Made when they are asked for: the bounds of all rows take more memory than all arrays, and Gymnasium is optional.
    @functools.cached_property
    def single_observation_space(self) -> Any:
        return self._box((self.spec.observation,))

    @functools.cached_property
    def observation_space(self) -> Any:
        return self._box(self.observation.shape)

    @functools.cached_property
    def single_action_space(self) -> Any:
        from gymnasium.spaces import Discrete

        return Discrete(self.spec.actions)

    @functools.cached_property
    def action_space(self) -> Any:
        from gymnasium.spaces import MultiDiscrete

        return MultiDiscrete([self.spec.actions] * self.num_envs)

    def _box(self, shape: tuple[int, ...]) -> Any:
        from gymnasium.spaces import Box

        return Box(0, 255 if self.observation.dtype == np.uint8 else 255.0, shape, self.observation.dtype)

    def __repr__(self) -> str:
        return f"VectorEnv({self.spec.name!r}, seats={self.spec.seats}, games={self.num_envs})"

    def _open(self) -> None:
        if self._closed:
            raise RuntimeError("the environment is closed")

    def step_into(self, actions: np.ndarray) -> None:
        """Steps every row by its action (int64) and writes the arrays; nothing is allocated. A negative action leaves its row."""
        if self._closed:
            raise RuntimeError("the environment is closed")
        self._batch.step(actions, self._arrays)

    def step_at_random(self, steps: int = 1) -> None:
        """Steps every row `steps` times by legal actions, each equally likely, drawn without Python."""
        self._open()
        self._batch.step_at_random(steps, self._arrays)

    def random_actions(self) -> np.ndarray:
        """Draws a legal action for each row from the masks, all of them equally likely."""
        legal = self._legal.nonzero()[0]
        ends = legal.searchsorted(self._begins)
        first, count = ends[:-1], ends[1:] - ends[:-1]
        actions = legal[first + (self._random.random(self.num_envs) * count).astype(np.int64)]
        actions -= self._begins[:-1]
        return actions

    def row_seed(self, row: int) -> str:
        """The seed of the present game of a row, by which it can be played again anywhere."""
        return self._batch.seed(row)

    def _play_opponents(self) -> tuple[np.ndarray, np.ndarray]:
        reward, done = self.reward.copy(), self.done.copy()
        if not self._policies:
            return reward, done
        seats = self.spec.seats
        over = done > 0
        self._learner[over] = (self._learner[over] + 1) % seats
        last = self._arrays[5]
        final = None if last is None else last.copy()
        while True:
            place = (self.seat.astype(np.int64) - self._learner) % seats
            if not place.any():
                if final is not None:
                    last[:] = final
                return reward, done
            actions = np.full(self.num_envs, -1, np.int64)
            for number, policy in self._policies.items():
                rows = np.flatnonzero(place == number)
                if rows.size:
                    actions[rows] = policy(self.observation[rows], self.mask[rows])
            self._batch.step(actions, self._arrays)
            ended = self.done > 0
            # A row that ends twice before the learner is asked tells the first end.
            fresh = ended & (done == 0)
            reward[fresh] = self.reward[fresh]
            done[fresh] = self.done[fresh]
            if final is not None:
                final[fresh] = last[fresh]
            self._learner[ended] = (self._learner[ended] + 1) % seats

    def reset(self, *, seed: int | str | None = None, options: dict[str, Any] | None = None):
        """Begins anew: with the deals of `seed`, or those of the seed before."""
        self._open()
        self._batch.restart(seed)
        self._learner = np.arange(self.num_envs) % self.spec.seats
        self._batch.show(self._arrays)
        self._play_opponents()
        return self.observation.copy(), self._info(self.reward)

    def step(self, actions: Any):
        """As Gymnasium: observations, rewards, terminations, truncations, infos.

        Where all opponents are in the batch, the reward is that of the one seat that is shown; otherwise that of the seat that
        has just acted. `infos["rewards"]` holds those of all seats. A game whose last round was cut off by the turn cap is
        truncated; its reward follows from the hands as they stood. Of rows that ended `infos["final_obs"]` holds the last
        observation of the seat that acted, and `infos["_final_obs"]` says which they are; the next game is shown already.
        """
        self._open()
        actions = np.asarray(actions)
        if actions.dtype.kind not in "iu":
            raise TypeError(f"actions: expected whole numbers, found {actions.dtype}")
        actor = self.seat.astype(np.int64)
        if self._arrays[5] is None:
            self._arrays = (*self._arrays[:5], np.zeros((self.num_envs, self.spec.seats, self.spec.observation),
                                                            self.observation.dtype))
        self.step_into(np.ascontiguousarray(actions, np.int64))
        reward, done = self._play_opponents()
        own = reward[np.arange(self.num_envs), actor]
        ended = {"final_obs": self._arrays[5][np.arange(self.num_envs), actor], "_final_obs": done > 0}
        return self.observation.copy(), own, done == 1, done == 2, self._info(reward) | ended

    def _info(self, reward: np.ndarray) -> dict[str, Any]:
        return {"action_mask": self.mask.copy(), "seat": self.seat.copy(), "rewards": reward.copy()}

    def close(self, **_: Any) -> None:
        """Ends the environment; any other call is an error afterwards."""
        self._closed = True


def vector(rules: str | TableSpec = "basic", seats: int = 4, games: int = 64, *, seed: int | str = 0,
           opponents: Sequence[str | Policy] = (), threads: int = 1, dtype: Any = np.uint8, illegal: str = "error",
           rounds: int | None = 1, universal: bool = False, **options: Any) -> VectorEnv:
    """Many games of one table that are stepped together.

    `opponents` are names of built-in bots (`maumau.BOTS`, also `sample:200` for so many playouts a choice) or policies, one for all other seats or one for each; without
    them every seat is shown. With `illegal="price"` an illegal action costs what the rules say, as at the table.
    """
    table = spec(rules, seats, rounds=None if isinstance(rules, TableSpec) else rounds, universal=universal, **options)
    return VectorEnv(table, games, seed, opponents, threads, dtype, illegal)
