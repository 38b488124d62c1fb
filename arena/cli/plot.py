"""`arena plot`: pictures for papers."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from arena.cli.completing import tournaments
from arena.cli.output import note, write
from arena.cli.tables import CHOSEN, with_options
from arena.errors import InputError
from leaderboards.choices import Picture, PictureFormat

if TYPE_CHECKING:
    from arena.home import Home
    from arena.plotting import Wanted

_OPTIONS = (
    click.option(
        "-o", "--output", required=True, metavar="FILE", type=click.Path(dir_okay=False),
        help="Write to this file, whose ending says the format; - is stdout.",
    ),
    click.option("--format", "form", type=click.Choice(get_args(PictureFormat)), help="Whatever the ending."),
    *CHOSEN,
    click.option("--top", metavar="N", type=click.IntRange(min=1), help="Only the best N bots (of ratings: named)."),
    click.option(
        "--width", metavar="CM", type=click.FloatRange(5, 100), default=8.6, show_default=True,
        help="A column of most papers; panels stand side by side where there is room.",
    ),
    click.option(
        "--dpi", metavar="N", type=click.IntRange(50, 1200), default=300, show_default=True, help="Of PNG."
    ),
)  # fmt: skip


def _with_wanted(command: Callable[..., None]) -> Callable[..., None]:
    """Options of what is to be drawn, which the command gets as a Wanted, its last argument."""

    @wraps(command)
    def call(*args: Any, picture: Picture, output: str, form: PictureFormat | None, **rest: Any) -> None:
        from arena.plotting import Wanted
        from leaderboards.settings import Settings

        if rest["by"] and picture in ("matrix", "luck"):
            raise click.UsageError(f"{picture} is of each variant: leave out --by")
        settings = Settings(rest.pop("anchor"), rest.pop("without_forfeits"))
        rest["by"] = rest["by"] or "overall"
        tournament = rest.pop("tournament")
        wanted = Wanted(picture, form or _ending(output), settings=settings, **rest)
        command(*args, tournament=tournament, output=output, wanted=wanted)

    return with_options(_OPTIONS, call)


def _ending(output: str) -> PictureFormat:
    """The format that a file's name says. Raises InputError."""
    known: dict[str, PictureFormat] = {form: form for form in get_args(PictureFormat)}
    ending = Path(output).suffix.removeprefix(".").lower()
    if ending not in known:
        what = (
            "stdout"
            if output == "-"
            else f"a file that ends in {ending!r}"
            if ending
            else "a file without an ending"
        )
        raise InputError(f"no format for {what}", "name it .svg, .pdf or .png, or add --format svg", "E266")
    return known[ending]


@click.command(short_help="Pictures for papers: SVG, PDF, PNG.")
@click.argument("picture", type=click.Choice(get_args(Picture)))
@click.argument("tournament", shell_complete=tournaments)
@_with_wanted
@click.pass_obj
def plot(home: Home, tournament: str, output: str, wanted: Wanted) -> None:
    """A picture of a tournament for a paper, drawn by matplotlib: pip install 'kingmaker[plot]'.

    \b
    ratings     over games played, the best named at their lines
    matrix      who wins how often against whom
    intervals   95% intervals, and the ranks that a bot may have
    luck        what is skill, seat, deal and other luck in a score
    timing      thinking over a move: median, 95% and 99%

    \b
    arena plot intervals cup.toml -o cup.pdf
    arena plot matrix cup --variant claim -o matrix.svg
    arena plot ratings cup --by variant --width 17.8 -o ratings.png
    arena plot luck cup --format svg -o - | rsvg-convert > luck.png

    Equal games give equal bytes. Letters stay letters in SVG and PDF (TrueType).
    """
    from arena.plotting import picture

    data, lacking = picture(tournament, wanted, home)
    for line in lacking:
        note(line)
    if output == "-":
        click.echo(data, nl=False)
    else:
        write(Path(output), data)
