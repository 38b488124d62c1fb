"""What an engine gives to an executor whose workers are elsewhere: it carries bytes, and says who is there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Protocol, Self

from arena.executors.crew import Seen


class Link(Protocol):
    """What an engine gives: a context manager. Methods raise StorageError where the scheduler is gone."""

    def __enter__(self) -> Self:
        """Raises CannotStart where there is no such scheduler, or it does not let us in."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End what runs there for us; wait a few seconds for it at most."""

    def workers(self) -> Mapping[str, Seen]:
        """Who was there when the scheduler last said so, by address."""

    def since_heard(self) -> float:
        """Seconds since it did."""

    def ask(self, worker: str, order: bytes) -> int:
        """Give a worker an order, to be served by `remote.serve`; the number under which its answer comes."""

    def forget(self, number: int) -> None:
        """Nobody waits for that answer any more; it may come all the same."""

    def answers(self, timeout: float) -> Iterator[tuple[int, bytes | Exception]]:
        """What has come since; waits so many seconds for the first."""
