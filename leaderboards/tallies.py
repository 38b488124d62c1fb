"""What bots did in their rated games, counted: wins, first places, faults."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from leaderboards.games import Cell, Games
from leaderboards.results import Results
from protocol.vocabulary import BotId, FaultKind


@dataclass(frozen=True, slots=True)
class Tally:
    """What a bot did in its rated games. A game counts once, however many seats it had there."""

    games: int = 0
    wins: int = 0
    """First place, alone (with its team)."""
    draws: int = 0
    """First place, shared with another side."""
    losses: int = 0
    firsts: float = 0.0
    """First places, a shared one divided by the sides that share it."""
    expected: float = 0.0
    """First places that a bot gets which is as good as its opponents: 1/k of a game of k sides."""
    faulty: int = 0
    """Games in which it made a fault."""
    faults: tuple[tuple[FaultKind, int], ...] = ()
    """In how many games it made a fault, by its kind; sorted, none of them 0."""

    @property
    def win_share(self) -> float:
        """`firsts` of all games; compare it with `expected_share`."""
        return self.firsts / self.games

    @property
    def expected_share(self) -> float:
        """`expected` of all games: 1/2 in a duel, 1/k where k play for themselves."""
        return self.expected / self.games

    @property
    def fault_share(self) -> float:
        """`faulty` of all games."""
        return self.faulty / self.games


def tallies(games: Games, results: Results) -> dict[BotId, Tally]:
    """Of each bot, sorted; `results` are those of the games."""
    parts: dict[BotId, list[Tally]] = {bot: [] for bot in games.bots}
    for cell, count in zip(games.cells, games.counts.tolist(), strict=True):
        for bot, tally in _of(cell, count):
            parts[bot].append(tally)
    for bot, tally in _faults(results):
        parts[bot].append(tally)
    return {bot: total(found) for bot, found in parts.items()}


def total(parts: Sequence[Tally]) -> Tally:
    """All of them together."""
    faults = Counter[FaultKind]()
    for tally in parts:
        faults.update(dict(tally.faults))
    return Tally(
        games=sum(tally.games for tally in parts),
        wins=sum(tally.wins for tally in parts),
        draws=sum(tally.draws for tally in parts),
        losses=sum(tally.losses for tally in parts),
        firsts=math.fsum(tally.firsts for tally in parts),
        expected=math.fsum(tally.expected for tally in parts),
        faulty=sum(tally.faulty for tally in parts),
        faults=tuple(sorted(faults.items())),
    )


def _of(cell: Cell, count: int) -> list[tuple[BotId, Tally]]:
    """What so many games that ended so are for each of their bots."""
    firsts = sum(side.rank == 0 for side in cell)
    first = Tally(
        games=count,
        wins=count if firsts == 1 else 0,
        draws=count if firsts > 1 else 0,
        firsts=count / firsts,
        expected=count / len(cell),
    )
    other = Tally(games=count, losses=count, expected=count / len(cell))
    return [(bot, first if side.rank == 0 else other) for side in cell for bot in side.bots]


def _faults(results: Results) -> list[tuple[BotId, Tally]]:
    found = []
    for shape, games in results.counted():
        made: dict[BotId, dict[FaultKind, int]] = {}
        for seat in shape.seats:
            if seat.fault:
                made.setdefault(seat.bot, {})[seat.fault] = games
        found += [(bot, Tally(faulty=games, faults=tuple(kinds.items()))) for bot, kinds in made.items()]
    return found
