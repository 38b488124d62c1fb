"""The few fields of a finished game that ratings and tables need.

The ledger's rows hold them; records are never opened to rate. Standard library only.
"""

from __future__ import annotations

from dataclasses import dataclass

from protocol.vocabulary import BotId, DealId, FaultKind, GameId, Team, Verdict


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What became of one seat."""

    bot: BotId
    team: Team
    rank: int
    """0 best; ties equal."""
    score: int
    fault: FaultKind | None = None


@dataclass(frozen=True, slots=True)
class GameResult:
    """One game as a rating sees it."""

    id: GameId
    game: str
    """`claim`"""
    variant: str
    """`claim/2p/GK-UWX`"""
    rules: str
    """Rules number and digest of data and options; different ones never mix in a rating."""
    deal: DealId
    block: str
    """Games of one pairing on one deal, one for each seating; only whole blocks are rated."""
    block_size: int
    """How many games the whole block has."""
    seats: tuple[SeatResult, ...]
    verdict: Verdict
