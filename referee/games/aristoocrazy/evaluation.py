"""The evaluation of an event card, by its type (Aristoocrazy R31 to R33, Q3).

    MAJ, THR, GIFT, SYM -> settled at once
    BID, PAY, HAZ -> every house answers in secret -> settled -> after HAZ: VICTIM ... for each short house

Choices are told together; effects come in the order of the round.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from referee.games.aristoocrazy.actions import (
    AGE,
    BID,
    FOURS,
    PASS,
    PAY,
    PAY_FOUR,
    PAY_SOME,
    act,
    kind_of,
    numbers,
)
from referee.games.aristoocrazy.data import EventCard, Prize, data
from referee.games.aristoocrazy.events import AWARD, BIDS, DUE, MEASURES, PAID, log
from referee.games.aristoocrazy.events import EVENT as TURNED_TO
from referee.games.aristoocrazy.measures import CONDITIONS, characters, fields
from referee.games.aristoocrazy.measures import MEASURES as COMPARED
from referee.games.aristoocrazy.people import chip, family
from referee.games.aristoocrazy.state import (
    BIDDING,
    GO_ON,
    PAYING,
    RELIEF,
    VICTIM,
    Hazard,
    Private,
    Public,
    Table,
)
from referee.games.aristoocrazy.tokens import draw, single, spend

NOTHING: Final = Prize()


def event_of(public: Public) -> EventCard:
    """This round's card."""
    return public.variant.events[public.row[0]]


def evaluate(table: Table) -> None:
    """Begin the evaluation of this round's card (Aristoocrazy R14, R32)."""
    public = table.public
    log(table, TURNED_TO, public.row[0])
    TYPES[event_of(public).type].begin(table, event_of(public))


def _give(table: Table, seat: int, prize: Prize) -> None:
    if prize.vp:
        table.public.vp[seat] += prize.vp
        log(table, AWARD, (table.public.row[0], seat, prize.vp))
    for _ in range(prize.cards):
        draw(table, seat)


def _rank(table: Table, values: list[int]) -> None:
    """Prizes for the highest and the next (Aristoocrazy R31)."""
    public = table.public
    prizes = data().prizes[event_of(public).type]
    top = max(values)
    if top <= 0:
        return
    shared = values.count(top) > 1
    second = 0 if shared else max(value for value in values if value < top)
    two = public.players == 2 and "second_of_two" in prizes
    for seat in public.order:
        if values[seat] == top:
            _give(table, seat, prizes["shared" if shared else "first"])
        elif values[seat] == second > 0:
            _give(table, seat, prizes.get("second_of_two" if two else "second", NOTHING))


def _majority(table: Table, event: EventCard) -> None:
    public = table.public
    values = [COMPARED[event.measure](public, seat) for seat in range(public.players)]
    log(table, MEASURES, values)
    _rank(table, values)


def _symbol(table: Table, event: EventCard) -> None:
    """As a majority; tokens are counted openly, and who scores gives its own away (Aristoocrazy Q3)."""
    if event.measure:
        _majority(table, event)
        return
    public, trait = table.public, event.trait
    held = [zone.stash[trait] for zone in table.private]
    log(table, MEASURES, held)
    for observer, zone in enumerate(table.private):
        for seat, count in enumerate(held):
            if seat != observer:
                zone.tokens.counted(seat, trait, count)
    _rank(table, held)
    for seat in public.order:
        if held[seat] and held[seat] == max(held):
            spend(table, seat, single(trait, held[seat]), event.id)


def _threshold(table: Table, event: EventCard) -> None:
    public = table.public
    for seat in public.order:
        if CONDITIONS[event.condition](public, seat):
            _give(table, seat, Prize(vp=event.vp))


def _gift(table: Table, event: EventCard) -> None:
    public, prizes = table.public, data().prizes[event.type]
    for seat in public.order:
        _give(table, seat, prizes["each"])
    owned = [fields(public, seat) for seat in range(public.players)]
    if owned.count(min(owned)) == 1:
        _give(table, owned.index(min(owned)), prizes["fewest_fields"])


def _ask_all(public: Public, decision: int) -> None:
    public.decision, public.pending = decision, tuple(range(public.players))


def _bid(table: Table, event: EventCard) -> None:
    _ask_all(table.public, BIDDING)


def legal_bid(public: Public, private: Private, seat: int) -> list[int]:
    """Any number of its tokens of the event's trait."""
    return [act(BID, count) for count in range(private.stash[event_of(public).trait] + 1)]


def _answers(table: Table) -> list[int]:
    return [zone.sealed for zone in table.private]


def bid(table: Table) -> None:
    """All bids are spent, the highest and the next win (Aristoocrazy R32)."""
    public, event = table.public, event_of(table.public)
    values = [numbers(answer)[0] for answer in _answers(table)]
    log(table, BIDS, values)
    for seat in public.order:
        spend(table, seat, single(event.trait, values[seat]), event.id)
    public.decision = GO_ON
    _rank(table, values)


