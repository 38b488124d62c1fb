"""Everybody meets everybody, on the same deals, in every seat.

    two players           AB  BA
    three, four alone     ABC  BCA  CAB          (or all 6 / 24 orders)
    two teams of one bot  A B A B    B A B A
    mixed teams           the two ways round, times the two ways to sit in each mixed team

The games of one pairing on one deal are a block; luck cancels within it. An id is a hash of what the
game is, and of nothing that depends on the other bots, variants or deals: adding some adds games only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations, permutations, product

from protocol.vocabulary import BotId, DealId, GameId, Team
from referee.chance import deal_seed
from referee.faults import is_free_for_all
from referee.games import game_of
from referee.jobs import PlannedGame

Side = tuple[BotId, ...]
"""The bots of one team: one for each of its seats (the same one twice, or partners)."""
Seating = tuple[BotId, ...]
"""The bot in each seat."""
DEALS_A_JOB = 200
"""So that blocks are completed as a run goes on."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What settles the games of a tournament, beside its bots."""

    name: str
    seed: str
    variants: tuple[str, ...]
    deals: int
    all_seatings: bool = False
    partners: str = "same"


@dataclass(frozen=True, slots=True)
class Pairing:
    """One pairing in one seating of a variant on some deals: what one set of processes plays."""

    variant: str
    seating: Seating
    games: tuple[PlannedGame, ...]


def round_robin(plan: Plan, bots: Sequence[BotId]) -> Iterator[Pairing]:
    """All games, block by block: first some deals of every pairing, then the next ones."""
    for first in range(0, plan.deals, DEALS_A_JOB):
        deals = range(first, min(first + DEALS_A_JOB, plan.deals))
        for variant in plan.variants:
            teams = game_of(variant).variant(variant).teams
            for sides in pairings(teams, bots, plan.partners):
                seats = seatings(teams, sides, plan.all_seatings)
                for seating in seats:
                    yield Pairing(variant, seating, _games(plan, variant, sides, seats, seating, deals))


def pairings(teams: Sequence[Team], bots: Sequence[BotId], partners: str) -> Iterator[tuple[Side, ...]]:
    """Every group of sides that meet; each once, whatever the order of `bots`."""
    count, size = len(set(teams)), len(teams) // len(set(teams))
    same = [(bot,) * size for bot in sorted(bots)]
    mixed = list(combinations(sorted(bots), size)) if size > 1 else []
    if partners != "mixed" or size == 1:
        yield from combinations(same, count)
    if partners != "same":
        for sides in combinations(mixed, count):
            if len({bot for side in sides for bot in side}) == count * size:
                yield sides


def seatings(teams: Sequence[Team], sides: Sequence[Side], every: bool = False) -> list[Seating]:
    """Every way to sit that a block has, each once."""
    if is_free_for_all(teams):
        order = list(sides)
        turns = permutations(order) if every else (order[i:] + order[:i] for i in range(len(order)))
    else:
        turns = permutations(sides)
    result = [
        _seated(teams, inner) for turn in turns for inner in product(*(sorted(set(permutations(side))) for side in turn))
    ]  # fmt: skip
    return list(dict.fromkeys(result))


def _seated(teams: Sequence[Team], sides: Sequence[Side]) -> Seating:
    waiting = {team: list(side) for team, side in zip(sorted(set(teams)), sides, strict=True)}
    return tuple(waiting[team].pop(0) for team in teams)


def _games(
    plan: Plan, variant: str, sides: Sequence[Side], seats: Sequence[Seating], seating: Seating, deals: range
) -> tuple[PlannedGame, ...]:
    game = game_of(variant)
    rules = game.rules_id(game.variant(variant))
    pairing = "|".join("+".join(_exact(bot) for bot in side) for side in sides)
    there = "|".join(_exact(bot) for bot in seating)
    return tuple(
        PlannedGame(
            GameId(_id("game", plan.name, plan.seed, variant, rules, str(n), there)),
            DealId(f"{variant}#{n}"),
            deal_seed(plan.seed, variant, n),
            _id("block", plan.name, plan.seed, variant, rules, str(n), pairing, str(len(seats))),
            len(seats),
        )
        for n in deals
    )


def _exact(bot: BotId) -> str:
    return f"{bot.name}@{bot.digest}"


def _id(*parts: str) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()[:32]
