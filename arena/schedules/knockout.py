"""Who loses a match is out: the fewest games to one winner, and no order behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, NamedTuple

from arena.errors import InputError
from arena.schedules.blocks import Block, Field, Progress, teams_of
from arena.schedules.matches import EVEN, Played, by_block, shares
from arena.schedules.tables import meetings_at
from protocol.vocabulary import BotId

EXTRA = 3
"""How often a tied match goes on, for as many blocks again."""


class Match(NamedTuple):
    """Two bots of a bracket, the better seed first; fewer where a winner is still awaited, or one has a bye."""

    bots: tuple[BotId, ...]
    score: tuple[Fraction, ...] = ()
    """The share of its games that each has won; empty before any is over."""
    winner: BotId | None = None
    missing: tuple[Block, ...] = ()
    """What is to be played next."""


@dataclass(frozen=True, slots=True)
class Knockout:
    """A bracket seeded by the order of the file, with byes for the first; a match is played in all variants.

    The better share of all its games wins a match. A tie plays on; if that does not help, the better seed wins.
    """

    deals: int
    static: ClassVar[bool] = False

    def step(self, field: Field, progress: Progress) -> list[Block]:
        """What is missing of each match whose bots are known."""
        return [
            block for round in self.bracket(field, progress) for match in round for block in match.missing
        ]

    def most(self, field: Field) -> dict[str, tuple[int, int]]:
        """Games and blocks of each variant, were every match tied to the end."""
        blocks = (len(field.bots) - 1) * self.deals * (1 + EXTRA)
        games = {
            block.meeting.variant: field.games(block.meeting)
            for block in self._blocks(field, field.bots[:2], range(1))
        }
        return {variant: (blocks * count, blocks) for variant, count in games.items()}

    def unkept(self, field: Field, progress: Progress) -> list[str]:
        """Matches without a winner."""
        return [
            f"no winner between {' and '.join(bot.name for bot in match.bots)}"
            for round in self.bracket(field, progress)
            for match in round
            if match.winner is None
        ]

    def bracket(self, field: Field, progress: Progress) -> list[list[Match]]:
        """The rounds, the final last; those to come as far as their bots are known."""
        played = by_block(progress)
        seeds = [field.bots[place] if place < len(field.bots) else None for place in _places(len(field.bots))]
        rounds: list[list[Match]] = []
        while len(seeds) > 1:
            pairs = zip(seeds[::2], seeds[1::2], strict=True)
            matches = [self._match(field, progress, played, pair, not rounds) for pair in pairs]
            rounds.append(matches)
            seeds = [match.winner for match in matches]
        return rounds

    def _match(
        self, field: Field, progress: Progress, played: Played, pair: Sequence[BotId | None], byes: bool
    ) -> Match:
        bots = tuple(sorted((bot for bot in pair if bot is not None), key=field.bots.index))
        if len(bots) < 2:
            return Match(bots, winner=bots[0] if byes else None)
        blocks: list[Block] = []
        for part in range(1 + EXTRA):
            more = self._blocks(field, bots, range(part * self.deals, (part + 1) * self.deals))
            blocks += more
            won = shares(bots, blocks, played)
            score = tuple(won[bot] for bot in bots) if any(block in played for block in blocks) else ()
            missing = tuple(block for block in more if block not in progress)
            if missing or won[bots[0]] != EVEN:
                break
        best = bots[0] if won[bots[0]] >= EVEN else bots[1]
        return Match(bots, score, None if missing else best, missing)

    def _blocks(self, field: Field, bots: Sequence[BotId], deals: range) -> list[Block]:
        return [
            Block(meeting, deal)
            for variant in field.plan.variants
            for meeting in meetings_at(field, variant, bots)
            for deal in deals
        ]


def check(field: Field) -> None:
    """Raise InputError where a variant has no matches of one bot against another."""
    for variant in field.plan.variants:
        teams = teams_of(variant)
        sides = len(set(teams))
        if sides != 2 or (field.plan.partners != "same" and len(teams) > sides):
            has = f"{sides} sides" if sides != 2 else "mixed partners"
            raise InputError(
                f"schedule: a knockout is played by two, and {variant} has {has}",
                "leave that variant out, or choose another kind of schedule",
                "E234",
            )


def _places(count: int) -> list[int]:
    """The seeds in the order of the bracket, whose size is a power of two: the first two meet last.

    >>> _places(6)
    [0, 7, 3, 4, 1, 6, 2, 5]
    """
    places = [0]
    while len(places) < count:
        places = [seed for place in places for seed in (place, 2 * len(places) - 1 - place)]
    return places
