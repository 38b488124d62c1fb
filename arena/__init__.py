"""Many games: tournaments from a file to a leaderboard. Everything that the command line does is a call.

    cup = arena.load("cup.toml")
    results = arena.run(cup)                        # goes on where it stopped
    for row in arena.leaderboard("cup").rows:       # by its name, or by its file
        print(row.rank, row.bot, row.rating)
    frame = arena.results("cup")                    # of pandas or polars: a row a seat

Every call that reads or writes takes `home` (the user's own by default) and raises ArenaError.

>>> import tempfile, arena
>>> with tempfile.TemporaryDirectory() as folder:
...     print(arena.statuses(home=arena.Home(folder)))
[]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import leaderboards  # noqa: F401 - before anything loads numpy, which it keeps to one thread

if TYPE_CHECKING:
    from arena.config import Tournament, load
    from arena.errors import ArenaError
    from arena.frames import results
    from arena.home import Home
    from arena.reading import leaderboard, status, statuses
    from arena.tournament import play, run

__all__ = [
    "ArenaError", "Home", "Tournament", "leaderboard", "load", "play", "results", "run", "status", "statuses",
]  # fmt: skip

_WHERE = {
    "ArenaError": "errors",
    "Home": "home",
    "Tournament": "config",
    "leaderboard": "reading",
    "load": "config",
    "play": "tournament",
    "results": "frames",
    "run": "tournament",
    "status": "reading",
    "statuses": "reading",
}


def __getattr__(name: str) -> Any:  # heavy modules are imported when first asked for
    if name not in _WHERE:
        raise AttributeError(f"module 'arena' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"arena.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
