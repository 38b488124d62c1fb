"""Who wins a trick, who comes after, who leads next (Claim 3 and 5.5)."""

from __future__ import annotations

from typing import Final

from referee.games.claim.actions import FOLLOWS
from referee.games.claim.cards import DRAGONS, GOBLINS, KNIGHTS, SEERS, Card
from referee.games.claim.state import Public
from referee.games.claim.variants import ClaimVariant

_STRENGTH: Final = tuple(
    bytes(10 * follows[card] + card % 10 for card in range(100)) for follows in FOLLOWS
)  # fmt: skip
"""By faction led, by card: who followed before who did not, then the value."""

_OF_TWO: Final[tuple[tuple[int, ...], ...]] = ((0, 1), (1, 0))
"""The seats of a game for two, by the winner."""

_DRAGONS: Final = 1 << DRAGONS
_FACTION_BIT: Final = tuple(1 << card // 10 for card in range(100))
"""By card."""


def factions_of(cards: list[Card]) -> int:
    """Which factions some cards are of, as bits."""
    factions = 0
    for card in cards:
        factions |= _FACTION_BIT[card]
    return factions


def ranking(variant: ClaimVariant, leader: int, cards: list[Card]) -> tuple[int, ...]:
    """The seats of a full trick, the winner first (Claim 3.4 to 3.6); equal ones in order of play."""
    led = cards[0] // 10
    strength = _STRENGTH[led]
    if len(cards) == 2 and led != GOBLINS:
        return _OF_TWO[1 - leader if strength[cards[1]] > strength[cards[0]] else leader]
    order: list[int] = []
    for place, card in enumerate(cards):
        # Behind all that are as strong: of equal cards the one played earlier comes first.
        at = place
        while at and strength[cards[order[at - 1]]] < strength[card]:
            at -= 1
        order.insert(at, place)
    if led == GOBLINS:
        _promote_knight(variant, cards, order)
    players = len(cards)
    return tuple([(leader + place) % players for place in order])


def _promote_knight(variant: ClaimVariant, cards: list[Card], order: list[int]) -> None:
    """Put the highest Knight thrown on a led Goblin first, where it beats what followed."""
    if variant.options.knight_vs_doppelganger == "no" and cards[order[0]] // 10 != GOBLINS:
        return
    for place in order:
        if cards[place] // 10 == KNIGHTS:
            order.remove(place)
            order.insert(0, place)
            return


def next_leader(public: Public, factions: int, phase_ends: bool) -> int:
    """Who leads after a ranked trick of these factions: who played the last Dragon, else the winner (Claim 3.7, 5.5)."""
    plays, winner = public.plays, public.ranking[0]
    if not factions & _DRAGONS:
        return winner
    if phase_ends and public.variant.options.dragon_over_phase == "no":
        return winner
    last = len(plays) - 1
    while plays[last] // 10 != DRAGONS:
        last -= 1
    return (public.leader + last) % public.players


def winner_looks(variant: ClaimVariant, leader: int, cards: list[Card], winner: int) -> bool:
    """Whether a Seer won this trick of the first phase, so that its player looks (Claim 5.4)."""
    if cards[(winner - leader) % len(cards)] // 10 != SEERS:
        return False
    return len(cards) == 2 or variant.options.seer_multi == "three_way"
