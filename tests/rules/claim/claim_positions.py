"""Positions of Claim made by hand, for tests of single rules: cards as text, `"G9 K2"`."""

from __future__ import annotations

from collections.abc import Sequence

from referee.game import Seat
from referee.games.claim.cards import card_of, names
from referee.games.claim.game import ClaimState
from referee.games.claim.powers import count_captured
from referee.games.claim.state import Hidden, Private, Public, Table
from referee.games.claim.variants import variant_of

FILLER = "G1 G2 G3 G4 G6 G7 G8 G9 G1 G2 G3 G4"
PHASES = (False, True)


def cards(text: str) -> list[int]:
    return [card_of(name) for name in text.split()]


def position(
    variant: str,
    hands: Sequence[str],
    *,
    favour: bool,
    leader: int = 0,
    faceup: str = "",
    deck: str = FILLER,
    rows: Sequence[str] = (),
    piles: Sequence[str] = (),
    out: str = "",
    number: int = 0,
) -> ClaimState:
    """A table before the leader's play; `deck` has its top first, `number` tricks are over in this phase."""
    public = Public.new(variant_of(variant))
    public.favour, public.leader, public.turn, public.number = favour, leader, leader, number
    if not favour:
        public.faceup = cards(faceup or FILLER[: 3 * public.variant.turned])
        public.deck = len(deck.split())
    public.out = cards(out)
    for seat, row in enumerate(rows):
        public.rows[seat] = cards(row)
    for seat, pile in enumerate(piles):
        public.piles[seat] = cards(pile)
    for seat in range(public.players):
        count_captured(public, seat, public.rows[seat] + public.piles[seat])
    zones = [Private.holding(sorted(cards(hand))) for hand in hands]
    if favour:
        for zone in zones:
            zone.recruited = zone.hand[:]
    return ClaimState(Table(public, zones, Hidden(cards(deck)[::-1] if not favour else []), []))


def trick(variant: str, plays: str, *, favour: bool, leader: int = 0, **more: object) -> ClaimState:
    """The position after these plays, each from a hand of that one card, the leader's first."""
    played = plays.split()
    hands = [""] * len(played)
    for place, card in enumerate(played):
        hands[(leader + place) % len(played)] = card
    state = position(variant, hands, favour=favour, leader=leader, **more)  # type: ignore[arg-type]
    act(state, *played)
    return state


def act(state: ClaimState, *actions: str) -> None:
    """Each action by the seat whose turn it is."""
    for action in actions:
        seat = state.to_act[0]
        state.apply(seat, state.parse(seat, action))


def legal(state: ClaimState) -> list[str]:
    return state.legal_text(state.to_act[0])


def pile(state: ClaimState, seat: int) -> list[str]:
    return names(sorted(state.table.public.piles[seat]))


def row(state: ClaimState, seat: int) -> list[str]:
    return names(sorted(state.table.public.rows[seat]))


def recruits(state: ClaimState, seat: int) -> list[str]:
    return names(state.table.private[seat].recruited)


def out(state: ClaimState) -> list[str]:
    return names(state.table.public.out)


def ranking(state: ClaimState) -> tuple[int, ...]:
    """Of the trick that was finished last, or that waits for recruits."""
    public = state.table.public
    return public.ranking or public.tricks[-1].ranking


def winner(state: ClaimState) -> int:
    return ranking(state)[0]


def leads(state: ClaimState) -> int:
    """Who leads the next trick."""
    body = [event.body for event in state.events() if event.kind == "trick"][-1]
    return int(body["leads"])


def seen_by(state: ClaimState, seat: int, kind: str) -> list[dict[str, object]]:
    return [dict(e.body) for e in state.events() if e.kind == kind and e.seen_by(Seat(seat))]
