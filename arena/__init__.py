"""Many games: tournaments from a file to a leaderboard. Everything that the command line does is a call.

>>> import arena
>>> sorted(arena.__all__)[:3]
['ArenaError', 'Home', 'Tournament']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.config import Tournament, load
    from arena.errors import ArenaError
    from arena.home import Home
    from arena.tournament import play, run

__all__ = ["ArenaError", "Home", "Tournament", "load", "play", "run"]

_WHERE = {
    "ArenaError": "errors",
    "Home": "home",
    "Tournament": "config",
    "load": "config",
    "play": "tournament",
    "run": "tournament",
}


def __getattr__(name: str) -> Any:  # heavy modules are imported when first asked for
    if name not in _WHERE:
        raise AttributeError(f"module 'arena' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"arena.{_WHERE[name]}"), name)
