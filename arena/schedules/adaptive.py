"""Each block where it tells most: what is asked becomes sure with the fewest CPU seconds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from arena.schedules.blocks import Block, Field, Progress
from arena.schedules.information import Beliefs, Tables, tables_of
from arena.schedules.opening import lacking, opening, unopened
from arena.schedules.strengths import BLOCKS, Picks, drawn, random_of, strengths
from arena.schedules.tables import playable
from leaderboards.estimates import Estimate
from leaderboards.games import Array
from protocol.vocabulary import BotId

DRAWS = 1000
"""Of all strengths, for the chances of being first."""
STARVED = 0.5
"""Of the mean number of games: a bot with fewer is served before all others."""
CHEAP = 0.01
"""CPU seconds a game that every bot is taken to cost at least; playing a game costs something, too."""


@dataclass(frozen=True, slots=True)
class Adaptive:
    """An equal opening of so many deals for each of its meetings; then what tells most, to no end of its own.

    Asked may be the `order` of all (of which the first place counts as much as all others), the `champion`,
    or the `rank` of `bot`. Strengths are taken as they were seen, without the prior that fits the field: where that
    takes all bots for equal, as it may while games are few, nothing would be left to choose by.
    """

    deals: int
    ask: str = "order"
    bot: BotId | None = None
    static: ClassVar[bool] = False

    def step(self, field: Field, progress: Progress) -> list[Block]:
        """What the opening lacks, or the next few blocks. Raises NotConverged."""
        start = lacking(field, progress, self.deals)
        known = None if start else strengths(progress, field.bots)
        if known is None or (self.ask == "rank" and self.bot not in known.bots):
            return start
        return sorted(self._chosen(field, progress, known))

    def most(self, field: Field) -> dict[str, tuple[int, int]]:
        """Nothing: only a rule stops it."""
        return {}

    def unkept(self, field: Field, progress: Progress) -> list[str]:
        """Blocks of the opening that were not played, and bots with too few games."""
        games = Picks(field, progress, ()).games
        most = max((field.games(meeting) for meeting in opening(field)), default=0)
        least = STARVED * sum(games.values()) / max(1, len(games)) - most
        few = [f"{bot.name}: {count} games" for bot, count in games.items() if count < least]
        return unopened(field, progress, self.deals) + few

    def _chosen(self, field: Field, progress: Progress, known: Estimate) -> Iterator[Block]:
        among = Field(field.plan, known.bots)
        picks = Picks(among, progress, playable(among))
        beliefs = Beliefs(known, self._weights(known, random_of(field, progress)))
        every = {variant: tables_of(among, variant) for variant in playable(among)}
        tells = {variant: tables.information(known.mean) for variant, tables in every.items()}
        costs = {variant: _costs(tables, known.bots, progress) for variant, tables in every.items()}
        for _ in range(BLOCKS if every else 0):
            variant = picks.variant()
            gains = beliefs.gains(every[variant], tells[variant]) / costs[variant]
            allowed = _allowed(every[variant], np.array([picks.games[bot] for bot in known.bots]))
            best = int(np.where(allowed, gains, -1.0).argmax())
            beliefs.learn(every[variant], tells[variant], best)
            yield picks.take(every[variant].meetings[best])

    def _weights(self, known: Estimate, random: np.random.RandomState) -> Array:
        """(N, N): how much one would like to know which of two is stronger."""
        size = len(known.bots)
        first = np.bincount(drawn(known, random, DRAWS).argmax(axis=1), minlength=size) / DRAWS
        own = np.array([bot == self.bot for bot in known.bots], np.float64)
        asked = {
            "order": 1 + size * (first[:, None] + first) / 2,
            "champion": np.sqrt(first[:, None] * first),
            "rank": own[:, None] + own,
        }
        return asked[self.ask]


def _allowed(tables: Tables, games: NDArray[np.intp]) -> NDArray[np.bool_]:
    """(M,): the meetings of bots that are starved; where there are none, all."""
    starved = games < STARVED * games.mean()
    serving = starved[tables.seats].any(axis=(1, 2))
    return np.asarray(serving if serving.any() else ~serving, np.bool_)


def _costs(tables: Tables, bots: tuple[BotId, ...], progress: Progress) -> Array:
    """(M,): CPU seconds of a block."""
    common = sum(progress.cost.values()) / len(progress.cost) if progress.cost else 1.0
    seat = np.array([max(CHEAP, progress.cost.get(bot, common)) for bot in bots])
    return np.asarray(seat[tables.seats].sum(axis=(1, 2)) * tables.games[:, 0, 0], np.float64)
