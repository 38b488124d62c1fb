"""What a seat may know, built from the public zone and its own private one (Claim 8); and what anybody may.

Nothing here is handed a `Table`, so nothing here can show what the seat may not see.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from referee.games.claim.cards import LETTERS, NAMES, Card, names
from referee.games.claim.events import votes_by_letter
from referee.games.claim.scoring import owners
from referee.games.claim.state import DECISIONS, NOBODY, NOTHING_SHOWN, Private, Public, Trick

_SHOWN: Final = (*NAMES, None)
"""A card in notation; index UNSEEN: none."""


_OWN: Final = ("seat", "hand", "recruited", "look", "left")
"""Fields that only a seat has;"""
_PUBLIC: Final = tuple(name for name in NOTHING_SHOWN if name not in _OWN)
"""and the others."""


def view(public: Public, private: Private, seat: int) -> dict[str, Any]:
    """All that `seat` may know; the README says what each field is."""
    body = _seen(public)
    body["seat"] = seat
    body["hand"] = names(private.hand)
    body["recruited"] = names(private.recruited)
    body["look"] = _SHOWN[private.look]
    body["left"] = [[at.trick, NAMES[at.card], at.seat] for at in private.left] if private.left else []
    return body


def public_view(public: Public) -> dict[str, Any]:
    """All that somebody may know who sits in no seat."""
    body = _seen(public)
    return {name: body[name] for name in _PUBLIC}


def _seen(public: Public) -> dict[str, Any]:
    """What all see, the fields of a seat not filled in.

    What a trick leaves behind is rendered once for all seats and views, and never changed afterwards.
    """
    if public.stale:
        public.shown = _shown(public)
        public.stale = public.captured = False
    body = public.shown.copy()
    body["to_act"] = [] if public.turn == NOBODY else [public.turn]
    body["decision"] = DECISIONS[public.decision]
    body["trick"] = _trick_under_way(public)
    body["hands"] = hand_sizes(public)
    body["known"] = [names(cards) if cards else [] for cards in public.known]
    body["voids"] = public.voids[:]
    return body


def _shown(public: Public) -> dict[str, Any]:
    """What all seats are shown from the end of a trick's plays to the last card of the next."""
    shown, tricks = public.shown.copy(), public.tricks
    shown["variant"] = public.variant.id
    shown["phase"] = "favour" if public.favour else "recruit"
    shown["trick_number"] = min(public.number + 1, public.variant.each)
    shown["faceup"] = names(public.faceup)
    shown["deck"] = public.deck
    shown["followers"] = follower_counts(public)
    if len(shown["tricks"]) < len(tricks):
        shown["tricks"] = shown["tricks"] + [_finished(trick) for trick in tricks[len(shown["tricks"]) :]]
    if public.captured:
        shown["piles"] = [_grown(shown["piles"][seat], pile) for seat, pile in enumerate(public.piles)]
        shown["rows"] = [names(row) if row else [] for row in public.rows]
        shown["out"] = names(public.out)
        shown["giants"] = names(public.giants)
        shown["removed"] = names(public.removed)
        shown["votes"] = votes_by_letter(public.variant, owners(public))
    return shown


def _grown(shown: list[str], pile: list[Card]) -> list[str]:
    return shown + names(pile[len(shown) :]) if len(shown) < len(pile) else shown


def hand_sizes(public: Public) -> list[int]:
    """How many cards each seat holds."""
    players = public.players
    sizes = [public.each - public.number] * players
    for place in range(len(public.plays)):
        sizes[(public.leader + place) % players] -= 1
    return sizes


def follower_counts(public: Public) -> list[int]:
    """How many followers each seat has; none in the favour phase, where they are the hand."""
    players = public.players
    if public.favour:
        return [0] * players
    counts = [public.number] * players
    for seat in public.ranking[: public.taken]:
        counts[seat] += 1
    return counts


def _finished(trick: Trick) -> dict[str, Any]:
    body = _trick(trick.leader, trick.cards, trick.ranking, len(trick.cards))
    if trick.recruits:
        body["recruits"] = [_SHOWN[card] for card in trick.recruits]
    return body


def _trick_under_way(public: Public) -> dict[str, Any]:
    body = _trick(public.leader, public.plays, public.ranking, public.players)
    if not public.favour:
        body["recruits"] = [_SHOWN[card] for card in public.recruits]
    return body


def _trick(leader: int, cards: Sequence[Card], ranking: Sequence[int], players: int) -> dict[str, Any]:
    return {
        "leader": leader,
        "led": LETTERS[cards[0] // 10] if cards else None,
        "plays": [[(leader + place) % players, NAMES[card]] for place, card in enumerate(cards)],
        "ranking": [*ranking],
    }
