"""Leaderboards as pages."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from leaderboards import pages, words
from leaderboards.boards import Row
from leaderboards.confidence import Confidence
from leaderboards.measured import FaultSeen, Spoilt, spoilt
from leaderboards.pages import Cell, Column, Link, Span, Standing, Tick
from leaderboards.site import addresses
from leaderboards.site.cells import bot_cell
from leaderboards.site.contest import Contest, Ranking
from leaderboards.site.frames import frame
from leaderboards.views import RANKED, likely, ranked
from protocol.vocabulary import BotId

_FIELDS = {
    "rank": "rank", "bot": "bot", "mu": "mu", "sigma": "sigma", "95% interval": "interval", "exposure": "exposure",
    "P(1st)": "first", "P(top 3)": "top3", "games": "games", "W-D-L": "record", "1st (fair)": "share",
    "faults": "faults", "apart": "apart",
}  # fmt: skip
"""Columns of a ranking that a page has, and the fields of a Standing."""
_SAYS = {
    "rank": "Place by mu; beside it the places that the bot may have, 95% sure.",
    "bot": "Its name; a version of other files is another bot.",
    "mu": "The rating: TrueSkill's mean, of all games at once.",
    "sigma": "TrueSkill's standard deviation of it.",
    "interval": "mu ± 1.96 standard deviations of its difference to {}; games on one deal count as one observation.",
    "exposure": "mu − 3 sigma, a cautious rating.",
    "first": "Chance to be the best of all that met.",
    "top3": "Chance to be one of the best three.",
    "games": "Rated games.",
    "record": "Games in first place alone, in a shared one, in none.",
    "share": "Share of first places, and that of an equal bot.",
    "faults": "Share of games that the bot lost by a fault, or unplayed, being suspended for faults.",
    "apart": "Bots without a letter in common are told apart (Holm, 5%).",
}
_TICKS = 4
_LEVEL = 5
"""Names of those who are first."""
_TEXT = ("bot", "apart")


def board_page(contest: Contest, ranking: Ranking) -> pages.BoardPage:
    """The page of a leaderboard. Raises NotConverged."""
    known, entry = ranking.confidence, ranking.entry
    ticks, axis = _axis([sure.interval for sure in known.values()])
    kinds = _kinds(spoilt(faults(contest, ranking)))
    rows = tuple(
        _standing(contest, row, known.get(row.bot), axis, kinds.get(row.bot, "")) for row in ranking.rows
    )
    below = [*words.below(ranking.standings, ranking.rows, faults=False), *told_faults(contest, ranking)]
    leaders, leads = leading(contest, ranking)
    title = "Leaderboard" if entry.href == addresses.INDEX else entry.title
    return pages.BoardPage(
        frame=frame(title, entry.href, _summary(contest, ranking)),
        board=entry,
        above=words.order(ranking.rows, ranking.groups),
        leaders=leaders,
        leads=leads,
        groups=len({row.group for row in ranking.rows if row.group}) > 1,
        columns=_columns(ranking, anchored=contest.standings.settings.anchor is not None),
        rows=rows,
        ticks=ticks,
        empty="" if rows else below[0],
        below=tuple(below if rows else below[1:]),
        downloads=_downloads(entry),
    )


def _summary(contest: Contest, ranking: Ranking) -> str:
    """The first places, for whoever is sent a link."""
    best = [contest.called[row.bot] for row in ranking.rows[:3] if row.rank]
    return f"{contest.state} Best: {', '.join(best)}." if best else contest.state


def leading(contest: Contest, ranking: Ranking) -> tuple[tuple[Cell, ...], str]:
    """Who is first, and what is to be said after their names; nothing of one bot, or of some that never met."""
    ranked = [row for row in ranking.rows if row.rank]
    if len(ranked) < 2 or len({row.group for row in ranked}) > 1:
        return (), ""
    firsts = [bot_cell(contest, row.bot) for row in ranked if row.rank == 1]
    if len(firsts) > 1:
        more = len(firsts) - _LEVEL
        return (*firsts[:_LEVEL], *([Cell(f"{more:,} more")] if more > 0 else [])), "are level"
    sure = ranking.confidence.get(ranked[0].bot)
    chance = f"; the chance that it is the best is {likely(sure.first)}" if sure else ""
    return tuple(firsts), f"leads{chance}"


def told_faults(contest: Contest, ranking: Ranking) -> list[str]:
    """What went wrong in its games, and apart from that what suspended bots lost unplayed."""
    found = spoilt(faults(contest, ranking))
    made = [f"{contest.called[one.bot]} {one.played:,} {one.kind}" for one in found if one.played]
    lost = [f"{contest.called[one.bot]} {one.unplayed:,} ({one.kind})" for one in found if one.unplayed]
    return [
        *([f"Games with a fault: {words.listed(made)}."] if made else []),
        *([f"Games lost unplayed by suspended bots: {words.listed(lost)}."] if lost else []),
    ]


def faults(contest: Contest, ranking: Ranking) -> list[FaultSeen]:
    """Those in games of the variants of a leaderboard."""
    variants = {board.kind.variant for board in ranking.standings.boards}
    return [fault for fault in contest.faults if fault.variant in variants]


def _downloads(entry: pages.Board) -> tuple[Link, ...]:
    return (
        Link("this table as CSV", f"data/{entry.key}.csv"),
        Link("all tables as JSON", "data/leaderboard.json"),
    )


def _columns(ranking: Ranking, *, anchored: bool) -> tuple[Column, ...]:
    """Those that tell something here."""
    dull = {"P(top 3)"} if all(len(group.bots) < 4 for group in ranking.groups) else set()
    middle = "the anchor" if anchored else "the middle of the field"
    return tuple(
        Column(field, column.name, _SAYS[field].format(middle), number=field not in _TEXT)
        for column in RANKED
        if (field := _FIELDS.get(column.name)) and column.name not in dull
    )


def _standing(
    contest: Contest, row: Row, sure: Confidence | None, axis: tuple[float, float], says: str
) -> Standing:
    """`says`: what its faults were."""
    text, tally, rating = ranked(row, contest.called[row.bot], sure), row.tally, row.rating
    share, fair = text["1st (fair)"].rstrip(")").split(" (")
    last = math.inf if row.rank is None else row.rank
    return Standing(
        rank=Cell(str(row.rank or "–"), min(last, 1e9)),
        ranks=Cell(text["range"], sure.ranks[0] if sure else None, says="places that it may have, 95% sure"),
        bot=Cell(text["bot"], href=addresses.bot_page(contest.slugs[row.bot])),
        mu=Cell(text["mu"], rating.mu if rating else -1e9),
        sigma=Cell(text["sigma"], rating.sigma if rating else 1e9),
        interval=Cell(text["95% interval"], sure.interval[0] if sure else -1e9),
        span=_span(sure, rating.mu, axis) if sure and rating else None,
        exposure=Cell(text["exposure"], round(rating.exposure, 4) if rating else -1e9),
        first=Cell(text["P(1st)"], sure.first if sure else -1.0),
        top3=Cell(text["P(top 3)"], sure.top3 if sure else -1.0),
        games=Cell(text["games"], tally.games),
        record=Cell(text["W-D-L"], tally.wins),
        share=Cell(share, round(tally.win_share, 4)),
        fair=Cell(fair, round(tally.expected_share, 4)),
        faults=Cell(text["faults"], round(tally.fault_share, 4), says=says),
        apart=Cell(text["apart"]),
        group=row.group,
        provisional=row.provisional,
        missing=f"no rated game of {words.listed(row.missing)}" if row.missing else "",
    )


def _kinds(found: Iterable[Spoilt]) -> dict[BotId, str]:
    """By bot: how many of its games it lost by which faults."""
    said: dict[BotId, list[str]] = {}
    for one in found:
        lost = f"{one.unplayed:,} unplayed, suspended" if one.unplayed else ""
        said.setdefault(one.bot, []).extend(
            [f"{one.played:,} {one.kind}"] * bool(one.played) + [lost] * bool(lost)
        )
    return {bot: ", ".join(parts) for bot, parts in said.items()}


def _span(sure: Confidence, mu: float, axis: tuple[float, float]) -> Span:
    return Span(*(_at(value, axis) for value in (sure.interval[0], mu, sure.interval[1])))


def _at(value: float, axis: tuple[float, float]) -> float:
    """Where that is, in percent."""
    low, high = axis
    return round(100 * (value - low) / (high - low), 2)


def _axis(intervals: Sequence[tuple[float, float]]) -> tuple[tuple[Tick, ...], tuple[float, float]]:
    """Marks at round numbers, and the ends of an axis that has all intervals in it."""
    if not intervals:
        return (), (0.0, 1.0)
    low, high = min(low for low, _ in intervals), max(high for _, high in intervals)
    low, high = (low, high) if high > low else (low - 1, high + 1)
    margin = (high - low) / 20
    low, high = low - margin, high + margin
    step = _step((high - low) / _TICKS)
    marks = [number * step for number in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return tuple(Tick(_at(mark, (low, high)), f"{mark:g}") for mark in marks), (low, high)


def _step(least: float) -> float:
    """The next 1, 2 or 5 times a power of ten.

    >>> _step(0.7), _step(2.1), _step(1.0)
    (1.0, 5.0, 1.0)
    """
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * (1 - 1e-9))
