"""Who plays the jobs: something that takes jobs and gives back finished games.

local.py     referee processes on this machine
distant.py   workers elsewhere, over a link that an engine gives (`dask.py`)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Protocol, Self

from referee.jobs import GameDone, Glimpse, Job, PlannedGame

ATTEMPTS = 3
"""How often a game is played that turns out void."""
MEND = "mend that, then run again: it goes on"

Revise = Callable[[Job], Job | None]
"""A job as it is to be played now; None: not at all."""
Lease = Callable[[Iterable[PlannedGame]], None]
"""What is told of games before they are handed out, or given up to be played again: see `arena.runs.Run.lease`."""


def unrevised(job: Job) -> Job | None:
    """A job as it was planned."""
    return job


def unfenced(games: Iterable[PlannedGame]) -> None:
    """Where nothing is kept there is nothing to fence."""


class Executor(Protocol):
    """A context manager: leaving it ends all that it has started, whatever happened."""

    @property
    def parallel(self) -> int:
        """Jobs that a short list is to be cut into, so that nobody waits for work; 1: it cuts them itself."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def run(
        self,
        jobs: Iterable[Job],
        revise: Revise = unrevised,
        lease: Lease = unfenced,
        timeout: float = 0.5,
    ) -> Iterator[list[GameDone]]:
        """Play `jobs`; gives the games that were finished since, and an empty list after `timeout` without.

        `revise` is asked of each job when a worker can take it. Each planned game comes out under its last lease
        once: finished, forfeited, or void where it was tried ATTEMPTS times. What a worker says twice, or of a
        game that is no longer its own, comes out as well: whoever keeps results has to tell by the lease.

        Raises StorageError where the host fails, CannotStart where there is nobody (left) who can play.
        """

    def recall(self, concerned: Callable[[Job], bool]) -> None:
        """Take the games of these jobs back that have not begun; what is left of them is revised and goes on."""

    def peek(self) -> None:
        """Ask how far the games under way are; what comes of it is had by `glimpses` later."""

    def glimpses(self) -> list[tuple[Job, Glimpse]]:
        """What has come of `peek` since this was last asked, in the order in which it came."""
