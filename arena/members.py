"""What is in an archive, a zip or a tar in any packing: one member after the other, read with care.

Nothing that an archive says of itself is believed: what is limited is counted while it is read, and no more is
read in one go than a limit allows. Nothing here knows which names are good, how many files there may be or
where they are written.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import stat
import sys
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any, Self

from arena.errors import InputError
from protocol.escape import visible

if sys.version_info >= (3, 14):
    import tarfile

    from compression import zstd
else:
    from backports import zstd
    from backports.zstd import tarfile  # has what was mended in Python's own since 3.11

MAX_RATIO = 100
"""Bytes that come out for each byte of the archive, from FREE_BYTES on."""
FREE_BYTES = 1 << 20
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
    tarfile.TarError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, zstd.ZstdError,
    EOFError, OSError, ValueError, NotImplementedError, RecursionError, MemoryError,
)  # fmt: skip
"""What the standard library raises over archives that are not as they should be."""
MORE_TYPES = (b"L", b"K", b"x", b"g", b"X")
"""Of headers in a tar that say more of the member after them: long names and pax."""
LINK = "a link", "pack what it points to"
SPECIAL = "no regular file", "pack regular files only"
SHOWN = 255
"""Letters of a name that a message has whole."""


class Refused(Exception):
    """Why an archive is not taken, and what its maker can do."""

    def __init__(self, what: str, fix: str) -> None:
        super().__init__(what)
        self.fix = fix


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
            raise Refused(f"more than {self.most >> 20} MiB come out of it", "leave data out")
        if self.unpacked > max(FREE_BYTES, MAX_RATIO * self.packed):
            what = f"more than {MAX_RATIO} times its size comes out of it"
            raise Refused(what, "leave files out that are all alike or empty")


@dataclass(frozen=True, slots=True)
class Member:
    """A name in an archive, as the archive has it: not to be trusted."""

    name: str
    folder: bool
    flaw: tuple[str, str] | None
    """What it is that is never taken, and the fix."""
    runs: bool
    """Whether its owner may execute it."""
    size: int
    """In bytes, as the archive says."""
    open: Callable[[], IO[bytes] | None]
    meter: _Meter
    """Of all content that is read of the archive."""

    def content(self) -> Iterator[bytes]:
        """A file without a flaw, a piece at a time, before the next member is asked for. Raises Refused."""
        left = self.size
        with _reading(shown(self.name)):
            source = self.open()
            assert source
            with source:
                while chunk := source.read(CHUNK):
                    self.meter.count(len(chunk))
                    left -= len(chunk)
                    yield chunk
        if left:
            raise Refused(f"{shown(self.name)} is not as long as the archive says", "pack it anew")


Reader = Callable[[Path, int], Generator[Member]]
"""Gives the members of an archive, with the most bytes that may be read of their content. Raises Refused.

A tar can't be read but whole: as many bytes again may be skipped.
"""
_Stream = io.BufferedIOBase | io.FileIO


def reader(path: Path) -> Reader | None:
    """What reads the members of a file; None where it is no archive. Raises InputError."""
    marks: dict[tuple[int, bytes], Reader] = {
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


def shown(name: str | bytes) -> str:
    """A name that nobody has checked, fit for a terminal."""
    return visible(repr(name if len(name) <= SHOWN else name[:40]))


@contextmanager
def _reading(what: str = "it") -> Iterator[None]:
    """Refuse an archive that cannot be read."""
    try:
        yield
    except UnicodeDecodeError as error:
        raise Refused(f"the name {shown(error.object)} is not UTF-8", "rename that file") from None
    except BROKEN as error:
        fix = "pack it anew, and copy it whole"
        raise Refused(f"{what} is damaged or cut short ({error or type(error).__name__})", fix) from None


class _Modest(io.FileIO):
    """A file that does not hand out much at a time."""

    def read(self, size: int | None = -1, /) -> bytes:
        """Raises Refused."""
        if size and size > LIST_BYTES:
            raise Refused(f"its list of files has more than {LIST_BYTES >> 20} MiB", "leave files out")
        return super().read(size)


def _zip(archive: Path, most: int) -> Generator[Member]:
    """The members of a zip, as its list at the end has them."""
    meter = _Meter(archive.stat().st_size, most)
    with _reading(), _Modest(archive) as file, zipfile.ZipFile(file, metadata_encoding="utf-8") as packed:
        if _said(file, packed) not in (len(packed.infolist()), 0xFFFF):  # the latter in place of more
            raise zipfile.BadZipFile("it has another number of members than it says")
        for info in packed.infolist():
            name = info.orig_filename  # the other one was cut at a NUL
            runs = bool(info.external_attr >> 16 & stat.S_IXUSR)
            opened = partial(_opened, packed, info, info.file_size)
            yield Member(name, name.endswith("/"), _zip_flaw(info), runs, info.file_size, opened, meter)


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
        """Raises Refused where too much has come out."""
        data = self.source.read(size)
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
            raise Refused(f"it has a header of {self.size:,} bytes", "pack it without extended attributes")
        if self.type == tarfile.GNUTYPE_SPARSE:
            raise Refused(f"{shown(self.name)} is {SPECIAL[0]}", SPECIAL[1])
        return super()._proc_member(archive)  # type: ignore[misc,no-any-return]

    def _proc_gnusparse_10(self, member: tarfile.TarInfo, *_: Any) -> None:
        raise Refused(f"{shown(member.name)} is {SPECIAL[0]}", SPECIAL[1])


def _tar(opened: Callable[[Path], _Stream], archive: Path, most: int) -> Generator[Member]:
    """The members of a tar in their order, each to be read before the next."""
    meter = _Meter(archive.stat().st_size, most)
    with _reading(), opened(archive) as plain:
        stream = _Metered(plain, _Meter(meter.packed, 2 * most))
        with tarfile.open(fileobj=stream, mode="r|", encoding="utf-8", tarinfo=_Header) as packed:
            for info in packed:
                if len(info.pax_headers) > ATTRIBUTES:
                    what = f"{shown(info.name)} has more than {ATTRIBUTES} attributes"
                    raise Refused(what, "pack it without extended attributes")
                runs = bool(info.mode & stat.S_IXUSR)
                opener = partial(packed.extractfile, info)
                yield Member(info.name, info.isdir(), _tar_flaw(info), runs, info.size, opener, meter)
        while stream.read(CHUNK):  # only at its end does a packed stream tell that it is whole
            pass


def _tar_flaw(info: tarfile.TarInfo) -> tuple[str, str] | None:
    if info.issym() or info.islnk():
        return LINK
    regular = info.type in (tarfile.REGTYPE, tarfile.AREGTYPE) and not info.issparse()
    return None if regular or info.isdir() else SPECIAL
