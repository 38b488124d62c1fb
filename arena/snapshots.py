"""A tournament at one instant: what whoever watches it is told, as values and as JSON (`kingmaker/live/1`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from leaderboards.boards import Row
from leaderboards.confidence import Confidence, by_bot
from leaderboards.entries import Documented
from leaderboards.standings import Standings
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId, FaultKind, GameId


@dataclass(frozen=True, slots=True)
class Underway(Documented):
    """A game that is played now, as it was some time ago: see `Snapshot.delay_seconds`."""

    id: str
    variant: str
    bots: tuple[str, ...]
    """Names, by seat."""
    step: int
    """Actions that are shown."""
    since_seconds: float
    """Since it was dealt, at least."""


@dataclass(frozen=True, slots=True)
class RecentFault(Documented):
    """A fault of a bot, in a game that it played."""

    game: str
    bot: BotId
    kind: FaultKind
    at: str
    """When the game was kept: UTC, ISO 8601."""


@dataclass(frozen=True, slots=True)
class Away(Documented):
    """A bot that is suspended."""

    bot: BotId
    kind: FaultKind
    """What it did too often."""
    unplayed: int
    """Its games since that are lost, for which it was not started."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A tournament at one instant."""

    tournament: str
    running: bool
    games: int | None
    """Of the whole schedule, at most; None where no number bounds them, or it has not begun."""
    over: int
    per_second: float | None
    """Games of this run that were kept in the last minute; None where that is not known yet, or nothing runs."""
    left_seconds: float | None
    """At that pace; None where it is not known."""
    ended: str
    """Why nothing is to come any more, in words; empty while something is."""
    head: str
    """Of the chain over all games that are kept; empty where there is none."""
    standings: Standings | None
    """Perhaps of some seconds ago; None where there is none yet."""
    faults: tuple[RecentFault, ...]
    """Newest first; so `newest`."""
    newest: tuple[GameResult, ...]
    underway: tuple[Underway, ...]
    notes: tuple[str, ...]
    """Bots that are left out or suspended, and what is not shown, with the reason."""
    at: str = ""
    """UTC, ISO 8601."""
    delay_seconds: float | None = None
    """How old what is shown of games under way is at least; None where nothing of them is to be had."""
    made: Mapping[BotId, int] = field(default_factory=dict)
    """Games with a fault by the bot that made it, in all that are kept; of one that is suspended those it played."""
    away: tuple[Away, ...] = ()
    """Who is suspended, since when: the first is the first."""
    unplayed: frozenset[GameId] = frozenset()
    """Those of `newest` that a suspended bot was not started for."""

    def seat_says(self, result: GameResult, seat: SeatResult) -> str:
        """What a seat's fault is called: its kind, or that its bot was suspended."""
        gone = result.id in self.unplayed and any(away.bot == seat.bot for away in self.away)
        return "suspended" if seat.fault and gone else str(seat.fault or "")


@dataclass(frozen=True, slots=True)
class Leader(Documented):
    """A bot in the table of all variants together."""

    rank: int | None
    """1 is best, ties share the better place; null without a rating."""
    bot: BotId
    mu: float | None
    """Its rating; null where it has not played every variant."""
    sigma: float | None
    low: float | None
    """Of the 95 % interval of its rating; null where too few deals tell of it."""
    high: float | None
    games: int
    faults: int
    """Its games with a fault, among all that are kept;"""
    unplayed: int
    """and those that it lost without being started, since it is suspended."""
    provisional: bool
    """Too little to go by."""


@dataclass(frozen=True, slots=True)
class LiveEntry(Documented):
    """A tournament at one instant: `arena watch --json`, and what the live page is sent."""

    tournament: str
    at: str
    """UTC, ISO 8601."""
    running: bool
    games: int | None
    """Of the whole schedule, at most; null where no number bounds them, or it has not begun."""
    over: int
    per_second: float | None
    """Games, over the last minute; null where that is not known yet, or nothing runs."""
    left_seconds: float | None
    ended: str
    """Why nothing is to come any more, in words; empty while something is."""
    head: str
    """Of the chain over all games that are kept: 64 hex digits, or nothing where there is none."""
    leaders: list[Leader]
    """All bots, best first; none before there are standings."""
    newest: list[GameResult]
    """Of games that were played, newest first; so `faults`."""
    unplayed: list[GameId]
    """Those of `newest` that others played, and a suspended bot was not started for."""
    faults: list[RecentFault]
    away: list[Away]
    """Who is suspended."""
    underway: list[Underway]
    delay_seconds: float | None
    """How old what is shown of games under way is at least; null where nothing of them is to be had."""
    notes: list[str]


def entry(snapshot: Snapshot) -> LiveEntry:
    """A snapshot as flat values for JSON."""
    one = snapshot
    return LiveEntry(
        tournament=one.tournament, at=one.at, running=one.running, games=one.games, over=one.over,
        per_second=_rounded(one.per_second), left_seconds=_rounded(one.left_seconds), ended=one.ended,
        head=one.head, leaders=leaders(one), newest=list(one.newest),
        unplayed=sorted(one.unplayed), faults=list(one.faults), away=list(one.away), underway=list(one.underway), delay_seconds=one.delay_seconds, notes=list(one.notes),
    )  # fmt: skip


def leaders(snapshot: Snapshot) -> list[Leader]:
    """The rows of the table of all variants together."""
    standings = snapshot.standings
    if standings is None:
        return []
    sure, unplayed = by_bot(standings.confidence), {away.bot: away.unplayed for away in snapshot.away}
    return [
        _leader(row, sure.get(row.bot), snapshot.made.get(row.bot, 0), unplayed.get(row.bot, 0))
        for row in standings.rows
    ]


def _leader(row: Row, sure: Confidence | None, faults: int, unplayed: int) -> Leader:
    mu, sigma = (row.rating.mu, row.rating.sigma) if row.rating else (None, None)
    low, high = sure.interval if sure else (None, None)
    games = row.tally.games
    return Leader(row.rank, row.bot, mu, sigma, low, high, games, faults, unplayed, row.provisional)


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 2)
