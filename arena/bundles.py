"""A bot as it was handed in: taken in, built, and kept under the digest of its files.

A bot is named by a path (a folder with a bot.toml, or one script), by a name that was added with
`arena bot add`, by `name@digest`, or by the name of one of the house's bots.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import file_digest, sha256
from pathlib import Path
from typing import IO, NoReturn

from pydantic import ValidationError

from arena.config import complaint, is_path, toml
from arena.errors import CannotStart, InputError, StorageError, did_you_mean
from arena.home import Home
from arena.ledger import Ledger
from protocol.manifest import Manifest
from protocol.vocabulary import BotId
from referee.games import GAMES
from referee.jobs import Launch

MAX_FILES = 5_000
MAX_BYTES = 256 * 1024 * 1024
BUILD_SECONDS = 600
LOG_BYTES = 64 * 1024
"""Of a build's output, from its end, that are looked at."""
TOO_LONG = -1000
"""In place of an exit code."""
MANIFEST = "bot.toml"
NEW = ".new-"
"""Begins the names of folders that are not whole yet."""


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot version that can be started."""

    id: BotId
    manifest: Manifest
    folder: Path
    """Its files, under the home folder."""

    @property
    def launch(self) -> Launch:
        """How the referee starts it."""
        argv = list(self.manifest.run)
        if argv[0] in ("python", "python3"):
            argv[0] = sys.executable
        said = self.manifest
        return Launch(self.id, tuple(argv), str(self.folder), dict(said.env), said.transport)

    def plays(self, variant: str) -> bool:
        """Whether it says that it plays `variant` (an id)."""
        names = (variant, variant.split("/")[0], variant.rsplit("/", 1)[0])
        return any(fnmatchcase(name, pattern) for pattern in self.manifest.games for name in names)


@dataclass(frozen=True, slots=True)
class BotInfo:
    """A bot that a name means."""

    name: str
    digest: str | None
    """None for a house's bot, whose version is made when it is first used."""
    added: str | None
    """When; None for a house's bot."""
    manifest: Manifest


@dataclass(frozen=True, slots=True)
class BotVersion:
    """A version of a name that was ever taken in."""

    digest: str
    added: str


@dataclass(frozen=True, slots=True)
class BotDetail:
    """A bot in the version that was asked for."""

    name: str
    digest: str
    folder: str
    """Its files, built."""
    manifest: Manifest
    versions: list[BotVersion]
    """All of its name, the newest first."""


def known_bots(ledger: Ledger) -> list[BotInfo]:
    """What each name means, by name: the newest version that was added, else the house's bot."""
    house = (read_manifest(path) for path in house_bots().values())
    found = {manifest.name: BotInfo(manifest.name, None, None, manifest) for manifest in house}
    for known in reversed(ledger.bots()):
        manifest = Manifest.model_validate(known.manifest)
        found[known.id.name] = BotInfo(known.id.name, known.id.digest, known.added, manifest)
    return [found[name] for name in sorted(found)]


def resolve(home: Home, ledger: Ledger, reference: str) -> Bot:
    """The bot that `reference` means, taken in where it is a path.

    Raises InputError where there is none or its manifest is wrong, CannotStart where it can't be built.
    """
    if is_path(reference):
        return take_in(home, ledger, Path(reference), listed=False)
    name, _, digest = reference.partition("@")
    known = [k for k in ledger.bots(name, listed=not digest) if k.id.digest.startswith(digest)]
    if known:
        return kept(home, known[0].id, Manifest.model_validate(known[0].manifest))
    houses = house_bots()
    if name in houses and not digest:
        return take_in(home, ledger, houses[name], listed=False)
    names = {k.id.name for k in ledger.bots()} | set(houses)
    raise InputError(
        f"no bot {reference!r}", did_you_mean(name, names) + "; a path has a / in it: ./" + name, "E210"
    )


