"""The machine fails: the run stops with a clear word, keeps what it had, and goes on later."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.config import parse
from arena.errors import StorageError
from arena.executors import ATTEMPTS, local
from arena.home import Home
from arena.ledger import Ledger
from arena.runs import Run
from protocol.result import GameResult
from protocol.vocabulary import Verdict
from referee.jobs import Job

FIELDS: dict[str, Any] = {
    "name": "cup",
    "bots": ["random", "greedy"],
    "variants": ["claim"],
    "deals": 30,
    "seed": "s",
}


def results_in(home: Home) -> list[GameResult]:
    with closing(Ledger(home.ledger)) as ledger:
        return list(ledger.results("cup"))


def test_a_worker_without_a_place_for_its_bots_stops_the_run(
    home: Home, short: Path, monkeypatch: pytest.MonkeyPatch, nothing_left: Callable[[], list[str]]
) -> None:
    real = local.LocalExecutor.run

    def without_folder(self: local.LocalExecutor, jobs: Any, **more: Any) -> Any:
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder.write_text("in the way")
        return real(self, jobs, **more)

    monkeypatch.setattr(local.LocalExecutor, "run", without_folder)
    with pytest.raises(StorageError, match="cannot go on"):
        arena.run(parse(FIELDS, "test"), home)
    for file in short.glob("kingmaker-*"):
        file.unlink()
    assert nothing_left() == []
    monkeypatch.undo()
    assert arena.run(parse(FIELDS, "test"), home).games == 60


@pytest.mark.parametrize("at", [1, pytest.param(2, marks=pytest.mark.long), 5])
def test_a_ledger_that_fails_stops_the_run_and_what_was_told_is_kept(
    at: int, home: Home, monkeypatch: pytest.MonkeyPatch, nothing_left: Callable[[], list[str]]
) -> None:
    real = Run.keep
    calls: list[int] = []
    told: list[Any] = []

    def failing(self: Run, games: Any) -> Any:
        calls.append(1)
        if len(calls) == at:
            raise StorageError("the disk is full")
        return real(self, games)

    monkeypatch.setattr(Run, "keep", failing)
    with pytest.raises(StorageError):
        arena.run(parse(FIELDS, "test"), home, listen=told.append)
    kept = max((event.kept for event in told if hasattr(event, "results")), default=0)
    assert len(Ledger(home.ledger).ids("cup")) == kept
    assert nothing_left() == []
    assert arena.run(parse(FIELDS, "test"), home).games == 60


def test_our_own_mistake_voids_the_game_and_is_no_fault_of_a_bot(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken: list[Job] = []

    def seed_less(worker: Any, message: Any) -> None:
        if isinstance(message, Job):
            games = tuple(replace(game, seed="", literal=("no", "cards")) for game in message.games)
            message = replace(message, games=games)
            broken.append(message)
        tell(worker, message)

    tell = local._tell
    monkeypatch.setattr(local, "_tell", seed_less)
    arena.run(parse(FIELDS | {"deals": 1}, "test"), home)
    results = results_in(home)
    assert len(broken) == 2 * ATTEMPTS, "each was tried again, alone"
    assert [result.verdict for result in results] == [Verdict.VOID] * 2
    assert not [seat.fault for result in results for seat in result.seats if seat.fault]


def test_workers_that_cannot_even_start_stop_the_run(
    home: Home, monkeypatch: pytest.MonkeyPatch, nothing_left: Callable[[], list[str]]
) -> None:
    real = local.LocalExecutor._start

    def stillborn(self: local.LocalExecutor) -> None:
        real(self)
        self._workers[-1].process.kill()

    monkeypatch.setattr(local.LocalExecutor, "_start", stillborn)
    with pytest.raises(StorageError, match="before their first word"):
        arena.run(parse(FIELDS, "test"), home)
    assert nothing_left() == []


def test_a_damaged_record_is_told_and_no_traceback(home: Home) -> None:
    arena.run(parse(FIELDS | {"deals": 1}, "test"), home)
    with sqlite3.connect(home.path / "ledger.sqlite") as db:
        db.execute("UPDATE records SET record = x'00'")
    with closing(Ledger(home.ledger)) as ledger, pytest.raises(StorageError, match="is damaged"):
        ledger.record(next(iter(ledger.ids("cup"))))


@pytest.mark.parametrize("deals", [1, pytest.param(2, marks=pytest.mark.long)])
def test_both_transports_play_the_same_games(deals: int, home: Home, short: Path) -> None:
    fields = FIELDS | {
        "variants": ["claim", "claim/3p/NA-UWXTS"],
        "bots": ["random", "greedy", "heuristic"],
        "deals": deals,
    }
    arena.run(parse(fields, "test"), home)
    arena.run(parse(fields, "test"), other := Home(short / "other"), transport="libzmq")
    ours, theirs = results_in(home), results_in(other)
    assert ours == theirs and len(ours) == deals * (6 + 3)
