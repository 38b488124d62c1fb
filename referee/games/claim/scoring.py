"""Votes and places, from the public zone alone (Claim 7).

The strength of a team in a faction is one number: cards in the high bits, and below them three bits a
value that count the copies, so that comparing numbers compares the count, then the highest card, then
the next. Gnomes in a row count, as they join the pile in the end (Claim 5.7).
"""

from __future__ import annotations

from typing import Final

from referee.game import Outcome
from referee.games.claim.state import NOBODY, Public

_COUNT_BIT: Final = 30
_VALUES_MASK: Final = (1 << _COUNT_BIT) - 1

WEIGHT: Final = tuple((1 << _COUNT_BIT) + (1 << 3 * value) for value in range(10))
"""What a card of each value adds to a strength."""


def _count_and_top(strength: int) -> int:
    """A strength without the cards below the highest (option `faction_tie=void`)."""
    top = ((strength & _VALUES_MASK).bit_length() + 2) // 3
    return (strength >> _COUNT_BIT) * 16 + top


def owners(public: Public) -> tuple[int, ...]:
    """For each faction of the deck the team that has its vote as things stand, or NOBODY (Claim 7.1)."""
    variant, tally = public.variant, public.tally
    found = []
    for faction in variant.factions:
        strengths = tally[faction::10]
        if variant.options.faction_tie == "void":
            strengths = [_count_and_top(strength) for strength in strengths]
        best = max(strengths)
        alone = best > 0 and strengths.count(best) == 1
        found.append(strengths.index(best) if alone else NOBODY)
    return tuple(found)


def outcome(public: Public) -> Outcome:
    """Each seat's place, votes and team (Claim 7.2, 7.3); partners have the same."""
    variant = public.variant
    held = owners(public)
    votes = [held.count(team) for team in range(variant.sides)]
    keys = [(votes[team], _cards_captured(public, team)) for team in range(variant.sides)]
    ranks = [sum(other > key for other in keys) for key in keys]
    teams = variant.teams
    return Outcome(tuple(ranks[team] for team in teams), tuple(votes[team] for team in teams), teams)


def _cards_captured(public: Public, team: int) -> int:
    """What breaks equal votes: nothing, or with `game_tie=cards` the cards in the team's piles."""
    if public.variant.options.game_tie == "draw":
        return 0
    return sum(strength >> _COUNT_BIT for strength in public.tally[10 * team : 10 * team + 10])
