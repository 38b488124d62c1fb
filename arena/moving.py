"""A ledger copied to another place, perhaps of another kind: all of it, and its chains hold there, or nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import groupby
from pathlib import Path
from time import monotonic
from typing import Any

import sqlalchemy as sa

from arena.chain import chained, entry
from arena.database import Database, backend_of
from arena.errors import InputError, StorageError
from arena.home import Home
from arena.place import Place
from arena.tables import GAMES, LINKS, RECORDS, STAMP, TABLES

AT_ONCE = 1000
"""Rows in memory."""
SAID = 10.0
"""Seconds from one line about how far it is to the next."""
Told = Callable[[str], None]
_CONTENT = [table for table in TABLES.sorted_tables if table is not STAMP]


def copy(source: Place, target: Place, told: Told = lambda _: None) -> Counter[str]:
    """Copy a ledger to where none is, or an empty one; how many rows of each table.

    One transaction reads and one writes; `told` hears now and then how far it is. A file that was not there is
    not there after an error, either. Raises InputError: nothing at `source`, something at `target`;
    Busy where a tournament of `source` is run; StorageError, also where a chain does not hold.
    """
    with closing(backend_of(source)) as backend:
        if not backend.exists():
            raise InputError(f"there is no ledger at {source}", "look at the address or the path", "E414")
    Home(".", ledger=source).check_idle()
    with (
        _none_left(target),
        closing(Database(source)) as old,
        closing(Database(target)) as new,
        old.reading() as there,
        new.writing() as here,
    ):
        _check_empty(here, target)
        rows, said = Counter[str](), monotonic()
        for table in _CONTENT:
            for some in _read(table, there, source):
                _write(table, some, here, source)
                rows[table.name] += len(some)
                if monotonic() - said > SAID:
                    said = monotonic()
                    told(f"copied: {rows[table.name]:,} rows of {table.name}")
        told("looking through the chains")
        for flaw in list(flaws(here)):
            fix = "arena verify TOURNAMENT says all that is wrong; nothing was copied"
            raise StorageError(f"the ledger {source} does not hold: {flaw}", fix, "E415")
    return rows


def _check_empty(db: sa.Connection, place: Place) -> None:
    for table in _CONTENT:
        if db.execute(sa.select(table).limit(1)).first():
            raise InputError(
                f"the ledger {place} is not empty: it has {table.name}",
                "copy to another place: a file that is not there, or a new database",
                "E414",
            )


@contextmanager
def _none_left(place: Place) -> Iterator[None]:
    """Remove a file that is made meanwhile, unless all goes well."""
    new = isinstance(place, Path) and not place.exists()
    try:
        yield
    except BaseException:
        for end in ("", "-wal", "-shm") if new else ():
            Path(f"{place}{end}").unlink(missing_ok=True)
        raise


def _read(table: sa.Table, there: sa.Connection, source: Place) -> Iterator[Sequence[sa.Row[Any]]]:
    """All rows, some at a time. Raises StorageError, which else the transaction that writes would take for its own."""
    try:
        yield from there.execution_options(yield_per=AT_ONCE).execute(sa.select(table)).partitions()
    except ValueError as error:
        raise _damaged(table, source, error) from None
    except Exception as error:
        if failure := backend_of(source).failure(error):
            raise failure from None
        raise


def _write(table: sa.Table, rows: Sequence[sa.Row[Any]], here: sa.Connection, source: Place) -> None:
    try:
        if here.dialect.name == "postgresql":
            _pour(table, rows, here)
        else:
            here.execute(table.insert(), [dict(row._mapping) for row in rows])
    except Exception as error:
        cause, driver = getattr(error, "orig", None) or error, here.dialect.loaded_dbapi
        if isinstance(cause, (driver.DataError, driver.IntegrityError, ValueError)):
            raise _damaged(table, source, cause) from None
        raise


def _pour(table: sa.Table, rows: Sequence[sa.Row[Any]], here: sa.Connection) -> None:
    """By COPY, which takes a fraction of the time of rows that are inserted."""
    columns, driver = table.columns.values(), here.connection.driver_connection
    bound = [column.type.dialect_impl(here.dialect).bind_processor(here.dialect) for column in columns]
    names = ", ".join(map(here.dialect.identifier_preparer.format_column, columns))
    assert driver
    with driver.cursor() as cursor, cursor.copy(f"COPY {table.name} ({names}) FROM STDIN") as sink:
        for row in rows:
            sink.write_row(
                [bind(v) if bind and v is not None else v for bind, v in zip(bound, row, strict=True)]
            )


def _damaged(table: sa.Table, source: Place, error: Exception) -> StorageError:
    what = f"a row of {table.name} in the ledger {source} cannot be copied: {str(error).strip()}"
    return StorageError(
        what.splitlines()[0], "arena verify TOURNAMENT says all that is wrong; nothing was copied", "E415"
    )


def flaws(db: sa.Connection) -> Iterator[str]:
    """What is wrong with the chains of all tournaments, and games that are in none."""
    columns = (LINKS.c.tournament, LINKS.c.number, LINKS.c.link, GAMES.c.id, GAMES.c.finished)
    joined = LINKS.join(GAMES, (GAMES.c.key == LINKS.c.game) & (GAMES.c.tournament == LINKS.c.tournament))
    joined = joined.outerjoin(RECORDS, RECORDS.c.game == GAMES.c.key)
    query = sa.select(*columns, RECORDS.c.record).select_from(joined)
    linked = 0
    with db.execution_options(yield_per=AT_ONCE).execute(query.order_by(*columns[:2])) as rows:
        for name, links in groupby(rows, lambda row: row.tournament):
            head = ""
            for number, row in enumerate(links, 1):
                head = chained(head, entry(row.id, row.finished, row.record or b""))
                if (row.number, row.link) != (number, head):
                    yield f"the chain of {name} breaks at its game {number}, {row.id}"
                    return
                linked += 1
    games = db.execute(sa.select(sa.func.count()).select_from(GAMES)).scalar_one()
    if games != linked:
        yield f"{games:,} games are kept, and {linked:,} are in a chain"
