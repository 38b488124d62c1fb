"""What pictures for papers show, out of what boards know: ratings, intervals, who beats whom, luck, thinking.

Each function makes panels of `plots`, which draws them; nothing here is drawn before it is asked to be.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from leaderboards import plots
from leaderboards.boards import Board, Row
from leaderboards.confidence import Confidence, Group, by_bot
from leaderboards.plots import COLUMN, INK, LINE, MUTED, SERIES, SMALL, Panel
from leaderboards.sheets import shortened, wide
from leaderboards.words import names
from protocol.escape import visible
from protocol.vocabulary import BotId

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from leaderboards.history import History
    from leaderboards.measured import Timing, Timings

NAMED = 8
"""Lines that are named, where nobody says how many."""
_ROW, _LABEL = 0.42, 0.34
"""Centimetres that a bot takes, and a name at the end of a line."""
_NAME = 18
"""Columns of a name."""
_LETTER = 0.135
"""Centimetres of a column, roughly."""
_Look = tuple[str, str | tuple[int, tuple[float, ...]]]
_DASHES: tuple[str | tuple[int, tuple[float, ...]], ...] = (
    "-", (0, (4, 1.2)), (0, (1, 1)), (0, (5, 1, 1, 1)),
)  # fmt: skip
_LOOKS: tuple[_Look, ...] = tuple(
    (colour, _DASHES[(n + turn) % len(_DASHES)])
    for turn in range(len(_DASHES))
    for n, colour in enumerate(SERIES)
)
"""Colours and dashes of lines: neighbours differ in both."""
_PARTS = {"skill": "#08519c", "seat": "#4292c6", "deal": "#a6cee8", "rest": "#e6e6e6"}
"""From dark to light, so that they are told apart in grey."""
_WINS = "wins of the row against the column"
_WINS = "wins of the row against the column"
_NAMED_CELL, _NUMBERED = 0.2, 0.31
"""Centimetres of a cell of a matrix that has room for a name beside it, and for a number in it."""
_LEAST_MS = 0.001
"""A log scale has no 0."""
"""A log scale has no 0."""


def _called(bots: Iterable[BotId]) -> dict[BotId, str]:
    """What there is room for of each name."""
    called = names(bots)
    return dict(zip(called, shortened(list(called.values()), _NAME), strict=True))


def ratings(title: str, past: History, bots: Sequence[BotId], top: int | None = None) -> Panel:
    """Ratings over games played, the best named at the ends of their lines.

    `bots` are all of the picture, in an order that gives each the same line in every panel.
    """
    last = {bot: line[-1] for bot, line in past.mu.items() if line and line[-1] is not None}
    order = sorted(last, key=lambda bot: (-(last[bot] or 0), bot))
    named = order[: top or NAMED]
    lacks = "" if len(past.games) > 1 and order else "too few games to show how ratings have moved"
    height = max(5.4, len(named) * _LABEL + 1.6)
    looks = {bot: _LOOKS[bots.index(bot) % len(_LOOKS)] for bot in named}
    return Panel(title, height, partial(_lines, past, looks, order[len(named) :], height), lacks)


def _lines(
    past: History, looks: Mapping[BotId, _Look], others: Sequence[BotId], height: float, axes: Axes
) -> None:
    for bot in others:
        axes.plot(past.games, _gaps(past.mu[bot]), color=LINE, lw=0.7, zorder=1)
    for bot, (colour, dashes) in looks.items():
        axes.plot(past.games, _gaps(past.mu[bot]), color=colour, linestyle=dashes, zorder=2)
    axes.set_xlim(0, past.games[-1])
    axes.set_ylim(*_around([at for bot in looks for at in past.mu[bot] if at is not None]))
    axes.set_xlabel("rated games" + ("; grey: other bots" if others else ""))
    axes.set_ylabel("rating (mu)")
    axes.xaxis.set_major_formatter(lambda games, _: f"{games:,.0f}")
    axes.locator_params(axis="x", nbins=4)
    axes.grid(axis="y")
    called = _called(looks)
    ends = [(called[bot], past.mu[bot][-1] or 0.0, colour) for bot, (colour, _) in looks.items()]
    plots.name_ends(axes, ends, _LABEL / (height - 1.4))


def _around(values: Sequence[float]) -> tuple[float, float]:
    """Their range, and some more."""
    low, high = min(values), max(values)
    margin = max(0.05 * (high - low), 0.1)
    return low - margin, high + margin


def _gaps(mus: Sequence[float | None]) -> list[float]:
    """A line that is broken where there is no rating."""
    return [math.nan if mu is None else mu for mu in mus]


def intervals(title: str, rows: Sequence[Row], groups: Sequence[Group], top: int | None = None) -> Panel:
    """A dot for each rating, its 95 % interval, and the ranks that the bot may have."""
    known = by_bot(groups)
    shown = [row for row in rows if row.rating][:top]
    lacks = "" if known else "one deal, or bots that never met: nothing can be said of how sure a place is"
    if not shown:
        lacks = "no bot has a rating yet"
    return Panel(title, len(shown) * _ROW + 2.0, partial(_dots, shown, known), lacks)


def _dots(rows: Sequence[Row], known: Mapping[BotId, Confidence], axes: Axes) -> None:
    called = _called(row.bot for row in rows)
    plots.rows(axes, [called[row.bot] for row in rows])
    for place, row in enumerate(rows):
        _dot(axes, place, row, known.get(row.bot))
        if place and row.group != rows[place - 1].group:
            axes.axhline(place - 0.5, color=MUTED, lw=0.6, linestyle=(0, (2, 2)))
    axes.text(1.03, 1, "rank", transform=axes.transAxes, color=MUTED, fontsize=SMALL)
    axes.grid(axis="x")
    axes.locator_params(axis="x", nbins=6)
    hollow = "; hollow: provisional" if any(row.provisional for row in rows) else ""
    axes.set_xlabel(f"rating (mu), 95% interval{hollow}")


def _dot(axes: Axes, place: int, row: Row, sure: Confidence | None) -> None:
    mu = row.rating.mu if row.rating else 0.0
    if sure:
        axes.plot(sure.interval, (place, place), color=SERIES[0], lw=1.6)
    inside = "white" if row.provisional else SERIES[0]
    axes.plot(mu, place, "o", markersize=4.2, color=SERIES[0], markerfacecolor=inside, zorder=3)
    plots.beside(axes, place, "–".join(map(str, dict.fromkeys(sure.ranks))) if sure else str(row.rank))


def matrix(board: Board, width: float = COLUMN, top: int | None = None) -> Panel:
    """Who wins how often against whom, the best first; `width` in centimetres is that of the panel."""
    bots = [row.bot for row in board.rows][:top]
    room = width - 1.6 - _LETTER * max((wide(name) for name in _called(bots).values()), default=0)
    side = min(0.95, room / max(1, len(bots)))
    lacks = "" if len(bots) > 1 else "no two bots have met"
    return Panel(
        board.label,
        len(bots) * side + (2.0 if side >= _NUMBERED else 2.6),
        partial(_cells, board, bots, side),
        lacks,
    )


def _cells(board: Board, bots: Sequence[BotId], side: float, axes: Axes) -> None:
    found = board.matrix
    order = [found.bots.index(bot) for bot in bots]
    shares = [
        [float(found.wins[i, j] / found.games[i, j]) if found.games[i, j] else math.nan for j in order]
        for i in order
    ]
    mesh = plots.heat(axes, shares, 0.6 if side > 0.15 else 0)
    _name_cells(axes, bots, side)
    if side < _NUMBERED:
        plots.scale(axes, mesh, _WINS)
        return
    axes.set_xlabel(f"{_WINS}, %")
    axes.xaxis.set_label_position("bottom")
    for i, line in enumerate(shares):
        for j, share in enumerate(line):
            if i != j:
                _number(axes, (j + 0.5, i + 0.5), share, min(SMALL, 13 * side))


def _number(axes: Axes, at: tuple[float, float], share: float, size: float) -> None:
    said = "–" if math.isnan(share) else f"{100 * share:.0f}"
    ink = "white" if share < 0.1 or share > 0.8 else INK
    axes.text(*at, said, ha="center", va="center", fontsize=size, color=ink)


def _name_cells(axes: Axes, bots: Sequence[BotId], side: float) -> None:
    """Names before the rows and places above the columns; where they have no room, only every tenth place."""
    has_room = side > _NAMED_CELL
    shown = range(len(bots)) if has_room else range(9, len(bots), 10)
    called, middles = _called(bots), [n + 0.5 for n in shown]
    rows = [f"{called[bots[n]]}  {n + 1}" if has_room else str(n + 1) for n in shown]
    axes.xaxis.tick_top()
    axes.set_xticks(
        middles, [str(n + 1) for n in shown], fontsize=min(SMALL, 18 * side) if has_room else SMALL
    )
    axes.set_yticks(middles, rows, fontsize=min(SMALL, 24 * side) if has_room else SMALL)


def luck(boards: Sequence[Board]) -> Panel:
    """What the score of a game is made of, a bar for each variant."""
    told = [board for board in boards if board.luck.bot is not None]
    lacks = "" if told else "; ".join(f"{board.label}: {board.luck.notes[0]}" for board in boards)
    return Panel(
        "", len(boards) * 1.05 + 1.9, partial(_bars, boards), lacks or ("" if boards else "no game is rated")
    )


def _bars(boards: Sequence[Board], axes: Axes) -> None:
    for place, board in enumerate(boards):
        axes.text(0, place - 0.3, visible(board.label), va="bottom", fontsize=SMALL)
        if board.luck.bot is None:
            axes.text(0, place, board.luck.notes[0], va="center", fontsize=SMALL, color=MUTED, wrap=True)
        else:
            _bar(
                axes,
                place,
                [part or 0.0 for part in (board.luck.bot, board.luck.seat, board.luck.deal, board.luck.rest)],
            )
    plots.rows(axes, [""] * len(boards))
    axes.set_xlim(0, 1)
    axes.set_ylim(len(boards) - 0.5, -0.9)
    axes.set_xticks((0, 0.25, 0.5, 0.75, 1), ["0", "25", "50", "75", "100%"])
    axes.set_xlabel("share of the variance of a score")
    handles = [axes.barh(0, 0, color=colour, label=part) for part, colour in _PARTS.items()]
    axes.legend(
        handles=handles, ncols=4, loc="lower left", bbox_to_anchor=(0, 1), frameon=False, borderaxespad=0
    )


def _bar(axes: Axes, place: int, shares: Sequence[float]) -> None:
    left = 0.0
    for (part, colour), share in zip(_PARTS.items(), shares, strict=True):
        axes.barh(place, share, left=left, height=0.5, color=colour, edgecolor="white", linewidth=0.6)
        if share >= 0.06:
            ink = "white" if part in ("skill", "seat") else INK
            said = f"{100 * share:.0f}"
            axes.text(left + share / 2, place, said, ha="center", va="center", color=ink, fontsize=SMALL)
        left += share


def timing(title: str, bots: Timings, top: int | None = None) -> Panel:
    """How long bots think over a move, from the median to the slowest hundredth; the quickest first."""
    order = sorted(bots, key=lambda bot: (bots[bot].median, bot))[:top]
    height = len(order) * _ROW + 2.0
    lacks = "" if order else "no move of a rated game was timed"
    return Panel(title, height, partial(_times, {bot: bots[bot] for bot in order}), lacks)


def _times(bots: Mapping[BotId, Timing], axes: Axes) -> None:
    called = _called(bots)
    plots.rows(axes, [called[bot] for bot in bots])
    for place, times in enumerate(bots.values()):
        median, p95, p99 = (max(_LEAST_MS, ms) for ms in (times.median, times.p95, times.p99))
        axes.plot((median, p99), (place, place), color=SERIES[0], lw=1.2)
        axes.plot(median, place, "o", markersize=4.2, color=SERIES[0])
        axes.plot(p95, place, "|", markersize=6, color=SERIES[0])
        axes.plot(p99, place, "o", markersize=3.2, color=SERIES[0], markerfacecolor="white")
    plots.logarithmic(axes, _time)
    axes.set_xlabel("thinking over a move: median, 95%, 99%")


def _time(ms: float) -> str:
    """A power of ten of milliseconds, in the unit that people use.

    >>> [_time(ms) for ms in (0.01, 1.0, 100.0, 10_000.0)]
    ['10 µs', '1 ms', '100 ms', '10 s']
    """
    for unit, size in (("s", 1000.0), ("ms", 1.0)):
        if ms >= size:
            return f"{ms / size:g} {unit}"
    return f"{ms * 1000:g} µs"
