"""The report of a tournament: what was played, by whom and how, what came out, and what of that is sure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from leaderboards import pages, words
from leaderboards.measured import spoilt
from leaderboards.pages import Cell, Column, Section, Table
from leaderboards.sheets import Sheet
from leaderboards.site import addresses
from leaderboards.site.boards import leading
from leaderboards.site.cells import FAULT_HEADS, TIME_HEADS, bot_cell, count, time_cells
from leaderboards.site.contest import About, Contest, Ranking
from leaderboards.site.frames import alone, frame
from leaderboards.views import VIEWS, ranking
from protocol.vocabulary import Verdict

_TESTS = ("fit", "seats", "luck")


def report_page(contest: Contest, style: str = "") -> pages.ReportPage:
    """The report; with a style sheet it is a page of its own. Raises NotConverged, NoEquilibrium."""
    summary = (
        f"{contest.state} {contest.facts[0].name}: {contest.facts[0].text}."
        if contest.facts
        else contest.state
    )
    title = "Report"
    parts = [
        _standings(contest),
        _sure(contest),
        _rated(contest),
        _games(contest),
        _bots(contest),
        *contest.report.before,
        _faults(contest),
        _times(contest),
        *contest.report.after,
    ]
    found = tuple(part for part in parts if part.tables or part.facts or part.paragraphs or part.commands)
    whole = (
        alone(f"{contest.name}: report", style, summary) if style else frame(title, addresses.REPORT, summary)
    )
    sections = tuple(map(_without_links, found)) if style else found
    return pages.ReportPage(whole, (*contest.report.lead, *_best(contest)), sections)


def _best(contest: Contest) -> list[str]:
    """Who is first, and whether that is known."""
    leaders, leads = leading(contest, contest.rankings[0])
    said = [f"{words.joined([one.text for one in leaders])} {leads}."] if leaders else []
    return [*said, *words.order(contest.standings.rows, contest.rankings[0].groups)]


def _standings(contest: Contest) -> Section:
    """What the columns mean stands below the last table."""
    shown = [one for one in contest.rankings if one.rows]
    tables = [_ranking(contest, one) for one in shown]
    plain = [
        replace(table, notes=words.order(one.rows, one.groups))
        for one, table in zip(shown, tables, strict=True)
    ]
    return Section("standings", "Standings", tables=(*plain[:-1], *tables[-1:]))


def _ranking(contest: Contest, one: Ranking) -> Table:
    anchored = contest.standings.settings.anchor is not None
    sheet = ranking(one.entry.title, one.rows, one.groups, anchored=anchored)
    return table_of(sheet, f"standings-{one.entry.key}", sheet.above)


def _rated(contest: Contest) -> Section:
    below = words.below(contest.standings, contest.standings.rows, faults=False)
    return Section("rated", "What was rated, and how", tuple(below))


def table_of(sheet: Sheet, id: str, above: Iterable[str] = ()) -> Table:
    """What is shown on a terminal, as a table of a page."""
    columns = tuple(
        Column(f"c{n}", one.name, one.says, number=not one.left) for n, one in enumerate(sheet.columns)
    )
    rows = tuple(tuple(map(Cell, row)) for row in sheet.rows)
    return Table(id, sheet.title, columns, rows, (*above, *sheet.legend))


def _sure(contest: Contest) -> Section:
    """What is known of the order, and whether the ratings say all that there is to say."""
    boards = contest.standings.boards
    sheets = [(view, sheet) for view in _TESTS if boards for sheet in VIEWS[view](boards, None)]
    tables = tuple(table_of(sheet, f"{view}-{n}") for n, (view, sheet) in enumerate(sheets))
    said = [f"{one.entry.title}: {line}" for one in contest.rankings for line in _neighbours(contest, one)]
    return Section("significance", "What is sure, and what is not", tuple(said), tables=tables)


def _neighbours(contest: Contest, one: Ranking) -> list[str]:
    """Which bots next to each other in the table are not told apart."""
    sure, bots = one.confidence, [row.bot for row in one.rows]
    groups = {row.bot: row.group for row in one.rows}
    open_ = [
        f"{contest.called[a]} and {contest.called[b]}"
        for a, b in pairwise(bots)
        if groups[a] == groups[b] and a in sure and b in sure and set(sure[a].letters) & set(sure[b].letters)
    ]
    if not sure:
        return []
    if not open_:
        return ["all neighbours in the table are told apart (Holm over all pairs, 5%)."]
    return [f"neighbours that are not told apart (Holm over all pairs, 5%): {words.listed(open_)}."]


def _games(contest: Contest) -> Section:
    by_variant: dict[str, list[pages.Cell]] = {}
    ended = Counter((game.result.variant, game.result.verdict) for game in contest.games)
    blocks = Counter(
        variant for variant, _ in {(game.result.variant, game.result.block) for game in contest.games}
    )
    deals = Counter(
        variant for variant, _ in {(game.result.variant, game.result.deal) for game in contest.games}
    )
    for variant in sorted(blocks):
        verdicts = [ended[variant, verdict] for verdict in (Verdict.FINISHED, Verdict.FORFEIT, Verdict.VOID)]
        numbers = (deals[variant], blocks[variant], sum(verdicts), *verdicts)
        by_variant[variant] = [Cell(variant), *map(count, numbers)]
    heads = ("variant", "deals", "blocks", "games", "finished", "forfeit", "void")
    columns = tuple(Column(f"c{n}", head, number=bool(n)) for n, head in enumerate(heads))
    notes = (
        "A block is one meeting on one deal, in every seating. A forfeit is a game that a fault ended; a void one was "
        "spoilt by the arena, and counts for nothing.",
    )
    table = Table("played", "By variant", columns, tuple(map(tuple, by_variant.values())), notes)
    return Section("games", "What was played", tables=(table,) if table.rows else ())


def _bots(contest: Contest) -> Section:
    rows = []
    for bot in contest.bots:
        said = {fact.name: fact.text for fact in contest.about.get(bot, About()).facts}
        texts = (
            said.get("version", "–"),
            said.get("language", "–"),
            said.get("authors", "–"),
            bot.digest or "–",
        )
        rows.append((bot_cell(contest, bot), *map(Cell, texts)))
    heads = ("bot", "version", "language", "authors", "SHA-256 of its files")
    columns = tuple(Column(f"c{n}", head, number=False, wraps=not n) for n, head in enumerate(heads))
    return Section("bots", "Who played", tables=(Table("who", "Bots", columns, tuple(rows)),) if rows else ())


def _faults(contest: Contest) -> Section:
    rows = tuple(
        (bot_cell(contest, one.bot), Cell(str(one.kind)), count(one.played), count(one.unplayed))
        for one in spoilt(contest.faults)
    )
    columns = tuple(Column(f"c{n}", head, number=n > 1) for n, head in enumerate(FAULT_HEADS))
    away = [about.suspended for _, about in sorted(contest.about.items()) if about.suspended]
    said = [*away, *([] if rows else ["No bot made a fault."])]
    table = Table("fault-kinds", "Games that ended in a fault", columns, rows)
    return Section("faults", "Faults and suspensions", tuple(said), tables=(table,) if rows else ())


def _times(contest: Contest) -> Section:
    rows = tuple((bot_cell(contest, bot), *time_cells(times)) for bot, times in contest.timing.items())
    heads = ("bot", *TIME_HEADS)
    columns = tuple(Column(f"c{n}", head, number=bool(n)) for n, head in enumerate(heads))
    notes = ("Milliseconds a move, by the referee's clock.",)
    tables = (Table("times", "Milliseconds a move", columns, rows, notes),) if rows else ()
    return Section("timing", "Thinking time", tables=tables)


def _without_links(part: Section) -> Section:
    """The same for a page that has no others beside it."""
    tables = tuple(
        Table(
            t.id,
            t.title,
            t.columns,
            tuple(tuple(c._replace(href="") for c in row) for row in t.rows),
            t.notes,
            t.empty,
        )
        for t in part.tables
    )
    facts = tuple(fact._replace(href="") for fact in part.facts)
    return Section(part.id, part.title, part.paragraphs, facts, tables, part.commands)
