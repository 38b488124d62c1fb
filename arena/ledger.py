"""The ledger: what was planned, who plays, every game that is over.

A game is here once it is final, in one transaction with its record and its link of the chain, and never
changes again; what is missing is what is still to be played. One process at a time runs a tournament
(`Home.lock`), and what it hands out and keeps goes through its `Run`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import sqlalchemy as sa

from arena import recent, stored
from arena.database import Database, Transaction, can_be_kept, now, upsert
from arena.errors import InputError, StorageError, did_you_mean
from arena.place import Place
from arena.runs import Run, check_run, last_link, run_of
from arena.stored import Closed, Faulty, Kept
from arena.tables import BOTS, GAMES, LEASES, LINKS, RECORDS, SEATS, TOURNAMENTS
from protocol.record import unpack
from protocol.result import GameResult
from protocol.vocabulary import BotId, FaultKind, GameId, Verdict

if TYPE_CHECKING:
    from leaderboards.results import Results


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
    """Its id; empty where the tournament has no such game."""
    link: str
    finished: str | None
    """None where the tournament has no such game."""
    isolation: str | None
    meeting: str | None
    record: bytes | None
    """Packed; None where there is none."""


class Ledger:
    """The database. Every method raises StorageError where the database or the disk fails."""

    def __init__(self, place: Place) -> None:
        """Where there are no tables the ledger is empty; they are made when something is first written."""
        self.place = place
        self._database = Database(place)

    def close(self) -> None:
        """Let the file or the server go."""
        self._database.close()

    def asking(self) -> Transaction:
        """A transaction on the server, for what is asked of itself and not of its tables."""
        return self._database.asking()

    def check(self) -> None:
        """Raise StorageError where the database is damaged."""
        self._database.check()

    def damage(self) -> Iterator[str]:
        """All that is wrong with the database itself, and rows that belong to nothing."""
        return self._database.damage()

    # tournaments

    def begin(
        self, name: str, seed: str, config: dict[str, Any], bots: Iterable[BotId], notes: Iterable[str] = ()
    ) -> None:
        """Enter a tournament, or what has been added to one."""
        with self._database.writing() as db:
            _begin(db, name, seed, config, bots, notes)

    def enter(
        self,
        name: str,
        seed: str,
        config: dict[str, Any],
        bots: Iterable[BotId],
        notes: Iterable[str],
        seen: int,
    ) -> Run:
        """The same, and begin a run of it. Raises Busy where another was begun since it had `seen` runs."""
        with self._database.writing() as db:
            check_run(db, name, seen)
            _begin(db, name, seed, config, bots, notes)
            return Run(self._database, name, _take_up(db, name))

    def runs(self, name: str) -> int:
        """How many runs of a tournament were begun."""
        with self._database.reading() as db:
            return run_of(db, name)

    def find(self, name: str) -> Begun | None:
        """The tournament of that name."""
        if not can_be_kept(name):
            return None
        with self._database.reading() as db:
            try:
                row = db.execute(TOURNAMENTS.select().where(TOURNAMENTS.c.name == name)).first()
                return None if row is None else _begun(row)
            except (TypeError, ValueError) as error:
                fix = "restore the ledger from a copy"
                raise StorageError(
                    f"the row of tournament {name!r} is damaged: {error}", fix, "E409"
                ) from None

    def tournament(self, name: str) -> Begun:
        """The tournament of that name. Raises InputError with near names."""
        found = self.find(name)
        if found is None:
            hint = did_you_mean(name, self.names())
            raise InputError(f"no tournament {name!r} in the ledger {self.place}", hint, "E204")
        return found

    def names(self) -> list[str]:
        """All tournaments, the newest last."""
        with self._database.reading() as db:
            order = (TOURNAMENTS.c.begun, TOURNAMENTS.c.name)
            return list(db.scalars(sa.select(TOURNAMENTS.c.name).order_by(*order)))

    # games

    def take_up(self, tournament: str) -> Run:
        """Begin a run of a tournament that stands here: what a dead one had handed out is to be played again."""
        with self._database.writing() as db:
            return Run(self._database, tournament, _take_up(db, tournament))

    def head(self, tournament: str) -> str:
        """The last link of a tournament's chain; empty where no game is over."""
        with self._database.reading() as db:
            return last_link(db, tournament)[1]

    def links(self, tournament: str) -> Iterator[Link]:
        """A tournament's chain, in its order."""
        columns = (
            LINKS.c.number,
            sa.func.coalesce(GAMES.c.id, ""),
            LINKS.c.link,
            GAMES.c.finished,
            GAMES.c.isolation,
            GAMES.c.meeting,
        )
        query = sa.select(*columns, RECORDS.c.record)
        joined = LINKS.outerjoin(GAMES, (GAMES.c.key == LINKS.c.game) & (GAMES.c.tournament == tournament))
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
        few = stored.few_faults(SEATS.c.fault, GAMES.c.tournament, tournament)
        query = sa.select(*columns, sa.func.count()).join(GAMES).where(few)
        with self._database.reading() as db:
            rows = db.execute(query.group_by(*columns)).all()
        return Counter({(BotId(name, digest), FaultKind(kind)): count for name, digest, kind, count in rows})

    def faulty(self, tournament: str) -> Iterator[Faulty]:
        """What bots did wrong in games that count, in the order in which those were kept."""
        with self._database.reading() as db:
            yield from stored.faulty(db, tournament)

    def last_before(self, tournament: str, bot: BotId, number: int | None = None) -> int | None:
        """The last game of a bot that counts (before the one with that link): the number of its link."""
        with self._database.reading() as db:
            return stored.last_before(db, tournament, bot, number)

    def results(self, tournament: str) -> Results:
        """All finished games of a tournament, ordered by id."""
        with self._database.reading() as db:
            return stored.results(db, tournament)

    def blocks(self, tournament: str) -> Iterator[Closed | GameResult]:
        """All that is over: whole blocks, and the games of the others."""
        with self._database.reading() as db:
            yield from stored.blocks(db, tournament)

    def kept_after(self, tournament: str, number: int, most: int | None = None) -> list[Kept]:
        """The games (or so many of them) of a tournament whose links come after that one, in their order."""
        with self._database.reading() as db:
            return stored.kept_after(db, tournament, number, most)

    def rows(self, tournament: str) -> dict[GameId, GameResult | None]:
        """All finished games by id, with None for a game whose rows are no result."""
        with self._database.reading() as db:
            return stored.rows(db, tournament)

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
        with self._database.reading() as db:
            return recent.newest_of_each(db, games, tournament)

    def record(self, prefix: str) -> bytes:
        """The record of the one game whose id begins so, as JSON. Raises InputError: none, or several."""
        with self._database.reading() as db:
            rows = stored.beginning(db, prefix) if can_be_kept(prefix) else []
        if len(rows) != 1:
            what = "no game begins" if not rows else "several games begin"
            raise InputError(
                f"{what} with {prefix!r} in {self.place}", "arena record list TOURNAMENT", "E205"
            )
        try:
            return unpack(rows[0].record)
        except ValueError as error:
            fix = "arena verify TOURNAMENT says what else is; restore the ledger from a copy"
            raise StorageError(f"the record of game {rows[0].id} is damaged: {error}", fix, "E407") from None

    # bots

    def add_bot(self, bot: BotId, manifest: dict[str, Any], listed: bool) -> None:
        """Enter a bot version; `listed` ones answer to their name alone."""
        row = {"manifest": manifest, "added": now("microseconds"), "listed": listed}
        with self._database.writing() as db:
            changed = ("listed", "added") if listed else ("manifest",)
            upsert(db, BOTS, [{"name": bot.name, "digest": bot.digest, **row}], changed)

    def bots(self, name: str | None = None, listed: bool = True) -> list[KnownBot]:
        """The bot versions that were added (or all that ever played), by name, the newest first."""
        if name is not None and not can_be_kept(name):
            return []
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
                upsert(db, BOTS, [{"name": new, "digest": digest, **row}], tuple(row))
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


def _begin(
    db: sa.Connection,
    name: str,
    seed: str,
    config: dict[str, Any],
    bots: Iterable[BotId],
    notes: Iterable[str],
) -> None:
    exact = [[bot.name, bot.digest] for bot in bots]
    row = {"seed": seed, "config": config, "bots": exact, "notes": list(notes)}
    upsert(db, TOURNAMENTS, [{"name": name, "begun": now(), **row}], tuple(row))


def _begun(row: Any) -> Begun:
    bots = tuple(BotId(*map(str, bot)) for bot in row.bots)
    return Begun(row.name, row.seed, row.config, bots, tuple(row.notes), row.begun)


def _take_up(db: sa.Connection, tournament: str) -> int:
    """The number of a new run, which ends all before it."""
    mine = TOURNAMENTS.c.name == tournament
    db.execute(LEASES.delete().where(LEASES.c.tournament == tournament))
    db.execute(TOURNAMENTS.update().where(mine).values(run=TOURNAMENTS.c.run + 1))
    return run_of(db, tournament)
