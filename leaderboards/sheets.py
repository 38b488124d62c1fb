"""A table for people, before it is in any format: columns that know what they mean and when they may go."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, compress

GAP = 2
"""Columns between columns."""
SHORT_NAME = 16
"""Names are shortened to this before a column goes,"""
SHORTEST_NAME = 8
"""and to this when no more can go."""


@dataclass(frozen=True, slots=True)
class Column:
    """What stands in a column."""

    name: str
    says: str = ""
    """What it means; empty where that is plain."""
    left: bool = False
    """Text, to be ranged left."""
    cut: bool = False
    """Names, to be shortened where there is no room for them."""
    goes: int = 0
    """On a terminal that is too narrow columns go one after the other, 1 first; those of 0 stay."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table with what stands above and below it; plain text, not yet escaped for its medium."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    """Names of columns for which there was no room."""

    @property
    def legend(self) -> tuple[str, ...]:
        """What the columns mean, which have gone, and what else is to be said."""
        said = [f"{column.name}: {column.says}" for column in self.columns if column.says]
        gone = [f"No room for: {', '.join(self.gone)}."] if self.gone else []
        return (*([f"{'; '.join(said)}."] if said else []), *gone, *self.below)


def sheet(title: str, columns: Sequence[Column], rows: Iterable[Sequence[str]], *below: str) -> Sheet:
    """A table of these rows, with what is to be said below it."""
    return Sheet(title, tuple(columns), tuple(map(tuple, rows)), below=below)


def fitted(table: Sheet, width: int) -> Sheet:
    """The same in so many columns, as far as that goes: names are shortened, then columns go.

    Those that stay are the ones that go last; where there is room beside them for one that goes sooner, it stays, too.
    """
    kept = [column for column in table.columns if not column.goes]
    for column in sorted((c for c in table.columns if c.goes), key=lambda c: -c.goes):
        if _width(_narrowed(_with(table, [*kept, column]), width, SHORT_NAME)) <= width:
            kept.append(column)
    least = SHORT_NAME if any(column.goes for column in kept) else SHORTEST_NAME
    return _narrowed(_with(table, kept), width, least)


def _with(table: Sheet, kept: Collection[Column]) -> Sheet:
    """The same with some of its columns."""
    staying = [column in kept for column in table.columns]
    gone = [c for c in sorted(table.columns, key=lambda c: c.goes) if c not in kept]
    return replace(
        table,
        columns=tuple(compress(table.columns, staying)),
        rows=tuple(tuple(compress(row, staying)) for row in table.rows),
        gone=tuple(column.name for column in gone),
    )


def _narrowed(table: Sheet, width: int, least: int) -> Sheet:
    """The same with names as much shorter as it is too wide, but not below `least`."""
    excess = _width(table) - width
    return _shortened(table, excess, least) if excess > 0 else table


def _width(table: Sheet) -> int:
    lines = [[column.name for column in table.columns], *table.rows]
    return sum(max(map(wide, column)) + GAP for column in zip(*lines, strict=True)) - GAP


def _shortened(table: Sheet, excess: int, least: int) -> Sheet:
    """The same with the longest names so much shorter, but not below `least`."""
    names = [n for n, column in enumerate(table.columns) if column.cut]
    if not names:
        return table
    n = max(names, key=lambda n: max(wide(row[n]) for row in table.rows))
    room = max(least, max(wide(row[n]) for row in table.rows) - excess)
    cut = shortened([row[n] for row in table.rows], room)
    rows = [(*row[:n], text, *row[n + 1 :]) for row, text in zip(table.rows, cut, strict=True)]
    return replace(table, rows=tuple(rows))


def shortened(texts: Sequence[str], room: int) -> list[str]:
    """Texts in so many columns, or as few more as it takes to tell them apart: cut at the end, in front or inside.

    >>> shortened(["claim/2p/GK-UWX", "claim/2p/GK-UWT"], 8)
    ['…/GK-UWX', '…/GK-UWT']
    """
    different = len(set(texts))
    for columns in range(room, max(map(wide, texts), default=0)):
        for cut in (_ended, _begun, _emptied):
            found = [cut(text, columns) if wide(text) > columns else text for text in texts]
            if len(set(found)) == different:
                return found
    return list(texts)


def _ended(text: str, room: int) -> str:
    return _head(text, room - 1) + "…"


def _begun(text: str, room: int) -> str:
    return "…" + _tail(text, room - 1)


def _emptied(text: str, room: int) -> str:
    return f"{_head(text, room // 2)}…{_tail(text, (room - 1) // 2)}"


def _head(text: str, room: int) -> str:
    """As much of its start as has room."""
    ends = accumulate(map(wide, text))
    return "".join(letter for letter, end in zip(text, ends, strict=True) if end <= room)


def _tail(text: str, room: int) -> str:
    return _head(text[::-1], room)[::-1]


def wide(text: str) -> int:
    """How many columns of a terminal a text takes.

    >>> wide("minimax"), wide("漢字"), wide("e\N{COMBINING ACUTE ACCENT}")
    (7, 4, 1)
    """
    return sum(map(_columns, text))


def _columns(letter: str) -> int:
    if unicodedata.category(letter) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1
