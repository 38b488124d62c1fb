"""How much of a game is luck, how much of that the deal is, and how many deals it takes to tell two bots apart.

A side's score in a game is its share of the first place. All figures are means over the meetings of the
sides (who plays whom), each weighted by its blocks; within a meeting a block is one observation, for its
games share a deal. n games of a block have k sides:

    total = mean (score − 1/k)²                                of a game
    game  = variance of a score, meeting and seating given     its luck
    block = variance of a side's mean score in a block         the luck that mirroring leaves
    bot   = (mean score of a side − 1/k)²                      who plays whom
    seat  = total − bot − game                                 what a seating gives, whatever the deal
    deal  = covariance of two games of a block in the score of one seat, different sides being there
    rest  = game − deal

Squares of means are freed of the part that their own noise has in them, so every part is unbiased.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from leaderboards.games import Array, Index
from leaderboards.normal import LEVEL
from leaderboards.seats import Place, seated
from protocol.result import GameResult
from protocol.vocabulary import BotId

FEW_BLOCKS = 30
"""With fewer of them nothing is said; with fewer deals, that it is rough."""
NEAR = 0.15
"""Bots whose share is within this of a half are near each other."""
_DETECT = LEVEL + NormalDist().inv_cdf(0.8)
"""Quantiles of the normal distribution: two-sided 5 %, and a power of 80 %."""
_GUENTHER = LEVEL**2 / 2
_NOTHING = 1e-12
_SHOWN = 5e-4
"""A part this far below 0 is spoken of."""


@dataclass(frozen=True, slots=True)
class Luck:
    """What the score of a game is made of; None is explained in `notes`."""

    blocks: int
    """Of two games or more, in meetings that have two blocks or more: all that follows rests on them."""
    deals: int
    sides: int
    """How many meet in a game; 0 without blocks."""
    notes: tuple[str, ...]
    """In words: what is missing, what is rough, and what was cut at 0."""
    bot: float | None = None
    """Share of the variance of a score that is skill. With the next three it makes 1."""
    seat: float | None = None
    """Of the seat: for all alike, or against these opponents."""
    deal: float | None = None
    """What the deal gives to a seat whoever sits there: the luck that mirroring cancels (less what it gives
    to a side wherever it sits, which cannot be told from it)."""
    rest: float | None = None
    """Luck that is not in the deal, and how the bots happened to play."""
    correlation: float | None = None
    """Of two games of a block in the score of one side; −1 / (n − 1) where mirroring leaves no luck."""
    saving: float | None = None
    """How many games on deals of their own, seats dealt out as fairly, say as much as one of a block:
    1 / (1 + (n − 1) correlation). None also where mirrored deals leave no luck at all."""
    block_sd: float | None = None
    """Standard deviation of a side's mean score in a block, between sides that are near each other."""
    nearness: float | None = None
    """How far apart they are: the best one's share of the first places that go to it or to the worst one."""

    def needed(self, share: float) -> int | None:
        """Blocks to tell two bots apart, of which one gets `share` of the first places that go to either.

        Two-sided 5 %, power 80 %; from their difference of scores in blocks where both sit, with the
        correction for an estimated spread (Guenther 1981). None also where blocks do not spread at all: the bots
        are copies of each other. ValueError: `share` is not above 0.5 and below 1.
        """
        if not 0.5 < share < 1:
            raise ValueError(
                f"a share of {share} is not that of the better one of two: it is above 0.5 and below 1"
            )
        if not self.block_sd:
            return None
        difference = (2 * share - 1) * 2 / self.sides
        variance = 2 * self.block_sd**2 * self.sides / (self.sides - 1)
        return math.ceil(_DETECT**2 * variance / difference**2 + _GUENTHER)


class _Parts(NamedTuple):
    """Of one meeting."""

    blocks: int
    imbalance: float
    """The best side's share of what goes to it or to the worst one, less 1/2: 0 equals, 0.5 the worst gets nothing."""
    total: float
    game: float
    block: float
    own: float
    """What `block` would be without a deal in common."""
    between: float
    """Covariance of two games of a block in a side's score."""
    bot: float
    deal: float


_Seating = tuple[tuple[BotId, ...], ...]
"""The bots of each place."""


@dataclass(slots=True)
class _Meeting:
    """The same sides in the same seatings on several deals."""

    scores: list[list[list[float]]] = field(default_factory=list)
    """Of blocks, games in the order of their seatings, and places."""
    deals: set[str] = field(default_factory=set)


def luck(results: Iterable[GameResult]) -> Luck:
    """The parts of the variance in whole blocks of one kind."""
    meetings = {
        seatings: meeting
        for seatings, meeting in _meetings(results).items()
        if len(meeting.scores) > 1 and _mirrored(seatings)
    }
    parts = [_parts(seatings, np.array(meeting.scores)) for seatings, meeting in meetings.items()]
    blocks = sum(part.blocks for part in parts)
    deals = len({deal for meeting in meetings.values() for deal in meeting.deals})
    sides = max((len(seatings[0]) for seatings in meetings), default=0)
    if blocks < FEW_BLOCKS:
        few = f"{blocks} mirrored blocks of meetings that have several: fewer than {FEW_BLOCKS} say nothing of luck"
        return Luck(blocks, deals, sides, (few,))
    return _told(parts, blocks, deals, sides)


