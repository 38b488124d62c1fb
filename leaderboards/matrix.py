"""Who does how well against whom, and whether one strength a bot is enough to explain it.

A strength gives every pair of bots an expected score. Where the scores of pairs differ from it by more than
chance, the bots beat each other in circles, or some suit each other badly. Chance is taken as it is: in blocks
of mirrored deals the luck of the cards cancels out, so scores scatter less than those of single games.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from leaderboards.games import Array, Games, Index
from leaderboards.normal import cdf
from leaderboards.places import BETA
from leaderboards.selection import Side
from protocol.vocabulary import BotId

FIRES = 0.01
"""A smaller chance than this of such a misfit, and one strength a bot is not enough."""
_SURPRISES = 5
_FEW_BLOCKS = 30
_NODES = 16
_LEAST_DISPERSION = 0.01
_LEAST_VARIANCE = 0.5
"""Of a pair's wins, in games². Below it a single game decides, and no normal distribution says how likely that is."""


@dataclass(frozen=True, slots=True, eq=False)
class Duels:
    """The E pairs of opposing bots in the cells of games, each with the lower index first; (E,) each."""

    cell: Index
    first: Index
    second: Index
    score: Array
    """Of the first: 1 where its side came in ahead, ½ in a tie, else 0."""
    lead: Array
    """By how much its side is the stronger one, in standard deviations of what sides show in a game."""
    sizes: Index
    """(C,): how many duels a cell has."""

    def totals(self, counts: Array, score: Array, size: int) -> Array:
        """(N, N): the sum of `score` (E,) and what it leaves to the other, with cells played `counts` (C,) times."""
        weight = counts[self.cell]
        places = np.concatenate((self.first * size + self.second, self.second * size + self.first))
        parts = np.concatenate((weight * score, weight * (1 - score)))
        return np.bincount(places, parts, size * size).reshape(size, size).astype(np.float64)


def duels(games: Games, mean: Array) -> Duels:
    """Every bot of a side meets every bot of any other side of its game. `mean` (N,) are their strengths."""
    place = {bot: n for n, bot in enumerate(games.bots)}
    rows: list[tuple[int, int, int, float, float]] = []
    sizes = []
    for number, cell in enumerate(games.cells):
        before = len(rows)
        for one, other in combinations(cell, 2):
            lead = _strength(one, mean, place) - _strength(other, mean, place)
            lead /= BETA * math.sqrt(len(one.bots) + len(other.bots))
            score = 0.5 if one.rank == other.rank else float(one.rank < other.rank)
            for i in (place[bot] for bot in one.bots):
                for j in (place[bot] for bot in other.bots):
                    rows.append((number, i, j, score, lead) if i < j else (number, j, i, 1 - score, -lead))
        sizes.append(len(rows) - before)
    columns = np.array(rows, dtype=np.float64).reshape(-1, 5).T
    numbers = columns[:3].astype(np.intp)
    return Duels(numbers[0], numbers[1], numbers[2], columns[3], columns[4], np.array(sizes, dtype=np.intp))


def _strength(side: Side, mean: Array, place: dict[BotId, int]) -> float:
    return math.fsum(mean[place[bot]] for bot in side.bots)


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """What N bots won against each other, beside what their strengths say; the first is the row's bot."""

    bots: tuple[BotId, ...]
    wins: Array
    """(N, N): a tie is half a win. Where more than two sides play, every two of them count."""
    games: Array
    """(N, N): how often they met."""
    expected: Array
    """(N, N): the share of wins that the strengths promise, also where two have not met."""
    z: Array
    """(N, N): wins above the expected ones, in standard deviations; 0 where two have not met."""
    dispersion: float
    """Variance of the wins, in parts of that of single games on their own; see `matrix`."""
    freedom: float
    """Degrees of freedom by which the dispersion is known; infinite where it is 1 by nature."""
    teams: bool
    """Whether sides of several bots played: then a game counts for several pairs."""


