"""New bots are rated with few games: a mini round robin against everybody, and nothing is played anew."""

from __future__ import annotations

from dataclasses import dataclass

from arena.schedules.blocks import Meeting
from arena.schedules.rounds import Rounds
from protocol.vocabulary import BotId


@dataclass(frozen=True, slots=True)
class Newcomer(Rounds):
    """The round robin of those who were there, and the first of its deals for meetings with a newcomer."""

    newcomers: tuple[BotId, ...]
    newcomer_deals: int
    deals: int
    stops: bool = False

    def deals_of(self, meeting: Meeting) -> int:
        """On how many deals a meeting plays."""
        return self.deals if meeting.bots.isdisjoint(self.newcomers) else self.newcomer_deals