def _meetings(results: Iterable[GameResult]) -> dict[tuple[_Seating, ...], _Meeting]:
    blocks: dict[str, list[GameResult]] = defaultdict(list)
    for result in results:
        blocks[result.block].append(result)
    meetings: defaultdict[tuple[_Seating, ...], _Meeting] = defaultdict(_Meeting)
    for _, games in sorted(blocks.items()):
        rows = sorted(_row(seated(result)) for result in games)
        meeting = meetings[tuple(seating for seating, _ in rows)]
        meeting.scores.append([scores for _, scores in rows])
        meeting.deals.add(games[0].deal)
    return dict(sorted(meetings.items()))


def _row(table: Sequence[Place]) -> tuple[_Seating, list[float]]:
    return tuple(place.bots for place in table), [place.share for place in table]


def _parts(seatings: Sequence[_Seating], by_place: Array) -> _Parts:
    """`by_place` is (blocks, games, places)."""
    blocks, n, k = by_place.shape
    sitting = _sitting(seatings)
    by_side = np.take_along_axis(by_place, np.argsort(sitting, axis=1)[None], axis=2)
    share = by_side.mean((0, 1))
    game, block = by_side.var(0, ddof=1).mean(), by_side.mean(1).var(0, ddof=1).mean()
    return _Parts(
        blocks=blocks,
        imbalance=float(share.max() / (share.max() + share.min()) - 0.5),
        total=float(((by_side - 1 / k) ** 2).mean()),
        game=float(game),
        block=float(block),
        own=float(game / n),
        between=float((n * block - game) / (n - 1)),
        bot=float(((share - 1 / k) ** 2).mean() - block / blocks),
        deal=_deal(sitting, by_place),
    )


def _sitting(seatings: Sequence[_Seating]) -> Index:
    """(games, places): which side sits there; sides are numbered in sorted order."""
    sides = [[tuple(sorted(bots)) for bots in seating] for seating in seatings]
    numbers = {side: number for number, side in enumerate(sorted({side for row in sides for side in row}))}
    return np.array([[numbers[side] for side in row] for row in sides])


def _mirrored(seatings: Sequence[_Seating]) -> bool:
    """Whether every side sits in every place equally often."""
    sitting = _sitting(seatings)
    games, places = sitting.shape
    counts = (sitting[:, :, None] == np.arange(sitting.max() + 1)).sum(0)
    return bool((counts * places == games).all())


def _deal(sitting: Index, by_place: Array) -> float:
    noise = by_place - by_place.mean(0)
    covariance = np.einsum("bes,bfs->efs", noise, noise) / (len(noise) - 1)
    others = sitting[:, None] != sitting[None]
    return float(covariance[others].mean())


def _told(parts: Sequence[_Parts], blocks: int, deals: int, sides: int) -> Luck:
    mean = _mean(parts)
    shares, cut = _shares(mean)
    near, nearness = _near(parts)
    return Luck(
        blocks=blocks,
        deals=deals,
        sides=sides,
        notes=(*cut, *_words(mean, near, nearness, deals)),
        **shares,
        correlation=mean.between / mean.game if mean.game > _NOTHING else None,
        saving=mean.own / mean.block if mean.block > _NOTHING else None,
        block_sd=math.sqrt(near.block) if near.block > _NOTHING else 0.0,
        nearness=nearness,
    )


def _words(mean: _Parts, near: _Parts, nearness: float, deals: int) -> Iterator[str]:
    """What is to be said of all but the shares."""
    if deals < FEW_BLOCKS:
        yield f"all rests on {deals} deals, fewer than {FEW_BLOCKS}: the parts of deal and seat are rough"
    if mean.game <= _NOTHING:
        yield "every game of a meeting and seating ended alike: there is no luck that mirroring could save"
    elif mean.block <= _NOTHING:
        yield "mirrored deals leave no luck at all: every block of a meeting ended alike"
    elif near.block <= _NOTHING:
        yield "the bots that are near each other share every block: no number of deals tells them apart"
    if nearness > 0.5 + NEAR:
        yield (
            "no two bots are near each other: the spread of a block is of such as win "
            f"{nearness:.0%} of what they win or lose to each other"
        )


def _mean(parts: Sequence[_Parts]) -> _Parts:
    """Weighted by blocks."""
    return _Parts(*np.average(parts, axis=0, weights=[part.blocks for part in parts]).tolist())


def _shares(mean: _Parts) -> tuple[dict[str, float], list[str]]:
    """The parts of the total by name, none of them where there is no variance, and what is to be said of them."""
    if mean.total < _NOTHING:
        return {}, ["all shared the first place in every game: there is no variance"]
    raw = {"bot": mean.bot, "seat": mean.total - mean.bot - mean.game, "deal": mean.deal}
    kept = {name: max(0.0, part) for name, part in raw.items()}
    kept["rest"] = max(0.0, mean.game - kept["deal"])
    notes = [
        f"the part of the {name} came out as {part / mean.total:.3f}, which is shown as 0"
        for name, part in raw.items()
        if part / mean.total < -_SHOWN
    ]
    return {name: part / sum(kept.values()) for name, part in kept.items()}, notes


def _near(parts: Sequence[_Parts]) -> tuple[_Parts, float]:
    """Of the meetings between near bots, or of the nearest that have blocks enough."""
    order = sorted(parts, key=lambda part: part.imbalance)
    enough = int(np.searchsorted(np.cumsum([part.blocks for part in order]), FEW_BLOCKS)) + 1
    chosen = order[: max(enough, sum(part.imbalance <= NEAR for part in order))]
    return _mean(chosen), 0.5 + chosen[-1].imbalance
