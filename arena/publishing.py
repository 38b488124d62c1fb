"""A folder that is there whole or not at all, and takes the place of the one before it; nobody else's file is lost.

What is written lies in a folder beside it until all of it is there. A file of ours in it lists the files, so that a
folder which has anything else is known and left alone.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from secrets import token_hex
from shutil import rmtree
from typing import NamedTuple

from arena.errors import InputError, StorageError
from protocol.escape import visible

MARK = ".kingmaker-site"
"""The list of the files, a line each."""
_HEAD = "kingmaker/site/1"


class Written(NamedTuple):
    """How much was written."""

    files: int
    size: int
    """Bytes."""


def publish(folder: Path, files: Iterable[tuple[str, bytes]]) -> Written:
    """Make `folder` of these files (paths with `/`, contents), in the place of an older one.

    Raises InputError where it is somebody else's, StorageError where it cannot be written: then, and where making
    `files` raises, everything is as before.
    """
    folder = folder.resolve()
    check_ours(folder)
    with _begun(folder) as new:
        try:
            found = _fill(new, files, folder)
            with _told(folder), _alone(folder.parent):
                _put(new, folder)
        except BaseException:
            rmtree(new, ignore_errors=True)
            raise
    return found


@contextmanager
def _begun(folder: Path) -> Iterator[Path]:
    """An empty folder beside `folder`, held as long as it is filled; what nobody holds is a dead one's, and goes."""
    new = folder.with_name(f".{folder.name}.new-{token_hex(4)}")
    with _told(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _alone(folder.parent):
            _clear(folder)
            new.mkdir()
            held = _hold(new)
    try:
        yield new
    finally:
        os.close(held)


def _clear(folder: Path) -> None:
    """Remove what killed builds of `folder` have left beside it."""
    half_made = re.compile(re.escape(f".{folder.name}.") + "(new|old)-[0-9a-f]{8}")
    for path in folder.parent.iterdir():
        if half_made.fullmatch(path.name) and path.is_dir() and not path.is_symlink():
            with suppress(BlockingIOError):
                held = _hold(path)
                rmtree(path, ignore_errors=True)
                os.close(held)


def _hold(folder: Path) -> int:
    """Lock a folder for this process; to close what is returned lets it go. Raises BlockingIOError: it is held."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(opened)
        raise
    return opened


@contextmanager
def _alone(parent: Path) -> Iterator[None]:
    """No other build begins or ends in `parent` meanwhile; the kernel lets go of it with the process."""
    opened = os.open(parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)


def check_ours(folder: Path) -> None:
    """Raise InputError where a folder has anything that we have not written there, or is the current one."""
    if not folder.exists():
        return
    if folder.resolve() == Path.cwd():
        raise InputError(
            "a site takes the place of its folder, and you are in that", "name another: -o site", "E250"
        )
    if not folder.is_dir():
        raise InputError(f"{visible(str(folder))} is no folder", "choose another place with -o", "E250")
    listed = _listed(folder / MARK)
    ours = {str(parent) for path in listed for parent in PurePosixPath(path).parents} | listed
    for path in _below(folder):
        if path not in ours:
            raise InputError(
                f"{visible(str(folder))} has something that is no file of a site: {visible(path)}",
                "choose a folder of its own with -o, or take that away",
                "E250",
            )


def _listed(mark: Path) -> set[str]:
    """The files of a site, by its mark; none where there is no mark."""
    try:
        head, *paths = mark.read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return set()
    return {MARK, *paths} if head == _HEAD else set()


def _below(folder: Path) -> Iterable[str]:
    """Files and folders in it, sorted."""
    for parent, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted([*folders, *names]):
            yield (Path(parent) / name).relative_to(folder).as_posix()


def _fill(new: Path, files: Iterable[tuple[str, bytes]], folder: Path) -> Written:
    """Write into `new` what is to be `folder`."""
    paths, size = [], 0
    made = {new}
    for path, contents in files:
        place = new / path
        with _told(folder):
            if place.parent not in made:
                place.parent.mkdir(parents=True, exist_ok=True)
                made.add(place.parent)
            place.write_bytes(contents)
        paths.append(path)
        size += len(contents)
    with _told(folder):
        (new / MARK).write_text("\n".join([_HEAD, *sorted(paths), ""]), "utf-8")
    return Written(len(paths), size)


def _put(new: Path, folder: Path) -> None:
    """Let `new` take the place of `folder`."""
    if not folder.exists():
        new.rename(folder)
        return
    old = new.with_name(new.name.replace(".new-", ".old-"))
    folder.rename(old)
    try:
        new.rename(folder)
    except BaseException:
        old.rename(folder)
        raise
    rmtree(old, ignore_errors=True)


@contextmanager
def _told(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"cannot write the site {visible(str(folder))}: {error.strerror or error}",
            "make room, or choose another place with -o; what was there before is as it was",
            "E406",
        ) from None
