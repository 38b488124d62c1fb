"""Round robins of mirrored deals between bots of known strengths, by the thousand games."""

import math
from collections.abc import Callable
from itertools import combinations
from statistics import NormalDist

import numpy as np

from leaderboards.games import Array, Cell, Games
from leaderboards.places import BETA
from tests.leaderboards.leaderboard_results import bot, won

UNIT = 2**0.5 * BETA
"""How much the difference of two bots' play scatters in a game."""


class RoundRobin:
    """Every two of so many bots on the same deals, each deal in both seatings (or one)."""

    def __init__(self, bots: int, *, mirrored: bool = True) -> None:
        self.names = [f"b{n:03}" for n in range(bots)]
        self.first, self.second = np.array(list(combinations(range(bots), 2))).T
        self._seatings = 2 if mirrored else 1
        ends = [won(*names) for one in combinations(self.names, 2) for names in (one, one[::-1])]
        self._cells = sorted(ends)
        place = {cell: number for number, cell in enumerate(self._cells)}
        self._cell = np.array([place[cell] for cell in ends]).reshape(-1, 2)

    def gaps(self, strengths: Array) -> Array:
        """By how much the first bot of each pair is the stronger one, in units of the scatter of a game."""
        return np.asarray((strengths[self.first] - strengths[self.second]) / UNIT)

    def played(
        self, gaps: Array, deals: int, luck: float, random: np.random.RandomState, style: float = 0.0
    ) -> Games:
        """Games in which `luck` is the part of a deal in what is not skill; it turns around with the seats.

        `style` is the part of what a deal gives to a bot wherever it sits: it suits how the bot plays.
        """
        pairs, shape = len(gaps), (len(gaps), deals, self._seatings)
        cards = random.normal(size=(deals, 1)) * np.array([1, -1])[: self._seatings]
        suits = (style / 2) ** 0.5 * random.normal(size=(len(self.names), deals))
        play = gaps[:, None, None] + luck**0.5 * cards + (suits[self.first] - suits[self.second])[:, :, None]
        play = play + (1 - luck - style) ** 0.5 * random.normal(size=shape)
        cell = np.where(play > 0, self._cell[:, 0, None, None], self._cell[:, 1, None, None]).ravel()
        deal = np.broadcast_to(np.arange(deals)[:, None], shape).ravel()
        block = np.broadcast_to(np.arange(pairs * deals).reshape(pairs, deals, 1), shape).ravel()
        seen, cell = np.unique(cell, return_inverse=True)
        cells: list[Cell] = [self._cells[number] for number in seen]
        return Games(tuple(map(bot, self.names)), tuple(cells), cell, deal, block)


def even(bots: int, best_beats_worst: float) -> Array:
    """Strengths at even distances."""
    gap = NormalDist().inv_cdf(best_beats_worst) * UNIT
    return np.linspace(gap / 2, -gap / 2, bots)


def repeated(run: Callable[[np.random.RandomState], float], times: int) -> Array:
    """What `run` gives, so often, each time with luck of its own."""
    return np.array([run(np.random.RandomState(seed)) for seed in range(times)])


def at_most(share: float, runs: int) -> float:
    """A share that is seen above this in one of a hundred experiments, where the true one is `share`."""
    return share + 2.326 * math.sqrt(share * (1 - share) / runs)
