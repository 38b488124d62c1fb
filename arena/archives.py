"""A bot that was handed in as an archive: unpacked with care, or refused.

Who made the archive may mean harm, so only regular files come out of it, under names that mean the same file
on every system, and no more than the limits allow. Nothing here knows the formats (see `arena.members`), or
what a bot is.
"""

from __future__ import annotations

import shutil
import stat
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from arena.errors import InputError, StorageError
from arena.members import Member, Refused, reader, shown

MAX_FILES = 2_000
MAX_MEMBERS = 20_000
"""Files, folders and what is skipped; also the folders that names of files imply."""
MAX_BYTES = 64 << 20
"""Of all files together, unpacked."""
NAME_BYTES = 1_024
PART_BYTES = 255
"""Of a name between two slashes."""
CACHES = ("__pycache__", "__MACOSX")
"""Skipped, as all that is hidden."""


def is_archive(path: Path) -> bool:
    """Whether a file begins as a zip or a tar (packed or not) does, whatever its name.

    Raises InputError where it can't be read.
    """
    return path.is_file() and reader(path) is not None


def unpacked(archive: Path, into: Path) -> Path:
    """Unpack `archive` into an empty folder; the folder in which its files lie, which may be one below.

    A file keeps its content and whether its owner may execute it, nothing else. Folders without files,
    hidden files and caches are left out. After an error `into` is empty again. Raises InputError where
    anything in the archive is not as it should be, StorageError where the disk refuses.
    """
    try:
        _unpack(archive, into)
    except BaseException:
        for left in into.iterdir():
            shutil.rmtree(left) if left.is_dir() else left.unlink()
        raise
    found = list(into.iterdir())
    return found[0] if len(found) == 1 and found[0].is_dir() else into


def _unpack(archive: Path, into: Path) -> None:
    """The same; leaves what it has written where it fails."""
    members = reader(archive)
    if members is None:
        raise InputError(f"{archive} is no archive", "pack it as .zip, .tar.gz or .tar.zst", "E228")
    tree = _Tree()
    try:
        with closing(members(archive, MAX_BYTES)) as found:
            for member in found:
                if parts := tree.place(member):
                    _write(member.content(), into.joinpath(*parts), member.runs)
    except Refused as refused:
        raise InputError(f"{archive}: {refused}", refused.fix, "E228") from None


def _write(chunks: Iterator[bytes], target: Path, runs: bool) -> None:
    """Raises StorageError."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as file:
            file.writelines(chunks)
        if runs:
            target.chmod(target.stat().st_mode | stat.S_IXUSR)
    except OSError as error:  # not of the archive: `content` has turned those into refusals
        raise StorageError(f"cannot unpack to {target}: {error.strerror}", code="E401") from None


@dataclass(slots=True)
class _Tree:
    """The names that were met so far. No two of them mean the same file on any system."""

    known: dict[str, str] = field(default_factory=dict)
    """Folded name to name, which ends in a slash if it is a folder's."""
    files: int = 0
    members: int = 0

    def place(self, member: Member) -> list[str]:
        """The parts of the name of a file that is to be written; none for a folder or what is skipped."""
        self.members += 1
        parts = _parts(member)
        skipped = any(part.startswith(".") or part in CACHES for part in parts)
        if not skipped:
            if member.flaw:
                raise Refused(f"{shown(member.name)} is {member.flaw[0]}", member.flaw[1])
            self._add(parts, member.folder)
            self.files += not member.folder
        if self.files > MAX_FILES or max(self.members, len(self.known)) > MAX_MEMBERS:
            limits = f"{MAX_FILES:,} files or {MAX_MEMBERS:,} names"
            raise Refused(f"it has more than {limits}, {shown(member.name)} counted", "leave data out")
        return [] if skipped or member.folder else parts

    def _add(self, parts: list[str], folder: bool) -> None:
        for end in range(len(parts), 0, -1):  # from below, as what is above a known folder is known
            whole = end == len(parts) and not folder
            name = "/".join(parts[:end]) + ("" if whole else "/")
            folded = _folded(name)
            other = self.known.get(folded)
            if other == name and not whole:
                return
            if other:
                fix = "name each file once, and differently in more than case and accents"
                raise Refused(f"{shown(name)} cannot be beside {shown(other)}", fix)
            self.known[folded] = name


def _folded(name: str) -> str:
    """One form for all names that some system takes for the same."""
    return unicodedata.normalize("NFC", name.rstrip("/").casefold())


def _parts(member: Member) -> list[str]:
    """The folders and at last the file or folder that a name means; none for the top of the archive."""
    parts = member.name.split("/")
    if member.folder and not parts[-1]:
        parts.pop()
    if parts[:1] == ["."]:
        del parts[0]
    flaw = name_flaw(member.name, parts) if parts or not member.folder else None
    if flaw:
        raise Refused(f"the name {shown(member.name)} {flaw}", "rename it, and pack the bot's folder anew")
    return parts


def name_flaw(name: str, parts: Sequence[str]) -> str | None:
    """What is wrong with a file's name in a bot, or with its parts."""
    try:
        lengths = [len(part.encode()) for part in parts]
    except UnicodeEncodeError:
        return "is not UTF-8"
    flaws = {
        "has control characters": any(unicodedata.category(letter) == "Cc" for letter in name),
        "has a backslash": "\\" in name,
        "has a drive letter": any(part[1:2] == ":" for part in parts),
        "is absolute": name.startswith("/"),
        "leads out of its folder": ".." in parts,
        "has an empty part or a .": not parts or "" in parts or "." in parts,
        f"has a part of more than {PART_BYTES} bytes": max(lengths, default=0) > PART_BYTES,
        f"has more than {NAME_BYTES:,} bytes": sum(lengths) + len(parts) > NAME_BYTES,
    }
    return next((words for words, found in flaws.items() if found), None)