def take_in(home: Home, ledger: Ledger, path: Path, listed: bool) -> Bot:
    """Copy a bot's files into the home folder and build them there, unless that version is there.

    Raises InputError (no such path, wrong manifest, files that can't be taken) and CannotStart (build).
    """
    manifest = read_manifest(path)
    files = dict(_files(path, manifest))
    id = BotId(manifest.name, _digest(files))
    folder = home.folder("bots") / id.digest
    if not folder.exists():
        _install(files, manifest, folder)
    ledger.add_bot(id, manifest.model_dump(exclude_defaults=True), listed)
    return Bot(id, manifest, folder)


def kept(home: Home, id: BotId, manifest: Manifest) -> Bot:
    """A bot that was taken in before. Raises InputError where its files are gone."""
    folder = home.path / "bots" / id.digest
    if not folder.is_dir():
        raise InputError(
            f"the files of {id} are gone from {folder}", "add it again: arena bot add PATH", "E211"
        )
    return Bot(id, manifest, folder)


def read_manifest(path: Path) -> Manifest:
    """What the bot at `path` says of itself; for one script, what can be said of it."""
    if path.is_file():
        return _script(path)
    file = path / MANIFEST
    if not file.is_file():
        if not path.is_dir():
            raise InputError(
                f"there is no file or folder {path}", "look for it: ls " + str(path.parent), "E212"
            )
        fix = 'it needs at least: name = "mybot" and run = ["python3", "bot.py"]'
        raise InputError(f"there is no {MANIFEST} in {path}", fix, "E212")
    try:
        text = file.read_text("utf-8")
        return Manifest.model_validate(toml(text, str(file)))
    except UnicodeDecodeError as error:
        raise InputError(f"{file}: not UTF-8 text: {error}", "save it as UTF-8", "E202") from None
    except OSError as error:
        _unreadable(error)
    except ValidationError as error:
        raise InputError(*complaint(error, Manifest, str(file), text), "E212") from None


def _script(path: Path) -> Manifest:
    python = path.suffix == ".py"
    if not python and not path.stat().st_mode & stat.S_IXUSR:
        raise InputError(f"{path} is not executable", f"chmod +x {path}", "E213")
    run = ["python3", path.name] if python else [f"./{path.name}"]
    try:
        return Manifest(name=path.stem, language="python" if python else "", run=run)
    except ValidationError as error:
        raise InputError(*complaint(error, Manifest, f"the name of {path}"), "E212") from None


def house_bots() -> dict[str, Path]:
    """The bots that come with the arena, by name: from the package, or from the checkout."""
    roots = (Path(__file__).parent / "house", Path(__file__).parents[1] / "bots")
    found = (file for root in roots for file in sorted(root.glob(f"*/*/{MANIFEST}")))
    return {read_manifest(file.parent).name: file.parent for file in found}


def known_games(manifest: Manifest) -> list[str]:
    """Those of a bot's `games` that are of a game which is known here."""
    return [p for p in manifest.games if any(fnmatchcase(game, p.split("/")[0]) for game in GAMES)]


def unfit(bots: list[Bot], variants: list[str]) -> Iterator[tuple[Bot, str]]:
    """Each bot with a variant that it says it does not play."""
    for bot in bots:
        for variant in variants:
            if not bot.plays(variant):
                yield bot, variant


def _files(path: Path, manifest: Manifest) -> Iterator[tuple[str, Path]]:
    """The files that are the bot, by their name in it: no hidden ones, no caches, nothing built."""
    size = count = 0
    for file in [path] if path.is_file() else _walk(path, manifest):
        info = file.stat() if file == path else file.lstat()
        if not stat.S_ISREG(info.st_mode):
            what = "a link" if stat.S_ISLNK(info.st_mode) else "no regular file"
            raise InputError(f"{file} is {what}", "a bot is made of regular files only", "E213")
        size, count = size + info.st_size, count + 1
        if size > MAX_BYTES or count > MAX_FILES:
            limits = f"{MAX_FILES:,} files or {MAX_BYTES >> 20} MiB"
            raise InputError(f"{path} has more than {limits}, {file} counted", "leave data out", "E213")
        yield path.name if file == path else str(file.relative_to(path)), file


