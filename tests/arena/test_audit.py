"""What was compared of games that two workers were to play, and what a difference is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from arena.executors.audit import Audit, Play, Settled, Trial
from arena.executors.orders import Came
from protocol.vocabulary import VoidReason
from referee import score
from referee.jobs import GameDone, Job, PlannedGame
from tests.arena.made import played
from tests.arena.test_clusters import jobs
from tests.referee.driving import bot_ids

Way = Callable[[Job, PlannedGame], GameDone]
JOBS = tuple(jobs(bots=2, deals=1))


def fine(job: Job, game: PlannedGame) -> GameDone:
    return played(job, game)


def faulty(job: Job, game: PlannedGame) -> GameDone:
    def nonsense(message: dict[str, Any]) -> str:
        return "nonsense"

    return played(job, game, seat0=nonsense)


def void(job: Job, game: PlannedGame) -> GameDone:
    return score.void(job, game, VoidReason.HOST_LAG, "")


def other(job: Job, game: PlannedGame) -> GameDone:
    """What a broken machine makes of it."""
    return played(
        job, game, seat0=lambda message: str(message["legal"][-1]) if message["type"] == "turn" else ""
    )


def play(worker: str, way: Way | None, many: int = 2) -> Play:
    games = [replace(way(job, game), job=job.id) for job in JOBS for game in job.games] if way else []
    return Play(worker, f"host of {worker}", Came(tuple(games[:many]), 1.0))


def begun(first: Way = fine) -> tuple[Audit, Trial | None]:
    audit = Audit(1.0, bot_ids(2))
    return audit, audit.trial(JOBS, play("a", first))


def said(audit: Audit, settled: Settled) -> str:
    return " | ".join([*audit.note(settled), str(audit)])


def test_nobody_else_has_played_them() -> None:
    audit, trial = begun()
    assert trial
    settled = trial.undecided()
    assert len(settled.keep) == 2
    assert said(audit, settled).startswith("0 games played twice, 0 of them differently; 2 could not be")


@pytest.mark.parametrize(("way", "many", "alone"), [(void, 2, 2), (None, 0, 2), (fine, 1, 1), (fine, 2, 0)])
def test_what_the_second_did_not_play_was_not_compared(way: Way | None, many: int, alone: int) -> None:
    audit, trial = begun()
    assert trial
    settled = trial.take(play("b", way, many))
    assert len(settled.keep) == 2 and not trial.jobs
    text = said(audit, settled)
    assert text.startswith(f"{2 - alone} games played twice, 0 of them differently")
    assert (f"{alone} could not be" in text) == bool(alone)


def test_a_fault_on_one_side_alone_is_a_difference_and_a_third_decides() -> None:
    audit, trial = begun()
    assert trial
    assert not trial.take(play("b", faulty)).keep and len(trial.jobs) == 2
    settled = trial.take(play("c", fine))
    assert [one.worker for one, _ in settled.keep] == ["a", "a"] and {
        worker for worker, _ in settled.odd
    } == {"b"}
    text = said(audit, settled)
    assert text.count("was played differently") == 2 and text.endswith("2 of them differently")
    assert all(one.bot == JOBS[n].seating[0].bot for n, one in enumerate(settled.findings)), (
        "whose fault it was"
    )


def test_a_fault_that_came_first_counts_and_is_not_audited() -> None:
    assert begun(faulty)[1] is None


def test_where_two_differ_and_there_is_no_third_it_is_the_bot_or_one_of_them() -> None:
    audit, trial = begun()
    assert trial
    trial.take(play("b", other))
    text = said(audit, trial.undecided())
    assert (
        "or one of the two workers is broken" in text and "not deterministic, or a worker is broken" in text
    )
    assert "2 of those once more; not deterministic: bot0 (or a worker)" in text


@pytest.mark.parametrize(("way", "many"), [(void, 2), (None, 0)], ids=["void", "not begun"])
def test_a_third_that_has_nothing_to_say_accuses_nobody(way: Way | None, many: int) -> None:
    audit, trial = begun()
    assert trial
    trial.take(play("b", other))
    settled = trial.take(play("c", way, many))
    assert not settled.keep and sum(len(job.games) for job in settled.again) == 2
    assert "not deterministic, or a worker is broken" in said(audit, settled)


def test_what_a_worker_played_that_is_refused_by_now_proves_nothing() -> None:
    _, trial = begun(other)
    assert trial
    trial.take(play("b", fine))
    trial.forget("a")
    settled = trial.take(play("c", fine))
    assert [one.worker for one, _ in settled.keep] == ["b", "b"] and not (settled.odd or settled.undecided)
    assert not trial.jobs


@pytest.mark.parametrize("many", [2, 1], ids=["all", "half"])
def test_a_trial_of_which_nothing_is_left_begins_once_more(many: int) -> None:
    audit, trial = begun(other)
    assert trial
    trial.forget("a")
    settled = trial.take(play("b", fine, many))
    assert not settled.keep and [len(job.games) for job in settled.again] == [1] * (2 - many)
    settled = trial.take(play("c", fine))
    assert len(settled.keep) == many and not trial.jobs
    assert said(audit, settled).startswith("2 games")


def test_nobody_is_left_who_could_begin_it_once_more() -> None:
    _, trial = begun(other)
    assert trial
    trial.forget("a")
    settled = trial.undecided()
    assert not settled.keep and sum(len(job.games) for job in settled.again) == 2
