"""TrueSkill ratings of a set of games: a pure function in which the order of the games cannot matter.

Used game after game, TrueSkill depends on the order and, with its usual drift `tau`, never settles. A
bot in one version does not change, so here tau is 0 and all games are taken at once: each game's
message to each player is found from the *cavity*, what all other games say of them, until nothing
moves (expectation propagation; Herbrich, Minka & Graepel 2007; Dangauthier et al. 2007). Games that
are alike share one message and a count. Two sides have a closed form; more go through the `trueskill`
package, with tails that hold where its own give up. Inside, means are relative to 25.
"""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain, pairwise, permutations, product
from statistics import NormalDist, fmean
from typing import Any

from leaderboards.normal import cdf, drawn, pdf, won
from leaderboards.selection import Side
from protocol.vocabulary import BotId

MU = 25.0
SIGMA = MU / 3
BETA = SIGMA / 2
TAU = 0.0
INTERVAL = 1.96
DRAW_FLOOR = 1e-3
_TOLERANCE = 1e-8
_SWEEPS = 500
_PRIOR = SIGMA**-2
CONFIG = f"trueskill-batch/1 {MU=} {SIGMA=} {BETA=} {TAU=} {DRAW_FLOOR=} {_TOLERANCE=}"
"""All that the numbers depend on besides the games; raise its version when the method changes."""

_normal = NormalDist()


class NotConverged(ArithmeticError):
    """The fit did not settle; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What is known of a skill: a normal distribution on TrueSkill's scale (25 ± 8.33 before any game)."""

    mu: float
    sigma: float

    @property
    def interval(self) -> tuple[float, float]:
        """mu ± 1.96 sigma."""
        return self.mu - INTERVAL * self.sigma, self.mu + INTERVAL * self.sigma

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


def fit(games: Iterable[tuple[Side, ...]]) -> Fit:
    """Rate games of one kind, each given by its sides. Raises NotConverged."""
    cells = Counter(games)
    share = draw_share(cells)
    ratings, sweeps = propagate(cells, share)
    return Fit(ratings, share, groups(cells), sweeps)


def draw_share(cells: Mapping[tuple[Side, ...], int]) -> float:
    """Share of ties among all pairs of adjacent places, (ties + 1/2) / (pairs + 1), at least 0.001."""
    pairs = ties = 0
    for sides, count in cells.items():
        pairs += count * (len(sides) - 1)
        ties += count * sum(a.rank == b.rank for a, b in pairwise(sides))
    return max(DRAW_FLOOR, (ties + 0.5) / (pairs + 1))


def draw_margin(draw_probability: float, players: int) -> float:
    """How close a game of so many players in two sides must be to be a draw (Herbrich et al. 2007)."""
    return _normal.inv_cdf((draw_probability + 1) / 2) * math.sqrt(players) * BETA


def groups(cells: Iterable[tuple[Side, ...]]) -> tuple[tuple[BotId, ...], ...]:
    """The bots that met, directly or through others; largest group first."""
    found: list[set[BotId]] = []
    for sides in cells:
        met = {bot for side in sides for bot in side.bots}
        touched = [group for group in found if group & met]
        found = [group for group in found if not group & met] + [met.union(*touched)]
    return tuple(sorted((tuple(sorted(group)) for group in found), key=lambda group: (-len(group), group)))


Normal = tuple[float, float]
"""Mean and variance."""
Message = tuple[float, float]
"""What a game says of a player: the precision that it adds, and (new mean − old mean) x new precision."""
Update = Callable[[list[Normal]], list[Message]]
"""What one game says of its players, side by side, best side first."""
Weight = tuple[int, float]
"""A player and its part in a sum."""


class _Cell:
    """Games that are alike, and the message that each of them sends to each of its players.

    A game says of a player where it is *relative to the others*: a mean of `offset / pi` from `against`, a
    weighted sum of their means. Kept so, a message stays true when the others move.
    """

    __slots__ = ("against", "change", "count", "damping", "offset", "pi", "players", "update")

    def __init__(self, players: list[int], count: int, against: list[list[Weight]], update: Update) -> None:
        self.players = players
        self.count = count
        self.against = against
        self.update = update
        self.pi = [0.0] * len(players)
        self.offset = [0.0] * len(players)
        self.damping = 1.0
        self.change = 0.0


