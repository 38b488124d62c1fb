"""A ledger in a file of SQLite: a write-ahead log and full syncs, so that what was committed is on the disk."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

import sqlalchemy as sa

from arena.database import RESTORE, Backend
from arena.errors import StorageError
from arena.tables import VERSION

TIMEOUT = 30
"""Seconds for which whoever writes is waited for."""
PAGES = 8000
"""Of the log, 32 MB, after which they go into the file: the last ones of each table change with each batch."""
WHOLE = 256 * 2**20
"""Bytes of a file that is looked at whole before a run: it takes a second."""


class Sqlite(Backend):
    """A file, or an empty database in memory, which stands for a file that is not there yet."""

    reading: ClassVar = {"begin": "BEGIN"}
    writing: ClassVar = {"begin": "BEGIN IMMEDIATE"}

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.place = path or Path(":memory:")

    def connect(self) -> sa.Engine:
        """An engine whose transactions begin as their options say."""
        if self._path and not self._path.exists():
            with suppress(OSError):  # whatever keeps it from being made, SQLite will say
                self._path.touch(0o600)  # it has the seeds
        url = _url(self._path) if self._path else sa.URL.create("sqlite")
        engine = sa.create_engine(url, connect_args={"timeout": TIMEOUT}, paramstyle="named")
        sa.event.listen(engine, "connect", _set_up)
        sa.event.listen(engine, "begin", _begin)
        return engine

    def exists(self) -> bool:
        """Whether there is a file with something in it; or in its log, where the first page may still be."""
        return self._size() > 0 or (self._path is not None and _size(Path(f"{self._path}-wal")) > 0)

    def _size(self) -> int:
        return _size(self._path) if self._path else 0

    def version(self, db: sa.Connection) -> int:
        """As the file's head has it, where also programs look that know no table of versions."""
        return int(db.exec_driver_sql("PRAGMA user_version").scalar_one())

    def stamped(self, db: sa.Connection) -> None:
        """Write the version into the file's head."""
        db.exec_driver_sql(f"PRAGMA user_version = {VERSION}")

    def failure(self, error: Exception) -> StorageError | None:
        """A damaged file, or one that fails."""
        cause = getattr(error, "orig", None) or error
        if not isinstance(error, sa.exc.DBAPIError | sqlite3.Error):
            return None
        if getattr(cause, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return StorageError(f"the ledger {self.place} is damaged: {cause}", RESTORE, "E409")
        if isinstance(cause, sqlite3.IntegrityError):
            return StorageError(f"the ledger {self.place} contradicts itself: {cause}", RESTORE, "E409")
        return StorageError(
            f"the ledger {self.place} fails: {cause}",
            "mend that (space, rights, the disk), then run the same command again: it goes on",
            "E404",
        )

    def damage(self, db: sa.Connection, quick: bool) -> Iterator[str]:
        """Bad pages; also rows that belong to nothing, where there is time."""
        check = "quick_check(1)" if quick else "integrity_check"
        if not quick or self._size() <= WHOLE:  # what a run reads of a larger one is looked at as it is read
            yield from (page for page in db.exec_driver_sql(f"PRAGMA {check}").scalars() if page != "ok")
        if not quick:
            for table, row, parent, _ in db.exec_driver_sql("PRAGMA foreign_key_check"):
                which = "a row" if row is None else f"row {row}"  # seats have no number
                yield f"{which} of {table} belongs to nothing in {parent}"


def _size(path: Path) -> int:
    """In bytes; 0 where there is none."""
    with suppress(FileNotFoundError, NotADirectoryError):
        return path.stat().st_size
    return 0


def _url(path: Path) -> sa.URL:
    """How it is opened; in a folder that is read-only for us without the files that go with a write-ahead log.

    Unless there are some: then somebody else writes just now, and has made them for us, too.
    """
    if os.access(path.parent, os.W_OK):
        return sa.URL.create("sqlite", database=str(path))
    immutable = {} if Path(f"{path}-wal").exists() else {"immutable": "1"}
    query = {"mode": "ro", "uri": "true", **immutable}
    return sa.URL.create("sqlite", database=f"file:{quote(str(path))}", query=query)


def _set_up(connection: sqlite3.Connection, _: Any) -> None:
    connection.text_factory = _text
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        f"wal_autocheckpoint = {PAGES}",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _text(raw: bytes) -> str:
    """A damaged text is another text, which whoever checks it names; it keeps nobody from reading the rest."""
    return raw.decode("utf-8", "replace")


def _begin(connection: sa.Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN"))
