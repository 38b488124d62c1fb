"""Units that follow each other on one referee, by a clock that the test sets."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from math import inf
from multiprocessing import Pipe
from pathlib import Path
from queue import SimpleQueue

import pytest

from arena.executors import calibration, seat
from arena.executors.cores import Claim
from arena.executors.orders import Came, Order, Speed, Terms, Trouble, Unit, Word, unpacked
from arena.executors.seat import Seat
from arena.executors.stints import Stint, Stints
from arena.executors.units import later, named
from protocol.vocabulary import VoidReason
from referee import score
from referee.clocks import Limits
from referee.jobs import GameDone, Job
from tests.arena.test_clusters import VARIANT, jobs

TERMS = Terms({}, (), Limits(), "none")


def unit(first: int, deals: int, seconds: float = 100.0) -> Unit:
    """Two jobs, a game each of each deal from the first on."""
    planned = jobs(bots=2, deals=30)
    return Unit(TERMS, tuple(named(job, job.games[first : first + deals]) for job in planned), seconds)


def over(job: Job) -> list[GameDone]:
    return [score.void(job, game, VoidReason.WORKER_LOST, "") for game in job.games]


@dataclass
class Line:
    """Units that have come, and those under way."""

    now: float = 0.0
    waiting: list[Unit] = field(default_factory=list)
    asked: int = 0

    def begun(self, unit: Unit) -> Stint:
        return Stint(unit, unit.jobs, lambda: self.now)

    def follower(self) -> Stint | None:
        self.asked += 1
        return self.begun(self.waiting.pop(0)) if self.waiting else None

    def stints(self, first: Unit) -> Stints:
        return Stints(self.begun(first), self.follower, lambda: self.now)


def test_a_unit_begins_when_the_one_before_has_no_more_jobs_and_no_third_before_the_first_is_over() -> None:
    line, first, second, third = Line(), unit(0, 5), unit(10, 7), unit(20, 9)
    stints = line.stints(first)
    assert [next(stints) for _ in first.jobs] == list(first.jobs) and line.asked == 0
    assert next(stints, None) is None and line.asked == 1, "nobody has come"
    line.waiting += [second, third]
    assert [next(stints) for _ in second.jobs] == list(second.jobs), "it has more after it had none"
    assert next(stints, None) is None and line.waiting == [third]
    stints.take([done for job in first.jobs for done in over(job)])
    assert [stint.jobs for stint, _ in stints.over()] == [first.jobs]
    assert next(stints) == third.jobs[0]


def test_units_are_over_in_the_order_in_which_they_began_and_no_second_counts_twice() -> None:
    first, second = unit(0, 2), unit(10, 1)
    line = Line(waiting=[second])
    stints = line.stints(first)
    assert list(stints) == [*first.jobs, *second.jobs]
    line.now = 4.0
    stints.take([done for job in second.jobs for done in over(job)])
    assert list(stints.over()) == [], "the one before is under way"
    line.now = 5.0
    stints.take([done for job in first.jobs for done in over(job)])
    found = [*stints.over()]
    line.now = 6.0
    found += stints.drained()
    assert [seconds for _, seconds in found] == [5.0, 1.0]
    assert [len(stint.games) for stint, _ in found] == [4, 2], "each has its own games"


def test_the_next_attempt_at_the_same_games_is_another_unit() -> None:
    first = unit(0, 2, seconds=5.0)
    again = replace(unit(0, 2), jobs=later(first.jobs))
    line = Line(waiting=[again])
    stints = line.stints(first)
    assert list(stints) == [*first.jobs, *again.jobs]
    line.now = 6.0
    assert stints.revise(first.jobs[0]) is None and stints.revise(again.jobs[0]) == again.jobs[0]
    stints.take([done for job in first.jobs for done in over(job)])
    assert [stint.jobs for stint, _ in stints.over()] == [first.jobs]
    assert list(stints.over()) == [], "what is over of the attempt before is nothing of this one"
    stints.take([done for job in again.jobs for done in over(job)])
    ((last, _),) = stints.drained()
    assert {done.planned.attempt for done in last.games} == {2}


def test_games_of_two_units_share_the_seconds_in_which_they_came() -> None:
    first, second = unit(0, 3), unit(10, 9)
    line = Line(waiting=[second])
    stints, one, other = line.stints(first), over(first.jobs[0]), over(second.jobs[0])
    assert len(list(stints)) == 4
    for line.now, games in ((1.0, one[:1] + other[:1]), (3.0, one[1:2] + other[1:4]), (4.0, one[2:])):
        stints.take(games)
    hot = [stint.watch.hot[VARIANT] for stint, _ in stints.drained()]
    assert hot == [(2, 0.5 + 1.0), (3, 3 * 0.5)]


def test_nothing_of_a_unit_is_begun_after_its_time_but_what_follows_is() -> None:
    first, second = unit(0, 2, seconds=10.0), unit(10, 4)
    line = Line(waiting=[second])
    stints = line.stints(first)
    held = next(stints)
    assert stints.revise(held) == held
    line.now = 10.0
    late, follows = next(stints), next(stints)
    assert stints.revise(late) is None and stints.revise(follows) == follows
    assert stints.is_late(held) and not stints.is_late(follows)
    stints.take(over(held))
    ((stint, _),) = stints.over()
    assert [done.planned for done in stint.games] == list(held.games), "what was dropped is not waited for"


class Referee:
    """In place of one: it takes all jobs that there are, and plays the first of them."""

    def __init__(self) -> None:
        self.held: list[Job] = []
        self.runs = 0

    def run(self, stints: Stints, revise: object) -> Iterator[list[GameDone]]:
        self.runs += 1
        while more := [*self.held, *_some(stints)]:
            self.held = more[1:]
            yield over(more[0])
        self.held = []

    def recall(self, concerned: object) -> None:
        return


def _some(stints: Stints) -> Iterator[Job]:
    while job := next(stints, None):
        yield job


class Staged(Seat):
    """A seat whose referee and core are the test's, and at whose other end the test is."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ours, self.theirs = Pipe()
        self.orders: SimpleQueue[Order | Trouble] = SimpleQueue()
        (core, *_) = os.sched_getaffinity(0)
        super().__init__(Claim(core, 1, 0, folder), self.theirs, self.orders)
        self.referee = Referee()
        self.timed: list[int] = []
        """Jobs in hand when the core was timed."""
        monkeypatch.setattr(seat, "IDLE", 0.0)
        monkeypatch.setattr(seat, "LocalExecutor", lambda *_, **__: self.referee)
        monkeypatch.setattr(calibration, "computing", self._computing)

    def _computing(self, slices: int) -> Speed:
        self.timed.append(len(self.referee.held))
        return Speed(0.004)

    def said(self) -> Iterator[bytes | Word]:
        """Each word; an empty one says that another unit may come."""
        with closing(self.theirs):
            self.serve()
        with closing(self.ours), suppress(EOFError):
            while True:
                word = self.ours.recv_bytes()
                yield word and unpacked(word)


