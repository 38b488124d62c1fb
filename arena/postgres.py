"""A ledger in a database of a PostgreSQL server. The one home of psycopg.

One that writes takes an advisory lock as its first statement and only then looks: so transactions that write
follow each other as in SQLite, none is ever tried again, and what is read at READ COMMITTED stays so until
the commit. The same kind of lock, of a session, says who runs a tournament.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, ClassVar
from weakref import WeakKeyDictionary, ref

import sqlalchemy as sa

from arena.database import Backend, Database
from arena.errors import Busy, CannotStart, InputError, StorageError
from arena.place import Server
from arena.tables import STAMP, TOURNAMENTS

if TYPE_CHECKING:
    import psycopg

PATIENCE = 1.0
"""Seconds to wait for the lock of a tournament: a server may not have seen yet that its holder is dead."""
PATIENT = {"connect_timeout": "10", "keepalives_idle": "10", "keepalives_interval": "5", "keepalives_count": "3",
           "tcp_user_timeout": "30000"}  # fmt: skip
"""How long a server that answers nothing is waited for, where the address says nothing else."""
SETTINGS = {"lock_timeout": "30s", "tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5",
            "tcp_keepalives_count": "3"}  # fmt: skip
"""Of a session: how long whoever writes is waited for, and after what time a client that is cut off is dead."""
IDLE = "20s"
"""The session of who stops in the middle of writing is ended after this: sooner than who waits for it gives up."""
WAITED = "55P03"
"""The state of who waited for a lock, and waits no longer."""
GONE = {"25P03", *(f"57P0{number}" for number in range(1, 6))}
"""States of a session that a server ends, or takes none of."""
LETS_NOBODY_IN = {
    "does not exist": "look at the address; `createdb --encoding UTF8 --template template0 NAME` makes a database, "
    "`createuser --pwprompt NAME` a role",
    "password": "look at the user and the password: ~/.pgpass, PGPASSWORD or the address has it",
    "no pg_hba.conf entry": "pg_hba.conf of the server says who is let in, to which database, from where",
}
"""What to do about what libpq says before there is a session; its words have no code."""
RESTORED = "restore the database from a dump"
MEND = "mend that (rights, space), then run the same command again: it goes on"
MENDED = {
    WAITED: f"somebody has been writing for {SETTINGS['lock_timeout']}: SELECT * FROM pg_locks WHERE locktype = "
    "'advisory' says who; then run the same command again: it goes on",
    "42501": "this role may only read, or not even that: use one that owns the tables, or GRANT it what it lacks",
    "25006": "this server or role may only be read from: use another address to play or to change something",
}
"""What to do about what a server refuses, by its code."""
_LEDGER = "(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema())::int"
"""The first half of the keys of a ledger's locks. The second is 0 for whoever writes, else a tournament's."""

_HELD_OF = (
    "FROM pg_catalog.pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2 "
    "AND database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database()) "
    f"AND classid = {_LEDGER}::oid"
)
_HELD = f"SELECT objid::bigint {_HELD_OF}"
_MADE = (
    "SELECT EXISTS (SELECT FROM pg_catalog.pg_class WHERE relnamespace = "
    f"(SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema()) AND relname = '{STAMP.name}')"
)
"""Not by to_regclass(), which may remember from before a lock was had that there is none."""


class Postgres(Backend):
    """A schema of a database, the first that `search_path` leads to."""

    place: Server
    reading: ClassVar = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    writing: ClassVar = {"isolation_level": "READ COMMITTED", "writes": True}

    def __init__(self, place: Server) -> None:
        self.place = place

    def connect(self) -> sa.Engine:
        """An engine of sessions whose commits are durable."""
        _driver(self.place)
        engine = sa.create_engine("postgresql+psycopg://", creator=self._connected, use_native_hstore=False)
        sa.event.listen(engine, "begin", _begin)
        cursors = _Cursors()
        sa.event.listen(engine, "after_cursor_execute", cursors.note)
        for end in ("commit", "rollback"):
            sa.event.listen(engine, end, cursors.close)
        return engine

    def _connected(self, autocommit: bool = False) -> psycopg.Connection[Any]:
        driver = _driver(self.place)
        try:
            said = driver.conninfo.conninfo_to_dict(self.place.address)
        except driver.ProgrammingError:  # quotes what may be a part of a password
            fix = "look at the names of its parameters, and at each %: %25 stands for one that is meant"
            raise InputError(f"libpq does not take the address of {self.place}", fix, "E412") from None
        default = {key: value for key, value in PATIENT.items() if f"PG{key}".upper() not in os.environ}
        fixed = {"client_encoding": "UTF8", "fallback_application_name": "kingmaker"}
        session: psycopg.Connection[Any] = driver.connect(**(default | said | fixed), autocommit=True)
        self._check_schema(session, session.execute(_set_up()).fetchone())
        session.autocommit = autocommit
        return session

    def _check_schema(self, session: psycopg.Connection[Any], row: Any) -> None:
        if row[-1] is None:
            session.close()
            raise StorageError(
                f"there is no such schema in the database of the ledger {self.place}, or no right to it",
                'make one: psql -c "CREATE SCHEMA NAME" with the name that search_path has in the address',
                "E404",
            )

    @contextmanager
    def session(self) -> Iterator[psycopg.Connection[Any]]:
        """A session of its own, without transactions. Raises StorageError, also for what is done in it."""
        session = None
        try:
            session = self._connected(autocommit=True)
            yield session
        except _driver(self.place).Error as error:
            raise self.failure(error) or error from None
        finally:
            if session:
                session.close()

    def exists(self) -> bool:
        """Whether the schema has a ledger's tables."""
        with self.transaction(self.reading) as db:
            return self.version(db) > 0

    def version(self, db: sa.Connection) -> int:
        """As Alembic's table has it."""
        if not db.exec_driver_sql(_MADE).scalar_one():
            return 0
        found = db.scalars(sa.select(STAMP.c.version_num)).all()
        if len(found) != 1 or not found[0].isdecimal():
            raise StorageError(
                f"the ledger {self.place} is damaged: its version is {found}", RESTORED, "E409"
            )
        return int(found[0])

    def stamped(self, db: sa.Connection) -> None:
        """See that every text can be kept. Raises StorageError."""
        encoding = db.exec_driver_sql("SHOW server_encoding").scalar_one()
        if encoding != "UTF8":
            raise StorageError(
                f"the database of the ledger {self.place} keeps texts as {encoding}",
                "make one that has UTF-8: createdb --encoding UTF8 --template template0 NAME",
                "E404",
            )

    def failure(self, error: Exception) -> StorageError | None:
        """A server that is gone or lets nobody in, or one that refuses something."""
        cause = getattr(error, "orig", None) or error
        driver = _driver(self.place)
        if isinstance(cause, sa.exc.PendingRollbackError):
            return self._unreachable("its session was lost")
        if not isinstance(cause, driver.Error):
            return None
        state = cause.sqlstate or ""
        text = str(cause).removeprefix("connection failed: ")
        said = "; ".join(line.strip() for line in text.splitlines() if line.strip())
        lost = isinstance(cause, driver.OperationalError) and (not state or state[:2] == "08")
        if lost or state in GONE:
            return self._unreachable(said)
        if isinstance(cause, driver.IntegrityError):
            return StorageError(f"the ledger {self.place} contradicts itself: {said}", RESTORED, "E409")
        return StorageError(f"the ledger {self.place} fails: {said}", MENDED.get(state, MEND), "E404")

    def _unreachable(self, why: str) -> StorageError:
        fixes = (fix for said, fix in LETS_NOBODY_IN.items() if said in why)
        fix = next(fixes, "once it runs and lets you in, run the same command again: it goes on")
        return StorageError(f"the server of the ledger {self.place} cannot be reached: {why}", fix, "E411")

    def damage(self, db: sa.Connection, quick: bool) -> Iterator[str]:
        """Nothing: a server looks after its pages, and after rows that belong to nothing, itself."""
        yield from ()


