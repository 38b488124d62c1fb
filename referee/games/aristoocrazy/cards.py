"""The action cards: when each may be played, and what it does (Aristoocrazy R30).

A card of the data file finds its two functions here by its name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from referee.games.aristoocrazy.actions import (
    CHANCELLOR,
    COUSIN,
    DEED,
    ELIXIR,
    MARCH,
    MERCENARIES,
    PALISADE,
    PICKPOCKET,
    SCANDAL,
    SPY,
    TITHE,
    TUTOR,
    act,
    kind_of,
    numbers,
)
from referee.games.aristoocrazy.births import call
from referee.games.aristoocrazy.data import FOLLY, MONEY, data
from referee.games.aristoocrazy.events import CARD, HEALED, ROW, TUTORED, log, log_secret
from referee.games.aristoocrazy.people import (
    chip,
    claim,
    family,
    has_place,
    move,
    own_fields,
    sexes_in_supply,
)
from referee.games.aristoocrazy.state import NOBODY, PHASES, UNSEEN, Public, Table
from referee.games.aristoocrazy.tokens import discard, spy, steal, take

RELIEF: Final = 2
"""Red chips that an elixir takes off."""


def ordinary(public: Public) -> list[int]:
    """The traits that cards and exchanges may give: all of the set but money and folly."""
    return [trait for trait in public.variant.traits if trait not in (MONEY, FOLLY)]


def _others(public: Public, seat: int) -> list[int]:
    return [other for other in range(public.players) if other != seat]


def _marches(public: Public, seat: int) -> list[int]:
    fields = [field for field in own_fields(public, seat) if has_place(public, field)]
    return [
        act(MARCH, char, field)
        for char in family(public, seat)
        if not public.acted[char]
        for field in fields
        if field != public.where[char]
    ]


def _march(table: Table, seat: int, action: int) -> None:
    char, field, _ = numbers(action)
    move(table, char, field, "march")


def _elixirs(public: Public, seat: int) -> list[int]:
    return [act(ELIXIR, char) for char in family(public, seat) if public.red[char]]


def _elixir(table: Table, seat: int, action: int) -> None:
    char, red = numbers(action)[0], table.public.red
    red[char] = max(red[char] - RELIEF, 0)
    log(table, HEALED, (char, red[char]))


def _tutors(public: Public, seat: int) -> list[int]:
    return [
        act(TUTOR, char, trait)
        for char in family(public, seat)
        if FOLLY in public.traits[char]
        for trait in ordinary(public)
        if trait not in public.traits[char]
    ]


def _tutor(table: Table, seat: int, action: int) -> None:
    char, trait, _ = numbers(action)
    traits = list(table.public.traits[char])
    traits[traits.index(FOLLY)] = trait
    table.public.traits[char] = tuple(traits)
    log(table, TUTORED, (char, tuple(traits)))


def _tithes(public: Public, seat: int) -> list[int]:
    return [act(TITHE, trait) for trait in ordinary(public)]


def _tithe(table: Table, seat: int, action: int) -> None:
    take(table, seat, numbers(action)[0], ordinary(table.public), "tithe", count=2)


def _spies(public: Public, seat: int) -> list[int]:
    return [act(SPY, other) for other in _others(public, seat)]


def _spy(table: Table, seat: int, action: int) -> None:
    spy(table, seat, numbers(action)[0])


def _pickpockets(public: Public, seat: int) -> list[int]:
    return [act(PICKPOCKET, other) for other in _others(public, seat) if public.size[other]]


def _pickpocket(table: Table, seat: int, action: int) -> None:
    steal(table, seat, numbers(action)[0])


def _hires(public: Public, seat: int) -> list[int]:
    return [act(MERCENARIES)]


def _hire(table: Table, seat: int, action: int) -> None:
    table.public.hired += 1


def _palisades(public: Public, seat: int) -> list[int]:
    return [act(PALISADE, field) for field in own_fields(public, seat) if field not in public.palisades]


def _palisade(table: Table, seat: int, action: int) -> None:
    table.public.palisades = sorted([*table.public.palisades, numbers(action)[0]])


def _cousins(public: Public, seat: int) -> list[int]:
    if not has_place(public, public.variant.board.homes[seat]):
        return []
    return [act(COUSIN, sex) for sex in sexes_in_supply(public, seat)]


def _cousin(table: Table, seat: int, action: int) -> None:
    call(table, "cousin", numbers(action)[0])


def _scandals(public: Public, seat: int) -> list[int]:
    return [act(SCANDAL, char) for other in _others(public, seat) for char in family(public, other)]


def _scandal(table: Table, seat: int, action: int) -> None:
    chip(table, numbers(action)[0], seat)


def _chancellors(public: Public, seat: int) -> list[int]:
    scored = data().unscored < public.round < public.variant.rounds
    return [act(CHANCELLOR)] if scored else []


def _chancellor(table: Table, seat: int, action: int) -> None:
    for row in (table.public.row, table.hidden.events):
        first = 0 if row is table.public.row else table.public.round - 1
        row[first], row[first + 1] = row[first + 1], row[first]
    log(table, ROW, tuple(table.public.row))


def _deeds(public: Public, seat: int) -> list[int]:
    if not public.crests[seat]:
        return []
    board, owner = public.variant.board, public.owner
    return [
        act(DEED, field)
        for field in board.fields
        if owner[field] == NOBODY and any(owner[near] == seat for near in board.adjacent[field])
    ]


def _deed(table: Table, seat: int, action: int) -> None:
    claim(table, numbers(action)[0], seat)


class Effect(NamedTuple):
    """What a card's name stands for."""

    kind: int
    """Of its actions."""
    legal: Callable[[Public, int], list[int]]
    """How the seat whose turn it is could play it."""
    play: Callable[[Table, int, int], None]


