"""What workers have at the moment, and for how long it is theirs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arena.executors.audit import Trial
from referee.clocks import Limits
from referee.jobs import GameDone, Job

FIRST_LEASE = 600.0
"""Seconds that a unit may take at least while nobody knows what units take. A worker that is gone is known of sooner."""
MOVES = 200
"""Of a seat, in a long game."""
THOUGHT = 30.0
"""Seconds for a move where no clock runs."""


@dataclass(slots=True)
class Out:
    """Games that a worker has."""

    worker: str
    host: str
    jobs: tuple[Job, ...]
    since: float
    """When it was given them."""
    ahead: int
    """What it is to play until these are over, in units, with this one."""
    box: float
    """Seconds after which no other game of it is begun."""
    trial: Trial | None = None
    """They are played to compare."""

    def own(self, games: Iterable[GameDone]) -> tuple[GameDone, ...]:
        """Those of `games` that it was given, at the attempt at which it was."""
        leases = {game.lease for job in self.jobs for game in job.games}
        return tuple(done for done in games if done.planned.lease in leases)


def first_lease(out: Out) -> float:
    """Seconds in which these are over, whatever units take, if all seats use up their clocks in each game."""
    games = sum(len(job.games) * len(job.seating) * seat_seconds(job.limits) for job in out.jobs)
    return max(FIRST_LEASE, out.ahead * games)


def seat_seconds(limits: Limits) -> float:
    """That a seat may use in a long game.

    >>> seat_seconds(Limits())
    50.0
    """
    startup = limits.startup_seconds or THOUGHT
    if limits.bank is not None:
        return startup + limits.bank.total_seconds() + MOVES * limits.increment.total_seconds()
    return startup + MOVES * (THOUGHT if limits.move is None else limits.move.total_seconds())
