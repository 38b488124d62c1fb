"""The database under the ledger: its tables, their versions, and transactions. Knows nothing of tournaments.

SQLite with a write-ahead log and full syncs, so that what was committed is on the disk. Who writes takes the
lock when the transaction begins: what it has read is still so when it writes.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa

from arena.chain import chained, entry
from arena.errors import StorageError
from referee.processes.sandbox import NONE

VERSION = 2
"""Of the tables. Version 1 had no leases, links or isolation; it is brought up when it is opened."""
RESTORE = "restore it from a copy; `sqlite3 LEDGER .recover` writes out what can still be read"

_tables = sa.MetaData()
BOTS = sa.Table(
    "bots", _tables,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("digest", sa.String, primary_key=True),
    sa.Column("manifest", sa.JSON, nullable=False),
    sa.Column("added", sa.String, nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
)  # fmt: skip
TOURNAMENTS = sa.Table(
    "tournaments", _tables,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("seed", sa.String, nullable=False),
    sa.Column("config", sa.JSON, nullable=False),
    sa.Column("bots", sa.JSON, nullable=False),
    sa.Column("notes", sa.JSON, nullable=False),
    sa.Column("begun", sa.String, nullable=False),
    sa.Column("run", sa.Integer, nullable=False, server_default="0"),  # how many there have been
)  # fmt: skip
GAMES = sa.Table(
    "games", _tables,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("tournament", sa.ForeignKey("tournaments.name"), nullable=False, index=True),
    sa.Column("game", sa.String, nullable=False),
    sa.Column("variant", sa.String, nullable=False),
    sa.Column("rules", sa.String, nullable=False),
    sa.Column("deal", sa.String, nullable=False),
    sa.Column("block", sa.String, nullable=False),
    sa.Column("block_size", sa.Integer, nullable=False),
    sa.Column("verdict", sa.String, nullable=False),
    sa.Column("isolation", sa.String, nullable=False),
    sa.Column("finished", sa.String, nullable=False),
)  # fmt: skip
SEATS = sa.Table(
    "seats", _tables,
    sa.Column("game", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("bot", sa.String, nullable=False),
    sa.Column("digest", sa.String, nullable=False),
    sa.Column("team", sa.Integer, nullable=False),
    sa.Column("rank", sa.Integer, nullable=False),
    sa.Column("score", sa.Integer, nullable=False),
    sa.Column("fault", sa.String),
)  # fmt: skip
RECORDS = sa.Table(
    "records", _tables,
    sa.Column("game", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("record", sa.LargeBinary, nullable=False),
)  # fmt: skip
LINKS = sa.Table(
    "links", _tables,
    sa.Column("tournament", sa.ForeignKey("tournaments.name"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),  # from 1, without gaps
    sa.Column("game", sa.ForeignKey("games.id"), nullable=False, unique=True),
    sa.Column("link", sa.String, nullable=False),
)  # fmt: skip
LEASES = sa.Table(
    "leases", _tables,
    sa.Column("game", sa.String, primary_key=True),  # never one that is kept
    sa.Column("tournament", sa.ForeignKey("tournaments.name"), nullable=False),
    sa.Column("run", sa.Integer, nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
)  # fmt: skip


class Database:
    """A file, which is made when something is first written; until then it is empty.

    Everything raises StorageError where the database or the disk fails.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._engine: sa.Engine | None = None
        self._in_file = False
        self._there(path.exists())

    def reading(self) -> _Transaction:
        """A transaction that sees one state of the database."""
        return _Transaction(self._there(self.path.exists()), self.path)

    def writing(self) -> _Transaction:
        """A transaction that nobody else writes beside."""
        return _locking(self._there(True), self.path)

    def _there(self, in_file: bool) -> sa.Engine:
        """The file, or an empty database in memory in its place."""
        if self._engine is None or (in_file and not self._in_file):
            engine = sa.create_engine(
                _url(self.path) if in_file else "sqlite://", connect_args={"timeout": 30}
            )
            sa.event.listen(engine, "connect", _set_up)
            sa.event.listen(engine, "begin", _begin)
            with _Transaction(engine, self.path) as db:
                current = _version(db) == VERSION
            if not current:
                with _locking(engine, self.path) as db:
                    _bring_up(db, self.path)
            self.close()
            self._engine, self._in_file = engine, in_file
        return self._engine

    def close(self) -> None:
        """Let the file go."""
        if self._engine is not None:
            self._engine.dispose()

    def check(self) -> None:
        """Raise StorageError where the file is damaged; quick, but it reads all of it."""
        with self.reading() as db:
            found = db.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
        if found != "ok":
            raise StorageError(f"the ledger {self.path} is damaged: {found}", RESTORE, "E409")

    def damage(self) -> Iterator[str]:
        """All that is wrong with the file and with what its rows say of each other."""
        with self.reading() as db:
            pages = db.exec_driver_sql("PRAGMA integrity_check").scalars().all()
            strays = db.exec_driver_sql("PRAGMA foreign_key_check").all()
        yield from (page for page in pages if page != "ok")
        yield from (
            f"row {row} of {table} belongs to nothing in {parent}" for table, row, parent, _ in strays
        )


