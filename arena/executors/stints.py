"""Unit after unit on one referee: the next begins while the last games of the one before are still played.

    unit 1   ── job ─── job ── job ──┐ all handed out: the seat is open, the next unit comes
                               └─────┼── its last games ──► came
    unit 2                           └─ job ── job ── …      its bots start beside them

A referee takes a job more when all its bots are quick, and else when it has none: nobody who thinks long has another
unit beside him. Knows no seat and no engine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from time import monotonic

from arena.executors.orders import Unit
from arena.executors.units import Stopwatch
from referee.jobs import GameDone, Job, PlannedGame

ATONCE = 2
"""Units that are under way at most."""


class Stint:
    """A unit under way. It begins when it is made."""

    def __init__(self, unit: Unit, jobs: Sequence[Job], clock: Callable[[], float] = monotonic) -> None:
        """`jobs`: as they are played here."""
        self.began = clock()
        self.until = self.began + unit.seconds
        self.games: list[GameDone] = []
        self.watch = Stopwatch(clock)
        self.jobs = tuple(jobs)
        self._waiting = deque(jobs)
        self._leases = {game.lease for job in jobs for game in job.games}
        self._left = set(self._leases)

    @property
    def is_over(self) -> bool:
        """Whether all of its games have come that are to be played."""
        return not self._left

    def next(self) -> Job | None:
        """A job to hand out; None where all are."""
        return self._waiting.popleft() if self._waiting else None

    def has(self, game: PlannedGame) -> bool:
        """Whether it is of this unit, and not the same game of another one, at an attempt before."""
        return game.lease in self._leases

    def drop(self, job: Job) -> None:
        """What is left of a job is not played."""
        self._left.difference_update(game.lease for game in job.games)

    def take(self, games: Sequence[GameDone]) -> None:
        """Some games are over, of whatever unit."""
        own = [done for done in games if self.has(done.planned)]
        self.games += own
        self._left.difference_update(done.planned.lease for done in own)
        self.watch.look(own, len(games) - len(own))


class Stints:
    """The units under way, as an iterator of their jobs, which may have more after it had none.

    `follower` gives the next unit; None where there is none yet. Units are over in the order in which they began.
    """

    def __init__(
        self, first: Stint, follower: Callable[[], Stint | None], clock: Callable[[], float] = monotonic
    ) -> None:
        self._under_way, self._follower, self._clock = deque([first]), follower, clock
        self._over = first.began
        """When the last one was."""

    def __iter__(self) -> Iterator[Job]:
        return self

    def __next__(self) -> Job:
        job = self._under_way[-1].next()
        if job is None and len(self._under_way) < ATONCE and (stint := self._follower()):
            self._under_way.append(stint)
            job = stint.next()
        if job is None:
            raise StopIteration
        return job

    def revise(self, job: Job) -> Job | None:
        """As `Executor.run` asks: nothing of a unit is begun after its time."""
        if not self.is_late(job):
            return job
        for stint in self._under_way:
            stint.drop(job)
        return None

    def is_late(self, job: Job) -> bool:
        """Whether no other game of it is to be begun."""
        owners = (stint for stint in self._under_way if stint.has(job.games[0]))
        return any(self._clock() >= stint.until for stint in owners)

    def take(self, games: Sequence[GameDone]) -> None:
        """Some are over."""
        for stint in self._under_way:
            stint.take(games)

    def over(self) -> Iterator[tuple[Stint, float]]:
        """Those after which another has begun, each with its seconds: while two were under way they are the first one's."""
        while len(self._under_way) > 1 and self._under_way[0].is_over:
            yield self._end()

    def drained(self) -> Iterator[tuple[Stint, float]]:
        """The rest, where the referee has nothing more."""
        while self._under_way:
            yield self._end()

    def _end(self) -> tuple[Stint, float]:
        before, self._over = self._over, self._clock()
        return self._under_way.popleft(), self._over - before
