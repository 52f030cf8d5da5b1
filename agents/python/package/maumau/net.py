"""The network of the bot `net` in numpy: python -m maumau.benchmark maumau.net:policy --seats 2

One hidden layer, a set of weights for each built-in rule set, made for tables of two by examples/train_net.py. All numbers are
whole, so this policy and `maumau agent net` choose alike, to the last bit. A file of weights holds, in little-endian order, the
bytes `maumau-net`, and as 32-bit numbers the version of the file, the version of the encoding, inputs, hidden units and actions;
then as 16-bit numbers a row of the first layer for each input and one for the bias, and a row of the second for each hidden unit.
"""

from __future__ import annotations

import functools
import struct
from pathlib import Path

import numpy as np

from . import _native
from .table import spec

VERSION = 1
RULES = ("basic", "crazy-eights", "deluxe", "skat", "snap", "spam")

_MAGIC = b"maumau-net"
_HEAD = struct.Struct("<10s5I")


class Net:
    """A network with whole numbers as weights; as a policy it takes the legal action with the highest output, the first of equals."""

    def __init__(self, first: np.ndarray, second: np.ndarray) -> None:
        if first.ndim != 2 or second.ndim != 2 or first.shape[1] != second.shape[0]:
            raise ValueError(f"layers of {first.shape} and {second.shape} do not fit")
        self.first, self.second = np.asarray(first, np.int16), np.asarray(second, np.int16)

    @property
    def shape(self) -> tuple[int, int, int]:
        """Inputs, hidden units and actions."""
        return len(self.first) - 1, len(self.second), self.second.shape[1]

    def outputs(self, observation: np.ndarray) -> np.ndarray:
        """The output for each action (int64, rows by actions) of observations (uint8, rows by inputs)."""
        # Sums of products below 2**53 are exact in float64, in which numpy multiplies matrices quickly.
        hidden = np.maximum(observation.astype(np.float64) @ self.first[:-1].astype(np.float64) + self.first[-1], 0)
        return (hidden @ self.second.astype(np.float64)).astype(np.int64)

    def __call__(self, observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        return np.where(mask.astype(bool), self.outputs(observation), np.iinfo(np.int64).min).argmax(axis=1)

    def to_bytes(self) -> bytes:
        """The file of its weights."""
        head = _HEAD.pack(_MAGIC, VERSION, _native.ENCODING_VERSION, *self.shape)
        return head + self.first.astype("<i2").tobytes() + self.second.astype("<i2").tobytes()

    @classmethod
    def of_bytes(cls, file: bytes) -> Net:
        """Reads a file of weights; raises `ValueError` if it is none, or one of another version or encoding."""
        if len(file) < _HEAD.size or not file.startswith(_MAGIC):
            raise ValueError("weights: expected a file that begins with maumau-net")
        _, version, encoding, inputs, hidden, actions = _HEAD.unpack_from(file)
        if version != VERSION:
            raise ValueError(f"weights: version {version}; this package reads {VERSION}")
        if encoding != _native.ENCODING_VERSION:
            raise ValueError(f"weights: made for encoding {encoding}; this package has {_native.ENCODING_VERSION}")
        at = (inputs + 1) * hidden
        if len(file) - _HEAD.size != 2 * (at + hidden * actions):
            raise ValueError(f"weights: {(len(file) - _HEAD.size) / 2:g} of them; expected {at + hidden * actions}")
        numbers = np.frombuffer(file, "<i2", offset=_HEAD.size)
        return cls(numbers[:at].reshape(inputs + 1, hidden), numbers[at:].reshape(hidden, actions))

    @classmethod
    def read(cls, path: str | Path) -> Net:
        """As `of_bytes`, from a path."""
        return cls.of_bytes(Path(path).read_bytes())


@functools.cache
def built_in(rules: str) -> Net:
    """The network of the bot `net` for this built-in rule set, at tables of two; raises `ValueError` if there is none."""
    return Net.of_bytes(_native.net_weights(rules))


@functools.cache
def _larger(rules: str, seats: int) -> Net:
    """The network for larger tables: it sees itself and the next seat alone, and rates calls and takes by that seat for all others."""
    net, small, table = built_in(rules), spec(rules, 2, rounds=1), spec(rules, seats, rounds=1)
    first, second = np.zeros((table.observation + 1, net.first.shape[1]), np.int16), np.zeros((len(net.second), table.actions), np.int16)
    first[-1] = net.first[-1]
    sizes = {name: (at, size) for name, at, size in small.observation_blocks()}
    for name, at, size in table.observation_blocks():
        if name in sizes:
            begin, length = sizes[name]
            first[at:at + min(size, length)] = net.first[begin:begin + min(size, length)]
    sizes = {name: (at, size) for name, at, size in small.action_blocks()}
    for name, at, size in table.action_blocks():
        if name in sizes:
            begin, length = sizes[name]
            second[:, at:at + size] = net.second[:, begin + np.arange(size) % length]
    return Net(first, second)


@functools.cache
def _tables() -> dict[tuple[int, int], tuple[str, int]]:
    tables = [(rules, seats) for rules in RULES for seats in (2, 3, 4)]
    return {(table.observation, table.actions): named
            for named in tables for table in [spec(*named, rounds=1)]}


def policy(observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The action for each row of a table of the benchmark, which is known by its numbers of inputs and actions.

    At tables of two it chooses as `maumau agent net`; at larger ones the same weights see the own seat and the next one alone.
    """
    if (named := _tables().get((observation.shape[1], mask.shape[1]))) is None:
        raise ValueError(f"{observation.shape[1]} inputs and {mask.shape[1]} actions: no table of a built-in set with two to four seats")
    rules, seats = named
    return (built_in(rules) if seats == 2 else _larger(rules, seats))(observation, mask)
