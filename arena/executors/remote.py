"""What an engine runs on a worker: it hands an order to a seat, and brings back what that says.

The worker's process has a thread for each core that it may use, so it has as many seats at most: processes of their
own (`seat.py`), started when one is needed and kept for the next order, of whatever run. A seat whose order is nearly
done says so, and takes the next one of the same run at its heels. Runs are told apart by their tokens: the end of one
ends no order of another. Knows nothing of games, nor of the engine.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection

PROGRAM = ("-P", "-m", "arena.executors.seat")
"""Of a seat; its last word is a socket."""


class SeatLost(Exception):
    """The process of a seat ended while it had an order."""


class _HadLeft(SeatLost):
    """It had left before it took that order."""


class _Seat:
    """The worker's end of one."""

    def __init__(self) -> None:
        self._is_warm = self._was_ended = False
        self._turn = threading.Lock()
        """Held by whoever's answer is the next one."""
        ours, theirs = socket.socketpair()
        with theirs:
            command = [sys.executable, *PROGRAM, str(theirs.fileno())]
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        self._connection = Connection(ours.detach())

    def ask(self, order: bytes, opened: Callable[[], None]) -> bytes:
        """Its answer; answers come in the order of orders. `opened` is called once, when it can take another one.

        Raises SeatLost.
        """
        try:
            self._connection.send_bytes(order)
            with self._turn:
                while not (answer := self._connection.recv_bytes()):
                    opened()
                self._is_warm = True
        except (EOFError, OSError) as error:
            self._shut()
            status = self._process.wait()  # its end stays open as long as somebody has an order there
            kind = _HadLeft if self._is_warm and not self._was_ended and status == 0 else SeatLost
            raise kind(f"the process that plays there ended with {status}") from error
        return answer

    @property
    def lives(self) -> bool:
        """Whether it takes orders: one without any leaves after a time."""
        return not self._was_ended and self._process.poll() is None

    def end(self) -> None:
        """Let it go, with whatever it does; it is gone within an instant."""
        self._was_ended = True
        self._shut()

    def _shut(self) -> None:
        with suppress(OSError), socket.socket(fileno=os.dup(self._connection.fileno())) as end:
            end.shutdown(socket.SHUT_RDWR)  # also for whoever reads it in another thread


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """An order that a seat has."""

    run: str
    """The token of its run."""
    seat: _Seat


class _Seats:
    """Those of this process. Any thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._idle: list[_Seat] = []
        self._busy: list[_Held] = []
        self._open: list[_Held] = []
        """Those that are nearly done: their seats can take another order of that run."""

    def ask(self, run: str, order: bytes, opened: Callable[[], None] = lambda: None) -> bytes:
        """The answer of a seat that can take an order. `opened` is called when it can take the next, if it can before
        it has answered. Raises SeatLost."""
        while True:
            with self._one(run) as held, suppress(_HadLeft):  # idle ones leave, also as an order comes
                return held.seat.ask(order, lambda: self._reopen(held, opened))

    def _reopen(self, held: _Held, opened: Callable[[], None]) -> None:
        with self._changed:
            self._open.append(held)
            self._changed.notify_all()
        opened()

    @contextmanager
    def _one(self, run: str) -> Iterator[_Held]:
        held = self._take(run)
        try:
            yield held
        finally:
            with self._changed:
                self._busy.remove(held)
                if held in self._open:
                    self._open.remove(held)
                if held.seat.lives and all(other.seat is not held.seat for other in self._busy):
                    self._idle.append(held.seat)
                self._changed.notify_all()

    def _take(self, run: str) -> _Held:
        with self._changed:
            while not (seat := self._free(run)):
                self._changed.wait()  # for one that is open to another run alone: it is free in a moment
            held = _Held(run, seat)
            self._busy.append(held)
        return held

    def _free(self, run: str) -> _Seat | None:
        """One that has nothing to do, or nearly nothing for the same run, or is new; None: one has to wait."""
        self._idle = [seat for seat in self._idle if seat.lives]
        if self._idle:
            return self._idle.pop()
        if mine := next((held for held in self._open if held.run == run), None):
            self._open.remove(mine)
            return mine.seat
        return None if self._open else _Seat()

    def dismiss(self, run: str) -> None:
        """End those of a run, also in the middle of an order, and those that have nothing to do."""
        with self._changed:
            for seat in [*self._idle, *(held.seat for held in self._busy if held.run == run)]:
                seat.end()
            self._idle.clear()


@cache
def _seats() -> _Seats:
    return _Seats()


def serve(run: str, order: bytes, opened: Callable[[], None]) -> bytes:
    """A seat's answer to an order of a run, which is named by its token. Raises SeatLost.

    `opened` is called, if at all, before the answer: from then on an order more may be served than there are cores.
    """
    return _seats().ask(run, order, opened)


def dismiss(run: str) -> None:
    """End what this worker has started for a run."""
    _seats().dismiss(run)
