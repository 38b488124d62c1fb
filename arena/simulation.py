"""Contests that could be: bots of known strength play the blocks of a schedule, and give results as bots do.

In a seat of a deal a side performs as well as it is strong, and as luck has it:

    strength + √luck · BETA · z(deal, seat) + √(1 − luck) · BETA · e(game, seat)

z is the same for all who ever sit there, and cancels where seats are changed; e is not. Together they have the
variance BETA² of TrueSkill, whatever `luck` is, so of two bots the better one wins Φ(gap / (√2 BETA)) of all
games. Partners add up; a bot that fills all seats of its side is one player, as ratings have it. Performances
nearer to each other than the draw margin tie (Herbrich, Minka & Graepel 2007).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from statistics import NormalDist

import numpy as np

from arena.schedules.blocks import Block, Meeting, Plan, Progress, Seating, seats_of, teams_of
from leaderboards.games import Array, Index
from leaderboards.places import BETA, MU, draw_margin
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId, DealId, GameId, Team, Verdict
from referee.games import game_of

_DEALS = 256
"""Whose luck is drawn at a time."""


@dataclass(frozen=True, slots=True)
class Odds:
    """What chance has to do with a variant."""

    luck: float = 0.3
    """Share of the variance of a performance that is the deal's and the seat's, 0 to 1."""
    draws: float = 0.0
    """Share of ties among adjacent places of equal sides, from 0 to below 1."""


@dataclass(frozen=True, slots=True)
class World:
    """What is taken for true of a contest."""

    strengths: tuple[float, ...]
    """On the scale of mu, in any order; at least two, not all equal."""
    odds: Mapping[str, Odds]
    """Of each variant."""
    costs: tuple[float, ...] = ()
    """CPU seconds a game of the bot of each strength; empty: all cost the same."""


def spread(bots: int, share: float) -> tuple[float, ...]:
    """Evenly spaced strengths, the best of which beats the worst in `share` of its games (above 0.5, below 1).

    >>> [round(strength, 3) for strength in spread(3, 0.75)]
    [26.987, 25.0, 23.013]
    """
    gap = math.sqrt(2) * BETA * NormalDist().inv_cdf(share)
    return tuple(MU + gap * (0.5 - place / (bots - 1)) for place in range(bots))


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """A meeting, ready to be played: n games a block, s seats, k sides."""

    seatings: list[Seating]
    sits: Array
    """(n, s, k): what the luck of a seat counts for a side in each game; 0 where another side sits there."""
    strength: Array
    """(k,)"""
    margin: float
    """Performances that are nearer tie."""
    seats: dict[tuple[int, ...], tuple[SeatResult, ...]] = field(default_factory=dict)
    """By the game's number in the block and the ranks of its sides: they are the same ones again and again."""


