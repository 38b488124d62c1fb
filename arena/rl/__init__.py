"""The games as environments for learning: PettingZoo, OpenSpiel, and the numbers both speak of.

    from arena.rl import aec_env, encoding, load_game

    env = aec_env("claim/2p/GK-UWX")          # PettingZoo (`pip install 'kingmaker[rl]'`)
    game = load_game("claim/2p/GK-UWX")       # OpenSpiel (the same extra)
    numbers = encoding("claim/2p/GK-UWX")     # numpy alone: for the bot that was learned

>>> from arena.rl import encoding
>>> numbers = encoding("claim")
>>> numbers.number("take K7", seat=0), numbers.label(117, seat=0)
(117, 'take K7')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.rl.aec import aec_env, raw_env
    from arena.rl.coding import Encoding, encoding
    from arena.rl.spiel import load_game

__all__ = ["Encoding", "aec_env", "encoding", "load_game", "raw_env"]

_WHERE = {
    "Encoding": "coding",
    "aec_env": "aec",
    "encoding": "coding",
    "load_game": "spiel",
    "raw_env": "aec",
}


def __getattr__(name: str) -> Any:  # PettingZoo and OpenSpiel are imported when first asked for
    if name not in _WHERE:
        raise AttributeError(f"module 'arena.rl' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"arena.rl.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
