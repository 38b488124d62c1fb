"""What is known of several bots together: strengths, and how sure the differences between them are.

The strengths are the mode of the same likelihood that ratings come from (with two sides it is strictly
concave). Games on one deal have their luck in common, whoever plays them, so their covariance is measured from
deal to deal, and not taken from a model in which every game is on its own (Liang & Zeger 1986; with D/(D−1)).
A schedule that goes by results may give one bot few deals with many games each, and others many deals: how many
deals tell of a bot is counted for each bot.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leaderboards.games import Array, Games, Index
from leaderboards.normal import LEVEL, student
from leaderboards.places import BETA, MU, SIGMA, curvature
from leaderboards.ratings import NotConverged, draw_share, shaped
from protocol.vocabulary import BotId

FEW_BLOCKS = 30
"""Of a bot, below which the model's own covariance counts where it is more."""
FEW_EVEN = 15
"""Games between equals that tell as much as all of a bot's, below which the same holds: nothing scatters then."""
_STEPS = 200
_TOLERANCE = 1e-9
_CLUSTERS_AT_ONCE = 2048
_CERTAIN = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """Strengths of N bots, relative to each other."""

    bots: tuple[BotId, ...]
    """Sorted."""
    mean: Array
    """(N,), on the scale of mu."""
    covariance: Array
    """(N, N), of the strengths less their mean: rows add up to 0. Wide enough that 1.96 is right for 95 %."""
    deals: int
    """Deals that it rests on; of several variants, those of the one with the fewest."""

    @property
    def sd(self) -> Array:
        """(N,): of each strength against the mean of all."""
        return np.asarray(np.sqrt(np.diag(self.covariance).clip(0)))

    def differences(self) -> tuple[Array, Array]:
        """(N, N) each: by how much the first is stronger than the second, and the sd of that."""
        variance = np.diag(self.covariance)
        spread = variance[:, None] + variance - 2 * self.covariance
        np.fill_diagonal(spread, 0)
        return self.mean[:, None] - self.mean, np.sqrt(spread.clip(0))


def estimate(games: Games) -> Estimate:
    """The strengths of the bots of one kind of game. Raises NotConverged."""
    model = _Model(games)
    mean, hessian = model.mode()
    covariance = np.asarray(np.linalg.inv(hessian), np.float64)
    if games.deals > 1:
        even = (np.diag(hessian) - SIGMA**-2) * math.pi * BETA**2
        covariance = _measured(games, model, mean, covariance, even)
    return Estimate(games.bots, MU + mean, _centred(covariance), games.deals)


def combined(parts: Sequence[Estimate], weights: Sequence[float]) -> Estimate:
    """The weighted mean of independent estimates, of the bots that all of them have."""
    bots = tuple(sorted(set(parts[0].bots).intersection(*(part.bots for part in parts))))
    mean, covariance = np.zeros(len(bots)), np.zeros((len(bots), len(bots)))
    for part, weight in zip(parts, weights, strict=True):
        places = [part.bots.index(bot) for bot in bots]
        mean += weight * part.mean[places]
        covariance += weight**2 * part.covariance[np.ix_(places, places)]
    return Estimate(bots, mean, _centred(covariance), min(part.deals for part in parts))


