"""New bots are rated with few games: a mini round robin against everybody, and nothing is played anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from arena.schedules.blocks import Block, Field, Meeting, Progress
from arena.schedules.rounds import missing, size_of, uneven
from protocol.vocabulary import BotId


@dataclass(frozen=True, slots=True)
class Newcomer:
    """The round robin of those who were there, and the first of its deals for meetings with a newcomer."""

    newcomers: tuple[BotId, ...]
    newcomer_deals: int
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
        """Meetings that have played fewer blocks than others of their sort."""
        return uneven(field, progress, self._deals, self.stops)

    def _deals(self, meeting: Meeting) -> int:
        return self.deals if meeting.bots.isdisjoint(self.newcomers) else self.newcomer_deals
