"""How much each bot matters where they beat each other in circles: Nash averaging (Balduzzi et al. 2018).

Whoever sends one bot into a game against an unknown one sent in likewise plays the equilibrium: bots that
others make superfluous get nothing, and copies share what one would get. It is noisy, so it is worth a look only
where strengths fail (`matrix.Fitting.fires`), and next to how often each bot is in it when deals are drawn anew.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from leaderboards.games import Array, Games, Index
from leaderboards.matrix import Duels, duels
from protocol.vocabulary import BotId

SUPPORT = 1e-3
"""A bot with a smaller part than this is not in the equilibrium."""
_RESAMPLES = 200
_COLDEST = 1e-6
_COOLING, _SLOWEST = 0.5, 0.999
_STEPS = 40
_TOLERANCE = 1e-6
_NOTHING = 1e-9


class NoEquilibrium(ArithmeticError):
    """The search did not settle; the message says what to do."""


def nash(payoff: Array) -> Array:
    """The equilibrium of greatest entropy of a game that is fair to both: parts of N choices, adding up to 1.

    `payoff` (N, N) is what the row's choice wins against the column's, and its own negative when turned over.
    Found as the limit of p_i ~ exp(payoff of i against p / t) for t to 0, each t by Newton's method from the one
    before: of all equilibria the one of greatest entropy is approached, here to about 1e-4. Raises
    NoEquilibrium.
    """
    size = len(payoff)
    scale = float(np.abs(payoff).max(initial=0))
    if not scale:
        return np.full(size, 1 / size)
    logs, heat, cooling = np.full(size, -math.log(size)), 1.0, _COOLING
    while heat > _COLDEST and cooling < _SLOWEST:
        settled = _settled(payoff / scale, logs, heat * cooling)
        if settled is None:  # too far for Newton's method: where a part vanishes it does so at once
            cooling = math.sqrt(cooling)
        else:
            logs, heat, cooling = settled, heat * cooling, max(_COOLING, cooling**2)
    if cooling >= _SLOWEST:
        raise NoEquilibrium(f"no equilibrium of {size} choices found; please report the results")
    return np.asarray(np.exp(logs) / np.exp(logs).sum())


def _settled(payoff: Array, logs: Array, heat: float) -> Array | None:
    """The logarithms of p at this heat, from those of another: for all, heat log p − payoff p is one c."""
    size = len(payoff)
    common = 0.0
    for _ in range(_STEPS):
        parts = np.exp(logs)
        slopes = np.zeros((size + 1, size + 1))
        slopes[:size, :size] = heat * np.eye(size) - payoff * parts
        slopes[:size, size], slopes[size, :size] = -1, parts
        wrong = np.append(heat * logs - payoff @ parts - common, parts.sum() - 1)
        step = -np.linalg.solve(slopes, wrong)
        # A part worth the name may change by a factor of e at once, and one that is none may get lost.
        change = np.where((parts > _NOTHING) | (step[:size] > 0), np.abs(step[:size]), 0.0).max()
        logs = logs + step[:size] / max(1.0, change)
        common += step[size] / max(1.0, change)
        if change < _TOLERANCE:
            return logs
    return None


@dataclass(frozen=True, slots=True, eq=False)
class Averaging:
    """How much each of N bots matters."""

    bots: tuple[BotId, ...]
    weight: Array
    """(N,): its part in the equilibrium; they add up to 1."""
    included: Array
    """(N,): in which share of the games with deals drawn anew it is in the equilibrium."""


def averaging(games: Games, seed: int, resamples: int = _RESAMPLES) -> Averaging:
    """The equilibrium of who beats whom in games of one kind, and how far it hangs on the deals.

    A pair's payoff is the logit of its wins, half a win added to each side, so that few games say little; 0
    where two have not met. Deals are drawn with replacement, by numpy's RandomState, whose stream never
    changes. Raises NoEquilibrium.
    """
    table = duels(games, np.zeros(len(games.bots)))
    random = np.random.RandomState(seed)
    included = np.zeros(len(games.bots))
    for _ in range(resamples):
        drawn = random.randint(games.deals, size=games.deals)
        included += _equilibrium(games, table, np.bincount(drawn, minlength=games.deals)) > SUPPORT
    weight = _equilibrium(games, table, np.ones(games.deals, dtype=np.intp))
    return Averaging(games.bots, weight, included / resamples)


def _equilibrium(games: Games, table: Duels, times: Index) -> Array:
    """Of the games with each deal counted `times` (D,)."""
    counts = np.bincount(games.cell, times[games.deal], len(games.cells)).astype(np.float64)
    wins = table.totals(counts, table.score, len(games.bots))
    return nash(np.log((wins + 0.5) / (wins.T + 0.5)))
