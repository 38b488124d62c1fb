"""One run of a tournament: what it hands out, and what it keeps of it, once and in one transaction."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from arena.chain import chained, entry
from arena.database import Database, each, now, upserting
from arena.errors import Busy
from arena.meetings import meeting_of
from arena.tables import GAMES, LEASES, LINKS, RECORDS, SEATS, TOURNAMENTS
from protocol.result import GameResult
from protocol.vocabulary import GameId
from referee.jobs import GameDone, PlannedGame

log = logging.getLogger(__name__)
Row = dict[str, Any]

_IS_IT = (
    (GAMES.c.tournament == sa.bindparam("tournament")) & (GAMES.c.variant == sa.bindparam("variant"))
    & (GAMES.c.meeting == sa.bindparam("meeting")) & (GAMES.c.deal == sa.bindparam("deal"))
    & (GAMES.c.id == sa.bindparam("id"))
)  # fmt: skip
"""A game, looked for among the few of its block; by its id alone it would be looked for in each part of an index."""
_DROP = LEASES.delete().where(LEASES.c.game == sa.bindparam("id"), sa.exists().where(_IS_IT))
_RECORD = sa.select(RECORDS.c.record).join(GAMES).where(_IS_IT)
_AMONG = LEASES.c.game.in_(sa.bindparam("ids", expanding=True))
_LEASED = sa.select(LEASES.c.game, LEASES.c.attempt).where(_AMONG, LEASES.c.run == sa.bindparam("number"))
_RELEASE = LEASES.delete().where(_AMONG)
_INSERT = {table: table.insert() for table in (GAMES, SEATS, RECORDS, LINKS)}


class Run:
    """One runner's hold on a tournament: a game that it hands out has a lease, of this run and the attempt.

    A result is kept under that very lease, which goes with it; so a game is kept once, and what a worker
    says that was given up, or says twice, changes nothing. Methods raise StorageError where the database
    or the disk fails.
    """

    def __init__(self, database: Database, tournament: str, number: int) -> None:
        self._database = database
        self._tournament = tournament
        self._number = number

    def lease(self, games: Iterable[PlannedGame]) -> None:
        """Before `games` are handed out, or given up to be played again. A lease of one that is kept is void.

        Raises Busy where another run has taken the tournament up.
        """
        lease = {"tournament": self._tournament, "run": self._number}
        rows = [{"game": id, "attempt": n, **lease} for id, n in {g.id: g.attempt for g in games}.items()]
        with self._database.writing() as db:
            check_run(db, self._tournament, self._number)
            if rows:
                each(db, upserting(db.dialect.name, LEASES, ("tournament", "run", "attempt")), rows)

    def keep(self, games: Iterable[GameDone]) -> list[GameDone]:
        """Keep those of `games` that have their lease, all or none; the others are stale. Gives those kept.

        Raises Busy where another run has taken the tournament up.
        """
        games = list(games)
        found = {done.result.id: _found(self._tournament, done.result) for done in games}
        new: list[GameDone] = []
        stale: list[GameDone] = []
        with self._database.writing() as db:
            check_run(db, self._tournament, self._number)
            if games:
                each(db, _DROP, list(found.values()))
            leased = self._leased(db, list(found))
            for done in games:
                lease = (done.result.id, done.planned.attempt)
                (new if lease in leased else stale).append(done)
                leased.discard(lease)
            if new:
                self._enter(db, new, found)
            kept = {done.result.id: _record(db, found[done.result.id]) for done in stale}
        for done in stale:
            _tell_of_stale(done, kept.get(done.result.id))
        return new

    def _leased(self, db: sa.Connection, ids: Sequence[GameId]) -> set[tuple[GameId, int]]:
        rows = db.execute(_LEASED, {"ids": ids, "number": self._number})
        return {(GameId(row.game), row.attempt) for row in rows}

    def _enter(self, db: sa.Connection, games: Sequence[GameDone], found: Mapping[GameId, Row]) -> None:
        name, finished = self._tournament, now()
        db.execute(_RELEASE, {"ids": [done.result.id for done in games]})
        keyed = list(enumerate(games, _last_key(db) + 1))
        rows = [_game_row(key, done, finished) | found[done.result.id] for key, done in keyed]
        each(db, _INSERT[GAMES], rows)
        each(db, _INSERT[SEATS], [row for key, done in keyed for row in _seat_rows(key, done.result)])
        each(db, _INSERT[RECORDS], [{"game": key, "record": done.record} for key, done in keyed])
        last, head = last_link(db, name)
        links: list[Row] = []
        for number, (key, done) in enumerate(keyed, last + 1):
            head = chained(head, entry(done.result.id, finished, done.record))
            links.append({"game": key, "tournament": name, "number": number, "link": head})
        each(db, _INSERT[LINKS], links)


def _last_key(db: sa.Connection) -> int:
    """Nobody else writes meanwhile, so the next is free."""
    return db.scalars(sa.select(sa.func.max(GAMES.c.key))).one() or 0


def run_of(db: sa.Connection, tournament: str) -> int:
    """The number of a tournament's last run; 0 where there was none."""
    return db.scalars(sa.select(TOURNAMENTS.c.run).where(TOURNAMENTS.c.name == tournament)).first() or 0