def _url(path: Path) -> sa.URL:
    """How it is opened; in a folder that is read-only for us without the files that go with a write-ahead log.

    Unless there are some: then somebody else writes just now, and has made them for us, too.
    """
    if os.access(path.parent, os.W_OK):
        return sa.URL.create("sqlite", database=str(path))
    immutable = {} if Path(f"{path}-wal").exists() else {"immutable": "1"}
    query = {"mode": "ro", "uri": "true", **immutable}
    return sa.URL.create("sqlite", database=f"file:{quote(str(path))}", query=query)


class _Transaction:
    """A connection in one transaction; what the database or the disk says comes out as StorageError."""

    def __init__(self, engine: sa.Engine, path: Path) -> None:
        self._context = engine.begin()
        self._path = path

    def __enter__(self) -> sa.Connection:
        try:
            return self._context.__enter__()
        except (sa.exc.DBAPIError, sqlite3.Error) as error:
            raise self._translated(error) from None

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            self._context.__exit__(kind, error, trace)
        except (sa.exc.DBAPIError, sqlite3.Error) as failure:
            raise self._translated(failure) from None
        if isinstance(error, sa.exc.DBAPIError):
            raise self._translated(error) from None

    def _translated(self, error: Exception) -> StorageError:
        cause = getattr(error, "orig", None) or error
        if getattr(cause, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return StorageError(f"the ledger {self._path} is damaged: {cause}", RESTORE, "E409")
        return StorageError(
            f"the ledger {self._path} fails: {cause}",
            "mend that (space, rights, the disk), then run the same command again: it goes on",
            "E404",
        )


def _locking(engine: sa.Engine, path: Path) -> _Transaction:
    return _Transaction(engine.execution_options(begin="BEGIN IMMEDIATE"), path)


def _bring_up(db: sa.Connection, path: Path) -> None:
    """Make the tables, or bring those of an older version up."""
    found = _version(db)  # another process may have been at it
    if found not in (0, 1, VERSION):
        raise StorageError(
            f"{path} is a ledger of version {found}; this program reads version {VERSION}",
            "use the program that wrote it, or another home folder with --home",
            "E403",
        )
    if found == 1:
        db.exec_driver_sql("ALTER TABLE tournaments ADD COLUMN run INTEGER NOT NULL DEFAULT 0")
        db.exec_driver_sql(f"ALTER TABLE games ADD COLUMN isolation VARCHAR NOT NULL DEFAULT '{NONE}'")
    for part in _tables.sorted_tables:
        db.execute(sa.schema.CreateTable(part, if_not_exists=True))
        for index in part.indexes:
            db.execute(sa.schema.CreateIndex(index, if_not_exists=True))
    if found == 1:
        for name in db.scalars(sa.select(TOURNAMENTS.c.name)).all():
            _link_all(db, name)
    db.exec_driver_sql(f"PRAGMA user_version = {VERSION}")


def now(precision: str = "seconds") -> str:
    """The time as rows have it: UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec=precision)


def _set_up(connection: sqlite3.Connection, _: Any) -> None:
    connection.text_factory = _text
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _text(raw: bytes) -> str:
    """A damaged text is another text, which whoever checks it names; it keeps nobody from reading the rest."""
    return raw.decode("utf-8", "replace")


def _begin(connection: sa.Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get("begin", "BEGIN"))


def _version(db: sa.Connection) -> int:
    return int(db.exec_driver_sql("PRAGMA user_version").scalar_one())


def _link_all(db: sa.Connection, tournament: str) -> None:
    """The chain of a tournament of version 1, in the order in which its games were finished."""
    query = sa.select(GAMES.c.id, GAMES.c.finished).where(GAMES.c.tournament == tournament)
    head = ""
    for number, (game, finished) in enumerate(
        db.execute(query.order_by(GAMES.c.finished, GAMES.c.id)).all(), 1
    ):
        packed = db.scalars(sa.select(RECORDS.c.record).where(RECORDS.c.game == game)).one_or_none()
        head = chained(head, entry(game, finished, packed or b""))
        db.execute(LINKS.insert().values(tournament=tournament, number=number, game=game, link=head))
