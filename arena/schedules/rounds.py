"""Schedules that are known from the first: so many deals for each meeting, round by round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import ClassVar

from arena.schedules.blocks import DEALS_A_JOB, Block, Field, Meeting, Progress

LEAST = 64
"""Blocks of a round at least, where the tournament may stop after each: workers wait for the last of them."""

Deals = Callable[[Meeting], int]
"""On how many deals a meeting plays; 0: not at all."""


def meetings_of(field: Field) -> Iterator[Meeting]:
    """All that the field allows, variant by variant."""
    for variant in field.plan.variants:
        yield from field.meetings(variant)


def missing(field: Field, progress: Progress, deals: Deals, stops: bool) -> Iterator[Block]:
    """What is left; with `stops` of the first round that lacks something only.

    A round is some deals of every meeting; where it ends all have played as many, as far as they are to.
    """
    met = [(meeting, deals(meeting)) for meeting in meetings_of(field)]
    size = -(-LEAST // max(1, len(met))) if stops else DEALS_A_JOB
    lacks = [(next(progress.over(meeting).lacking(0, count), count), count) for meeting, count in met]
    begin = min((first for first, count in lacks if first < count), default=None)
    if begin is None:
        return
    for first in range(begin // size * size, max(count for _, count in met), size):
        found = False
        for meeting, count in met:
            for deal in progress.over(meeting).lacking(first, min(first + size, count)):
                found = True
                yield Block(meeting, deal)
        if stops and found:
            return


def left_of(field: Field, progress: Progress, deals: Deals, end: int | None = None) -> Counter[str]:
    """Games of each variant in blocks that are not over, on deals below `end` (None: on all)."""
    left = Counter(dict.fromkeys(field.plan.variants, 0))
    for meeting in meetings_of(field):
        count = deals(meeting) if end is None else min(deals(meeting), end)
        left[meeting.variant] += field.games(meeting) * (count - progress.over(meeting).below(count))
    return left


def size_of(field: Field, deals: Deals) -> dict[str, tuple[int, int]]:
    """Games and blocks of each variant."""
    size: dict[str, tuple[int, int]] = {}
    for variant in field.plan.variants:
        met = [(field.games(meeting), deals(meeting)) for meeting in field.meetings(variant)]
        size[variant] = sum(games * count for games, count in met), sum(count for _, count in met)
    return size


def uneven(field: Field, progress: Progress, deals: Deals, stops: bool) -> list[str]:
    """What meetings lack, in words: with `stops` of the rounds that others have played, else of all."""
    reached: dict[str, int] = {}
    for meeting in meetings_of(field):
        ahead = progress.over(meeting).below(deals(meeting))
        reached[meeting.variant] = max(ahead, reached.get(meeting.variant, 0))
    lacks: list[str] = []
    for meeting in meetings_of(field):
        due = min(deals(meeting), reached[meeting.variant]) if stops else deals(meeting)
        played = progress.over(meeting).below(due)
        if played < due:
            lacks.append(f"{told(meeting)}: {played} of {due} blocks")
    return lacks


def told(meeting: Meeting) -> str:
    """A meeting in words: `ann v bob in claim/2p/GK-UWX`."""
    sides = (" + ".join(sorted({bot.name for bot in side})) for side in meeting.sides)
    return f"{' v '.join(sides)} in {meeting.variant}"


class Rounds:
    """A schedule that is known from the first, by on how many deals each meeting plays."""

    __slots__ = ()
    static: ClassVar[bool] = True
    stops: bool
    """Whether the tournament may stop between two rounds: then a step is one of them."""

    def step(self, field: Field, progress: Progress) -> Iterator[Block]:
        """All that is left, lazily, or the next round."""
        return missing(field, progress, self.deals_of, self.stops)

    def left(self, field: Field, progress: Progress, end: int | None = None) -> Counter[str]:
        """Games of each variant in blocks that are not over, on deals below `end` (None: on all)."""
        return left_of(field, progress, self.deals_of, end)

    def first(self, field: Field, progress: Progress) -> list[Block]:
        """What is left of the first deal of all meetings."""
        met = (meeting for meeting in meetings_of(field) if self.deals_of(meeting))
        return [Block(meeting, 0) for meeting in met if 0 not in progress.over(meeting)]

    def most(self, field: Field) -> dict[str, tuple[int, int]]:
        """Games and blocks of each variant."""
        return size_of(field, self.deals_of)

    def unkept(self, field: Field, progress: Progress) -> list[str]:
        """Meetings that have played fewer blocks than others of their sort."""
        return uneven(field, progress, self.deals_of, self.stops)

    def deals_of(self, meeting: Meeting) -> int:
        """On how many deals a meeting plays; 0: not at all."""
        raise NotImplementedError
