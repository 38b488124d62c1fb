"""How true a schedule's ranking is: it is played in many simulated contests, and each board is held to the truth.

What plays, rates and stops is what tournaments have. Two things differ: rounds are the smallest that a schedule
knows, and games that a step has beyond the budget are not played, so that schedules compare at equal numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from itertools import chain, count
from typing import NamedTuple, Protocol

import numpy as np

from arena.config import Tournament
from arena.errors import InputError
from arena.planning import Course, course_of
from arena.pools import Pool
from arena.quality import Quality
from arena.schedules.blocks import Block, Field, Progress
from arena.schedules.knockout import Knockout
from arena.simulation import Contest, World
from leaderboards.estimates import combined, estimate
from leaderboards.games import Array
from leaderboards.inference import expected_tau, posterior
from leaderboards.normal import LEVEL
from leaderboards.online import Online
from leaderboards.places import MU
from leaderboards.ratings import fit
from leaderboards.selection import Kind, kind_of, sides
from protocol.result import GameResult
from protocol.vocabulary import BotId

STEPS = (10, 15, 20, 30, 40, 60, 80)
"""Times a power of ten: numbers of games at which a board is looked at."""
QUALITY = "quality"
"""The baseline that no tournament can have."""
Step = Callable[[Field, Progress], Iterable[Block]]
"""What chooses the next blocks."""


class Point(NamedTuple):
    """A board after some games of one contest, beside the truth. All are numbers, so that contests can be averaged."""

    games: float
    seconds: float
    """CPU time of all bots; 0 where it is not known."""
    tau: float
    """Kendall's, over the pairs that differ in truth; pairs that the board has equal count for nothing."""
    first: float
    """1: the first of the board, or who has won the knockout, is the true best, or one of them; else 0."""
    top3: float
    """1: one of the first three is."""
    rank_error: float
    """Mean distance of a bot's place from its true one."""
    rmse: float
    """Root of the mean square error of mu, both less their mean."""
    covered: float
    """Share of the bots whose 95 % interval has the truth."""
    claimed: float
    """The tau that the board itself expects; −1 where it says nothing."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A schedule to be tried."""

    name: str
    """QUALITY, or what the reader calls it."""
    tournament: Tournament
    """Its variants, deals, schedule and rules; its bots are names."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What one schedule made of one contest, as one rating sees it."""

    name: str
    rating: str
    """`batch`, which is the board's, or `online`."""
    points: tuple[Point, ...]
    """At growing numbers of games; the last is the end."""


class Reading(NamedTuple):
    """What a board says of all bots, in the order of its contest."""

    mu: Array
    sd: Array
    claimed: float


class Rater(Protocol):
    """What makes a board of games."""

    def read(self, progress: Progress, bots: Sequence[BotId]) -> Reading | None:
        """None: a bot has not played every variant so far. Raises NotConverged."""


class Batch:
    """The board of tournaments: all games at once."""

    def read(self, progress: Progress, bots: Sequence[BotId]) -> Reading | None:
        """See Rater."""
        kinds = list(progress.log.games().values())
        known = combined([estimate(games) for games in kinds], [1 / len(kinds)] * len(kinds))
        if len(known.bots) < len(bots):
            return None
        fits = [fit(games).ratings for games in kinds]
        places = [known.bots.index(bot) for bot in bots]
        mu = np.array([[ratings[bot].mu for bot in bots] for ratings in fits]).mean(axis=0)
        return Reading(mu, known.sd[places], expected_tau(posterior(known)))


@dataclass(slots=True)
class Usual:
    """TrueSkill game after game, with the package's own settings."""

    kinds: dict[Kind, Online] = field(default_factory=dict)
    seen: int = 0

    def read(self, progress: Progress, bots: Sequence[BotId]) -> Reading | None:
        """See Rater."""
        for result in progress.results[self.seen :]:
            self.kinds.setdefault(kind_of(result), Online()).take(sides(result))
        self.seen = len(progress.results)
        known = [[online.rating(bot) for bot in bots] for online in self.kinds.values()]
        mu = np.array([[one.mu for one in row] for row in known]).mean(axis=0)
        variance = np.array([[one.sigma**2 for one in row] for row in known]).mean(axis=0)
        return Reading(mu, np.sqrt(variance / len(known)), -1)