@pytest.fixture
def staged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Staged:
    monkeypatch.setenv("KINGMAKER_HOME", str(tmp_path / "home"))
    return Staged(tmp_path, monkeypatch)


def kinds(words: Iterator[bytes | Word]) -> list[bytes | int]:
    """Each unit that came by its games, between the words that another may come."""
    return [len(word.games) if isinstance(word, Came) else word for word in words]  # type: ignore[misc]


def test_a_seat_says_once_of_each_unit_that_another_may_come(staged: Staged) -> None:
    staged._due = inf
    staged.orders.put(unit(0, 3))
    staged.orders.put(unit(10, 4))
    assert kinds(staged.said()) == [b"", 6, b"", 8]
    assert staged.referee.runs == 1 and staged.timed == [], "its referee had no pause"


def test_a_core_is_timed_between_two_units_with_nothing_on_it(staged: Staged) -> None:
    staged.orders.put(unit(0, 3))
    staged.orders.put(unit(10, 4))
    came = [word for word in staged.said() if isinstance(word, Came)]
    assert staged.timed == [0] and [one.speed for one in came] == [Speed(0.004), None]


def test_what_is_no_unit_waits_until_all_is_played(staged: Staged) -> None:
    staged.orders.put(unit(0, 3))
    staged.orders.put(Trouble("written by another version"))
    *_, came, trouble = staged.said()
    assert isinstance(came, Came) and trouble == Trouble("written by another version")


def test_a_unit_of_other_terms_waits_until_all_is_played(staged: Staged) -> None:
    staged._due = inf
    staged.orders.put(unit(0, 3))
    staged.orders.put(replace(unit(10, 4), terms=replace(TERMS, memory_mb=7)))
    assert kinds(staged.said()) == [b"", 6, b"", 8] and staged.referee.runs == 2
