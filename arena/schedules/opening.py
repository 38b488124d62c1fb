"""A start that is equal for all and leaves nobody apart: a round robin, or in a big field a part of one."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

from arena.schedules.blocks import Field, Meeting
from arena.schedules.tables import lot, meetings_at, playable, sizes
from protocol.vocabulary import BotId

WHOLE = 500
"""Tables, up to which all of them are played."""
TABLES = 10
"""How often each bot of a bigger field sits at a table, at least."""


def opening(field: Field) -> Iterator[Meeting]:
    """The meetings of the start; every bot is in as many."""
    for variant in playable(field):
        if max(comb(len(field.bots), size) for size in sizes(field, variant)) <= WHOLE:
            yield from field.meetings(variant)
        else:
            for size in sorted(sizes(field, variant)):
                for table in _circle(field, size):
                    yield from meetings_at(field, variant, table)


def _circle(field: Field, size: int) -> Iterator[tuple[BotId, ...]]:
    """The bots sit in a circle: each meets those one, two, … places on; then those twice as far; and so on."""
    bots = sorted(field.bots, key=lambda bot: lot(field, bot))
    for distance in range(1, 1 + -(-TABLES // size)):
        for first in range(len(bots)):
            yield tuple(sorted(bots[(first + n * distance) % len(bots)] for n in range(size)))
