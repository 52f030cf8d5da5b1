"""Episodes for Minari: one for each seat of each game, since a data set of Minari knows one agent.

    import maumau.minari
    maumau.minari.create("maumau/basic-v0", ["greedy", "first"], games=1000)
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from . import _native
from .game import Game
from .table import TableSpec, spec

Player = Callable[[np.ndarray, np.ndarray], np.ndarray] | str


def episodes(players: Sequence[Player], games: int, *, rules: str | TableSpec = "basic", seed: int = 0,
             rounds: int | None = 1, **options: Any) -> Iterator[dict[str, Any]]:
    """Plays games between policies and built-in bots, and keeps each seat's part of each: `observations` (one more than actions,
    the last one of the end), `action_masks`, `actions`, `rewards`, whether the turn cap `truncated` the game, and the `game` and `seat`.

    Seats change places from game to game. A decision whose action has no number, as some that rules refuse, is left out.
    """
    table = spec(rules, len(players), rounds=None if isinstance(rules, TableSpec) else rounds, **options)
    if table.seats != len(players):
        raise ValueError(f"players: {len(players)} of them at a table of {table.seats}")
    for number in range(games):
        game = Game(table, seed=seed + number)
        seated = [players[(seat + number) % table.seats] for seat in range(table.seats)]
        bots = {seat: _native.Player(table, player, seed + number, seat) for seat, player in enumerate(seated)
                if isinstance(player, str)}
        seen: list[tuple[list, list, list]] = [([], [], []) for _ in range(table.seats)]
        while (seat := game.turn) is not None:
            observation, mask = game.observation(seat), game.mask(seat).view(np.uint8)
            if seat in bots:
                action = game._game.act_by(bots[seat])
            else:
                action = int(seated[seat](observation[None], mask[None])[0])
                game.step(action, seat)
            if action is not None:
                for part, value in zip(seen[seat], (observation, mask, action)):
                    part.append(value)
        worth = game.rewards()
        for seat, (observations, masks, actions) in enumerate(seen):
            if not actions:
                continue
            rewards = np.zeros(len(actions), np.float32)
            rewards[-1] = worth[seat]
            yield {"game": number, "seat": seat, "observations": np.stack([*observations, game.observation(seat)]),
                   "action_masks": np.stack(masks), "actions": np.array(actions), "rewards": rewards,
                   "truncated": game.is_cut_off}


def _environment(table: TableSpec, players: Sequence[Player]) -> Any:
    """How Gymnasium makes the environment of the first player again, if all others are built-in bots."""
    import gymnasium

    from . import ENCODING_VERSION, RULE_SETS, register_envs

    register_envs()
    plain = table.name in RULE_SETS and table == spec(table.name, table.seats, rounds=table.rounds)
    if not plain or not all(isinstance(player, str) for player in players[1:]):
        return None
    made = copy.deepcopy(gymnasium.spec(f"maumau/{table.name}-v{ENCODING_VERSION}"))
    made.kwargs |= {"seats": table.seats, "opponents": list(players[1:]), "rounds": table.rounds}
    return made


def create(name: str, players: Sequence[Player], games: int, **options: Any):
    """Makes a data set of Minari of such episodes; `options` as for `episodes`. Of games by a built-in set as it stands against
    built-in bots `recover_environment` makes the environment of the first player again."""
    try:
        import minari
        from gymnasium.spaces import Box, Discrete
        from minari.data_collector import EpisodeBuffer
    except ImportError as error:
        raise ImportError("maumau.minari.create needs Minari: pip install 'minari[create,hdf5]'") from error
    rules = options.pop("rules", "basic")
    if not isinstance(rules, TableSpec):
        own = {key: options.pop(key) for key in list(options) if key != "seed"}
        rules = spec(rules, len(players), **{"rounds": 1, **own})

    def buffer(number, episode):
        ends = np.zeros(len(episode["actions"]), bool)
        truncations = ends.copy()
        (truncations if episode["truncated"] else ends)[-1] = True
        return EpisodeBuffer(id=number, observations=episode["observations"], actions=episode["actions"],
                             rewards=episode["rewards"], terminations=ends, truncations=truncations)

    return minari.create_dataset_from_buffers(
        dataset_id=name, env=_environment(rules, players), buffer=[buffer(*pair) for pair in enumerate(episodes(players, games, rules=rules, **options))],
        observation_space=Box(0, 255, (rules.observation,), np.uint8), action_space=Discrete(rules.actions))