def propagate(
    cells: Mapping[tuple[Side, ...], int], draw_probability: float
) -> tuple[dict[BotId, Rating], int]:
    """Ratings from games with their counts, and the number of sweeps that it took. Raises NotConverged.

    A sweep finds all messages anew, then the means that agree with all of them at once: one player after
    the other would creep where bots that always win have met many that always lose.
    """
    bots = sorted({bot for sides in cells for side in sides for bot in side.bots})
    index = {bot: i for i, bot in enumerate(bots)}
    work = [_cell(sides, cells[sides], index, draw_probability) for sides in sorted(cells)]
    mean, pi = [0.0] * len(bots), [_PRIOR] * len(bots)
    for sweep in range(1, _SWEEPS + 1):
        for cell in work:
            _pass(cell, mean, pi)
        before = [*mean, *(p**-0.5 for p in pi)]
        mean, pi = _posterior(work, len(bots))
        after = [*mean, *(p**-0.5 for p in pi)]
        if all(abs(a - b) < _TOLERANCE for a, b in zip(before, after, strict=True)):
            return {bot: Rating(MU + mean[i], after[i - len(bots)]) for bot, i in index.items()}, sweep
    raise NotConverged(
        f"the ratings of {len(bots)} bots still move after {_SWEEPS} sweeps; leave out bots with very few "
        "games or that win or lose them all, and report the results that show it"
    )


def _cell(sides: tuple[Side, ...], count: int, index: Mapping[BotId, int], draw_probability: float) -> _Cell:
    players = [[index[bot] for bot in side.bots] for side in sides]
    against = [_against(players, s, i) for s, side in enumerate(players) for i in side]
    update = one_game([len(side.bots) for side in sides], [side.rank for side in sides], draw_probability)
    return _Cell(list(chain.from_iterable(players)), count, against, update)


def _against(players: list[list[int]], own: int, player: int) -> list[Weight]:
    near = [side for s, side in enumerate(players) if abs(s - own) == 1]
    others = [(i, 1 / len(near)) for side in near for i in side]
    return others + [(i, -1.0) for i in players[own] if i != player]


def _pass(cell: _Cell, mean: list[float], pi: list[float]) -> None:
    rest = [sum(mean[i] * weight for i, weight in against) for against in cell.against]
    cavity: list[Normal] = []
    for i, p, offset, level in zip(cell.players, cell.pi, cell.offset, rest, strict=True):
        precision = pi[i] - p
        cavity.append((mean[i] - (offset + p * (level - mean[i])) / precision, 1 / precision))
    messages = cell.update(cavity)
    # Where a message swings to and fro (one-sided results, by the thousand), smaller steps settle it.
    change = messages[0][0] - cell.pi[0]
    cell.damping = min(1.0, cell.damping * (0.6 if change * cell.change < 0 else 1.1))
    cell.change = change
    for k, (p, lift) in enumerate(messages):
        cell.pi[k] += cell.damping * (p - cell.pi[k])
        cell.offset[k] += cell.damping * (p * (cavity[k][0] - rest[k]) + lift - cell.offset[k])