def trials(
    entries: Sequence[Entry], world: World, seeds: Sequence[int], online: bool = False, jobs: int = 1
) -> Iterator[list[Trial]]:
    """A contest for each seed, in their order: every entry is played in it, so they have their luck in common.

    Raises NotConverged, InputError where a bot does not come to play.
    """
    work = partial(contest, entries, world, online)
    if jobs == 1:
        yield from map(work, seeds)
        return
    with Pool(jobs) as pool:
        yield from pool.map(work, seeds)


def seeds(seed: str, runs: int) -> list[int]:
    """Of so many contests, all of which follow from one text."""
    return [int(sha256(f"{seed}\n{run}".encode()).hexdigest()[:8], 16) for run in range(runs)]


def contest(entries: Sequence[Entry], world: World, online: bool, seed: int) -> list[Trial]:
    """One contest: a trial for each entry and rating. Raises NotConverged, InputError where it is too short."""
    return list(chain.from_iterable(_tried(entry, world, online, seed) for entry in entries))


def _tried(entry: Entry, world: World, online: bool, seed: int) -> Iterator[Trial]:
    bots = tuple(BotId(name, "") for name in entry.tournament.bots)
    course = course_of(entry.tournament, str(seed), bots)
    course.progress.lean = False  # boards are made of results
    step = Quality().step if entry.name == QUALITY else course.schedule.step
    luck = Contest(world, course.plan, bots, seed)
    course.progress.cost = luck.costs
    truth = np.array([luck.truth[bot] for bot in bots])
    raters: dict[str, Rater] = {"batch": Batch(), "online": Usual()} if online else {"batch": Batch()}
    points: dict[str, list[Point]] = {name: [] for name in raters}
    for progress in looks(course, step, luck):
        for name, rater in raters.items():
            if reading := rater.read(progress, bots):
                held_to = held(reading, truth, _winner(course))
                points[name].append(Point(len(progress.results), luck.seconds(progress), *held_to))
    if not all(points.values()):
        games = len(course.progress.results)
        raise InputError(
            f"{entry.name} ends after {games} games, and not every bot has played every variant by then",
            "more --games or --deals", "E312",
        )  # fmt: skip
    return (Trial(entry.name, name, tuple(found)) for name, found in points.items())


def _winner(course: Course) -> int | None:
    """The place of who has won a knockout, whatever the board says; None: the board says who is the first."""
    if not isinstance(course.schedule, Knockout):
        return None
    winner = course.schedule.bracket(course.field, course.progress)[-1][0].winner
    return course.bots.index(winner) if winner else None


def looks(course: Course, step: Step, luck: Contest) -> Iterator[Progress]:
    """Play to the end; stop to be looked at wherever a number of games is reached, and at the end."""
    progress, marks = course.progress, ladder()
    mark, looked = next(marks), 0
    for result in played(course, step, luck):
        progress.take([result])
        if len(progress.results) >= mark:
            looked = len(progress.results)
            yield progress
            mark = next(mark for mark in marks if mark > looked)
    if looked < len(progress.results):
        yield progress


def ladder() -> Iterator[int]:
    """Numbers of games: 100, 150, 200, 300, 400, 600, 800, 1000, and so on."""
    return (step * 10**power for power in count(1) for step in STEPS)


def played(course: Course, step: Step, luck: Contest) -> Iterator[GameResult]:
    """The games of a tournament in the order in which it asks for them, up to its budget; each is to be taken in."""
    progress, field, stop = course.progress, course.field, course.stop
    while not stop.reached(progress, luck.seconds(progress) if stop.minutes else 0, field.bots):
        blocks = [block for block in step(field, progress) if block not in progress]
        if not blocks:
            return
        for result in luck.play(blocks):
            if stop.games and len(progress.results) >= stop.games:
                return
            yield result


def held(reading: Reading, truth: Array, winner: int | None = None) -> tuple[float, ...]:
    """A reading beside the strengths (N,): what a Point has from `tau` to `claimed`.

    `winner`: the place of the bot that is the first whatever the reading says.
    """
    mu, true = reading.mu, truth - truth.mean() + MU
    gap, true_gap = np.sign(mu[:, None] - mu), np.sign(true[:, None] - true)
    best, error = true == true.max(), mu - mu.mean() - true + MU
    order = sorted(np.argsort(-mu, kind="stable"), key=lambda place: place != winner)
    return (
        float((gap * true_gap).sum() / (true_gap**2).sum()),
        float(best[order[0]]),
        float(best[order[:3]].any()),
        float(abs(gap.sum(axis=1) - true_gap.sum(axis=1)).mean() / 2),
        float(np.sqrt((error**2).mean())),
        float((abs(mu - true) <= LEVEL * reading.sd).mean()),
        reading.claimed,
    )
