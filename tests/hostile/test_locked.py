"""Another process that holds the ledger's lock: waited for, and not for ever (T63)."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy

from arena.errors import StorageError
from arena.home import Home
from arena.ledger import Ledger
from tests.arena.filled import fill


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """With a tournament of which one game is over."""
    made = Home(tmp_path / "home")
    fill(made, "cup", ["claim"], 1)
    return made


@pytest.fixture
def writer(home: Home) -> Iterator[sqlite3.Connection]:
    """Another process's connection, which holds the lock."""
    with closing(sqlite3.connect(home.path / "ledger.sqlite", check_same_thread=False)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        yield connection


def kept(home: Home) -> int:
    with closing(Ledger(home.ledger)) as ledger:
        return len(ledger.ids("cup"))


def test_a_lock_that_is_soon_given_back_is_waited_for(home: Home, writer: sqlite3.Connection) -> None:
    threading.Timer(0.3, writer.rollback).start()
    fill(home, "cup", ["claim"], 3)
    assert kept(home) == 3


def test_a_lock_that_is_kept_stops_the_run_and_nothing_is_half_kept(
    home: Home, writer: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, impatient = sqlalchemy.create_engine, {"connect_args": {"timeout": 0.1}}
    monkeypatch.setattr(sqlalchemy, "create_engine", lambda url, **words: real(url, **words | impatient))
    with pytest.raises(StorageError) as told:
        fill(home, "cup", ["claim"], 3)
    assert told.value.exit_code == 4
    writer.rollback()
    assert kept(home) == 1
    fill(home, "cup", ["claim"], 3)
    assert kept(home) == 3
