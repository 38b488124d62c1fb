"""Standings for programs and spreadsheets: one record a bot, or one JSON document.

Numbers are rounded to 1e-4. What comes from outside is text, and stays text: no cell is a formula, no
character moves a cursor.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

from leaderboards import ratings
from leaderboards.standings import Board, Row, Standings, Tally
from protocol.escape import cell
from protocol.vocabulary import BotId

SCHEMA = "kingmaker/leaderboard/1"
"""Of the JSON document; its number is raised when a key changes its meaning or goes."""


def records(tables: Sequence[tuple[str, Sequence[Row]]], delimiter: str) -> str:
    """Labelled tables as one header line and a line for each bot; what is not known is empty."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(_RECORD)
    for label, rows in tables:
        for row in rows:
            writer.writerow([cell(one) if isinstance(one, str) else one for one in _record(label, row)])
    return out.getvalue()


_RECORD = (
    "variant", "rank", "bot", "digest", "mu", "sigma", "interval_low", "interval_high", "exposure", "games",
    "wins", "draws", "losses", "win_share", "expected_share", "faults", "provisional", "missing",
)  # fmt: skip


def _record(label: str, row: Row) -> list[object]:
    faults = " ".join(f"{kind}={count}" for kind, count in row.tally.faults)
    number = _numbers(row.tally)
    return [
        label, row.rank, row.bot.name, row.bot.digest, *_estimates(row).values(), *number.values(), faults,
        "yes" if row.provisional else "no", " ".join(row.missing),
    ]  # fmt: skip


def _estimates(row: Row) -> dict[str, float | None]:
    if row.rating is None:
        return dict.fromkeys(("mu", "sigma", "interval_low", "interval_high", "exposure"))
    low, high = row.rating.interval
    return {
        "mu": row.rating.mu,
        "sigma": row.rating.sigma,
        "interval_low": round(low, 4),
        "interval_high": round(high, 4),
        "exposure": round(row.rating.exposure, 4),
    }


def _numbers(tally: Tally) -> dict[str, float]:
    return {
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "win_share": round(tally.win_share, 4),
        "expected_share": round(tally.expected_share, 4),
    }


def document(standings: Standings) -> str:
    """The standings as JSON, with the overall table and the one of each variant; ends in a newline."""
    return json.dumps(_document(standings), indent=2, allow_nan=False) + "\n"


def _document(standings: Standings) -> dict[str, Any]:
    plain = ("games", "blocks", "incomplete_blocks", "incomplete_games", "void", "unratable")
    return {
        "schema": SCHEMA,
        "digest": standings.digest,
        "settings": {
            "mu": ratings.MU,
            "sigma": round(ratings.SIGMA, 4),
            "beta": round(ratings.BETA, 4),
            "tau": standings.tau,
            "interval": standings.interval,
        },
        **{name: getattr(standings, name) for name in plain},
        "isolation": standings.isolation,
        "notes": list(standings.notes),
        "rows": [_entry(row) for row in standings.rows],
        "variants": [_variant(board) for board in standings.boards],
    }


def _variant(board: Board) -> dict[str, Any]:
    return {
        "label": board.label,
        **board.kind._asdict(),
        "weight": round(board.weight, 4),
        "games": board.games,
        "draw_probability": board.draw_probability,
        "draw_margin": board.draw_margin,
        "groups": [[_bot(bot) for bot in group] for group in board.groups],
        "rows": [_entry(row) for row in board.rows],
    }


def _entry(row: Row) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "bot": _bot(row.bot),
        **_estimates(row),
        **_numbers(row.tally),
        "faults": {str(kind): count for kind, count in row.tally.faults},
        "provisional": row.provisional,
        "missing": list(row.missing),
    }


def _bot(bot: BotId) -> dict[str, str]:
    return {"name": bot.name, "digest": bot.digest}
