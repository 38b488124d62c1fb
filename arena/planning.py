"""What a tournament file asks for: which games, and how many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from arena.config import Tournament
from arena.schedules.round_robin import Plan, round_robin
from protocol.vocabulary import BotId


@dataclass(frozen=True, slots=True)
class Size:
    """How much is to be played of one variant."""

    games: int
    blocks: int
    block: int
    """Games of the largest block: one of mixed teams has more of them than one of copies."""


def sizes(plan: Plan, bots: Sequence[BotId]) -> dict[str, Size]:
    """The whole schedule by variant. Every deal has the same games, so those of one are counted."""
    blocks: dict[str, Counter[str]] = {variant: Counter() for variant in plan.variants}
    for pairing in round_robin(replace(plan, deals=1), bots):
        blocks[pairing.variant][pairing.games[0].block] += 1
    return {
        variant: Size(met.total() * plan.deals, len(met) * plan.deals, max(met.values(), default=0))
        for variant, met in blocks.items()
    }


def plan_of(tournament: Tournament, seed: str) -> Plan:
    """What settles the games of `tournament`, beside its bots."""
    return Plan(
        tournament.name, seed, tuple(tournament.variant_ids), tournament.deals,
        tournament.seatings == "all", tournament.partners,
    )  # fmt: skip