def matrix(games: Games, mean: Array, draw_margin: float) -> Matrix:
    """The matrix of games of one kind, for bots of the strengths `mean` (N,).

    `draw_margin` is that of a game of two (ratings.draw_margin). The expected share of a game, with d the lead
    of one side in strength, n bots in both, c = sqrt(n) beta and the margin e growing as c does, is
    ½ [Φ((d − e)/c) + Φ((d + e)/c)]; a pair's is the mean over its games. Dispersion is how much the scores of
    a pair scatter from block to block, pooled over all pairs, in parts of n p (1 − p); 1 where single games
    without ties are blocks, and where blocks are too few to tell.
    """
    size, counts = len(games.bots), games.counts.astype(np.float64)
    table = duels(games, mean)
    margin = draw_margin / (math.sqrt(2) * BETA)
    wins = table.totals(counts, table.score, size)
    met = wins + wins.T
    expected = _share((mean[:, None] - mean) / (math.sqrt(2) * BETA), margin)
    np.divide(table.totals(counts, _share(table.lead, margin), size), met, where=met > 0, out=expected)
    dispersion, freedom = _dispersion(*_by_block(games, table))
    spread = np.sqrt(np.maximum(_variance(met, expected), _LEAST_VARIANCE) * dispersion)
    teams = any(len(side.bots) > 1 for cell in games.cells for side in cell)
    return Matrix(
        games.bots, wins, met, expected, (wins - met * expected) / spread, dispersion, freedom, teams
    )


def _share(lead: Array, margin: float) -> Array:
    return (cdf(lead - margin) + cdf(lead + margin)) / 2


def _variance(games: Array, share: Array) -> Array:
    return games * share * (1 - share)


