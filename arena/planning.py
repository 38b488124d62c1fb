"""What a tournament file asks for, and what of it is to come: the one place that runs, status, exports and
verification ask, so that they agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import chain

from arena import budget
from arena.config import Tournament
from arena.errors import StorageError
from arena.ledger import Begun, Ledger
from arena.meetings import meeting_id
from arena.schedules import Schedule, opening
from arena.schedules.blocks import (
    Block,
    Field,
    Meeting,
    Pairing,
    Plan,
    Progress,
    Seating,
    deal_of,
    number_of,
    pairings_of,
    sides_of,
    teams_of,
)
from arena.schedules.rounds import Rounds, meetings_of
from arena.scheduling import schedules
from arena.stopping import Stop
from arena.stored import Closed
from arena.suspension import left_out
from protocol.result import GameResult
from protocol.vocabulary import BotId, DealId
from referee.jobs import PlannedGame

ALL_PLAYED = "all games are played"


@dataclass(slots=True)
class Course:
    """A tournament as far as it is, fed with games that are over.

    Invariant: what is to come follows from the settings and these games, whatever their order.
    """

    plan: Plan
    bots: tuple[BotId, ...]
    """In the order of the file."""
    schedule: Schedule
    """Steps of it are what runs play: where a rule may stop it, as short as may be."""
    whole: Schedule
    """The same as if no rule would stop it."""
    stop: Stop
    away: Collection[BotId] = ()
    """Bots that no more games are to come of; it may grow."""
    progress: Progress = field(default_factory=Progress)
    played: Counter[str] = field(default_factory=Counter)
    """How many games of each variant are over."""

    def __post_init__(self) -> None:
        self.progress.lean = self.lean

    @property
    def lean(self) -> bool:
        """Whether it is enough to count what is over: what is to come hangs on no result."""
        return self.whole.static and not self.stop.rates

    @property
    def field(self) -> Field:
        """Who is still to play."""
        return Field(self.plan, tuple(bot for bot in self.bots if bot not in self.away))

    def take(self, results: Iterable[GameResult]) -> None:
        """Games that are over, each once. Raises StorageError where a row names no deal."""
        results = list(results)
        with self._undamaged():
            self.progress.take(results)
        self.played.update(result.variant for result in results)

    def take_in(self, ledger: Ledger) -> None:
        """All that the ledger has of this tournament: counted where that is enough. Raises StorageError."""
        if not self.lean:
            self.take(ledger.results(self.plan.name))
            return
        meetings: dict[str, Meeting] = {}
        with self._undamaged():
            for one in ledger.blocks(self.plan.name):
                if isinstance(one, GameResult):
                    self.take([one])
                    continue
                meetings = meetings or self._meetings()
                self._close(meetings.get(one.meeting), one)

    def _meetings(self) -> dict[str, Meeting]:
        """By the names that the ledger has for them."""
        met = meetings_of(Field(self.plan, self.bots))
        return {
            meeting_id(
                meeting.variant, ((n, bot) for n, side in enumerate(meeting.sides) for bot in side)
            ): meeting
            for meeting in met
        }

    def _close(self, meeting: Meeting | None, closed: Closed) -> None:
        if meeting is None:
            raise ValueError(f"no such bots meet on deal {closed.deal!a}")
        self.progress.close(Block(meeting, number_of(closed.deal)), closed.games, closed.void)
        self.played[meeting.variant] += closed.games

    @contextmanager
    def _undamaged(self) -> Iterator[None]:
        try:
            yield
        except ValueError as error:
            fix = f"arena verify {self.plan.name}"
            raise StorageError(f"the row of a game is damaged: {error}", fix, "E407") from None

    @property
    def kept(self) -> int:
        """Games that are over."""
        return self.played.total()

    def begun(self) -> list[Block]:
        """Blocks of which some games are over and others are to come."""
        return self._begun(self.field)

    def _begun(self, field: Field) -> list[Block]:
        here, variants = frozenset(field.bots), self.plan.variants
        return [b for b in self.progress.begun if b.meeting.bots <= here and b.meeting.variant in variants]

    def next(self) -> Iterator[Pairing]:
        """The games to play now; when all of them are over, it is to be asked again.

        What an interrupted run has begun is ended before a schedule that goes by results is asked.
        """
        return self._missing(self._blocks(self.schedule))

    def left(self) -> Iterator[Pairing]:
        """The games that are to come: all of them where that is known beforehand, else the next ones."""
        return self._missing(() if self.over() else self._blocks(self.whole))

    def stopped(self, seconds: float = 0.0) -> str:
        """The rule of [stop] that ends it, in words; empty: none does, or a block is begun.

        `seconds`: how long this run takes so far; a limit of time ends a run, and no tournament.
        """
        field = self.field
        return "" if self._begun(field) else self.stop.reached(self.progress, seconds, field.bots)

    def over(self) -> str:
        """Why nothing is to come any more, in words; empty while something is."""
        if stopped := self.stopped():
            return stopped
        more = self.begun() or any(True for _ in self.whole.step(self.field, self.progress))
        return "" if more else ALL_PLAYED

    def _blocks(self, schedule: Schedule) -> Iterable[Block]:
        begun = self.begun()
        if begun and not schedule.static:
            return begun
        rest = set(begun)
        return chain(begun, (block for block in self._step(schedule, self.field) if block not in rest))

    def _step(self, schedule: Schedule, field: Field) -> Iterable[Block]:
        """As much of a step as the budget of games has room for: whole deals, single blocks, or else all of it."""
        blocks = schedule.step(field, self.progress)
        if not self.stop.games:
            return blocks
        if schedule.static:
            end = self._end(schedule, field)
            return (block for block in blocks if block.deal < end)
        if schedule.most(field):
            return blocks
        room = self.stop.games - self.progress.games
        return budget.neediest(list(blocks), cache(field.games), room, self.progress.results)

    def _end(self, schedule: Schedule, field: Field) -> int:
        """The first deal that the budget of games has no room for."""
        room = self.stop.games - self.progress.games
        return budget.end_of(schedule.step(field, self.progress), cache(field.games), room)

    def _missing(self, blocks: Iterable[Block]) -> Iterator[Pairing]:
        for pairing in pairings_of(self.plan, blocks):
            games = tuple(game for game in pairing.games if game.id not in self.progress.begun_games)
            if games:
                yield replace(pairing, games=games)

    def closed(self, deals: Iterable[DealId]) -> set[DealId]:
        """Those of `deals` that no game is to come of: their seeds, and so their records, may be shown."""
        if not self.whole.static and not self.over():
            return set()
        blocks = () if self.over() else self._blocks(self.whole)
        return set(deals) - {
            deal_of(variant, deal) for variant, deal in {(b.meeting.variant, b.deal) for b in blocks}
        }

    def missing(self) -> int | None:
        """Games that are to come; None where it hangs on results how many."""
        if self.over():
            return 0
        return self._to_come(self.field).total() if self.whole.static else None

    def planned(self, variant: str, seating: Seating, deal: int) -> PlannedGame | None:
        """The game of these seats on that deal; None where the tournament can have none, whatever its schedule."""
        if variant not in self.plan.variants or not set(seating) <= set(self.bots):
            return None
        if len(seating) != len(teams_of(variant)):
            return None
        meeting = Meeting(variant, sides_of(teams_of(variant), seating))
        if meeting not in Field(self.plan, tuple(meeting.bots)).meetings(variant):
            return None
        there = (p for p in pairings_of(self.plan, [Block(meeting, deal)]) if p.seating == seating)
        return next((pairing.games[0] for pairing in there), None)

    # how many games

    def games(self) -> dict[str, int | None]:
        """Of each variant: those that are over and those to come, were nobody suspended; None: nobody knows."""
        played = {variant: self.played[variant] for variant in self.plan.variants}
        if self.whole.static and not self.stopped():
            left = self._to_come(Field(self.plan, self.bots))
            return {variant: over + left[variant] for variant, over in played.items()}
        if self.over():
            return dict(played)
        most = self.whole.most(self.field)
        return {v: max(over, most[v][0]) if v in most else None for v, over in played.items()}

    def most(self) -> int | None:
        """Games that there can be in all; None where no number bounds them."""
        numbers = [number for number in self.games().values() if number is not None]
        bounds = [sum(numbers)] if len(numbers) == len(self.plan.variants) else []
        bounds += [self._used()] if self.stop.games and not self.whole.static else []
        return max(self.kept, min(bounds)) if bounds else None

    def _used(self) -> int:
        """Games, void ones too, by which the budget is used up; rounds and blocks are played to their end."""
        field, progress = Field(self.plan, self.bots), self.progress
        over = progress.games + sum(field.games(block.meeting) for block in progress.void)
        sizes = [size for variant in self.plan.variants for size in _block_sizes(field, variant)]
        rounds = self.whole.step(field, Progress()) if self.whole.most(field) else ()
        last = sum(field.games(block.meeting) for block in rounds) or max(sizes)
        return over + budget.used(self.stop.games - progress.games, sizes, last)

    def lacking(self) -> int:
        """Games to come of what all else builds on: an opening, or a first deal for all; of rounds none."""
        field = self.field
        if isinstance(self.whole, Rounds):
            blocks = self.whole.first(field, self.progress)
        else:
            endless = not self.whole.most(field)
            blocks = opening.lacking(field, self.progress, self.plan.deals) if endless else []
        return sum(field.games(block.meeting) for block in blocks)

    def dropped(self) -> int:
        """Games that will not be played, because a bot is suspended; 0 where nobody could say which were to come."""
        if not self.away or not self.whole.static or self.stopped():
            return 0
        return self._to_come(Field(self.plan, self.bots)).total() - self._to_come(self.field).total()

    def _to_come(self, field: Field) -> Counter[str]:
        """Games that a schedule known beforehand still has in this field, by variant."""
        assert isinstance(self.whole, Rounds)
        end = self._end(self.whole, field) if self.stop.games else None
        left = self.whole.left(field, self.progress, end)
        for block in (begun := self._begun(field)):
            due = self.whole.deals_of(block.meeting)
            if block.deal < (due if end is None else min(due, end)):
                left[block.meeting.variant] -= field.games(block.meeting)
        for pairing in self._missing(begun):
            left[pairing.variant] += len(pairing.games)
        return left


@dataclass(frozen=True, slots=True)
class Size:
    """How much is to be played of one variant, at most."""

    games: int | None
    """None where the rules of [stop] alone bound it; so with `blocks`."""
    blocks: int | None
    block: int
    """Games of the largest block: one of mixed teams has more of them than one of copies."""


def sizes(course: Course) -> dict[str, Size]:
    """The whole tournament by variant, as if nothing had been played."""
    field = course.field
    most: dict[str, tuple[int | None, int | None]] = {**course.whole.most(field)}
    found = {
        variant: (*most.get(variant, (None, None)), max(_block_sizes(field, variant), default=0))
        for variant in field.plan.variants
    }
    return {variant: Size(games, blocks, block) for variant, (games, blocks, block) in found.items()}


def _block_sizes(field: Field, variant: str) -> set[int]:
    """Games of its blocks; every way to meet is there among as many bots as there are seats."""
    few = Field(field.plan, field.bots[: len(teams_of(variant))])
    return {few.games(meeting) for meeting in few.meetings(variant)}


def plan_of(tournament: Tournament, seed: str) -> Plan:
    """What settles the games of `tournament`, beside its bots."""
    return Plan(
        tournament.name, seed, tuple(tournament.variant_ids), tournament.deals,
        tournament.seatings == "all", tournament.partners,
    )  # fmt: skip


def course_of(
    tournament: Tournament, seed: str, bots: Sequence[BotId], away: Collection[BotId] = ()
) -> Course:
    """A tournament of which nothing is over. Raises InputError where [schedule] means no bot of it."""
    stop = Stop(**tournament.stop.model_dump())
    return Course(plan_of(tournament, seed), tuple(bots), *schedules(tournament, bots), stop, away)


def course_in(ledger: Ledger, begun: Begun) -> Course:
    """One in the ledger, as far as it is. Raises StorageError."""
    config, away = Tournament.model_validate(begun.config), left_out(ledger, begun)
    course = course_of(config, begun.seed, begun.bots, away)
    course.take_in(ledger)
    return course
