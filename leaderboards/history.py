"""Ratings as they were while a tournament was played.

At each of some moments all games that were over by then are rated at once, as a leaderboard does: no rating hangs
on the order of games before it, and the last moment is the leaderboard. A block counts from its last game on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from leaderboards import ratings
from leaderboards.boards import Row
from leaderboards.games import Cell, Games, Index
from leaderboards.ratings import Rating
from leaderboards.selection import select, sides
from protocol.result import GameResult
from protocol.vocabulary import BotId, GameId

POINTS = 20


@dataclass(frozen=True, slots=True)
class History:
    """Moments of a tournament, the first first; T of them."""

    games: tuple[int, ...]
    """(T,): how many games were rated."""
    mu: dict[BotId, tuple[float | None, ...]]
    """(T,) of each bot that is rated at last, sorted: the mean over the variants of which there were games, as in an
    overall table; None where it had none of one of them."""


def history(results: Iterable[GameResult], points: int = POINTS) -> History:
    """The ratings at so many moments, or at each block where there are fewer; `results` as they were kept.

    Raises NotConverged, ResultsError.
    """
    order = list(results)
    kinds = [_Kind(games) for games in select(order).games.values()]
    place = {result.id: number for number, result in enumerate(order)}
    ends = _ends(kinds, place)
    total = len(ends)
    chosen = sorted({int(ends[total * n // points - 1]) for n in range(1, points + 1) if total * n // points})
    tables = [[found for kind in kinds if (found := kind.at(moment))] for moment in chosen]
    bots = sorted({bot for kind in kinds for bot in kind.bots})
    mu = {bot: tuple(_mean(bot, table) for table in tables) for bot in bots}
    return History(tuple(int((ends <= moment).sum()) for moment in chosen), mu)


def ending(past: History, rows: Sequence[Row]) -> History:
    """Of the bots of a table, each line moved so that it ends where that has it: tables are rounded, and may have an
    anchor, which moves them all."""
    mu = {}
    for row in rows:
        line = past.mu.get(row.bot, ())
        if row.rating and line and line[-1] is not None:
            by = row.rating.mu - line[-1]
            mu[row.bot] = tuple(None if at is None else round(at + by, 4) for at in line)
    return replace(past, mu=mu)


class _Kind:
    """The games of one kind, and when the block of each was over."""

    def __init__(self, results: Sequence[GameResult]) -> None:
        self.results = results
        numbers: dict[Cell, int] = {}
        found = [numbers.setdefault(sides(result), len(numbers)) for result in results]
        self._cell: Index = np.array(found, np.intp)
        self._cells = list(numbers)
        self.bots = {bot for cell in numbers for side in cell for bot in side.bots}
        self.ends: Index = np.zeros(len(results), np.intp)

    def at(self, moment: int) -> dict[BotId, Rating]:
        """The ratings of the games whose blocks were over by then; empty without any."""
        numbers, counts = np.unique(self._cell[self.ends <= moment], return_counts=True)
        counted = zip((self._cells[n] for n in numbers.tolist()), counts.tolist(), strict=True)
        cells, played = zip(*sorted(counted), strict=True) if len(numbers) else ((), ())
        if not cells:
            return {}
        bots = tuple(sorted({bot for cell in cells for side in cell for bot in side.bots}))
        cell: Index = np.repeat(np.arange(len(cells)), played)
        alone: Index = np.arange(len(cell), dtype=np.intp)
        return ratings.fit(Games(bots, cells, cell, alone, alone)).ratings


def _ends(kinds: Sequence[_Kind], place: Mapping[GameId, int]) -> Index:
    """When each rated game began to count, sorted."""
    for kind in kinds:
        last = defaultdict[str, int](int)
        for result in kind.results:
            last[result.block] = max(last[result.block], place[result.id])
        kind.ends = np.array([last[result.block] for result in kind.results], np.intp)
    return np.sort(np.concatenate([kind.ends for kind in kinds] or [np.zeros(0, np.intp)]))


def _mean(bot: BotId, table: Sequence[dict[BotId, Rating]]) -> float | None:
    if not all(bot in ratings for ratings in table):
        return None
    return round(sum(ratings[bot].mu for ratings in table) / len(table), 4)
