"""What a budget of games has room for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import gcd

from arena.schedules.blocks import Block, Meeting
from protocol.result import GameResult

Games = Callable[[Meeting], int]
"""Of a block of a meeting."""


def end_of(blocks: Iterable[Block], games: Games, room: int) -> int:
    """The first deal that is out of reach, where all of `blocks` on one deal are played or none."""
    size: Counter[int] = Counter()
    for block in blocks:
        size[block.deal] += games(block.meeting)
    for deal in sorted(size):
        if room <= 0:
            return deal
        room -= size[deal]
    return max(size, default=-1) + 1


def neediest(
    blocks: Sequence[Block], games: Games, room: int, results: Iterable[GameResult]
) -> Sequence[Block]:
    """As many of `blocks` as there is room for: first those of the bots that have played least."""
    if sum(games(block.meeting) for block in blocks) <= room:
        return blocks
    played = Counter(seat.bot for result in results for seat in result.seats)
    chosen: list[Block] = []
    for block in sorted(blocks, key=lambda one: (min(played[bot] for bot in one.meeting.bots), one)):
        if room > 0:
            chosen.append(block)
            room -= games(block.meeting)
    return sorted(chosen)


def used(room: int, sizes: Iterable[int], last: int) -> int:
    """Games at most until there is no room, where blocks have these sizes, and `last` begin at once.

    >>> used(12, [2], last=2), used(13, [2], last=2), used(13, [2], last=24)
    (12, 14, 36)
    """
    unit = gcd(*sizes)
    return (-(-room // unit) - 1) * unit + last if room > 0 else 0
