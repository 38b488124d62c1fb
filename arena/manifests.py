"""Where a bot's files are, and what it says of itself there.

A bot is handed in as a folder with a bot.toml, as the path of a manifest in such a folder (one folder may hold
several, with one build for all), or as one script, for which a manifest is proposed.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import NoReturn

from pydantic import ValidationError

from arena.archives import is_archive, name_flaw
from arena.errors import InputError
from arena.inputs import complaint, input_text, toml
from protocol.escape import visible
from protocol.manifest import Manifest
from referee.games import GAMES

REGULAR = "a bot is made of regular files only"
MAX_FILES = 5_000
MAX_BYTES = 256 * 1024 * 1024
MANIFEST = "bot.toml"
HOUSE = ("*/bot.toml", "*/greedy.toml", "*/*/bot.toml")
"""Where the house's bots have their manifests: two in a language's folder, or a folder for each."""
KITS = ("*/bot.toml", "*/random/bot.toml")
"""Where a language's kit has its manifest."""
BUILT = frozenset({"build", "target", "node_modules"})
"""Folders at the top of a bot that is built: they are made, and no part of it."""
INTERPRETERS = {
    ".py": "python3", ".js": "node", ".mjs": "node", ".rb": "ruby", ".pl": "perl", ".lua": "lua", ".sh": "bash",
}  # fmt: skip
"""What runs a script that can't run by itself."""
LANGUAGES = {"python3": "python", "node": "javascript"}
BEGINNING = 1 << 16
"""Bytes of a script that are looked at to propose its manifest."""
SPEAKS_ZEROMQ = (b"ARENA_ENDPOINT", b"protocol.client", b"zmq")
"""A script that has one of these words looks after its connection; another is talked to over lines."""


@dataclass(frozen=True, slots=True)
class Source:
    """A bot as it was handed in."""

    manifest: Manifest
    folder: Path
    """Where its files lie."""
    only: str = ""
    """The one file that it consists of; empty: all in the folder."""

    def files(self) -> dict[str, Path]:
        """The files that are the bot, by their name in it: no hidden ones, no caches, nothing built.

        Raises InputError where one is no regular file or has a name that an archive could not have, or they are
        too much.
        """
        size, found = 0, {}
        for file in [self.folder / self.only] if self.only else self._walk():
            info = file.stat() if self.only else file.lstat()
            if not stat.S_ISREG(info.st_mode):
                what = "a link" if stat.S_ISLNK(info.st_mode) else "no regular file"
                raise InputError(f"{visible(str(file))} is {what}", REGULAR, "E213")
            name = file.relative_to(self.folder)
            _check_name(file, name)
            found[str(name)] = file
            size += info.st_size
            if size > MAX_BYTES or len(found) > MAX_FILES:
                limits = f"{MAX_FILES:,} files or {MAX_BYTES >> 20} MiB"
                raise InputError(
                    f"{self.folder} has more than {limits}, {visible(str(file))} counted",
                    "leave data out",
                    "E213",
                )
        return found

    def _walk(self) -> Iterator[Path]:
        """The files and the links below the folder, in a stable order."""
        pending = [self.folder]
        while pending:
            here = pending.pop()
            try:
                entries = sorted(here.iterdir())
            except OSError as error:
                unreadable(error)
            skip = {"__pycache__"} | (BUILT if self.manifest.build and here == self.folder else set())
            for path in entries:
                if path.name.startswith(".") or (path.name in skip and path.is_dir()):
                    continue
                if path.is_dir() and not path.is_symlink():
                    _check_name(path, path.relative_to(self.folder))  # nor is any nest too deep for a path
                    pending.append(path)
                else:
                    yield path


def _check_name(path: Path, name: Path) -> None:
    """Refuse what an archive may not have either; but in no encoding a name may be."""
    readable = PurePath(os.fsencode(name).decode("utf-8", "replace"))
    if flaw := name_flaw(str(readable), readable.parts):
        fix = "rename it: the files of a bot need names that every system can have"
        raise InputError(f"the name of {visible(str(path))} {flaw}", fix, "E213")


def source(path: Path, shown: str = "") -> Source:
    """The bot at `path` (no archive). Raises InputError, which names the file as `shown`, if given."""
    where = shown or str(path)
    if path.is_dir():
        return Source(_read(path / MANIFEST, f"{where}/{MANIFEST}"), path)
    if not path.exists():
        raise InputError(f"there is no file or folder {where}", f"look for it: ls {path.parent}", "E212")
    if path.suffix == ".toml":
        return _beside(path, where)
    return Source(_proposed(path), path.parent, path.name)


