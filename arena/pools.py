"""Work for several processes of this machine at once. They end with this one, which alone hears Ctrl-C."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context, resource_tracker
from types import TracebackType
from typing import TypeVar

from arena.interrupts import deaf_children
from referee.processes.trees import die_with_parent

T = TypeVar("T")


class Pool(ProcessPoolExecutor):
    """`jobs` processes, each started when there is work for it. Main thread only."""

    def __init__(self, jobs: int | None) -> None:
        start_tracker()
        super().__init__(jobs, get_context("spawn"), _settle)

    def submit(self, work: Callable[..., T], /, *args: object, **kwargs: object) -> Future[T]:
        """As any executor does."""
        with deaf_children():
            return super().submit(work, *args, **kwargs)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """What is not begun by then is not done where an exception ends it."""
        self.shutdown(cancel_futures=kind is not None)


def start_tracker() -> None:
    """Start what clears up after processes that were killed, and which says nothing of it.

    It has to be there before SIGINT is blocked for those that are started: starting it lets SIGINT through again.
    """
    sys.warnoptions.append("ignore:resource_tracker:UserWarning")
    try:
        resource_tracker.ensure_running()
    finally:
        sys.warnoptions.pop()


def _settle() -> None:
    """Whatever would end us ends whoever started us, and that ends us, however it ends."""
    die_with_parent()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
