"""The page of each bot, and of each two that met."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from leaderboards import pages, words
from leaderboards.boards import Board, Row
from leaderboards.measured import FaultSeen, spoilt
from leaderboards.pages import Cell, Column, Fact, Link, Table
from leaderboards.site import addresses
from leaderboards.site.cells import TIME_HEADS, bot_cell, count, number, percent, time_cells
from leaderboards.site.contest import About, Contest, Ranking
from leaderboards.site.frames import frame
from leaderboards.site.games import games_table, id_cell, moment
from leaderboards.site.meetings import Meetings, Pair
from protocol.vocabulary import BotId

_NEWEST = 50
"""Games in a list of a bot's."""
_PAIR_GAMES = 200
_FAULTS = 100
_EVIDENCE = 160
"""Characters of evidence that a page shows."""


class BotPages:
    """Pages of bots and of pairs of them, by the games that they played."""

    def __init__(self, contest: Contest, meetings: Meetings, *, paired: bool) -> None:
        """`paired`: there are pages of pairs to link to."""
        self._contest, self._meetings, self._paired = contest, meetings, paired
        self._made: defaultdict[BotId, list[FaultSeen]] = defaultdict(list)
        self._lost: defaultdict[BotId, list[FaultSeen]] = defaultdict(list)
        for fault in contest.faults:
            (self._lost if fault.unplayed else self._made)[fault.bot].append(fault)
        self._rows = {
            ranking.entry.key: {row.bot: row for row in ranking.rows} for ranking in contest.rankings
        }
        self._sure = {ranking.entry.key: ranking.confidence for ranking in contest.rankings}
        self._place = {
            board.label: {bot: n for n, bot in enumerate(board.matrix.bots)}
            for ranking in contest.variants
            if (board := ranking.board)
        }

    def bot(self, bot: BotId) -> pages.BotPage:
        """The page of a bot."""
        contest = self._contest
        path = addresses.bot_page(contest.slugs[bot])
        tables = [
            self._places(bot),
            *(self._opponents(bot, board) for ranking in contest.variants if (board := ranking.board)),
            self._faults(bot),
            self._times(bot),
            self._versions(bot),
            games_table(contest, "newest", "Newest games", self._meetings.of[bot], _NEWEST, bot),
        ]
        return pages.BotPage(
            frame=frame(contest.called[bot], path, f"{contest.called[bot]} in {contest.name}"),
            name=contest.called[bot],
            digest=bot.digest,
            facts=self._facts(bot),
            tables=tuple(table for table in tables if table.rows),
        )

    def _facts(self, bot: BotId) -> tuple[Fact, ...]:
        about, games = self._contest.about.get(bot, About()), len(self._meetings.of[bot])
        made = len({fault.game for fault in self._made[bot]})
        facts = [*about.facts, Fact("games", f"{games:,}")]
        facts.append(Fact("games with a fault", f"{made:,}" if made else "none"))
        if lost := len({fault.game for fault in self._lost[bot]}):
            facts.append(Fact("games lost unplayed", f"{lost:,}", says="since it is suspended"))
        if about.suspended:
            facts.append(Fact("suspended", about.suspended))
        return tuple(facts)

    def _places(self, bot: BotId) -> Table:
        found = [
            (ranking, row)
            for ranking in self._contest.rankings
            if (row := self._rows[ranking.entry.key].get(bot))
        ]
        return _table(
            "places", "Places", _PLACES, (self._placed(ranking, row) for ranking, row in found)
        )  # fmt: skip

    def _placed(self, ranking: Ranking, row: Row) -> tuple[Cell, ...]:
        sure, rating, tally = self._sure[ranking.entry.key].get(row.bot), row.rating, row.tally
        interval = f"{sure.interval[0]:.2f} … {sure.interval[1]:.2f}" if sure else "–"
        return (
            Cell(ranking.entry.title, href=ranking.entry.href),
            Cell(f"{row.rank}{'*' if row.provisional else ''}" if row.rank else "–", row.rank),
            Cell("–".join(map(str, dict.fromkeys(sure.ranks))) if sure else "–"),
            number(rating.mu if rating else None),
            number(rating.sigma if rating else None),
            Cell(interval, sure.interval[0] if sure else None),
            count(tally.games),
            Cell(f"{tally.wins:,}-{tally.draws:,}-{tally.losses:,}", tally.wins),
            percent(tally.win_share),
            percent(tally.fault_share),
        )

    def _opponents(self, bot: BotId, board: Board) -> Table:
        others = [row.bot for row in board.rows if row.bot != bot]
        rows = [row for other in others if (row := self._against(board, bot, other))]
        id = f"opponents-{self._contest.variants.index(self._of(board)) + 1}"
        return _table(id, f"Opponents in {board.label}", (_OPPONENT, *_SCORES), rows)

    def _of(self, board: Board) -> Ranking:
        return next(ranking for ranking in self._contest.variants if ranking.board is board)

    def _against(self, board: Board, bot: BotId, other: BotId) -> tuple[Cell, ...]:
        """Empty where they have no rated game."""
        cells = self._scored(board, bot, other)
        return (self._opponent(bot, other), *cells) if cells else ()

    def _opponent(self, bot: BotId, other: BotId) -> Cell:
        slugs = self._contest.slugs
        if not self._paired:
            return bot_cell(self._contest, other)
        return Cell(self._contest.called[other], href=addresses.pairing_page(slugs[bot], slugs[other]))

    def _scored(self, board: Board, bot: BotId, other: BotId) -> tuple[Cell, ...]:
        score, place = self._meetings.score(board.label, bot, other), self._place[board.label]
        if not score.games:
            return ()
        i, j = place[bot], place[other]
        expected, z = float(board.matrix.expected[i, j]), float(board.matrix.z[i, j])
        share = (score.wins + score.draws / 2) / score.games
        return (
            count(score.games), Cell(str(score), score.wins), percent(share), percent(expected),
            Cell(f"{round(z, 1) + 0.0:+.1f}", round(z, 3)),
        )  # fmt: skip

    def _faults(self, bot: BotId) -> Table:
        """Those that it made; the games that it lost unplayed are a line."""
        own, found = self._made[bot][::-1], spoilt([*self._made[bot], *self._lost[bot]])
        kinds = [f"{words.count(one.played, 'game')} with {one.kind}" for one in found if one.played]
        notes = [f"{', '.join(kinds)}."]
        if lost := sum(one.unplayed for one in found):
            notes.append(f"{words.count(lost, 'game')} besides lost unplayed: it was suspended by then.")
        if len(own) > _FAULTS:
            notes.append(f"The newest {_FAULTS} are listed; data/faults.csv has all.")
        return _table("faults", "Faults", _FAULT, map(_fault, own[:_FAULTS]), *notes)

    def _times(self, bot: BotId) -> Table:
        contest = self._contest
        found = {variant: times[bot] for variant, times in contest.timing_by_variant.items() if bot in times}
        rows = [(Cell(variant), *time_cells(times)) for variant, times in found.items()]
        if len(rows) > 1:
            rows.append((Cell("all"), *time_cells(contest.timing[bot])))
        return _table("timing", "Thinking time", _TIMES, rows, "Milliseconds a move, by the referee's clock.")

    def _versions(self, bot: BotId) -> Table:
        """Where there are others of its name."""
        known = self._contest.versions.get(bot.name, ())
        rows = [
            (self._version(one.bot), Cell(one.version or "–"), Cell(moment(one.added), one.added))
            for one in known
        ]
        notes = ("A version is another bot here, with games and ratings of its own.",)
        return _table("versions", "Versions of this name", _VERSIONS, rows if len(rows) > 1 else (), *notes)

    def _version(self, bot: BotId) -> Cell:
        slug = self._contest.slugs.get(bot)
        return Cell(bot.digest[:12] or "–", href=addresses.bot_page(slug) if slug else "", says=bot.digest)

    # pairs

    def pairs(self) -> Iterator[pages.PairingPage]:
        """The page of each two bots that met."""
        return (self.pair(pair) for pair in sorted(self._meetings.between))

    def pair(self, pair: Pair) -> pages.PairingPage:
        """The page of two bots."""
        contest, (one, other) = self._contest, pair
        first, second = contest.called[one], contest.called[other]
        path = addresses.pairing_page(contest.slugs[one], contest.slugs[other])
        games = self._meetings.between[pair].games
        return pages.PairingPage(
            frame=frame(f"{first} against {second}", path, f"{words.count(len(games), 'game')} in {contest.name}"),
            bots=(Link(first, addresses.bot_page(contest.slugs[one])), Link(second, addresses.bot_page(contest.slugs[other]))),
            facts=(Fact("games", f"{len(games):,}"), Fact("all rated games", self._told(pair))),
            tables=(self._variants(pair), games_table(contest, "games", "Games", games, _PAIR_GAMES)),
        )  # fmt: skip

    def _told(self, pair: Pair) -> str:
        scores = self._meetings.between[pair].scores.values()
        parts = zip(*((score.wins, score.draws, score.losses) for score in scores), strict=True)
        return "-".join(f"{sum(part):,}" for part in parts) or "none"

    def _variants(self, pair: Pair) -> Table:
        boards = [board for ranking in self._contest.variants if (board := ranking.board)]
        rows = [
            (Cell(board.label), *cells)
            for board in boards
            if pair in self._meetings.between and (cells := self._scored_if_there(board, *pair))
        ]
        says = f"W-D-L, share and z are of {self._contest.called[pair[0]]}."
        return _table("variants", "By variant", (_VARIANT, *_SCORES), rows, says)

    def _scored_if_there(self, board: Board, bot: BotId, other: BotId) -> tuple[Cell, ...]:
        place = self._place[board.label]
        return self._scored(board, bot, other) if bot in place and other in place else ()


