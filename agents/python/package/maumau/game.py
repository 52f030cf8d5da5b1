"""One game: looked at from every seat, stepped, cloned, played out, kept as a record; and what one seat knows of it."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _native
from .table import TableSpec, Value, spec


class Game(Value):
    """One game of a table, always at an offer or over.

    Games are values: two are equal if they have the same table and deal and the same steps were taken. They can be pickled and
    copied. As a key of a dict use a `clone()`, since the hash of a game changes when it is stepped.
    """

    def __init__(self, rules: str | TableSpec = "basic", seats: int = 4, seed: int | str = 0, *, rounds: int | None = 1,
                 universal: bool = False, **options: Any) -> None:
        table = spec(rules, seats, rounds=None if isinstance(rules, TableSpec) else rounds, universal=universal, **options)
        self._game = _native.Game(table, seed)

    @classmethod
    def _of(cls, game: _native.Game) -> Game:
        new = cls.__new__(cls)
        new._game = game
        return new

    @property
    def spec(self) -> TableSpec:
        """The table."""
        return self._game.spec

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self._game.spec.seats

    @property
    def seed(self) -> str:
        """The seed of the game, by which it can be played again anywhere."""
        return self._game.seed

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self._game.is_over

    @property
    def is_cut_off(self) -> bool:
        """Whether the game is over because its last round reached the turn cap: nobody has won that round."""
        return self._game.is_cut_off

    @property
    def turn(self) -> int | None:
        """The seat that answers next if seats answer one at a time; `None` when the game is over."""
        return self._game.next_asked()

    @property
    def asked(self) -> list[int]:
        """All seats whose answers the present offer waits for; the position changes when the last of them has answered."""
        return self._game.asked_seats()

    def asked_for(self, seat: int) -> str | None:
        """"turn", "react", "choose" or "deal"; `None` if the seat is not asked."""
        return self._game.asked_for(seat)

    def begun(self, seat: int | None = None) -> list[int]:
        """The numbers of the steps so far of a play that `seat` puts together; empty if it has begun none."""
        return self._game.begun(self._or_next(seat))

    def legal_actions(self, seat: int | None = None) -> list[int]:
        """The numbers of the legal actions of `seat`, by default of the seat that answers next."""
        seat = self.turn if seat is None else seat
        return [] if seat is None else self._game.legal_actions(seat)

    def observation(self, seat: int | None = None) -> np.ndarray:
        """What `seat` may know, as numbers."""
        return self._game.observation(self._or_next(seat))

    def mask(self, seat: int | None = None) -> np.ndarray:
        """1 for each legal action of `seat`; only `wait` if it is not asked."""
        return self._game.mask(self._or_next(seat))

    def _or_next(self, seat: int | None) -> int:
        if seat is not None:
            return seat
        turn = self.turn
        return 0 if turn is None else turn

    def view(self, seat: int) -> dict[str, Any]:
        """The position as `seat` may see it (protocol/SPEC.md, "view")."""
        return json.loads(self._game.view_json(seat))

    def ask(self, seat: int | None = None) -> dict[str, Any]:
        """What the arena would ask `seat` now: its view and its legal actions as objects."""
        return json.loads(self._game.ask_json(self._or_next(seat)))

    def events(self, seat: int | None = None) -> list[dict[str, Any]]:
        """The events so far: those that `seat` may see, or all."""
        return json.loads(self._game.events_json(seat))

    def decode(self, action: int, seat: int | None = None) -> dict[str, Any]:
        """What an action is when `seat` does it now, with the words that are due."""
        return json.loads(self._game.decode(self._or_next(seat), action))

    def encode(self, action: dict[str, Any], seat: int | None = None) -> int | None:
        """The number of an action, if it has one."""
        return self._game.encode(self._or_next(seat), json.dumps(action))

    def action_name(self, action: int) -> str:
        """A name of an action, the same in every position."""
        return self.spec.action_name(action)

    def step(self, action: int, seat: int | None = None, *, illegal: str = "error") -> None:
        """The answer of `seat`, by default of the one that answers next."""
        if illegal not in ("error", "price"):
            raise ValueError(f'illegal: {illegal!r}; "error" refuses an illegal action, "price" lets the rules charge for it')
        self._game.step(self._or_next(seat), action, illegal == "price")

    def act(self, action: dict[str, Any], seat: int | None = None) -> None:
        """The answer of `seat` as an object, with any words; judged as at the table."""
        self._game.act(self._or_next(seat), json.dumps(action))

    def _values(self) -> tuple[Any, ...]:
        return (self._game,)

    def __copy__(self) -> Game:
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self.clone()

    def clone(self) -> Game:
        """A copy that goes on by itself, with the same hidden cards."""
        return Game._of(self._game.clone())

    def observer(self, seat: int) -> Observer:
        """The knowledge of `seat`, with all that it has seen so far."""
        observer = Observer(self.spec, seat)
        observer.follow(self)
        return observer

    def bot_action(self, bot: str = "greedy", seat: int | None = None) -> int:
        """What a built-in bot would do that has watched the whole game."""
        return self._game.bot_action(bot, self._or_next(seat))

    def playout(self, bot: str = "greedy", seed: int = 0) -> list[float]:
        """Plays on with a built-in bot at every seat, and returns what the game was worth to each; the game itself stays."""
        return self._game.playout(bot, seed)

    def rewards(self) -> list[float]:
        """What the game was worth to each seat if it ended now: 1 for one that beats all others, -1 for the last."""
        return self._game.worth()

    def result(self) -> dict[str, Any]:
        """Places, points and wins as things stand."""
        return json.loads(self._game.result_json())

    def record(self, names: Sequence[str] | None = None, id: str = "g1") -> str:
        """The record of the finished game, which `maumau verify` accepts."""
        names = [f"seat {seat}" for seat in range(self.seats)] if names is None else list(names)
        return self._game.record(names, id)

    def svg(self, seat: int | None = None) -> str:
        """A picture of the table, from the eyes of `seat` or with all hands open."""
        return self._game.svg([f"seat {seat}" for seat in range(self.seats)], seat)

    def _repr_html_(self) -> str:
        return f'<div style="max-width: 50em">{self.svg()}</div>'


class Observer(Value):
    """What `seat` knows of a game of `table`: positions that agree with everything that it has seen.

    Give it a `Game` whenever it is to sample (`follow`), or, in a bot, the events of each ask (`see`).
    """

    def __init__(self, table: TableSpec, seat: int) -> None:
        self._observer = _native.Observer(table, seat)
        self._asked: str | None = None

    def _values(self) -> tuple[Any, ...]:
        return self._observer, self._asked

    def __copy__(self) -> Observer:
        return copy.deepcopy(self)

    @property
    def seat(self) -> int:
        """The seat whose knowledge it is."""
        return self._observer.seat

    def follow(self, game: Game) -> None:
        """Takes note of all that the seat has seen of `game` since the last time, and of what it is asked for."""
        if not isinstance(game, Game):
            raise TypeError(f"game: expected a Game, found {type(game).__name__}")
        self._observer.follow(game._game)
        self._asked = game.asked_for(self.seat)

    def see(self, events: Sequence[dict[str, Any]], asked_for: str | None = None) -> None:
        """Takes note of further events of a game, as an ask of the arena holds them, and of what the ask is for."""
        self._observer.see_json(json.dumps(events))
        self._asked = asked_for

    def view(self) -> dict[str, Any]:
        """What the seat sees of the position."""
        return json.loads(self._observer.view_json())

    def sample(self, seed: int | str = 0) -> Game:
        """A game in which the seat sees what it sees, has the same legal actions, and everything that it has seen is true.
        Only a call against another seat may be missing or too many, for what it forgot: events do not say how much it had
        seen when it acted.

        All else follows from `seed`: hidden cards, and whatever is drawn later. It goes on from the present position, so it has
        no record.
        """
        return Game._of(self._observer.sample(seed, self._asked))