class Contest:
    """One contest in a world. Which bot has which strength, and all luck, come from the seed alone."""

    def __init__(self, world: World, plan: Plan, bots: Sequence[BotId], seed: int) -> None:
        """`plan` says how blocks are seated; `bots` are as many as there are strengths."""
        self._world, self._plan, self._seed = world, plan, seed
        self._random = np.random.RandomState(seed)
        order = self._random.permutation(len(bots))
        self.truth: dict[BotId, float] = {bot: world.strengths[n] for bot, n in zip(bots, order, strict=True)}
        """The strength of each bot."""
        self.costs: dict[BotId, float] = {}
        """CPU seconds of each bot for a game, where the world knows them."""
        if world.costs:
            self.costs = {bot: world.costs[n] for bot, n in zip(bots, order, strict=True)}
        self._tables: dict[Meeting, _Table] = {}
        self._deals: dict[str, Array] = {}

    def play(self, blocks: Iterable[Block]) -> Iterator[GameResult]:
        """The games of blocks, none of which was played before, block by block."""
        for variant, group in groupby(blocks, key=lambda block: block.meeting.variant):
            yield from self._play(variant, list(group))

    def seconds(self, progress: Progress) -> float:
        """CPU time of all bots so far; 0 where the world does not know it."""
        if not self.costs:
            return 0.0
        return sum(
            len(deals) * len(self._table(meeting).seatings) * self.costs[bot]
            for meeting, deals in progress.closed.items()
            for bot in meeting.bots
        )

    def _play(self, variant: str, blocks: Sequence[Block]) -> Iterator[GameResult]:
        game = game_of(variant)
        rules = game.rules_id(game.variant(variant))
        tables = [self._table(block.meeting) for block in blocks]
        luck = self._luck(variant, [block.deal for block in blocks])
        for size, places in _alike(tables):
            ranks = self._ranks([tables[n] for n in places], luck[places], self._world.odds[variant].luck)
            for n, numbers in zip(places, ranks.tolist(), strict=True):
                deal, name = DealId(f"{variant}#{blocks[n].deal}"), _name(blocks[n])
                for number, order in enumerate(numbers):
                    yield GameResult(
                        GameId(f"{name} {number}"), game.name, variant, rules, deal, name, size,
                        _seats(variant, tables[n], number, order), Verdict.FINISHED,
                    )  # fmt: skip

    def _ranks(self, tables: Sequence[_Table], luck: Array, share: float) -> Index:
        """(blocks, n, k): the rank of each side in each game of each block; `luck` is (blocks, s)."""
        sits = np.array([table.sits for table in tables])
        strength = np.array([table.strength for table in tables])
        margin = np.array([table.margin for table in tables])[:, None, None]
        own = self._random.standard_normal(sits.shape[:3])
        noise = BETA * (math.sqrt(share) * luck[:, None] + math.sqrt(1 - share) * own)
        performance = strength[:, None] + np.einsum("bns,bnsk->bnk", noise, sits)
        order = np.argsort(-performance, axis=2)
        gaps = -np.diff(np.take_along_axis(performance, order, axis=2), axis=2)
        ranks = np.zeros(order.shape, dtype=np.intp)
        ranks[:, :, 1:] = np.cumsum(gaps > margin, axis=2)
        return np.take_along_axis(ranks, np.argsort(order, axis=2), axis=2)

    def _luck(self, variant: str, deals: Sequence[int]) -> Array:
        """(deals, s): what each deal does for who sits where; the same one, whoever asks and in which order."""
        known = self._deals.get(variant, np.empty((0, len(teams_of(variant)))))
        while len(known) <= max(deals):
            seed = [self._seed, len(known), *variant.encode()]
            more = np.random.RandomState(seed).standard_normal((_DEALS, known.shape[1]))
            known = np.concatenate([known, more])
        self._deals[variant] = known
        return known[list(deals)]

    def _table(self, meeting: Meeting) -> _Table:
        if meeting not in self._tables:
            self._tables[meeting] = self._laid(meeting)
        return self._tables[meeting]

    def _laid(self, meeting: Meeting) -> _Table:
        seatings = seats_of(self._plan, meeting)
        sides = {bot: k for k, side in enumerate(meeting.sides) for bot in side}
        players = [sorted(set(side)) for side in meeting.sides]
        sits = np.zeros((len(seatings), len(seatings[0]), len(players)))
        for number, seating in enumerate(seatings):
            for seat, bot in enumerate(seating):
                side = sides[bot]
                sits[number, seat, side] = math.sqrt(len(players[side]) / len(meeting.sides[side]))
        strength = np.array([sum(self.truth[bot] for bot in side) for side in players])
        draws = self._world.odds[meeting.variant].draws
        return _Table(seatings, sits, strength, draw_margin(draws, 2 * len(players[0])))


def _alike(tables: Sequence[_Table]) -> Iterator[tuple[int, list[int]]]:
    """Which of the tables have blocks of one size."""
    sizes = sorted({len(table.seatings) for table in tables})
    return ((size, [n for n, table in enumerate(tables) if len(table.seatings) == size]) for size in sizes)


def _seats(variant: str, table: _Table, number: int, ranks: Sequence[int]) -> tuple[SeatResult, ...]:
    found = table.seats.get((number, *ranks))
    if found is None:
        teams: Sequence[Team] = teams_of(variant)
        side = table.sits[number].argmax(axis=1).tolist()
        found = tuple(
            SeatResult(bot, team, ranks[k], len(ranks) - ranks[k])
            for bot, team, k in zip(table.seatings[number], teams, side, strict=True)
        )
        table.seats[number, *ranks] = found
    return found


def _name(block: Block) -> str:
    """A block's name, such as it is: nobody but this contest reads it."""
    met = "|".join("+".join(bot.name for bot in side) for side in block.meeting.sides)
    return f"{block.meeting.variant}#{block.deal} {met}"
