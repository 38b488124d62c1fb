"""Where the arena keeps things, and who may write them now.

<home>/ledger.sqlite     tournaments, games, records
<home>/bots/<digest>/    the files of each bot version, never changed
<home>/logs/<name>/      what bots printed on stderr
<home>/games/            records of single games (`arena play`)
<home>/locks/            one lock a tournament, which names its folder for sockets and scratch

Other users of the machine may read nothing of a home folder that is made here: a ledger has the seeds.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from time import monotonic, sleep
from typing import IO

from arena.errors import Busy, StorageError
from referee.processes.leavings import remove_alone
from referee.processes.sandbox import Sandbox

PATIENCE = 0.2
"""Seconds to wait for a lock: whoever only asks who runs a tournament has it for an instant."""
SECRET_LETTERS = 32
"""Hex digits in a lock."""


class Home:
    """A home folder; made when first written to. `Home.default()` is the user's.

    `mode`: what bots that are started from it are kept in (`referee.processes.MODES`), whatever a tournament
    says; `allow_missing`: layers of `strict` that may lack (`arena.isolation`).
    """

    def __init__(self, path: Path | str, mode: str = "", allow_missing: tuple[str, ...] = ()) -> None:
        self.path = Path(path).absolute()
        self.mode = mode
        self.allow_missing = allow_missing

    def unless_told(self, mode: str) -> Home:
        """The same, where bots are kept in `mode` unless something else was asked for."""
        return Home(self.path, self.mode or mode, self.allow_missing)

    def sandbox(self) -> Sandbox:
        """What a bot is kept in here. Raises CannotStart where `strict` can't be had."""
        from arena.isolation import sandbox

        return replace(
            sandbox(self.mode or "default", self.allow_missing), hidden=(str(self.path.resolve()),)
        )

    @classmethod
    def default(cls) -> Home:
        """`$KINGMAKER_HOME`, or the platform's folder for a program's data."""
        from platformdirs import user_data_path

        return cls(os.environ.get("KINGMAKER_HOME") or user_data_path("kingmaker"))

    @property
    def ledger(self) -> Path:
        """The database file."""
        return self.path / "ledger.sqlite"

    def folder(self, *names: str) -> Path:
        """A folder in it, made where missing. Raises StorageError where it can't be."""
        path = self.path.joinpath(*names)
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.mkdir(parents=True, exist_ok=True)
            if not os.access(path, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, "it is read-only for you")
        except OSError as error:
            raise StorageError(
                f"cannot write to the home folder {self.path}: {error.strerror}",
                "choose another with --home FOLDER or KINGMAKER_HOME",
                "E401",
            ) from None
        return path

    @contextlib.contextmanager
    def lock(self, name: str) -> Iterator[Path]:
        """Hold tournament `name` for this process; gives a path, where nothing is, for its sockets and scratch.

        Raises Busy where another process holds it. The kernel drops the lock with its holder, however
        that ends, so what lies in the folder then is a dead run's.
        """
        path = self.folder("locks") / f"{name}.lock"
        try:
            file = path.open("a+")
        except OSError as error:
            raise StorageError(f"cannot open {path}: {error.strerror}", code="E401") from None
        with file:
            if not _locked(file):
                raise Busy(
                    f"tournament {name!r} is being run by another process",
                    "wait for it, or watch it with: arena status " + name,
                    "E501",
                )
            run = _run_folder(file, f"{self.path}|{name}")
            try:
                yield run
            finally:
                remove_alone(os.fsencode(run))

    def held(self, name: str) -> bool:
        """Whether some process runs tournament `name` at this instant."""
        try:
            file = (self.path / "locks" / f"{name}.lock").open("rb")
        except OSError:
            return False
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        return False


def _locked(file: IO[str]) -> bool:
    """Lock a file for this process; False where another has it for longer than PATIENCE."""
    until = monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if monotonic() >= until:
                return False
            sleep(0.01)
        else:
            return True


def _run_folder(lock: IO[str], key: str) -> Path:
    """A short path (socket names may have 107 bytes), the same for each run of a tournament; nothing is there.

    Who first puts something there makes the folder, so that a run that is killed before leaves none. A secret
    that stands in the lock goes into its name: other users cannot know it before, and where one has taken it
    since, another secret is drawn. Raises StorageError.
    """
    try:
        lock.seek(0)
        secret = lock.read(SECRET_LETTERS)
        while not secret or _is_anothers(run := _named(key + secret)):
            secret = token_hex(SECRET_LETTERS // 2)
            lock.truncate(0)
            lock.write(secret)
            lock.flush()
    except OSError as error:
        raise StorageError(f"cannot write {lock.name}: {error.strerror}", code="E401") from None
    remove_alone(os.fsencode(run))
    if run.exists():
        raise StorageError(
            f"cannot clear {run}, which a dead run has left", "remove it, or set TMPDIR", "E402"
        )
    return run


def _named(key: str) -> Path:
    return Path(tempfile.gettempdir()) / f"kingmaker-{os.getuid()}-{sha256(key.encode()).hexdigest()[:12]}"


def _is_anothers(run: Path) -> bool:
    """Whether there is something that no run of ours can have left."""
    try:
        info = run.lstat()
    except FileNotFoundError:
        return False
    return info.st_uid != os.getuid() or not stat.S_ISDIR(info.st_mode)
