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
    if variant.options.faction_tie == "void":
        tally = [_count_and_top(strength) for strength in tally]
    if variant.sides == 2:
        return tuple(
            [_LEADS[(tally[f] > tally[f + 10]) - (tally[f] < tally[f + 10])] for f in variant.factions]
        )
    return tuple([_strongest(tally[faction::10]) for faction in variant.factions])


_LEADS: Final = (NOBODY, 0, 1)
"""Which of two teams is ahead: index 1 the first, -1 the second."""


def _strongest(strengths: list[int]) -> int:
    best = max(strengths)
    return strengths.index(best) if strengths.count(best) == 1 else NOBODY


def outcome(public: Public, held: tuple[int, ...]) -> Outcome:
    """Each seat's place, votes and team (Claim 7.2, 7.3), by the `owners` of votes; partners have the same."""
    variant = public.variant
    votes = [held.count(team) for team in range(variant.sides)]
    keys = [(votes[team], _cards_captured(public, team)) for team in range(variant.sides)]
    ranks = [sum([other > key for other in keys]) for key in keys]
    teams = variant.teams
    return Outcome(tuple([ranks[team] for team in teams]), tuple([votes[team] for team in teams]), teams)


def _cards_captured(public: Public, team: int) -> int:
    """What breaks equal votes: nothing, or with `game_tie=cards` the cards in the team's piles."""
    if public.variant.options.game_tie == "draw":
        return 0
    return sum(strength >> _COUNT_BIT for strength in public.tally[10 * team : 10 * team + 10])
