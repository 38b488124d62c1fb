"""What an organiser wants to know of a schedule: how true its board is, over all simulated contests."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from arena.simulation import Odds, World
from arena.trials import Point, Trial

GOAL = 0.9
"""Kendall's tau at which an order is taken for nearly true."""


class _Documented:
    """Its schema has what stands below each field."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {"use_attribute_docstrings": True}


@dataclass(frozen=True, slots=True)
class Figure(_Documented):
    """A mean over the contests."""

    mean: float
    error: float | None
    """Its standard error; null for a single contest."""


@dataclass(frozen=True, slots=True)
class Accuracy(_Documented):
    """A board after so many games, beside the truth."""

    games: float
    """On average."""
    cpu_seconds: float | None
    """Of all bots, on average; null where their costs were not given."""
    tau: Figure
    """Kendall's tau between the board's order and the true one."""
    first: Figure
    """Share of the contests in which the true best is first, or wins where it is a knockout."""
    top3: Figure
    """Share of the contests in which it is among the first three."""
    rank_error: Figure
    """Mean distance of a bot's place from its true one."""
    rmse: Figure
    """Root of the mean square error of mu."""
    coverage: Figure
    """Share of the 95 % intervals that hold the truth."""
    claimed_tau: Figure | None
    """The tau that the board itself expects; null for TrueSkill game after game, which says nothing of it."""


@dataclass(frozen=True, slots=True)
class Outcome(_Documented):
    """What one schedule makes of it, as one rating sees it."""

    schedule: str
    rating: str
    """`batch`: the board of tournaments; `online`: TrueSkill as it is usually used, game after game."""
    runs: int
    """Contests that are over."""
    end: Accuracy
    course: tuple[Accuracy, ...]
    """On the way, at numbers of games that every contest came to."""
    games_to_goal: int | None
    """Games by which the mean tau is 0.9; null where it was not reached."""


@dataclass(frozen=True, slots=True)
class Assumption(_Documented):
    """What was taken for true of a variant."""

    variant: str
    luck: float
    """Share of the variance of a performance that is the deal's and the seat's, and goes where seats change."""
    draws: float
    """Share of ties among adjacent places of equal sides."""


@dataclass(frozen=True, slots=True)
class Simulation(_Documented):
    """`arena simulate`."""

    strengths: tuple[float, ...]
    """Of the bots, on the scale of mu; which bot has which is drawn for each contest."""
    variants: tuple[Assumption, ...]
    runs: int
    """Contests that were asked for."""
    seed: str
    outcomes: tuple[Outcome, ...]


def simulation(world: World, contests: Sequence[Sequence[Trial]], runs: int, seed: str) -> Simulation:
    """All that can be said after some contests, of which there is at least one."""
    found: dict[tuple[str, str], list[Trial]] = defaultdict(list)
    for trials in contests:
        for trial in trials:
            found[trial.name, trial.rating].append(trial)
    return Simulation(
        world.strengths,
        tuple(_assumed(variant, odds) for variant, odds in world.odds.items()),
        runs,
        seed,
        tuple(outcome(trials) for trials in found.values()),
    )


def _assumed(variant: str, odds: Odds) -> Assumption:
    return Assumption(variant, odds.luck, odds.draws)


def outcome(trials: Sequence[Trial]) -> Outcome:
    """What a schedule came to in all its contests."""
    at: dict[float, list[Point]] = defaultdict(list)
    for trial in trials:
        for point in trial.points:
            at[point.games].append(point)
    course = tuple(accuracy(points) for _, points in sorted(at.items()) if len(points) == len(trials))
    end = accuracy([trial.points[-1] for trial in trials])
    return Outcome(trials[0].name, trials[0].rating, len(trials), end, course, games_to(GOAL, course))


def accuracy(points: Sequence[Point]) -> Accuracy:
    """The mean over the contests."""
    figures = {
        name: _figure(column) for name, column in zip(Point._fields, zip(*points, strict=True), strict=True)
    }
    return Accuracy(
        games=figures["games"].mean,
        cpu_seconds=figures["seconds"].mean or None,
        tau=figures["tau"],
        first=figures["first"],
        top3=figures["top3"],
        rank_error=figures["rank_error"],
        rmse=figures["rmse"],
        coverage=figures["covered"],
        claimed_tau=figures["claimed"] if figures["claimed"].mean >= 0 else None,
    )


def _figure(values: Iterable[float]) -> Figure:
    sample = np.array(values)
    error = float(sample.std(ddof=1)) / math.sqrt(len(sample)) if len(sample) > 1 else None
    return Figure(round(float(sample.mean()), 4), None if error is None else round(error, 4))


def games_to(goal: float, course: Sequence[Accuracy]) -> int | None:
    """Games by which the mean tau comes to `goal`, between two looks in proportion; None: it does not."""
    if course and course[0].tau.mean >= goal:
        return round(course[0].games)
    for before, after in pairwise(course):
        if after.tau.mean >= goal:
            share = (goal - before.tau.mean) / (after.tau.mean - before.tau.mean)
            return round(before.games + share * (after.games - before.games))
    return None
