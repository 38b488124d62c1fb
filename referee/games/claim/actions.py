"""Decisions as numbers inside and as text at the edge, and which are legal (Claim 8).

A play is its card's face; the other kinds stand in hundreds of their own:

>>> [TEXTS[action] for action in (17, TAKE + 17, TAKE_DECK, smash(2, 55))]
['K7', 'take K7', 'take deck', 'smash 2 N5']
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Final

from referee.games.claim.cards import DOPPELGANGERS, GIANTS, GNOMES, NAMES, Card
from referee.games.claim.state import PLAY, RECRUIT, UNSEEN, Private, Public

TAKE: Final = 100
TAKE_DECK: Final = 200
SMASH_SEAT: Final = 300

GNOME_OF_GIANT: Final = 10 * (GNOMES - GIANTS)
"""Added to a Giant's face it gives the Gnome of the same value."""

FOLLOWS: Final = tuple(
    bytes(card // 10 in (led, DOPPELGANGERS) for card in range(100)) for led in range(10)
)  # fmt: skip
"""By faction led, by card: whether it follows (Claim 3.2, 3.3)."""


def smash(victim: int, gnome: Card) -> int:
    """The action of removing `victim`'s Gnome."""
    return SMASH_SEAT + 100 * victim + gnome


TEXTS: Final = {
    **dict(enumerate(NAMES)),
    **{TAKE + card: f"take {name}" for card, name in enumerate(NAMES)},
    TAKE_DECK: "take deck",
    **{smash(seat, card): f"smash {seat} {name}" for seat in range(4) for card, name in enumerate(NAMES)},
}
"""How each action is written."""


def holds(private: Private, faction: int) -> bool:
    """Whether the hand has a card of the faction."""
    faces = private.faces
    at = bisect_left(faces, 10 * faction)
    return at < len(faces) and faces[at] < 10 * faction + 10


def victims(public: Public) -> list[int]:
    """The opponents of the trick's winner before whom lies a Gnome of the next Giant's value (Claim 5.8)."""
    teams = public.teams
    captor = teams[public.ranking[0]]
    gnome = public.giants[0] + GNOME_OF_GIANT
    return [seat for seat, row in enumerate(public.rows) if gnome in row and teams[seat] != captor]


def legal_actions(public: Public, private: Private) -> list[int]:
    """What the seat whose turn it is may do, ascending; `private` is its own zone."""
    if public.decision != PLAY:
        return _legal_recruits(public, private) if public.decision == RECRUIT else _legal_smashes(public)
    cards, plays = private.faces, public.plays
    if plays:
        led = plays[0] // 10
        follows = FOLLOWS[led]
        following = [card for card in cards if follows[card]]
        # Cards are sorted by faction, so those of the led one stand first or last among these (Claim 3.2).
        if following and (following[0] // 10 == led or following[-1] // 10 == led):
            return following
    return cards[:]


def _legal_recruits(public: Public, private: Private) -> list[int]:
    """Face-up cards, equal ones once, and the top of the deck for a Seer's winner (Claim 4.1, 5.4)."""
    actions = sorted({TAKE + card for card in public.faceup})
    return [*actions, TAKE_DECK] if private.look != UNSEEN else actions


def _legal_smashes(public: Public) -> list[int]:
    return [smash(victim, public.giants[0] + GNOME_OF_GIANT) for victim in victims(public)]
