"""Everybody meets everybody, on the same deals."""

from __future__ import annotations

from dataclasses import dataclass

from arena.schedules.blocks import Meeting
from arena.schedules.rounds import Rounds


@dataclass(frozen=True, slots=True)
class RoundRobin(Rounds):
    """So many deals for each meeting, round by round: first some deals of every meeting, then the next ones."""

    deals: int
    stops: bool = False

    def deals_of(self, meeting: Meeting) -> int:
        """On how many deals a meeting plays."""
        return self.deals
