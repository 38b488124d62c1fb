"""A new bot's folder, out of the kit of a language: it plays at once."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from pydantic import ValidationError

from arena.errors import InputError, StorageError, did_you_mean
from arena.inputs import complaint
from arena.manifests import BUILT, MANIFEST, kits, read_manifest
from protocol.manifest import Manifest

SECOND_BOT = "greedy"
"""Begins the names of the files of a kit that are not its first bot's."""
ALIASES = {"c++": "cpp", "c#": "csharp", "js": "javascript", "ts": "typescript", "py": "python", "rs": "rust"}


def language_of(name: str) -> str:
    """The language's name as its kit has it."""
    return ALIASES.get(name.lower(), name.lower())


def page(language: str) -> Path:
    """What a language's kit says of itself. KeyError where there is none."""
    folder = kits()[language_of(language)]
    return next(at / "README.md" for at in (folder, folder.parent) if (at / "README.md").exists())


def new_bot(folder: Path, name: str, language: str) -> Manifest:
    """Write a bot of `language` into the new folder `folder`; what its manifest says.

    Raises InputError (the name, the language, a folder that is there already) and StorageError.
    """
    key = language_of(language)
    if key not in kits():
        fix = did_you_mean(key, kits()) + '; another language: docs/bare-socket.md, or transport = "stdio"'
        raise InputError(f"no kit for {language!r}", fix, "E229")
    kit = kits()[key]
    text = _manifest(kit / MANIFEST, name)
    if folder.exists() or folder.is_symlink():
        raise InputError(f"{folder} is there already", "another name, or --into another folder", "E206")
    try:
        shutil.copytree(kit, folder, ignore=_left_out)
        (folder / MANIFEST).write_text(text, "utf-8")
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise StorageError(
            f"cannot write {folder}: {error.strerror or error}", "choose another with --into", "E401"
        ) from None
    return read_manifest(folder)


def _left_out(_: str, names: list[str]) -> set[str]:
    skip = BUILT | {"__pycache__", "README.md"}
    return {name for name in names if name in skip or name.startswith((".", SECOND_BOT))}


def _manifest(file: Path, name: str) -> str:
    """A kit's bot.toml for a bot called `name`, without the kit's authors."""
    try:
        said = Manifest.model_validate({**read_manifest(file).model_dump(), "name": name})
    except ValidationError as error:
        raise InputError(*complaint(error, Manifest, "the name of the bot"), "E212") from None
    text = file.read_text("utf-8")
    text = re.sub(r"(?m)^authors = .*\n", "", text)
    text = re.sub(r'(?m)^name = ".*"$', f'name = "{said.name}"', text)
    return re.sub(r'(?m)^version = ".*"$', 'version = "0.1.0"', text)
