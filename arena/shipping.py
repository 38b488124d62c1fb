"""A bot on its way elsewhere: packed as it was handed in, for a person or for a worker, and put up there.

What is packed is what the bot's digest is of, never what was built: who gets it builds it anew.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import shutil
import stat
import tarfile
import tempfile
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path

from arena import building, sealing
from arena.bundles import Bot
from arena.errors import InputError
from arena.home import Home
from arena.manifests import MANIFEST, MAX_BYTES, as_toml, is_script, read_manifest
from protocol.manifest import Manifest
from protocol.vocabulary import BotId

CARRIED = "bot"
"""The folder that a bot's files are sent in."""


def export(bot: Bot, file: Path) -> None:
    """Write the files that were handed in as a .tar.gz, the same bytes each time. Raises InputError.

    Where they are of several bots, or of this one before a rename, its bot.toml is written anew.
    """
    files = building.listed_files(bot.folder)
    with tempfile.TemporaryDirectory(prefix="kingmaker-") as temp:
        if _said_in(bot.folder, files) != bot.manifest:
            files[MANIFEST] = Path(temp, MANIFEST)
            files[MANIFEST].write_text(as_toml(bot.manifest) + "\n", "utf-8")
        _pack(files, bot.id.name, file)


def carried(bot: Bot) -> bytes:
    """The files that were handed in as a .tar.gz, just as they are: their digest is the bot's. Raises InputError."""
    with tempfile.TemporaryDirectory(prefix="kingmaker-") as temp:
        file = Path(temp, "bot.tar.gz")
        _pack(building.listed_files(bot.folder), CARRIED, file)
        return file.read_bytes()


def installed(home: Home, bot: BotId, manifest: Manifest, archive: bytes = b"") -> Bot:
    """A bot under `home` that the ledger there does not know, out of what `carried` gave, or as it was kept before.

    Raises InputError where the files are not those of its digest, CannotStart where it can't be built.
    """
    folder = home.folder("bots") / bot.digest
    if folder.is_dir():
        building.listed_files(folder)
    else:
        _unpack(home, bot, manifest, archive)
    return Bot(bot, manifest, folder, home.sandbox)


def _unpack(home: Home, bot: BotId, manifest: Manifest, archive: bytes) -> None:
    bots = home.folder("bots")
    with building.temporary(bots) as temp:
        files = _carried_to(temp / "files", archive)
        if sealing.digest(files) != bot.digest:
            raise InputError(f"the files that came as {bot} are others", "run again", "E211")
        with building.built(files, manifest, bots / bot.digest, home.sandbox):
            pass


def _carried_to(folder: Path, archive: bytes) -> dict[str, Path]:
    """What `carried` gave, written below a new folder. Raises InputError.

    Whatever plays on the runner's machine is taken as it is: the limits of what people hand in have been kept there.
    """
    files: dict[str, Path] = {}
    try:
        with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
            for info in tar:
                name, content = info.name.removeprefix(f"{CARRIED}/"), tar.extractfile(info)
                if content is None or Path(name).is_absolute() or ".." in name.split("/"):
                    raise tarfile.TarError(f"{name!r} is no file of a bot")
                files[name] = folder / name
                files[name].parent.mkdir(parents=True, exist_ok=True)
                with content, files[name].open("xb") as file:
                    shutil.copyfileobj(content, file)
                files[name].chmod(info.mode)
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise InputError(f"a bot's files did not come whole: {error}", "run again", "E211") from None
    return files


def _said_in(folder: Path, files: Iterable[str]) -> Manifest | None:
    """What the bot that `files` are taken for says of itself."""
    if MANIFEST in files:
        return read_manifest(folder)
    only, *more = files
    return None if more or not is_script(folder / only) else read_manifest(folder / only)


def _pack(files: Mapping[str, Path], top: str, file: Path) -> None:
    """Write `files` below a folder `top`; whole or not at all."""
    part = file.with_name(f".new-{file.name}")
    try:
        with (
            part.open("wb") as raw,
            gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed,
            tarfile.open(fileobj=packed, mode="w") as tar,
        ):
            for name, path in sorted(files.items()):
                with sealing.regular(path, MAX_BYTES) as opened:
                    info, found = tarfile.TarInfo(f"{top}/{name}"), os.fstat(opened.fileno())
                    info.size, info.mode = found.st_size, 0o755 if found.st_mode & stat.S_IXUSR else 0o644
                    tar.addfile(info, opened)
        part.replace(file)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise InputError(f"cannot write {file}: {error.strerror}", "choose another place", "E209") from None
