"""Some challengers against everybody else: what a bot is worth against a field that is known."""

from __future__ import annotations

from dataclasses import dataclass

from arena.schedules.blocks import Meeting
from arena.schedules.rounds import Rounds
from protocol.vocabulary import BotId


@dataclass(frozen=True, slots=True)
class Gauntlet(Rounds):
    """So many deals for each meeting that one challenger sits in, and no other of them."""

    challengers: tuple[BotId, ...]
    deals: int
    stops: bool = False

    def deals_of(self, meeting: Meeting) -> int:
        """On how many deals a meeting plays."""
        return self.deals if len(meeting.bots.intersection(self.challengers)) == 1 else 0
