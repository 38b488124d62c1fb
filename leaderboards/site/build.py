"""All files of a site but the replays, which are made of records."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files as resources
from importlib.resources.abc import Traversable

from leaderboards.pages import Page, Site
from leaderboards.site import addresses, data
from leaderboards.site.boards import board_page
from leaderboards.site.bots import BotPages
from leaderboards.site.charts import Charts
from leaderboards.site.contest import Contest
from leaderboards.site.games import game_page, games_page, moment, shards
from leaderboards.site.meetings import Meetings
from leaderboards.site.printing import Printer, trusted
from leaderboards.site.report import report_page

MOST_PAIRS = 20_000
"""Pairs of bots that met, above which they have no pages."""
File = tuple[str, bytes]
"""A path from the root of the site, with `/`, and what is in it."""


def files(contest: Contest, meetings: Meetings) -> Iterator[File]:
    """The files of a site, equal ones for an equal contest. Raises NotConverged, NoEquilibrium."""
    site, printer = site_of(contest), Printer(contest.short)
    for page in _pages(contest, meetings):
        yield page.frame.path, printer.page(site, page)
    for ranking in contest.rankings:
        key = ranking.entry.key
        yield addresses.chart_data(key), data.script("charts", key, Charts(contest, ranking).data())
    for name, games in shards(contest):
        yield addresses.shard_script(name), data.script("games", name, games)
    yield addresses.TERMS, data.script("terms", contest.lang, contest.terms)
    yield from data.files(contest)
    yield from assets()


def site_of(contest: Contest) -> Site:
    """What its pages share."""
    newest = max((game.finished for game in contest.games), default="")
    return Site(
        title=contest.name, lang=contest.lang, shard=contest.shard, generated=f"{moment(newest)} UTC" if newest else "",
        version=contest.version, boards=tuple(ranking.entry for ranking in contest.rankings), facts=contest.facts,
        state=contest.state, over=contest.over, live=contest.live, marks=contest.marks,
    )  # fmt: skip


def report(contest: Contest) -> bytes:
    """The report as a page of its own. Raises NotConverged, NoEquilibrium."""
    style = (_dist() / "site.css").read_text("utf-8")
    return Printer(contest.short).page(site_of(contest), report_page(contest, trusted(style)))


def meetings_of(contest: Contest) -> Meetings:
    """Who met whom in it."""
    found = Meetings(contest.games)
    for ranking in contest.variants:
        if ranking.board:
            found.rate(ranking.board.label, ranking.board.results)
    return found


def _pages(contest: Contest, meetings: Meetings) -> Iterator[Page]:
    paired = len(meetings.between) <= MOST_PAIRS
    for ranking in contest.rankings:
        yield board_page(contest, ranking)
        yield Charts(contest, ranking).page()
    made = BotPages(contest, meetings, paired=paired)
    yield from map(made.bot, contest.bots)
    yield from made.pairs() if paired else ()
    yield from (games_page(contest), game_page(contest), report_page(contest))


def assets() -> Iterator[File]:
    """What pages load, as it is shipped; what only a server has is left out."""
    for file in sorted(_dist().iterdir(), key=lambda file: file.name):
        if not file.name.startswith("live."):
            yield f"assets/{file.name}", file.read_bytes()


def _dist() -> Traversable:
    return resources("leaderboards") / "web" / "dist"