def _set_up() -> str:
    settings = ", ".join(f"set_config('{name}', '{value}', false)" for name, value in SETTINGS.items())
    for_ever = "set_config('idle_session_timeout', '0', false)"  # a lock lasts as long as its session
    durable = (
        "CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END"
    )
    known = "EXISTS (SELECT FROM pg_catalog.pg_settings WHERE name = 'idle_session_timeout')"  # from 14 on
    return (
        f"SELECT {settings}, set_config('synchronous_commit', {durable}, false), "
        f"CASE WHEN {known} THEN {for_ever} END, current_schema()"
    )


def _begin(db: sa.Connection) -> None:
    if not db.get_execution_options().get("writes"):
        return
    try:
        _write_alone(db)
    except sa.exc.DBAPIError as error:
        if getattr(error.orig, "sqlstate", None) != WAITED or not _end_who_sleeps(db):
            raise
        _write_alone(db)


def _write_alone(db: sa.Connection) -> None:
    idle = f"set_config('idle_in_transaction_session_timeout', '{IDLE}', true)"
    db.exec_driver_sql(f"SELECT {idle}, pg_advisory_xact_lock({_LEDGER}, 0)")


def _end_who_sleeps(db: sa.Connection) -> bool:
    """End the session that writes if nothing came from it for IDLE; a server often does not, in or after a batch."""
    sleeps = f"wait_event = 'ClientRead' AND state_change < clock_timestamp() - '{IDLE}'::interval"
    writer = f"pid IN (SELECT pid {_HELD_OF} AND objid = 0) AND pg_has_role(usesysid, 'MEMBER')"
    end = "SELECT pg_terminate_backend(pid) FROM pg_catalog.pg_stat_activity"
    return bool(db.exec_driver_sql(f"{end} WHERE {sleeps} AND {writer}").scalar())


