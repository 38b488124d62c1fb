"""The machine: whom to ask, what an answer does, and when to go on unasked (Aristoocrazy R39).

    MAN* -> WOMAN* -> round[ turn(seat)[ RESTORE? -> MOVE_PHASE ... -> USE_PHASE ... ] x players -> event ]

A decision is a row of `DECISIONS_BY_KIND`. Whatever an answer sets going either asks somebody or leaves
GO_ON, and then the phase goes on (`turns.go_on`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from referee.game import IllegalAction
from referee.games.aristoocrazy import battles, births, evaluation
from referee.games.aristoocrazy.actions import text
from referee.games.aristoocrazy.data import MONEY, TRAITS, data
from referee.games.aristoocrazy.luck import Luck
from referee.games.aristoocrazy.state import (
    AFTERMATH,
    BIDDING,
    CONSENT,
    DOWRY,
    GO_ON,
    HEIR_PLACE,
    LAYING,
    MAN,
    MOVE_PHASE,
    OVER,
    PAYING,
    RELIEF,
    REROLL,
    RESTORE,
    RETREAT,
    STAKE,
    UNSEEN,
    USE_PHASE,
    VICTIM,
    WOMAN,
    Hidden,
    Private,
    Public,
    Table,
)
from referee.games.aristoocrazy.traces import Ledger
from referee.games.aristoocrazy.turns import (
    act_in_turn,
    go_on,
    legal_draft,
    legal_move,
    legal_restore,
    legal_use,
    men_chosen,
    restore,
    row_of,
    settle,
    women_chosen,
)
from referee.games.aristoocrazy.variants import AristoocrazyVariant


def begin(variant: AristoocrazyVariant, events: list[int], actions: list[int], luck: Luck) -> Table:
    """A game with these decks and this luck, ready for the first decision (Aristoocrazy R9 to R12)."""
    public = Public.new(variant)
    table = Table(public, [_private(variant) for _ in variant.teams], Hidden(events, actions, luck))
    for seat, home in enumerate(variant.board.homes):
        public.owner[home] = seat
    public.row = row_of(table)
    if variant.draft:
        public.decision, public.pending = MAN, tuple(range(public.players))
    else:
        settle(table, [data().fixed] * public.players)
    resume(table)
    return table


def _private(variant: AristoocrazyVariant) -> Private:
    players, deck = variant.players, variant.actions
    kinds = len(data().actions)
    tokens = Ledger(players, len(TRAITS))
    known = [[0] * kinds for _ in range(players)] + [[deck.count(card) for card in range(kinds)]]
    return Private(tokens, Ledger(players + 1, kinds, known))


class Decision(NamedTuple):
    """A kind of decision (Aristoocrazy R39). The first legal action is what a house player does."""

    legal: Callable[[Public, Private, int], list[int]]
    do: Callable[[Table, int, int], None] | None = None
    """Does what one seat decided."""
    reveal: Callable[[Table], None] | None = None
    """In a simultaneous set: does what all have decided, once the last has answered."""


DECISIONS_BY_KIND: Final = {
    MAN: Decision(legal_draft, reveal=men_chosen),
    WOMAN: Decision(legal_draft, reveal=women_chosen),
    RESTORE: Decision(legal_restore, restore),
    MOVE_PHASE: Decision(legal_move, act_in_turn),
    USE_PHASE: Decision(legal_use, act_in_turn),
    REROLL: Decision(births.legal_reroll, births.reroll),
    HEIR_PLACE: Decision(births.legal_heir, births.bear),
    CONSENT: Decision(births.legal_consent, births.consent),
    DOWRY: Decision(births.legal_dowry, births.dowry),
    STAKE: Decision(battles.legal_stake, reveal=battles.staked),
    LAYING: Decision(battles.legal_lay, reveal=battles.laid),
    AFTERMATH: Decision(battles.legal_aftermath, battles.aftermath),
    RETREAT: Decision(battles.legal_retreat, battles.retreat),
    BIDDING: Decision(evaluation.legal_bid, reveal=evaluation.bid),
    PAYING: Decision(evaluation.legal_pay, reveal=evaluation.pay),
    RELIEF: Decision(evaluation.legal_relief, reveal=evaluation.relieve),
    VICTIM: Decision(evaluation.legal_victim, evaluation.age),
}


def legal_actions(public: Public, private: Private, seat: int) -> list[int]:
    """What a seat may do now; empty where it owes nothing. `private` is its own zone."""
    if seat not in public.pending:
        return []
    return DECISIONS_BY_KIND[public.decision].legal(public, private, seat)


def apply(table: Table, seat: int, action: int, legal: list[int]) -> None:
    """Do what `seat` decided. Raises IllegalAction, and changes nothing, where it is not among its `legal`."""
    if action not in legal:
        known = " ".join(map(text, legal)) or "nothing: it is not its turn"
        raise IllegalAction(f"seat {seat} may not take action {action}; legal: {known}")
    _do(table, seat, action)
    resume(table)


def _do(table: Table, seat: int, action: int) -> None:
    public, decision = table.public, DECISIONS_BY_KIND[table.public.decision]
    public.pending = tuple(other for other in public.pending if other != seat)
    if decision.do:
        decision.do(table, seat, action)
        return
    table.private[seat].sealed = action
    if not public.pending and decision.reveal:
        decision.reveal(table)
        _unseal(table)


def _unseal(table: Table) -> None:
    for zone in table.private:
        zone.sealed = UNSEEN


def resume(table: Table) -> None:
    """Go on until somebody has to be asked."""
    public = table.public
    while public.phase != OVER:
        if public.decision == GO_ON:
            go_on(table)
            continue
        action = _only(table)
        if action is None:
            return
        _do(table, public.pending[0], action)


def _only(table: Table) -> int | None:
    """The one action there is, where all can see that there is but one (Aristoocrazy R39)."""
    public = table.public
    if DECISIONS_BY_KIND[public.decision].reveal or public.decision == REROLL:
        return None
    seat = public.pending[0]
    if public.decision in (MOVE_PHASE, USE_PHASE) and _may_hide_more(public, seat):
        return None
    legal = legal_actions(public, table.private[seat], seat)
    return legal[0] if len(legal) == 1 else None


def _may_hide_more(public: Public, seat: int) -> bool:
    """Whether for all that others know the seat may have money to exchange or a card to play."""
    exchange = public.size[seat] > 0 and MONEY in public.variant.traits
    card = public.cards_held[seat] > 0 and not public.card_played
    return exchange or card
