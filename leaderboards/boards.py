"""The table of one variant, and what can be said about it.

Ratings and tallies are there at once. What takes longer (how sure the places are, the win matrix, seats and
luck) is found when it is first asked for, out of the very same games.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from leaderboards.confidence import FEW_DEALS, Group, confidence
from leaderboards.estimates import Estimate, estimate
from leaderboards.games import Games, games_of
from leaderboards.luck import Luck, luck
from leaderboards.matrix import Fitting, Matrix, lack_of_fit, matrix
from leaderboards.nash import averaging
from leaderboards.ratings import Rating
from leaderboards.results import Results
from leaderboards.seats import Advantage, Seat, between_equals, seats
from leaderboards.selection import Kind
from leaderboards.settings import Settings
from leaderboards.tallies import Tally
from protocol.vocabulary import BotId

FEW_GAMES = 100
"""Below it a rating is provisional."""
WIDE_SIGMA = 0.8
"""Above it a rating is provisional."""


@dataclass(frozen=True, slots=True)
class Row:
    """One bot in one table."""

    bot: BotId
    rating: Rating | None
    """Its mu is the headline; rounded to 1e-4. None in the overall table: a variant is missing."""
    tally: Tally
    group: int | None = None
    """The number of the bots that met, from 1, the largest first; None without a rating."""
    rank: int | None = None
    """In its group: 1 is best, ties share the better place; None without a rating."""
    missing: tuple[str, ...] = ()
    """Labels of the variants that it has no rated game of."""

    @property
    def provisional(self) -> bool:
        """Fewer than 100 games, or a sigma above 0.8: too little to go by."""
        return self.tally.games < FEW_GAMES or self.rating is None or self.rating.sigma > WIDE_SIGMA


class Part(NamedTuple):
    """Of a bot in the mixture that no bot beats."""

    bot: BotId
    weight: float
    """All of them make 1."""
    included: float
    """In which share of the resamples of the deals it is in the mixture at all."""


@dataclass(frozen=True)
class Board:
    """The table of one variant under one set of rules."""

    label: str
    """The variant, with the rules where there are several, and marked where partners are rated beside copies."""
    kind: Kind
    weight: float
    """Its share of the overall rating."""
    draw_probability: float
    """Observed share of ties among adjacent places, rounded to 1e-4."""
    draw_margin: float
    """That follows for two bots, in units of mu, rounded to 1e-4."""
    rows: tuple[Row, ...]
    """Best first, one group after the other."""
    settings: Settings
    anchor: BotId | None
    results: Results = field(compare=False, repr=False)
    """The games that are rated, sorted by their ids,"""
    played: Games = field(compare=False, repr=False)
    """and as arrays."""

    @property
    def games(self) -> int:
        """How many are rated."""
        return len(self.results)

    @property
    def groups(self) -> tuple[tuple[BotId, ...], ...]:
        """Bots that met, directly or through others, best first; ratings compare only inside a group."""
        return tuple(map(tuple, grouped(self.rows)))

    @cached_property
    def estimates(self) -> tuple[Estimate, ...]:
        """Of each group. Raises NotConverged."""
        if len(self.groups) == 1:
            return (estimate(self.played),)
        return tuple(estimate(games_of(self._among(group))) for group in self.groups)

    def _among(self, group: Collection[BotId]) -> Results:
        return self.results.only(lambda shape: shape.seats[0].bot in group)

    @cached_property
    def confidence(self) -> tuple[Group, ...]:
        """Of each group that several deals tell of. Raises NotConverged."""
        return tuple(
            confidence(found, mus, self.anchor, self.settings)
            for found, mus in zip(self.estimates, grouped(self.rows), strict=True)
            if found.deals >= FEW_DEALS
        )

    @cached_property
    def matrix(self) -> Matrix:
        """Who does how well against whom. Raises NotConverged."""
        mean = self._strengths
        return matrix(self.played, np.array([mean[bot] for bot in self.played.bots]), self.draw_margin)

    @cached_property
    def fitting(self) -> Fitting:
        """Whether one strength a bot explains that. Raises NotConverged."""
        return lack_of_fit(self.matrix)

    @property
    def dispersion(self) -> float | None:
        """Variance of the scores of blocks in parts of that of single games; None where it is not measured."""
        return None if math.isinf(self.matrix.freedom) else self.fitting.dispersion

    @cached_property
    def nash(self) -> tuple[Part, ...] | None:
        """The mixture of bots that no bot beats, best rated first; None where the test of fit does not fire.

        Raises NotConverged, NoEquilibrium.
        """
        if not self.fitting.fires:
            return None
        found = averaging(self.played, self.settings.seed)
        known = dict(
            zip(found.bots, zip(found.weight.tolist(), found.included.tolist(), strict=True), strict=True)
        )
        return tuple(Part(row.bot, *known[row.bot]) for row in self.rows)

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """What each seat is worth."""
        return seats(self.results)

    @cached_property
    def advantage(self) -> Advantage | None:
        """Of the first of two seats, between bots of one strength. Raises NotConverged."""
        return between_equals(self.results, self._strengths)

    @cached_property
    def luck(self) -> Luck:
        """How much of it is luck."""
        return luck(self.results)

    @property
    def _strengths(self) -> dict[BotId, float]:
        return {
            bot: float(mean)
            for found in self.estimates
            for bot, mean in zip(found.bots, found.mean, strict=True)
        }


def grouped(rows: Iterable[Row]) -> list[dict[BotId, float]]:
    """The mu of each bot with a rating, by its group, in the order of the rows."""
    found: dict[int, dict[BotId, float]] = defaultdict(dict)
    for row in rows:
        if row.rating and row.group:
            found[row.group][row.bot] = row.rating.mu
    return [found[number] for number in sorted(found)]
