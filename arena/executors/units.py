"""What workers elsewhere are given: units, cut from the jobs of a tournament.

    jobs in order    A B: deals 0..199    B A: deals 0..199    A C: deals 0..199   ...
                     └──────────── one meeting ───────────┘
    units            [A B: 0..40, B A: 0..40]  [A B: 41..81, B A: 41..81] ...

A block (one meeting on one deal, in every seating) is never cut, so that it is played on one core in one go and a
table that goes by whole blocks grows evenly. A unit is as long as a worker needs some seconds for it: long enough
that handing it out costs nothing beside it, and short enough that little is lost with a worker. Knows no engine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil
from time import monotonic
from types import MappingProxyType

from protocol.vocabulary import GameId
from referee.jobs import GameDone, Job, PlannedGame

TARGET = 10.0
"""Seconds that a unit is to take."""
MOST = 6000
"""Games of a unit: what comes back of it goes through the scheduler, some 2 KB a game."""
NEW = 0.3
"""How much the newest unit weighs in what a game is said to take, where all take equally long."""
WORTH = 20
"""How many times as long as its start a unit takes at least, also at the end of all."""


class Stopwatch:
    """On a worker: what the games of a unit take once their bots are there. `start` is counted from when it is made."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._began = self._before = clock()
        self._jobs: set[str] = set()
        self.hot: dict[str, tuple[int, float]] = {}
        """By variant, of games that came after another of their job: how many, and their seconds."""
        self.start = 0.0
        """Seconds until the first games were over."""

    def look(self, games: Sequence[GameDone], others: int = 0) -> None:
        """Those that are over since the last look; `others`: so many of another unit came with them."""
        now = self._clock()
        for done in games:
            if done.job in self._jobs:
                many, seconds = self.hot.get(done.result.variant, (0, 0.0))
                each = (now - self._before) / (len(games) + others)
                self.hot[done.result.variant] = many + 1, seconds + each
            self._jobs.add(done.job)
        if games:
            self.start = self.start or now - self._began
        if games or others:
            self._before = now


