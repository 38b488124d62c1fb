"""The map in lines: a box a field, and boxes that touch are neighbours (Aristoocrazy R4).

rectangles                        triangle: a row a letter, each half a box further to the left
+----+----+                            +----+
| a1 | b1 |   a letter a column        | a1 |
+----+----+                         +--+-+--+-+
| a2 | b2 |                         | b1 | b2 |
+----+----+                         +----+----+
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import Final

from referee.games.aristoocrazy.data import CHARACTERS, FIELDS, Board
from referee.games.aristoocrazy.state import NOBODY, Public
from referee.wording import Terms

_MARGIN: Final = 2
_WIDEST: Final = 76
_PLACES: Final = {3: "*", 2: "+", 1: " "}
"""Home, town and land, by their places."""
_CORNERS: Final = {
    (False, False, True, True): "─", (True, True, False, False): "│", (True, True, True, True): "┼",
    (False, True, False, True): "┌", (False, True, True, False): "┐", (True, False, False, True): "└",
    (True, False, True, False): "┘", (True, True, False, True): "├", (True, True, True, False): "┤",
    (False, True, True, True): "┬", (True, False, True, True): "┴", (False, False, False, False): " ",
}  # fmt: skip
"""By whether a line goes up, down, left and right from there."""


def rows_of(board: Board) -> list[list[int]]:
    """Fields as they lie, the uppermost row first."""
    by_letter: dict[str, list[int]] = {}
    for field in board.fields:
        by_letter.setdefault(FIELDS[field][0], []).append(field)
    columns = list(by_letter.values())
    if len({len(column) for column in columns}) > 1:
        return columns
    return [list(row) for row in zip(*columns, strict=True)]


def drawn(public: Public, terms: Terms) -> list[str]:
    """The map: each field with its owner and who stands there, a dot for each place that is free."""
    rows = rows_of(public.variant.board)
    pitch = _WIDEST // max(map(len, rows))
    pitch -= pitch % 2
    walls = [_walls(len(row), max(map(len, rows)), pitch) for row in rows]
    lines = []
    for at, (row, wall) in enumerate(zip(rows, walls, strict=True)):
        lines.append(_border(walls[at - 1] if at else [], wall))
        for texts in zip(*(_box(public, field, terms) for field in row), strict=True):
            lines.append(_between(wall, texts))
    return [" " * _MARGIN + line.rstrip() for line in [*lines, _border(walls[-1], [])]]


def _walls(count: int, most: int, pitch: int) -> list[int]:
    """The columns of the walls of a row of boxes, in the middle of the widest row."""
    start = (most - count) * pitch // 2
    return [start + pitch * box for box in range(count + 1)]


def _border(above: Sequence[int], below: Sequence[int]) -> str:
    """The line between two rows, or over the first and under the last."""
    spans = [(walls[0], walls[-1]) for walls in (above, below) if walls]
    first, last = min(a for a, _ in spans), max(b for _, b in spans)
    return "".join(
        _CORNERS[at in above, at in below, first < at <= last, first <= at < last] for at in range(last + 1)
    )


def _between(walls: Sequence[int], texts: Sequence[str]) -> str:
    cells = [
        f"│ {text}".ljust(end - start) for (start, end), text in zip(pairwise(walls), texts, strict=True)
    ]
    return "".join(chain([" " * walls[0]], cells, "│"))


def _box(public: Public, field: int, terms: Terms) -> tuple[str, str]:
    """`b2+ seat 0 #` and `0M1 ·`: a town of seat 0 with a palisade, one of its two places taken."""
    owner = public.owner[field]
    places = public.variant.board.places[field]
    whose = "" if owner == NOBODY else f"{terms['word.seat']} {owner}"
    people = [CHARACTERS[char] for char in public.at[field]]
    free = ["·"] * (places - len(people))
    head = f"{FIELDS[field]}{_PLACES[places]} {whose}{' #' if field in public.palisades else ''}"
    return head.rstrip(), " ".join([*people, *free])