def _posterior(work: list[_Cell], size: int) -> tuple[list[float], list[float]]:
    """The means and precisions that agree with the prior and all messages."""
    pi, total = [_PRIOR] * size, [0.0] * size
    matrix = [[0.0] * size for _ in range(size)]
    for cell in work:
        for i, p, offset, against in zip(cell.players, cell.pi, cell.offset, cell.against, strict=True):
            pi[i] += cell.count * p
            total[i] += cell.count * offset
            row = matrix[i]
            for j, weight in against:
                row[j] -= cell.count * p * weight
    for i, p in enumerate(pi):
        matrix[i][i] += p
    return _solve(matrix, total), pi


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """x of `matrix` x = `right`, by elimination; every pivot is the rest of a precision, above 0."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for k, pivot in enumerate(rows):
        tail = pivot[k:]
        for row in rows[k + 1 :]:
            if row[k]:
                factor = row[k] / pivot[k]
                row[k:] = [a - factor * b for a, b in zip(row[k:], tail, strict=True)]
    found: list[float] = []
    for k in range(len(rows) - 1, -1, -1):
        known = sum(a * b for a, b in zip(rows[k][k + 1 : -1], reversed(found), strict=True))
        found.append((rows[k][-1] - known) / rows[k][k])
    return found[::-1]


def one_game(sizes: Sequence[int], ranks: Sequence[int], draw_probability: float) -> Update:
    """What a game with sides of `sizes` that ended in `ranks` (ascending) makes of its players.

    Means may be relative to a common level where the sides are of equal size. `draw_probability` may be 0
    where nothing is tied.
    """
    if len(sizes) == 2:
        margin = draw_margin(draw_probability, sum(sizes))
        return partial(_two_sides, sizes[0], drawn if ranks[0] == ranks[1] else won, margin)
    return partial(_many_sides, _environment(draw_probability), sizes, ranks)


def _two_sides(
    first: int, shape: Callable[[float, float], Normal], margin: float, players: list[Normal]
) -> list[Message]:
    c2 = len(players) * BETA**2 + sum(variance for _, variance in players)
    c = math.sqrt(c2)
    lead = sum(mean for mean, _ in players[:first]) - sum(mean for mean, _ in players[first:])
    v, w = shape(lead / c, margin / c)
    kept = [1 - variance / c2 * w for _, variance in players]
    return [(w / c2 / part, (v if k < first else -v) / c / part) for k, part in enumerate(kept)]


def _many_sides(
    environment: Any, sizes: Sequence[int], ranks: Sequence[int], players: list[Normal]
) -> list[Message]:
    # The package compares neighbours as listed, so ties are averaged over every way to list them.
    ends = [sum(sizes[:i]) for i in range(len(sizes) + 1)]
    rated = [environment.create_rating(mean, math.sqrt(variance)) for mean, variance in players]
    orders = _listings(ranks)
    found: list[list[Any]] = [[] for _ in players]
    for order in orders:
        new = environment.rate([tuple(rated[ends[i] : ends[i + 1]]) for i in order], ranks=ranks)
        where = chain.from_iterable(range(ends[i], ends[i + 1]) for i in order)
        for k, rating in zip(where, chain.from_iterable(new), strict=True):
            found[k].append(rating)
    after = [(fmean(r.mu for r in many), fmean(r.sigma**2 for r in many)) for many in found]
    return [
        (1 / variance - 1 / before, (new - mean) / variance)
        for (mean, before), (new, variance) in zip(players, after, strict=True)
    ]


def _listings(ranks: Sequence[int]) -> list[list[int]]:
    """Every order of the sides that keeps their ranks ascending.

    >>> _listings([0, 1, 1])
    [[0, 1, 2], [0, 2, 1]]
    """
    tied = [[i for i, rank in enumerate(ranks) if rank == place] for place in sorted(set(ranks))]
    return [list(chain.from_iterable(order)) for order in product(*map(permutations, tied))]


def _environment(draw_probability: float) -> Any:
    """The package's own model, with an exact normal distribution and tails that do not underflow."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a source release of 2018, which newer Pythons complain about
        import trueskill  # type: ignore[import-untyped]

    environment = trueskill.TrueSkill(
        MU, SIGMA, BETA, TAU, max(DRAW_FLOOR, draw_probability), backend=(cdf, pdf, _normal.inv_cdf)
    )
    environment.v_win = lambda lead, margin: won(lead, margin)[0]
    environment.w_win = lambda lead, margin: won(lead, margin)[1]
    environment.v_draw = lambda lead, margin: drawn(lead, margin)[0]
    environment.w_draw = lambda lead, margin: drawn(lead, margin)[1]
    return environment