class Pace:
    """What games take, by variant, without the start of their unit."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._weight: dict[str, float] = {}
        """Of what is known, in seconds that were measured; older ones weigh less."""
        self.startup = 0.0
        """Seconds from when a worker takes a unit to when the first game of it is over."""

    def learn(
        self,
        played: Iterable[str],
        seconds: float,
        hot: Mapping[str, tuple[int, float]] = MappingProxyType({}),
        start: float = 0.0,
    ) -> None:
        """Of the variants of some games which took so long together; `hot` and `start` as a `Stopwatch` has them."""
        variants = list(played)
        self.startup = start or self.startup
        for variant in set(variants):
            each = seconds / len(variants)  # starts are in this, too, so that games take no longer
            if variant in hot:
                self._note(variant, *hot[variant])
            elif self._weight.get(variant):
                self._seconds[variant] = min(each, self._seconds[variant])
            else:
                self._seconds[variant] = each

    def _note(self, variant: str, games: int, seconds: float) -> None:
        """What is measured longest weighs most: a few games, or those of long ago, change little."""
        kept = (1 - NEW) * self._weight.get(variant, 0.0)
        weight = seconds / (seconds + kept) if kept else 1.0
        before = self._seconds.get(variant, 0.0)
        self._seconds[variant] = weight * seconds / games + (1 - weight) * before
        self._weight[variant] = seconds + kept

    def of(self, variant: str) -> float | None:
        """Seconds of a game; None: nobody knows yet."""
        return self._seconds.get(variant)

    def seconds(self, jobs: Iterable[Job]) -> float:
        """Of all games of these jobs; those of which nobody knows count nothing."""
        return sum((self.of(job.variant) or 0.0) * len(job.games) for job in jobs)


class Cutter:
    """Jobs, cut into units as they are asked for."""

    def __init__(self, jobs: Iterable[Job], pace: Pace, target: float = TARGET) -> None:
        self._jobs = iter(jobs)
        self._pace, self._target = pace, target
        self._ahead = next(self._jobs, None)
        self._chunk: _Chunk | None = None

    @property
    def empty(self) -> bool:
        """Whether all has been given out."""
        return self._ahead is None and not self._chunk

    def next(self, slots: int) -> tuple[Job, ...]:
        """The jobs of a unit, for one of so many slots; none where all has been given out.

        Where a variant is played for the first time, a unit has one block of it and nothing else. The end of all
        is cut smaller, as far as that is worth a start, so that no slot waits for another.
        """
        jobs: list[Job] = []
        room, games = self._target, MOST
        while (chunk := self._next_chunk()) and games > 0:
            pace = self._pace.of(chunk.variant)
            if pace is None:
                return tuple(jobs) if jobs else chunk.cut(1)
            if self._ahead is None and slots > 1:
                room = min(room, max(pace * chunk.games / (2 * slots), WORTH * self._pace.startup))
            blocks = min(int(room / (pace * chunk.size)) if pace else games, ceil(games / chunk.size))
            if jobs and not blocks:
                break
            cut = chunk.cut(max(1, blocks))
            jobs += cut
            room -= self._pace.seconds(cut)
            games -= sum(len(job.games) for job in cut)
            if room <= 0:
                break
        return tuple(jobs)

    def _next_chunk(self) -> _Chunk | None:
        if not self._chunk:
            self._chunk = _Chunk(self._meeting()) if self._ahead else None
        return self._chunk

    def _meeting(self) -> Iterator[Job]:
        """The jobs from here on that share a block with the first."""
        first = self._ahead
        assert first is not None
        blocks = {game.block for game in first.games}
        while self._ahead is not None and not blocks.isdisjoint(game.block for game in self._ahead.games):
            yield self._ahead
            blocks.update(game.block for game in self._ahead.games)
            self._ahead = next(self._jobs, None)


class _Chunk:
    """Jobs of one meeting, a job for each seating; true while something is left of it."""

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._jobs = [(job, deque(job.games)) for job in jobs]
        first = self._jobs[0][0]
        self.variant, self.size = first.variant, max(1, first.games[0].block_size)
        self._blocks = deque(dict.fromkeys(game.block for _, games in self._jobs for game in games))

    def __bool__(self) -> bool:
        return bool(self._blocks)

    @property
    def games(self) -> int:
        """That are left."""
        return sum(len(games) for _, games in self._jobs)

    def cut(self, blocks: int) -> tuple[Job, ...]:
        """The next so many blocks, whole."""
        names = {self._blocks.popleft() for _ in range(min(blocks, len(self._blocks)))}
        parts = ((job, _taken(games, names)) for job, games in self._jobs)
        return tuple(named(job, games) for job, games in parts if games)


def _taken(games: deque[PlannedGame], blocks: set[str]) -> tuple[PlannedGame, ...]:
    found = tuple(game for game in games if game.block in blocks)
    for game in found:
        games.remove(game)
    return found


def named(job: Job, games: tuple[PlannedGame, ...]) -> Job:
    """A part of a job, under a name that no other part and no other attempt has."""
    return replace(job, id=f"{job.id.split('~')[0]}~{games[0].id[:6]}{games[0].attempt}", games=games)


def without(jobs: Iterable[Job], over: frozenset[GameId] | set[GameId]) -> tuple[Job, ...]:
    """What is left of jobs where some games are over."""
    parts = ((job, tuple(game for game in job.games if game.id not in over)) for job in jobs)
    return tuple(named(job, games) for job, games in parts if games)


def later(jobs: Iterable[Job]) -> tuple[Job, ...]:
    """The same games, as the next attempt at each."""
    again = ((job, tuple(replace(game, attempt=game.attempt + 1) for game in job.games)) for job in jobs)
    return tuple(named(job, games) for job, games in again)
