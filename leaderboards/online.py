"""TrueSkill game after game, by the `trueskill` package: what boards usually do, to compare with.

It depends on the order of the games. With the package's own drift it never settles in games of luck, and who
pairs bots by its `quality` tears the field apart; `arena simulate` shows by how much. No rating of a
tournament comes from here. Without drift a single game is rated as `leaderboards.places` does, which the tests
hold against this.
"""

from __future__ import annotations

import warnings
from statistics import NormalDist
from typing import Any

from leaderboards.games import Cell
from leaderboards.normal import cdf, drawn, pdf, won
from leaderboards.places import BETA, MU, SIGMA
from leaderboards.ratings import DRAW_FLOOR, Rating
from protocol.vocabulary import BotId

USUAL_TAU = SIGMA / 100
"""The package's drift of a skill from game to game."""


class Online:
    """Ratings that change with every game; a bot that has not played is 25 ± 8.33."""

    def __init__(self, tau: float = USUAL_TAU, draw_probability: float = DRAW_FLOOR) -> None:
        self._environment = environment(tau, draw_probability)
        self._ratings: dict[BotId, Any] = {}

    def take(self, cell: Cell) -> None:
        """A game of sides of one bot each, or of teams."""
        groups = [tuple(self._of(bot) for bot in side.bots) for side in cell]
        new = self._environment.rate(groups, ranks=[side.rank for side in cell])
        for side, group in zip(cell, new, strict=True):
            self._ratings.update(zip(side.bots, group, strict=True))

    def rating(self, bot: BotId) -> Rating:
        """As it is now."""
        known = self._of(bot)
        return Rating(known.mu, known.sigma)

    def quality(self, *bots: BotId) -> float:
        """How likely a draw between them would be, 0 to 1: what boards pair by."""
        return float(self._environment.quality([(self._of(bot),) for bot in bots]))

    def _of(self, bot: BotId) -> Any:
        return self._ratings.get(bot) or self._environment.create_rating()


def environment(tau: float, draw_probability: float) -> Any:
    """The package's model, with an exact normal distribution and tails that do not underflow."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a source release of 2018, which newer Pythons complain about
        import trueskill  # type: ignore[import-untyped]

    made = trueskill.TrueSkill(
        MU, SIGMA, BETA, tau, max(DRAW_FLOOR, draw_probability),
        backend=(lambda x: float(cdf(x)), lambda x: float(pdf(x)), NormalDist().inv_cdf),
    )  # fmt: skip
    made.v_win = lambda lead, margin: float(won(lead, margin)[0])
    made.w_win = lambda lead, margin: float(won(lead, margin)[1])
    made.v_draw = lambda lead, margin: float(drawn(lead, margin)[0])
    made.w_draw = lambda lead, margin: float(drawn(lead, margin)[1])
    return made
