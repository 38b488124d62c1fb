"""The games of a tournament as they stand in the tables: results, and what is counted of them, a row at a time.

Nothing here keeps more than a block, so that a million games need no more memory than a thousand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa

from arena.errors import StorageError
from arena.tables import GAMES, LINKS, PART, RECORDS, SEATS
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId, DealId, FaultKind, GameId, Team, Verdict

if TYPE_CHECKING:
    from leaderboards.results import Results, Shape

AT_ONCE = 10_000
"""Rows that are fetched at a time."""
_GAME = (
    GAMES.c.id, GAMES.c.deal, GAMES.c.block, GAMES.c.game, GAMES.c.variant, GAMES.c.rules, GAMES.c.block_size,
    GAMES.c.verdict,
)  # fmt: skip
_SEAT = (
    SEATS.c.seat, SEATS.c.bot, SEATS.c.digest, SEATS.c.team, SEATS.c.rank, SEATS.c.score, SEATS.c.fault,
)  # fmt: skip

_BLOCK = (GAMES.c.variant, GAMES.c.meeting, GAMES.c.deal)
"""Games that agree in these are of one."""


class Closed(NamedTuple):
    """A block of which every game is over."""

    meeting: str
    """As `arena.meetings` names it."""
    deal: str
    games: int
    void: bool
    """Some of them are."""


class Kept(NamedTuple):
    """A game, in the order in which it was kept."""

    number: int
    """Of its link of the chain."""
    link: str
    finished: str
    result: GameResult


def blocks(db: sa.Connection, tournament: str) -> Iterator[Closed | GameResult]:
    """All that is over: whole blocks, and the games of the others. Raises StorageError."""
    games = sa.func.count()
    void = sa.func.sum(sa.case((GAMES.c.verdict == Verdict.VOID, 1), else_=0))
    size, mine = sa.func.max(GAMES.c.block_size), GAMES.c.tournament == tournament
    whole = sa.select(GAMES.c.meeting, GAMES.c.deal, games, void).where(mine).group_by(*_BLOCK)
    for row in _few(db, whole.having(games >= size)):
        yield Closed(row[0], row[1], row[2], row[3] > 0)
    begun = sa.select(*_BLOCK).where(mine).group_by(*_BLOCK).having(games < size).subquery()
    same = sa.and_(*(begun.c[column.name] == column for column in _BLOCK))
    for rows in _games(db, tournament, begun, same):
        yield _undamaged(rows, tournament)


def results(db: sa.Connection, tournament: str) -> Results:
    """All results, ordered by id. Raises StorageError."""
    from leaderboards.results import Results, Shape

    shapes: list[Shape] = []
    numbers: dict[tuple[Any, ...], int] = {}

    def numbered() -> Iterator[tuple[int, str, str, str]]:
        for rows in _games(db, tournament):
            same = tuple(row[3:] for row in rows)
            if (number := numbers.get(same)) is None:
                number = numbers[same] = len(shapes)
                shapes.append(Shape.of(_undamaged(rows, tournament)))
            yield number, *rows[0][1:3], rows[0][0]

    return Results.numbered(numbered(), shapes).by_id()


class Faulty(NamedTuple):
    """A game that is not void, and the fault that a bot made in it."""

    number: int
    """Of its link of the chain."""
    game: GameId
    finished: str
    bot: BotId
    kind: FaultKind
    """Of the bot's first seat with one."""


def faulty(db: sa.Connection, tournament: str) -> Iterator[Faulty]:
    """All of them, in the order in which they were kept."""
    columns = (LINKS.c.number, GAMES.c.id, GAMES.c.finished, SEATS.c.bot, SEATS.c.digest, SEATS.c.fault)
    query = _played(*columns).where(few_faults(SEATS.c.fault, LINKS.c.tournament, tournament))
    for _, seats in groupby(_few(db, query.order_by(LINKS.c.number, SEATS.c.seat)), itemgetter(0)):
        made: dict[BotId, Faulty] = {}
        for number, game, finished, name, digest, kind in seats:
            bot = BotId(name, digest)
            made.setdefault(bot, Faulty(number, GameId(game), finished, bot, FaultKind(kind)))
        yield from made.values()


def last_before(db: sa.Connection, tournament: str, bot: BotId, number: int | None) -> int | None:
    """The last game of a bot that is not void (before that one): the number of its link."""
    query = _played(LINKS.c.number).where(LINKS.c.tournament == tournament)
    query = query.where(SEATS.c.bot == bot.name, SEATS.c.digest == bot.digest)
    query = query if number is None else query.where(LINKS.c.number < number)
    return db.scalars(query.order_by(LINKS.c.number.desc()).limit(1)).first()


def few_faults(fault: Any, column: Any, tournament: str) -> Any:
    """That there is a fault, in that tournament: said so that all faults are looked at, and not all its games."""
    return fault.is_not(None) & (sa.func.coalesce(column, "") == tournament)


