"""The words that every package shares: who plays, how a game ends, what can go wrong.

Standard library only, and nothing here knows a game, a message or a file.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NewType

LANGS: Final = ("en", "cs")
"""Languages of the words of games, the default first."""

Seat = NewType("Seat", int)
"""A place at the table, 0 first in turn order."""

Team = NewType("Team", int)
"""Seats of one team win and lose together; playing for oneself is a team of one."""

GameId = NewType("GameId", str)
"""Hash of everything that was planned about a game (see `arena.schedules`), 32 hex digits."""

DealId = NewType("DealId", str)
"""Names a shuffled start; games that share it were dealt the same cards."""


@dataclass(frozen=True, slots=True, order=True)
class BotId:
    """A bot in one exact version: other files are another bot."""

    name: str
    """The name it goes by; unique in a tournament."""
    digest: str
    """Hex digest of its files; empty for a player that has none (tests, a person)."""

    def __str__(self) -> str:
        return f"{self.name}@{self.digest[:12]}" if self.digest else self.name


class Verdict(StrEnum):
    """How a game ended, as a whole."""

    FINISHED = "finished"
    """By its rules (in a free-for-all perhaps with a house player in a faulty bot's place)."""
    FORFEIT = "forfeit"
    """A fault of a bot ended it."""
    VOID = "void"
    """Our own fault: never rated, and played again."""
    ABORTED = "aborted"
    """Stopped by the operator; no final record."""


class FaultKind(StrEnum):
    """What a bot did wrong. Its own game pays for it, nothing else."""

    ILLEGAL_MOVE = "illegal_move"
    TIMEOUT = "timeout"
    NO_START = "no_start"
    CRASH = "crash"
    PROTOCOL_ERROR = "protocol_error"
    RESOURCE_MEMORY = "resource_memory"
    RESOURCE_PIDS = "resource_pids"
    RESOURCE_CPU = "resource_cpu"
    SANDBOX_VIOLATION = "sandbox_violation"


class VoidReason(StrEnum):
    """What the arena did wrong."""

    REFEREE_ERROR = "referee_error"
    WORKER_LOST = "worker_lost"
    HOST_LAG = "host_lag"
    DISK_ERROR = "disk_error"
    SANDBOX_FAILED = "sandbox_failed"


@dataclass(frozen=True, slots=True)
class Fault:
    """A bot's misbehaviour as a value."""

    kind: FaultKind
    seat: Seat
    turn: int
    """The request to this seat that it happened on (1 is its first turn); 0 before any."""
    reason: str = ""
    """The finer kind: `not_json`, `exit 3`, `signal 11`, …"""
    evidence: str = ""
    """Printable: the offending bytes (at most 2 KiB, escaped), the end of its log, …"""

    def __str__(self) -> str:
        return f"{self.kind}/{self.reason}" if self.reason else str(self.kind)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a game, one entry per seat; it fits a rating call as it is."""

    ranks: tuple[int, ...]
    """0 is best; equal ranks are shared places; seats of a team have the same."""
    scores: tuple[int, ...]
    """In the game's own points, for tables; higher is better."""
    teams: tuple[Team, ...]
    """Which team each seat played for."""

    def __post_init__(self) -> None:
        if not len(self.ranks) == len(self.scores) == len(self.teams):
            raise ValueError("an outcome has one rank, score and team for each seat")
