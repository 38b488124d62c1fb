"""The ledger: whole or not at all, once, and never changed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from arena.database import backend_of
from arena.errors import Busy, InputError, StorageError
from arena.home import Home
from arena.ledger import Ledger
from arena.place import Place
from arena.tables import A_PART
from arena.tables import GAMES as TABLE
from protocol.record import pack, unpack
from protocol.vocabulary import BotId
from referee.jobs import GameDone
from tests.arena.made import job_for, keep, played
from tests.referee.driving import bot_ids, planned

GAMES = 4


@pytest.fixture
def ledger(place: Place) -> Iterator[Ledger]:
    """In each kind of database."""
    yield from begun(place)


@pytest.fixture
def filed(tmp_path: Path) -> Iterator[Ledger]:
    """In a file, into which a test looks."""
    yield from begun(tmp_path / "ledger.sqlite")


def begun(place: Place) -> Iterator[Ledger]:
    with closing(Ledger(place)) as ledger:
        ledger.begin("cup", "seed", {}, bot_ids(2))
        yield ledger


def file(ledger: Ledger) -> Path:
    assert isinstance(ledger.place, Path)
    return ledger.place


@pytest.fixture(scope="module")
def games() -> list[GameDone]:
    plans = tuple(planned(number, f"deal {number}") for number in range(GAMES))
    job = job_for("claim", bot_ids(2), plans)
    return [played(job, plan) for plan in plans]


def test_what_was_added_is_there_with_its_record(ledger: Ledger, games: list[GameDone]) -> None:
    assert keep(ledger, "cup", games) == games
    assert ledger.results("cup") == sorted((done.result for done in games), key=lambda result: result.id)
    for done in games:
        assert done.result.id.encode() in ledger.record(done.result.id)
    assert len(list(ledger.records("cup"))) == GAMES


def test_a_result_that_comes_again_is_stale_and_differing_content_is_told(
    ledger: Ledger, games: list[GameDone], caplog: pytest.LogCaptureFixture
) -> None:
    run = ledger.take_up("cup")
    run.lease(done.planned for done in games[:3])
    assert run.keep(games[:2]) == games[:2]
    before, head = ledger.record(games[0].result.id), ledger.head("cup")
    other = replace(games[0], record=pack({"another": "record"}))
    assert run.keep([other, games[1]]) == [] and ledger.head("cup") == head
    assert run.keep([games[2], games[2]]) == [games[2]]
    assert ledger.record(games[0].result.id) == before and len(ledger.ids("cup")) == 3
    told = [record.getMessage().rpartition(": ")[2] for record in caplog.records]
    assert told == ["it is kept, with another record", "it is kept", "it is kept"]


def test_a_result_without_a_lease_is_stale(ledger: Ledger, games: list[GameDone]) -> None:
    run = ledger.take_up("cup")
    run.lease([games[0].planned])
    assert run.keep(games) == games[:1] and ledger.ids("cup") == {games[0].result.id}


def test_a_late_result_of_a_worker_that_was_given_up_is_stale(
    ledger: Ledger, games: list[GameDone], caplog: pytest.LogCaptureFixture
) -> None:
    run, late = ledger.take_up("cup"), games[0]
    again = replace(late, planned=replace(late.planned, attempt=2))
    run.lease([late.planned])
    run.lease([again.planned])
    assert run.keep([late]) == [] and ledger.ids("cup") == set()
    assert "attempt 1) changes nothing: it is to be played again" in caplog.text
    assert run.keep([again, late]) == [again], "the later attempt is kept, whatever else comes"


def test_what_a_dead_run_handed_out_returns_and_its_results_are_stale(
    ledger: Ledger, games: list[GameDone]
) -> None:
    dead = ledger.take_up("cup")
    dead.lease(done.planned for done in games)
    dead.keep(games[:1])
    run = ledger.take_up("cup")
    for late in (lambda: dead.keep(games), lambda: dead.lease([games[1].planned])):
        with pytest.raises(Busy, match="taken up by another"):
            late()
    assert run.keep(games) == [], "nothing is handed out yet"
    run.lease(done.planned for done in games)
    with pytest.raises(Busy):  # the same attempt of another run
        dead.keep(games)
    assert run.keep(games) == games[1:], "a game that is kept gets no lease"
    assert len(ledger.ids("cup")) == GAMES


def test_a_tournament_that_grows_or_goes_on_keeps_its_runs_apart(
    ledger: Ledger, games: list[GameDone]
) -> None:
    first = ledger.take_up("cup")
    ledger.begin("cup", "seed", {"deals": 7}, bot_ids(2))
    first.lease([games[0].planned])
    assert ledger.take_up("cup").keep(games[:1]) == []


def test_the_chain_goes_on_in_the_order_of_keeping(ledger: Ledger, games: list[GameDone]) -> None:
    assert ledger.head("cup") == ""
    heads = [""]
    for done in reversed(games):
        keep(ledger, "cup", [done])
        heads.append(ledger.head("cup"))
    links = list(ledger.links("cup"))
    assert [link.game for link in links] == [done.result.id for done in reversed(games)]
    for number, link in enumerate(links, 1):
        assert link.number == number and link.record is not None and link.finished is not None
        body = [
            link.game, link.finished,
            sha256(unpack(link.record)).hexdigest(), sha256(link.record).hexdigest(),
        ]  # fmt: skip
        text = json.dumps(body, separators=(",", ":"))
        assert link.link == heads[number] == sha256(heads[number - 1].encode() + text.encode()).hexdigest()


def test_a_batch_is_kept_whole_or_not_at_all(ledger: Ledger, games: list[GameDone]) -> None:
    with ledger._database.writing() as db:
        for statement in FULL[db.dialect.name]:
            db.exec_driver_sql(statement)
    run = ledger.take_up("cup")
    run.lease(done.planned for done in games)
    with pytest.raises(StorageError, match="no space"):
        run.keep(games)
    assert ledger.ids("cup") == set()
    with ledger._database.writing() as db:
        assert db.exec_driver_sql("SELECT count(*) FROM seats").scalar_one() == 0
        db.exec_driver_sql("DROP TRIGGER full_disk" + " ON records" * (db.dialect.name == "postgresql"))
    assert run.keep(games) == games, "the leases are as they were"


FULL = {
    "sqlite": [
        "CREATE TRIGGER full_disk BEFORE INSERT ON records WHEN NEW.game = 4 "
        "BEGIN SELECT RAISE(ABORT, 'no space'); END"
    ],
    "postgresql": [
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = '53100'; END $$",
        "CREATE TRIGGER full_disk BEFORE INSERT ON records FOR EACH ROW WHEN (NEW.game = 4) "
        "EXECUTE FUNCTION full_disk()",
    ],
}


def test_what_is_kept_is_on_the_disk(filed: Ledger) -> None:
    with filed._database.writing() as db:
        assert db.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2
        assert db.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"


def test_who_writes_has_the_lock_before_it_reads(filed: Ledger) -> None:
    with (
        filed._database.writing(),
        closing(sqlite3.connect(file(filed), timeout=0)) as other,
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        other.execute("BEGIN IMMEDIATE")


def test_a_ledger_of_a_newer_version_is_refused_and_left_alone(ledger: Ledger) -> None:
    with ledger._database.writing() as db:
        db.exec_driver_sql("UPDATE kingmaker_version SET version_num = '99'")
        if db.dialect.name == "sqlite":
            db.exec_driver_sql("PRAGMA user_version = 99")
    ledger.close()
    with pytest.raises(StorageError, match="version 99") as error:
        Ledger(ledger.place)
    assert error.value.code == "E403"


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


def test_a_ledger_is_made_when_something_is_first_written(place: Place, tmp_path: Path) -> None:
    with closing(Ledger(place)) as reader, closing(Ledger(place)) as writer:
        assert reader.names() == [] and reader.bots() == []
        with closing(backend_of(place)) as backend:
            assert list(tmp_path.iterdir()) == [] and not backend.exists()
        writer.begin("cup", "seed", {}, bot_ids(2))
        assert reader.names() == ["cup"], "whoever has it open sees what others make"


def test_a_ledger_with_a_bad_page_is_found_before_anything_is_played(
    filed: Ledger, games: list[GameDone]
) -> None:
    keep(filed, "cup", games)
    filed.check()
    filed.close()
    pages = file(filed).read_bytes()
    file(filed).write_bytes(pages[: 3 * 4096] + bytes(1000) + pages[3 * 4096 + 1000 :])
    with closing(Ledger(file(filed))) as damaged, pytest.raises(StorageError) as error:
        damaged.check()
    assert error.value.code == "E409" and "copy" in error.value.fix


def test_an_id_prefix_must_mean_one_game(ledger: Ledger, games: list[GameDone]) -> None:
    keep(ledger, "cup", games)
    for prefix in ("g", "nothing", "%", "_"):
        with pytest.raises(InputError):
            ledger.record(prefix)


def row(ledger: Ledger, key: int, like: str, **other: str) -> None:
    """Another row of `games`, like that of a game, without a record."""
    with ledger._database.writing() as db:
        found = db.execute(TABLE.select().where(TABLE.c.id == like)).one()._mapping
        db.execute(TABLE.insert(), {**found, "key": key, **other})


def test_a_game_is_found_whenever_it_was_kept(ledger: Ledger, games: list[GameDone]) -> None:
    ids = [done.result.id for done in games]
    keep(ledger, "cup", games[:2])
    row(ledger, 5 * A_PART, ids[0], id="between")
    keep(ledger, "cup", games[2:3])
    row(ledger, 2**40, ids[0], id="long after")
    assert [done.result.id for done in games[:3] if ledger.record(done.result.id)] == ids[:3]
    with pytest.raises(InputError, match="several"):
        ledger.record("g")


def test_a_game_that_stands_there_twice_is_damage(ledger: Ledger, games: list[GameDone]) -> None:
    keep(ledger, "cup", games)
    assert list(ledger.damage()) == []
    row(ledger, 5 * A_PART, games[1].result.id, verdict="void")
    assert list(ledger.damage()) == [f"game {games[1].result.id} is kept 2 times"]


def test_a_result_that_a_changed_row_contradicts_is_damage(ledger: Ledger, games: list[GameDone]) -> None:
    keep(ledger, "cup", games)
    with ledger._database.writing() as db:
        db.execute(TABLE.update().values(deal="another"))
    with pytest.raises(StorageError, match="contradicts itself") as error:
        keep(ledger, "cup", games)
    assert error.value.code == "E409"


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
