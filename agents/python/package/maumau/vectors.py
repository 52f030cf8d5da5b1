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


AUTORESET = ("same_step", "next_step", "disabled")
"""When a game that is over is followed by the next one, in the words of Gymnasium."""


class VectorEnv(Value, _Base):
    """Rows of games. Each row shows the next seat that is asked; a game that is over is followed by the next one at once.

    The arrays `observation`, `mask`, `seat`, `reward` (by seat, at the end of a game from -1 to 1) and `done` belong to the
    environment and are overwritten by each step.
    """

    render_mode = None

    def __init__(self, table: TableSpec, games: int, seed: int | str, opponents: Sequence[str | Policy], threads: int,
                 dtype: Any, illegal: str, autoreset: str) -> None:
        if autoreset not in AUTORESET:
            raise ValueError(f"autoreset: {autoreset!r}; known are {', '.join(AUTORESET)}")
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
        self.num_envs, self.autoreset = int(games), autoreset
        # `gymnasium.make_vec` overwrites `spec` with its own; `table` stays ours.
        self.table = self.spec = table
        self.metadata = {"render_modes": [], "autoreset_mode": getattr(AutoresetMode, autoreset.upper(), None)}
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
        # Rows whose game has ended and whose next one has not been shown by `step`.
        self._ended = np.zeros(n, bool)
        self._batch.show(self._arrays)
        self._play_opponents()

    def _draw_from_masks(self) -> None:
        # All masks as one list of truth values, and where each row begins in it.
        self._legal = self.mask.reshape(-1).view(bool)
        self._begins = np.arange(0, self.num_envs * self.table.actions + 1, self.table.actions)

    def _values(self) -> tuple[Any, ...]:
        policies = tuple(self._policies.values())
        return (self._batch, self.observation.dtype, policies, self._learner.tobytes(), str(self._random.bit_generator.state),
                self._closed, self.autoreset, self._ended.tobytes())

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("_legal", "_begins")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._draw_from_masks()

    # Made when they are asked for: the bounds of all rows take more memory than all arrays, and Gymnasium is optional.
    @functools.cached_property
    def single_observation_space(self) -> Any:
        return self._box((self.table.observation,))

    @functools.cached_property
    def observation_space(self) -> Any:
        return self._box(self.observation.shape)

    @functools.cached_property
    def single_action_space(self) -> Any:
        from gymnasium.spaces import Discrete

        return Discrete(self.table.actions)

    @functools.cached_property
    def action_space(self) -> Any:
        from gymnasium.spaces import MultiDiscrete

        return MultiDiscrete([self.table.actions] * self.num_envs)

    def _box(self, shape: tuple[int, ...]) -> Any:
        from gymnasium.spaces import Box

        return Box(0, 255 if self.observation.dtype == np.uint8 else 255.0, shape, self.observation.dtype)

    def __repr__(self) -> str:
        return f"VectorEnv({self.table.name!r}, seats={self.table.seats}, games={self.num_envs})"

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
        seats = self.table.seats
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
            # A row that ends twice before the learner is asked shows the first end.
            fresh = ended & (done == 0)
            reward[fresh] = self.reward[fresh]
            done[fresh] = self.done[fresh]
            if final is not None:
                final[fresh] = last[fresh]
            self._learner[ended] = (self._learner[ended] + 1) % seats

    def reset(self, *, seed: int | str | None = None, options: dict[str, Any] | None = None):
        """Begins again with the deals of `seed`; without one, with those of the last seed. With `options={"reset_mask": rows}` and no
        `seed`, each row for which the array is true begins its next game, even if the present one has not ended."""
        self._open()
        rows = (options or {}).get("reset_mask")
        if rows is None:
            self._batch.restart(seed)
            self._learner = np.arange(self.num_envs) % self.table.seats
            self._ended[:] = False
        else:
            self._begin_next(rows, seed)
        self._batch.show(self._arrays)
        self._play_opponents()
        return self.observation.copy(), self._info(self.reward)

    def _begin_next(self, rows: Any, seed: Any) -> None:
        if not isinstance(rows, np.ndarray) or rows.dtype != bool:
            raise TypeError(f"reset_mask: expected a numpy array of bool, found {type(rows).__name__}")
        if rows.shape != (self.num_envs,) or not rows.any():
            raise ValueError(f"reset_mask: expected {self.num_envs} values, at least one of them true")
        if seed is not None:
            raise ValueError("seed: the next games of some rows follow from the seed of all")
        given_up = rows & ~self._ended
        self._batch.begin_next(np.flatnonzero(given_up).tolist())
        self._learner[given_up] = (self._learner[given_up] + 1) % self.table.seats
        self._ended &= ~rows

    def step(self, actions: Any):
        """As Gymnasium: observations, rewards, terminations, truncations, infos.

        Where all opponents are in the batch, the reward is that of the one seat that is shown; otherwise that of the seat that
        has just acted. `infos["rewards"]` holds those of all seats. A game whose last round was cut off by the turn cap is
        truncated; its reward follows from the hands as they stood.

        With `autoreset="same_step"` a row that ended shows its next game already; `infos["final_obs"]` holds the last
        observation of the seat that acted, `infos["final_info"]` its seat and the rewards, and `infos["_final_obs"]` says which rows
        these are. With `"next_step"` it shows that last observation, and the next game after the following step, whose action
        for it is passed over and whose reward is 0. With `"disabled"` it waits for a reset with `options={"reset_mask": ...}`.

        Raises `maumau.IllegalAction` (then no row is stepped), `TypeError` and `ValueError` for actions that are none, and
        `ValueError` for a row that waits for its reset.
        """
        self._open()
        actions = np.asarray(actions)
        if actions.dtype.kind not in "iu":
            raise TypeError(f"actions: expected whole numbers, found {actions.dtype}")
        actor, waits = self.seat.astype(np.int64), self._ended
        if waits.any():
            if self.autoreset == "disabled":
                raise ValueError(f"rows {np.flatnonzero(waits).tolist()} have ended: reset them, options={{'reset_mask': ...}}")
            actions = np.where(waits, -1, actions)
        if self._arrays[5] is None:
            self._arrays = (*self._arrays[:5], np.zeros((self.num_envs, self.table.seats, self.table.observation),
                                                            self.observation.dtype))
        self.step_into(np.ascontiguousarray(actions, np.int64))
        reward, done = self._play_opponents()
        own, over = reward[np.arange(self.num_envs), actor], done > 0
        observation, info = self.observation.copy(), self._info(reward)
        last = self._arrays[5]
        if self.autoreset == "same_step":
            final = np.full(self.num_envs, None, object)
            for row in np.flatnonzero(over):
                final[row] = last[row, actor[row]].copy()
            finals = {"seat": actor.astype(np.uint8), "_seat": over, "rewards": info["rewards"], "_rewards": over}
            info |= {"final_obs": final, "_final_obs": over, "final_info": finals, "_final_info": over}
        else:
            observation[over], info["seat"][over] = last[over, actor[over]], actor[over]
            info["action_mask"][over] = 0
            info["action_mask"][over, self.table.wait] = 1
            self._ended = over
        return observation, own, done == 1, done == 2, info

    def _info(self, reward: np.ndarray) -> dict[str, Any]:
        every = np.ones(self.num_envs, bool)
        return {"action_mask": self.mask.copy(), "_action_mask": every, "seat": self.seat.copy(), "_seat": every,
                "rewards": reward.copy(), "_rewards": every}

    def close(self, **_: Any) -> None:
        """Ends the environment; any other call is an error afterwards."""
        self._closed = True


