"""Who is suspended: a bot that made so many faults of one kind in a row plays no more in that tournament.

In a row means in the order in which its games were kept, whichever process played them: a game counts once,
one without a fault of the bot ends the row, a void one is no game. Games that were begun are finished; however
they end, who is suspended stays so. All follows from the ledger and `suspend_after`, so a run that is resumed
comes to the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NamedTuple

from arena.config import Tournament
from arena.ledger import Begun, Ledger
from arena.stored import Faulty
from protocol.result import GameResult
from protocol.vocabulary import BotId, FaultKind, GameId, Verdict
from referee.faults import SUSPENDED, Misstep
from referee.jobs import Job, Launch

LIFT = "suspend_after = 0 lets it play on, or add a mended version under another name"


@dataclass(frozen=True, slots=True)
class Suspension:
    """Since when a bot is suspended, and why."""

    bot: BotId
    kind: FaultKind
    faults: int
    """Of that kind, in a row."""
    game: GameId
    """The last of them."""
    at: str
    """When that was kept: UTC, ISO 8601."""

    def __str__(self) -> str:
        return (
            f"{self.bot.name} is suspended since {self.at}: {self.faults} times {self.kind} in a row, "
            f"last in game {self.game[:12]}"
        )

    @property
    def misstep(self) -> Misstep:
        """What it is to have done wrong in the games that are left."""
        return Misstep(self.kind, SUSPENDED, f"{self}; it was not started for this game")


class Row(NamedTuple):
    """Faults of one kind, one after the other."""

    kind: FaultKind
    length: int


class Conduct:
    """What the bots of a tournament did, fed with its games in the order in which they were kept.

    Invariant: `suspended` only grows.
    """

    def __init__(self, after: int) -> None:
        self.suspended: dict[BotId, Suspension] = {}
        self._after = after
        """So many faults suspend; 0: no number does."""
        self._rows: dict[BotId, Row] = {}

    def take_all(self, results: Iterable[GameResult]) -> list[Suspension]:
        """Games that were kept just now; whom they suspend."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        return [
            new
            for result in results
            if result.verdict is not Verdict.VOID
            for new in self.take(result.id, at, ((seat.bot, seat.fault) for seat in result.seats))
        ]

    def take(
        self, game: GameId, at: str, seats: Iterable[tuple[BotId, FaultKind | None]]
    ) -> list[Suspension]:
        """A game that was kept, and not void; whom it suspends."""
        made: dict[BotId, FaultKind | None] = {}
        for bot, fault in seats:
            made[bot] = made.get(bot) or fault
        return [new for bot, kind in made.items() if (new := self._count(bot, kind, game, at))]

    def _count(self, bot: BotId, kind: FaultKind | None, game: GameId, at: str) -> Suspension | None:
        if kind is None:
            self._rows.pop(bot, None)
            return None
        last, length = self._rows.get(bot, Row(kind, 0))
        row = self._rows[bot] = Row(kind, length + 1 if kind is last else 1)
        if row.length != self._after or bot in self.suspended:
            return None
        self.suspended[bot] = Suspension(bot, kind, row.length, game, at)
        return self.suspended[bot]


def conduct(ledger: Ledger, tournament: str, after: int) -> Conduct:
    """What the bots of a tournament in the ledger did so far. Raises StorageError.

    Only faults are read; of the games between two of them it is asked whether there is one.
    """
    found = Conduct(after)
    last: dict[BotId, Faulty] = {}
    for one in ledger.faulty(tournament) if after else ():
        bot, before = one.bot, last.get(one.bot)
        if bot in found.suspended:
            continue
        if (
            before
            and before.kind is one.kind
            and ledger.last_before(tournament, bot, one.number) != before.number
        ):
            found.take(one.game, one.finished, [(bot, None)])
        found.take(one.game, one.finished, [(bot, one.kind)])
        last[bot] = one
    for bot, one in last.items():
        if bot not in found.suspended and ledger.last_before(tournament, bot) != one.number:
            found.take(one.game, one.finished, [(bot, None)])
    return found


def suspended(ledger: Ledger, begun: Begun) -> dict[BotId, Suspension]:
    """The suspended bots of a tournament in the ledger. Raises StorageError."""
    return conduct(ledger, begun.name, Tournament.model_validate(begun.config).suspend_after).suspended


def left_out(ledger: Ledger, begun: Begun) -> frozenset[BotId]:
    """The bots of a tournament in the ledger that no more games are to come of. Raises StorageError."""
    return frozenset(suspended(ledger, begun) if drops(begun) else ())


def drops(begun: Begun) -> bool:
    """Whether the games of a suspended bot are left out there."""
    return Tournament.model_validate(begun.config).on_suspend == "drop"


def note(suspension: Suspension, drops: bool) -> str:
    """What whoever reads a table must know; `drops`: the games of suspended bots are left out."""
    left = "left out, and their blocks not rated" if drops else "lost unplayed"
    return f"{suspension}; its games after that are {left} ({LIFT})"


def revised(job: Job, suspended: Mapping[BotId, Suspension], drops: bool) -> Job | None:
    """A job as it is to be played now; None: not at all."""
    if not concerns(job, suspended):
        return job
    if drops:
        return None
    return replace(job, seating=tuple(_seated(launch, suspended) for launch in job.seating))


def concerns(job: Job, suspended: Mapping[BotId, Suspension]) -> bool:
    """Whether a job was to start a bot that is suspended."""
    return any(launch.bot in suspended and launch.suspended is None for launch in job.seating)


def _seated(launch: Launch, suspended: Mapping[BotId, Suspension]) -> Launch:
    found = suspended.get(launch.bot)
    return launch if found is None else replace(launch, suspended=found.misstep)
