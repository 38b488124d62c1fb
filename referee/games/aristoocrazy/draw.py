"""The board as plain text of at most 80 columns, from the public zone and the private ones it is given.

    what is going on, whose turn it is, the row of events, what is under way
    the map: fields that touch are neighbours
    house by house: what it has, and its people

Colours (`INKS`) are found in the text afterwards, so nothing is said by a colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from textwrap import wrap
from typing import Final

from referee.games.aristoocrazy.actions import text
from referee.games.aristoocrazy.data import CHARACTERS, TRAITS
from referee.games.aristoocrazy.events import card_ids
from referee.games.aristoocrazy.map import drawn
from referee.games.aristoocrazy.people import family
from referee.games.aristoocrazy.state import DECISIONS, OVER, PHASES, SETUP, UNSEEN, Private, Public
from referee.games.aristoocrazy.tasks import told
from referee.wording import Terms

_WIDTH: Final = 80
_LABEL: Final = 15
_HALF: Final = 39

INKS: Final = {
    rf"\b(?:seat|hráč\w*) {seat}\b|\b{seat}[MF]\d\b": ink
    for seat, ink in enumerate(("strong red", "bright blue", "green", "yellow"))
}
"""Houses and their people, in the colours of Aristoocrazy R1."""


def board(public: Public, shown: Mapping[int, Private], terms: Terms) -> str:
    """The position with the stashes and hands of the seats in `shown`, one line feed between lines."""
    lines = [*_heading(public, terms), "", *drawn(public, terms)]
    for seat in range(public.players):
        lines += ["", *_house(public, seat, shown.get(seat), terms)]
    return "\n".join(lines)


def _heading(public: Public, terms: Terms) -> Iterator[str]:
    yield from wrap(public.variant.id, _WIDTH, break_on_hyphens=False)
    yield f"{_where(public, terms)}; {_turn(public, terms)}"
    yield from _line(terms["word.row"], [_event(public, card, terms) for card in public.row])
    if public.evaluated:
        yield from _line(terms["word.evaluated"], [_event(public, card, terms) for card in public.evaluated])
    for label, items in told(public, terms):
        yield from _line(label, items)


def _where(public: Public, terms: Terms) -> str:
    round_ = f"{terms['word.round']} {public.round}/{public.variant.rounds}"
    return (
        terms["phase.setup"]
        if public.phase == SETUP
        else f"{round_}, {terms[f'phase.{PHASES[public.phase]}']}"
    )


def _turn(public: Public, terms: Terms) -> str:
    decision = DECISIONS[public.decision]
    if not public.pending or decision is None:
        return terms["word.over"]
    seats = ", ".join(f"{terms['word.seat']} {seat}" for seat in public.pending)
    return terms["word.turn"].format(seat=seats, decision=terms[f"decision.{decision}"])


def _event(public: Public, card: int, terms: Terms) -> str:
    if card == UNSEEN:
        return f"({terms['card.none']})"
    id = public.variant.events[card].id
    return f"{id} {terms[f'card.{id}']}" if id != terms[f"card.{id}"] else id


def _house(public: Public, seat: int, private: Private | None, terms: Terms) -> Iterator[str]:
    mark = ">" if seat in public.pending else " "
    kept = ("battles_won", public.battles_won) if public.variant.quick else ("cards", public.cards_held)
    counts = [
        (word, values[seat])
        for word, values in (
            ("crests", public.crests), ("tokens", public.size), kept, ("trophies", public.trophies), ("wounds", public.wounds),
        )
    ]  # fmt: skip
    if private or public.variant.public_vp or public.phase == OVER:
        counts.insert(0, ("vp", public.vp[seat]))
    said = ", ".join(f"{terms[f'word.{word}']} {count}" for word, count in counts)
    yield from _wrapped(f"{mark}{terms['word.seat']} {seat}: {said}", " " * 9)
    if private:
        yield from _behind(public, private, terms)
    yield from _people(public, seat, terms)


def _behind(public: Public, private: Private, terms: Terms) -> Iterator[str]:
    """What lies behind a screen."""
    stash = [
        f"{terms[f'trait.{TRAITS[trait]}']} {count}" for trait, count in enumerate(private.stash) if count
    ]
    yield from _line(terms["word.stash"], stash)
    if public.variant.actions:
        hand = [card_ids()[card] for card in private.hand]
        yield from _line(terms["word.hand"], [f"{id} {terms[f'card.{id}']}" for id in hand])
    if private.sealed != UNSEEN:
        yield from _line(terms["word.sealed"], [text(private.sealed)])


def _people(public: Public, seat: int, terms: Terms) -> Iterator[str]:
    """Characters in two columns, or one where they are too long for that."""
    people = [_person(public, char, terms) for char in family(public, seat)]
    if max(map(len, people), default=0) >= _HALF:
        yield from (f"  {person}" for person in people)
        return
    half = (len(people) + 1) // 2
    for one, other in zip_longest(people[:half], people[half:], fillvalue=""):
        yield f"  {one.ljust(_HALF)}{other}".rstrip()


def _person(public: Public, char: int, terms: Terms) -> str:
    """`1F2 age 3 bow+rule+folly, acted`; the sex stands in the name."""
    traits = "+".join(terms[f"trait.{TRAITS[trait]}"] for trait in public.traits[char])
    flag = "new" if public.fresh[char] else "acted" if public.acted[char] else ""
    said = f"{CHARACTERS[char]} {terms['word.age']} {public.red[char]} {traits}"
    return f"{said}, {terms[f'word.{flag}']}" if flag else said


def _line(label: str, items: Iterable[str]) -> list[str]:
    """Items behind a label, on as many lines as they need; none is torn."""
    joined = ", ".join(item.replace(" ", "\0") for item in items) or "-"
    return _wrapped(f"  {label}".ljust(_LABEL).replace(" ", "\0") + joined, " " * _LABEL)


def _wrapped(line: str, indent: str) -> list[str]:
    lines = wrap(line, _WIDTH, subsequent_indent=indent, break_on_hyphens=False)
    return [part.replace("\0", " ") for part in lines]
