"""What is killed: a process that leases games, keeps what comes of them and then acknowledges it.

Each pair of games comes late first, from a worker that was given up, and then again and doubled under the
lease that holds. `MUTANTS` are ways to keep results that lose or change something; the campaign must notice.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from unittest.mock import patch

import sqlalchemy as sa

from arena.config import Tournament
from arena.home import Home
from arena.ledger import Ledger
from arena.planning import plan_of
from arena.runs import Run
from protocol.vocabulary import VoidReason
from referee.jobs import GameDone, Job, PlannedGame
from referee.score import void
from tests.arena.made import SEED, job_for, played, round_robin
from tests.referee.driving import bot_ids

BOTS = bot_ids(2)
NAME = "cup"

Acknowledge = Callable[[Iterable[GameDone]], None]
Keep = Callable[[Run, Sequence[GameDone], Acknowledge], None]


def config(deals: int) -> Tournament:
    """A tournament with two games a deal."""
    return Tournament(name=NAME, bots=[bot.name for bot in BOTS], variants=["claim"], deals=deals)


def games(deals: int) -> list[tuple[Job, GameDone]]:
    """The whole tournament, played: each game in its job."""
    return [
        (job, played(job, game))
        for pairing in round_robin(plan_of(config(deals), SEED), BOTS)
        for job in [job_for(pairing.variant, pairing.seating, pairing.games)]
        for game in pairing.games
    ]


def work(home: Home, over: Sequence[tuple[Job, GameDone]], acknowledge: Acknowledge, keep: Keep) -> None:
    """One run, from the lock to the last game. Raises ArenaError where the disk fails."""
    home.folder()
    with home.lock(NAME), closing(Ledger(home.ledger)) as ledger:
        ledger.check()
        ledger.begin(NAME, SEED, config(len(over) // 2).model_dump(mode="json"), BOTS)
        run, kept = ledger.take_up(NAME), ledger.ids(NAME)
        missing = [(job, done) for job, done in over if done.result.id not in kept]
        for first in range(0, len(missing), 2):
            pair = missing[first : first + 2]
            run.lease(done.planned for _, done in pair)
            run.lease(_next(done.planned) for _, done in pair)
            late = [void(job, done.planned, VoidReason.WORKER_LOST, "it came late") for job, done in pair]
            keep(run, late, acknowledge)
            now = [replace(done, planned=_next(done.planned)) for _, done in pair]
            keep(run, [*now, now[0]], acknowledge)


def _next(game: PlannedGame) -> PlannedGame:
    return replace(game, attempt=game.attempt + 1)


def say(to: int) -> Acknowledge:
    """Acknowledge games to a descriptor, an id a line."""

    def acknowledge(kept: Iterable[GameDone]) -> None:
        for done in kept:
            os.write(to, f"{done.result.id}\n".encode())

    return acknowledge


def properly(run: Run, games: Sequence[GameDone], acknowledge: Acknowledge) -> None:
    """As the arena does."""
    acknowledge(run.keep(games))


def torn(before: str) -> Keep:
    """In two transactions, the second from a statement on."""

    def keep(run: Run, games: Sequence[GameDone], acknowledge: Acknowledge) -> None:
        def tear(_: object, cursor: sqlite3.Cursor, statement: str, *__: object) -> None:
            if statement.startswith(before):
                cursor.execute("COMMIT")
                cursor.execute("BEGIN IMMEDIATE")

        engine = run._database._backend.engine
        sa.event.listen(engine, "before_cursor_execute", tear)
        try:
            acknowledge(run.keep(games))
        finally:
            sa.event.remove(engine, "before_cursor_execute", tear)

    return keep


def acknowledged_first(run: Run, games: Sequence[GameDone], acknowledge: Acknowledge) -> None:
    """Told before it is safe."""
    with run._database.reading() as db:
        leased = run._leased(db, [done.result.id for done in games])
    first = {done.result.id: done for done in games if (done.result.id, done.planned.attempt) in leased}
    acknowledge(first.values())
    run.keep(games)


def unfenced(run: Run, games: Sequence[GameDone], acknowledge: Acknowledge) -> None:
    """Whatever comes first is kept, whoever had the lease."""
    every = {(done.result.id, done.planned.attempt) for done in games}
    with patch.object(run, "_leased", lambda *_: every):
        acknowledge(run.keep(games))


MUTANTS: dict[str, Keep] = {
    "records in a second transaction": torn("INSERT INTO records"),
    "links in a second transaction": torn("INSERT INTO links"),
    "acknowledged before the commit": acknowledged_first,
    "leases not checked": unfenced,
}
