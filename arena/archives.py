"""A bot that was handed in as an archive: unpacked with care, or refused.

Who made the archive may mean harm, so nothing in it is believed. Only regular files come out, under names
that mean the same file on every system, and whatever is limited is counted while it is read, not looked up
in what the archive says of itself. Nothing here knows what a bot is.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import shutil
import stat
import sys
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any, Self

from arena.errors import InputError, StorageError

if sys.version_info >= (3, 14):
    import tarfile

    from compression import zstd
else:
    from backports import zstd
    from backports.zstd import tarfile  # has what was mended in Python's own since 3.11

MAX_FILES = 2_000
MAX_MEMBERS = 20_000
"""Files, folders and what is skipped; also the folders that names of files imply."""
MAX_BYTES = 64 << 20
"""Of all files together, unpacked. A tar, which can't be read but whole, may have as much that is skipped."""
MAX_RATIO = 100
"""Bytes that come out for each byte of the archive, from FREE_BYTES on."""
FREE_BYTES = 1 << 20
NAME_BYTES = 1_024
PART_BYTES = 255
"""Of a name between two slashes."""
LIST_BYTES = 4 << 20
"""Of a zip's list of members, which is read in one go."""
HEADER_BYTES = 16 << 10
"""Of a tar's header that says more of the member after it, which is read in one go."""
ATTRIBUTES = 50
"""Said so of one member. tarfile copies those that are said of all."""
CHUNK = 64 << 10
ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Those that zipfile unpacks piece by piece; of others a few bytes may become gigabytes in memory."""
BROKEN = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    zstd.ZstdError,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    RecursionError,
    MemoryError,
)
"""What the standard library raises over archives that are not as they should be."""
MORE_TYPES = (b"L", b"K", b"x", b"g", b"X")
"""Of headers in a tar that say more of the member after them: long names and pax."""
CACHES = ("__pycache__", "__MACOSX")
"""Skipped, as all that is hidden."""
LINK = "a link", "pack what it points to"
SPECIAL = "no regular file", "pack regular files only"


class _Refused(Exception):
    """Why an archive is not taken, and what its maker can do."""

    def __init__(self, what: str, fix: str) -> None:
        super().__init__(what)
        self.fix = fix


@dataclass(frozen=True, slots=True)
class _Member:
    """A name in an archive, as the archive has it: not to be trusted."""

    name: str
    folder: bool
    flaw: tuple[str, str] | None
    """What it is that is never taken, and the fix."""
    size: int
    """In bytes, as the archive says."""
    runs: bool
    """Whether its owner may execute it."""
    open: Callable[[], IO[bytes] | None]


_Members = Callable[[Path], Generator[_Member]]
_Stream = io.BufferedIOBase | io.FileIO


def is_archive(path: Path) -> bool:
    """Whether a file begins as a zip or a tar (packed or not) does, whatever its name.

    Raises InputError where it can't be read.
    """
    return path.is_file() and _format(path) is not None


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
    members = _format(archive)
    if members is None:
        raise InputError(f"{archive} is no archive", "pack it as .zip, .tar.gz or .tar.zst", "E228")
    tree, meter = _Tree(), _Meter(archive.stat().st_size, MAX_BYTES)
    try:
        with closing(members(archive)) as found:
            for member in found:
                if parts := tree.place(member):
                    _write(_chunks(member, meter), into.joinpath(*parts), member.runs)
    except _Refused as refused:
        raise InputError(f"{archive}: {refused}", refused.fix, "E228") from None


def _write(chunks: Iterator[bytes], target: Path, runs: bool) -> None:
    """Raises StorageError."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("xb") as file:
            file.writelines(chunks)
        if runs:
            target.chmod(target.stat().st_mode | stat.S_IXUSR)
    except OSError as error:  # not of the archive: `_chunks` has turned those into refusals
        raise StorageError(f"cannot unpack to {target}: {error.strerror}", code="E401") from None


def _chunks(member: _Member, meter: _Meter) -> Iterator[bytes]:
    """The content of a file, a piece at a time."""
    left = member.size
    with _reading(member.name):
        source = member.open()
        assert source
        with source:
            while chunk := source.read(CHUNK):
                meter.count(len(chunk))
                left -= len(chunk)
                yield chunk
    if left:
        raise _Refused(f"{_shown(member.name)} is not as long as the archive says", "pack it anew")


