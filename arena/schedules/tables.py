"""Who can sit at one table: the bots of a meeting, whatever their sides."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from arena.schedules.blocks import Field, Meeting, pairings, teams_of
from protocol.vocabulary import BotId


def sizes(field: Field, variant: str) -> set[int]:
    """How many different bots can sit at a table: one for each side, and for each seat with mixed partners."""
    teams = teams_of(variant)
    found = {"same": {len(set(teams))}, "mixed": {len(teams)}, "both": {len(set(teams)), len(teams)}}
    return found[field.plan.partners]


def playable(field: Field) -> list[str]:
    """The variants for which there are bots enough."""
    return [variant for variant in field.plan.variants if min(sizes(field, variant)) <= len(field.bots)]


def meetings_at(field: Field, variant: str, table: Sequence[BotId]) -> list[Meeting]:
    """All meetings that these bots, and no fewer of them, can have."""
    met = (Meeting(variant, sides) for sides in pairings(teams_of(variant), table, field.plan.partners))
    return [meeting for meeting in met if len(meeting.bots) == len(table)]


def lot(field: Field, bot: BotId) -> str:
    """What settles the order of bots of which nothing else is known: a hash that the tournament's seed decides."""
    return sha256(f"{field.plan.seed}\n{bot.name}@{bot.digest}".encode()).hexdigest()
