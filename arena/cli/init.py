"""`arena init`: a new tournament file."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.output import note, write

if TYPE_CHECKING:
    from arena.home import Home


@click.command(short_help="Write a commented tournament file.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--bots", default="random,greedy", show_default=True, metavar="A,B,...", help="Names or paths.")
@click.option("--variants", default="claim", show_default=True, metavar="V,...", help="Ids or patterns.")
@click.option("--force", is_flag=True, help="Overwrite the file.")
@click.pass_obj
def init(home: Home, file: Path, bots: str, variants: str, force: bool) -> None:
    """Write a tournament file with every key, what it means and its default.

    \b
    arena init cup.toml
    arena init cup.toml --bots ./mybot,random,greedy --variants 'claim,claim-2'
    """
    from arena.checking import check
    from arena.config import parse
    from arena.errors import InputError
    from arena.inputs import toml
    from arena.template import template

    if file.exists() and not force:
        raise InputError(f"{file} is there already", "another name, or --force", "E206")
    text = template(file.stem, [_from(file, bot) for bot in _words(bots)], _words(variants))
    data = toml(text, str(file)) | {"name": file.stem, "bots": _words(bots)}
    check(parse(data, str(file)), home)
    write(file, text)
    quoted = shlex.quote(str(file))
    note(f"  next: arena run {quoted} --dry-run, then arena run {quoted}")


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _from(file: Path, bot: str) -> str:
    """A bot's path as it is written in `file`, which means paths from its own folder."""
    from arena.config import is_path

    if not is_path(bot) or Path(bot).is_absolute():
        return bot
    path = os.path.relpath(bot, file.absolute().parent)
    return path if path.startswith("..") else f"./{path}"
