"""What happened, as a compact log inside and as `Event`s for those who ask (Aristoocrazy R36, R37).

Whoever changes the table appends an `Entry`; nothing is rendered before `render`. What only some may know is
logged twice, once in full for those who know it and once without for the others, so that every seat sees as
many events as every other. A re-roll that is not made leaves no event (Aristoocrazy R8).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any, Final

from referee.game import Event, Seat
from referee.games.aristoocrazy.actions import text
from referee.games.aristoocrazy.data import CHARACTERS, FIELDS, TRAITS, data
from referee.games.aristoocrazy.state import NOBODY, OCCASIONS, UNSEEN, Entry, Table
from referee.games.aristoocrazy.variants import AristoocrazyVariant

Body = dict[str, Any]
Render = Callable[[AristoocrazyVariant, Any], Body]


def char_name(char: int) -> str | None:
    """`0M1`; None for nobody."""
    return None if char == NOBODY else CHARACTERS[char]


def seat_or_none(seat: int) -> int | None:
    """The seat; None for nobody."""
    return None if seat == NOBODY else seat


def trait_names(traits: Iterable[int]) -> list[str]:
    """The traits in notation, in the same order."""
    return [TRAITS[trait] for trait in traits]


def counts(stash: Sequence[int]) -> dict[str, int]:
    """Tokens by trait, those of which there are none left out."""
    return {TRAITS[trait]: count for trait, count in enumerate(stash) if count}


@cache
def card_ids() -> tuple[str, ...]:
    """How action cards are written, by number."""
    return tuple(card.id for card in data().actions)


def card_names(cards: Iterable[int]) -> list[str]:
    """Action cards in notation."""
    return [card_ids()[card] for card in cards]


def row_body(variant: AristoocrazyVariant, row: Iterable[int]) -> list[Body]:
    """The row of event cards, those face down without their names (Aristoocrazy R10)."""
    return [{"id": None if card == UNSEEN else variant.events[card].id, "up": card != UNSEEN} for card in row]


def log(table: Table, kind: int, data: Any = ()) -> None:
    """Log what all may know."""
    table.log.append((kind, (), data))


def log_secret(table: Table, kind: int, knowers: Sequence[int], full: Any, bare: Any) -> None:
    """Log `full` for those who know and `bare` for the others."""
    table.log.append((kind, tuple(sorted(knowers)), full))
    others = tuple(seat for seat in range(table.public.players) if seat not in knowers)
    if others:
        table.log.append((kind, others, bare))


def render(variant: AristoocrazyVariant, entry: Entry) -> Event:
    """The event that an entry of the log stands for."""
    kind, knowers, data = entry
    name, body = EVENTS[kind]
    return Event(name, body(variant, data), tuple(map(Seat, knowers)) if knowers else None)


def _setup(variant: AristoocrazyVariant, pairs: Any) -> Body:
    return {"houses": [{"man": trait_names(man), "woman": trait_names(woman)} for man, woman in pairs]}


def _round(variant: AristoocrazyVariant, data: Any) -> Body:
    number, order, row = data
    return {"round": number, "order": list(order), "row": row_body(variant, row)}


def _seat(variant: AristoocrazyVariant, seat: Any) -> Body:
    return {"seat": seat}


def _moved(variant: AristoocrazyVariant, data: Any) -> Body:
    char, start, end, why = data
    return {"char": CHARACTERS[char], "from": FIELDS[start], "to": FIELDS[end], "why": why}


def _crest(variant: AristoocrazyVariant, data: Any) -> Body:
    field, owner = data
    return {"field": FIELDS[field], "owner": seat_or_none(owner)}


def _courtship(variant: AristoocrazyVariant, data: Any) -> Body:
    char, field, partner = data
    return {"char": CHARACTERS[char], "field": FIELDS[field], "partner": char_name(partner)}


def _consent(variant: AristoocrazyVariant, data: Any) -> Body:
    seat, given = data
    return {"seat": seat, "consent": given}


def _taken(variant: AristoocrazyVariant, data: Any) -> Body:
    seat, why, char, count, traits = data
    return {
        "seat": seat, "why": why, "char": char_name(char), "count": count,
        "traits": trait_names(traits) if traits else None,
    }  # fmt: skip


def _spent(variant: AristoocrazyVariant, data: Any) -> Body:
    seat, why, stash = data
    return {"seat": seat, "why": why, "tokens": counts(stash)}


def _rolled(variant: AristoocrazyVariant, data: Any) -> Body:
    seat, die, dice, traits = data
    return {"seat": seat, "die": OCCASIONS[die], "dice": list(dice), "traits": trait_names(traits)}


def _rerolled(variant: AristoocrazyVariant, data: Any) -> Body:
    seat, at, dice, traits = data
    return {"seat": seat, "number": at + 1, "dice": list(dice), "traits": trait_names(traits)}


def _born(variant: AristoocrazyVariant, data: Any) -> Body:
    char, field, traits, why, parents = data
    return {
        "char": CHARACTERS[char], "field": FIELDS[field], "traits": trait_names(traits), "why": why,
        "parents": [char_name(parent) for parent in parents],
    }  # fmt: skip


def _attack(variant: AristoocrazyVariant, data: Any) -> Body:
    char, field, defender, defenders = data
    return {
        "char": CHARACTERS[char], "field": FIELDS[field], "defender": defender,
        "defenders": [CHARACTERS[other] for other in defenders],
    }  # fmt: skip


def _committed(variant: AristoocrazyVariant, data: Any) -> Body:
    taught, playable = data
    return {"taught": [trait_names(traits) for traits in taught], "playable": list(playable)}


def _laid(variant: AristoocrazyVariant, data: Any) -> Body:
    traits, wins = data
    return {"traits": trait_names(traits), "wins": list(wins)}


def _battle(variant: AristoocrazyVariant, data: Any) -> Body:
    winner, wins, committed = data
    return {
        "winner": seat_or_none(winner),
        "wins": list(wins),
        "committed": [counts(stash) for stash in committed],
    }


def _chip(variant: AristoocrazyVariant, data: Any) -> Body:
    char, red, by = data
    return {"char": CHARACTERS[char], "red": red, "by": seat_or_none(by)}


def _died(variant: AristoocrazyVariant, data: Any) -> Body:
    char, by = data
    return {"char": CHARACTERS[char], "by": seat_or_none(by)}


def _aftermath(variant: AristoocrazyVariant, data: Any) -> Body:
    seat, action = data
    return {"seat": seat, "action": text(action)}


def _stolen(variant: AristoocrazyVariant, data: Any) -> Body:
    seat, victim, trait = data
    return {"seat": seat, "from": victim, "trait": None if trait == UNSEEN else TRAITS[trait]}


def _card(variant: AristoocrazyVariant, data: Any) -> Body:
    seat, card, action = data
    return {"seat": seat, "card": card_names([card])[0], "action": None if action == UNSEEN else text(action)}


def _drew(variant: AristoocrazyVariant, data: Any) -> Body:
    seat, card = data
    return {"seat": seat, "card": None if card == UNSEEN else card_names([card])[0]}


def _reshuffled(variant: AristoocrazyVariant, count: Any) -> Body:
    return {"deck": count}


def _spied(variant: AristoocrazyVariant, data: Any) -> Body:
    seat, of, stash, hand = data
    return {
        "seat": seat, "of": of,
        "stash": None if stash is None else counts(stash),
        "hand": None if hand is None else card_names(hand),
    }  # fmt: skip


def _healed(variant: AristoocrazyVariant, data: Any) -> Body:
    char, red = data
    return {"char": CHARACTERS[char], "red": red}


def _tutored(variant: AristoocrazyVariant, data: Any) -> Body:
    char, traits = data
    return {"char": CHARACTERS[char], "traits": trait_names(traits)}


def _row(variant: AristoocrazyVariant, row: Any) -> Body:
    return {"row": row_body(variant, row)}


def _event(variant: AristoocrazyVariant, card: Any) -> Body:
    return {"event": variant.events[card].id}


def _by_seat(name: str) -> Render:
    def body(variant: AristoocrazyVariant, values: Any) -> Body:
        return {name: list(values)}

    return body


def _paid(variant: AristoocrazyVariant, data: Any) -> Body:
    return {"paid": [counts(stash) for stash in data]}


def _award(variant: AristoocrazyVariant, data: Any) -> Body:
    card, seat, vp = data
    return {"event": variant.events[card].id, "seat": seat, "vp": vp}


def _end(variant: AristoocrazyVariant, data: Any) -> Body:
    vp, ranks = data
    return {"vp": list(vp), "ranks": list(ranks)}


EVENTS: Final[tuple[tuple[str, Render], ...]] = (
    ("setup", _setup),
    ("round", _round),
    ("turn", _seat),
    ("use_phase", _seat),
    ("moved", _moved),
    ("crest", _crest),
    ("courtship", _courtship),
    ("consent", _consent),
    ("taken", _taken),
    ("spent", _spent),
    ("rolled", _rolled),
    ("rerolled", _rerolled),
    ("born", _born),
    ("attack", _attack),
    ("committed", _committed),
    ("laid", _laid),
    ("battle", _battle),
    ("chip", _chip),
    ("died", _died),
    ("aftermath", _aftermath),
    ("stolen", _stolen),
    ("card", _card),
    ("drew", _drew),
    ("reshuffled", _reshuffled),
    ("spied", _spied),
    ("healed", _healed),
    ("tutored", _tutored),
    ("row", _row),
    ("event", _event),
    ("measures", _by_seat("measures")),
    ("bids", _by_seat("bids")),
    ("due", _by_seat("due")),
    ("paid", _paid),
    ("award", _award),
    ("end", _end),
)
"""The kind of event that each kind of entry becomes, and how its body is made of the entry's data."""

# Indexes into EVENTS.
SETTLED: Final = 0
ROUND: Final = 1
TURN: Final = 2
USE_PHASE: Final = 3
MOVED: Final = 4
CREST: Final = 5
COURTSHIP: Final = 6
CONSENT: Final = 7
TAKEN: Final = 8
SPENT: Final = 9
ROLLED: Final = 10
REROLLED: Final = 11
BORN: Final = 12
ATTACK: Final = 13
COMMITTED: Final = 14
LAID: Final = 15
BATTLE: Final = 16
CHIP: Final = 17
DIED: Final = 18
AFTERMATH: Final = 19
STOLEN: Final = 20
CARD: Final = 21
DREW: Final = 22
RESHUFFLED: Final = 23
SPIED: Final = 24
HEALED: Final = 25
TUTORED: Final = 26
ROW: Final = 27
EVENT: Final = 28
MEASURES: Final = 29
BIDS: Final = 30
DUE: Final = 31
PAID: Final = 32
AWARD: Final = 33
END: Final = 34
