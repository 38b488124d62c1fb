"""TrueSkill ratings of a set of games: a pure function in which the order of the games cannot matter.

Used game after game, TrueSkill depends on the order and, with its usual drift `tau`, never settles. A
bot in one version does not change, so here tau is 0 and all games are taken at once: each game's
message to each player is found from the *cavity*, what all other games say of them, until nothing
moves (expectation propagation; Herbrich, Minka & Graepel 2007; Dangauthier et al. 2007). Games that
are alike share one message and a count. Inside, means are relative to 25.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from leaderboards.games import Array, Cell, Games, Index, of_sides
from leaderboards.places import BETA, MU, SIGMA, Shape, draw_margin, posterior
from protocol.vocabulary import BotId

__all__ = ["BETA", "METHOD", "MU", "SIGMA", "TAU", "Fit", "NotConverged", "Rating", "draw_margin", "fit"]

TAU = 0.0
DRAW_FLOOR = 1e-3
TOLERANCE = 1e-8
_SWEEPS = 500
_PRIOR = SIGMA**-2
METHOD = "trueskill-batch/3"
"""Raise its version when other numbers come of the same games."""


class NotConverged(ArithmeticError):
    """The fit did not settle; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What is known of a skill: a normal distribution on TrueSkill's scale (25 ± 8.33 before any game)."""

    mu: float
    sigma: float

    @property
    def exposure(self) -> float:
        """mu − 3 sigma, the cautious number of TrueSkill boards."""
        return self.mu - 3 * self.sigma

    def rounded(self) -> Rating:
        """To 1e-4, which is the same on every machine."""
        return Rating(round(self.mu, 4), round(self.sigma, 4))


@dataclass(frozen=True, slots=True)
class Fit:
    """The ratings of one kind of game."""

    ratings: dict[BotId, Rating]
    """Sorted by bot; the mean mu of a group of bots that met is 25."""
    draw_probability: float
    """Share of ties among adjacent places, from which the draw margin follows."""
    groups: tuple[tuple[BotId, ...], ...]
    """The bots that met, directly or through others. More than one: ratings compare inside a group only."""
    sweeps: int
    """How often all games were gone through."""


def fit(games: Games | Iterable[Cell]) -> Fit:
    """Rate games of one kind. Raises NotConverged."""
    games = games if isinstance(games, Games) else of_sides(games)
    share = draw_share(games)
    ratings, sweeps = propagate(games, share)
    return Fit(ratings, share, groups(games.cells), sweeps)


def draw_share(games: Games) -> float:
    """Share of ties among all pairs of adjacent places, (ties + 1/2) / (pairs + 1), at least 0.001."""
    pairs = ties = 0
    for sides, count in zip(games.cells, games.counts.tolist(), strict=True):
        pairs += count * (len(sides) - 1)
        ties += count * sum(a.rank == b.rank for a, b in pairwise(sides))
    return max(DRAW_FLOOR, (ties + 0.5) / (pairs + 1))


def groups(cells: Iterable[Cell]) -> tuple[tuple[BotId, ...], ...]:
    """The bots that met, directly or through others; largest group first."""
    found: list[set[BotId]] = []
    for sides in cells:
        met = {bot for side in sides for bot in side.bots}
        if any(met <= group for group in found):
            continue
        touched = [group for group in found if group & met]
        found = [group for group in found if not group & met] + [met.union(*touched)]
    return tuple(sorted((tuple(sorted(group)) for group in found), key=lambda group: (-len(group), group)))


def shaped(games: Games) -> dict[Shape, tuple[Index, Index]]:
    """The cells of each shape: their numbers (cells,) and their players' indices (cells, P)."""
    index = {bot: place for place, bot in enumerate(games.bots)}
    found: dict[Shape, tuple[list[int], list[list[int]]]] = {}
    for number, cell in enumerate(games.cells):
        numbers, players = found.setdefault(Shape.of(cell), ([], []))
        numbers.append(number)
        players.append([index[bot] for side in cell for bot in side.bots])
    return {
        shape: (np.array(found[shape][0], np.intp), np.array(found[shape][1], np.intp))
        for shape in sorted(found)
    }


