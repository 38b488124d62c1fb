"""Ctrl-C: once ends a command in order, twice at once; and it is for the process that was asked, and no child of it."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

CODE = 130
"""The exit code of what was interrupted."""


def at_once(number: int = 0, frame: object = None) -> None:
    """End this process, as a signal's handler. Workers and bots die with it, so nothing is left even then."""
    os._exit(CODE)


class _Ending:
    """A handler of signals: the first raises KeyboardInterrupt, the next one ends this process."""

    def __init__(self, stopping: Callable[[], None], leaving: Callable[[], None]) -> None:
        self.heard = False
        self._stopping = stopping
        self._leaving = leaving

    def __call__(self, number: int, frame: object) -> None:
        if not self.heard:
            self.heard = True
            self._stopping()
            raise KeyboardInterrupt
        try:
            self._leaving()
        finally:
            at_once()


@contextmanager
def twice(
    *numbers: signal.Signals,
    stopping: Callable[[], None] = lambda: None,
    leaving: Callable[[], None] = lambda: None,
) -> Iterator[None]:
    """The first of signals `numbers` raises KeyboardInterrupt in here, the next one ends this process at once.

    `stopping` is called before the one, `leaving` before the other, whatever was under way. What this process was
    started to ignore (`nohup`, a script's `&`) it ignores; and only a main thread hears signals.
    """
    ending = _Ending(stopping, leaving)
    before = {number: signal.signal(number, ending) for number in numbers if is_heeded(number)}
    try:
        yield
    finally:
        for number, handler in before.items():
            if isinstance(handler, _Ending):
                handler.heard |= ending.heard
            signal.signal(number, handler)


def is_heeded(number: signal.Signals) -> bool:
    """Whether a signal is heard in this thread, and whoever started this process left it to hear of that."""
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and signal.getsignal(number) is not signal.SIG_IGN


@contextmanager
def deaf_children() -> Iterator[None]:
    """Processes that are started in here never hear SIGINT, not even while they read their modules.

    They inherit that it is blocked. One that comes meanwhile is heard here at the end.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
