"""The ledger: whole or not at all, once, and never changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.errors import Busy, InputError, StorageError
from arena.home import Home
from arena.ledger import Ledger
from protocol.record import pack
from protocol.vocabulary import BotId
from referee.jobs import GameDone
from tests.arena.made import job_for, played
from tests.referee.driving import bot_ids, planned

GAMES = 4


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    ledger = Ledger(tmp_path / "ledger.sqlite")
    ledger.begin("cup", "seed", {}, bot_ids(2))
    yield ledger
    ledger.close()


@pytest.fixture(scope="module")
def games() -> list[GameDone]:
    plans = tuple(planned(number, f"deal {number}") for number in range(GAMES))
    job = job_for("claim", bot_ids(2), plans)
    return [played(job, plan) for plan in plans]


def test_what_was_added_is_there_with_its_record(ledger: Ledger, games: list[GameDone]) -> None:
    assert ledger.add("cup", games) == GAMES
    assert ledger.results("cup") == sorted((done.result for done in games), key=lambda result: result.id)
    for done in games:
        assert done.result.id.encode() in ledger.record(done.result.id)
    assert len(list(ledger.records("cup"))) == GAMES


def test_a_game_that_comes_again_changes_nothing(ledger: Ledger, games: list[GameDone]) -> None:
    ledger.add("cup", games[:2])
    before = ledger.record(games[0].result.id)
    other = GameDone(games[0].planned, "job", games[0].result, pack({"another": "record"}))
    assert ledger.add("cup", [other, *games[:3], games[2]]) == 1
    assert ledger.record(games[0].result.id) == before and len(ledger.ids("cup")) == 3


def test_a_batch_is_kept_whole_or_not_at_all(ledger: Ledger, games: list[GameDone]) -> None:
    with sqlite3.connect(ledger.path) as db:
        db.execute(
            f"CREATE TRIGGER full BEFORE INSERT ON records WHEN NEW.game = '{games[3].result.id}' "
            "BEGIN SELECT RAISE(ABORT, 'no space'); END"
        )
    with pytest.raises(StorageError, match="no space"):
        ledger.add("cup", games)
    assert ledger.ids("cup") == set()
    with sqlite3.connect(ledger.path) as db:
        assert db.execute("SELECT count(*) FROM seats").fetchone() == (0,)


def test_what_is_kept_is_on_the_disk(ledger: Ledger) -> None:
    with ledger._begin() as db:
        assert db.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2
        assert db.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"


def test_a_ledger_of_another_version_is_refused_and_left_alone(ledger: Ledger) -> None:
    with sqlite3.connect(ledger.path) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(StorageError, match="version 99"):
        Ledger(ledger.path)


@pytest.mark.parametrize("content", [b"", b"no database at all" * 100])
def test_a_file_that_is_no_ledger_is_refused_or_begun(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(content)
    if content:
        with pytest.raises(StorageError, match="not a database"):
            Ledger(path)
        assert path.read_bytes() == content
    else:
        assert Ledger(path).names() == []


def test_an_id_prefix_must_mean_one_game(ledger: Ledger, games: list[GameDone]) -> None:
    ledger.add("cup", games)
    for prefix in ("g", "nothing", "%", "_"):
        with pytest.raises(InputError):
            ledger.record(prefix)


def test_an_unknown_tournament_is_named_with_the_nearest(ledger: Ledger) -> None:
    with pytest.raises(InputError) as error:
        ledger.tournament("cop")
    assert "cup" in error.value.fix


def test_the_later_of_two_versions_answers_to_the_name(ledger: Ledger) -> None:
    first, second = BotId("ann", "1" * 40), BotId("ann", "2" * 40)
    for bot in (first, second, first):
        ledger.add_bot(bot, {"name": "ann"}, listed=True)
    assert [known.id for known in ledger.bots("ann")] == [first, second]
    assert ledger.unlist_bot("ann") == 2 and ledger.bots("ann") == []
    assert len(ledger.bots("ann", listed=False)) == 2, "games that they played can still name them"


def test_one_process_at_a_time_holds_a_tournament(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with home.lock("cup") as folder:
        assert not folder.exists()
        folder.mkdir()
        with pytest.raises(Busy), home.lock("cup"):
            pass
        with home.lock("another"):
            pass
        assert folder.is_dir(), "who was refused has not touched it"
    assert not folder.exists()
    with home.lock("cup"):
        pass
