"""The database under the ledger: its tables, their versions, and transactions. Knows nothing of tournaments.

What is committed is on a disk. A transaction that reads sees one state; one that writes has no other beside it
from its beginning, so what it has read is still so when it writes. What differs between databases is in the
module of each: `sqlite`, `postgres`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar

import sqlalchemy as sa

from arena.errors import StorageError
from arena.place import Place
from arena.tables import GAMES, STAMP, TABLES, VERSION

RESTORE = "restore it from a copy; `sqlite3 LEDGER .recover` writes out what can still be read"


class Backend(ABC):
    """What the ledger needs of a kind of database. Methods that are given a connection are in a transaction."""

    place: Place
    reading: ClassVar[Mapping[str, Any]]
    """Execution options of a transaction that only reads."""
    writing: ClassVar[Mapping[str, Any]]
    """Of one that writes."""

    @cached_property
    def engine(self) -> sa.Engine:
        """Its connections, none of which is made before it is needed."""
        return self.connect()

    @abstractmethod
    def connect(self) -> sa.Engine:
        """The engine, set up so that the options above do what they say. Raises CannotStart."""

    @abstractmethod
    def exists(self) -> bool:
        """Whether a ledger was ever made there. Raises StorageError."""

    @abstractmethod
    def version(self, db: sa.Connection) -> int:
        """Of the tables that are there; 0 where there are none."""

    @abstractmethod
    def stamped(self, db: sa.Connection) -> None:
        """Set what is special to this kind once the tables are of VERSION."""

    @abstractmethod
    def failure(self, error: Exception) -> StorageError | None:
        """What an error of the driver or of SQLAlchemy means; None where it is none of theirs."""

    @abstractmethod
    def damage(self, db: sa.Connection, quick: bool) -> Iterator[str]:
        """What is wrong with what the database holds."""

    def transaction(self, options: Mapping[str, Any]) -> Transaction:
        """One with `reading` or `writing`."""
        return Transaction(self.engine.execution_options(**options), self.failure)

    def close(self) -> None:
        """Let the connections go."""
        if "engine" in vars(self):
            self.engine.dispose()


class Transaction:
    """A connection in one transaction; what the database or the disk says comes out as StorageError."""

    def __init__(self, engine: sa.Engine, failure: Callable[[Exception], StorageError | None]) -> None:
        self._context = engine.begin()
        self._failure = failure

    def __enter__(self) -> sa.Connection:
        try:
            return self._context.__enter__()
        except Exception as error:
            self._raise(error)
            raise

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        """What ended it comes out, whatever taking it back comes to: an interrupt stays one."""
        try:
            self._context.__exit__(kind, error, trace)
        except Exception as failure:
            if error is None:
                self._raise(failure)
                raise
        if isinstance(error, Exception):
            self._raise(error)

    def _raise(self, error: Exception) -> None:
        if failure := self._failure(error):
            raise failure from None


class Database:
    """A ledger's, which is made when something is first written; until then it is empty.

    Everything raises StorageError where the database or the disk fails.
    """

    def __init__(self, place: Place) -> None:
        self.place = place
        self._backend = backend_of(place)
        self._empty: Backend | None = None
        self._ready = False
        try:
            if self._backend.exists():
                self._open()
            else:
                self._empty = _made(_backend_of_file(None))
        except BaseException:
            self.close()
            raise

    def reading(self) -> Transaction:
        """A transaction that sees one state of the database."""
        if not self._ready and self._backend.exists():
            self._open()
        backend = self._backend if self._ready or self._empty is None else self._empty
        return backend.transaction(backend.reading)

    def asking(self) -> Transaction:
        """A transaction that reads, with the server itself, whatever it has."""
        return self._backend.transaction(self._backend.reading)

    def writing(self) -> Transaction:
        """A transaction that nobody else writes beside."""
        if not self._ready:
            self._open()
        return self._backend.transaction(self._backend.writing)

    def _open(self) -> None:
        _made(self._backend)
        self._ready = True

    def close(self) -> None:
        """Let the file or the server go."""
        self._backend.close()
        if self._empty:
            self._empty.close()

    def check(self) -> None:
        """Raise StorageError where the database is damaged; quick, but it may read all of it."""
        with self.reading() as db:
            for found in self._backend.damage(db, quick=True) if self._ready else ():
                raise StorageError(f"the ledger {self.place} is damaged: {found}", RESTORE, "E409")

    def damage(self) -> Iterator[str]:
        """All that is wrong with the database and with what its rows say of each other."""
        with self.reading() as db:
            found = list(self._backend.damage(db, quick=False)) if self._ready else []
            yield from found or _doubled(db)


def _doubled(db: sa.Connection) -> Iterator[str]:
    """Games that stand in more than one row: the index of ids keeps them out of one part alone."""
    more = sa.select(GAMES.c.id, sa.func.count()).group_by(GAMES.c.id).having(sa.func.count() > 1)
    for id, rows in db.execute(more.order_by(GAMES.c.id)):
        yield f"game {id} is kept {rows} times"


def backend_of(place: Place) -> Backend:
    """The kind of database at a place. Raises nothing yet."""
    if isinstance(place, Path):
        return _backend_of_file(place)
    from arena.postgres import Postgres

    return Postgres(place)


def _backend_of_file(path: Path | None) -> Backend:
    from arena.sqlite import Sqlite

    return Sqlite(path)


def _made(backend: Backend) -> Backend:
    """The same with tables of VERSION: they are made, or brought up by whoever comes first."""
    with backend.transaction(backend.reading) as db:
        current = backend.version(db) == VERSION
    if not current:
        with backend.transaction(backend.writing) as db:
            _bring_up(db, backend)
    return backend


def _bring_up(db: sa.Connection, backend: Backend) -> None:
    found = backend.version(db)  # another process may have been at it
    if found > VERSION:
        raise StorageError(
            f"{backend.place} is a ledger of version {found}; this program reads version {VERSION}",
            "use the program that wrote it, or another "
            + ("home folder with --home" if isinstance(backend.place, Path) else "ledger with --ledger"),
            "E403",
        )
    if found == 0:
        TABLES.create_all(db, checkfirst=False)
        db.execute(STAMP.insert().values(version_num=str(VERSION)))
    elif found < VERSION:
        from arena.migrations import upgrade  # takes longer to import than most ledgers to open

        upgrade(db, found)
    backend.stamped(db)


def upsert(
    db: sa.Connection, table: sa.Table, rows: Sequence[Mapping[str, Any]], changed: Sequence[str]
) -> None:
    """Insert `rows`; where one with its primary key is there, set its columns `changed` instead."""
    db.execute(upserting(db.dialect.name, table, tuple(changed)), [dict(row) for row in rows])


@lru_cache(maxsize=64)
def upserting(dialect: str, table: sa.Table, changed: tuple[str, ...]) -> sa.Insert:
    """What does that, in a kind of database."""
    if dialect == "postgresql":
        from sqlalchemy.dialects.postgresql import insert
    else:
        from sqlalchemy.dialects.sqlite import insert  # type: ignore[assignment]
    new = insert(table)
    update = {name: new.excluded[name] for name in changed}
    keys = [column.name for column in table.primary_key]
    return new.on_conflict_do_update(index_elements=keys, set_=update)


def each(db: sa.Connection, statement: sa.UpdateBase, rows: Sequence[Mapping[str, Any]]) -> None:
    """Execute a statement, one that is kept for good, with each of `rows`: every value that it names.

    Values go to the driver as they are (so none is JSON): SQLAlchemy takes more time to look at them than SQLite
    to keep them.
    """
    db.exec_driver_sql(_text(statement, db.dialect), rows)


@lru_cache(maxsize=64)
def _text(statement: sa.UpdateBase, dialect: sa.Dialect) -> str:
    return str(statement.compile(dialect=dialect))


def now(precision: str = "seconds") -> str:
    """The time as rows have it: UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec=precision)


def can_be_kept(text: str) -> bool:
    """Whether a row of any database could have this text: neither a NUL is in it nor half of a pair.

    >>> can_be_kept("caf\u00e9"), can_be_kept("a\\0"), can_be_kept("\\udc80")
    (True, False, False)
    """
    return "\0" not in text and text.encode("utf-8", "replace").decode() == text
