"""One run of a tournament: what it hands out, and what it keeps of it, once and in one transaction."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import sqlalchemy as sa

from arena.chain import chained, entry
from arena.database import GAMES, LEASES, LINKS, RECORDS, SEATS, TOURNAMENTS, Database, now
from arena.errors import Busy
from protocol.result import GameResult
from protocol.vocabulary import GameId
from referee.jobs import GameDone, PlannedGame

log = logging.getLogger(__name__)


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
        """Before `games` are handed out, or given up to be played again. One that is kept gets no lease.

        Raises Busy where another run has taken the tournament up.
        """
        attempts = {game.id: game.attempt for game in games}
        with self._database.writing() as db:
            self._check_hold(db)
            over = set(db.scalars(sa.select(GAMES.c.id).where(GAMES.c.id.in_(attempts))))
            rows = [
                {"game": id, "tournament": self._tournament, "run": self._number, "attempt": attempt}
                for id, attempt in attempts.items()
                if id not in over
            ]
            if rows:
                db.execute(LEASES.insert().prefix_with("OR REPLACE"), rows)

    def _check_hold(self, db: sa.Connection) -> None:
        name = self._tournament
        run = db.scalars(sa.select(TOURNAMENTS.c.run).where(TOURNAMENTS.c.name == name)).one()
        if run != self._number:
            text = f"tournament {name!r} was taken up by another process, although this one has its lock"
            raise Busy(text, "let that one play; a lock's file is never to be removed", "E501")

    def keep(self, games: Iterable[GameDone]) -> list[GameDone]:
        """Keep those of `games` that have their lease, all or none; the others are stale. Gives those kept."""
        games = list(games)
        new: list[GameDone] = []
        stale: list[GameDone] = []
        with self._database.writing() as db:
            leased = self._leased(db, [done.result.id for done in games])
            for done in games:
                lease = (done.result.id, done.planned.attempt)
                (new if lease in leased else stale).append(done)
                leased.discard(lease)
            if new:
                self._enter(db, new)
            kept = _records(db, [done.result.id for done in stale])
        for done in stale:
            _tell_of_stale(done, kept.get(done.result.id))
        return new

    def _leased(self, db: sa.Connection, ids: Sequence[GameId]) -> set[tuple[GameId, int]]:
        mine = LEASES.c.game.in_(ids) & (LEASES.c.run == self._number)
        rows = db.execute(sa.select(LEASES.c.game, LEASES.c.attempt).where(mine))
        return {(GameId(row.game), row.attempt) for row in rows}

    def _enter(self, db: sa.Connection, games: Sequence[GameDone]) -> None:
        name, finished = self._tournament, now()
        db.execute(LEASES.delete().where(LEASES.c.game.in_([done.result.id for done in games])))
        db.execute(GAMES.insert(), [_game_row(name, done, finished) for done in games])
        db.execute(SEATS.insert(), [row for done in games for row in _seat_rows(done.result)])
        db.execute(RECORDS.insert(), [{"game": d.result.id, "record": d.record} for d in games])
        last, head = last_link(db, name)
        links: list[dict[str, Any]] = []
        for number, done in enumerate(games, last + 1):
            head = chained(head, entry(done.result.id, finished, done.record))
            links.append({"tournament": name, "number": number, "game": done.result.id, "link": head})
        db.execute(LINKS.insert(), links)


def last_link(db: sa.Connection, tournament: str) -> tuple[int, str]:
    """Number and value of the last link of a chain; 0 and nothing where there is none."""
    query = sa.select(LINKS.c.number, LINKS.c.link).where(LINKS.c.tournament == tournament)
    last = db.execute(query.order_by(LINKS.c.number.desc()).limit(1)).first()
    return (0, "") if last is None else (last.number, last.link)


def _records(db: sa.Connection, ids: Sequence[GameId]) -> dict[str, bytes]:
    rows = db.execute(RECORDS.select().where(RECORDS.c.game.in_(ids))) if ids else ()
    return {row.game: row.record for row in rows}


def _tell_of_stale(done: GameDone, kept: bytes | None) -> None:
    if kept is None:
        what = "it is to be played again"
    else:
        what = "it is kept" + ("" if kept == done.record else ", with another record")
    log.warning(
        "a stale result of game %s (job %s, attempt %d) changes nothing: %s",
        done.result.id, done.job, done.planned.attempt, what,
    )  # fmt: skip


def _game_row(tournament: str, done: GameDone, finished: str) -> dict[str, Any]:
    result = done.result
    return {
        "id": result.id, "tournament": tournament, "game": result.game, "variant": result.variant,
        "rules": result.rules, "deal": result.deal, "block": result.block,
        "block_size": result.block_size, "verdict": result.verdict, "isolation": done.isolation,
        "finished": finished,
    }  # fmt: skip


def _seat_rows(result: GameResult) -> Iterator[dict[str, Any]]:
    for seat, s in enumerate(result.seats):
        yield {
            "game": result.id, "seat": seat, "bot": s.bot.name, "digest": s.bot.digest, "team": s.team,
            "rank": s.rank, "score": s.score, "fault": s.fault,
        }  # fmt: skip
