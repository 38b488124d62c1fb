"""Where the arena keeps things, and who may write them now.

<home>/ledger.sqlite     tournaments, games, records; unless the ledger is elsewhere, perhaps on a server
<home>/bots/<digest>/    the files of each bot version, never changed
<home>/logs/<name>/      what bots printed on stderr (<name>@<digest of its place>, where the ledger is elsewhere)
<home>/games/            records of single games (`arena play`)
<home>/locks/            whoever uses bots has `bots.lock`, so that none is pruned; and a lock a tournament of a
                         ledger on a server, where there is one, too
<home>/ledgers           places of ledgers elsewhere that may need its bots, a line each, without passwords
<ledger>.locks/          beside a ledger's file, for all homes that use it: a lock a tournament, which names its
                         folder for sockets and scratch

Other users of the machine may read nothing of a home folder that is made here: a ledger has the seeds.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from time import monotonic, sleep
from typing import IO, TYPE_CHECKING

from arena.errors import Busy, StorageError
from arena.place import Place, place_of
from referee.processes.leavings import remove_alone
from referee.processes.sandbox import Sandbox

if TYPE_CHECKING:
    from arena.ledger import Ledger

LEDGER = "ledger.sqlite"
PATIENCE = 0.2
"""Seconds to wait for a lock: whoever only asks who runs a tournament has it for an instant."""
PRUNING = 30.0
"""Seconds to wait for whoever prunes: files of many bots go a while."""
SECRET_LETTERS = 32
"""Hex digits in a lock."""


class Home:
    """A home folder; made when first written to. `Home.default()` is the user's.

    `mode`: what bots that are started from it are kept in (`referee.processes.MODES`), whatever a tournament
    says; `allow_missing`: layers of `strict` that may lack (`arena.isolation`); `ledger`: where that is, by
    default a file in the folder.
    """

    def __init__(
        self,
        path: Path | str,
        mode: str = "",
        allow_missing: tuple[str, ...] = (),
        ledger: Place | None = None,
    ) -> None:
        self.path = Path(path).absolute()
        self.mode = mode
        self.allow_missing = allow_missing
        self.ledger: Place = ledger or self.path / LEDGER

    def keeping(self, mode: str, allow_missing: tuple[str, ...]) -> Home:
        """The same, where bots are kept in `mode`."""
        return Home(self.path, mode, allow_missing, ledger=self.ledger)

    def unless_told(self, mode: str) -> Home:
        """The same, where bots are kept in `mode` unless something else was asked for."""
        return self.keeping(self.mode or mode, self.allow_missing)

    def sandbox(self) -> Sandbox:
        """What a bot is kept in here. Raises CannotStart where `strict` can't be had."""
        from arena.isolation import sandbox

        return replace(
            sandbox(self.mode or "default", self.allow_missing), hidden=(str(self.path.resolve()),)
        )

    @classmethod
    def default(cls) -> Home:
        """The one of `named` where nothing is named."""
        return cls.named()

    @classmethod
    def named(cls, folder: str | None = None, ledger: str | None = None) -> Home:
        """What words say, else `$KINGMAKER_HOME` (or the platform's folder for a program's data) and `$KINGMAKER_LEDGER`.

        Raises InputError where `ledger` is no place.
        """
        folder = folder or os.environ.get("KINGMAKER_HOME")
        if ledger is None:
            ledger = os.environ.get("KINGMAKER_LEDGER") or None
        if not folder:
            from platformdirs import user_data_path

            folder = str(user_data_path("kingmaker"))
        return cls(folder, ledger=None if ledger is None else place_of(ledger))

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
        self.folder()
        path = self._lock(name)
        try:
            path.parent.mkdir(mode=0o700, exist_ok=True)
            file = path.open("a+")
        except OSError as error:
            raise StorageError(f"cannot open {path}: {error.strerror}", code="E401") from None
        with file:
            if not _locked(file):
                raise Busy(
                    f"tournament {name!r} is being run by another process",
                    "wait for it, or watch it with: arena watch " + name,
                    "E501",
                )
            with self.using_bots(), self._on_server(name):
                run = _run_folder(file, str(path))
                try:
                    yield run
                finally:
                    remove_alone(os.fsencode(run))

    def _lock(self, name: str) -> Path:
        """The file that whoever runs tournament `name` here has locked."""
        place = self._place()
        folder = Path(f"{place}.locks") if isinstance(place, Path) else self.path / "locks"
        return folder / f"{name if isinstance(place, Path) else self.called(name)}.lock"

    def _place(self) -> Place:
        """The ledger's, the same by whatever path it was named."""
        return self.ledger.resolve() if isinstance(self.ledger, Path) else self.ledger

    def _own(self) -> Path:
        """Where its own ledger is, or would be."""
        return (self.path / LEDGER).resolve()

    def called(self, tournament: str) -> str:
        """Its name for files here, where another ledger may have a tournament of the same name."""
        place = self._place()
        return tournament if place == self._own() else f"{tournament}@{_digest(str(place))}"

    @contextlib.contextmanager
    def using_bots(self) -> Iterator[None]:
        """Keep bots of this home from being pruned, now; and later those that the ledger needs. Raises Busy."""
        with self._bots_lock(fcntl.LOCK_SH, PRUNING, "bots of this home are being pruned"):
            self._enlist()
            yield

    def pruning(self) -> AbstractContextManager[None]:
        """Keep everybody from using bots of this home, with whatever ledger. Raises Busy while somebody does."""
        busy = (
            "bots of this home are in use, perhaps with another ledger: a tournament is run, or one is added"
        )
        return self._bots_lock(fcntl.LOCK_EX, PATIENCE, busy)

    @contextlib.contextmanager
    def _bots_lock(self, how: int, patience: float, busy: str) -> Iterator[None]:
        path = self.folder("locks") / "bots.lock"
        try:
            file = path.open("a")
        except OSError as error:
            raise StorageError(f"cannot open {path}: {error.strerror}", code="E401") from None
        with file:
            if not _locked(file, how, patience):
                raise Busy(busy, "wait for it", "E500")
            yield

    def _enlist(self) -> None:
        """Write down that the ledger may need bots of this home."""
        place, path = self._place(), self.path / "ledgers"
        if place == self._own() or str(place) in map(str, self.ledgers()):
            return
        try:
            with path.open("a", encoding="utf-8", errors="surrogateescape") as file:
                file.write(f"{place}\n")
        except OSError as error:
            raise StorageError(f"cannot write {path}: {error.strerror}", code="E401") from None

    def ledgers(self) -> list[Place]:
        """The ledgers that may need bots of this home: its own, where there is one, and those elsewhere.

        Addresses are without passwords.
        """
        try:
            lines = (self.path / "ledgers").read_text("utf-8", "surrogateescape").splitlines()
        except FileNotFoundError:
            lines = []
        return [self._own()] * self._own().exists() + [place_of(line) for line in lines]

    def other_ledgers(self) -> list[Place]:
        """The same without the one that is used."""
        return [place for place in self.ledgers() if str(place) != str(self._place())]

    def _on_server(self, name: str) -> AbstractContextManager[None]:
        """The lock that keeps other machines away, where they have the ledger, too."""
        if isinstance(self.ledger, Path):
            return contextlib.nullcontext()
        from arena.postgres import holding

        return holding(self.ledger, name)

    def run_folder(self, name: str) -> Path | None:
        """Where the run that holds tournament `name` has its sockets and scratch; None where there was none yet.

        It is another one where TMPDIR is not the run's.
        """
        try:
            secret = self._lock(name).read_text("ascii")[:SECRET_LETTERS]
        except (OSError, UnicodeDecodeError):
            return None
        return _named(f"{self._lock(name)}{secret}")

    def held(self, name: str) -> bool:
        """Whether some process runs tournament `name` at this instant, here or on another machine."""
        if not isinstance(self.ledger, Path):
            from arena.postgres import asking, held

            with asking(self.ledger) as db:
                return name in held(db, [name])
        try:
            file = self._lock(name).open("rb")
        except OSError:
            return False
        with file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return True
        return False

    def running(self, ledger: Ledger, names: Iterable[str]) -> set[str]:
        """The same of many, where its ledger is open: one question to a server."""
        if isinstance(self.ledger, Path):
            return set(filter(self.held, names))
        from arena.postgres import held

        with ledger.asking() as db:
            return held(db, names)

    def check_idle(self) -> None:
        """Raise Busy while any tournament of the ledger is run."""
        if isinstance(self.ledger, Path):
            locks = sorted(self._lock("").parent.glob("*.lock"))
            what = next((f"tournament {lock.stem!r}" for lock in locks if self.held(lock.stem)), "")
        else:
            from arena.postgres import asking, is_any_held

            with asking(self.ledger) as db:
                what = "a tournament of the ledger" if is_any_held(db) else ""
        if what:
            raise Busy(f"{what} is being run by another process", "wait for it", "E500")


def _locked(file: IO[str], how: int = fcntl.LOCK_EX, patience: float = PATIENCE) -> bool:
    """Lock a file for this process; False where another has it for longer than `patience` seconds."""
    until = monotonic() + patience
    while True:
        try:
            fcntl.flock(file, how | fcntl.LOCK_NB)
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
    return Path(tempfile.gettempdir()) / f"kingmaker-{os.getuid()}-{_digest(key)}"


def _digest(text: str) -> str:
    return sha256(os.fsencode(text)).hexdigest()[:12]


def _is_anothers(run: Path) -> bool:
    """Whether there is something that no run of ours can have left."""
    try:
        info = run.lstat()
    except FileNotFoundError:
        return False
    return info.st_uid != os.getuid() or not stat.S_ISDIR(info.st_mode)
