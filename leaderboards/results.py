"""Results of many games in columns, so that a million of them weigh some ten bytes a column and are counted at once.

What is alike in many games (who sat where and how it ended) is there once, as a *shape*; a game is the number of its
shape and of its deal, its id and its block. Taken one by one they are results as everywhere else.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, starmap
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from protocol.result import GameResult, SeatResult
from protocol.vocabulary import DealId, GameId, Verdict

Names = NDArray[np.bytes_]
Index = NDArray[np.intp]
Numbers = NDArray[np.int32]
_AT_ONCE = 10_000


class Shape(NamedTuple):
    """A result without what is its own."""

    game: str
    variant: str
    rules: str
    block_size: int
    seats: tuple[SeatResult, ...]
    verdict: Verdict

    @classmethod
    def of(cls, one: GameResult) -> Shape:
        """Of a result."""
        return cls(one.game, one.variant, one.rules, one.block_size, one.seats, one.verdict)


class Results(Sequence[GameResult]):
    """G results in some order; nothing of them changes."""

    __slots__ = ("block", "deal", "deals", "id", "shape", "shapes")

    def __init__(
        self, shapes: Sequence[Shape], deals: Sequence[str],
        shape: Numbers, deal: Numbers, block: Names, id: Names,
    ) -> None:  # fmt: skip
        self.shapes = shapes
        """All different; some may be of none of the games."""
        self.deals = deals
        """So, too."""
        self.shape = shape
        """(G,): the number of each game's;"""
        self.deal = deal
        """and so of its deal."""
        self.block = block
        """(G,): UTF-8; so `id`."""
        self.id = id

    @classmethod
    def of(cls, results: Iterable[GameResult]) -> Results:
        """The same ones, in their order."""
        if isinstance(results, Results):
            return results
        numbers: dict[Shape, int] = {}
        shapes: list[Shape] = []

        def numbered() -> Iterator[tuple[int, str, str, str]]:
            for one in results:
                shape = Shape.of(one)
                if (number := numbers.setdefault(shape, len(shapes))) == len(shapes):
                    shapes.append(shape)
                yield number, one.deal, one.block, one.id

        return cls.numbered(numbered(), shapes)

    @classmethod
    def joined(cls, parts: Sequence[Results]) -> Results:
        """One after the other."""
        shapes: dict[Shape, int] = {}
        deals: dict[str, int] = {}
        columns = []
        for part in parts:
            shape = np.array([shapes.setdefault(one, len(shapes)) for one in part.shapes], np.int32)
            deal = np.array([deals.setdefault(one, len(deals)) for one in part.deals], np.int32)
            columns.append((shape[part.shape], deal[part.deal], part.block, part.id))
        if not columns:
            return cls.of(())
        return cls(list(shapes), list(deals), *map(np.concatenate, zip(*columns, strict=True)))

    @classmethod
    def numbered(cls, games: Iterable[tuple[int, str, str, str]], shapes: Sequence[Shape]) -> Results:
        """Out of the number of a shape, the deal, the block and the id of each game.

        Shapes may be put to the others as games come, behind them.
        """
        deals: dict[str, int] = {}
        shape, deal, block, id = array("i"), array("i"), _Names(), _Names()
        games = iter(games)
        while some := list(islice(games, _AT_ONCE)):
            columns = list(zip(*some, strict=True))
            shape.extend(columns[0])
            deal.extend(deals.setdefault(one, len(deals)) for one in columns[1])
            block.extend(columns[2])
            id.extend(columns[3])
        return cls(
            shapes, list(deals), np.frombuffer(shape, np.int32), np.frombuffer(deal, np.int32),
            block.column(), id.column(),
        )  # fmt: skip

    def by_id(self) -> Results:
        """The same, sorted by id."""
        if (self.id[1:] > self.id[:-1]).all():
            return self
        return self.take(np.argsort(self.id, kind="stable"))

    def take(self, games: Index | NDArray[np.bool_]) -> Results:
        """Some of them: their places, in the order wanted, or a mask."""
        if games.dtype == bool and games.all():
            return self
        return Results(
            self.shapes, self.deals, self.shape[games], self.deal[games], self.block[games], self.id[games]
        )

    def only(self, is_wanted: Callable[[Shape], bool]) -> Results:
        """Those whose shape is wanted."""
        wanted = np.array([is_wanted(shape) for shape in self.shapes], bool)
        return self if wanted.all() else self.take(wanted[self.shape])

    def counted(self) -> list[tuple[Shape, int]]:
        """The shapes that there are games of, with how many."""
        numbers, counts = np.unique(self.shape, return_counts=True)
        return [(self.shapes[n], count) for n, count in zip(numbers.tolist(), counts.tolist(), strict=True)]

    def firsts(self) -> Iterator[tuple[int, GameResult]]:
        """The number of each shape that there are games of, with the first of them."""
        numbers, games = np.unique(self.shape, return_index=True)
        return zip(numbers.tolist(), self.take(games), strict=True)

    def _result(self, shape: int, deal: int, block: str, id: str) -> GameResult:
        one = self.shapes[shape]
        return GameResult(
            GameId(id), one.game, one.variant, one.rules, DealId(self.deals[deal]), block,
            one.block_size, one.seats, one.verdict,
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.shape)

    @overload
    def __getitem__(self, place: int) -> GameResult: ...
    @overload
    def __getitem__(self, place: slice) -> Results: ...
    def __getitem__(self, place: int | slice) -> GameResult | Results:
        if isinstance(place, slice):
            return self.take(np.arange(len(self))[place])
        return next(iter(self.take(np.array([place]))))

    def __iter__(self) -> Iterator[GameResult]:
        return starmap(self._result, self.rows())

    def rows(self) -> Iterator[tuple[int, int, str, str]]:
        """Of each game the number of its shape and of its deal, its block and its id."""
        for first in range(0, len(self), _AT_ONCE):
            some = slice(first, first + _AT_ONCE)
            names = ([name.decode() for name in column[some].tolist()] for column in (self.block, self.id))
            yield from zip(self.shape[some].tolist(), self.deal[some].tolist(), *names, strict=True)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Results({list(islice(self, 3))}{'…' * (len(self) > 3)})"


class _Names:
    """Names as they come, in one piece of memory."""

    def __init__(self) -> None:
        self._width, self._bytes = 1, bytearray()

    def extend(self, names: Iterable[str]) -> None:
        """More of them."""
        some = [name.encode() for name in names]
        if (width := max(map(len, some))) > self._width:
            self._bytes = bytearray(self.column().astype(f"S{width}").tobytes())
            self._width = width
        self._bytes += np.array(some, f"S{self._width}").tobytes()

    def column(self) -> Names:
        """(G,)."""
        return np.frombuffer(self._bytes, f"S{self._width}")
