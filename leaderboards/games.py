"""The rated games of one kind as arrays: what was played how often, on which deals, in which blocks.

Games that ended alike (the same sides in the same places) are one *cell* with a count, which is all that a
rating needs. Deals and blocks say which games have their luck in common.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from leaderboards.results import Results
from leaderboards.selection import Kind, Side, kind_of, sides
from protocol.result import GameResult
from protocol.vocabulary import BotId

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Cell = tuple[Side, ...]
"""The sides of a game, best first."""
Name = TypeVar("Name", Cell, str)


@dataclass(frozen=True, slots=True, eq=False)
class Games:
    """G games of one kind between N bots: C different ones, on D deals, in B blocks."""

    bots: tuple[BotId, ...]
    """Sorted; a bot's index is its place here."""
    cells: tuple[Cell, ...]
    """Sorted."""
    cell: Index
    """(G,): which cell each game is."""
    deal: Index
    """(G,): on which deal, 0 to D − 1."""
    block: Index
    """(G,): in which block, 0 to B − 1."""

    @property
    def counts(self) -> Index:
        """(C,): how many games each cell has."""
        return np.bincount(self.cell, minlength=len(self.cells))

    @property
    def deals(self) -> int:
        """D."""
        return int(self.deal.max(initial=-1)) + 1

    @property
    def blocks(self) -> int:
        """B."""
        return int(self.block.max(initial=-1)) + 1


@dataclass(slots=True)
class _Columns:
    """Games of one kind, as they come in."""

    cells: dict[Cell, int] = field(default_factory=dict)
    deals: dict[str, int] = field(default_factory=dict)
    blocks: dict[str, int] = field(default_factory=dict)
    rows: array[int] = field(default_factory=lambda: array("q"))
    """Three numbers a game."""

    def take(self, cell: Cell, deal: str, block: str) -> None:
        numbers = (
            self.cells.setdefault(cell, len(self.cells)),
            self.deals.setdefault(deal, len(self.deals)),
            self.blocks.setdefault(block, len(self.blocks)),
        )
        self.rows.extend(numbers)

    def games(self) -> Games:
        bots, cells = _sorted(self.cells)
        cell, deal, block = np.array(self.rows, np.intp).reshape(-1, 3).T
        return _ordered(
            bots, cells, _places(self.cells, cells)[cell],
            _places(self.deals, sorted(self.deals))[deal], _places(self.blocks, sorted(self.blocks))[block],
        )  # fmt: skip


class Log:
    """Games as they are played: fed with results, it has the games of each kind at any time."""

    def __init__(self, results: Iterable[GameResult] = ()) -> None:
        self._kinds: dict[Kind, _Columns] = {}
        self.take(results)

    def take(self, results: Iterable[GameResult]) -> None:
        """Final results, each once; those that compare nobody are passed over (`selection.sides`)."""
        for result in results:
            if cell := sides(result):
                self._kinds.setdefault(kind_of(result), _Columns()).take(cell, result.deal, result.block)

    def games(self) -> dict[Kind, Games]:
        """By kind, in sorted order; no kind is empty."""
        return {kind: self._kinds[kind].games() for kind in sorted(self._kinds)}


def games_of(results: Iterable[GameResult]) -> Games:
    """Results of one kind that can all be rated; `selection.select` finds them."""
    results = Results.of(results)
    shape, deal = (np.unique(column, return_inverse=True) for column in (results.shape, results.deal))
    of_shape, of_deal = (
        [sides(one) for _, one in results.firsts()],
        [results.deals[n] for n in deal[0].tolist()],
    )
    bots, cells = _sorted(set(of_shape))
    return _ordered(
        bots, cells, _places(of_shape, cells)[shape[1]], _places(of_deal, sorted(of_deal))[deal[1]],
        np.unique(results.block, return_inverse=True)[1],
    )  # fmt: skip


def _sorted(cells: Collection[Cell]) -> tuple[tuple[BotId, ...], tuple[Cell, ...]]:
    """All bots of these cells, and the cells, sorted."""
    bots = sorted({bot for cell in cells for side in cell for bot in side.bots})
    place = {bot: n for n, bot in enumerate(bots)}
    return tuple(bots), tuple(
        sorted(cells, key=lambda cell: [(side.rank, *(place[bot] for bot in side.bots)) for side in cell])
    )


def _places(names: Iterable[Name], order: Iterable[Name]) -> Index:
    """Where each of `names` stands in `order`."""
    place = {name: n for n, name in enumerate(order)}
    return np.array([place[name] for name in names], np.intp)


def _ordered(
    bots: tuple[BotId, ...], cells: tuple[Cell, ...], cell: Index, deal: Index, block: Index
) -> Games:
    """Numbers stand for sorted names, so nothing hangs on the order in which games came in."""
    order = np.lexsort((cell, deal, block))
    return Games(bots, cells, cell[order], deal[order], block[order])


def of_sides(games: Iterable[Cell]) -> Games:
    """Games without deals in common: each has a deal and a block of its own."""
    columns = _Columns()
    for number, cell in enumerate(games):
        columns.take(cell, f"{number:09}", f"{number:09}")
    return columns.games()
