"""The ledger: what was planned, who plays, every game that is over. The one home of SQLAlchemy.

A game is here once it is final, in one transaction with its record, and never changes again; what is
missing is what is still to be played. One process at a time runs a tournament (`Home.lock`), so nothing
here waits long for a lock. SQLite keeps it by default, with a write-ahead log and full syncs.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from arena.errors import InputError, StorageError, did_you_mean
from protocol.record import unpack
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId, DealId, FaultKind, GameId, Team, Verdict
from referee.jobs import GameDone

VERSION = 1
"""Of the tables; a ledger of another one is refused, never guessed at."""

_tables = sa.MetaData()
_bots = sa.Table(
    "bots", _tables,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("digest", sa.String, primary_key=True),
    sa.Column("manifest", sa.JSON, nullable=False),
    sa.Column("added", sa.String, nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
)  # fmt: skip
_tournaments = sa.Table(
    "tournaments", _tables,
    sa.Column("name", sa.String, primary_key=True),
    sa.Column("seed", sa.String, nullable=False),
    sa.Column("config", sa.JSON, nullable=False),
    sa.Column("bots", sa.JSON, nullable=False),
    sa.Column("notes", sa.JSON, nullable=False),
    sa.Column("begun", sa.String, nullable=False),
)  # fmt: skip
_games = sa.Table(
    "games", _tables,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("tournament", sa.ForeignKey("tournaments.name"), nullable=False, index=True),
    sa.Column("game", sa.String, nullable=False),
    sa.Column("variant", sa.String, nullable=False),
    sa.Column("rules", sa.String, nullable=False),
    sa.Column("deal", sa.String, nullable=False),
    sa.Column("block", sa.String, nullable=False),
    sa.Column("block_size", sa.Integer, nullable=False),
    sa.Column("verdict", sa.String, nullable=False),
    sa.Column("isolation", sa.String, nullable=False),  # new in version 2
    sa.Column("finished", sa.String, nullable=False),
)  # fmt: skip
_seats = sa.Table(
    "seats", _tables,
    sa.Column("game", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("bot", sa.String, nullable=False),
    sa.Column("digest", sa.String, nullable=False),
    sa.Column("team", sa.Integer, nullable=False),
    sa.Column("rank", sa.Integer, nullable=False),
    sa.Column("score", sa.Integer, nullable=False),
    sa.Column("fault", sa.String),
)  # fmt: skip
_records = sa.Table(
    "records", _tables,
    sa.Column("game", sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("record", sa.LargeBinary, nullable=False),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Begun:
    """A tournament that stands in the ledger."""

    name: str
    seed: str
    config: dict[str, Any]
    """The fields of arena.config.Tournament."""
    bots: tuple[BotId, ...]
    notes: tuple[str, ...]
    """What whoever reads its table must know: bots that were left out, and why."""
    begun: str


@dataclass(frozen=True, slots=True)
class KnownBot:
    """A bot version that was added."""

    id: BotId
    manifest: dict[str, Any]
    added: str


class Ledger:
    """The database. Every method raises StorageError where the database or the disk fails."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._engine = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": 30})
        sa.event.listen(self._engine, "connect", _set_up)
        with self._begin() as db:
            self._check_version(db)

    def _check_version(self, db: sa.Connection) -> None:
        found = db.exec_driver_sql("PRAGMA user_version").scalar_one()
        if found == 0:
            for part in _tables.sorted_tables:  # another process may be at it, too
                db.execute(sa.schema.CreateTable(part, if_not_exists=True))
                for index in part.indexes:
                    db.execute(sa.schema.CreateIndex(index, if_not_exists=True))
            db.exec_driver_sql(f"PRAGMA user_version = {VERSION}")
        elif found != VERSION:
            raise StorageError(
                f"{self.path} is a ledger of version {found}; this program reads version {VERSION}",
                "use the program that wrote it, or another home folder with --home",
                "E403",
            )

    def _begin(self) -> _Transaction:
        return _Transaction(self._engine, self.path)

    def close(self) -> None:
        """Let the file go."""
        self._engine.dispose()

    # tournaments

    def begin(
        self, name: str, seed: str, config: dict[str, Any], bots: Iterable[BotId], notes: Iterable[str] = ()
    ) -> None:
        """Enter a tournament, or what has been added to one."""
        exact = [[bot.name, bot.digest] for bot in bots]
        row = {"seed": seed, "config": config, "bots": exact, "notes": list(notes)}
        with self._begin() as db:
            new = insert(_tournaments).values(name=name, begun=_now(), **row)
            db.execute(new.on_conflict_do_update(index_elements=["name"], set_=row))

    def find(self, name: str) -> Begun | None:
        """The tournament of that name."""
        with self._begin() as db:
            row = db.execute(_tournaments.select().where(_tournaments.c.name == name)).first()
        if row is None:
            return None
        return Begun(
            row.name,
            row.seed,
            row.config,
            tuple(BotId(*bot) for bot in row.bots),
            tuple(row.notes),
            row.begun,
        )

    def tournament(self, name: str) -> Begun:
        """The tournament of that name. Raises InputError with near names."""
        found = self.find(name)
        if found is None:
            hint = did_you_mean(name, self.names())
            raise InputError(f"no tournament {name!r} in the ledger {self.path}", hint, "E204")
        return found

    def names(self) -> list[str]:
        """All tournaments, the newest last."""
        with self._begin() as db:
            return list(db.scalars(sa.select(_tournaments.c.name).order_by(_tournaments.c.begun)))

    # games

    def add(self, tournament: str, games: Iterable[GameDone]) -> int:
        """Keep finished games, all or none; how many were new. A game that is here already stays as it is."""
        games = list(games)
        with self._begin() as db:
            known = set(
                db.scalars(sa.select(_games.c.id).where(_games.c.id.in_([done.result.id for done in games])))
            )
            new = [
                done
                for done in {done.result.id: done for done in games}.values()
                if done.result.id not in known
            ]
            if new:
                db.execute(_games.insert(), [_game_row(tournament, done) for done in new])
                db.execute(_seats.insert(), [row for done in new for row in _seat_rows(done.result)])
                db.execute(_records.insert(), [{"game": d.result.id, "record": d.record} for d in new])
        return len(new)

    def ids(self, tournament: str) -> set[GameId]:
        """The games of a tournament that are over."""
        with self._begin() as db:
            return set(db.scalars(sa.select(_games.c.id).where(_games.c.tournament == tournament)))

    def verdicts(self, tournament: str) -> Counter[tuple[str, Verdict]]:
        """How many games of each variant ended how."""
        columns = (_games.c.variant, _games.c.verdict)
        query = sa.select(*columns, sa.func.count()).where(_games.c.tournament == tournament)
        with self._begin() as db:
            rows = db.execute(query.group_by(*columns)).all()
        return Counter({(variant, Verdict(verdict)): count for variant, verdict, count in rows})

    def isolations(self, tournament: str) -> Counter[str]:
        """In how many games bots were kept in what (`Sandbox` as text)."""
        query = sa.select(_games.c.isolation, sa.func.count()).where(_games.c.tournament == tournament)
        with self._begin() as db:
            rows = db.execute(query.group_by(_games.c.isolation)).all()
        return Counter({str(kept): int(games) for kept, games in rows})

    def faults(self, tournament: str) -> Counter[tuple[BotId, FaultKind]]:
        """How many seats ended in which fault, by bot."""
        columns = (_seats.c.bot, _seats.c.digest, _seats.c.fault)
        query = sa.select(*columns, sa.func.count()).join(_games).where(_games.c.tournament == tournament)
        with self._begin() as db:
            rows = db.execute(query.where(_seats.c.fault.is_not(None)).group_by(*columns)).all()
        return Counter({(BotId(name, digest), FaultKind(kind)): count for name, digest, kind, count in rows})

    def history(self, tournament: str) -> Iterator[tuple[GameId, str, list[tuple[BotId, FaultKind | None]]]]:
        """The games that count, in the order in which they were kept: when, and the bot and fault of each seat."""
        query = (
            sa.select(_games.c.id, _games.c.finished, _seats.c.bot, _seats.c.digest, _seats.c.fault)
            .join(_seats, _seats.c.game == _games.c.id)
            .where(_games.c.tournament == tournament, _games.c.verdict != Verdict.VOID)
            .order_by(sa.text("games.rowid"), _seats.c.seat)
        )
        with self._begin() as db:
            for game, rows in groupby(
                db.execution_options(yield_per=4096).execute(query), lambda row: row[:2]
            ):
                seats = [
                    (BotId(row.bot, row.digest), FaultKind(row.fault) if row.fault else None) for row in rows
                ]
                yield GameId(game[0]), game[1], seats

    def results(self, tournament: str) -> list[GameResult]:
        """All finished games of a tournament, ordered by id."""
        mine = _games.c.tournament == tournament
        with self._begin() as db:
            games = db.execute(_games.select().where(mine).order_by(_games.c.id)).all()
            rows = db.execute(
                _seats.select().join(_games).where(mine).order_by(_seats.c.game, _seats.c.seat)
            ).all()
        seats: dict[str, list[SeatResult]] = {}
        for row in rows:
            fault = FaultKind(row.fault) if row.fault else None
            bot = BotId(row.bot, row.digest)
            seats.setdefault(row.game, []).append(SeatResult(bot, Team(row.team), row.rank, row.score, fault))
        return [
            GameResult(
                GameId(g.id), g.game, g.variant, g.rules, DealId(g.deal), g.block, g.block_size,
                tuple(seats[g.id]), Verdict(g.verdict),
            )
            for g in games
        ]  # fmt: skip

    def records(self, tournament: str) -> Iterator[bytes]:
        """The records of a tournament as JSON, ordered by variant, deal, block and game."""
        order = (_games.c.variant, _games.c.deal, _games.c.block, _games.c.id)
        query = sa.select(_records.c.record).join(_games).where(_games.c.tournament == tournament)
        with self._begin() as db:
            for blob in db.execution_options(yield_per=256).scalars(query.order_by(*order)):
                yield unpack(blob)

    def record(self, prefix: str) -> bytes:
        """The record of the one game whose id begins so, as JSON. Raises InputError: none, or several."""
        query = sa.select(_records).where(_records.c.game.startswith(prefix, autoescape=True)).limit(2)
        with self._begin() as db:
            rows = db.execute(query).all()
        if len(rows) != 1:
            what = "no game begins" if not rows else "several games begin"
            raise InputError(f"{what} with {prefix!r} in {self.path}", "arena record list TOURNAMENT", "E205")
        try:
            return unpack(rows[0].record)
        except ValueError as error:
            fix = "arena verify TOURNAMENT says what else is; restore the ledger from a copy"
            raise StorageError(
                f"the record of game {rows[0].game} is damaged: {error}", fix, "E407"
            ) from None

    # bots

    def add_bot(self, bot: BotId, manifest: dict[str, Any], listed: bool) -> None:
        """Enter a bot version; `listed` ones answer to their name alone."""
        row = {"manifest": manifest, "added": _now("microseconds"), "listed": listed}
        with self._begin() as db:
            new = insert(_bots).values(name=bot.name, digest=bot.digest, **row)
            update = {"listed": True, "added": row["added"]} if listed else {"manifest": manifest}
            db.execute(new.on_conflict_do_update(index_elements=["name", "digest"], set_=update))

    def bots(self, name: str | None = None, listed: bool = True) -> list[KnownBot]:
        """The bot versions that were added (or all that ever played), by name, the newest first."""
        query = _bots.select().order_by(_bots.c.name, _bots.c.added.desc(), _bots.c.digest)
        if listed:
            query = query.where(_bots.c.listed)
        if name is not None:
            query = query.where(_bots.c.name == name)
        with self._begin() as db:
            return [KnownBot(BotId(r.name, r.digest), r.manifest, r.added) for r in db.execute(query)]

    def rename_bot(self, old: str, new: str, versions: Iterable[tuple[str, dict[str, Any]]]) -> None:
        """Let versions (digest, manifest) that answer to `old` answer to `new`, in their order of age."""
        with self._begin() as db:
            for digest, manifest in versions:
                is_it = (_bots.c.name == old) & (_bots.c.digest == digest)
                added = db.execute(sa.select(_bots.c.added).where(is_it)).scalar_one()
                row = {"manifest": manifest, "added": added, "listed": True}
                entry = insert(_bots).values(name=new, digest=digest, **row)
                db.execute(entry.on_conflict_do_update(index_elements=["name", "digest"], set_=row))
                db.execute(_bots.update().where(is_it).values(listed=False))

    def unlist_bot(self, name: str) -> int:
        """Let a name go; games that its versions played stay. How many versions had it."""
        with self._begin() as db:
            change = _bots.update().where(_bots.c.name == name, _bots.c.listed).values(listed=False)
            return db.execute(change).rowcount

    def forget_bots(self, bots: Iterable[BotId]) -> None:
        """Remove bot versions that are not listed."""
        with self._begin() as db:
            for bot in bots:
                is_it = (_bots.c.name == bot.name) & (_bots.c.digest == bot.digest)
                db.execute(_bots.delete().where(is_it, ~_bots.c.listed))