class _Cursors:
    """Rows that come a batch at a time come out of a cursor at the server: those of each transaction.

    Not in `Connection.info`, which there is none of once a session is lost.
    """

    def __init__(self) -> None:
        self._open: WeakKeyDictionary[sa.Connection, list[ref[Any]]] = WeakKeyDictionary()

    def note(self, db: sa.Connection, cursor: Any, *_: Any) -> None:
        """One more."""
        if hasattr(cursor, "scrollable"):
            self._open.setdefault(db, []).append(ref(cursor))

    def close(self, db: sa.Connection) -> None:
        """Close those whose rows nobody wants any more."""
        for cursor in self._open.pop(db, ()):
            if (left := cursor()) is not None:
                left.close()


@contextmanager
def holding(server: Server, tournament: str) -> Iterator[None]:
    """Hold a tournament of a shared ledger, for as long as a session of its own lasts.

    A session may be lost, and its lock with it, while whoever runs the tournament goes on. So who gets the lock
    ends all runs there were (`arena.runs`) before it reads anything: they keep nothing any more. Raises Busy.
    """
    with Postgres(server).session() as session:
        _take(session, tournament)
        _end_runs(server, tournament)
        try:
            yield
        finally:
            with suppress(
                _driver(server).Error
            ):  # it goes with its session, but a server takes a moment for that
                session.execute(b"SELECT pg_advisory_unlock_all()")


def _take(session: psycopg.Connection[Any], tournament: str) -> None:
    until = monotonic() + PATIENCE
    lock = f"SELECT pg_try_advisory_lock({_LEDGER}, %s)".encode()
    while (row := session.execute(lock, [_key(tournament)]).fetchone()) is None or not row[0]:
        if monotonic() >= until:
            raise Busy(
                f"tournament {tournament!r} is being run by another process, perhaps on another machine",
                "wait for it, or watch it with: arena watch " + tournament,
                "E501",
            )
        sleep(0.05)


def _end_runs(server: Server, tournament: str) -> None:
    database = Database(server)
    try:
        with database.writing() as db:
            mine = TOURNAMENTS.c.name == tournament
            db.execute(TOURNAMENTS.update().where(mine).values(run=TOURNAMENTS.c.run + 1))
    finally:
        database.close()


def held(db: sa.Connection, tournaments: Iterable[str]) -> set[str]:
    """Those of them that somebody runs at this instant, here or on another machine."""
    keys = {_key(name): name for name in tournaments}
    found = db.exec_driver_sql(f"{_HELD} AND objid = ANY(%s::oid[])", (list(keys),))
    return {keys[key] for key in found.scalars()}


def is_any_held(db: sa.Connection) -> bool:
    """Whether somebody runs any tournament of a ledger."""
    return db.exec_driver_sql(f"{_HELD} AND objid <> 0 LIMIT 1").first() is not None


@contextmanager
def asking(server: Server) -> Iterator[sa.Connection]:
    """A transaction that reads, where no ledger is open. Raises StorageError."""
    backend = Postgres(server)
    try:
        with backend.transaction(backend.reading) as db:
            yield db
    finally:
        backend.close()


def _driver(place: Server) -> Any:
    """psycopg. Raises CannotStart."""
    try:
        import psycopg

        logging.getLogger("psycopg").setLevel(logging.ERROR)  # what it warns of comes out as an error, too
    except ModuleNotFoundError as error:
        if error.name != "psycopg":
            raise
        fix = "pip install 'kingmaker[postgres]'"
        raise CannotStart(f"no driver for the ledger {place} is installed", fix, "E413") from None
    return psycopg


def _key(tournament: str) -> int:
    """The second half of its lock's key: 31 bits, never 0."""
    return (
        int.from_bytes(sha256(tournament.encode("utf-8", "surrogatepass")).digest()[:4], "big") % (2**31 - 1)
        + 1
    )
