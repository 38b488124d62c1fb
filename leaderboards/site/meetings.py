"""Who met whom, and what came of it: the games of each bot and of each two."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import combinations

from leaderboards.site.contest import Kept
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId

Pair = tuple[BotId, BotId]
"""The lesser one first."""


@dataclass(slots=True)
class Score:
    """Of the first of two in games against the second; a side of several bots counts for each."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        """How many they are."""
        return self.wins + self.draws + self.losses

    @property
    def turned(self) -> Score:
        """From the side of the other."""
        return Score(self.losses, self.draws, self.wins)

    def __str__(self) -> str:
        return f"{self.wins:,}-{self.draws:,}-{self.losses:,}"


@dataclass(slots=True)
class Meeting:
    """Two bots that were on different sides."""

    scores: defaultdict[str, Score] = field(default_factory=lambda: defaultdict(Score))
    """By the label of a leaderboard: their rated games."""
    games: list[Kept] = field(default_factory=list)
    """All of them, in the order in which they were kept."""


class Meetings:
    """All games of a tournament, by whose they are."""

    def __init__(self, games: Iterable[Kept]) -> None:
        self.of: defaultdict[BotId, list[Kept]] = defaultdict(list)
        self.between: defaultdict[Pair, Meeting] = defaultdict(Meeting)
        for game in games:
            for bot in {seat.bot for seat in game.result.seats}:
                self.of[bot].append(game)
            for pair in {pair for pair, _ in _duels(game.result)}:
                self.between[pair].games.append(game)

    def rate(self, label: str, results: Iterable[GameResult]) -> None:
        """Count the rated games of a leaderboard."""
        for result in results:
            for pair, lead in _duels(result):
                score = self.between[pair].scores[label]
                score.wins += lead < 0
                score.draws += lead == 0
                score.losses += lead > 0

    def score(self, label: str, bot: BotId, against: BotId) -> Score:
        """Of a bot against another in the rated games of a leaderboard."""
        first = bot < against
        meeting = self.between.get((bot, against) if first else (against, bot))
        found = meeting.scores.get(label, Score()) if meeting else Score()
        return found if first else found.turned


def _duels(result: GameResult) -> list[tuple[Pair, int]]:
    """Each two bots on different sides, once a game, and by how many places the first came in behind."""
    seats = result.seats
    if len(seats) == 2:
        return _duel(*seats)
    met: dict[Pair, int] = {}
    for one, other in combinations(seats, 2):
        met.update(_duel(one, other))
    return list(met.items())


def _duel(one: SeatResult, other: SeatResult) -> list[tuple[Pair, int]]:
    if one.team == other.team or one.bot == other.bot:
        return []
    lead = one.rank - other.rank
    return [((one.bot, other.bot), lead)] if one.bot < other.bot else [((other.bot, one.bot), -lead)]


def newest(games: Sequence[Kept], most: int) -> list[Kept]:
    """The last of them, the newest first."""
    return list(reversed(games[-most:]))


def spread(games: Sequence[Kept], most: int) -> list[Kept]:
    """The newest of each variant in their order, equally many where a variant has so many."""
    after = Counter[str]()
    places: list[tuple[int, int]] = []
    for number in reversed(range(len(games))):
        variant = games[number].result.variant
        places.append((after[variant], -number))
        after[variant] += 1
    return [games[number] for number in sorted(-place for _, place in nsmallest(most, places))]
