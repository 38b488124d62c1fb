"""An opening that is equal for all and leaves nobody apart: a round robin, or in a big field a part of one."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from arena.schedules.blocks import Block, Field, Meeting, Progress
from arena.schedules.rounds import told
from arena.schedules.tables import lot, meetings_at, playable, sizes
from protocol.vocabulary import BotId

WHOLE = 500
"""Tables, up to which all of them are played."""
TABLES = 10
"""How often each bot of a bigger field sits at a table, at least."""


def opening(field: Field) -> Iterator[Meeting]:
    """The meetings of it; every bot is in as many."""
    for variant in playable(field):
        if max(comb(len(field.bots), size) for size in sizes(field, variant)) <= WHOLE:
            yield from field.meetings(variant)
        else:
            for size in sorted(sizes(field, variant)):
                for table in _circle(field, size):
                    yield from meetings_at(field, variant, table)


def lacking(field: Field, progress: Progress, deals: int) -> list[Block]:
    """What of an opening of so many deals for each of its meetings is still to be played."""
    closed = ((meeting, progress.over(meeting)) for meeting in opening(field))
    return [Block(meeting, deal) for meeting, over in closed for deal in range(deals) if deal not in over]


def unopened(field: Field, progress: Progress, deals: int) -> list[str]:
    """The same in words."""
    return [
        f"{told(block.meeting)}: deal {block.deal} of the opening was not played"
        for block in lacking(field, progress, deals)
    ]


def _circle(field: Field, size: int) -> Iterator[tuple[BotId, ...]]:
    """The bots sit in a circle: each meets those one, two, … places on; then those twice as far; and so on."""
    bots = sorted(field.bots, key=lambda bot: lot(field, bot))
    for distance in range(1, 1 + -(-TABLES // size)):
        for first in range(len(bots)):
            yield tuple(sorted(bots[(first + n * distance) % len(bots)] for n in range(size)))
