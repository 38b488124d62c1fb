"""`arena ledger`: the ledger as a whole."""

from __future__ import annotations

import click

from arena.cli.output import count, note


@click.group(short_help="Copy a ledger, also to a server.")
def ledger() -> None:
    """The ledger as a whole: tournaments, games, records and names of bots.

    \b
    arena ledger copy ledger.sqlite postgresql://ann@db.example.org/cups
    """


@ledger.command(short_help="Copy a ledger to another place.")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
def copy(source: str, target: str) -> None:
    """Copy a ledger, from a file to a server or back. All of it, and its chains hold there; or nothing.

    FROM and TO are paths, or postgresql://USER@HOST/DATABASE. TO must be empty, or not there yet.

    \b
    arena ledger copy ledger.sqlite postgresql://ann@db.example.org/cups
    arena --ledger postgresql://ann@db.example.org/cups status
    """
    from arena.moving import copy as moved
    from arena.place import place_of

    there, here = place_of(source), place_of(target)
    copied = moved(there, here, note)
    tournaments, games, bots = (copied[name] for name in ("tournaments", "games", "bots"))
    what = f"{count(tournaments, 'tournament')}, {count(games, 'game')}, {count(bots, 'bot version')}"
    note(f"copied: {what}; every chain holds")
    note("bots' files are in no ledger: they stay in the home folder")
    note(f"to use it: export KINGMAKER_LEDGER={here}")
