"""Who is the best? An opening first; then those who may be the best meet each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

import numpy as np

from arena.schedules.blocks import Block, Field, Progress
from arena.schedules.opening import lacking, unopened
from arena.schedules.strengths import BLOCKS, Picks, drawn, random_of, strengths
from arena.schedules.tables import meetings_at, playable, sizes
from leaderboards.estimates import Estimate
from leaderboards.inference import posterior

DRAWS = 64
"""Of all strengths, for each table."""
HOPE = 0.01
"""Chance of being the best, above which a bot is in the finals."""


@dataclass(frozen=True, slots=True)
class Finals:
    """An opening of so many deals for each of its meetings, then top-two Thompson sampling, which has no end of its own.

    Strengths are drawn as they may be, several times: the best of the first draw meets the best of further
    ones, each another bot, until the table is full (Russo 2020, "Simple Bayesian Algorithms for Best-Arm
    Identification").
    """

    deals: int
    static: ClassVar[bool] = False

    def step(self, field: Field, progress: Progress) -> list[Block]:
        """What the opening lacks, or the next few blocks. Raises NotConverged."""
        opening = lacking(field, progress, self.deals)
        known = None if opening else strengths(progress, field.bots)
        return opening if known is None else sorted(_finals(field, progress, posterior(known)))

    def most(self, field: Field) -> dict[str, tuple[int, int]]:
        """Nothing: only a rule stops it."""
        return {}

    def unkept(self, field: Field, progress: Progress) -> list[str]:
        """Blocks of the opening that were not played."""
        return unopened(field, progress, self.deals)


def _finals(field: Field, progress: Progress, known: Estimate) -> Iterator[Block]:
    random = random_of(field, progress)
    variants = playable(Field(field.plan, known.bots))
    picks = Picks(field, progress, variants)
    best = drawn(known, random, BLOCKS * DRAWS).argmax(axis=1)
    chance = np.bincount(best, minlength=len(known.bots)) / len(best)
    order = np.argsort(-known.mean, kind="stable")
    for number in range(BLOCKS if variants else 0):
        variant = picks.variant()
        some = best[number * DRAWS : (number + 1) * DRAWS]
        hopeful = some[chance[some] > HOPE]
        table = list(dict.fromkeys(chain(hopeful.tolist(), order.tolist())))[: min(sizes(field, variant))]
        meetings = meetings_at(field, variant, [known.bots[n] for n in table])
        yield picks.take(meetings[random.randint(len(meetings))])
