"""`arena leaderboard`: the ratings of a tournament."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.completing import tournaments, variants
from arena.cli.output import width, write

if TYPE_CHECKING:
    from arena.home import Home
    from leaderboards.tables import By, Format

FORMATS = ("table", "github", "csv", "tsv", "json", "html", "latex")


@click.command(short_help="The ratings, as a table or for a page, a spreadsheet, a paper.")
@click.argument("tournament", shell_complete=tournaments)
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option(
    "--variant", metavar="PATTERN", shell_complete=variants,
    help="Only those variants: an id, an alias, claim/2p/*.",
)  # fmt: skip
@click.option(
    "--by", type=click.Choice(["overall", "variant"]), default="overall", show_default=True,
    help="One table, or one of each variant.",
)  # fmt: skip
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file.")
@click.pass_obj
def leaderboard(
    home: Home, tournament: str, form: Format, as_json: bool, variant: str | None, by: By, output: Path | None
) -> None:
    """The ratings of a tournament, as far as it is.

    \b
    arena leaderboard cup.toml
    arena leaderboard cup --by variant
    arena leaderboard cup --variant 'claim/2p/*' --format github
    arena leaderboard cup --format csv -o cup.csv
    """
    from arena.reading import leaderboard as read
    from leaderboards.tables import render

    form = "json" if as_json else form
    text = render(read(tournament, variant, home), form, by=by, width=None if output else width())
    if output is None:
        click.echo(text, nl=False)
    else:
        write(output, text)
