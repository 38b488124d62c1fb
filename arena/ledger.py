"""The ledger: what was planned, who plays, every game that is over.

A game is here once it is final, in one transaction with its record and its link of the chain, and never
changes again; what is missing is what is still to be played. One process at a time runs a tournament
(`Home.lock`), and what it hands out and keeps goes through its `Run`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from arena.database import BOTS, GAMES, LEASES, LINKS, RECORDS, SEATS, TOURNAMENTS, Database, now
from arena.errors import InputError, StorageError, did_you_mean
from arena.runs import Run, last_link
from protocol.record import unpack
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId, DealId, FaultKind, GameId, Team, Verdict


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


class Link(NamedTuple):
    """A place in a tournament's chain, with what lies there now."""

    number: int
    """From 1, without gaps."""
    game: str
    link: str
    finished: str | None
    """None where the tournament has no such game."""
    isolation: str | None
    record: bytes | None
    """Packed; None where there is none."""


class Ledger:
    """The database. Every method raises StorageError where the database or the disk fails."""

    def __init__(self, path: Path) -> None:
        """Where there is no file the ledger is empty; one is made when something is first written."""
        self.path = path
        self._database = Database(path)

    def close(self) -> None:
        """Let the file go."""
        self._database.close()

    def check(self) -> None:
        """Raise StorageError where the file is damaged."""
        self._database.check()

    def damage(self) -> Iterator[str]:
        """All that is wrong with the file itself, and rows that belong to nothing."""
        return self._database.damage()

    # tournaments

    def begin(
        self, name: str, seed: str, config: dict[str, Any], bots: Iterable[BotId], notes: Iterable[str] = ()
    ) -> None:
        """Enter a tournament, or what has been added to one."""
        exact = [[bot.name, bot.digest] for bot in bots]
        row = {"seed": seed, "config": config, "bots": exact, "notes": list(notes)}
        with self._database.writing() as db:
            new = insert(TOURNAMENTS).values(name=name, begun=now(), **row)
            db.execute(new.on_conflict_do_update(index_elements=["name"], set_=row))

    def find(self, name: str) -> Begun | None:
        """The tournament of that name."""
        with self._database.reading() as db:
            row = db.execute(TOURNAMENTS.select().where(TOURNAMENTS.c.name == name)).first()
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
        with self._database.reading() as db:
            return list(db.scalars(sa.select(TOURNAMENTS.c.name).order_by(TOURNAMENTS.c.begun)))

    # games

    def take_up(self, tournament: str) -> Run:
        """Begin a run of a tournament that stands here: what a dead one had handed out is to be played again."""
        mine = TOURNAMENTS.c.name == tournament
        with self._database.writing() as db:
            db.execute(LEASES.delete().where(LEASES.c.tournament == tournament))
            db.execute(TOURNAMENTS.update().where(mine).values(run=TOURNAMENTS.c.run + 1))
            number = db.execute(sa.select(TOURNAMENTS.c.run).where(mine)).scalar_one()
        return Run(self._database, tournament, number)

    def head(self, tournament: str) -> str:
        """The last link of a tournament's chain; empty where no game is over."""
        with self._database.reading() as db:
            return last_link(db, tournament)[1]

    def links(self, tournament: str) -> Iterator[Link]:
        """A tournament's chain, in its order."""
        columns = (LINKS.c.number, LINKS.c.game, LINKS.c.link, GAMES.c.finished, GAMES.c.isolation)
        query = sa.select(*columns, RECORDS.c.record)
        joined = LINKS.outerjoin(GAMES, (GAMES.c.id == LINKS.c.game) & (GAMES.c.tournament == tournament))
        joined = joined.outerjoin(RECORDS, RECORDS.c.game == LINKS.c.game)
        mine = LINKS.c.tournament == tournament
        with self._database.reading() as db:
            rows = db.execution_options(yield_per=256).execute(
                query.select_from(joined).where(mine).order_by(LINKS.c.number)
            )
            yield from (Link(*row) for row in rows)

    def ids(self, tournament: str) -> set[GameId]:
        """The games of a tournament that are over."""
        with self._database.reading() as db:
            return set(db.scalars(sa.select(GAMES.c.id).where(GAMES.c.tournament == tournament)))

    def verdicts(self, tournament: str) -> Counter[tuple[str, Verdict]]:
        """How many games of each variant ended how."""
        columns = (GAMES.c.variant, GAMES.c.verdict)
        query = sa.select(*columns, sa.func.count()).where(GAMES.c.tournament == tournament)
        with self._database.reading() as db:
            rows = db.execute(query.group_by(*columns)).all()
        return Counter({(variant, Verdict(verdict)): count for variant, verdict, count in rows})

    def isolations(self, tournament: str) -> Counter[str]:
        """In how many games bots were kept in what (`Sandbox` as text)."""
        query = sa.select(GAMES.c.isolation, sa.func.count()).where(GAMES.c.tournament == tournament)
        with self._database.reading() as db:
            rows = db.execute(query.group_by(GAMES.c.isolation)).all()
        return Counter({str(kept): int(games) for kept, games in rows})

    def faults(self, tournament: str) -> Counter[tuple[BotId, FaultKind]]:
        """How many seats ended in which fault, by bot."""
        columns = (SEATS.c.bot, SEATS.c.digest, SEATS.c.fault)
        query = sa.select(*columns, sa.func.count()).join(GAMES).where(GAMES.c.tournament == tournament)
        with self._database.reading() as db:
            rows = db.execute(query.where(SEATS.c.fault.is_not(None)).group_by(*columns)).all()
        return Counter({(BotId(name, digest), FaultKind(kind)): count for name, digest, kind, count in rows})

    def history(self, tournament: str) -> Iterator[tuple[GameId, str, list[tuple[BotId, FaultKind | None]]]]:
        """The games that count, in the order in which they were kept: when, and the bot and fault of each seat."""
        query = (
            sa.select(GAMES.c.id, GAMES.c.finished, SEATS.c.bot, SEATS.c.digest, SEATS.c.fault)
            .join(LINKS, LINKS.c.game == GAMES.c.id)
            .join(SEATS, SEATS.c.game == GAMES.c.id)
            .where(LINKS.c.tournament == tournament, GAMES.c.verdict != Verdict.VOID)
            .order_by(LINKS.c.number, SEATS.c.seat)
        )
        with self._database.reading() as db:
            for game, rows in groupby(
                db.execution_options(yield_per=4096).execute(query), lambda row: row[:2]
            ):
                seats = [
                    (BotId(row.bot, row.digest), FaultKind(row.fault) if row.fault else None) for row in rows
                ]
                yield GameId(game[0]), game[1], seats

    def results(self, tournament: str) -> list[GameResult]:
        """All finished games of a tournament, ordered by id."""
        rows = self.rows(tournament)
        results = [result for result in rows.values() if result is not None]
        if len(results) < len(rows):
            damaged = next(id for id, result in rows.items() if result is None)
            raise StorageError(f"the row of game {damaged} is damaged", f"arena verify {tournament}", "E407")
        return results

    def rows(self, tournament: str) -> dict[GameId, GameResult | None]:
        """The same by id, with None for a game whose rows are no result."""
        mine = GAMES.c.tournament == tournament
        with self._database.reading() as db:
            games = db.execute(GAMES.select().where(mine).order_by(GAMES.c.id)).all()
            rows = db.execute(
                SEATS.select().join(GAMES).where(mine).order_by(SEATS.c.game, SEATS.c.seat)
            ).all()
        seats: dict[str, list[Any]] = {}
        for row in rows:
            seats.setdefault(row.game, []).append(row)
        return {GameId(game.id): _result(game, seats.get(game.id, [])) for game in games}

    def records(self, tournament: str) -> Iterator[bytes]:
        """The records of a tournament as JSON, ordered by variant, deal, block and game."""
        order = (GAMES.c.variant, GAMES.c.deal, GAMES.c.block, GAMES.c.id)
        query = sa.select(RECORDS.c.record).join(GAMES).where(GAMES.c.tournament == tournament)
        with self._database.reading() as db:
            for blob in db.execution_options(yield_per=256).scalars(query.order_by(*order)):
                yield unpack(blob)

    def newest(self, games: int, variant: str) -> list[bytes]:
        """The packed records of the newest games of a variant that are not void, the oldest first."""
        order = (GAMES.c.finished.desc(), GAMES.c.id)
        query = sa.select(RECORDS.c.record).join(GAMES)
        query = query.where(GAMES.c.variant == variant, GAMES.c.verdict != Verdict.VOID)
        with self._database.reading() as db:
            return list(db.scalars(query.order_by(*order).limit(games)))[::-1]

    def newest_of_each(self, games: int, tournament: str) -> list[bytes]:
        """The same of so many games of each bot of a tournament, in the order in which they were kept."""
        bot = SEATS.c.bot, SEATS.c.digest
        place = sa.func.dense_rank().over(partition_by=bot, order_by=LINKS.c.number.desc())
        places = (
            sa.select(SEATS.c.game, place.label("place"))
            .join(LINKS, LINKS.c.game == SEATS.c.game)
            .join(GAMES, GAMES.c.id == SEATS.c.game)
            .where(LINKS.c.tournament == tournament, GAMES.c.verdict != Verdict.VOID)
            .subquery()
        )
        chosen = sa.select(places.c.game).where(places.c.place <= games)
        query = sa.select(RECORDS.c.record).join(LINKS, LINKS.c.game == RECORDS.c.game)
        with self._database.reading() as db:
            return list(db.scalars(query.where(RECORDS.c.game.in_(chosen)).order_by(LINKS.c.number)))

    def record(self, prefix: str) -> bytes:
        """The record of the one game whose id begins so, as JSON. Raises InputError: none, or several."""
        query = sa.select(RECORDS).where(RECORDS.c.game.startswith(prefix, autoescape=True)).limit(2)
        with self._database.reading() as db:
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
        row = {"manifest": manifest, "added": now("microseconds"), "listed": listed}
        with self._database.writing() as db:
            new = insert(BOTS).values(name=bot.name, digest=bot.digest, **row)
            update = {"listed": True, "added": row["added"]} if listed else {"manifest": manifest}
            db.execute(new.on_conflict_do_update(index_elements=["name", "digest"], set_=update))

    def bots(self, name: str | None = None, listed: bool = True) -> list[KnownBot]:
        """The bot versions that were added (or all that ever played), by name, the newest first."""
        query = BOTS.select().order_by(BOTS.c.name, BOTS.c.added.desc(), BOTS.c.digest)
        if listed:
            query = query.where(BOTS.c.listed)
        if name is not None:
            query = query.where(BOTS.c.name == name)
        with self._database.reading() as db:
            return [KnownBot(BotId(r.name, r.digest), r.manifest, r.added) for r in db.execute(query)]

    def rename_bot(self, old: str, new: str, versions: Iterable[tuple[str, dict[str, Any]]]) -> None:
        """Let versions (digest, manifest) that answer to `old` answer to `new`, in their order of age."""
        with self._database.writing() as db:
            for digest, manifest in versions:
                is_it = (BOTS.c.name == old) & (BOTS.c.digest == digest)
                added = db.execute(sa.select(BOTS.c.added).where(is_it)).scalar_one()
                row = {"manifest": manifest, "added": added, "listed": True}
                entry = insert(BOTS).values(name=new, digest=digest, **row)
                db.execute(entry.on_conflict_do_update(index_elements=["name", "digest"], set_=row))
                db.execute(BOTS.update().where(is_it).values(listed=False))

    def unlist_bot(self, name: str) -> int:
        """Let a name go; games that its versions played stay. How many versions had it."""
        with self._database.writing() as db:
            change = BOTS.update().where(BOTS.c.name == name, BOTS.c.listed).values(listed=False)
            return db.execute(change).rowcount

    def forget_bots(self, bots: Iterable[BotId]) -> None:
        """Remove bot versions that are not listed."""
        with self._database.writing() as db:
            for bot in bots:
                is_it = (BOTS.c.name == bot.name) & (BOTS.c.digest == bot.digest)
                db.execute(BOTS.delete().where(is_it, ~BOTS.c.listed))


def _result(game: Any, seats: Sequence[Any]) -> GameResult | None:
    """A game's rows as its result; None where they are none."""
    try:
        if not seats or [seat.seat for seat in seats] != list(range(len(seats))):
            return None
        return GameResult(
            GameId(game.id), game.game, game.variant, game.rules, DealId(game.deal), game.block, game.block_size,
            tuple(map(_seat_result, seats)), Verdict(game.verdict),
        )  # fmt: skip
    except ValueError:
        return None


def _seat_result(row: Any) -> SeatResult:
    fault = None if row.fault is None else FaultKind(row.fault)
    return SeatResult(BotId(row.bot, row.digest), Team(row.team), row.rank, row.score, fault)
