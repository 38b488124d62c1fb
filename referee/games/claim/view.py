"""What a seat may know, built from the public zone and its own private one (Claim 8).

Nothing here is handed a `Table`, so nothing here can show what the seat may not see.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.games.claim.cards import LETTERS, NAMES, Card
from referee.games.claim.events import votes_by_letter
from referee.games.claim.scoring import owners
from referee.games.claim.state import DECISIONS, NOBODY, UNSEEN, Private, Public, Trick


def view(public: Public, private: Private, seat: int) -> dict[str, Any]:
    """All that `seat` may know; the README says what each field is. Finished tricks are shared objects."""
    variant = public.variant
    return {
        "variant": variant.id,
        "seat": seat,
        "to_act": [] if public.turn == NOBODY else [public.turn],
        "decision": DECISIONS[public.decision],
        "phase": "favour" if public.favour else "recruit",
        "trick_number": min(public.number + 1, variant.each),
        "trick": _trick_under_way(public),
        "hand": [NAMES[card] for card in private.hand],
        "recruited": [NAMES[card] for card in private.recruited],
        "look": _name(private.look),
        "left": [[left.trick, NAMES[left.card], left.seat] for left in private.left],
        "faceup": [NAMES[card] for card in public.faceup],
        "deck": public.deck,
        "hands": hand_sizes(public),
        "followers": follower_counts(public),
        "known": [[NAMES[card] for card in cards] for cards in public.known],
        "voids": public.voids[:],
        "piles": [[NAMES[card] for card in pile] for pile in public.piles],
        "rows": [[NAMES[card] for card in row] for row in public.rows],
        "out": [NAMES[card] for card in public.out],
        "giants": [NAMES[card] for card in public.giants],
        "removed": [NAMES[card] for card in public.removed],
        "votes": _votes(public),
        "tricks": finished_tricks(public),
    }


def hand_sizes(public: Public) -> list[int]:
    """How many cards each seat holds."""
    players = public.players
    left, played = public.variant.each - public.number, len(public.plays)
    return [left - ((seat - public.leader) % players < played) for seat in range(players)]


def follower_counts(public: Public) -> list[int]:
    """How many followers each seat has; none in the favour phase, where they are the hand."""
    players = public.players
    if public.favour:
        return [0] * players
    counts = [public.number] * players
    for seat in public.ranking[: public.taken]:
        counts[seat] += 1
    return counts


def finished_tricks(public: Public) -> list[dict[str, Any]]:
    """Every finished trick; each is rendered once for all seats and views, the list is the caller's."""
    shown, tricks = public.shown, public.tricks
    while len(shown) < len(tricks):
        shown.append(_finished(tricks[len(shown)]))
    return shown[:]


def _votes(public: Public) -> dict[str, int | None]:
    """As they stand, counted once for all views until cards are captured."""
    if public.votes is None:
        public.votes = votes_by_letter(public.variant, owners(public))
    return public.votes


def _finished(trick: Trick) -> dict[str, Any]:
    body = _trick(trick.leader, trick.cards, trick.ranking, len(trick.cards))
    if trick.recruits:
        body["recruits"] = [_name(card) for card in trick.recruits]
    return body


def _trick_under_way(public: Public) -> dict[str, Any]:
    body = _trick(public.leader, public.plays, public.ranking, public.players)
    if not public.favour:
        body["recruits"] = [_name(card) for card in public.recruits]
    return body


def _trick(leader: int, cards: Sequence[Card], ranking: Sequence[int], players: int) -> dict[str, Any]:
    return {
        "leader": leader,
        "led": LETTERS[cards[0] // 10] if cards else None,
        "plays": [[(leader + place) % players, NAMES[card]] for place, card in enumerate(cards)],
        "ranking": list(ranking),
    }


def _name(card: Card) -> str | None:
    return None if card == UNSEEN else NAMES[card]
