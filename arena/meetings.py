"""Who met whom, as a short name: by it the ledger counts what is over of a meeting without reading a result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from hashlib import sha256

from protocol.result import GameResult
from protocol.vocabulary import BotId


def meeting_id(variant: str, seats: Iterable[tuple[int, BotId]]) -> str:
    """32 hex digits of SHA-256; the same whoever sits where. `seats`: the team of each, and its bot.

    >>> ann, bob = BotId("ann", "a1"), BotId("bob", "b2")
    >>> meeting_id("claim/2p/GK-UWX", [(0, ann), (1, bob)]) == meeting_id("claim/2p/GK-UWX", [(0, bob), (1, ann)])
    True
    """
    sides: defaultdict[int, list[str]] = defaultdict(list)
    for team, bot in seats:
        sides[team].append(f"{bot.name}@{bot.digest}")
    met = "|".join(sorted("+".join(sorted(side)) for side in sides.values()))
    return sha256(f"{variant}\n{met}".encode()).hexdigest()[:32]


def meeting_of(result: GameResult) -> str:
    """The meeting of a game."""
    return meeting_id(result.variant, ((seat.team, seat.bot) for seat in result.seats))
