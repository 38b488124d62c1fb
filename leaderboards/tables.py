"""Standings as text: for a terminal, a README, a spreadsheet, a program, a page, a paper.

Names of bots and variants, isolation and notes come from outside: whatever is in them is shown, and does
nothing. The rating is shown as `mu`, with its uncertainty; where there is too little to go by, words say so.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from leaderboards import ratings
from leaderboards.documents import document, records
from leaderboards.standings import FEW_GAMES, WIDE_SIGMA, Board, Row, Standings
from protocol import escape
from protocol.vocabulary import BotId

Format = Literal["table", "github", "csv", "tsv", "json", "html", "latex"]
By = Literal["overall", "variant"]
_WIDTH = 100
_SHORTEST_NAME = 8


def render(standings: Standings, format: Format, *, by: By = "overall", width: int | None = None) -> str:
    """The standings in one of the formats, ending in a newline.

    `by` shows the overall table or one of each variant; json holds both. `width` is that of the terminal
    (100 columns where it is not known) and matters to `table` only, which shortens names to fit.
    Raises ValueError for another format or `by`.
    """
    if format not in get_args(Format) or by not in get_args(By):
        known = ", ".join(get_args(Format))
        raise ValueError(f"no table {format!r} by {by!r}; formats: {known}; by overall or variant")
    if format == "json":
        return document(standings)
    tables = [(board.label, board.rows) for board in standings.boards]
    if by == "overall":
        tables = [("overall", standings.rows)]
    if format in _DELIMITERS:
        return records(tables, _DELIMITERS[format])
    style = _STYLES[format]
    width = (width or _WIDTH) if format == "table" else None
    parts = [_grid(rows, style, width) for _, rows in tables]
    if by == "variant":
        parts = [f"{style.line(label)}\n\n{part}" for (label, _), part in zip(tables, parts, strict=True)]
    about = _about(standings, [row for _, rows in tables for row in rows])
    below = style.gap.join(_fill(style.line(line), width) for line in about)
    return "\n\n".join([part for part in parts if part] + [below]) + "\n"


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

    def cell(self, text: str) -> str:
        """Of several lines, where faults have one each."""
        return "\n".join(map(self.escape, text.split("\n")))


_STYLES = {
    "table": _Style("plain", escape.visible),
    "github": _Style("github", escape.markdown, gap="\n\n"),
    "html": _Style("unsafehtml", escape.html, "<p>{}</p>"),
    "latex": _Style("latex_raw", escape.latex, "\\par\\noindent {}"),
}
_DELIMITERS = {"csv": ",", "tsv": "\t"}


def _grid(rows: Sequence[Row], style: _Style, width: int | None) -> str:
    if not rows:
        return ""
    cells = _cells(rows, "\n" if width else ", ")
    text = _tabulate(cells, style)
    if width and (excess := max(map(len, text.splitlines())) - width) > 0:
        longest = max(len(line["bot"]) for line in cells)
        room = max(_SHORTEST_NAME, longest - excess)
        text = _tabulate([line | {"bot": _shorten(line["bot"], room)} for line in cells], style)
    return text


def _tabulate(cells: Sequence[dict[str, str]], style: _Style) -> str:
    from tabulate import tabulate

    left = {"bot", "faults"}
    lines = [list(map(style.cell, line)) for line in (cells[0], *(line.values() for line in cells))]
    align = ["left" if name in left else "right" for name in cells[0]]
    if style.grid != "plain":
        return tabulate(lines[1:], lines[0], style.grid, colalign=align, disable_numparse=True)
    # As headers they would take two more columns each.
    text = tabulate(lines, (), style.grid, colalign=align, disable_numparse=True)
    head, *rows = [line.rstrip() for line in text.splitlines()]
    return "\n".join([head, "─" * max(map(len, [head, *rows])), *rows])


def _shorten(name: str, room: int) -> str:
    return name if len(name) <= room else name[: room - 1] + "…"


def _cells(rows: Sequence[Row], between_faults: str) -> list[dict[str, str]]:
    names = _names(row.bot for row in rows)
    table = [_line(row, names[row.bot], between_faults) for row in rows]
    if all(row.tally.expected_share == 0.5 for row in rows):
        for line in table:
            del line["first (of)"]
    return table


def _line(row: Row, name: str, between_faults: str) -> dict[str, str]:
    tally, rating = row.tally, row.rating
    low, high = rating.interval if rating else (0, 0)
    mark = "*" if row.provisional else ""
    return {
        "rank": f"{row.rank}{mark}" if row.rank else "–",
        "bot": name,
        "rating": f"{rating.mu:.2f}" if rating else "partial",
        "sigma": f"{rating.sigma:.2f}" if rating else "–",
        "95% interval": f"{low:.2f} … {high:.2f}" if rating else "–",
        "exposure": f"{rating.exposure:.2f}" if rating else "–",
        "games": f"{tally.games:,}",
        "W-D-L": f"{tally.wins:,}-{tally.draws:,}-{tally.losses:,}",
        "first (of)": f"{tally.win_share:.1%} ({tally.expected_share:.1%})",
        "faults": between_faults.join(
            f"{count:,} {kind} ({count / tally.games:.1%})" for kind, count in tally.faults
        ),
    }


def _names(bots: Iterable[BotId]) -> dict[BotId, str]:
    """What to call each bot: its name, with the digest where several go by it."""
    known = sorted(set(bots))
    versions = Counter(bot.name for bot in known)
    ends = {bot: str(bot).removeprefix(bot.name) if versions[bot.name] > 1 else "" for bot in known}
    return {bot: escape.label(bot.name) + end for bot, end in ends.items()}


def _about(standings: Standings, rows: Sequence[Row]) -> list[str]:
    """The lines under a table: what was rated and how, and what a reader must know of it."""
    names = _names(row.bot for row in (*standings.rows, *rows))
    lines = [_rated(standings), *_left_out(standings), *_method(standings)]
    if any(row.provisional and row.rating for row in rows):
        lines.append(f"* provisional: fewer than {FEW_GAMES} games, or sigma above {WIDE_SIGMA}.")
    lines += [
        f"{names[row.bot]} is partial, without an overall rating: no rated game of {', '.join(row.missing)}."
        for row in rows
        if row.missing
    ]
    lines += [_unconnected(board, names) for board in standings.boards if len(board.groups) > 1]
    if standings.isolation:
        lines.append(f"Isolation: {standings.isolation}")
    lines += [f"Note: {note}" for note in standings.notes]
    return [*lines, f"Digest: {standings.digest}"]


def _rated(standings: Standings) -> str:
    if not standings.games:
        return "Nothing to rate yet: a game counts when all games of its block are played."
    labels = ", ".join(board.label for board in standings.boards)
    blocks = _count(standings.blocks, "whole block")
    return f"Rated: {_count(standings.games, 'game')} of {labels}, out of {blocks}."


def _left_out(standings: Standings) -> list[str]:
    parts = [
        (standings.incomplete_games, f"of {_count(standings.incomplete_blocks, 'incomplete block')}"),
        (standings.void, "void or aborted and not yet played again"),
        (standings.unratable, "with nobody to compare (a bot met itself, or copies met a mixed team)"),
    ]
    said = "; ".join(f"{_count(number, 'game')} {what}" for number, what in parts if number)
    return [f"Left out: {said}."] if said else []


def _method(standings: Standings) -> list[str]:
    if not standings.games:
        return []
    lines = [
        f"Rating: mu of TrueSkill, all games at once (before any {ratings.MU:g} ± {ratings.SIGMA:.2f}; "
        f"tau {standings.tau:g}). 95% interval: {standings.interval}. Exposure: mu − 3 sigma."
    ]
    lines.append(_ties(standings.boards))
    if (k := len(standings.boards)) > 1:
        lines.append(f"Overall: mean of the {k} variants, rated each by itself, with weight 1/{k} each.")
    return lines


def _ties(boards: Sequence[Board]) -> str:
    """What the fits took for the share of ties: of each board, or of many the least and the most."""
    if len(boards) > 3:
        ordered = sorted(boards, key=lambda board: board.draw_probability)
        boards, joint = (ordered[0], ordered[-1]), " to "
    else:
        joint = ", "
    shares = [
        f"{board.draw_probability:.2%} in {board.label} (draw margin {board.draw_margin:.3f})"
        for board in boards
    ]
    return f"Estimated share of ties: {joint.join(shares)}."


def _unconnected(board: Board, names: dict[BotId, str]) -> str:
    sets = " | ".join(", ".join(names[bot] for bot in group) for group in board.groups)
    return f"{board.label} has bots that never met, not even through others: {sets}. Compare only inside a group."


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _fill(line: str, width: int | None) -> str:
    return textwrap.fill(line, width, subsequent_indent="  ") if width else line
