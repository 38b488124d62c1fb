"""The board as plain text of at most 80 columns, from the public zone and the private ones it is given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import zip_longest
from textwrap import wrap
from typing import Final

from referee.games.aristoocrazy.actions import text
from referee.games.aristoocrazy.data import CHARACTERS, FIELDS, TRAITS
from referee.games.aristoocrazy.events import card_names, trait_names
from referee.games.aristoocrazy.people import family
from referee.games.aristoocrazy.state import DECISIONS, NOBODY, OVER, PHASES, SETUP, UNSEEN, Private, Public

_WIDTH: Final = 80
_LABEL: Final = 12
_CELL: Final = 15
_PERSON: Final = 39


def board(public: Public, shown: Mapping[int, Private]) -> str:
    """The position with the stashes and hands of the seats in `shown`, one line feed between lines."""
    lines = [*_heading(public), "", *_map(public)]
    for seat in range(public.players):
        lines += ["", *_house(public, seat, shown.get(seat))]
    return "\n".join(lines)


def _heading(public: Public) -> list[str]:
    where = f"round {public.round} of {public.variant.rounds}, {PHASES[public.phase]} phase"
    waits = " and ".join(map(str, public.pending))
    turn = f"seat {waits} to {DECISIONS[public.decision]}" if waits else "the game is over"
    if public.phase == OVER:
        where = f"after round {public.round}"
    if public.phase == SETUP:
        where = "set-up"
    row = [_card(public, card) for card in public.row]
    lines = [*wrap(public.variant.id, _WIDTH, break_on_hyphens=False), f"{where}; {turn}"]
    lines += _line("row", row)
    return lines + _line("evaluated", [_card(public, card) for card in public.evaluated])


def _card(public: Public, card: int) -> str:
    if card == UNSEEN:
        return "(face down)"
    event = public.variant.events[card]
    return event.id if event.id == event.name else f"{event.id} {event.name}"


def _map(public: Public) -> list[str]:
    """Fields by letter and number: `b2=0 M1F2`, owner and who stands there; `.` neutral, `#` palisade."""
    rows: dict[str, list[str]] = {}
    for field in public.variant.board.fields:
        rows.setdefault(FIELDS[field][0], []).append(_field(public, field).ljust(_CELL))
    return ["".join(cells).rstrip() for cells in rows.values()]


def _field(public: Public, field: int) -> str:
    owner = "." if public.owner[field] == NOBODY else str(public.owner[field])
    palisade = "#" if field in public.palisades else ""
    people = "".join(CHARACTERS[char][1:] for char in public.at[field])
    home = "*" if field in public.variant.board.homes else ""
    return f"{FIELDS[field]}{home}={owner}{palisade} {people}".rstrip()


def _house(public: Public, seat: int, private: Private | None) -> list[str]:
    mark = ">" if seat in public.pending else " "
    vp = f"{public.vp[seat]} VP, " if private or public.variant.public_vp or public.phase == OVER else ""
    counts = (
        f"{vp}crests {public.crests[seat]}, tokens {public.size[seat]}, cards {public.cards_held[seat]}, "
        f"trophies {public.trophies[seat]}, wounds {public.wounds[seat]}"
    )
    lines = [f"{mark}seat {seat}: {counts}"]
    if private:
        lines += _line("stash", [f"{TRAITS[trait]}:{n}" for trait, n in enumerate(private.stash) if n])
        lines += _line("hand", card_names(private.hand)) if public.variant.actions else []
        lines += [] if private.sealed == UNSEEN else _line("sealed", [text(private.sealed)])
    return lines + _people(public, seat)


def _people(public: Public, seat: int) -> list[str]:
    people = [_person(public, char) for char in family(public, seat)]
    half = (len(people) + 1) // 2
    pairs = zip_longest(people[:half], people[half:], fillvalue="")
    return [f"  {one.ljust(_PERSON)}{other}".rstrip() for one, other in pairs]


def _person(public: Public, char: int) -> str:
    flags = " new" if public.fresh[char] else " acted" if public.acted[char] else ""
    traits = "+".join(trait_names(public.traits[char]))
    return f"{CHARACTERS[char]} {traits} {public.red[char]}{flags}"


def _line(label: str, words: Iterable[str]) -> list[str]:
    head = f"  {label}".ljust(_LABEL)
    joined = ", ".join(words) or "-"
    return wrap(joined, _WIDTH, initial_indent=head, subsequent_indent=" " * _LABEL, break_on_hyphens=False)