def _played(*columns: Any) -> sa.Select[Any]:
    """Of the seats of all games that are not void."""
    query = sa.select(*columns).select_from(LINKS).join(GAMES, GAMES.c.key == LINKS.c.game)
    return query.join(SEATS, SEATS.c.game == LINKS.c.game).where(GAMES.c.verdict != Verdict.VOID)


def rows(db: sa.Connection, tournament: str) -> dict[GameId, GameResult | None]:
    """All results by id, in its order; None: the rows are no result."""
    return dict(sorted((GameId(rows[0][0]), result_of(rows)) for rows in _games(db, tournament)))


def kept_after(db: sa.Connection, tournament: str, number: int, most: int | None = None) -> list[Kept]:
    """The games (or so many of them) whose links come after that one, in their order. Raises StorageError."""
    link = (LINKS.c.number, LINKS.c.link, GAMES.c.finished)
    query = sa.select(*_GAME, *_SEAT, *link).select_from(LINKS).join(GAMES, GAMES.c.key == LINKS.c.game)
    query = query.join(SEATS, SEATS.c.game == GAMES.c.key, isouter=True)
    new = (LINKS.c.tournament == tournament) & (LINKS.c.number > number)
    new = new if most is None else new & (LINKS.c.number <= number + most)
    rows = _few(db, query.where(new).order_by(LINKS.c.number, SEATS.c.seat))
    games = (list(some) for _, some in groupby(rows, itemgetter(0)))
    kept = []
    for some in games:
        number, link, finished = some[0][-3:]
        kept.append(Kept(number, link, finished, _undamaged([row[:-3] for row in some], tournament)))
    return kept


def beginning(db: sa.Connection, prefix: str) -> Sequence[sa.Row[str, bytes]]:
    """Id and packed record of two games at most whose ids begin so, looked for in each part of the index."""
    first = sa.select(sa.func.min(PART))
    parts = sa.select(first.scalar_subquery().label("part")).cte("parts", recursive=True)
    after = first.where(parts.c.part < PART).scalar_subquery()
    parts = parts.union_all(sa.select(after).where(parts.c.part.is_not(None)))
    id = GAMES.c.id
    begins = (id >= prefix) & (id <= prefix + "\U0010ffff")  # found by the index, and no A is an a
    query = sa.select(id, RECORDS.c.record).select_from(parts).join(GAMES, (parts.c.part == PART) & begins)
    return db.execute(query.join(RECORDS, RECORDS.c.game == GAMES.c.key).limit(2)).all()


def _games(db: sa.Connection, tournament: str, *among: Any) -> Iterator[list[tuple[Any, ...]]]:
    """The rows of each game, one a seat; games of a block come one after the other."""
    query = sa.select(*_GAME, *_SEAT).select_from(GAMES)
    query = query.join(*among) if among else query
    query = query.join(SEATS, SEATS.c.game == GAMES.c.key, isouter=True).where(
        GAMES.c.tournament == tournament
    )
    rows = _few(db, query.order_by(*_BLOCK, GAMES.c.id, SEATS.c.seat))
    return (list(some) for _, some in groupby(rows, itemgetter(0)))


def _few(db: sa.Connection, query: sa.Select[Any]) -> Iterator[tuple[Any, ...]]:
    """What a query finds, fetched as it is needed: texts and numbers as the driver has them, which is twice as fast."""
    found: Any = db.execution_options(yield_per=AT_ONCE).execute(query)
    while rows := found.cursor_strategy.fetchmany(found, found.cursor, AT_ONCE):
        yield from rows


def _undamaged(rows: list[tuple[Any, ...]], tournament: str) -> GameResult:
    if (result := result_of(rows)) is None:
        raise damaged(rows[0][0], tournament)
    return result


def result_of(rows: list[tuple[Any, ...]]) -> GameResult | None:
    """A game's rows, one a seat, as its result; None where they are none."""
    try:
        id, deal, block, game, variant, rules, size, verdict = rows[0][:8]
        if [row[8] for row in rows] != list(range(len(rows))):
            return None
        seats = tuple(_seat(*row[9:]) for row in rows)
        return GameResult(
            GameId(id), game, variant, rules, DealId(deal), block, size, seats, Verdict(verdict)
        )
    except ValueError:
        return None


@lru_cache(AT_ONCE)
def _seat(bot: str, digest: str, team: int, rank: int, score: int, fault: str | None) -> SeatResult:
    return SeatResult(
        BotId(bot, digest), Team(team), rank, score, None if fault is None else FaultKind(fault)
    )


def damaged(game: str, tournament: str) -> StorageError:
    """The rows of a game are no result's."""
    return StorageError(f"the row of game {game} is damaged", f"arena verify {tournament}", "E407")
