"""`arena config`: test a tournament file."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.output import count, document, note

if TYPE_CHECKING:
    from arena.home import Home


@click.group(short_help="Test a tournament file.")
def config() -> None:
    """Test a tournament file without playing it. `arena schema tournament` is for editors.

    \b
    arena config check cup.toml
    """


@config.command(short_help="Say all that is wrong with a file.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the settings, defaults filled in.")
@click.pass_obj
def check(home: Home, file: Path, as_json: bool) -> None:
    """Test a tournament file: its grammar, keys and values, and that bots and variants exist.

    \b
    arena config check cup.toml
    """
    from arena.checking import check as examine
    from arena.config import is_guessable, load

    tournament = load(file)
    examine(tournament, home)
    if tournament.seed and is_guessable(tournament.seed):
        note("warning: a bot that guesses the seed knows every deal; leave `seed` out, or make it longer")
    if as_json:
        document("tournament", {"settings": tournament.model_dump(mode="json")})
    else:
        sizes = f"{count(len(tournament.bots), 'bot')}, {count(len(tournament.variant_ids), 'variant')}"
        note(f"{file}: good ({sizes})\n  next: arena run {shlex.quote(str(file))} --dry-run")
