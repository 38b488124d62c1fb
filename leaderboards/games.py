"""The rated games of one kind as arrays: what was played how often, on which deals, in which blocks.

Games that ended alike (the same sides in the same places) are one *cell* with a count, which is all that a
rating needs. Deals and blocks say which games have their luck in common.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

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
    rows: list[tuple[int, int, int]] = field(default_factory=list)

    def take(self, cell: Cell, deal: str, block: str) -> None:
        self.rows.append(
            (
                self.cells.setdefault(cell, len(self.cells)),
                self.deals.setdefault(deal, len(self.deals)),
                self.blocks.setdefault(block, len(self.blocks)),
            )
        )

    def games(self) -> Games:
        """Numbered in sorted order, so that nothing hangs on the order in which they came in."""
        bots = sorted({bot for cell in self.cells for side in cell for bot in side.bots})
        place = {bot: n for n, bot in enumerate(bots)}
        cells = sorted(self.cells, key=lambda cell: [(s.rank, *(place[bot] for bot in s.bots)) for s in cell])
        cell, deal, block = np.array(self.rows, dtype=np.intp).reshape(-1, 3).T
        cell = _renumbered(cell, self.cells, cells)
        deal = _renumbered(deal, self.deals, sorted(self.deals))
        block = _renumbered(block, self.blocks, sorted(self.blocks))
        order = np.lexsort((cell, deal, block))
        return Games(tuple(bots), tuple(cells), cell[order], deal[order], block[order])


def _renumbered(numbers: Index, names: Mapping[Name, int], order: Sequence[Name]) -> Index:
    places = np.empty(len(names), dtype=np.intp)
    places[[names[name] for name in order]] = np.arange(len(order))
    return places[numbers]


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
    columns = _Columns()
    for result in results:
        columns.take(sides(result), result.deal, result.block)
    return columns.games()


def of_sides(games: Iterable[Cell]) -> Games:
    """Games without deals in common: each has a deal and a block of its own."""
    columns = _Columns()
    for number, cell in enumerate(games):
        columns.take(cell, f"{number:09}", f"{number:09}")
    return columns.games()
