"""Card games of the Mau-Mau family for those who train, search and study.

    import maumau
    env = maumau.env("basic", seats=4, seed=1)                # PettingZoo, one seat at a time
    games = maumau.vector("basic", seats=4, games=1024)       # numpy arrays, many games per call
    game = maumau.Game("basic", seats=2, seed=1)              # one game, for search

`maumau.kit` is the kit for bots that play in the arena; its names, such as `maumau.Bot`, are also here.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from ._native import BOTS, ENCODING_VERSION, RULE_SETS, VERSION as __version__, IllegalAction, verify

__all__ = [
    "BOTS",
    "ENCODING_VERSION",
    "Evaluation",
    "Game",
    "IllegalAction",
    "Observer",
    "RULE_SETS",
    "TableSpec",
    "VectorEnv",
    "__version__",
    "aec_env",
    "env",
    "evaluate",
    "export",
    "export_bot",
    "parallel_env",
    "play",
    "register_envs",
    "replay",
    "spec",
    "vector",
    "verify",
]


# What imports numpy, PettingZoo or Gymnasium is loaded when it is asked for, so that a bot starts at once.
_LATER = {name: module for module, names in {
    "bots": ["export_bot", "play", "replay"],
    "data": ["export"],
    "evaluation": ["Evaluation", "evaluate"],
    "game": ["Game", "Observer"],
    "table": ["TableSpec", "spec"],
    "vectors": ["VectorEnv", "vector"],
    "zoo": ["aec_env", "env", "parallel_env"],
}.items() for name in names}


def __getattr__(name):
    home = _LATER.get(name, "kit")
    module = import_module("." + home, __name__)
    if home == "kit" and name not in module.__all__:
        raise AttributeError(f"module 'maumau' has no attribute {name!r}")
    return getattr(module, name)


def register_envs() -> None:
    """Registers an environment of Gymnasium for each built-in rule set, such as `maumau/basic-v1`, whose version is that of the
    encoding.

    Importing Gymnasium calls this through the package's entry point; so does importing maumau after Gymnasium."""
    from gymnasium.envs.registration import register, registry

    for rules in RULE_SETS:
        name = f"maumau/{rules}-v{ENCODING_VERSION}"
        if name not in registry:
            register(name, entry_point="maumau.gymnasium:SingleAgentEnv", vector_entry_point="maumau.gymnasium:vector_env",
                     kwargs={"rules": rules})


if "gymnasium.envs.registration" in sys.modules:
    register_envs()

if TYPE_CHECKING:
    from .bots import export_bot, play, replay
    from .data import export
    from .evaluation import Evaluation, evaluate
    from .game import Game, Observer
    from .kit import *
    from .table import TableSpec, spec
    from .vectors import VectorEnv, vector
    from .zoo import aec_env, env, parallel_env
