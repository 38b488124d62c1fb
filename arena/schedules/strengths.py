"""What the games so far say of the bots, for schedules and rules that go by it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from hashlib import sha256

import numpy as np

from arena.schedules.blocks import Block, Field, Meeting, Progress
from leaderboards.estimates import Estimate, combined, estimate
from leaderboards.games import Array
from protocol.vocabulary import BotId

BLOCKS = 16
"""Of a step: enough for the workers, few enough that the last is chosen as well as the first."""


def strengths(progress: Progress, bots: Collection[BotId]) -> Estimate | None:
    """Of those of `bots` that played every variant, these of equal weight.

    None: not even two of them did, in games that can be rated. Raises NotConverged.
    """
    parts = [estimate(games) for games in progress.log.games().values()]
    if not parts:
        return None
    known = _among(combined(parts, [1 / len(parts)] * len(parts)), bots)
    return known if len(known.bots) > 1 else None


def _among(every: Estimate, bots: Collection[BotId]) -> Estimate:
    """What is known of some of the bots, relative to each other."""
    places = [place for place, bot in enumerate(every.bots) if bot in bots]
    centre = np.eye(len(places)) - 1 / max(1, len(places))
    covariance = centre @ every.covariance[np.ix_(places, places)] @ centre
    return Estimate(tuple(every.bots[n] for n in places), every.mean[places], covariance, every.deals)


def drawn(known: Estimate, random: np.random.RandomState, count: int) -> Array:
    """(count, N): strengths as they may be, by Cholesky's factor, which is the same on every machine."""
    size = len(known.bots)
    level = known.covariance.trace() / size or 1.0  # what all have in common changes no order
    factor = np.linalg.cholesky(known.covariance + level * (1 + 1e-9 * np.eye(size)))
    return np.asarray(known.mean + random.standard_normal((count, size)) @ factor.T, np.float64)


def random_of(field: Field, progress: Progress) -> np.random.RandomState:
    """Seeded by the tournament and how far it is; its stream never changes (NEP 19)."""
    blocks = sum(map(len, progress.closed.values()))
    seed = sha256(f"{field.plan.seed}\n{blocks}".encode()).digest()
    return np.random.RandomState(int.from_bytes(seed[:4], "big"))


class Picks:
    """The blocks of a step as they are chosen: each the next deal of its meeting, the variants in turn."""

    def __init__(self, field: Field, progress: Progress, variants: Iterable[str]) -> None:
        self.games = dict.fromkeys(field.bots, 0)
        """Of each bot in this field, void ones too, and those of the blocks that are chosen."""
        self._of = dict.fromkeys(variants, 0)
        self._next: dict[Meeting, int] = {}
        self._field = field
        self._progress = progress
        for meeting, deals in progress.closed.items():
            if meeting.bots <= self.games.keys():
                self._count(meeting, len(deals))

    def variant(self) -> str:
        """The one with the fewest games so far."""
        return min(self._of, key=self._of.__getitem__)

    def take(self, meeting: Meeting) -> Block:
        """The meeting on the first deal that it has not had."""
        deal, over = self._next.get(meeting, 0), self._progress.over(meeting)
        while deal in over:
            deal += 1
        self._next[meeting] = deal + 1
        self._count(meeting, 1)
        return Block(meeting, deal)

    def _count(self, meeting: Meeting, blocks: int) -> None:
        games = blocks * self._field.games(meeting)
        for bot in meeting.bots:
            self.games[bot] += games
        if meeting.variant in self._of:
            self._of[meeting.variant] += games
