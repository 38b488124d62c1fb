"""Who would draw meets: pairs by TrueSkill's quality, as boards do that look for even games.

No tournament can have it: bots meet their like alone, the field falls apart, and its ends are never compared.
`arena simulate` shows by how much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from arena.schedules.blocks import Block, Field, Progress
from arena.schedules.strengths import Picks
from arena.schedules.tables import meetings_at, playable
from leaderboards.games import Array
from leaderboards.online import Online
from leaderboards.places import BETA
from leaderboards.selection import sides
from protocol.vocabulary import BotId

BLOCKS = 16
"""Of a step."""


@dataclass(slots=True)
class Quality:
    """The bot with the fewest games meets the one with which a draw is likeliest; for two sides of one bot each.

    Ratings change game after game, so they are carried on from step to step: one of these is for one contest.
    """

    online: Online = field(default_factory=Online)
    seen: int = 0
    """Games that the ratings have taken."""
    static: ClassVar[bool] = False

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

    def most(self, field: Field) -> dict[str, tuple[int, int]]:
        """Nothing: only a rule stops it."""
        return {}

    def unkept(self, field: Field, progress: Progress) -> list[str]:
        """Nothing: it promises nothing."""
        return []


def _quality(online: Online, bots: Sequence[BotId]) -> Array:
    """(N, N): how likely each two would draw, −1 on the diagonal (Herbrich, Minka & Graepel 2007, eq. 7)."""
    known = [online.rating(bot) for bot in bots]
    mu, variance = np.array([one.mu for one in known]), np.array([one.sigma**2 for one in known])
    spread = 2 * BETA**2 + variance[:, None] + variance
    quality = np.sqrt(2 * BETA**2 / spread) * np.exp(-((mu[:, None] - mu) ** 2) / (2 * spread))
    np.fill_diagonal(quality, -1)
    return np.asarray(quality, np.float64)