def propagate(games: Games, draw_probability: float) -> tuple[dict[BotId, Rating], int]:
    """The rating of each bot, and the number of sweeps that it took. Raises NotConverged.

    A sweep finds all messages anew, then the means that agree with all of them at once: one player after
    the other would creep where bots that always win have met many that always lose.
    """
    size = len(games.bots)
    counts = games.counts
    work = [
        _Cells(shape, counts[numbers], players, draw_probability)
        for shape, (numbers, players) in shaped(games).items()
    ]
    mean, precision = np.zeros(size), np.full(size, _PRIOR)
    for sweep in range(1, _SWEEPS + 1):
        for cells in work:
            cells.go_through(mean, precision)
        before = mean, precision**-0.5
        mean, precision = _agreed(work, size)
        after = mean, precision**-0.5
        if all(np.all(abs(a - b) < TOLERANCE) for a, b in zip(before, after, strict=True)):
            numbers = zip((MU + mean).tolist(), after[1].tolist(), strict=True)
            return {bot: Rating(*pair) for bot, pair in zip(games.bots, numbers, strict=True)}, sweep
    raise NotConverged(
        f"the ratings of {size} bots still move after {_SWEEPS} sweeps; leave out bots with very few "
        "games or that win or lose them all, and report the results that show it"
    )


class _Cells:
    """All cells of one shape, and the message that a game of each sends to each of its players.

    A game says of a player where it is *relative to the others*: a mean of `offset / pi` from a weighted sum of
    their means. Kept so, a message stays true when the others move. Arrays are (cells, P).
    """

    def __init__(self, shape: Shape, counts: Index, players: Index, draw_probability: float) -> None:
        self._shape = shape
        self._draw_probability = draw_probability
        self._counts = counts[:, None]
        self._players = players
        self._against = _against(shape)
        self._pi, self._offset = np.zeros(players.shape), np.zeros(players.shape)
        self._damping = np.ones((len(players), 1))
        self._change = np.zeros((len(players), 1))

    def go_through(self, mean: Array, precision: Array) -> None:
        """Find the messages anew, given what is known of all players, (N,) each."""
        level = mean[self._players] @ self._against.T
        rest = precision[self._players] - self._pi
        own = mean[self._players]
        cavity = own - (self._offset + self._pi * (level - own)) / rest
        after, variance = posterior(self._shape, self._draw_probability, cavity, 1 / rest)
        pi = 1 / variance - rest
        offset = pi * (cavity - level) + (after - cavity) / variance
        self._damp(pi[:, :1] - self._pi[:, :1])
        self._pi += self._damping * (pi - self._pi)
        self._offset += self._damping * (offset - self._offset)

    def _damp(self, change: Array) -> None:
        """Where a message swings to and fro (one-sided results, by the thousand), smaller steps settle it."""
        swings = change * self._change < 0
        self._damping = np.minimum(1.0, self._damping * np.where(swings, 0.6, 1.1))
        self._change = change

    def add(self, matrix: Array, total: Array, precision: Array) -> None:
        """Add what all games say: to the equations of the means, (N, N) and (N,), and to the precisions, (N,)."""
        size, weights = len(total), self._counts * self._pi
        players = self._players
        precision += np.bincount(players.ravel(), weights.ravel(), size)
        total += np.bincount(players.ravel(), (self._counts * self._offset).ravel(), size)
        places = players[:, :, None] * size + players[:, None, :]
        parts = weights[:, :, None] * self._against
        matrix -= np.bincount(places.ravel(), parts.ravel(), size * size).reshape(size, size)


def _against(shape: Shape) -> Array:
    """(P, P): the weighted sum of the others that a player is measured from.

    The mean strength of the sides that are next to its own, less its partners.
    """
    side = np.repeat(np.arange(len(shape.sizes)), shape.sizes)
    near = abs(side[:, None] - side) == 1
    neighbours = (np.arange(len(shape.sizes)) > 0).astype(int) + (
        np.arange(len(shape.sizes)) < len(shape.sizes) - 1
    )
    together = (side[:, None] == side) & ~np.eye(len(side), dtype=bool)
    return np.asarray(near / neighbours[side][:, None] - together)


def _agreed(work: list[_Cells], size: int) -> tuple[Array, Array]:
    """The means and precisions that agree with the prior and all messages."""
    matrix, total, precision = np.zeros((size, size)), np.zeros(size), np.full(size, _PRIOR)
    for cells in work:
        cells.add(matrix, total, precision)
    mean = np.asarray(np.linalg.solve(matrix + np.diag(precision), total), np.float64)
    return mean, precision
