"""Ledgers of older versions: brought up whole or not at all, to what a new one is, in each kind of database."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.operations import Operations

from arena import migrations
from arena.database import Backend, backend_of
from arena.errors import StorageError
from arena.ledger import Ledger
from arena.migrations.versions import first, keys, leases, meetings
from arena.place import Place, address_of
from arena.tables import STAMP, TABLES, VERSION
from arena.verification import Tally, verify_ledger

CUP = "SELECT id FROM games WHERE tournament = 'cup' ORDER BY id"
INDICES = "SELECT name, sql FROM sqlite_schema WHERE type = 'index'"
OPEN = "import sys; from arena.ledger import Ledger; from arena.place import place_of; Ledger(place_of(sys.argv[1])){}"


def old(folder: Path) -> Path:
    """A ledger as version 1 wrote it."""
    path = folder / "ledger.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(Path(__file__).with_name("ledger-1.sql").read_text())
    return path


def second(folder: Path) -> Path:
    """One as version 2 left it, which knew no Alembic: made by what it did to version 1."""
    path = old(folder)
    with changing(path) as db:
        leases.upgrade()
        db.exec_driver_sql("PRAGMA user_version = 2")
    return path


def third(folder: Path) -> Path:
    """One as version 3 left it, in the same way."""
    path = second(folder)
    with changing(path) as db:
        meetings.upgrade()
        STAMP.create(db)
        db.execute(STAMP.insert().values(version_num="3"))
        db.exec_driver_sql("PRAGMA user_version = 3")
    return path


def fourth(folder: Path) -> Path:
    """One as version 4 left it."""
    path = third(folder)
    with changing(path) as db:
        keys.upgrade()
        db.execute(STAMP.update().values(version_num="4"))
        db.exec_driver_sql("PRAGMA user_version = 4")
    return path


@contextmanager
def changing(place: Place) -> Iterator[sa.Connection]:
    with (
        closing(backend_of(place)) as backend,
        backend.transaction(backend.writing) as db,
        Operations.context(MigrationContext.configure(db)),
    ):
        yield db


@pytest.mark.parametrize("made", [old, second, third, fourth])
def test_an_old_ledger_is_brought_up_with_its_chain(made: Callable[[Path], Path], tmp_path: Path) -> None:
    path = made(tmp_path)
    with closing(Ledger(path)) as ledger:
        head = ledger.head("cup")
        for name in ("cup", "half"):
            assert list(verify_ledger(ledger, ledger.tournament(name), tally := Tally())) == []
            assert tally.games
        assert ledger.take_up("half").keep([]) == []
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert db.execute("SELECT version_num FROM kingmaker_version").fetchall() == [(str(VERSION),)]
    with closing(Ledger(path)) as again:
        assert again.head("cup") == head != ""


ROWS = {
    "seats": "SELECT {}, seat, bot, digest, team, rank, score, fault FROM seats ORDER BY 1, 2",
    "records": "SELECT {}, record FROM records ORDER BY 1",
    "links": "SELECT {}, tournament, number, link FROM links ORDER BY 1",
    "games": "SELECT id, tournament, game, variant, rules, deal, block, block_size, verdict, isolation, finished, "
    "meeting FROM games ORDER BY 1",
}


def test_rows_of_version_3_stay_with_their_games(tmp_path: Path) -> None:
    path = third(tmp_path)
    with closing(sqlite3.connect(path)) as db:
        before = {table: db.execute(query.format("game")).fetchall() for table, query in ROWS.items()}
    with closing(Ledger(path)) as ledger:
        ids = [link.game for link in ledger.links("cup")]
    id = "(SELECT id FROM games WHERE key = {}.game)"
    with closing(sqlite3.connect(path)) as db:
        for table, query in ROWS.items():
            assert db.execute(query.format(id.format(table))).fetchall() == before[table]
        assert [id for (id,) in db.execute("SELECT id FROM games ORDER BY key")][: len(ids)] == ids
        assert db.execute("SELECT min(key), max(key) FROM games").fetchone() == (1, len(before["games"]))
        assert all(before.values()) and db.execute("PRAGMA foreign_key_check").fetchall() == []


def test_a_ledger_of_version_3_is_brought_up_in_each_kind(place: Place, tmp_path: Path) -> None:
    (tmp_path / "file").mkdir()
    file = third(tmp_path / "file")
    with closing(sqlite3.connect(file)) as there, changing(place) as here:
        for step in (first, leases, meetings):
            step.upgrade()
        for table in ("tournaments", "games", "seats", "records", "links"):
            rows = there.execute(f"SELECT * FROM {table}")
            columns = [column[0] for column in rows.description]
            insert = sa.table(table, *map(sa.column, columns)).insert()
            here.execute(insert, [dict(zip(columns, row, strict=True)) for row in rows])
        STAMP.create(here)
        here.execute(STAMP.insert().values(version_num="3"))
        if here.dialect.name == "sqlite":
            here.exec_driver_sql("PRAGMA user_version = 3")
    with closing(Ledger(file)) as one, closing(Ledger(place)) as other:
        assert list(one.links("cup")) == list(other.links("cup")) != []
        assert one.results("cup") == other.results("cup")


def test_a_game_of_version_3_that_is_in_no_chain_is_not_lost(tmp_path: Path) -> None:
    path = third(tmp_path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("DELETE FROM links WHERE tournament = 'cup' AND number = 1")
        db.commit()
    with closing(Ledger(path)) as ledger:
        found = verify_ledger(ledger, ledger.tournament("cup"), Tally())
        assert any("its link is lost" in flaw.place.what for flaw in found)


@pytest.mark.parametrize("table", ["seats", "records", "links"])
def test_rows_that_belong_to_no_game_are_not_brought_up(table: str, tmp_path: Path) -> None:
    path = third(tmp_path)
    with closing(sqlite3.connect(path)) as db:
        one = f"(SELECT game FROM {table} LIMIT 1)"
        db.execute(f"UPDATE {table} SET game = 'nobody' WHERE game = {one}")
        db.commit()
    before = dump(path)
    with pytest.raises(StorageError, match=f"rows of {table} belong to no game") as error:
        Ledger(path)
    assert str(path) in str(error.value) and error.value.code == "E409" and dump(path) == before


def test_the_chain_of_version_1_goes_by_the_time_of_its_games(tmp_path: Path) -> None:
    path = old(tmp_path)
    with closing(sqlite3.connect(path)) as db:
        ids = [id for (id,) in db.execute(CUP)]
        db.execute("UPDATE games SET finished = '2020-01-01T00:00:00+00:00' WHERE id = ?", (ids[-1],))
        db.commit()
    with closing(Ledger(path)) as ledger:
        assert [link.game for link in ledger.links("cup")] == [ids[-1], *ids[:-1]]


def test_a_ledger_that_cannot_be_brought_up_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = old(tmp_path)
    before = dump(path)
    monkeypatch.setattr("arena.sqlite.VERSION", "no number")  # after the last of its statements that write
    with pytest.raises(StorageError, match="near"):
        Ledger(path)
    assert dump(path) == before


def test_a_process_that_is_killed_in_the_middle_leaves_what_was_there(tmp_path: Path) -> None:
    path = old(tmp_path)
    before = dump(path)
    die = "import os, arena.sqlite as s; s.Sqlite.stamped = lambda *_: os._exit(9); "
    killed = subprocess.run([sys.executable, "-c", die + OPEN.format(""), str(path)], check=False)
    assert killed.returncode == 9 and dump(path) == before
    with closing(Ledger(path)) as ledger:
        assert ledger.head("cup")


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as db:
        return [*db.iterdump(), str(db.execute("PRAGMA user_version").fetchone())]


@pytest.fixture
def backend(place: Place) -> Iterator[Backend]:
    with closing(backend_of(place)) as backend:
        yield backend


def test_all_steps_from_nothing_make_what_a_new_ledger_is(backend: Backend, tmp_path: Path) -> None:
    with backend.transaction(backend.writing) as db:
        migrations.upgrade(db, 0)
        backend.stamped(db)
    with backend.transaction(backend.reading) as db:
        assert backend.version(db) == VERSION
        context = MigrationContext.configure(db, opts={"compare_type": True})
        with warnings.catch_warnings(action="ignore"):  # of an index by an expression: looked at below
            assert compare_metadata(context, TABLES) == []
        if db.dialect.name == "sqlite":
            with closing(Ledger(tmp_path / "new.sqlite")) as new, new._database.writing() as today:
                assert {*today.exec_driver_sql(INDICES)} == {*db.exec_driver_sql(INDICES)}
            kinds = db.exec_driver_sql("SELECT name, wr FROM pragma_table_list WHERE schema = 'main'").all()
            assert {name for name, no_number in kinds if no_number} == {"seats"}
        texts = sa.inspect(db).get_columns("games")
        assert {column.get("collation") for column in texts if column["name"] == "id"} <= {None, "C"}


def test_a_step_that_fails_leaves_nothing_of_those_before(backend: Backend) -> None:
    with pytest.raises(StorageError), backend.transaction(backend.writing) as db:
        migrations.upgrade(db, 0)
        raise StorageError("no space")
    with backend.transaction(backend.reading) as db:
        assert sa.inspect(db).get_table_names() == []


def test_processes_that_open_an_empty_one_at_once_make_it_once(place: Place) -> None:
    write = OPEN.format(".begin('cup', 'seed', {}, [])")
    many = [subprocess.Popen([sys.executable, "-c", write, address_of(place)]) for _ in range(3)]
    assert [one.wait(60) for one in many] == [0, 0, 0]
    with closing(Ledger(place)) as ledger:
        assert ledger.names() == ["cup"]


def test_who_opens_a_ledger_of_today_does_not_wait_for_alembic(tmp_path: Path) -> None:
    with closing(Ledger(tmp_path / "ledger.sqlite")) as ledger:
        ledger.begin("cup", "seed", {}, [])
    look = OPEN.format("; assert 'sqlalchemy' in sys.modules and 'alembic' not in sys.modules")
    subprocess.run([sys.executable, "-c", look, str(tmp_path / "ledger.sqlite")], check=True)