@contextmanager
def _reading(what: str = "") -> Iterator[None]:
    """Refuse an archive that cannot be read."""
    where = f"{_shown(what)} is" if what else "it is"
    try:
        yield
    except UnicodeDecodeError as error:
        raise _Refused(f"the name {_shown(error.object)} is not UTF-8", "rename that file") from None
    except BROKEN as error:
        fix = "pack it anew, and copy it whole"
        raise _Refused(f"{where} damaged or cut short ({error or type(error).__name__})", fix) from None


def _shown(name: str | bytes) -> str:
    """A name that nobody has checked, fit for a terminal."""
    return repr(name if len(name) <= PART_BYTES else name[:40])


@dataclass(slots=True)
class _Meter:
    """Counts what comes out of an archive."""

    packed: int
    """Bytes of the archive."""
    most: int
    unpacked: int = 0

    def count(self, size: int) -> None:
        """Take note of `size` more bytes."""
        self.unpacked += size
        if self.unpacked > self.most:
            raise _Refused(f"more than {self.most >> 20} MiB come out of it", "leave data out")
        if self.unpacked > max(FREE_BYTES, MAX_RATIO * self.packed):
            what = f"more than {MAX_RATIO} times its size comes out of it"
            raise _Refused(what, "leave files out that are all alike or empty")


@dataclass(slots=True)
class _Tree:
    """The names that were met so far. No two of them mean the same file on any system."""

    known: dict[str, str] = field(default_factory=dict)
    """Folded name to name, which ends in a slash if it is a folder's."""
    files: int = 0
    members: int = 0

    def place(self, member: _Member) -> list[str]:
        """The parts of the name of a file that is to be written; none for a folder or what is skipped."""
        self.members += 1
        parts = _parts(member)
        skipped = any(part.startswith(".") or part in CACHES for part in parts)
        if not skipped:
            if member.flaw:
                raise _Refused(f"{_shown(member.name)} is {member.flaw[0]}", member.flaw[1])
            self._add(parts, member.folder)
            self.files += not member.folder
        if self.files > MAX_FILES or max(self.members, len(self.known)) > MAX_MEMBERS:
            limits = f"{MAX_FILES:,} files or {MAX_MEMBERS:,} names"
            raise _Refused(f"it has more than {limits}, {_shown(member.name)} counted", "leave data out")
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
                raise _Refused(f"{_shown(name)} cannot be beside {_shown(other)}", fix)
            self.known[folded] = name


def _folded(name: str) -> str:
    """One form for all names that some system takes for the same."""
    return unicodedata.normalize("NFC", name.rstrip("/").casefold())


def _parts(member: _Member) -> list[str]:
    """The folders and at last the file or folder that a name means; none for the top of the archive."""
    parts = member.name.split("/")
    if member.folder and not parts[-1]:
        parts.pop()
    if parts[:1] == ["."]:
        del parts[0]
    flaw = _name_flaw(member.name, parts) if parts or not member.folder else None
    if flaw:
        raise _Refused(f"the name {_shown(member.name)} {flaw}", "rename it, and pack the bot's folder anew")
    return parts


def _name_flaw(name: str, parts: list[str]) -> str | None:
    """What is wrong with a name or its parts."""
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


def _format(path: Path) -> _Members | None:
    """What reads the members of a file; None where it is no archive. Raises InputError."""
    marks: dict[tuple[int, bytes], _Members] = {
        (0, b"PK\3\4"): _zip,
        (0, b"PK\5\6"): _zip,
        (0, b"\x1f\x8b\x08"): partial(_tar, gzip.GzipFile),
        (4, b"1AY&SY"): partial(_tar, bz2.BZ2File),
        (0, b"\xfd7zXZ\0"): partial(_tar, lzma.LZMAFile),
        (0, b"\x28\xb5\x2f\xfd"): partial(_tar, zstd.ZstdFile),
        (257, b"ustar"): partial(_tar, io.FileIO),
    }
    try:
        with path.open("rb") as file:
            start = file.read(tarfile.BLOCKSIZE)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}", "make it readable", "E228") from None
    return next((members for (at, mark), members in marks.items() if start.startswith(mark, at)), None)


class _Modest(io.FileIO):
    """A file that does not hand out much at a time."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Raises _Refused."""
        if size and size > LIST_BYTES:
            raise _Refused(f"its list of files has more than {LIST_BYTES >> 20} MiB", "leave files out")
        return super().read(size)


