"""A folder in which somebody else's program has written: looked at, made read-only, measured and removed.

No link in it is followed, no pipe or device waited for, and folders may be nested as deep as they like. While
that program runs what is said here is a guess; it holds once all its processes are gone.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import file_digest, sha256
from io import BufferedReader
from pathlib import Path

from arena.manifests import MAX_BYTES, unreadable
from protocol.escape import visible
from referee.processes.leavings import remove_alone

LIST = ".files"
"""The name under which a sealed folder has the names of what was handed in."""
PATH_BYTES = 3000
"""Of a path that is still entered; the system itself allows 4,096."""
BLOCK = 4096
"""Bytes that a file or folder takes at least, so that empty ones are not without end."""


def digest(files: Mapping[str, Path]) -> str:
    """40 hex digits of the files alone, so that a new key of bot.toml makes no old bot another one."""
    return digest_of(entry_of(name, file) for name, file in sorted(files.items()))


def digest_of(entries: Iterable[bytes]) -> str:
    """The same, of the parts that `entry_of` gives, by name."""
    total = sha256()
    for entry in entries:
        total.update(entry)
    return total.hexdigest()[:40]


def entry_of(name: str, file: Path, most: int = MAX_BYTES) -> bytes:
    """A file's part of the digest. Raises InputError where it is none, or of more than `most` bytes."""
    try:
        with regular(file, most) as opened:
            runs = bool(os.fstat(opened.fileno()).st_mode & stat.S_IXUSR)
            content = file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        unreadable(error)
    return os.fsencode(f"\n{name}\0{content}\0{runs}")


def below(folder: Path) -> Iterator[os.DirEntry[str]]:
    """All that lies in `folder`, at any depth up to PATH_BYTES; a folder is listed after it was given out."""
    pending = [str(folder)]
    while pending:
        with suppress(OSError), os.scandir(pending.pop()) as found:
            for entry in found:
                yield entry
                if entry.is_dir(follow_symlinks=False) and not _too_deep(entry):
                    pending.append(entry.path)


def _too_deep(entry: os.DirEntry[str]) -> bool:
    return len(os.fsencode(entry.path)) > PATH_BYTES


def excess(folder: Path, megabytes: int) -> str:
    """What is too much in a folder that is written in, in words; nothing where it is within its bounds."""
    total = 0
    for entry in below(folder):
        if _too_deep(entry):
            return "nested folders too deep"
        with suppress(FileNotFoundError):
            total += max(BLOCK, entry.stat(follow_symlinks=False).st_blocks * 512)
        if total > megabytes << 20:
            return f"wrote more than {megabytes:,} MiB"
    return ""


def take_back(folder: Path, from_others: bool) -> None:
    """Open its folders to us; what belongs to the user that `from_others` were is ours again."""
    if from_others and os.getuid() == 0:
        os.chown(folder, 0, 0, follow_symlinks=False)
    for entry in below(folder):
        if from_others and os.getuid() == 0:
            os.chown(entry.path, 0, 0, follow_symlinks=False)
        if entry.is_dir(follow_symlinks=False):
            Path(entry.path).chmod(0o755)


def flaws(folder: Path) -> Iterator[str]:
    """What of a folder cannot be kept, each with why.

    A pipe or socket would be a way from one bot to another; a file that has a name elsewhere may change there.
    """
    if os.path.lexists(folder / LIST):
        yield f"{LIST}, a name that the arena needs for itself"
    names: Counter[tuple[int, int, int]] = Counter()
    an_entry: dict[int, str] = {}
    for entry in below(folder):
        info, name = entry.stat(follow_symlinks=False), visible(os.path.relpath(entry.path, folder))
        if _too_deep(entry):
            yield f"{name[:40]}..., folders nested too deep"
        if stat.S_ISREG(info.st_mode) and info.st_nlink > 1:
            names[info.st_dev, info.st_ino, info.st_nlink] += 1
            an_entry[info.st_ino] = name
        elif stat.S_IFMT(info.st_mode) not in (stat.S_IFREG, stat.S_IFDIR, stat.S_IFLNK):
            yield f"{name}, which is no file, folder or link"
    yield from (
        f"{an_entry[ino]}, a hard link to a file elsewhere" for (_, ino, n), k in names.items() if k < n
    )


def seal(folder: Path, names: Iterable[str]) -> None:
    """Note the `names` of what was handed in, and let nobody write there. Only where there are no `flaws`."""
    with (folder / LIST).open("xb") as file:  # never what is there already, or where a link leads
        file.write(os.fsencode("\0".join(names)))
    for entry in below(folder):
        if not entry.is_symlink():
            least = 0o555 if entry.is_dir() else 0o444
            Path(entry.path).chmod(entry.stat().st_mode & 0o555 | least)
    folder.chmod(0o555)


def size(folder: Path) -> int:
    """Bytes of all files in it."""
    return sum(
        e.stat(follow_symlinks=False).st_size for e in below(folder) if not e.is_dir(follow_symlinks=False)
    )


def own(folder: Path, name: str) -> Path:
    """A file by its name in `folder`. Raises OSError where a link, or the name itself, leads elsewhere."""
    file = folder / name
    if os.path.realpath(file) != str(Path(os.path.realpath(folder), name)):
        raise OSError(errno.ELOOP, "it is a link, or below one", str(file))
    return file


def regular(file: Path, most: int) -> BufferedReader:
    """Open a file without waiting. Raises OSError where it is none, or of more than `most` bytes."""
    number = os.open(file, os.O_RDONLY | os.O_NONBLOCK)
    info = os.fstat(number)
    if not stat.S_ISREG(info.st_mode) or info.st_size > most:
        os.close(number)
        raise OSError(errno.EINVAL, f"it is no regular file of up to {most:,} bytes", str(file))
    return os.fdopen(number, "rb")


def remove(folder: Path) -> None:
    """Remove `folder` with all in it, and nothing else; what the system refuses to remove stays."""
    remove_alone(os.fsencode(folder))
