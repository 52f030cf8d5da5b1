"""Tables: a rule set with its options, compiled for a number of seats, and how its actions and positions are numbered."""

from __future__ import annotations

import json
from typing import Any

from . import _native

TableSpec = _native.Spec


class Value:
    """Compared and hashed by what it follows from (`_values`), with which it is also pickled and copied. What is used as a key must
    not be changed: put a copy there."""

    def _values(self) -> tuple[Any, ...]:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return self._values() == other._values() if type(self) is type(other) else NotImplemented

    def __hash__(self) -> int:
        return hash((type(self).__name__, *self._values()))


def _setting(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return f"{key}={str(value).lower()}"
    if isinstance(value, (list, tuple)):
        return f"{key}={','.join(map(str, value))}"
    return f"{key}={value}"


def spec(rules: str | TableSpec = "basic", seats: int = 4, *, rounds: int | None = None, universal: bool = False,
         **options: Any) -> TableSpec:
    """The table of `rules`, the name of a built-in set or the path of a rule file, with its options by name.

    `universal` chooses the encoding that all rule sets and numbers of seats share, instead of the shortest one.
    """
    if isinstance(rules, TableSpec):
        if options or rounds is not None or universal or seats not in (4, rules.seats):
            raise TypeError("rules: a table that is made already takes no seats, rounds and options")
        return rules
    if not isinstance(rules, str):
        raise TypeError(f"rules: expected the name of a rule set or a path, found {type(rules).__name__}")
    if isinstance(seats, bool) or not isinstance(seats, int):
        raise TypeError(f"seats: expected a whole number, found {type(seats).__name__}")
    if seats < 0:
        raise ValueError(f"seats: {seats}; a table has at least two")
    if rounds is not None and (isinstance(rounds, bool) or not isinstance(rounds, int)):
        raise TypeError(f"rounds: expected a whole number, found {type(rounds).__name__}")
    if rounds is not None and not 0 <= rounds < 2**32:
        raise ValueError(f"rounds: {rounds}; a match has at least one")
    settings = [_setting(key, value) for key, value in options.items()]
    return _native.Spec(rules, seats, settings, rounds, universal)


def rule_set(table: TableSpec) -> dict[str, Any]:
    """The resolved rule set as the arena sends it."""
    return json.loads(table.rules_json())
