"""What a ledger asks of a server, and what it does when that is refused or the server is gone."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from arena import postgres as backend
from arena.errors import InputError, StorageError
from arena.ledger import Ledger
from arena.place import Server, place_of
from arena.runs import last_link
from arena.tables import TOURNAMENTS
from protocol.vocabulary import BotId
from tests.arena.filled import ANN, BOB, done
from tests.arena.made import job_for, keep, played
from tests.postgres.server import PASSWORD, USER, PostgresServer
from tests.referee.driving import bot_ids, planned

pytestmark = pytest.mark.postgres


@pytest.fixture
def database(postgres: PostgresServer, request: pytest.FixtureRequest) -> str:
    name = f"d{abs(hash(request.node.name))}"
    postgres.make(name)
    return name


@pytest.fixture
def ledger(postgres: PostgresServer, database: str) -> Iterator[Ledger]:
    with closing(Ledger(place_of(postgres.address(database)))) as ledger:
        ledger.begin("cup", "seed", {}, bot_ids(2))
        yield ledger


def test_what_is_told_is_on_the_disk_whatever_a_database_says(
    postgres: PostgresServer, database: str
) -> None:
    with postgres.asking(database) as db:
        db.execute(f'ALTER DATABASE "{database}" SET synchronous_commit = off'.encode())
    with closing(Ledger(place_of(postgres.address(database)))) as ledger, ledger._database.writing() as db:
        assert db.exec_driver_sql("SHOW synchronous_commit").scalar_one() == "on"


def test_who_reads_sees_one_state_and_writes_nothing(ledger: Ledger) -> None:
    with ledger._database.reading() as db:
        before = db.exec_driver_sql("SELECT count(*) FROM tournaments").scalar_one()
        ledger.begin("second", "seed", {}, [])
        assert db.exec_driver_sql("SELECT count(*) FROM tournaments").scalar_one() == before == 1
    with pytest.raises(StorageError, match="read-only"), ledger._database.reading() as db:
        db.exec_driver_sql("DELETE FROM tournaments")


def test_who_writes_is_waited_for_and_then_seen(ledger: Ledger) -> None:
    seen: list[int] = []

    def second() -> None:
        with ledger._database.writing() as db:
            seen.append(db.exec_driver_sql("SELECT count(*) FROM tournaments").scalar_one())

    thread = threading.Thread(target=second)
    with ledger._database.writing() as db:
        thread.start()
        thread.join(0.3)
        assert thread.is_alive() and seen == []
        db.exec_driver_sql("INSERT INTO tournaments VALUES ('b', 's', '{}', '[]', '[]', '2026')")
    thread.join()
    assert seen == [2]


def test_one_that_writes_for_ever_keeps_others_waiting_only_so_long(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(backend.SETTINGS, "lock_timeout", "100ms")
    with ledger._database.writing(), closing(Ledger(ledger.place)) as other:
        with pytest.raises(StorageError, match="lock timeout") as error:
            other.begin("second", "seed", {}, [])
        assert error.value.code == "E404" and "pg_locks" in error.value.fix


def test_who_sleeps_in_the_middle_of_a_batch_keeps_nobody_away(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(backend.SETTINGS, "lock_timeout", "500ms")
    monkeypatch.setattr(backend, "IDLE", "200ms")
    with closing(Ledger(ledger.place)) as other:
        with pytest.raises(StorageError) as error, ledger._database.writing() as db:
            driver = db.connection.driver_connection
            assert driver
            with driver.pipeline():  # as executemany() sends rows
                assert driver.execute("SELECT 1").fetchone() == (1,)
                other.begin("second", "seed", {}, [])
                driver.execute("SELECT 2")
        assert error.value.code == "E411"
        assert other.find("second")


def end_sessions(postgres: PostgresServer, database: str) -> None:
    end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kingmaker' AND datname = %s"
    with postgres.asking() as db:
        db.execute(end.encode(), [database])


@pytest.mark.parametrize("when", ["between two commits", "in a transaction"])
def test_a_session_that_is_ended_keeps_nothing_half(
    ledger: Ledger, postgres: PostgresServer, database: str, when: str
) -> None:
    plans = tuple(planned(number) for number in range(2))
    games = [played(job_for("claim", bot_ids(2), plans), plan) for plan in plans]
    run, seen = ledger.take_up("cup"), []
    run.lease(plans)

    def ended(db: sa.Connection, tournament: str) -> tuple[int, str]:
        end_sessions(postgres, database)
        seen.append(tournament)
        return last_link(db, tournament)

    with pytest.MonkeyPatch.context() as patch, pytest.raises(StorageError) as error:
        if when == "in a transaction":
            patch.setattr("arena.runs.last_link", ended)
        else:
            end_sessions(postgres, database)
        run.keep(games)
    assert error.value.code == "E411" and "it goes on" in error.value.fix
    assert seen == (["cup"] if when == "in a transaction" else [])
    assert ledger.ids("cup") == set(), "nothing is kept, and the next session is a new one"
    assert run.keep(games) == games, "the leases are as they were"


@pytest.mark.parametrize("kind", ["reading", "writing"])
def test_a_session_that_is_lost_in_a_transaction_is_said_so_each_time_it_is_asked(
    ledger: Ledger, postgres: PostgresServer, database: str, kind: str
) -> None:
    with (
        pytest.raises(StorageError, match="session was lost") as error,
        getattr(ledger._database, kind)() as db,
    ):
        rows = db.execute(TOURNAMENTS.select().execution_options(yield_per=1))
        end_sessions(postgres, database)
        with pytest.raises(sa.exc.OperationalError):
            db.execute(TOURNAMENTS.select())
        db.execute(TOURNAMENTS.select())
    assert error.value.code == "E411"
    assert ledger.names() == ["cup"]
    del rows  # closed by now: a warning is an error


@pytest.mark.parametrize("kind", ["reading", "writing"])
def test_an_interrupt_in_a_statement_stays_one(ledger: Ledger, kind: str) -> None:
    interrupt = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt), getattr(ledger._database, kind)() as db:
        interrupt.start()
        db.exec_driver_sql("SELECT pg_sleep(30)")
    interrupt.join()
    assert ledger.names() == ["cup"]


def test_a_role_that_only_reads(ledger: Ledger, postgres: PostgresServer, database: str) -> None:
    keep(ledger, "cup", [played(job_for("claim", bot_ids(2), (planned(),)), planned())])
    with postgres.asking(database) as db:
        db.execute(f'CREATE ROLE "r{database}" LOGIN'.encode())
        db.execute(f'GRANT SELECT ON ALL TABLES IN SCHEMA public TO "r{database}"'.encode())
    with closing(Ledger(place_of(postgres.address(database, f"r{database}")))) as reader:
        assert reader.names() == ["cup"] and len(reader.ids("cup")) == 1
        with pytest.raises(StorageError, match="permission denied") as error:
            reader.begin("second", "seed", {}, [])
        assert error.value.code == "E404" and "may only read" in error.value.fix


def test_a_role_that_may_make_nothing_is_said_so(postgres: PostgresServer, database: str) -> None:
    with postgres.asking(database) as db:
        db.execute(f'CREATE ROLE "n{database}" LOGIN'.encode())
    with closing(Ledger(place_of(postgres.address(database, f"n{database}")))) as ledger:
        assert ledger.names() == []
        with pytest.raises(StorageError, match="permission denied for schema"):
            ledger.begin("cup", "seed", {}, [])


@pytest.mark.parametrize(
    ("statement", "code"),
    [
        ("UPDATE kingmaker_version SET version_num = 'abc'", "E409"),
        ("DELETE FROM kingmaker_version", "E409"),
        ("UPDATE tournaments SET bots = '[[1]]'", "E409"),
        ("UPDATE tournaments SET bots = '1'", "E409"),
        ("UPDATE kingmaker_version SET version_num = '99'", "E403"),
    ],
    ids=["abc", "none", "half a bot", "no list", "newer"],
)
def test_tables_that_somebody_has_changed_are_said_so(ledger: Ledger, statement: str, code: str) -> None:
    with ledger._database.writing() as db:
        db.exec_driver_sql(statement)
    with pytest.raises(StorageError) as error, closing(Ledger(ledger.place)) as again:
        again.find("cup")
    assert error.value.code == code
    assert ("--ledger" in error.value.fix) == (code == "E403") and "--home" not in error.value.fix


def test_a_schema_that_is_not_there_is_said_so(postgres: PostgresServer, database: str) -> None:
    place = place_of(postgres.address(database, more="&options=-csearch_path%3Dnosuch"))
    with pytest.raises(StorageError, match="no such schema") as error:
        Ledger(place)
    assert error.value.code == "E404" and "CREATE SCHEMA" in error.value.fix
    with pytest.raises(StorageError, match="no such schema"), backend.holding(place, "cup"):  # type: ignore[arg-type]
        pass


def test_a_statement_that_somebody_ends_is_no_server_that_is_gone(ledger: Ledger) -> None:
    with pytest.raises(StorageError, match="statement timeout") as error, ledger._database.reading() as db:
        db.exec_driver_sql("SET LOCAL statement_timeout = 50")
        db.exec_driver_sql("SELECT pg_sleep(5)")
    assert error.value.code == "E404"


@pytest.mark.parametrize(
    ("database", "user", "said"),
    [("nosuch", USER, "createdb"), ("postgres", "nobody", "createuser")],
    ids=["database", "role"],
)
def test_what_to_make_is_said_where_it_is_not_there(
    postgres: PostgresServer, database: str, user: str, said: str
) -> None:
    with pytest.raises(StorageError, match="does not exist") as error:
        Ledger(place_of(postgres.address(database, user)))
    assert error.value.code == "E411" and said in error.value.fix


def test_many_tournaments_are_asked_for_at_once_and_by_any_name(ledger: Ledger) -> None:
    assert isinstance(ledger.place, Server)
    names = ["cup", "second", "\udcff", "\ud800"]
    with backend.holding(ledger.place, "second"), ledger.asking() as db:
        assert backend.held(db, names) == {"second"} and backend.is_any_held(db)
    with ledger.asking() as db:
        assert backend.held(db, names) == set() and not backend.is_any_held(db)


def test_a_wrong_password_is_not_repeated(postgres: PostgresServer) -> None:
    with pytest.raises(StorageError, match="password authentication failed") as error:
        Ledger(place_of(postgres.at_port("postgres", USER, "Wr0ng")))
    assert error.value.code == "E411" and "Wr0ng" not in f"{error.value} {error.value.fix}"
    assert "the user and the password" in error.value.fix


def test_passwords_and_services_come_from_where_libpq_has_them(
    postgres: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = postgres.at_port("postgres").replace(f":{PASSWORD}", "")
    secret, service = tmp_path / "pgpass", tmp_path / "service"
    secret.write_text(f"127.0.0.1:*:*:{USER}:{PASSWORD}\n")
    secret.chmod(0o600)
    service.write_text(f"[cups]\nhost=127.0.0.1\nport={postgres.port}\nuser={USER}\ndbname=postgres\n")
    with monkeypatch.context() as patch:
        patch.setenv("PGPASSWORD", PASSWORD)
        Ledger(place_of(address)).close()
    monkeypatch.setenv("PGPASSFILE", str(secret))
    Ledger(place_of(address)).close()
    monkeypatch.setenv("PGSERVICEFILE", str(service))
    Ledger(place_of("postgresql://?service=cups")).close()


def test_texts_are_ordered_by_their_bytes_whatever_a_database_says(postgres: PostgresServer) -> None:
    with postgres.asking() as db:
        db.execute(b"CREATE DATABASE words TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'")
    names = ["b", "B", "a-b", "a_b", "a.b", "ab", "A", "Z"]
    with closing(Ledger(place_of(postgres.address("words")))) as ledger:
        for name in names:
            ledger.add_bot(BotId(name, "0" * 40), {"name": name}, listed=True)
        assert [known.id.name for known in ledger.bots()] == sorted(names)


def test_a_database_that_has_not_every_letter_is_refused(postgres: PostgresServer) -> None:
    with postgres.asking() as db:
        db.execute(b"CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
    with closing(Ledger(place_of(postgres.address("latin")))) as ledger:
        with pytest.raises(StorageError, match="LATIN1") as error:
            ledger.begin("cup", "seed", {}, [])
        assert "--encoding UTF8" in error.value.fix and ledger.names() == []


def test_scores_may_have_64_bits_and_json_any_text(ledger: Ledger) -> None:
    game = done("claim", (ANN, BOB), planned(), False)
    ann, bob = game.result.seats
    high = replace(game, result=replace(game.result, seats=(replace(ann, score=2**40), bob)))
    assert keep(ledger, "cup", [high]) == [high]
    assert ledger.results("cup")[0].seats[0].score == 2**40
    odd = {"name": "x", "authors": ["\0", "\ud800", "é"]}
    ledger.add_bot(ANN, odd, listed=True)
    assert ledger.bots("ann")[0].manifest == odd


@pytest.mark.parametrize("name", ["\0", "a\0", "\udc80"])
def test_a_text_that_no_row_can_have_is_in_none(ledger: Ledger, name: str) -> None:
    assert ledger.find(name) is None and ledger.bots(name) == []
    for look in (ledger.tournament, ledger.record):
        with pytest.raises(InputError):
            look(name)


def test_tables_of_somebody_else_are_left_alone(postgres: PostgresServer, database: str) -> None:
    with postgres.asking(database) as db:
        db.execute(b"CREATE TABLE games (mine int)")
    with closing(Ledger(place_of(postgres.address(database)))) as ledger:
        with pytest.raises(StorageError, match='"games" already exists'):
            ledger.begin("cup", "seed", {}, [])
        with postgres.asking(database) as db:
            assert db.execute(b"SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (
                1,
            )
