"""What games cost, out of the records of the newest ones: CPU time by bot, and the time a game takes."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from typing import Any

from protocol.codec import read_strictly
from protocol.record import unpack
from protocol.vocabulary import BotId

RECENT = 20
"""Games of a bot, or of a variant, that tell what the next one costs."""


class Spending:
    """CPU time of bots, fed with records as the ledger keeps them, the oldest first."""

    def __init__(self) -> None:
        self.cost: dict[BotId, float] = {}
        """Seconds a game, over the newest ones; a bot that nothing is known of is not in it."""
        self._games: dict[BotId, deque[float]] = defaultdict(lambda: deque(maxlen=RECENT))

    def take(self, records: Iterable[bytes]) -> None:
        """More games."""
        for record in _read(records):
            for bot, seconds in _cpu(record).items():
                games = self._games[bot]
                games.append(seconds)
                self.cost[bot] = sum(games) / len(games)


def seconds_a_game(records: Iterable[bytes]) -> float | None:
    """How long bots thought in a game, on average; None where there was no game."""
    games = [sum(record["account"]["ms"]) / 1000 for record in _read(records)]
    return sum(games) / len(games) if games else None


def _cpu(record: dict[str, Any]) -> dict[BotId, float]:
    """CPU seconds of each bot in a game, of all its seats together; of those alone that it is known of."""
    seats = [BotId(seat["bot"], seat["digest"]) for seat in record["play"]["seats"]]
    spent: dict[BotId, float] = defaultdict(float)
    for (seat, _), ms in zip(record["play"]["actions"], record["account"].get("cpu_ms", ()), strict=False):
        if ms is not None:
            spent[seats[seat]] += ms / 1000
    return spent


def _read(records: Iterable[bytes]) -> Iterator[dict[str, Any]]:
    """Records as values; what is damaged tells nothing here, and `arena verify` says so."""
    for packed in records:
        try:
            yield read_strictly(unpack(packed))
        except ValueError:
            continue
