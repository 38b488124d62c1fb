"""Everybody meets everybody, on the same deals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from arena.schedules.blocks import Block, Field, Meeting, Progress
from arena.schedules.rounds import missing, size_of, uneven


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """So many deals for each meeting, round by round: first some deals of every meeting, then the next ones."""

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
        """Meetings that have played fewer blocks than others."""
        return uneven(field, progress, self._deals, self.stops)

    def _deals(self, meeting: Meeting) -> int:
        return self.deals
