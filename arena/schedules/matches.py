"""What a match has brought its bots: for the schedules that pair by it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from arena.schedules.blocks import Block, Progress, block_of
from protocol.result import GameResult
from protocol.vocabulary import BotId

Played = Mapping[Block, Sequence[GameResult]]
EVEN = Fraction(1, 2)


def by_block(progress: Progress) -> Played:
    """The games of each block that counts."""
    found: defaultdict[Block, list[GameResult]] = defaultdict(list)
    for result in progress.results:
        found[block_of(result)].append(result)
    return found


def shares(bots: Iterable[BotId], blocks: Iterable[Block], played: Played) -> dict[BotId, Fraction]:
    """The mean share of the other sides that each of `bots` has left behind it, a tie for half.

    Exact, so that the order of the games cannot matter; ½ where no game counts.
    """
    won: defaultdict[BotId, list[Fraction]] = defaultdict(list)
    for block in blocks:
        for result in played.get(block, ()):
            for bot, share in _shares(result).items():
                won[bot].append(share)
    return {bot: sum(won[bot], Fraction()) / len(won[bot]) if won[bot] else EVEN for bot in bots}


def _shares(result: GameResult) -> dict[BotId, Fraction]:
    ranks = {seat.team: seat.rank for seat in result.seats}
    beaten = {
        team: Fraction(sum((rank < other) * 2 + (rank == other) for other in ranks.values()) - 1, 2)
        for team, rank in ranks.items()
    }
    return {seat.bot: beaten[seat.team] / (len(ranks) - 1) for seat in result.seats}
