"""The normal distribution cut off by what a game says, with tails that neither underflow nor cancel.

`v` and `w` are TrueSkill's (Herbrich et al. 2007): how far the mean of a difference of standard
deviation 1 moves, and which part of its variance goes, when one learns that it was a win or a draw.
"""

from __future__ import annotations

import math

_TAIL = 6.0
"""Farther out than this a series takes over."""


def won(lead: float, margin: float) -> tuple[float, float]:
    """TrueSkill's v and w of a win: the first moment and the loss of variance beyond the margin."""
    x = lead - margin
    if x < -_TAIL:
        excess = _excess(-x)
        return excess - x, (excess - x) * excess
    v = pdf(x) / cdf(x)
    return v, v * (v + x)


def drawn(lead: float, margin: float) -> tuple[float, float]:
    """TrueSkill's v and w of a draw, the difference being within ± margin (which must be above 0)."""
    high, low = margin - abs(lead), -margin - abs(lead)
    if high > -_TAIL:
        at_high, at_low, mass = pdf(high), pdf(low), cdf(high) - cdf(low)
    else:  # both in units of the density at `high`, which may be too small for a float
        at_high, at_low = 1.0, math.exp((high - low) * (high + low) / 2)
        mass = 1 / (_excess(-high) - high) - at_low / (_excess(-low) - low)
    v = (at_low - at_high) / mass
    return math.copysign(v, -lead), v * v + (high * at_high - low * at_low) / mass


def _excess(z: float) -> float:
    """pdf(z) / cdf(−z) − z for z >= 6, by Laplace's continued fraction."""
    rest = 0.0
    for k in range(30, 0, -1):
        rest = k / (z + rest)
    return rest


def cdf(x: float) -> float:
    """Share of the standard normal distribution below x, to full precision far below 0."""
    return 0.5 * math.erfc(-x / math.sqrt(2))


def pdf(x: float) -> float:
    """Density of the standard normal distribution."""
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)
