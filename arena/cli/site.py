"""`arena site`: pages of a tournament, as files that need no server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.completing import tournaments
from arena.cli.ending import terminable
from arena.cli.output import count, note, show, write
from protocol.vocabulary import LANGS

if TYPE_CHECKING:
    from arena.home import Home
    from arena.site import Built


@click.group(short_help="Pages of a tournament, as files to publish or print.")
@click.pass_context
def site(ctx: click.Context) -> None:
    """Pages of a tournament, as files: to look at, to publish, to print.

    \b
    arena site build cup.toml -o site
    arena site report cup.toml -o report.html
    """
    ctx.with_resource(terminable())


def _how_many(ctx: click.Context, param: click.Parameter, value: str) -> int | None:
    """A number of replays; None: all."""
    if value in ("all", "none"):
        return None if value == "all" else 0
    if not value.isdecimal():
        raise click.BadParameter("it is a number, all or none")
    return int(value)


_lang = click.option(
    "--lang", type=click.Choice(LANGS), default=LANGS[0], show_default=True,
    help="Of the words of games; the pages are in English.",
)  # fmt: skip


@site.command(short_help="All pages, in a folder that needs no server.")
@click.argument("tournament", shell_complete=tournaments)
@click.option(
    "-o", "--output", "folder", required=True, metavar="DIR", type=click.Path(path_type=Path),
    help="A folder of its own; a site that is there is replaced.",
)  # fmt: skip
@click.option(
    "--replays", metavar="N|all|none", default="1000", show_default=True, callback=_how_many,
    help="Moves of so many of the newest games, spread over the variants.",
)  # fmt: skip
@click.option("--logs", is_flag=True, help="With what bots printed in those games, for all to read.")
@_lang
@click.pass_obj
def build(home: Home, tournament: str, folder: Path, replays: int | None, logs: bool, lang: str) -> None:
    """The site of TOURNAMENT, as far as it is: leaderboards, bots, pairings, games, replays, the report.

    \b
    arena site build cup.toml -o site
    arena site build cup -o site --replays all
    arena site build cup -o site --lang cs

    Open DIR/index.html, or put the folder on any web server: nothing is loaded from elsewhere. While the
    tournament is not over, what shows deals that are still to be played is held back.
    """
    from arena.site import build as make

    _tell(make(tournament, folder, replays=replays, lang=lang, logs=logs, home=home, told=note))


def _tell(built: Built) -> None:
    from leaderboards.site.build import MOST_PAIRS

    replays = count(built.replays, "replay")
    note(f"written: {count(built.files, 'file')}, {built.size / 1e6:,.1f} MB, {replays}")
    if built.pairs > MOST_PAIRS:
        note(
            f"no pages of pairings: {count(built.pairs, 'pair')} of bots met, and there are pages of {MOST_PAIRS:,} at most; "
            "each bot's page has its results against all others"
        )
    if built.broken:
        note(
            f"{count(built.broken, 'game')} without a replay: their records cannot be played again by the rules of "
            "this version; arena verify says which"
        )
    if built.held:
        note(
            f"the moves of {count(built.held, 'game')} are held back until their deals are played with no more"
        )
    note("open it:")
    show(str(built.page))


@site.command(short_help="The report alone, one file that prints well.")
@click.argument("tournament", shell_complete=tournaments)
@click.option(
    "-o", "--output", "file", required=True, metavar="FILE", type=click.Path(dir_okay=False, path_type=Path),
    help="The HTML file.",
)  # fmt: skip
@_lang
@click.pass_obj
def report(home: Home, tournament: str, file: Path, lang: str) -> None:
    """The report of TOURNAMENT, one HTML file that needs no other; a browser prints it as PDF.

    \b
    arena site report cup.toml -o report.html

    What was played, by whom and how, the tables, what of them is sure, and how to check it.
    """
    from arena.site import report as make

    write(file, make(tournament, lang=lang, home=home).decode())
