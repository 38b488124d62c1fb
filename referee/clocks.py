"""Time: what a seat is allowed, and what it has used. Reads no clock itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

MILLISECOND = timedelta(milliseconds=1)
FAREWELL = 2.0
"""Seconds after `end` at most."""


def _ms(duration: timedelta | None) -> int | None:
    return None if duration is None else round(duration / MILLISECOND)


def floor_ms(seconds: float) -> float:
    """Milliseconds, rounded down to a microsecond.

    >>> floor_ms(0.0123456)
    12.345
    """
    return int(seconds * 1000_000) / 1000


@dataclass(frozen=True, slots=True)
class Limits:
    """The time limits of a game. With none of bank and move only a debugger plays: never rated."""

    startup: timedelta | None = timedelta(seconds=10)
    """For `hello`, and for each `ready`."""
    bank: timedelta | None = timedelta(seconds=20)
    """For all moves of the game together."""
    increment: timedelta = timedelta(milliseconds=100)
    """Goes into the bank after each move."""
    move: timedelta | None = timedelta(seconds=5)
    """The most that one move may take."""
    margin: timedelta = timedelta(milliseconds=20)
    """How much later an answer may come all the same: for the host's jitter. Bots are not told of it."""
    pondering: bool = False
    """Whether a bot may go on thinking while others are to move."""

    @property
    def startup_seconds(self) -> float | None:
        """`startup` in seconds."""
        return None if self.startup is None else self.startup.total_seconds()

    @property
    def farewell_seconds(self) -> float | None:
        """For the `ready` to `end`, for which others wait: who is late is no worse off than by a new process."""
        return None if self.startup is None else min(FAREWELL, self.startup.total_seconds())

    @property
    def rated(self) -> bool:
        """Whether games under these limits count."""
        return self.startup is not None and (self.bank is not None or self.move is not None)

    def wire(self) -> dict[str, int | None]:
        """As `start` carries them."""
        return {
            "startup_ms": _ms(self.startup),
            "bank_ms": _ms(self.bank),
            "increment_ms": _ms(self.increment) or 0,
            "move_ms": _ms(self.move),
        }

    def recorded(self) -> dict[str, int | None]:
        """As a record carries them: what bots were told, and the margin."""
        return self.wire() | {"margin_ms": _ms(self.margin)}


NO_LIMITS = Limits(startup=None, bank=None, increment=timedelta(0), move=None, pondering=True)


class Clock:
    """One seat's time in one game, in seconds."""

    __slots__ = ("_bank", "_cap", "_increment", "_margin", "budget", "last_ms")

    def __init__(self, limits: Limits) -> None:
        self._bank = None if limits.bank is None else limits.bank.total_seconds()
        self._increment = limits.increment.total_seconds()
        self._cap = None if limits.move is None else limits.move.total_seconds()
        self._margin = limits.margin.total_seconds()
        self.budget = self._cap if self._bank is None else self._smaller(self._bank)
        """The most that the next move may take; None: no limit."""
        self.last_ms = 0.0
        """What the last move was charged, in milliseconds rounded down to a microsecond."""

    @property
    def patience(self) -> float | None:
        """After how many seconds the next move is late: the budget and the margin; None: never."""
        return None if self.budget is None else self.budget + self._margin

    def _smaller(self, bank: float) -> float:
        return bank if self._cap is None or bank < self._cap else self._cap

    def charge(self, seconds: float) -> None:
        """A move took that long."""
        self.last_ms = floor_ms(seconds)
        if self._bank is not None:
            self._bank = max(0.0, self._bank - seconds) + self._increment
            self.budget = self._smaller(self._bank)

    def wire(self) -> dict[str, Any]:
        """As `turn` carries it, in milliseconds rounded down."""
        return {
            "remaining_ms": None if self._bank is None else int(self._bank * 1000),
            "move_ms": None if self.budget is None else int(self.budget * 1000),
            "last_ms": self.last_ms,
        }
