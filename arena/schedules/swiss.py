"""Who stands alike meets: after a few rounds the order is clear at both ends, with few games for each bot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import ceil, comb, log2
from typing import ClassVar, NamedTuple

from arena.schedules.blocks import Block, Field, Progress
from arena.schedules.matches import EVEN, Played, by_block, shares
from arena.schedules.tables import lot, meetings_at, sizes
from protocol.vocabulary import BotId

TRIES = 5_000
"""Tables that are looked at before one repeated meeting more is put up with."""

Table = tuple[BotId, ...]
"""Bots that meet: one for each side, or for each seat where partners are mixed."""


class Round(NamedTuple):
    """Who meets whom."""

    order: tuple[BotId, ...]
    """As the rounds before have it, best first."""
    tables: tuple[Table, ...]
    byes: tuple[BotId, ...]
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Swiss:
    """Rounds in which neighbours of the order so far meet, on so many deals in every variant.

    Each size of table has rounds of its own, and all variants for so many bots are played in them.
    """

    deals: int
    rounds: int = 0
    """0: ⌈log₂ N⌉ + 2, at most what can be had without repeated meetings."""
    static: ClassVar[bool] = False

    def step(self, field: Field, progress: Progress) -> list[Block]:
        """What the current round of each size of table lacks."""
        drawn = [block for rounds in self.drawn(field, progress).values() for block in rounds[-1].blocks]
        return [block for block in drawn if block not in progress]

    def most(self, field: Field) -> dict[str, tuple[int, int]]:
        """Games and blocks of each variant."""
        size = {}
        for variant in field.plan.variants:
            games = blocks = 0
            for seats in sizes(field, variant):
                tables = len(field.bots) // seats * self.length(field, seats)
                meetings = meetings_at(field, variant, field.bots[:seats])
                blocks += tables * self.deals * len(meetings)
                games += tables * self.deals * sum(map(field.games, meetings))
            size[variant] = games, blocks
        return size

    def unkept(self, field: Field, progress: Progress) -> list[str]:
        """Byes that are more than one apart, and rounds that are not whole."""
        wrong = []
        for size, rounds in self.drawn(field, progress).items():
            byes = Counter(dict.fromkeys(field.bots, 0))
            byes.update(bot for round in rounds for bot in round.byes)
            if max(byes.values()) - min(byes.values()) > 1:
                wrong.append(f"tables of {size}: byes from {min(byes.values())} to {max(byes.values())}")
            missing = sum(block not in progress for block in rounds[-1].blocks)
            if missing:
                wrong.append(f"tables of {size}: round {len(rounds)} lacks {missing} blocks")
        return wrong

    def length(self, field: Field, size: int) -> int:
        """How many rounds there are for tables of that size."""
        bots = len(field.bots)
        if bots < size or self.rounds:
            return self.rounds if bots >= size else 0
        fresh = comb(bots, 2) // (bots // size * comb(size, 2))
        return min(ceil(log2(bots)) + 2, fresh)

    def drawn(self, field: Field, progress: Progress) -> dict[int, list[Round]]:
        """By size of table, the rounds so far; the last is the one being played, or the last of all."""
        played = by_block(progress)
        every = sorted({size for variant in field.plan.variants for size in sizes(field, variant)})
        found = {size: list(self._rounds(field, progress, played, size)) for size in every}
        return {size: rounds for size, rounds in found.items() if rounds}

    def _rounds(self, field: Field, progress: Progress, played: Played, size: int) -> Iterator[Round]:
        standing = Standing(field, size)
        for _ in range(self.length(field, size)):
            order = standing.order()
            tables, byes = standing.draw(order)
            blocks = {table: self._blocks(field, table, standing.met[table]) for table in tables}
            yield Round(
                tuple(order), tables, byes, tuple(block for many in blocks.values() for block in many)
            )
            if any(block not in progress for many in blocks.values() for block in many):
                return
            standing.enter({table: shares(table, blocks[table], played) for table in tables}, byes)

    def _blocks(self, field: Field, table: Table, before: int) -> list[Block]:
        """Those of a table that met so often before; each time it plays deals that are new to it."""
        deals = range(before * self.deals, (before + 1) * self.deals)
        return [
            Block(meeting, deal)
            for variant in field.plan.variants
            if len(table) in sizes(field, variant)
            for meeting in meetings_at(field, variant, table)
            for deal in deals
        ]


class Standing:
    """The order of the bots after some rounds; `met` counts, by bots in sorted order, pairs and tables."""

    def __init__(self, field: Field, size: int) -> None:
        self.met: Counter[Table] = Counter()
        self._size = size
        self._points = dict.fromkeys(field.bots, Fraction())
        self._byes: Counter[BotId] = Counter()
        self._lots = {bot: lot(field, bot) for bot in field.bots}

    def order(self) -> list[BotId]:
        """By points, then those of the bots that were met, then by lot."""
        faced = dict.fromkeys(self._points, Fraction())
        for table, times in self.met.items():
            if len(table) == 2:
                for own, other in (table, table[::-1]):
                    faced[own] += self._points[other] * times
        return sorted(self._points, key=lambda bot: (-self._points[bot], -faced[bot], self._lots[bot]))

    def draw(self, order: Sequence[BotId]) -> tuple[tuple[Table, ...], tuple[BotId, ...]]:
        """The tables of a round, and who sits out: the last of those that did so least often."""
        last_first = list(reversed(order))
        idle = sorted(last_first, key=self._byes.__getitem__)[: len(order) % self._size]
        return tuple(seated([bot for bot in order if bot not in idle], self._size, self.met)), tuple(idle)

    def enter(self, won: Mapping[Table, Mapping[BotId, Fraction]], byes: Sequence[BotId]) -> None:
        """A round that is over. A bye brings what the best of a table got on average."""
        for table, got in won.items():
            for bot in table:
                self._points[bot] += got[bot]
            self.met.update({table, *combinations(table, 2)})
        best = [max(got.values()) for got in won.values()]
        for bot in byes:
            self._points[bot] += sum(best, Fraction()) / len(best) if best else EVEN
        self._byes.update(byes)


def seated(order: Sequence[BotId], size: int, met: Mapping[Table, int]) -> list[Table]:
    """Tables of neighbours, in which as few pairs as possible have met before."""
    each = (sorted(met.get(_pair(bot, other), 0) for other in order if other != bot) for bot in order)
    repeats = ceil(sum(sum(times[: size - 1]) for times in each) / 2)
    while (tables := _Seats(size, met).fill(list(order), repeats)) is None:
        repeats += 1
    return tables


class _Seats:
    """A search through tables, the highest bot's first, with its nearest neighbours first."""

    def __init__(self, size: int, met: Mapping[Table, int]) -> None:
        self._size = size
        self._met = met
        self._tries = TRIES

    def fill(self, order: list[BotId], repeats: int) -> list[Table] | None:
        """Tables for all, with at most so many repeats; None: there are none, or they are not found."""
        if not order:
            return []
        for others in combinations(order[1:], self._size - 1):
            self._tries -= 1
            table = tuple(sorted((order[0], *others)))
            left = repeats - sum(self._met.get(pair, 0) for pair in combinations(table, 2))
            if left >= 0 and self._tries >= 0:
                rest = self.fill([bot for bot in order[1:] if bot not in others], left)
                if rest is not None:
                    return [table, *rest]
            if self._tries < 0:
                return None
        return None


def _pair(one: BotId, other: BotId) -> Table:
    return (one, other) if one < other else (other, one)