class _Model:
    """The likelihood of strengths (less MU), with the prior of a rating."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._draw_probability = draw_share(games)
        self._shapes = shaped(games)

    def mode(self) -> tuple[Array, Array]:
        """The likeliest strengths (N,) and the second derivatives there, negated (N, N), by Newton's method."""
        size, counts = len(self._games.bots), self._games.counts
        mean, before = np.zeros(size), np.inf
        for _ in range(_STEPS):
            gradient, hessian = -mean / SIGMA**2, np.eye(size) / SIGMA**2
            for players, numbers, first, second in self._derivatives(mean):
                weights = counts[numbers, None]
                gradient += np.bincount(players.ravel(), (weights * first).ravel(), size)
                places = players[:, :, None] * size + players[:, None, :]
                parts = (weights[:, :, None] * second).ravel()
                hessian -= np.bincount(places.ravel(), parts, size * size).reshape(size, size)
            step = np.linalg.solve(hessian, gradient)
            length = float(abs(step).max(initial=0))
            mean = mean + step * (0.5 if length > before else 1.0)
            if length < _TOLERANCE:
                return mean, hessian
            before = length
        raise NotConverged(
            f"the strengths of {size} bots still move after {_STEPS} steps; please report the results"
        )

    def _derivatives(self, mean: Array) -> list[tuple[Index, Index, Array, Array]]:
        """For each shape: players, numbers of the cells, and what a game of each cell adds to the derivatives."""
        return [
            (players, numbers, *curvature(shape, self._draw_probability, mean[players]))
            for shape, (numbers, players) in self._shapes.items()
        ]

    def scatter(self, mean: Array, cluster: Index) -> tuple[Array, Array]:
        """The squares and products of the slopes of the likelihood of each cluster, summed over clusters (N, N).

        `cluster` (G,) is the deal or the block of each game. Beside it is for each bot (N,) how many clusters with
        equal numbers of games would tell as much: (Σ n)² / Σ n² of its games in each (Kish 1965).
        """
        size = len(self._games.bots)
        total = np.zeros((size, size))
        one, player, slope = self._slopes(mean, cluster)
        for first in range(0, int(cluster.max()) + 1, _CLUSTERS_AT_ONCE):
            some = slice(*np.searchsorted(one, (first, first + _CLUSTERS_AT_ONCE)))
            places = (one[some] - first) * size + player[some]
            each = np.bincount(places, slope[some], _CLUSTERS_AT_ONCE * size).reshape(-1, size)
            total += each.T @ each
        own, games = np.unique(one * size + player, return_counts=True)
        squares = np.bincount(own % size, games.astype(float) ** 2, size)
        return total, np.asarray(np.bincount(own % size, games, size) ** 2 / squares, np.float64)

    def _slopes(self, mean: Array, cluster: Index) -> tuple[Index, Index, Array]:
        """Of every game and player: the cluster, the player, and the slope of its likelihood; sorted by cluster."""
        games = self._games
        clusters, everybody, slopes = [], [], []
        for players, numbers, slope, _ in self._derivatives(mean):
            row = np.full(len(games.cells), -1, dtype=np.intp)
            row[numbers] = np.arange(len(numbers))
            theirs = row[games.cell] >= 0
            rows = row[games.cell[theirs]]
            clusters.append(np.repeat(cluster[theirs], players.shape[1]))
            everybody.append(players[rows].ravel())
            slopes.append(slope[rows].ravel())
        one = np.concatenate(clusters)
        order = np.argsort(one, kind="stable")
        return one[order], np.concatenate(everybody)[order], np.concatenate(slopes)[order]


def _measured(games: Games, model: _Model, mean: Array, inverse: Array, even: Array) -> Array:
    """(N, N): from deal to deal, and of bots with few deals D from block to block, in parts D and N.

    There are more blocks, so they tell more of each bot; by how much the luck of deals that blocks share adds to
    that is taken from all bots together, as D deals say little of each. Where even blocks are few, or results so
    one-sided that they tell no more than a few `even` games would (N,), the model's own counts where it is more.
    """
    scatter, deals = model.scatter(mean, games.deal)
    by_deal = _few(inverse @ scatter @ inverse, deals)
    scatter, blocks = model.scatter(mean, games.block)
    by_block = _few(inverse @ scatter @ inverse, blocks)
    shared = by_deal.trace() / max(by_block.trace(), _CERTAIN)
    part = deals / (deals + len(deals))
    mixed = _scaled(by_deal, np.sqrt(part)) + _scaled(by_block, np.sqrt((1 - part) * max(1.0, shared)))
    measured = _scaled(mixed, student(deals + len(deals) - 2) / LEVEL)
    return _larger(measured, _centred(inverse), (blocks < FEW_BLOCKS) | (even < FEW_EVEN))


def _few(covariance: Array, clusters: Array) -> Array:
    """One that was measured on D clusters of each bot, times D / (D − 1); a single cluster is taken for two."""
    return _scaled(_centred(covariance), np.sqrt(1 + 1 / (clusters.clip(2) - 1)))


def _scaled(covariance: Array, factors: Array) -> Array:
    """What the covariance becomes where each bot's strength is multiplied by its factor."""
    return np.asarray(covariance * factors[:, None] * factors, np.float64)


def _larger(a: Array, b: Array, where: NDArray[np.bool_]) -> Array:
    """The covariance `a`; and `where` so, what `b` is more in some direction added to it."""
    values, vectors = np.linalg.eigh(b - a)
    more = (vectors * values.clip(0)) @ vectors.T
    return np.asarray(a + more * where[:, None] * where, np.float64)


def _centred(covariance: Array) -> Array:
    """Of the strengths less their mean."""
    centre = np.eye(len(covariance)) - 1 / max(1, len(covariance))
    centred = centre @ covariance @ centre
    return np.asarray((centred + centred.T) / 2, np.float64)
