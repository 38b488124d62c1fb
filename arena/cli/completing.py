"""What a shell offers for an argument: names that are there. Whatever goes wrong, it offers nothing."""

from __future__ import annotations

from pathlib import Path

import click

from protocol.escape import visible


def tournaments(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Tournaments of the ledger, and tournament files."""
    start = incomplete.rpartition("/")[2]
    folder = incomplete.removesuffix(start)
    files = (file.name for file in Path(folder or ".").glob("*.toml"))
    found = sorted(folder + name for name in files if name.startswith(start))
    return _begun(ctx, incomplete) + [name for name in found if visible(name) == name]


def _begun(ctx: click.Context, incomplete: str) -> list[str]:
    from arena.errors import ArenaError
    from arena.home import Home
    from arena.ledger import Ledger

    said = ctx.find_root().params
    try:
        ledger = Ledger(Home.named(said.get("home"), said.get("ledger")).ledger)
        names = ledger.names()
        ledger.close()
    except ArenaError:
        return []
    return [name for name in names if name.startswith(incomplete)]


def variants(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Aliases and ids of variants."""
    from referee.games import GAMES

    known = [name for game in GAMES.values() for name in (*game.aliases(), *game.variants())]
    return [name for name in known if name.startswith(incomplete)]