def _by_block(games: Games, table: Duels) -> tuple[Index, Array, Array]:
    """For each pair in each block of it: the pair's number, the wins of its first bot, and its games."""
    sizes = table.sizes[games.cell]
    shift = table.sizes.cumsum() - table.sizes
    rows = np.arange(sizes.sum()) + np.repeat(shift[games.cell] - (sizes.cumsum() - sizes), sizes)
    pair = table.first[rows] * len(games.bots) + table.second[rows]
    keys, of = np.unique(pair * games.blocks + np.repeat(games.block, sizes), return_inverse=True)
    _, pair = np.unique(keys // max(games.blocks, 1), return_inverse=True)
    return pair, _sums(of, table.score[rows]), _sums(of, np.ones(len(of)))


def _dispersion(pair: Index, wins: Array, games: Array) -> tuple[float, float]:
    """How much scores scatter from block to block, in parts of the binomial variance, and how sure that is.

    With m blocks, n games and the share r, the variance of a pair's wins is m/(m − 1) times the sum over blocks
    of (wins − games r)². The binomial one is n r (1 − r), and what that lacks because r was seen, too.
    """
    if games.max(initial=1) == 1 and not (wins == 0.5).any():
        return 1.0, math.inf
    blocks, total = _sums(pair, np.ones(len(pair))), _sums(pair, games)
    share = _sums(pair, wins) / total
    several = blocks > 1
    scatter = _sums(pair, (wins - games * share[pair]) ** 2)[several]
    variance = scatter * blocks[several] / (blocks[several] - 1)
    binomial = _variance(total, share)[several] + variance / total[several]
    freedom = float((blocks[several] - 1).sum())
    if freedom < _FEW_BLOCKS or not binomial.any():
        return 1.0, math.inf
    return max(float(variance.sum() / binomial.sum()), _LEAST_DISPERSION), freedom


def _sums(of: Index, weight: Array) -> Array:
    return np.bincount(of, weight).astype(np.float64)


class Surprise(NamedTuple):
    """Two bots that play otherwise against each other than their strengths say."""

    bot: BotId
    """Who does better than expected."""
    against: BotId
    share: float
    """Of the wins, for `bot`."""
    expected: float
    z: float
    """Above 0."""


@dataclass(frozen=True, slots=True)
class Fitting:
    """Whether one strength a bot explains what each does against each."""

    chi2: float
    """Sum over the pairs of the squares of z."""
    dof: int
    """Pairs less what the strengths took; 0 where nothing can be tested."""
    p: float
    """How likely a misfit as large is, were the strengths all there is; 1 where nothing can be tested."""
    dispersion: float
    """What chance was taken to be, see `matrix`."""
    surprises: tuple[Surprise, ...]
    """The largest differences, largest first."""

    @property
    def fires(self) -> bool:
        """Whether strengths are not enough, and a look at who beats whom is due (p below 0.01)."""
        return self.p < FIRES


def lack_of_fit(matrix: Matrix, surprises: int = _SURPRISES) -> Fitting:
    """Pearson's chi-square of the pairs against their expected shares, and so many of the largest differences.

    Pairs whose wins have a variance below ½ are left out. Nothing is tested where sides have several bots, as
    one game then counts for several pairs. Where the dispersion was measured, p allows for its own error, and
    is that of an F distribution. Where more than two sides play, p is rather too large with few bots, as pairs
    have games in common.
    """
    tested = np.triu(_variance(matrix.games, matrix.expected) >= _LEAST_VARIANCE, 1) & (not matrix.teams)
    dof = int(tested.sum()) - len(matrix.bots) + _groups(tested | tested.T)
    squares = np.where(tested, matrix.z**2, 0.0)
    found = tuple(_surprises(matrix, squares, surprises))
    if dof < 1:
        return Fitting(0.0, 0, 1.0, matrix.dispersion, found)
    chi2 = float(squares.sum())
    return Fitting(chi2, dof, _chance(chi2, dof, matrix.freedom), matrix.dispersion, found)


def _groups(met: NDArray[np.bool_]) -> int:
    """How many groups of bots there are that met, directly or through others."""
    reached, wider = met, met | np.eye(len(met), dtype=np.bool_)
    while (reached != wider).any():
        reached, wider = wider, wider @ wider
    return len(np.unique(wider, axis=0))


def _surprises(matrix: Matrix, squares: Array, most: int) -> list[Surprise]:
    found = []
    for flat in np.argsort(-squares, axis=None, kind="stable")[:most]:
        i, j = divmod(int(flat), len(matrix.bots))
        if not squares[i, j]:
            break
        i, j = (i, j) if matrix.z[i, j] > 0 else (j, i)
        share = float(matrix.wins[i, j] / matrix.games[i, j])
        found.append(
            Surprise(
                matrix.bots[i], matrix.bots[j], share, float(matrix.expected[i, j]), float(matrix.z[i, j])
            )
        )
    return found


def _chance(chi2: float, dof: int, freedom: float) -> float:
    """How likely so large a chi-square is, by the mean over what the dispersion may be (Wilson & Hilferty 1931)."""
    if math.isinf(freedom):
        return chi2_tail(chi2, dof)
    normal, weights = np.polynomial.hermite_e.hermegauss(_NODES)
    parts = (1 - 2 / (9 * freedom) + normal * math.sqrt(2 / (9 * freedom))) ** 3
    tails = [chi2_tail(chi2 * float(part), dof) for part in parts]
    return min(1.0, float(tails @ weights / weights.sum()))


def chi2_tail(x: float, dof: int) -> float:
    """Chance that a chi-square of `dof` degrees of freedom exceeds x >= 0 (Abramowitz & Stegun 26.4.4 and 26.4.5).

    >>> round(chi2_tail(24.0, 1), 9), round(chi2_tail(18.307038, 10), 6)
    (9.63e-07, 0.05)
    """
    half = x / 2
    if not half:
        return 1.0
    start = dof % 2 / 2
    terms = (
        math.exp(power * math.log(half) - half - math.lgamma(power + 1))
        for power in (start + k for k in range(dof // 2))
    )
    return min(1.0, math.fsum(terms) + (math.erfc(math.sqrt(half)) if start else 0.0))
