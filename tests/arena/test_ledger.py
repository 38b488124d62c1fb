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

from arena import database
from arena.errors import Busy, InputError, StorageError
from arena.home import Home
from arena.ledger import Ledger
from arena.verification import Tally, verify_ledger
from protocol.record import pack, unpack
from protocol.vocabulary import BotId
from referee.jobs import GameDone
from tests.arena.made import job_for, keep, played
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
    assert dead.keep(games) == [] and run.keep(games) == []
    with pytest.raises(Busy, match="taken up by another"):
        dead.lease([games[1].planned])
    run.lease(done.planned for done in games)
    assert dead.keep(games) == [], "the same attempt of another run"
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
    with sqlite3.connect(ledger.path) as db:
        db.execute(
            f"CREATE TRIGGER full BEFORE INSERT ON records WHEN NEW.game = '{games[3].result.id}' "
            "BEGIN SELECT RAISE(ABORT, 'no space'); END"
        )
    run = ledger.take_up("cup")
    run.lease(done.planned for done in games)
    with pytest.raises(StorageError, match="no space"):
        run.keep(games)
    assert ledger.ids("cup") == set()
    with sqlite3.connect(ledger.path) as db:
        assert db.execute("SELECT count(*) FROM seats").fetchone() == (0,)
        db.execute("DROP TRIGGER full")
    assert run.keep(games) == games, "the leases are as they were"


def test_what_is_kept_is_on_the_disk(ledger: Ledger) -> None:
    with ledger._database.writing() as db:
        assert db.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2
        assert db.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"


def test_who_writes_has_the_lock_before_it_reads(ledger: Ledger) -> None:
    with (
        ledger._database.writing(),
        closing(sqlite3.connect(ledger.path, timeout=0)) as other,
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        other.execute("BEGIN IMMEDIATE")


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


def test_a_ledger_is_made_when_something_is_first_written(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with closing(Ledger(path)) as reader, closing(Ledger(path)) as writer:
        assert reader.names() == [] and reader.bots() == []
        assert list(tmp_path.iterdir()) == []
        writer.begin("cup", "seed", {}, bot_ids(2))
        assert reader.names() == ["cup"], "whoever has it open sees what others make"


def test_a_ledger_with_a_bad_page_is_found_before_anything_is_played(
    ledger: Ledger, games: list[GameDone]
) -> None:
    keep(ledger, "cup", games)
    ledger.check()
    ledger.close()
    pages = ledger.path.read_bytes()
    ledger.path.write_bytes(pages[: 3 * 4096] + bytes(1000) + pages[3 * 4096 + 1000 :])
    with closing(Ledger(ledger.path)) as damaged, pytest.raises(StorageError) as error:
        damaged.check()
    assert error.value.code == "E409" and "copy" in error.value.fix


def test_a_ledger_of_version_1_is_brought_up_with_its_chain(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(Path(__file__).with_name("ledger-1.sql").read_text())
        cup = "SELECT id FROM games WHERE tournament = 'cup' ORDER BY id"
        ids = [id for (id,) in db.execute(cup)]
        db.execute("UPDATE games SET finished = '2020-01-01T00:00:00+00:00' WHERE id = ?", (ids[-1],))
        db.commit()
    with closing(Ledger(path)) as ledger:
        assert [link.game for link in ledger.links("cup")] == [ids[-1], *ids[:-1]]
        head = ledger.head("cup")
        for name in ("cup", "half"):
            found = verify_ledger(ledger, ledger.tournament(name), Tally())
            assert [flaw for flaw in found if flaw.place.where in ("chain", "database")] == []
        assert ledger.take_up("half").keep([]) == []
    with closing(Ledger(path)) as again:
        assert again.head("cup") == head


def test_a_ledger_that_cannot_be_brought_up_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "ledger.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(Path(__file__).with_name("ledger-1.sql").read_text())
        before = list(db.iterdump())
    with pytest.MonkeyPatch.context() as patch, pytest.raises(StorageError, match="no space"):
        patch.setattr(database, "_link_all", failing)
        Ledger(path)
    with closing(sqlite3.connect(path)) as db:
        assert list(db.iterdump()) == before
        assert db.execute("PRAGMA user_version").fetchone() == (1,)


def failing(*_: object) -> None:
    raise StorageError("no space")


def test_an_id_prefix_must_mean_one_game(ledger: Ledger, games: list[GameDone]) -> None:
    keep(ledger, "cup", games)
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
