"""Ledgers copied to another place: all of it or nothing, and errors name the ledger that they are of."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from arena import moving
from arena.database import Database
from arena.errors import InputError, StorageError
from arena.ledger import Ledger
from arena.moving import copy
from arena.place import Place
from arena.tables import STAMP, TABLES
from tests.arena.made import job_for, keep, played
from tests.referee.driving import bot_ids, planned


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A ledger with two games, and texts that a copy must not change."""
    path, bots = tmp_path / "source.sqlite", bot_ids(2)
    with closing(Ledger(path)) as ledger:
        ledger.add_bot(bots[0], {"name": "tab\there", "run": ["a\\b\nc", "é"]}, listed=True)
        ledger.begin("cup", "seed", {"a": None}, bots, ["\\N"])
        job = job_for("claim", bots, (planned(0), planned(1)))
        keep(ledger, "cup", [played(job, game) for game in job.games])
    return path


def rows(place: Place) -> dict[str, list[tuple[object, ...]]]:
    with closing(Database(place)) as database, database.reading() as db:
        tables = [table for table in TABLES.sorted_tables if table is not STAMP]
        return {table.name: sorted(map(tuple, db.execute(sa.select(table))), key=repr) for table in tables}


def test_all_rows_are_copied_and_it_is_said_how_far_it_is(
    source: Path, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moving, "SAID", 0.0)
    said: list[str] = []
    copied = copy(source, place, said.append)
    assert rows(place) == rows(source) and (copied["games"], copied["seats"]) == (2, 4)
    assert "copied: 2 rows of games" in said and "chains" in said[-1]


def test_what_is_there_stays(source: Path, tmp_path: Path) -> None:
    copy(source, tmp_path / "copy.sqlite")
    with pytest.raises(InputError, match="not empty"):
        copy(source, tmp_path / "copy.sqlite")
    assert (tmp_path / "copy.sqlite").exists()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE seats SET digest = CAST(x'00' AS TEXT) || 'x', score = 'much'",
        "UPDATE bots SET manifest = '{'",
        "UPDATE links SET game = 99 WHERE number = 1",
        "UPDATE links SET link = 'other' WHERE number = 1",
    ],
    ids=["row", "json", "key", "chain"],
)
def test_a_damaged_source_is_named_and_nothing_is_left(source: Path, place: Place, damage: str) -> None:
    with closing(sqlite3.connect(source)) as db:
        db.execute(damage)
        db.commit()
    if isinstance(place, Path) and "seats" in damage:
        pytest.skip("SQLite keeps anything")
    with pytest.raises(StorageError) as error:
        copy(source, place)
    assert str(source) in str(error.value) and error.value.code == "E415"
    if isinstance(place, Path):
        assert [path.name for path in place.parent.iterdir() if place.name in path.name] == []
    else:
        assert not any(rows(place).values())


def test_who_reads_an_empty_file_leaves_it_empty(tmp_path: Path) -> None:
    path = tmp_path / "empty.sqlite"
    path.touch()
    with closing(Ledger(path)) as ledger:
        assert ledger.names() == [] and path.stat().st_size == 0
        ledger.begin("cup", "seed", {}, [])
        assert ledger.names() == ["cup"]
    with pytest.raises(InputError, match="no ledger"):
        (tmp_path / "other.sqlite").touch()
        copy(tmp_path / "other.sqlite", tmp_path / "copy.sqlite")


def test_pages_that_are_gone_are_those_of_the_source(source: Path, place: Place) -> None:
    with closing(sqlite3.connect(source)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'games'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    with source.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    with pytest.raises(StorageError, match="damaged") as error:
        copy(source, place)
    assert str(source) in str(error.value) and error.value.code == "E409"
