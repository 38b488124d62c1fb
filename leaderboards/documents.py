"""Leaderboards for programs and spreadsheets: one JSON document, or the records of one view.

Numbers are rounded to 1e-4. What comes from outside is text, and stays text: no cell is a formula, no
character moves a cursor.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from leaderboards import entries, words
from leaderboards.boards import Board, Row
from leaderboards.confidence import Confidence, Group, by_bot
from leaderboards.games import Array
from leaderboards.standings import Standings
from protocol.escape import cell
from protocol.vocabulary import BotId

SCHEMA = "kingmaker/leaderboard/2"
"""Of the JSON document; its number is raised when a key changes its meaning or goes."""


def document(standings: Standings, views: Collection[str]) -> str:
    """The overall table and that of each variant as JSON, with these views of each; ends in a newline.

    Raises NotConverged, NoEquilibrium.
    """
    whole = {"schema": SCHEMA, **asdict(_leaderboard(standings, views))}
    return json.dumps(whole, indent=2, allow_nan=False) + "\n"


def _leaderboard(standings: Standings, views: Collection[str]) -> entries.LeaderboardEntry:
    chosen = standings.selection
    return entries.LeaderboardEntry(
        digest=standings.digest,
        settings_digest=standings.settings.digest,
        games_digest=standings.games_digest,
        settings=entries.SettingsEntry(**asdict(standings.settings)),
        games=chosen.rated,
        blocks=chosen.blocks,
        incomplete_blocks=chosen.incomplete_blocks,
        incomplete_games=chosen.incomplete_games,
        void=chosen.void,
        unratable=chosen.unratable,
        faulty_blocks=chosen.faulty_blocks,
        faulty_games=chosen.faulty_games,
        isolation=standings.isolation,
        notes=list(standings.notes),
        unrated=list(standings.unrated),
        idle=list(map(_bot, standings.idle)),
        groups=list(map(_group, standings.confidence)),
        rows=_rows(standings.rows, standings.confidence),
        variants=[_variant(board, views) for board in standings.boards],
    )


def _variant(board: Board, views: Collection[str]) -> entries.VariantEntry:
    return entries.VariantEntry(
        label=board.label,
        **board.kind._asdict(),
        weight=round(board.weight, 4),
        games=board.games,
        draw_probability=board.draw_probability,
        draw_margin=board.draw_margin,
        groups=list(map(_group, board.confidence)),
        rows=_rows(board.rows, board.confidence),
        matrix=_matrix(board) if "matrix" in views else None,
        fit=_fit(board) if "fit" in views else None,
        seats=_seats(board) if "seats" in views else None,
        luck=_luck(board) if "luck" in views else None,
    )


def _bot(bot: BotId) -> entries.BotEntry:
    return entries.BotEntry(bot.name, bot.digest)


def _group(group: Group) -> entries.GroupEntry:
    return entries.GroupEntry(list(map(_bot, group.bots)), group.deals, group.tau, group.neighbours)


def _rows(rows: Sequence[Row], groups: Sequence[Group]) -> list[entries.RowEntry]:
    known = by_bot(groups)
    return [_row(row, known.get(row.bot)) for row in rows]


def _row(row: Row, sure: Confidence | None) -> entries.RowEntry:
    rating, tally = row.rating, row.tally
    low, high = sure.ranks if sure else (None, None)
    interval_low, interval_high = sure.interval if sure else (None, None)
    return entries.RowEntry(
        rank=row.rank,
        rank_low=low,
        rank_high=high,
        group=row.group,
        bot=_bot(row.bot),
        mu=rating.mu if rating else None,
        sigma=rating.sigma if rating else None,
        interval_low=interval_low,
        interval_high=interval_high,
        exposure=round(rating.exposure, 4) if rating else None,
        first=sure.first if sure else None,
        top3=sure.top3 if sure else None,
        letters=sure.letters if sure else "",
        games=tally.games,
        wins=tally.wins,
        draws=tally.draws,
        losses=tally.losses,
        win_share=round(tally.win_share, 4),
        expected_share=round(tally.expected_share, 4),
        fault_share=round(tally.fault_share, 4),
        faults={str(kind): number for kind, number in tally.faults},
        provisional=row.provisional,
        missing=list(row.missing),
    )


def _matrix(board: Board) -> entries.MatrixEntry:
    found = board.matrix
    order = [found.bots.index(row.bot) for row in board.rows]

    def table(values: Array) -> list[list[float]]:
        rows: list[list[float]] = (np.round(values[np.ix_(order, order)], 4) + 0.0).tolist()
        return rows

    games = [[round(number) for number in row] for row in table(found.games)]
    bots = [_bot(row.bot) for row in board.rows]
    return entries.MatrixEntry(bots, games, table(found.wins), table(found.expected), table(found.z))


def _fit(board: Board) -> entries.FitEntry:
    found, mixture = board.fitting, board.nash
    return entries.FitEntry(
        says=words.fit(board),
        chi2=round(found.chi2, 4) if found.dof else None,
        dof=found.dof,
        p=float(f"{found.p:.4g}") if found.dof else None,
        dispersion=_rounded(board.dispersion),
        fires=found.fires,
        surprises=[
            entries.SurpriseEntry(_bot(bot), _bot(against), round(share, 4), round(expected, 4), round(z, 4))
            for bot, against, share, expected, z in found.surprises
        ],
        nash=mixture
        if mixture is None
        else [entries.NashEntry(_bot(p.bot), round(p.weight, 4), round(p.included, 4)) for p in mixture],
    )


def _seats(board: Board) -> list[entries.SeatEntry]:
    nothing = (None, None, None)
    return [
        entries.SeatEntry(
            seat.seat, seat.games, round(seat.share, 4), round(seat.expected, 4), _rounded(seat.low), _rounded(seat.high),
            *(map(_rounded, board.advantage) if board.advantage and not number else nothing),
        )
        for number, seat in enumerate(board.seats)
    ]  # fmt: skip


def _luck(board: Board) -> entries.LuckEntry:
    found = board.luck
    return entries.LuckEntry(
        blocks=found.blocks,
        deals=found.deals,
        skill=_rounded(found.bot),
        seat=_rounded(found.seat),
        deal=_rounded(found.deal),
        rest=_rounded(found.rest),
        correlation=_rounded(found.correlation),
        saving=_rounded(found.saving),
        blocks_55=found.needed(0.55),
        blocks_60=found.needed(0.6),
        blocks_70=found.needed(0.7),
        notes=list(found.notes),
    )


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)


def records(standings: Standings, delimiter: str, *, by: str, view: str) -> str:
    """A view as one header line and a line for each bot, pair, seat or variant; what is not known is empty.

    Raises NotConverged.
    """
    kind, of = _RECORDS[view]
    lines = [(board.label, entry) for board in standings.boards for entry in of(board)]
    if view == "table" and by == "overall":
        lines = [("overall", entry) for entry in _rows(standings.rows, standings.confidence)]
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    keys = [field.name for field in fields(kind) if field.name not in _NESTED]
    writer.writerow(["variant", *(name for key in keys for name in _BOTS.get(key, (key,)))])
    for label, entry in lines:
        cells = [label, *(value for key in keys for value in _cells(getattr(entry, key)))]
        writer.writerow([cell(one) if isinstance(one, str) else one for one in cells])
    return out.getvalue()


_NESTED = ("surprises", "nash")
"""What has no place in a line."""
_BOTS = {"bot": ("bot", "digest"), "against": ("against", "against_digest")}


def _cells(value: Any) -> list[Any]:
    match value:
        case entries.BotEntry():
            return [value.name, value.digest]
        case bool():
            return ["yes" if value else "no"]
        case dict():
            return [" ".join(f"{key}={number}" for key, number in value.items())]
        case list():
            return ["; ".join(value)]
    return [value]


@dataclass(frozen=True, slots=True)
class _Pair:
    """Of a matrix, one bot against another."""

    bot: entries.BotEntry
    against: entries.BotEntry
    games: int
    wins: float
    expected: float
    z: float


def _pairs(board: Board) -> list[_Pair]:
    """A row of the matrix for every two bots that met, twice: once from the side of each."""
    table = _matrix(board)
    return [
        _Pair(bot, against, games, table.wins[i][j], table.expected[i][j], table.z[i][j])
        for i, bot in enumerate(table.bots)
        for j, against in enumerate(table.bots)
        if (games := table.games[i][j])
    ]


_RECORDS: dict[str, tuple[type[Any], Callable[[Board], Sequence[Any]]]] = {
    "table": (entries.RowEntry, lambda board: _rows(board.rows, board.confidence)),
    "matrix": (_Pair, _pairs),
    "fit": (entries.FitEntry, lambda board: [_fit(board)]),
    "seats": (entries.SeatEntry, _seats),
    "luck": (entries.LuckEntry, lambda board: [_luck(board)]),
}