def _zip(archive: Path) -> Generator[_Member]:
    """The members of a zip, as its list at the end has them."""
    with _reading(), _Modest(archive) as file, zipfile.ZipFile(file, metadata_encoding="utf-8") as packed:
        if _said(file, packed) not in (len(packed.infolist()), 0xFFFF):  # the latter in place of more
            raise zipfile.BadZipFile("it has another number of members than it says")
        for info in packed.infolist():
            name = info.orig_filename  # the other one was cut at a NUL
            runs = bool(info.external_attr >> 16 & stat.S_IXUSR)
            opened = partial(_opened, packed, info, info.file_size)
            yield _Member(name, name.endswith("/"), _zip_flaw(info), info.file_size, runs, opened)


def _said(file: _Modest, packed: zipfile.ZipFile) -> int:
    """The number of members in the record at the very end of a zip; zipfile does not look at it."""
    file.seek(-22 - len(packed.comment), os.SEEK_END)
    record = file.read(22)
    return int.from_bytes(record[10:12], "little") if record.startswith(b"PK\5\6") else -1


def _opened(packed: zipfile.ZipFile, info: zipfile.ZipInfo, said: int) -> IO[bytes]:
    """Its content, and one byte more than it said where there is more: zipfile itself would cut that off."""
    info.file_size = said + 1
    return packed.open(info)


def _zip_flaw(info: zipfile.ZipInfo) -> tuple[str, str] | None:
    kind = stat.S_IFMT(info.external_attr >> 16)
    if kind == stat.S_IFLNK:
        return LINK
    if kind not in (0, stat.S_IFDIR if info.orig_filename.endswith("/") else stat.S_IFREG):
        return SPECIAL
    if info.flag_bits & 1:
        return "encrypted", "pack it without a password"
    if info.compress_type not in ZIP_METHODS:
        return f"packed by method {info.compress_type}", "pack it with deflate, or as .tar.gz or .tar.zst"
    return None


class _Metered(io.BufferedIOBase):
    """A stream whose bytes are counted."""

    def __init__(self, source: _Stream, meter: _Meter) -> None:
        self.source = source
        self.meter = meter

    def read(self, size: int | None = -1, /) -> bytes:
        """Raises _Refused where too much has come out."""
        data = self.source.read(-1 if size is None else size)
        self.meter.count(len(data))
        return data


class _Header(tarfile.TarInfo):
    """A header of a tar: one that is damaged is no quiet end of the archive, and none is of any size."""

    @classmethod
    def fromtarfile(cls, archive: tarfile.TarFile) -> Self:
        """The next header with all that belongs to it. Raises TarError."""
        try:
            return super().fromtarfile(archive)
        except tarfile.EOFHeaderError:  # type: ignore[attr-defined]  # the blocks of zeros at the end
            raise
        except tarfile.HeaderError as error:
            raise tarfile.ReadError(str(error)) from None

    # The next two are where tarfile reads on; it would believe any length that a header says.
    def _proc_member(self, archive: tarfile.TarFile) -> Self:
        if self.type in MORE_TYPES and self.size > HEADER_BYTES:
            raise _Refused(f"it has a header of {self.size:,} bytes", "pack it without extended attributes")
        if self.type == tarfile.GNUTYPE_SPARSE:
            raise _Refused(f"{_shown(self.name)} is {SPECIAL[0]}", SPECIAL[1])
        return super()._proc_member(archive)  # type: ignore[misc,no-any-return]

    def _proc_gnusparse_10(self, member: tarfile.TarInfo, *_: Any) -> None:
        raise _Refused(f"{_shown(member.name)} is {SPECIAL[0]}", SPECIAL[1])


def _tar(opened: Callable[[Path], _Stream], archive: Path) -> Generator[_Member]:
    """The members of a tar in their order, each to be read before the next."""
    with _reading(), opened(archive) as plain:
        stream = _Metered(plain, _Meter(archive.stat().st_size, 2 * MAX_BYTES))
        with tarfile.open(
            fileobj=stream, mode="r|", encoding="utf-8", errors="surrogateescape", tarinfo=_Header
        ) as packed:
            for info in packed:
                if len(info.pax_headers) > ATTRIBUTES:
                    what = f"{_shown(info.name)} has more than {ATTRIBUTES} attributes"
                    raise _Refused(what, "pack it without extended attributes")
                runs = bool(info.mode & stat.S_IXUSR)
                opener = partial(packed.extractfile, info)
                yield _Member(info.name, info.isdir(), _tar_flaw(info), info.size, runs, opener)
        while stream.read(CHUNK):  # only at its end does a packed stream tell that it is whole
            pass


def _tar_flaw(info: tarfile.TarInfo) -> tuple[str, str] | None:
    if info.issym() or info.islnk():
        return LINK
    regular = info.type in (tarfile.REGTYPE, tarfile.AREGTYPE) and not info.issparse()
    return None if regular or info.isdir() else SPECIAL