def vector(rules: str | TableSpec = "basic", seats: int = 4, games: int = 64, *, seed: int | str = 0,
           opponents: Sequence[str | Policy] = (), threads: int = 1, dtype: Any = np.uint8, illegal: str = "error",
           autoreset: str = "same_step", rounds: int | None = 1, universal: bool = False, **options: Any) -> VectorEnv:
    """Many games of one table that are stepped together.

    Parameters
    ----------
    rules, seats, options
        A built-in set or the path of a rule file, the number of seats, and table options by name.
    games
        Rows: games that go on side by side, 1 to 1,048,576.
    seed
        A whole number or 64 hexadecimal digits. The games of a row follow from it and from the number of the row.
    opponents
        Names of built-in bots (`maumau.BOTS`; `sample:200` makes so many playouts a choice) or policies: one for all other seats,
        or one for each. Without them every seat is shown.
    threads
        Threads of a step, 1 to 256.
    dtype
        `uint8` or `float32`, for observations.
    illegal
        `"error"` raises `maumau.IllegalAction` with the row and the clause; with `"price"` an illegal action costs what the rules say,
        as at the table.
    autoreset
        When `step` shows the next game of a row that ended: `"same_step"`, `"next_step"`, or `"disabled"`, after a reset of the row.
        `step_into` always goes on in the same step.
    rounds
        Rounds of a match; `None` for those of the rule set.
    universal
        The encoding that all rule sets and numbers of seats share.

    Notes
    -----
    The environment has these arrays, which every step overwrites (n rows, s seats; `env.table` has the sizes):

    | array | shape | dtype | holds |
    |---|---|---|---|
    | `observation` | (n, observation) | `dtype` | what the shown seat may know, 0 to 255 |
    | `mask` | (n, actions) | uint8 | 1 for each legal action |
    | `seat` | (n,) | uint8 | the seat that is shown |
    | `reward` | (n, s) | float32 | at the end of a game what it was worth, -1 to 1; otherwise 0 |
    | `done` | (n,) | uint8 | 1 if a game ended in this step, 2 if its turn cap ended it |

    Examples
    --------
    >>> import maumau
    >>> env = maumau.vector("basic", seats=4, games=8, seed=1)
    >>> env.step_into(env.random_actions())
    >>> env.observation.shape, env.mask.shape, env.reward.shape
    ((8, 211), (8, 55), (8, 4))
    """
    table = spec(rules, seats, rounds=None if isinstance(rules, TableSpec) else rounds, universal=universal, **options)
    return VectorEnv(table, games, seed, opponents, threads, dtype, illegal, autoreset)
