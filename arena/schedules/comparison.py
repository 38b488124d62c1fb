"""Two bots against each other until it is known whether the first is better, see `leaderboards.sprt`.

    round 0   deal 0 of every variant, in every seating   ─┐
    round 1   deal 1 of every variant, in every seating    ├─ a score each: in the mean, how often A came before B
    ...                                                   ─┘

Rounds are independent, since each has deals of its own, and alike, since each has every variant: so their scores
may be tested, however unlike the variants are and however the games of one deal hang together. They count in
the order of their deals. One that is over before an earlier one waits for it: else rounds that end soon would
be looked at first, and those that A loses in a few moves are not like the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, takewhile
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from arena.schedules.blocks import Block, Field, Meeting, Progress
from arena.schedules.matches import Played, by_block
from leaderboards.sprt import Sprt
from protocol.result import GameResult
from protocol.vocabulary import BotId

LATER = 10
"""A step has at least one part in so many of the rounds before it, so that bots are not started for each round."""


class Rounds:
    """The rounds of a comparison in a field, and what their games say."""

    def __init__(self, a: BotId, b: BotId, field: Field) -> None:
        self.a, self.b = a, b
        tables = {variant: _tables(a, b, field, variant) for variant in field.plan.variants}
        self._tables = tables
        """Where more bots than needed are there to fill up a table, they take turns from round to round."""
        self._sizes = {variant: field.games(tables[variant][0]) for variant in tables}
        self.games = sum(self._sizes.values())
        """Of one round."""
        self.places = 2 * math.lcm(*self._sizes.values()) * len(tables) + 1
        """Of the lattice on which the score of a round lies: 0, 1/(places − 1), ..., 1."""

    def blocks(self, number: int) -> list[Block]:
        """One round, whose number is that of its deals."""
        return [Block(tables[number % len(tables)], number) for tables in self._tables.values()]

    def over(self, progress: Progress) -> int:
        """How many rounds are over from the first one on without a gap."""
        return sum(1 for _ in takewhile(lambda n: all(b in progress for b in self.blocks(n)), count()))

    def counts(self, progress: Progress) -> NDArray[np.int64]:
        """(places,): how many of these rounds have each score. One with a void game has none."""
        played = by_block(progress)
        places = [self._place(number, played) for number in range(self.over(progress))]
        return np.bincount([place for place in places if place is not None], minlength=self.places)

    def _place(self, number: int, played: Played) -> int | None:
        place = 0
        for block in self.blocks(number):
            games, size = played.get(block), self._sizes[block.meeting.variant]
            if games is None:
                return None
            each = (self.places - 1) // (2 * size * len(self._sizes))
            place += each * sum(points(game, self.a, self.b) for game in games)
        return place


def _tables(a: BotId, b: BotId, field: Field, variant: str) -> list[Meeting]:
    """The meetings at which either of the two fills a side."""
    return [
        m for m in field.meetings(variant) if {a, b} <= {side[0] for side in m.sides if len(set(side)) == 1}
    ]


def points(result: GameResult, a: BotId, b: BotId) -> int:
    """2 where `a` came before `b` in a game of both, 1 where they share a place, 0 otherwise."""
    ranks = {seat.bot: seat.rank for seat in result.seats}
    return (ranks[a] < ranks[b]) * 2 + (ranks[a] == ranks[b])


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rounds of `a` and `b` until `test` is decided, or no whole round is left of so many games."""

    a: BotId
    b: BotId
    test: Sprt = Sprt()  # noqa: RUF009
    games: int = 0
    """The most; 0: no bound."""
    static: ClassVar[bool] = False

    def step(self, field: Field, progress: Progress) -> Iterator[Block]:
        """About as many rounds as it takes to decide if all end alike: to look sooner could not tell more."""
        rounds = Rounds(self.a, self.b, field)
        ratio = float(self.test.ratio(rounds.counts(progress)))
        if self.test.better(ratio) is None:
            first = rounds.over(progress)
            last = first + max(self.test.rounds_left(ratio), first // LATER, 1)
            if self.games:
                last = min(last, self.games // rounds.games)
            wanted = (block for number in range(first, last) for block in rounds.blocks(number))
            yield from sorted(block for block in wanted if block not in progress)

    def most(self, field: Field) -> dict[str, tuple[int, int]]:
        """Games and blocks of each variant."""
        if not self.games:
            return {}
        rounds = Rounds(self.a, self.b, field)
        number = self.games // rounds.games
        sizes = {block.meeting.variant: field.games(block.meeting) for block in rounds.blocks(0)}
        return {variant: (number * size, number) for variant, size in sizes.items()}

    def unkept(self, field: Field, progress: Progress) -> list[str]:
        """Nothing: a block has every seating, and a round that is not whole does not count."""
        return []
