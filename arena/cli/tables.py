"""What the commands that show ratings have in common: their options, and where the table goes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import click

from arena.cli.completing import variants
from arena.cli.output import width, write
from leaderboards.choices import By, Format, Show

if TYPE_CHECKING:
    from leaderboards.settings import Settings
    from leaderboards.standings import Standings


class View(NamedTuple):
    """What is to be shown, and how."""

    form: Format
    show: Show
    by: By
    variant: str | None
    settings: Settings
    output: Path | None

    def print(self, standings: Standings) -> None:
        """Onto stdout, or into the file. Raises ArenaError."""
        from arena.reading import ratable
        from leaderboards.tables import render

        with ratable():
            text = render(
                standings, self.form, by=self.by, show=self.show, width=None if self.output else width()
            )
        if self.output is None:
            click.echo(text, nl=False)
        else:
            write(self.output, text)


def _anchor(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[str, float] | None:
    if value is None:
        return None
    from leaderboards.places import MU
    from leaderboards.settings import FARTHEST

    name, given, mu = value.partition("=")
    try:
        fixed = float(mu) if given else MU
    except ValueError:
        fixed = math.nan
    if not name or not abs(fixed) <= FARTHEST:
        raise click.BadParameter(
            f"it is a bot's name, or NAME=MU with a number within ±{FARTHEST:,.0f}: greedy=25"
        )
    return name, fixed


CHOSEN = (
    click.option(
        "--variant", metavar="PATTERN", shell_complete=variants,
        help="Only those variants: an id, an alias, claim/2p/*.",
    ),
    click.option(
        "--by", type=click.Choice(get_args(By)),
        help="One ranking (overall, unless you say so), or one of each variant.",
    ),
    click.option(
        "--anchor", metavar="NAME[=MU]", callback=_anchor,
        help="Shift all ratings so that this bot has that one (25).",
    ),
    click.option("--without-forfeits", is_flag=True, help="Leave out blocks in which a bot made a fault."),
)  # fmt: skip
"""What a table or a picture is of."""
_OPTIONS = (
    click.option("--format", "form", type=click.Choice(get_args(Format)), default="table", show_default=True),
    click.option("--json", "as_json", is_flag=True, help="The same as --format json."),
    click.option(
        "--show", type=click.Choice(get_args(Show)), default="table", show_default=True,
        help="Who stands where; who beats whom; seats; luck; whether one strength a bot is enough.",
    ),
    *CHOSEN,
    click.option(
        "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file."
    ),
)  # fmt: skip


def with_options(
    options: Sequence[Callable[[Callable[..., None]], Callable[..., None]]], command: Callable[..., None]
) -> Callable[..., None]:
    """A command with these options, the first named first in its help."""
    for option in reversed(options):
        command = option(command)
    return command


def with_view(command: Callable[..., None]) -> Callable[..., None]:
    """Options of what is shown, which the command gets as a View, its last argument."""

    @wraps(command)
    def call(*args: Any, form: Format, as_json: bool, show: Show, by: By | None, **rest: Any) -> None:
        from leaderboards.settings import Settings

        if as_json:
            form = "json"
        if show == "all" and form in ("csv", "tsv"):
            raise click.UsageError(f"{form} holds one table: choose one with --show, or --json for all")
        if by and show not in ("table", "all"):
            raise click.UsageError(f"--show {show} is of each variant: leave out --by")
        settings = Settings(rest.pop("anchor"), rest.pop("without_forfeits"))
        view = View(form, show, by or "overall", rest.pop("variant"), settings, rest.pop("output"))
        command(*args, **rest, view=view)

    return with_options(_OPTIONS, call)
