"""A bot as it was handed in: taken in, built, and kept under the digest of its files.

A bot is named by a path (a folder with a bot.toml, or one script), by a name that was added with
`arena bot add`, by `name@digest`, or by the name of one of the house's bots.
"""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path

from pydantic import ValidationError

from arena.config import complaint
from arena.errors import CannotStart, InputError, did_you_mean
from arena.home import Home
from arena.ledger import Ledger
from protocol.manifest import Manifest
from protocol.vocabulary import BotId
from referee.jobs import Launch

MAX_FILES = 5_000
MAX_BYTES = 256 * 1024 * 1024
BUILD_SECONDS = 600
MANIFEST = "bot.toml"


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
        return Launch(self.id, tuple(argv), str(self.folder), dict(self.manifest.env))

    def plays(self, variant: str) -> bool:
        """Whether it says that it plays `variant` (an id)."""
        names = (variant, variant.split("/")[0], variant.rsplit("/", 1)[0])
        return any(fnmatchcase(name, pattern) for pattern in self.manifest.games for name in names)


def resolve(home: Home, ledger: Ledger, reference: str) -> Bot:
    """The bot that `reference` means, taken in where it is a path.

    Raises InputError where there is none or its manifest is wrong, CannotStart where it can't be built.
    """
    if "/" in reference or reference.endswith(".py") or reference == ".":
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
    id = BotId(manifest.name, _digest(files, manifest))
    folder = home.folder("bots") / id.digest
    if not folder.exists():
        _install(home, files, manifest, folder)
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
        run = ["python3", path.name] if path.suffix == ".py" else [f"./{path.name}"]
        try:
            return Manifest(name=path.stem, language="python" if path.suffix == ".py" else "", run=run)
        except ValidationError as error:
            raise InputError(*complaint(error, Manifest, str(path)), "E212") from None
    file = path / MANIFEST
    if not file.is_file():
        what = f"there is no {MANIFEST} in {path}" if path.is_dir() else f"there is no file or folder {path}"
        raise InputError(what, 'it needs at least: name = "mybot" and run = ["python3", "bot.py"]', "E212")
    try:
        return Manifest.model_validate(tomllib.loads(file.read_text("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: not TOML: {error}", "mend that line", "E202") from None
    except ValidationError as error:
        raise InputError(*complaint(error, Manifest, str(file)), "E212") from None


def house_bots() -> dict[str, Path]:
    """The bots that come with the arena, by name: from the package, or from the checkout."""
    roots = (Path(__file__).parent / "house", Path(__file__).parents[1] / "bots")
    found = (file for root in roots for file in sorted(root.glob(f"*/*/{MANIFEST}")))
    return {read_manifest(file.parent).name: file.parent for file in found}


def unfit(bots: list[Bot], variants: list[str]) -> Iterator[tuple[Bot, str]]:
    """Each bot with a variant that it says it does not play."""
    for bot in bots:
        for variant in variants:
            if not bot.plays(variant):
                yield bot, variant


def _files(path: Path, manifest: Manifest) -> Iterator[tuple[str, Path]]:
    """The files that are the bot, by their name in it: no hidden ones, no caches, nothing built."""
    if path.is_file():
        yield path.name, path
        return
    size = count = 0
    for folder, folders, names in os.walk(path):
        here = Path(folder)
        skip = {"__pycache__"} | ({"build"} if manifest.build and here == path else set())
        folders[:] = sorted(f for f in folders if f not in skip and not f.startswith("."))
        for name in sorted(n for n in names if not n.startswith(".")):
            file = here / name
            info = file.lstat()
            if not stat.S_ISREG(info.st_mode):
                raise InputError(f"{file} is no regular file", "a bot is made of regular files only", "E213")
            size, count = size + info.st_size, count + 1
            if size > MAX_BYTES or count > MAX_FILES:
                raise InputError(
                    f"{path} has more than {MAX_FILES} files or {MAX_BYTES >> 20} MiB",
                    "leave data out",
                    "E213",
                )
            yield str(file.relative_to(path)), file


def _digest(files: dict[str, Path], manifest: Manifest) -> str:
    total = sha256(repr(sorted(manifest.model_dump().items())).encode())
    for name, file in sorted(files.items()):
        try:
            content = sha256(file.read_bytes()).hexdigest()
        except OSError as error:
            raise InputError(f"cannot read {file}: {error.strerror}", code="E213") from None
        total.update(f"\n{name}\0{content}\0{file.stat().st_mode & 0o111:o}".encode())
    return total.hexdigest()[:40]


def _install(home: Home, files: dict[str, Path], manifest: Manifest, folder: Path) -> None:
    """Copy, build and only then give the folder its name: it is there whole or not at all."""
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".new-") as temporary:
        copy = Path(temporary, "bot")
        for name, file in files.items():
            target = copy / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
        if manifest.build:
            _build(manifest, copy)
        try:
            copy.rename(folder)
        except OSError:  # somebody else has just taken in the same files
            if not folder.exists():
                raise


def _build(manifest: Manifest, folder: Path) -> None:
    assert manifest.build
    command = " ".join(manifest.build)
    try:
        done = subprocess.run(
            manifest.build, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True,
            errors="replace", timeout=BUILD_SECONDS,
        )  # fmt: skip
    except OSError as error:
        raise CannotStart(
            f"{manifest.name}: cannot run its build {command!r}: {error.strerror}", code="E310"
        ) from None
    except subprocess.TimeoutExpired:
        raise CannotStart(
            f"{manifest.name}: its build took more than {BUILD_SECONDS} s", code="E310"
        ) from None
    if done.returncode:
        log = "\n".join((done.stdout + done.stderr).splitlines()[-20:])
        raise CannotStart(
            f"{manifest.name}: its build {command!r} ended with {done.returncode}:\n{log}", code="E310"
        )
