"""`arena schema`: every published JSON Schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from arena.cli.output import columns, count, note, show
from arena.errors import InputError, did_you_mean


@click.command(short_help="The JSON Schemas: messages, games, files, --json.")
@click.argument("name", required=False)
@click.option(
    "-o", "--output", "folder", metavar="FOLDER", type=click.Path(file_okay=False, path_type=Path),
    help="Write them there, a file each.",
)  # fmt: skip
def schema(name: str | None, folder: Path | None) -> None:
    """The JSON Schemas of the protocol's messages, of each game's view, setup and events, of bot.toml, of
    a tournament file and of what --json prints.

    \b
    arena schema                  what there is
    arena schema claim            one
    arena schema -o schemas       all, a file each
    arena schema bot -o schemas   one, as a file
    """
    from arena.documents import published

    known = published()
    if name is not None and name not in known:
        raise InputError(f"no schema {name!r}", did_you_mean(name, known))
    chosen = known if name is None else {name: known[name]}
    if folder is not None:
        _write(folder, chosen)
    elif name is not None:
        click.echo(_text(known[name]), nl=False)
    else:
        show(columns(["schema", "of"], [(one, _about(document)) for one, document in known.items()]))


def _about(document: dict[str, Any]) -> str:
    """Its first sentence."""
    said: str = document.get("description") or document["info"]["description"]
    return said.partition("\n")[0].partition(". ")[0].removesuffix(".")


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _write(folder: Path, documents: dict[str, dict[str, Any]]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, document in documents.items():
            (folder / f"{name}.json").write_text(_text(document), "utf-8")
    except OSError as error:
        what = f"cannot write {error.filename or folder}: {error.strerror}"
        raise InputError(what, "choose another folder", "E209") from None
    note(f"written: {count(len(documents), 'schema')} in {folder}")
