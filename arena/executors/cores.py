"""Which core a process has: claimed by a lock, so that workers which know nothing of each other share none.

    <tmp>/kingmaker-<user>-cores/<turn>.<core>          the lock, held by the process that has the core
    <tmp>/kingmaker-<user>-cores/<turn>.<core>.<pid>    its scratch; what a dead one left is removed by the next

The first turn is 0. Who finds all cores taken in it claims one in the next: cores are shared then, and both may know.
The kernel drops a lock with its holder, however that ends.
"""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from arena.errors import StorageError
from referee.processes.leavings import remove_alone


@dataclass(frozen=True, slots=True)
class Claim:
    """A core that this process has."""

    core: int
    cores: int
    """That there are for this process and others."""
    turn: int
    """How many may have had it before."""
    folder: Path
    """For its sockets and scratch: empty, for this user alone, and gone with the claim."""

    @contextmanager
    def taken(self) -> Iterator[None]:
        """This thread, and what it starts meanwhile, on that core alone."""
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {self.core})
        try:
            yield
        finally:
            os.sched_setaffinity(0, before)

    @property
    def is_shared(self) -> bool:
        """Whether somebody else has it now, whoever was first."""
        turns = (path.name.split(".") for path in self.folder.parent.glob(f"*.{self.core}"))
        others = (turn for turn, *rest in turns if rest == [str(self.core)] and turn != str(self.turn))
        return any(_is_held(self.folder.parent / f"{turn}.{self.core}") for turn in others)


@contextmanager
def claimed() -> Iterator[Claim]:
    """Take a core that nobody has, as far as there is one. Raises StorageError where no lock can be had."""
    folder = _folder()
    cores = sorted(os.sched_getaffinity(0))
    for turn in count():
        for core in cores:
            lock = os.open(folder / f"{turn}.{core}", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                os.close(lock)
                continue
            try:
                for left in folder.glob(f"{turn}.{core}.*"):
                    remove_alone(os.fsencode(left))
                with _scratch(folder / f"{turn}.{core}.{os.getpid()}") as scratch:
                    yield Claim(core, len(cores), turn, scratch)
            finally:
                os.close(lock)
            return


def _is_held(lock: Path) -> bool:
    try:
        with lock.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)  # beside others that ask, and for an instant
    except BlockingIOError:
        return True
    return False


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    folder.mkdir(mode=0o700)
    try:
        yield folder
    finally:
        remove_alone(os.fsencode(folder))


def _folder() -> Path:
    path = Path(tempfile.gettempdir(), f"kingmaker-{os.getuid()}-cores")
    try:
        path.mkdir(mode=0o700, exist_ok=True)
        info = path.lstat()
    except OSError as error:
        raise StorageError(f"cannot make {path}: {error.strerror}", "set TMPDIR", "E402") from None
    if info.st_uid != os.getuid() or not stat.S_ISDIR(info.st_mode) or info.st_mode & 0o077:
        raise StorageError(f"{path} is not this user's alone", "remove it, or set TMPDIR", "E402")
    return path