def _walk(path: Path, manifest: Manifest) -> Iterator[Path]:
    """The files and the links below a folder, in a stable order."""
    for folder, folders, names in os.walk(path, onerror=_unreadable):
        here = Path(folder)
        skip = {"__pycache__"} | ({"build"} if manifest.build and here == path else set())
        folders[:] = sorted(f for f in folders if f not in skip and not f.startswith("."))
        links = [f for f in folders if (here / f).is_symlink()]
        yield from (here / name for name in sorted([*names, *links]) if not name.startswith("."))


def _unreadable(error: OSError) -> NoReturn:
    fix = "make it readable: chmod -R u+rX"
    raise InputError(f"cannot read {error.filename}: {error.strerror}", fix, "E213") from None


def _digest(files: dict[str, Path]) -> str:
    """40 hex digits of the files alone, so that a new key of bot.toml makes no old bot another one."""
    total = sha256()
    for name, file in sorted(files.items()):
        try:
            with file.open("rb") as opened:
                content = file_digest(opened, "sha256").hexdigest()
        except OSError as error:
            _unreadable(error)
        runs = bool(file.stat().st_mode & stat.S_IXUSR)
        total.update(os.fsencode(f"\n{name}\0{content}\0{runs}"))
    return total.hexdigest()[:40]


def _install(files: dict[str, Path], manifest: Manifest, folder: Path) -> None:
    """Copy, build and only then give the folder its name: it is there whole or not at all."""
    _sweep(folder.parent)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=NEW) as temporary:
        copy = Path(temporary, "bot")
        copies = {name: copy / name for name in files}
        try:
            for name, target in copies.items():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(files[name], target)
        except OSError as error:
            raise StorageError(
                f"cannot copy {name} to {folder.parent}: {error.strerror}", code="E401"
            ) from None
        if _digest(copies) != folder.name:
            raise InputError(f"{manifest.name}: its files changed meanwhile", "run the command again", "E213")
        if manifest.build:
            _build(manifest, copy)
        try:
            copy.rename(folder)
        except OSError:  # somebody else has just taken in the same files
            if not folder.exists():
                raise


def _sweep(bots: Path) -> None:
    """Remove what others that were killed have left half-made."""
    for left in bots.glob(f"{NEW}*"):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime > 2 * BUILD_SECONDS:
                shutil.rmtree(left, ignore_errors=True)


def _build(manifest: Manifest, folder: Path) -> None:
    """Run its build in `folder`. Raises CannotStart with the end of what it printed."""
    assert manifest.build
    what = f"{manifest.name}: its build {' '.join(manifest.build)!r}"
    try:
        with tempfile.TemporaryFile() as log:
            ended = _run(manifest.build, folder, log)
            log.seek(max(0, log.seek(0, os.SEEK_END) - LOG_BYTES))
            said = log.read().decode("utf-8", "replace").splitlines()[-20:]
    except OSError as error:
        raise CannotStart(f"{what} cannot be run: {error.strerror}", code="E310") from None
    if ended:
        how = f"took more than {BUILD_SECONDS} s" if ended == TOO_LONG else f"ended with {ended}"
        log_lines = "".join(f"\n  | {line}" for line in said)
        doctor = "run it in the bot's folder; arena doctor says which compilers are missing"
        fix = f"it needs: {manifest.needs}" if manifest.needs else doctor
        raise CannotStart(f"{what} {how}{log_lines}", fix, "E310")


def _run(command: list[str], folder: Path, log: IO[bytes]) -> int:
    """Its exit code, or TOO_LONG; whatever it started is ended with it."""
    process = subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
    )
    try:
        return process.wait(BUILD_SECONDS)
    except subprocess.TimeoutExpired:
        return TOO_LONG
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
