"""From a policy to a bot that plays in the arena, games between policies and bots, and how a game is shown."""

from __future__ import annotations

import base64
import html
import io
import json
import pickle
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from . import _native, kit
from .game import Game
from .table import TableSpec, spec

_NUMBERED = {"play", "draw", "pass", "wait", "choose", "say", "take", "call", "look", "end_point_of_order", "challenge",
             "deal", "deal_penalties", "turn_up"}
_MOVING_DISCARDS = {"round_started", "turned_up", "played", "drew", "reshuffled", "taken_back"}

_BOT = '''#!/usr/bin/env {python}
"""A bot of the maumau arena, made by `maumau.export_bot` from a policy."""

import base64
import pickle

from maumau.bots import serve

POLICY = base64.b85decode({policy!r})

if __name__ == "__main__":
    serve(pickle.loads(POLICY), name={name!r}, universal={universal!r})
'''


def export_bot(policy: Callable[[np.ndarray, np.ndarray], np.ndarray], path: str | Path, *, name: str | None = None,
               universal: bool = False) -> Path:
    """Writes a program that plays `policy` in the arena: `maumau check -- python3 PATH`.

    `policy` takes observations and masks of some games and returns their actions; where a play takes several steps, it is asked
    for each of them. It is pickled: with `cloudpickle`, which also takes functions, together with the module that it is defined
    in; without, that module is imported by the bot.
    """
    if not callable(policy):
        raise TypeError(f"policy: expected a function, found {type(policy).__name__}")
    path = Path(path)
    packed = base64.b85encode(_pickled(policy)).decode()
    text = _BOT.format(python="python3", policy=packed, name=name or path.stem, universal=universal)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def _pickled(policy: Any) -> bytes:
    try:
        import cloudpickle
    except ImportError:
        return pickle.dumps(policy)
    module = sys.modules.get(getattr(policy, "__module__", None) or type(policy).__module__)
    by_value = module is not None and module.__name__.partition(".")[0] not in ("__main__", "builtins", "maumau", "torch")
    if by_value:
        cloudpickle.register_pickle_by_value(module)
    try:
        return cloudpickle.dumps(policy)
    finally:
        if by_value:
            cloudpickle.unregister_pickle_by_value(module)


