"""`arena config`: test a tournament file; the JSON Schema of the input files."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.output import count, document, note
from arena.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from arena.home import Home


@click.group(short_help="Test a tournament file; its JSON Schema.")
def config() -> None:
    """Test a tournament file without playing it, and its JSON Schema for editors.

    \b
    arena config check cup.toml
    arena config schema > tournament.schema.json
    arena config schema --bot > bot.schema.json
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


@config.command(short_help="The JSON Schema of the input files and of what --json prints.")
@click.option("--bot", is_flag=True, help="Of a bot.toml.")
@click.option("--of", "name", metavar="NAME", help="Of what a command prints: kingmaker/NAME/1.")
def schema(bot: bool, name: str | None) -> None:
    """Print the JSON Schema of a tournament file, with which editors complete and check it.

    \b
    arena config schema > tournament.schema.json
    arena config schema --bot > bot.schema.json
    arena config schema --of status          of what arena status --json prints
    arena config schema --of event           of what arena run --events prints
    """
    from arena.config import Tournament
    from arena.documents import KINDS
    from arena.documents import schema as schema_of
    from protocol.manifest import Manifest

    if name is not None:
        if name not in KINDS:
            raise InputError(f"no document {name!r}", did_you_mean(name, KINDS))
        click.echo(json.dumps(schema_of(name), indent=2, ensure_ascii=False))
        return
    body = (Manifest if bot else Tournament).model_json_schema()
    if not bot:
        body["required"].remove("name")  # a file is named by itself
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    click.echo(json.dumps(dialect | body, indent=2, ensure_ascii=False))