def _beside(path: Path, where: str) -> Source:
    """The bot of a manifest of another name in a bot's folder."""
    manifest, first = _read(path, where), path.with_name(MANIFEST)
    if first.exists() and (build := _read(first, str(first)).build) != manifest.build:
        fix = f"{first.name} has: build = {json.dumps(build)}" if build else f"{first.name} has no build"
        raise InputError(f"{where}: build: one folder is built once, for all its manifests", fix, "E212")
    return Source(manifest, path.parent)


def read_manifest(path: Path) -> Manifest:
    """What the bot at `path` says of itself; for one script, what is proposed."""
    return source(path).manifest


def _read(file: Path, where: str) -> Manifest:
    if not file.is_file():
        fix = 'it needs at least: name = "mybot" and run = ["python3", "bot.py"]; or: arena bot new'
        raise InputError(f"there is no {MANIFEST} in {Path(where).parent}", fix, "E212")
    try:
        text = input_text(file)
        return Manifest.model_validate(toml(text, where))
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: not UTF-8 text: {error}", "save it as UTF-8", "E202") from None
    except OSError as error:
        unreadable(error)
    except ValidationError as error:
        raise InputError(*complaint(error, Manifest, where, text), "E212") from None


def _proposed(path: Path) -> Manifest:
    """A manifest for a script by itself."""
    if not path.is_file():
        raise InputError(f"{path} is no regular file", REGULAR, "E213")
    runner = INTERPRETERS.get(path.suffix, "")
    if not runner and not path.stat().st_mode & stat.S_IXUSR:
        raise InputError(f"{path} is not executable", f"chmod +x {path}", "E213")
    try:
        with path.open("rb") as file:
            text = file.read(BEGINNING)
    except OSError as error:
        unreadable(error)
    transport = "ipc" if any(word in text for word in SPEAKS_ZEROMQ) else "stdio"
    run = [runner, path.name] if runner else [f"./{path.name}"]
    said = {"name": path.stem, "language": LANGUAGES.get(runner, runner), "run": run, "transport": transport}
    try:
        return Manifest.model_validate(said)
    except ValidationError as error:
        raise InputError(*complaint(error, Manifest, f"the name of {path}"), "E212") from None


def is_script(path: Path) -> bool:
    """Whether a file can be a bot by itself."""
    return path.is_file() and (path.suffix in INTERPRETERS or bool(path.stat().st_mode & stat.S_IXUSR))


def proposal(path: Path) -> str | None:
    """The text of the manifest that is proposed for the script at `path`; None where it is no script."""
    if not path.is_file() or path.suffix == ".toml" or is_archive(path):
        return None
    return as_toml(_proposed(path))


def as_toml(manifest: Manifest) -> str:
    r"""A manifest as it stands in a bot.toml; tables at its end.

    >>> print(as_toml(Manifest(name="x", run=["./x"], env={"A": "1"})))
    name = "x"
    run = ["./x"]
    transport = "ipc"
    <BLANKLINE>
    [env]
    A = "1"
    """
    said = manifest.model_dump(exclude_defaults=True) | {"transport": manifest.transport}
    tables = {key: value for key, value in said.items() if isinstance(value, dict)}
    lines = [_pair(key, value) for key, value in said.items() if key not in tables]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(_pair(key, value) for key, value in table.items())]
    return "\n".join(lines)


def _pair(key: str, value: object) -> str:
    """Strings, numbers and lists are written as in JSON, but that TOML wants DEL escaped."""
    written = json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return f"{key} = {written}"


def house_bots() -> dict[str, Path]:
    """The paths of the bots that come with the arena, by name: from the package, or from the checkout."""
    paths = (file.parent if file.name == MANIFEST else file for _, file in _house(HOUSE))
    return {read_manifest(path).name: path for path in paths}


def kits() -> dict[str, Path]:
    """The folder to begin from in each language, by the language's folder."""
    return {file.relative_to(root).parts[0]: file.parent for root, file in _house(KITS)}


def _house(patterns: Iterable[str]) -> Iterator[tuple[Path, Path]]:
    """The files of `patterns`, each after its root."""
    for root in (Path(__file__).parent / "house", Path(__file__).parents[1] / "bots"):
        for pattern in patterns:
            yield from ((root, file) for file in sorted(root.glob(pattern)))


def known_games(manifest: Manifest) -> list[str]:
    """Those of a bot's `games` that are of a game which is known here."""
    return [p for p in manifest.games if any(fnmatchcase(game, p.split("/")[0]) for game in GAMES)]


def unreadable(error: OSError) -> NoReturn:
    """Say so as an InputError."""
    fix = "make it readable: chmod -R u+rX" if isinstance(error, PermissionError) else REGULAR
    raise InputError(f"cannot read {visible(str(error.filename))}: {error.strerror}", fix, "E213") from None