class _Transaction:
    """A connection in one transaction; what the database or the disk says comes out as StorageError."""

    def __init__(self, engine: sa.Engine, path: Path) -> None:
        self._context = engine.begin()
        self._path = path

    def __enter__(self) -> sa.Connection:
        try:
            return self._context.__enter__()
        except (sa.exc.DBAPIError, sqlite3.Error) as error:
            raise self._translated(error) from None

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            self._context.__exit__(kind, error, trace)
        except (sa.exc.DBAPIError, sqlite3.Error) as failure:
            raise self._translated(failure) from None
        if isinstance(error, sa.exc.DBAPIError):
            raise self._translated(error) from None

    def _translated(self, error: Exception) -> StorageError:
        cause = getattr(error, "orig", None) or error
        return StorageError(
            f"the ledger {self._path} fails: {cause}",
            "mend that (space, rights, the disk), then run the same command again: it goes on",
            "E404",
        )


def _set_up(connection: sqlite3.Connection, _: Any) -> None:
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")


def _game_row(tournament: str, done: GameDone) -> dict[str, Any]:
    result = done.result
    return {
        "id": result.id, "tournament": tournament, "game": result.game, "variant": result.variant,
        "rules": result.rules, "deal": result.deal, "block": result.block,
        "block_size": result.block_size, "verdict": result.verdict, "isolation": done.isolation, "finished": _now(),
    }  # fmt: skip


def _seat_rows(result: GameResult) -> Iterator[dict[str, Any]]:
    for seat, s in enumerate(result.seats):
        yield {
            "game": result.id, "seat": seat, "bot": s.bot.name, "digest": s.bot.digest, "team": s.team,
            "rank": s.rank, "score": s.score, "fault": s.fault,
        }  # fmt: skip


def _now(precision: str = "seconds") -> str:
    return datetime.now(UTC).isoformat(timespec=precision)