def _pay(table: Table, event: EventCard) -> None:
    _ask_all(table.public, PAYING)


def legal_pay(public: Public, private: Private, seat: int) -> list[int]:
    """Pass, or pay what the event asks for."""
    event, stash = event_of(public), private.stash
    actions = [act(PASS)]
    if event.different:
        actions += [act(PAY_FOUR, at) for at, four in enumerate(FOURS) if all(stash[trait] for trait in four)]
    elif all(stash[trait] >= count for trait, count in event.cost):
        actions.append(act(PAY))
    return actions


def _payment(event: EventCard, answer: int) -> list[int]:
    """What an answer gives away, as counts by trait."""
    tokens = single(0, 0)
    if kind_of(answer) == PAY:
        for trait, count in event.cost:
            tokens[trait] = count
    elif kind_of(answer) == PAY_FOUR:
        for trait in FOURS[numbers(answer)[0]]:
            tokens[trait] = 1
    return tokens


def pay(table: Table) -> None:
    """Who pays gets the prize (Aristoocrazy R32)."""
    public, event = table.public, event_of(table.public)
    payments = [_payment(event, answer) for answer in _answers(table)]
    log(table, PAID, payments)
    public.decision = GO_ON
    for seat in public.order:
        spend(table, seat, payments[seat], event.id)
        if any(payments[seat]):
            _give(table, seat, data().prizes[event.type]["payer"])


def due(public: Public, seat: int) -> int:
    """What a hazard asks of a house: a token for every so many characters, rounded up (Aristoocrazy R33)."""
    return -(-characters(public, seat) // event_of(public).divisor)


def _hazard(table: Table, event: EventCard) -> None:
    public = table.public
    log(table, DUE, [due(public, seat) for seat in range(public.players)])
    _ask_all(public, RELIEF)


def legal_relief(public: Public, private: Private, seat: int) -> list[int]:
    """Any part of what is due."""
    most = min(private.stash[event_of(public).trait], due(public, seat))
    return [act(PAY_SOME, count) for count in range(most + 1)]


def relieve(table: Table) -> None:
    """Who pays in full gets the prize; who does not will see as many characters age (Aristoocrazy R32)."""
    public, event = table.public, event_of(table.public)
    paid = [numbers(answer)[0] for answer in _answers(table)]
    log(table, PAID, [single(event.trait, count) for count in paid])
    missing = [due(public, seat) - count for seat, count in enumerate(paid)]
    for seat in public.order:
        spend(table, seat, single(event.trait, paid[seat]), event.id)
        if paid[seat] and not missing[seat]:
            _give(table, seat, data().prizes[event.type]["payer"])
    _next_victim(table, Hazard(tuple(missing), ()))


def _next_victim(table: Table, hazard: Hazard) -> None:
    public = table.public
    short = [seat for seat in public.order if hazard.missing[seat]]
    if short:
        public.task, public.decision, public.pending = hazard, VICTIM, (short[0],)
    else:
        public.task, public.decision = None, GO_ON


def hazard_of(public: Public) -> Hazard:
    """The hazard that is being suffered."""
    hazard = public.task
    assert isinstance(hazard, Hazard)
    return hazard


def legal_victim(public: Public, private: Private, seat: int) -> list[int]:
    """Own characters that have not suffered yet, fewest red chips first (Aristoocrazy R32, R39)."""
    aged = hazard_of(public).aged
    chars = [char for char in family(public, seat) if char not in aged]
    return [act(AGE, char) for char in sorted(chars, key=lambda char: (public.red[char], char))]


def age(table: Table, seat: int, action: int) -> None:
    """The chosen character gets a red chip, credited to nobody."""
    hazard, char = hazard_of(table.public), numbers(action)[0]
    missing = list(hazard.missing)
    missing[seat] -= 1
    chip(table, char)
    _next_victim(table, Hazard(tuple(missing), (*hazard.aged, char)))


class Type(NamedTuple):
    """How events of a type go."""

    begin: Callable[[Table, EventCard], None]
    needs: tuple[str, ...] = ()
    """Which prizes the data file must have for it."""
    says: tuple[str, ...] = ()
    """Fields of which an event of the type must give one."""


TYPES: Final = {
    "MAJ": Type(_majority, ("first", "shared", "second"), ("measure",)),
    "BID": Type(_bid, ("first", "shared", "second"), ("trait",)),
    "PAY": Type(_pay, ("payer",), ("cost", "different")),
    "HAZ": Type(_hazard, ("payer",), ("trait",)),
    "THR": Type(_threshold, (), ("condition",)),
    "GIFT": Type(_gift, ("each", "fewest_fields")),
    "SYM": Type(_symbol, ("first", "shared"), ("measure", "trait")),
}
"""The types of the data file."""
