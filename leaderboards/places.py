"""What the order in which a game ended says of its players, for many games of one shape at once.

A player performs as well as its skill, give or take BETA, and a side as well as its players together.
Neighbours in the order differ by more than the draw margin, or by less where they are tied. Two sides have
a closed form; with more, each neighbours' difference is taken as normal given all others, in turn, until
nothing moves (expectation propagation; Herbrich, Minka & Graepel 2007). Tied sides have no order, so every
way to list them counts alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import chain, permutations, product
from statistics import NormalDist

import numpy as np

from leaderboards.games import Array, Cell, Index
from leaderboards.normal import drawn, won

MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
_ROUNDS = 100
_TOLERANCE = 1e-12
"""Of a difference's precision, in units of 1 / BETA², and of its mean."""

_normal = NormalDist()


def draw_margin(draw_probability: float, players: int) -> float:
    """How close a game of so many players in two sides must be to be a draw (Herbrich et al. 2007)."""
    return _normal.inv_cdf((draw_probability + 1) / 2) * math.sqrt(players) * BETA


@dataclass(frozen=True, slots=True, order=True)
class Shape:
    """How many players each side has, best side first, and their ranks, ascending. P players in all."""

    sizes: tuple[int, ...]
    ranks: tuple[int, ...]

    @classmethod
    def of(cls, cell: Cell) -> Shape:
        """Of a game's sides."""
        return cls(tuple(len(side.bots) for side in cell), tuple(side.rank for side in cell))

    @property
    def members(self) -> Array:
        """(sides, P): 1 where a player belongs to a side."""
        side = np.repeat(np.arange(len(self.sizes)), self.sizes)
        return np.asarray(side == np.arange(len(self.sizes))[:, None], float)

    @property
    def listings(self) -> list[Index]:
        """Every order of the sides that keeps their ranks ascending: one, where nothing is tied."""
        tied = [
            [i for i, rank in enumerate(self.ranks) if rank == place] for place in sorted(set(self.ranks))
        ]
        orders = product(*map(permutations, tied))
        return [np.array(list(chain.from_iterable(order)), dtype=np.intp) for order in orders]


def posterior(shape: Shape, draw_probability: float, mean: Array, variance: Array) -> tuple[Array, Array]:
    """What is known of the players after the game: means and variances.

    All are (games, P), side by side; `draw_probability` may be 0 where nothing is tied.
    """
    members = shape.members
    before = mean @ members.T
    spread = (variance + BETA**2) @ members.T
    after, covariance = _sides(shape, draw_probability, before, spread)
    shift = (after - before) / spread @ members
    change = (np.einsum("gkk->gk", covariance) - spread) / spread**2 @ members
    return mean + variance * shift, variance + variance**2 * change


def curvature(shape: Shape, draw_probability: float, mean: Array) -> tuple[Array, Array]:
    """Of the log-likelihood at these skills: its gradient (games, P) and second derivatives (games, P, P)."""
    members = shape.members
    before = mean @ members.T
    spread = np.broadcast_to(BETA**2 * members.sum(1), before.shape)
    after, covariance = _sides(shape, draw_probability, before, spread)
    second = covariance / (spread[:, :, None] * spread[:, None, :])
    places = np.arange(len(shape.sizes))
    second[:, places, places] -= 1 / spread
    return (after - before) / spread @ members, np.einsum("gkl,kp,lq->gpq", second, members, members)


def _sides(shape: Shape, draw_probability: float, mean: Array, variance: Array) -> tuple[Array, Array]:
    """Performances of the sides, given the order: means (games, sides) and covariance (games, sides, sides)."""
    listings = shape.listings
    found_mean, found = np.zeros_like(mean), np.zeros((*mean.shape, mean.shape[1]))
    for order in listings:
        back = np.argsort(order)
        after, covariance = _listed(shape, draw_probability, order, mean[:, order], variance[:, order])
        found_mean += after[:, back] / len(listings)
        found += covariance[:, back[:, None], back] / len(listings)
    return found_mean, found


def _listed(
    shape: Shape, draw_probability: float, order: Index, mean: Array, variance: Array
) -> tuple[Array, Array]:
    """The same with tied sides listed in one order."""
    mean, covariance = mean.copy(), variance[:, :, None] * np.eye(variance.shape[1])
    edges = [
        _Edge(shape, draw_probability, order[place], order[place + 1], place)
        for place in range(len(order) - 1)
    ]
    known = [(np.zeros(len(mean)), np.zeros(len(mean))) for _ in edges]
    for _ in range(_ROUNDS if len(edges) > 1 else 1):
        moved = 0.0
        for number, edge in enumerate(edges):
            before, known[number] = known[number], edge.learn(mean, covariance, *known[number])
            moved = max(
                moved, *(float(abs(a - b).max(initial=0)) for a, b in zip(before, known[number], strict=True))
            )
        if moved < _TOLERANCE:
            break
    return mean, covariance


class _Edge:
    """Two neighbours in the order, and by how much they differ."""

    def __init__(self, shape: Shape, draw_probability: float, better: int, worse: int, place: int) -> None:
        self._place = place
        self._says = drawn if shape.ranks[better] == shape.ranks[worse] else won
        self._margin = draw_margin(draw_probability, shape.sizes[better] + shape.sizes[worse])

    def learn(self, mean: Array, covariance: Array, precision: Array, weighted: Array) -> tuple[Array, Array]:
        """Put into `mean` and `covariance` what this edge says in place of what it said before; that, anew.

        It is said of the difference: a precision, and that times a mean; both (games,).
        """
        across = covariance[:, :, self._place] - covariance[:, :, self._place + 1]
        spread = across[:, self._place] - across[:, self._place + 1]
        gap = mean[:, self._place] - mean[:, self._place + 1]
        rest = 1 / spread - precision  # the precision that all others give the difference
        lead = (gap / spread - weighted) / rest
        v, w = self._says(lead * np.sqrt(rest), self._margin * np.sqrt(rest))
        new = rest * w / (1 - w)
        aim = lead * new + v * np.sqrt(rest) / (1 - w)
        gain = (new - precision) / (1 + (new - precision) * spread)
        mean += (
            across * ((aim - weighted - (new - precision) * gap) / (1 + (new - precision) * spread))[:, None]
        )
        covariance -= gain[:, None, None] * across[:, :, None] * across[:, None, :]
        return new, aim
