"""The normal distribution cut off by what a game says, with tails that neither underflow nor cancel.

`v` and `w` are TrueSkill's (Herbrich et al. 2007): how far the mean of a difference of standard
deviation 1 moves, and which part of its variance goes, when one learns that it was a win or a draw.
All functions take numbers and arrays of any shape, and work element by element.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
LEVEL = NormalDist().inv_cdf(0.975)
"""Standard deviations to either side that hold 95 %."""
_TAIL = 6.0
"""Farther out than this a series takes over."""


def won(lead: ArrayLike, margin: ArrayLike) -> tuple[Array, Array]:
    """TrueSkill's v and w of a win: the first moment and the loss of variance beyond the margin."""
    x: Array = np.asarray(np.subtract(lead, margin), float)
    far = x < -_TAIL
    near = np.where(far, 0.0, x)
    v = pdf(near) / cdf(near)
    w = v * (v + near)
    if far.any():
        excess = _excess(np.where(far, -x, _TAIL))
        v, w = np.where(far, excess - x, v), np.where(far, (excess - x) * excess, w)
    return v, w


def drawn(lead: ArrayLike, margin: ArrayLike) -> tuple[Array, Array]:
    """TrueSkill's v and w of a draw, the difference being within ± margin (which must be above 0)."""
    off, wide = np.abs(np.asarray(lead, float)), np.asarray(margin, float)
    high, low = wide - off, -wide - off
    at_high, at_low, mass = pdf(high), pdf(low), cdf(high) - cdf(low)
    far = high < -_TAIL
    if far.any():  # in units of the density at `high`, which may be too small for a float
        near, away = np.where(far, high, -_TAIL), np.where(far, low, -_TAIL)
        ratio = np.exp((near - away) * (near + away) / 2)
        rest = 1 / (_excess(-near) - near) - ratio / (_excess(-away) - away)
        at_high, at_low, mass = (
            np.where(far, 1.0, at_high), np.where(far, ratio, at_low), np.where(far, rest, mass)
        )  # fmt: skip
    v = (at_low - at_high) / mass
    return np.copysign(v, np.negative(lead)), v * v + (high * at_high - low * at_low) / mass


def _excess(z: Array) -> Array:
    """pdf(z) / cdf(−z) − z for z >= 6, by Laplace's continued fraction."""
    rest = np.zeros_like(z)
    for k in range(30, 0, -1):
        rest = k / (z + rest)
    return rest


def cdf(x: ArrayLike) -> Array:
    """Share of the standard normal distribution below x, to full precision far below 0."""
    scaled = np.asarray(x, float) / -math.sqrt(2)
    found = np.fromiter(map(math.erfc, scaled.ravel().tolist()), float, scaled.size)
    return 0.5 * found.reshape(scaled.shape)


def pdf(x: ArrayLike) -> Array:
    """Density of the standard normal distribution."""
    x = np.asarray(x, float)
    return np.asarray(np.exp(-x * x / 2) / math.sqrt(2 * math.pi))


def student(freedom: ArrayLike) -> Array:
    """The 97.5 % point of Student's t, within 1 % from 3 degrees of freedom on; fewer are taken for 3.

    Cornish & Fisher's expansion (Abramowitz & Stegun 1964, 26.7.5).

    >>> student([4, 10, 30, 1000]).round(2).tolist()
    [2.77, 2.23, 2.04, 1.96]
    """
    z, f = LEVEL, np.asarray(freedom, float).clip(3)
    return np.asarray(
        z
        + (z**3 + z) / (4 * f)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * f**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * f**3)
    )