def _fault(fault: FaultSeen) -> tuple[Cell, ...]:
    what = f"{fault.kind}/{fault.reason}" if fault.reason else str(fault.kind)
    line = fault.last_line
    shown = line if len(line) <= _EVIDENCE else line[:_EVIDENCE] + "…"
    return (
        id_cell(fault.game), Cell(fault.variant), Cell(what), Cell(str(fault.turn) if fault.turn else "–", fault.turn),
        Cell(shown or "–"), Cell(moment(fault.finished), fault.finished),
    )  # fmt: skip


def _columns(
    *titles: str, text: tuple[str, ...] = (), says: dict[str, str] | None = None, wraps: tuple[str, ...] = ()
) -> tuple[Column, ...]:
    return tuple(
        Column(f"c{n}", title, (says or {}).get(title, ""), title not in text, title in wraps)
        for n, title in enumerate(titles)
    )


_OPPONENT, _VARIANT = Column("bot", "opponent", number=False), Column("variant", "variant", number=False)
_SCORES = _columns(
    "games", "W-D-L", "share", "expected", "z",
    says={
        "share": "Of the wins, a tie being half of one.", "expected": "What the ratings promise.",
        "z": "How many standard deviations the wins are above that.",
    },
)  # fmt: skip
_PLACES = _columns(
    "leaderboard", "rank", "range", "mu", "sigma", "95% interval", "games", "W-D-L", "1st", "faults",
    text=("leaderboard", "range"), says={"range": "Places that it may have, 95% sure.", "1st": "Share of first places."},
)  # fmt: skip
_FAULT = _columns(
    "game", "variant", "fault", "turn", "evidence", "over (UTC)",
    text=("game", "variant", "fault", "evidence", "over (UTC)"), says={"turn": "The bot's own; – before its first."},
    wraps=("evidence",),
)  # fmt: skip
_TIMES = _columns("variant", *TIME_HEADS, text=("variant",))
_VERSIONS = _columns("digest", "version", "taken in (UTC)", text=("digest", "version", "taken in (UTC)"))


def _table(
    id: str, title: str, columns: tuple[Column, ...], rows: Iterable[tuple[Cell, ...]], *notes: str
) -> Table:
    return Table(id, title, columns, tuple(rows), notes)
