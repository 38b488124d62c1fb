"""Numbers, times and bots as cells of tables."""

from __future__ import annotations

from leaderboards.measured import Timing
from leaderboards.pages import Cell
from leaderboards.site import addresses
from leaderboards.site.contest import Contest
from protocol.vocabulary import BotId

FAULT_HEADS = ("bot", "kind", "games", "lost unplayed")
"""Of what `leaderboards.measured.spoilt` finds."""
TIME_HEADS = ("moves", "median", "95%", "99%", "most")


def time_cells(found: Timing) -> tuple[Cell, ...]:
    """Under TIME_HEADS."""
    return (count(found.moves), *map(milliseconds, (found.median, found.p95, found.p99, found.most)))


def milliseconds(value: float) -> Cell:
    """A time, with as many digits as mean something."""
    return Cell(f"{value:,.0f}" if value >= 100 else f"{value:.3g}", value)


def count(value: int) -> Cell:
    """A number of things."""
    return Cell(f"{value:,}", value)


def number(value: float | None) -> Cell:
    """A rating."""
    return Cell("–") if value is None else Cell(f"{value:.2f}", round(value, 4))


def percent(value: float | None) -> Cell:
    """A share of 1."""
    return Cell("–") if value is None else Cell(f"{value:.1%}", round(value, 4))


def bot_cell(contest: Contest, bot: BotId) -> Cell:
    """A bot, with its page."""
    return Cell(contest.called[bot], href=addresses.bot_page(contest.slugs[bot]))
