"""What the charts of a leaderboard are called, what each shows, and how it is read."""

from __future__ import annotations

from collections.abc import Callable

from leaderboards.pages import ChartKind
from leaderboards.seats import FEW_DEALS
from leaderboards.site.contest import Ranking

TITLES: dict[ChartKind, str] = {
    "intervals": "Rating intervals", "history": "Ratings over games", "matrix": "Who beats whom", "seats": "Seats",
    "luck": "Skill and luck", "faults": "Faults", "timing": "Thinking time",
}  # fmt: skip
"""In the order of the page."""


def caption(kind: ChartKind, ranking: Ranking) -> str:
    """What stands above a picture. Raises NotConverged."""
    said = _SAYS[kind]
    return said if isinstance(said, str) else said(ranking)


def _intervals(ranking: Ranking) -> str:
    """Only what is drawn is explained."""
    said = "The rating of each bot"
    if ranking.confidence:
        said += (
            ", and a bar where it lies with 95% certainty against the middle of the field; games on one deal count as "
            "one observation."
        )
    else:
        said += ". There are no intervals: of one deal nothing can be said of how sure it is."
    hollow = any(row.provisional and row.rating for row in ranking.rows)
    return f"{said} Hollow: provisional." if hollow else said


def _seats(ranking: Ranking) -> str:
    said = (
        "How often the first place went to each seat (or team), whoever sat there; the mark is a fair share."
    )
    if ranking.board and any(seat.low is not None for seat in ranking.board.seats):
        return f"{said} The bar is a 95% interval by deals."
    return f"{said} There are no intervals: they take {FEW_DEALS} deals, not all of which end alike."


_SAYS: dict[ChartKind, str | Callable[[Ranking], str]] = {
    "intervals": _intervals,
    "history": "What the ratings were when so many games were over: each time all games until then are rated at once.",
    "matrix": "The row's bot against the column's: its share of wins in percent, a tie being half of one. A + or − marks "
    "what is 2 standard deviations above or below that which the ratings expect, ++ or −− what is 3.",
    "seats": _seats,
    "luck": "What makes the score of a single game: who plays whom, the seat, the deal, and the rest. Mirrored deals "
    "cancel what the deal gives.",
    "faults": "In how many games a bot made a fault, by bot and kind. Games that it lost unplayed, being suspended, are "
    "not drawn; they stand in the numbers.",
    "timing": "Milliseconds that a bot thought about a move: half of its moves took less than the median, 95% less than "
    "the next mark, 99% less than the last.",
}
