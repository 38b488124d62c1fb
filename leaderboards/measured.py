"""What is known of games beside their results, as values: how long bots thought, and their faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from protocol.vocabulary import BotId, DealId, FaultKind, GameId


@dataclass(frozen=True, slots=True)
class Timing:
    """How long a bot thought about a move, in milliseconds; moves of a house player in its place are not counted."""

    moves: int
    """Above 0."""
    median: float
    p95: float
    """Quantiles: 95 % of its moves took no longer."""
    p99: float
    most: float


Timings = Mapping[BotId, Timing]
"""Sorted; without bots that never moved."""


@dataclass(frozen=True, slots=True)
class FaultSeen:
    """A fault, and what there is to see of it."""

    game: GameId
    deal: DealId
    variant: str
    finished: str
    """When its game was kept: UTC, ISO 8601."""
    bot: BotId
    kind: FaultKind
    reason: str
    """The finer kind, or nothing."""
    turn: int
    """The request to the bot that it happened on; 0 before any."""
    evidence: str
    """Of several lines, or nothing. It may tell of the deal, so it is for nobody who is still to play that."""
    unplayed: bool = False
    """The bot was not started for this game: it is suspended, for faults of this kind in games before it."""

    @property
    def last_line(self) -> str:
        """Of the evidence: what it comes to, as a traceback does."""
        return self.evidence.strip().rpartition("\n")[2]


class Spoilt(NamedTuple):
    """Games that a bot lost by faults of one kind; one game, however many seats it had there."""

    bot: BotId
    kind: FaultKind
    played: int
    """In which it made the fault."""
    unplayed: int
    """That it lost unplayed, as it is suspended for such faults."""


def spoilt(faults: Iterable[FaultSeen]) -> list[Spoilt]:
    """Of each bot and kind, those with the most games that were played first."""
    games = {(fault.bot, fault.kind, fault.unplayed, fault.game) for fault in faults}
    counts = Counter((bot, kind, unplayed) for bot, kind, unplayed, _ in games)
    pairs = {(bot, kind) for bot, kind, _ in counts}
    found = [Spoilt(*pair, counts[*pair, False], counts[*pair, True]) for pair in pairs]
    return sorted(found, key=lambda one: (-one.played, -one.unplayed, one.bot, one.kind))