def check_run(db: sa.Connection, tournament: str, number: int) -> None:
    """Raise Busy where there is a later run of a tournament than that."""
    if run_of(db, tournament) != number:
        raise taken_up(tournament)


def taken_up(tournament: str) -> Busy:
    """What a run is told whose tournament somebody else plays, too."""
    return Busy(
        f"tournament {tournament!r} was taken up by another process: this one keeps nothing any more",
        f"let that one play (arena watch {tournament}); a lock is lost where a machine sleeps or is cut off from "
        "the ledger's server, or where somebody removes a lock's file",
        "E501",
    )


def last_link(db: sa.Connection, tournament: str) -> tuple[int, str]:
    """Number and value of the last link of a chain; 0 and nothing where there is none."""
    query = sa.select(LINKS.c.number, LINKS.c.link).where(LINKS.c.tournament == tournament)
    last = db.execute(query.order_by(LINKS.c.number.desc()).limit(1)).first()
    return (0, "") if last is None else (last.number, last.link)


def _record(db: sa.Connection, game: Row) -> bytes | None:
    """Of a game; None where it is not kept."""
    return db.scalars(_RECORD, game).first()


def _tell_of_stale(done: GameDone, kept: bytes | None) -> None:
    if kept is None:
        what = "it is to be played again"
    else:
        what = "it is kept" + ("" if kept == done.record else ", with another record")
    log.warning(
        "a stale result of game %s (job %s, attempt %d) changes nothing: %s",
        done.result.id, done.job, done.planned.attempt, what,
    )  # fmt: skip


def _found(tournament: str, result: GameResult) -> Row:
    """Where a game is, as `_IS_IT` looks for it."""
    return {
        "id": result.id, "tournament": tournament, "variant": result.variant, "meeting": meeting_of(result),
        "deal": result.deal,
    }  # fmt: skip


def _game_row(key: int, done: GameDone, finished: str) -> Row:
    """What else its row has."""
    result = done.result
    return {
        "key": key, "game": result.game, "rules": result.rules, "block": result.block,
        "block_size": result.block_size, "verdict": result.verdict, "isolation": done.isolation,
        "finished": finished,
    }  # fmt: skip


def _seat_rows(key: int, result: GameResult) -> Iterator[Row]:
    for seat, s in enumerate(result.seats):
        yield {
            "game": key, "seat": seat, "bot": s.bot.name, "digest": s.bot.digest, "team": s.team,
            "rank": s.rank, "score": s.score, "fault": s.fault,
        }  # fmt: skip
