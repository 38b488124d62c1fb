"""The charts of a leaderboard: what a script draws them from, and the same numbers as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from leaderboards import pages
from leaderboards.boards import Board
from leaderboards.luck import Luck
from leaderboards.measured import Spoilt, Timing, Timings, spoilt
from leaderboards.pages import Cell, Chart, ChartKind, Column, Table
from leaderboards.site import addresses
from leaderboards.site.boards import faults
from leaderboards.site.captions import TITLES, caption
from leaderboards.site.cells import FAULT_HEADS, TIME_HEADS, bot_cell, count, number, percent, time_cells
from leaderboards.site.contest import Contest, Ranking
from leaderboards.site.frames import frame
from protocol.vocabulary import BotId

MOST = 30
"""Rows and columns of a matrix as a table; all of it is in the CSV file."""


class Charts:
    """The charts of one leaderboard. Making them raises NotConverged."""

    def __init__(self, contest: Contest, ranking: Ranking) -> None:
        self._contest, self._ranking = contest, ranking
        self._bots = [row.bot for row in ranking.rows]
        self._sure = ranking.confidence

    def page(self) -> pages.ChartsPage:
        """As the template is given them."""
        entry = self._ranking.entry
        tables = {kind: table for kind in TITLES if (table := _TABLES[kind](self)) and table.rows}
        charts = tuple(
            Chart(
                kind,
                TITLES[kind],
                caption(kind, self._ranking),
                tables[kind],
                f"data/{_FILES[kind].format(entry.key)}",
            )
            for kind in tables
        )
        path = entry.charts
        return pages.ChartsPage(
            frame=frame(
                f"{entry.title}: charts", path, f"{entry.title}: {', '.join(c.title for c in charts)}"
            ),
            board=entry,
            src=addresses.chart_data(entry.key),
            charts=charts,
            notes=tuple(self._notes()),
        )

    def data(self) -> dict[str, Any]:
        """As charts.js takes them; nothing in it is not finite."""
        return {
            "board": self._ranking.entry.title,
            "bots": [
                self._named(bot) for bot in self._bots
            ],
            "intervals": [self._interval(n) for n in range(len(self._bots))],
            "matrix": self._matrix(),
            "history": self._history(),
            "seats": [seat._asdict() for seat in self._board.seats] if self._board else None,
            "luck": _parts(self._board.luck) if self._board else None,
            "faults": [
                {"bot": self._bots.index(one.bot), "kind": one.kind, "games": one.played} for one in self._faults() if one.played
            ],
            "timing": [_times(self._timing.get(bot)) for bot in self._bots],
        }  # fmt: skip

    def _named(self, bot: BotId) -> dict[str, Any]:
        name = self._contest.called[bot]
        short = self._contest.short.get(name, (name, name))
        return {"name": name, "short": short, "slug": self._contest.slugs[bot], "digest": bot.digest[:12]}

    @property
    def _board(self) -> Board | None:
        return self._ranking.board

    @property
    def _timing(self) -> Timings:
        return timings(self._contest, self._ranking)

    def _notes(self) -> Iterator[str]:
        if len(self._ranking.history.games) == 1:
            yield "Ratings over games: too few games to show how they have moved."
        if self._board is None and self._bots:
            yield "Who beats whom, seats and luck are of each variant: see its own charts."
        if self._board:
            yield from (f"Skill and luck: {note}." for note in self._board.luck.notes)

    def _interval(self, n: int) -> dict[str, Any] | None:
        row, sure = self._ranking.rows[n], self._sure.get(self._bots[n])
        if row.rating is None:
            return None
        low, high = sure.interval if sure else (None, None)
        first, last = sure.ranks if sure else (None, None)
        return {
            "mu": row.rating.mu, "low": low, "high": high, "rank": row.rank, "rank_low": first, "rank_high": last,
            "provisional": row.provisional,
        }  # fmt: skip

    def _matrix(self) -> dict[str, Any] | None:
        if self._board is None:
            return None
        found = self._board.matrix
        order = [found.bots.index(bot) for bot in self._bots]
        games, wins, z = (table[np.ix_(order, order)] for table in (found.games, found.wins, found.z))
        share = np.divide(wins, games, out=np.zeros_like(wins), where=games > 0).round(4).tolist()
        met = games.round().astype(int).tolist()
        pairs = [
            [s if n else None for s, n in zip(*row, strict=True)] for row in zip(share, met, strict=True)
        ]
        return {"share": pairs, "games": met, "z": (z.round(2) + 0.0).tolist()}

    def _history(self) -> dict[str, Any]:
        found = self._ranking.history
        nothing = (None,) * len(found.games)
        return {
            "games": found.games, "mu": [found.mu.get(bot, nothing) for bot in self._bots], "low": None, "high": None,
        }  # fmt: skip

    def _faults(self) -> list[Spoilt]:
        here = set(self._bots)
        return [one for one in spoilt(faults(self._contest, self._ranking)) if one.bot in here]

    # tables of the same numbers

    def _cell(self, n: int) -> Cell:
        return bot_cell(self._contest, self._bots[n])

    def intervals(self) -> Table:
        """A bot a row."""
        rows = [
            (self._cell(n), number(found["mu"]), number(found["low"]), number(found["high"]))
            for n in range(len(self._bots))
            if (found := self._interval(n))
        ]
        return _table("intervals", ("bot", "mu", "low", "high"), rows)

    def history(self) -> Table | None:
        """A bot a row, a moment a column; of one moment there is nothing to draw."""
        found = self._ranking.history
        if len(found.games) < 2:
            return None
        moments = [f"{games:,}" for games in found.games]
        rows = [
            (self._cell(n), *map(number, found.mu[bot]))
            for n, bot in enumerate(self._bots)
            if bot in found.mu
        ]
        return _table("history", ("bot", *moments), rows, "A column is headed by the number of rated games.")

    def matrix(self) -> Table | None:
        """A bot a row, a bot a column."""
        found = self._matrix()
        if found is None:
            return None
        most = min(MOST, len(self._bots))
        rows = [
            (self._cell(n), *(_against(*cell) for cell in zip(*(found[key][n] for key in ("share", "games", "z")), strict=True)))[: most + 1]
            for n in range(most)
        ]  # fmt: skip
        notes = ["A cell: wins in percent, and z; · has not met.", "Columns are in the order of the rows."]
        if most < len(self._bots):
            notes.append(f"The first {most} of {len(self._bots)}: the CSV file has all.")
        return _table("matrix", ("bot", *(str(n + 1) for n in range(most))), rows, *notes)

    def seats(self) -> Table | None:
        """A seat a row."""
        if self._board is None:
            return None
        rows = [
            (
                Cell(str(seat.seat)),
                count(seat.games),
                *map(percent, (seat.share, seat.expected, seat.low, seat.high)),
            )
            for seat in self._board.seats
        ]
        return _table("seats", ("seat", "games", "1st", "fair", "low", "high"), rows)

    def luck(self) -> Table | None:
        """A part of the variance a row."""
        parts = _parts(self._board.luck) if self._board else None
        rows = [(Cell(name), percent(share)) for name, share in (parts or {}).items()]
        return _table("luck", ("part", "share"), rows)

    def faults(self) -> Table:
        """A bot and a kind a row; there is nothing to draw of games that were lost unplayed alone."""
        found = self._faults() if any(one.played for one in self._faults()) else []
        rows = [
            (bot_cell(self._contest, one.bot), Cell(str(one.kind)), count(one.played), count(one.unplayed))
            for one in found
        ]
        return _table("faults", FAULT_HEADS, rows)

    def timing(self) -> Table:
        """A bot a row."""
        rows = [
            (self._cell(n), *time_cells(found))
            for n, bot in enumerate(self._bots)
            if (found := self._timing.get(bot))
        ]
        return _table("timing", ("bot", *TIME_HEADS), rows, "Milliseconds.")


_TABLES: dict[ChartKind, Callable[[Charts], Table | None]] = {
    "intervals": Charts.intervals, "history": Charts.history, "matrix": Charts.matrix, "seats": Charts.seats,
    "luck": Charts.luck, "faults": Charts.faults, "timing": Charts.timing,
}  # fmt: skip
_FILES: dict[ChartKind, str] = {
    "intervals": "{}.csv", "history": "history.csv", "matrix": "matrix-{}.csv", "seats": "seats.csv",
    "luck": "luck.csv", "faults": "faults.csv", "timing": "timing.csv",
}  # fmt: skip
_TEXT = ("bot", "kind", "part", "variant")


def timings(contest: Contest, ranking: Ranking) -> Timings:
    """Of the only variant of a leaderboard, or of all games."""
    if ranking.board is None:
        return contest.timing
    return contest.timing_by_variant.get(ranking.board.kind.variant, {})


def _against(share: float | None, games: int, z: float) -> Cell:
    return Cell("·") if share is None else Cell(f"{share:.0%} {z:+.1f}", share, says=f"{games:,} games")


def _times(found: Timing | None) -> dict[str, float] | None:
    if found is None:
        return None
    return {
        "moves": found.moves,
        "median": found.median,
        "p95": found.p95,
        "p99": found.p99,
        "most": found.most,
    }


def _parts(found: Luck) -> dict[str, float | None] | None:
    """None where too few blocks were played to say anything."""
    if found.bot is None:
        return None
    shares = {"skill": found.bot, "seat": found.seat, "deal": found.deal, "rest": found.rest}
    return {name: None if share is None else round(share, 4) for name, share in shares.items()}


def _table(kind: ChartKind, heads: Sequence[str], rows: Sequence[tuple[Cell, ...]], *notes: str) -> Table:
    columns = tuple(Column(f"c{n}", head, number=head not in _TEXT) for n, head in enumerate(heads))
    return Table(f"{kind}-numbers", f"{TITLES[kind]} in numbers", columns, tuple(rows), notes)