class _PolicyBot(kit.Bot):
    """The player of one game: turns each ask into numbers, and the numbers of the policy into an action, a play of several
    cards in several steps."""

    policy: Any
    universal = False

    def start(self, start: dict[str, Any]) -> None:
        self._reader = _native.Reader(json.dumps(start["rules"]), len(start["names"]), start["rounds"], self.universal)

    def choose(self, ask: dict[str, Any]) -> dict[str, Any]:
        # Later versions may send events and list actions that have no numbers here.
        legal = [action for action in ask["legal"] if action["do"] in _NUMBERED] or ask["legal"]
        events = self._known(ask.get("events", ()))
        observation, mask, places = self._reader.read(json.dumps({**ask, "legal": legal, "events": events}))
        if not mask.any():
            return legal[0]
        while True:
            number = int(mask.argmax() if mask.sum() == 1 else self.policy(observation[None], mask[None])[0])
            if not (0 <= number < len(mask) and mask[number]):
                raise ValueError(f"the policy chose action {number}, which is not legal")
            if number in places:
                return legal[places[number]]
            action, rest = self._reader.step(number)
            if action is not None:
                return json.loads(action)
            (observation, mask), places = rest, {}

    def tell(self, tell: dict[str, Any]) -> None:
        self._reader.see(json.dumps(self._known(tell.get("events", ()))))

    def _known(self, events: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The events that matter: later versions may send others. A play of several steps takes all that happened."""
        return [event for event in events if self._reader.takes_steps or event["event"] in _MOVING_DISCARDS]


def serve(policy: Callable[[np.ndarray, np.ndarray], np.ndarray], *, name: str, universal: bool = False) -> None:
    """Plays `policy` on standard input and output, as a bot of the arena."""
    made = type("Player", (_PolicyBot,), {"policy": staticmethod(policy), "universal": universal})
    kit.run(made, name=name, wants=("view", "legal", "events", "rules"))


def play(*players: Callable[[np.ndarray, np.ndarray], np.ndarray] | str, rules: str | TableSpec = "basic",
         seed: int | str = 0, rounds: int | None = 1, names: Sequence[str] | None = None, **options: Any) -> Game:
    """Plays one game between policies and built-in bots, one for each seat; `record()` of the result is its record."""
    if len(players) < 2:
        raise ValueError(f"players: {len(players)}; a game has at least two")
    for player in players:
        if not (callable(player) or isinstance(player, str)):
            raise TypeError(f"players: expected policies or names of bots, found {type(player).__name__}")
    table = spec(rules, len(players), rounds=None if isinstance(rules, TableSpec) else rounds, **options)
    if table.seats != len(players):
        raise ValueError(f"players: {len(players)} of them at a table of {table.seats}")
    game = Game(table, seed=seed)
    bots = {seat: _native.Player(table, player, seed, seat) for seat, player in enumerate(players)
            if isinstance(player, str)}
    while (seat := game.turn) is not None:
        if seat in bots:
            game._game.act_by(bots[seat])
        else:
            action = players[seat](game.observation(seat)[None], game.mask(seat).view(np.uint8)[None])[0]
            game.step(int(action), seat)
    return game


@dataclass(frozen=True)
class Frame:
    """A moment of a record: what was done, and the table after it. In a notebook it shows itself."""

    kind: str
    """"deal", "move", or "after" for what followed without a move."""
    move: int
    seat: int | None
    action: dict[str, Any] | None
    lines: list[str]
    """The frame in sentences."""
    events: list[dict[str, Any]]
    position: dict[str, Any]
    number: int
    _replay: _native.Replay = field(repr=False, compare=False)

    def svg(self) -> str:
        """A picture of the table after it."""
        return self._replay.svg(self.number)

    def _repr_html_(self) -> str:
        lines = "".join(f"<div>{html.escape(line)}</div>" for line in self.lines)
        return f'<div style="max-width: 50em">{self.svg()}{lines}</div>'


def replay(record: str | bytes | Path, seat: int | None = None) -> list[Frame]:
    """The frames of a record, from the eyes of `seat` or of the referee; the whole record is checked first, as `maumau verify`
    does."""
    replay = _native.Replay(record_bytes(record), seat)
    return [Frame(**json.loads(frame), number=number, _replay=replay)
            for number, frame in enumerate(replay.frames_json())]


def record_bytes(record: str | bytes | Path) -> bytes:
    """A record as it is stored."""
    if isinstance(record, Path):
        record = record.read_bytes()
    if isinstance(record, str):
        record = record.encode()
    if not isinstance(record, bytes):
        raise TypeError(f"record: expected a text, bytes or a path, found {type(record).__name__}")
    return record


def text(game: Game) -> str:
    """The table in a few lines, with all hands."""
    view = game.view(0)
    lines = [f"{game.spec.name}, round {view['round']}, top {view.get('top', '-')}, "
             f"draw pile {view['draw_pile']}, direction {view['direction']}"]
    for seat in range(game.seats):
        own = game.view(seat)
        mark = "*" if seat in game.asked else " "
        hand = " ".join(own["hand"]) or f"({own['hands'][seat]} cards)"
        lines.append(f"{mark} seat {seat}: {hand}")
    if game.is_over:
        lines.append("places " + " ".join(map(str, game.result()["places"])))
    return "\n".join(lines)


MODES = ("human", "ansi", "rgb_array")
"""How an environment can be shown."""


def rendered(game: Game, mode: str | None) -> str | np.ndarray | None:
    """The table with all hands: printed, as a text, or as an array of pixels."""
    if mode is None:
        return None
    if mode == "rgb_array":
        return pixels(game.svg())
    shown = text(game)
    if mode == "human":
        print(shown)
        return None
    return shown


_fonts: Any = None
"""The fonts of this machine, once a picture has needed them."""


def pixels(svg: str) -> np.ndarray:
    """A picture as an array of height, width and 3 colours."""
    try:
        from resvg import render, usvg
        from PIL import Image
    except ImportError as error:
        raise ImportError("pictures as arrays need resvg and Pillow: pip install resvg pillow") from error
    global _fonts
    if _fonts is None:
        _fonts = usvg.Options.default()
        _fonts.load_system_fonts()
    image = render(usvg.Tree.from_str(svg, _fonts), (1, 0, 0, 0, 1, 0))
    return np.asarray(Image.open(io.BytesIO(image)).convert("RGB"))
