"""What one more block would tell: for all meetings at once, by the model that ratings come from.

A block of `games` games between sides that differ by x standard deviations tells of their difference what a
measurement of precision  games φ(x)² / (Φ(x) Φ(−x)) / c²  would (the information of a probit model), c² being
2 β² for two bots. K sides are compared in pairs; each such comparison tells 4 / (K + 2) of that, with which
three and four sides tell as much as they did in simulations.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb

import numpy as np

from arena.schedules.blocks import Field, Meeting
from arena.schedules.tables import lot, meetings_at, sizes
from leaderboards.estimates import Estimate
from leaderboards.games import Array, Index
from leaderboards.normal import cdf, pdf
from leaderboards.places import BETA

LOOKED_AT = 80_000
"""Pairs of bots at a table, over all tables that are looked at; of more tables some are taken by lot."""
FAR = 8.0
"""Standard deviations, beyond which a game tells nothing."""
_CERTAIN = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """M meetings of K sides of S seats, of one variant."""

    meetings: Sequence[Meeting]
    seats: Index
    """(M, K, S): who sits there, as an index of the field's bots."""
    scale: Array
    """(M, 1, 1): what a seat counts for in its side; 1 / S where a side is copies of one bot."""
    games: Array
    """(M, 1, 1): of a block."""

    def differences(self, strengths: Array) -> Array:
        """(M, K, K): by how much each side is stronger than each other, from (N,)."""
        side = strengths[self.seats].sum(axis=2) * self.scale[:, 0]
        return np.asarray(side[:, :, None] - side[:, None, :], np.float64)

    def variances(self, covariance: Array) -> Array:
        """(M, K, K): of the difference between each two sides, from (N, N)."""
        count, sides, size = self.seats.shape
        seats = self.seats.reshape(count, -1)
        every = covariance[seats[:, :, None], seats[:, None, :]].reshape(count, sides, size, sides, size)
        side = every.sum(axis=(2, 4)) * self.scale**2
        own = np.diagonal(side, axis1=1, axis2=2)
        return np.asarray(own[:, :, None] + own[:, None, :] - 2 * side, np.float64)

    def information(self, strengths: Array) -> Array:
        """(M, K, K): the precision with which a block tells each difference."""
        sides, size = self.seats.shape[1:]
        spread = 2 * BETA**2 * size * self.scale
        x = (self.differences(strengths) / np.sqrt(spread)).clip(-FAR, FAR)
        return np.asarray(
            4 / (sides + 2) * self.games * pdf(x) ** 2 / (cdf(x) * cdf(-x)) / spread, np.float64
        )


@lru_cache(maxsize=32)
def tables_of(field: Field, variant: str) -> Tables:
    """All meetings of a variant, or as many of them as can be looked at."""
    meetings = _some(field, variant)
    index = {bot: n for n, bot in enumerate(field.bots)}
    seats = np.array([[[index[bot] for bot in side] for side in met.sides] for met in meetings], np.intp)
    copies = np.array([len(set(met.sides[0])) < len(met.sides[0]) for met in meetings])
    games = {kind: field.games(meetings[int(np.argmax(copies == kind))]) for kind in set(copies.tolist())}
    scale = np.where(copies, 1 / seats.shape[2], 1.0)
    size = np.array([games[kind] for kind in copies.tolist()], np.float64)
    return Tables(meetings, seats, scale[:, None, None], size[:, None, None])


def _some(field: Field, variant: str) -> Sequence[Meeting]:
    count = len(field.bots)
    if sum(comb(count, size) * size**2 for size in sizes(field, variant)) <= LOOKED_AT:
        return field.meetings(variant)
    random = np.random.RandomState(int(lot(field, field.bots[0])[:8], 16))
    met: list[Meeting] = []
    for size in sorted(sizes(field, variant)):
        drawn = np.sort(random.randint(count, size=(LOOKED_AT // size**2, size)))
        tables = np.unique(drawn[(np.diff(drawn) > 0).all(axis=1)], axis=0)
        for table in tables.tolist():
            met += meetings_at(field, variant, [field.bots[n] for n in table])
    return met


class Beliefs:
    """Strengths that are known in part, and which of the differences between them one would like to know."""

    def __init__(self, known: Estimate, weights: Array) -> None:
        self.covariance = known.covariance.copy()
        """(N, N): as it will be when all that was learnt is over."""
        self._gaps = known.mean[:, None] - known.mean
        self._weights = weights

    def gains(self, tables: Tables, information: Array) -> Array:
        """(M,): by how much less is ordered wrongly, in the end, with one block more of each meeting.

        A pair with gap d and variance s², of which r becomes known, is ordered wrongly the less with each
        unit of r by  exp(−d² / 2r) / (2π √(r (s² − r))):  the mean moves, too, and changes sign only where
        it comes by 0. This is taken where half is known, r = s² / 2: exp(−d² / s²) / π s². Looking one
        block ahead only, r near 0, would leave every pair alone that is not just at 0.
        """
        own = np.diag(self.covariance)
        variance = (own[:, None] + own - 2 * self.covariance).clip(_CERTAIN)
        pull = self._weights * np.exp(-(self._gaps**2) / variance) / (math.pi * variance)
        np.fill_diagonal(pull, 0)
        worth = self.covariance @ (np.diag(pull.sum(axis=1)) - pull) @ self.covariance
        found = information * tables.variances(worth) / (1 + information * tables.variances(self.covariance))
        return np.asarray(found.sum(axis=(1, 2)) / 2, np.float64)

    def learn(self, tables: Tables, information: Array, number: int) -> None:
        """What will be known when a block of one of the meetings is over."""
        seats, scale = tables.seats[number], tables.scale[number, 0, 0]
        for one, other in combinations(range(len(seats)), 2):
            contrast = np.zeros(len(self._gaps))
            np.add.at(contrast, seats[one], scale)
            np.add.at(contrast, seats[other], -scale)
            seen, precision = self.covariance @ contrast, information[number, one, other]
            self.covariance -= precision / (1 + precision * contrast @ seen) * np.outer(seen, seen)
