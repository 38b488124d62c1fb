"""Some challengers against everybody else: what a bot is worth against a field that is known."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from arena.schedules.blocks import Block, Field, Meeting, Progress
from arena.schedules.rounds import missing, size_of, uneven
from protocol.vocabulary import BotId


@dataclass(frozen=True, slots=True)
class Gauntlet:
    """So many deals for each meeting that one challenger sits in, and no other of them."""

    challengers: tuple[BotId, ...]
    deals: int
    stops: bool = False
    """Whether the tournament may stop between two rounds: then a step is one of them."""
    static: ClassVar[bool] = True

    def step(self, field: Field, progress: Progress) -> Iterator[Block]:
        """All that is left, lazily, or the next round."""
        return missing(field, progress, self._deals, self.stops)

    def most(self, field: Field) -> dict[str, tuple[int, int]]:
        """Games and blocks of each variant."""
        return size_of(field, self._deals)

    def unkept(self, field: Field, progress: Progress) -> list[str]:
        """Meetings of a challenger that have played fewer blocks than others."""
        return uneven(field, progress, self._deals, self.stops)

    def _deals(self, meeting: Meeting) -> int:
        return self.deals if len(meeting.bots.intersection(self.challengers)) == 1 else 0
