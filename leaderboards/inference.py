"""What may be said of an order of bots: who is first, who is told apart, between which ranks a bot lies.

Two readings of one estimate. `posterior`, `first_and_top` and `expected_tau` say how likely something is, with
the bots seen as drawn from a field whose spread is measured too; without that, few games would look like a
clear order. `rank_ranges` and `separated` hold for all bots at once, whatever the field is like. Draws are
seeded, and those of numpy's RandomState never change (NEP 19), so equal estimates say equal things.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist

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
_GRID = 257


@dataclass(frozen=True, slots=True, eq=False)
class Chances:
    """How likely each of N bots is to be where."""

    first: Array
    """(N,): the strongest; they add up to 1."""
    top3: Array
    """(N,): one of the three strongest; they add up to 3, or to N where there are fewer."""


def posterior(e: Estimate) -> Estimate:
    """What is known once it counts that the bots are of one field: drawn to the middle, and surer.

    Strengths theta ~ N(0, s² I) were seen as x ~ N(theta, V), both less their mean: theta given x and s has mean
    s² (s² I + V)⁻¹ x and covariance s² V (s² I + V)⁻¹. Of s no more is known before any game than that it is
    at most the 25/3 of a rating (a uniform prior, as in Gelman 2006), so both are averaged over what x says of it:
    its single likeliest value would often be 0 in a small field. The result is about 25.
    """
    noise, axes = np.linalg.eigh(e.covariance + e.covariance.trace() + 1)  # the level comes last
    noise, axes = noise[:-1].clip(0), axes[:, :-1]
    seen = axes.T @ e.mean
    field, chance = _spreads(noise, seen)
    shrinkage = field[:, None] / (field[:, None] + noise)
    mean = chance @ shrinkage
    drawn = (shrinkage - mean) * seen
    covariance = np.diag(chance @ (shrinkage * noise)) + (drawn.T * chance) @ drawn
    covariance = axes @ covariance @ axes.T
    return replace(e, mean=MU + axes @ (mean * seen), covariance=(covariance + covariance.T) / 2)


def _spreads(noise: Array, seen: Array) -> tuple[Array, Array]:
    """Values of s² and how likely each is, by what was seen in the N − 1 directions in which bots can differ."""
    spread = np.geomspace(_NARROW, SIGMA, _GRID)
    total = spread[:, None] ** 2 + noise
    likelihood = -(np.log(total) + seen**2 / total).sum(axis=1) / 2
    weight = spread * np.exp(likelihood - likelihood.max())  # of s: values are even in its logarithm
    weight[[0, -1]] /= 2
    return spread**2, weight / weight.sum()


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

    Rank 1 and one more for each that is clearly stronger, to N less each that is clearly weaker. Clearly is
    beyond the 95 % point of the largest |z| of the bot against the others, were there no difference; and once some are
    clear, beyond that of the rest (Mogstad, Romano, Shaikh & Wilhelm 2024, "Inference for Ranks", with their
    steps down). So whoever is `separated` is clear, too. The points come from seeded draws.
    """
    size, z, noise = len(e.bots), _z(e), _draws(e, seed, _DRAWS)
    _, sd = e.differences()
    precision = np.divide(1, sd, where=sd > 0, out=np.zeros_like(sd))
    ranges = []
    for own in range(size):  # one at a time: N x N x draws would be gigabytes
        drawn = np.abs((noise - noise[own]) * precision[own][:, None])
        clear = _clear(np.abs(z[own]), drawn)
        ranges.append((1 + int((clear & (z[own] < 0)).sum()), size - int((clear & (z[own] > 0)).sum())))
    return ranges


def _clear(z: Array, drawn: Array) -> Flags:
    """Which of the |z| (N,) are beyond chance, of which there are draws (N, draws)."""
    clear = np.zeros(len(z), dtype=np.bool_)
    while (left := np.flatnonzero(~clear)).size:
        each = NormalDist().inv_cdf(
            1 - (1 - _LEVEL) / 2 / left.size
        )  # no draw may say more than all that there are
        point = min(each, float(np.quantile(drawn[left].max(axis=0), _LEVEL)))
        new = left[z[left] > point]
        if not new.size:
            break
        clear[new] = True
    return clear


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
