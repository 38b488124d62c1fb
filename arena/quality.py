"""Who would draw meets: pairs by TrueSkill's quality, as boards do that look for even games.

A baseline of `arena simulate`, which no tournament can have: bots meet their like alone, the field falls apart,
and its ends are never compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from arena.errors import InputError
from arena.schedules.blocks import Block, Field, Progress
from arena.schedules.strengths import BLOCKS, Picks
from arena.schedules.tables import meetings_at, playable, sizes
from leaderboards.games import Array
from leaderboards.online import Online
from leaderboards.places import BETA
from leaderboards.selection import sides
from protocol.vocabulary import BotId


@dataclass(slots=True)
class Quality:
    """The bot with the fewest games meets the one with which a draw is likeliest; for two sides of one bot each.

    Ratings change game after game, so they are carried on from step to step: one of these is for one contest.
    """

    online: Online = field(default_factory=Online)
    seen: int = 0
    """Games that the ratings have taken."""

    def step(self, field: Field, progress: Progress) -> list[Block]:
        """The next few blocks."""
        for result in progress.results[self.seen :]:
            self.online.take(sides(result))
        self.seen = len(progress.results)
        quality = _quality(self.online, field.bots)
        picks = Picks(field, progress, playable(field))
        blocks = []
        for _ in range(BLOCKS):
            own = min(range(len(field.bots)), key=lambda n: picks.games[field.bots[n]])
            other = field.bots[int(quality[own].argmax())]
            table = sorted((field.bots[own], other))
            blocks.append(picks.take(meetings_at(field, picks.variant(), table)[0]))
        return sorted(blocks)


def check(field: Field) -> None:
    """Raise InputError where a variant has more at a table than the two that quality pairs."""
    for variant in field.plan.variants:
        if (seats := max(sizes(field, variant))) > 2:
            raise InputError(
                f"quality pairs two bots, and {variant} has {seats} at a table",
                "another --variant, or leave that schedule out", "E312",
            )  # fmt: skip


def _quality(online: Online, bots: Sequence[BotId]) -> Array:
    """(N, N): how likely each two would draw, −1 on the diagonal (Herbrich, Minka & Graepel 2007, eq. 7)."""
    known = [online.rating(bot) for bot in bots]
    mu, variance = np.array([one.mu for one in known]), np.array([one.sigma**2 for one in known])
    spread = 2 * BETA**2 + variance[:, None] + variance
    quality = np.sqrt(2 * BETA**2 / spread) * np.exp(-((mu[:, None] - mu) ** 2) / (2 * spread))
    np.fill_diagonal(quality, -1)
    return np.asarray(quality, np.float64)
