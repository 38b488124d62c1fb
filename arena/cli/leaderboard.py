"""`arena leaderboard`: the ratings of a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from arena.cli.completing import tournaments
from arena.cli.tables import View, with_view

if TYPE_CHECKING:
    from arena.home import Home


@click.command(short_help="The ratings, as a table or for a page, a spreadsheet, a paper.")
@click.argument("tournament", shell_complete=tournaments)
@with_view
@click.pass_obj
def leaderboard(home: Home, tournament: str, view: View) -> None:
    """The ratings of a tournament, as far as it is.

    \b
    arena leaderboard cup.toml
    arena leaderboard cup --by variant
    arena leaderboard cup --show all
    arena leaderboard cup --variant 'claim/2p/*' --format github
    arena leaderboard cup --format csv -o cup.csv
    arena leaderboard cup --anchor greedy=25 --without-forfeits
    """
    from arena.reading import leaderboard as read

    view.print(read(tournament, view.variant, home, view.settings))
