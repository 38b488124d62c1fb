"""Standings as text: for a terminal, a README, a spreadsheet, a program, a page, a paper.

Names of bots and variants, isolation and notes come from outside: whatever is in them is shown, and does
nothing. Where there is too little to go by, words say so.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import get_args

from leaderboards import words
from leaderboards.choices import By, Format, Show
from leaderboards.documents import document, records
from leaderboards.sheets import GAP, Sheet, fitted, wide
from leaderboards.standings import Standings
from leaderboards.views import VIEWS, ranking
from protocol import escape

_WIDTH = 100


def render(
    standings: Standings,
    format: Format,
    *,
    by: By = "overall",
    show: Show = "table",
    width: int | None = None,
) -> str:
    """The standings in one of the formats, ending in a newline.

    `by` shows the overall table or one of each variant (json has both), `show` what else there is of each
    variant. `width` is that of the terminal (100 columns where it is not known) and matters to `table` only.
    Raises ValueError for another format, `by` or `show`, and for csv and tsv of `all`, which hold one table;
    NotConverged, NoEquilibrium.
    """
    for value, known in ((format, Format), (by, By), (show, Show)):
        if value not in get_args(known):
            raise ValueError(f"no table of {value!r}; there are {', '.join(get_args(known))}")
    if format in _DELIMITERS:
        if show == "all":
            raise ValueError(f"{format} holds one table: show one of {', '.join(get_args(Show)[:-1])}")
        return records(standings, _DELIMITERS[format], by=by, view=show)
    views = tuple(VIEWS) if show == "all" else (show,)
    if format == "json":
        return document(standings, views)
    return _Page(_STYLES[format], (width or _WIDTH) if format == "table" else None).text(standings, by, show)


@dataclass(frozen=True, slots=True)
class _Style:
    grid: str
    """Name of the table format in tabulate."""
    escape: Callable[[str], str]
    """Of a line."""
    paragraph: str = "{}"
    gap: str = "\n"
    """Between paragraphs."""

    def line(self, text: str) -> str:
        return self.paragraph.format(self.escape(text))


_STYLES = {
    "table": _Style("plain", escape.visible),
    "github": _Style("github", escape.markdown, gap="\n\n"),
    "html": _Style("unsafehtml", escape.html, "<p>{}</p>"),
    "latex": _Style("latex_raw", escape.latex, "\\par\\noindent {}"),
}
_DELIMITERS = {"csv": ",", "tsv": "\t"}


@dataclass(frozen=True, slots=True)
class _Page:
    """Tables and lines in a style; `width` is that of a terminal."""

    style: _Style
    width: int | None

    def text(self, standings: Standings, by: By, show: Show) -> str:
        tables = list(map(self._fitted, _sheets(standings, by, show, self.width)))
        parts = [
            self._sheet(sheet, () if following and sheet.legend == following.legend else sheet.legend)
            for sheet, following in zip_longest(tables, tables[1:])
        ]
        rows = (
            [row for board in standings.boards for row in board.rows] if by == "variant" else standings.rows
        )
        return "\n\n".join([*parts, self._lines(words.below(standings, rows))]) + "\n"

    def _fitted(self, sheet: Sheet) -> Sheet:
        return fitted(sheet, self.width) if self.width else sheet

    def _sheet(self, sheet: Sheet, legend: Sequence[str]) -> str:
        above = [line for line in (sheet.title, *sheet.above) if line]
        return "\n\n".join(filter(None, (self._lines(above), self._grid(sheet), self._lines(legend))))

    def _lines(self, lines: Sequence[str]) -> str:
        return self.style.gap.join(_fill(self.style.line(line), self.width) for line in lines)

    def _grid(self, sheet: Sheet) -> str:
        from tabulate import tabulate

        head, *lines = (
            list(map(self.style.escape, line))
            for line in ([column.name for column in sheet.columns], *sheet.rows)
        )
        if self.style.grid == "plain":
            return _plain(head, lines, [column.left for column in sheet.columns])
        align = ["left" if column.left else "right" for column in sheet.columns]
        return tabulate(lines, head, self.style.grid, colalign=align, disable_numparse=True)


def _plain(head: Sequence[str], lines: Sequence[Sequence[str]], left: Sequence[bool]) -> str:
    """For a terminal, on which a letter may be two columns wide."""
    widths = [max(map(wide, column)) for column in zip(head, *lines, strict=True)]

    def line(cells: Sequence[str]) -> str:
        spaces = [" " * (width - wide(cell)) for cell, width in zip(cells, widths, strict=True)]
        parts = [c + s if to_left else s + c for c, s, to_left in zip(cells, spaces, left, strict=True)]
        return (" " * GAP).join(parts).rstrip()

    first, *rest = map(line, (head, *lines))
    return "\n".join([first, "─" * max(map(wide, (first, *rest))), *rest])


def _sheets(standings: Standings, by: By, show: Show, width: int | None) -> Iterator[Sheet]:
    """What is shown, in its order."""
    if not standings.boards:
        return
    if show in ("table", "all"):
        anchored = standings.settings.anchor is not None
        if by == "overall":
            overall = ranking("", standings.rows, standings.confidence, anchored=anchored)
            some = (f"Of {words.share(standings)}, see below.",) if standings.unrated else ()
            yield replace(overall, above=(*some, *overall.above))
        else:
            for board in standings.boards:
                yield ranking(board.label, board.rows, board.confidence, anchored=anchored)
    for view, sheets in VIEWS.items():
        if show in (view, "all"):
            yield from sheets(standings.boards, width)


def _fill(line: str, width: int | None) -> str:
    if width is None:
        return line
    return textwrap.fill(line, width, subsequent_indent="  ", break_on_hyphens=False)
