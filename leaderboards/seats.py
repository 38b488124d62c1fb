"""What a seat is worth: how often it wins, whoever sits there.

Seats that win and lose together are one here, their team. Blocks put every side into every seat equally
often, so the strength of the bots cancels; games on one deal are one observation, for they share its luck.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from leaderboards.games import Array
from leaderboards.normal import cdf, student, won
from leaderboards.places import BETA
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId, Team

FEW_DEALS = 5
"""With fewer of them there is no interval."""
_STEPS = 100
_SETTLED = 1e-10


class Place(NamedTuple):
    """A side where it sat."""

    team: Team
    bots: tuple[BotId, ...]
    """By seat."""
    share: float
    """Of the first place: 1, or an equal part of it where it is tied, or 0."""


class Seat(NamedTuple):
    """How often the first place went to a seat."""

    seat: Team
    games: int
    share: float
    """Of the first places; a shared one is divided."""
    expected: float
    """What it is where seats do not matter: 1/k of k."""
    low: float | None
    """With `high`, 95 %; None with fewer than five deals, or where every deal gave the same."""
    high: float | None


class Advantage(NamedTuple):
    """The chance that the side in the first seat wins, between bots of one strength; a draw counts a half."""

    share: float
    low: float | None
    """With `high`, 95 %; None where a `Seat` has none."""
    high: float | None


def seated(result: GameResult) -> list[Place]:
    """The sides of a game by team."""
    teams: dict[Team, list[SeatResult]] = defaultdict(list)
    for seat in result.seats:
        teams[seat.team].append(seat)
    best = min(seat.rank for seat in result.seats)
    firsts = [team for team, seats in teams.items() if seats[0].rank == best]
    return [
        Place(team, tuple(seat.bot for seat in teams[team]), (team in firsts) / len(firsts))
        for team in sorted(teams)
    ]


def seats(results: Iterable[GameResult]) -> tuple[Seat, ...]:
    """The share of each seat in whole blocks of one kind; empty without results."""
    games = sorted(results, key=lambda result: result.id)
    if not games:
        return ()
    tables = [seated(result) for result in games]
    scores = np.array([[place.share for place in table] for table in tables])
    share = scores.mean(0)
    expected = 1 / len(share)
    found = []
    for place, own, score in zip(tables[0], share.tolist(), scores.T, strict=True):
        half = _half_width((score - own) / len(games), games)
        found.append(Seat(place.team, len(games), own, expected, *_interval(own, half)))
    return tuple(found)


def between_equals(results: Iterable[GameResult], mean: Mapping[BotId, float]) -> Advantage | None:
    """What the first of two seats is worth beside skill; `mean` has the skill of every bot (scale of mu).

    The maximum of the likelihood in h, P = Φ((x_i − x_j) / c + h) with c = β √players, whose interval is
    clustered by deal. None where there are not two sides, or where one seat has won all games.
    """
    games = sorted(results, key=lambda result: result.id)
    tables = [seated(result) for result in games]
    score = np.array([table[0].share for table in tables])
    if any(len(table) != 2 for table in tables) or score.sum() in (0, len(games)):
        return None
    lead = np.array([_lead(table, mean) for table in tables])
    h, (pull, bend) = 0.0, _likelihood(lead, score)
    for _ in range(_STEPS):
        step = float(np.clip(pull.sum() / bend.sum(), -1, 1))
        h += step
        pull, bend = _likelihood(lead + h, score)
        if abs(step) < _SETTLED:
            break
    half = _half_width(pull / bend.sum(), games)
    low, high = (None, None) if half is None else (float(cdf(h - half)), float(cdf(h + half)))
    return Advantage(float(cdf(h)), low, high)


def _lead(table: Sequence[Place], mean: Mapping[BotId, float]) -> float:
    """Of the first side, in standard deviations of what a game shows."""
    # A bot that fills its team is one player, as in `selection.sides`.
    one, other = ([mean[bot] for bot in set(side.bots)] for side in table)
    return (math.fsum(one) - math.fsum(other)) / (BETA * math.sqrt(len(one) + len(other)))


def _likelihood(lead: Array, score: Array) -> tuple[Array, Array]:
    """Of each game: the slope in h, and how much it falls as h grows."""
    (v_first, w_first), (v_second, w_second) = won(lead, 0.0), won(-lead, 0.0)
    return score * v_first - (1 - score) * v_second, score * w_first + (1 - score) * w_second


def _half_width(parts: Array, games: Sequence[GameResult]) -> float | None:
    """Half of the 95 % interval of a sum whose `parts`, less their means, are (games,); clustered by deal."""
    deals = {deal: number for number, deal in enumerate(sorted({result.deal for result in games}))}
    sums = np.bincount([deals[result.deal] for result in games], weights=parts)
    sd = math.sqrt(float(sums @ sums) * len(sums) / max(1, len(sums) - 1))
    return None if len(sums) < FEW_DEALS or sd < _SETTLED else float(student(len(sums) - 1)) * sd


def _interval(share: float, half: float | None) -> tuple[float | None, float | None]:
    """Wilson's (1927), from as many independent games as would have this spread: it holds for few deals, too."""
    if half is None:
        return None, None
    part = half**2 / (share * (1 - share))  # z² / n
    middle = (share + part / 2) / (1 + part)
    width = math.sqrt(half**2 + part**2 / 4) / (1 + part)
    return middle - width, middle + width
