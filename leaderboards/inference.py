"""What may be said of an order of bots: who is first, who is told apart, between which ranks a bot lies.

Two readings of one estimate. `posterior`, `first_and_top` and `expected_tau` say how likely something is, with
the bots seen as drawn from a field whose spread is measured too; without that, few games would look like a
clear order. `rank_ranges` and `separated` hold for all bots at once, whatever the field is like. Draws are
seeded, and those of numpy's RandomState never change (NEP 19), so equal estimates say equal things.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from leaderboards.estimates import Estimate
from leaderboards.games import Array
from leaderboards.normal import cdf
from leaderboards.places import MU, SIGMA

Flags = NDArray[np.bool_]

_LEVEL = 0.95
_TOP = 3
_DRAWS = 4000
_NARROW = SIGMA / 1000
"""The least spread that a field is given; smaller ones cannot be told from it."""
_GRID = 65
_ZOOMS = 5


@dataclass(frozen=True, slots=True, eq=False)
class Chances:
    """How likely each of N bots is to be where."""

    first: Array
    """(N,): the strongest; they add up to 1."""
    top3: Array
    """(N,): one of the three strongest; they add up to 3, or to N where there are fewer."""


def posterior(e: Estimate) -> Estimate:
    """What is known once it counts that the bots are of one field: drawn to the middle, and surer.

    Strengths theta ~ N(0, s² I) were seen as x ~ N(theta, V), both less their mean: theta given x has mean
    s² (s² I + V)⁻¹ x and covariance s² I − s⁴ (s² I + V)⁻¹. s is the one that makes x likeliest (empirical
    Bayes: Efron & Morris 1973), at most the 25/3 of a rating before any game. The result is about 25.
    """
    size = len(e.bots)
    centred = e.mean - e.mean.mean()
    variance = _field_variance(centred, e.covariance)
    shrinkage = variance * np.linalg.inv(variance * np.eye(size) + e.covariance)
    covariance = variance * (np.eye(size) - shrinkage)
    return replace(e, mean=MU + shrinkage @ centred, covariance=(covariance + covariance.T) / 2)


def _field_variance(centred: Array, covariance: Array) -> float:
    """s² of the likeliest field, in the N − 1 directions in which bots can differ."""
    noise, axes = np.linalg.eigh(covariance + covariance.trace() + 1)  # the level comes last
    noise, squares = noise[:-1].clip(0), (axes.T @ centred)[:-1] ** 2
    low, high = math.log(_NARROW), math.log(SIGMA)
    best = low
    for _ in range(_ZOOMS):
        grid = np.linspace(low, high, _GRID)
        total = np.exp(2 * grid)[:, None] + noise
        likely = int(np.argmin((np.log(total) + squares / total).sum(axis=1)))
        best, low, high = grid[likely], grid[max(likely - 1, 0)], grid[min(likely + 1, _GRID - 1)]
    return math.exp(2 * best)


def first_and_top(e: Estimate, seed: int, draws: int = _DRAWS) -> Chances:
    """How often each bot comes first, and among three, in `draws` fields as `e` (a posterior) has them."""
    size = len(e.bots)
    strengths = e.mean[:, None] + _draws(e, seed, draws)
    first = np.bincount(strengths.argmax(axis=0), minlength=size)
    top = strengths.argpartition(-min(_TOP, size), axis=0)[-_TOP:]
    return Chances(first / draws, np.bincount(top.ravel(), minlength=size) / draws)


def expected_tau(e: Estimate) -> float:
    """Kendall's tau between the order of `e` (a posterior) and the true one, as it is to be expected.

    1 − 4 sum over i < j of min(P_ij, 1 − P_ij) / (N (N − 1)), with P_ij how likely i is stronger than j; 1
    for a single bot.
    """
    size = len(e.bots)
    if size < 2:
        return 1.0
    wrong = cdf(-np.abs(_z(e)[np.triu_indices(size, 1)]))
    return float(1 - 4 * wrong.sum() / (size * (size - 1)))


def rank_ranges(e: Estimate, seed: int) -> list[tuple[int, int]]:
    """Between which ranks each bot is, 95 % sure each, in the order of the bots.

    Rank 1 and one more for each that is clearly stronger, to N less each that is clearly weaker: clearly is
    beyond the 95 % point of the largest |z| of the bot against any other, were there no difference (Mogstad,
    Romano, Shaikh & Wilhelm 2024, "Inference for Ranks"). That point comes from seeded draws.
    """
    size = len(e.bots)
    clear = np.array(list(_critical(e, seed)))[:, None]
    z = _z(e)
    better, worse = (z < -clear).sum(axis=1), (z > clear).sum(axis=1)
    return [(1 + int(up), size - int(down)) for up, down in zip(better, worse, strict=True)]


def _critical(e: Estimate, seed: int) -> Iterator[float]:
    """For each bot the 95 % point of its largest |z|, under no difference."""
    size = len(e.bots)
    noise = _draws(e, seed, _DRAWS).astype(np.float32)
    _, sd = e.differences()
    precision = np.divide(1, sd, where=sd > 0, out=np.zeros_like(sd)).astype(np.float32)
    for own in range(size):  # one at a time, in few digits: N x N x draws are gigabytes
        z = noise - noise[own]
        np.abs(z, out=z)
        z *= precision[own][:, None]
        yield float(np.quantile(z.max(axis=0), _LEVEL))


def separated(e: Estimate, alpha: float = 0.05) -> Flags:
    """(N, N): which two are told apart, so that with chance 1 − alpha no pair of them is so wrongly.

    Holm's step-down over all pairs (1979), two-sided: however many bots there are, equal ones stay together.
    """
    size = len(e.bots)
    first, second = np.triu_indices(size, 1)
    chance = 2 * cdf(-np.abs(_z(e)[first, second]))
    order = np.argsort(chance, kind="stable")
    passed = chance[order] <= alpha / np.arange(len(order), 0, -1)
    kept = order[np.logical_and.accumulate(passed)]
    apart = np.zeros((size, size), dtype=np.bool_)
    apart[first[kept], second[kept]] = apart[second[kept], first[kept]] = True
    return apart


def letters(order: Sequence[int], separated: Flags) -> list[str]:
    """Letters for the bots in their order: two without a letter in common are told apart.

    A letter is a bracket over neighbours, from a bot to the last that is not told apart from it. Two under
    one bracket are mostly not told apart; all pairs that are not have one in common. Beyond z, where letters
    are aa, ab, …, a bot has the first and the last of its letters: `y-ac`.
    """
    together = ~separated[np.ix_(order, order)]
    last = [int(np.flatnonzero(row)[-1]) for row in together]
    starts = [k for k, end in enumerate(last) if k == 0 or end > max(last[:k])]
    found = []
    for place in range(len(last)):
        own = [_letter(n) for n, start in enumerate(starts) if start <= place <= last[start]]
        found.append("".join(own) if len(starts) <= 26 else "-".join(dict.fromkeys((own[0], own[-1]))))
    return found


def _letter(number: int) -> str:
    """The name of a bracket.

    >>> [_letter(n) for n in (0, 25, 26, 51, 52, 701, 702)]
    ['a', 'z', 'aa', 'az', 'ba', 'zz', 'aaa']
    """
    head, tail = divmod(number, 26)
    return (_letter(head - 1) if head else "") + chr(ord("a") + tail)


def neighbours_apart(order: Sequence[int], separated: Flags) -> float:
    """Share of adjacent places whose bots are told apart; 1 where there is one place only."""
    if len(order) < 2:
        return 1.0
    return float(separated[order[:-1], order[1:]].mean())


def _z(e: Estimate) -> Array:
    """(N, N): how much stronger the first is, in standard deviations; 0 where nothing is uncertain."""
    gap, sd = e.differences()
    return np.divide(gap, sd, where=sd > 0, out=np.zeros_like(gap))


def _draws(e: Estimate, seed: int, draws: int) -> Array:
    """(N, draws): what may be added to the means, up to a level that all share.

    By the symmetric root of the covariance, which is unique and so the same on every machine. What is certain
    is left a billionth of the usual variance, which breaks ties.
    """
    values, vectors = np.linalg.eigh(e.covariance)
    usual = float(values.mean()) or 1.0
    root = (vectors * np.sqrt(values.clip(1e-9 * usual))) @ vectors.T
    noise = np.random.RandomState(seed).standard_normal((len(e.bots), draws))
    return np.asarray(root @ noise, dtype=np.float64)