EFFECTS: Final = {
    "march": Effect(MARCH, _marches, _march),
    "elixir": Effect(ELIXIR, _elixirs, _elixir),
    "tutor": Effect(TUTOR, _tutors, _tutor),
    "tithe": Effect(TITHE, _tithes, _tithe),
    "spy": Effect(SPY, _spies, _spy),
    "pickpocket": Effect(PICKPOCKET, _pickpockets, _pickpocket),
    "mercenaries": Effect(MERCENARIES, _hires, _hire),
    "palisade": Effect(PALISADE, _palisades, _palisade),
    "cousin": Effect(COUSIN, _cousins, _cousin),
    "scandal": Effect(SCANDAL, _scandals, _scandal),
    "chancellor": Effect(CHANCELLOR, _chancellors, _chancellor),
    "deed": Effect(DEED, _deeds, _deed),
}


def legal_cards(public: Public, hand: list[int], seat: int) -> list[int]:
    """The ways to play the cards of a hand in this phase of the turn, equal cards once."""
    if public.card_played:
        return []
    cards, phase = data().actions, PHASES[public.phase]
    playable = [cards[card] for card in dict.fromkeys(hand)]
    return [
        action
        for card in playable
        if phase in card.phases
        for action in EFFECTS[card.name].legal(public, seat)
    ]


def play_card(table: Table, seat: int, action: int) -> None:
    """Play the card of a `card:…` action."""
    public, kind = table.public, kind_of(action)
    card = next(at for at, card in enumerate(data().actions) if EFFECTS[card.name].kind == kind)
    public.card_played = True
    discard(table, seat, card)
    if kind == TITHE and not public.variant.open_takes:
        log_secret(table, CARD, (seat,), (seat, card, action), (seat, card, UNSEEN))
    else:
        log(table, CARD, (seat, card, action))
    EFFECTS[data().actions[card].name].play(table, seat, action)


CARD_KINDS: Final = frozenset(effect.kind for effect in EFFECTS.values())
