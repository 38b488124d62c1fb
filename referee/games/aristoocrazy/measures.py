"""What events compare and ask (Aristoocrazy R33, Q3): the names of the data file, each with its function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from referee.games.aristoocrazy.data import FOLLY
from referee.games.aristoocrazy.people import family, own_fields, sex_of
from referee.games.aristoocrazy.state import NOBODY, Public

Measure = Callable[[Public, int], int]
Condition = Callable[[Public, int], bool]


def characters(public: Public, seat: int) -> int:
    """Characters on the board (E01)."""
    return len(family(public, seat))


def fields(public: Public, seat: int) -> int:
    """Fields owned, home included (E02)."""
    return public.owner.count(seat)


def largest_realm(public: Public, seat: int) -> int:
    """The largest connected group of own fields (E03)."""
    left, largest = set(own_fields(public, seat)), 0
    while left:
        group = [left.pop()]
        for field in group:
            near = left.intersection(public.variant.board.adjacent[field])
            left -= near
            group += near
        largest = max(largest, len(group))
    return largest


def women(public: Public, seat: int) -> int:
    """Women on the board (E04)."""
    return sum(map(sex_of, family(public, seat)))


def men(public: Public, seat: int) -> int:
    """Men on the board (E05)."""
    return characters(public, seat) - women(public, seat)


def red_chips(public: Public, seat: int) -> int:
    """Red chips on own living characters (E06)."""
    return sum(public.red[char] for char in family(public, seat))


def unmarked(public: Public, seat: int) -> int:
    """Own characters without a red chip (E07)."""
    return sum(not public.red[char] for char in family(public, seat))


def different_traits(public: Public, seat: int) -> int:
    """Different traits in the family, folly apart (E08)."""
    return len({trait for char in family(public, seat) for trait in public.traits[char]} - {FOLLY})


def without_folly(public: Public, seat: int) -> int:
    """Characters without folly (E09)."""
    return sum(FOLLY not in public.traits[char] for char in family(public, seat))


def folly_slots(public: Public, seat: int) -> int:
    """Slots of the family that are folly (E10)."""
    return sum(public.traits[char].count(FOLLY) for char in family(public, seat))


def trophies(public: Public, seat: int) -> int:
    """Deaths credited to the house (E11)."""
    return public.trophies[seat]


def wounds(public: Public, seat: int) -> int:
    """Red chips credited to the house (E12)."""
    return public.wounds[seat]


def frontier(public: Public, seat: int) -> int:
    """Own fields next to a field of another house (E13)."""
    adjacent, owner = public.variant.board.adjacent, public.owner
    return sum(
        any(owner[near] not in (NOBODY, seat) for near in adjacent[field])
        for field in own_fields(public, seat)
    )


def heirs_born(public: Public, seat: int) -> int:
    """Heirs born this round (E14)."""
    return public.heirs_born[seat]


def away_from_home(public: Public, seat: int) -> int:
    """Characters not on their home (E15)."""
    return characters(public, seat) - len(public.at[public.variant.board.homes[seat]])


def battles_won(public: Public, seat: int) -> int:
    """Battles won so far (Q3)."""
    return public.battles_won[seat]


MEASURES: Final[dict[str, Measure]] = {
    measure.__name__: measure
    for measure in (
        characters, fields, largest_realm, women, men, red_chips, unmarked, different_traits, without_folly,
        folly_slots, trophies, wounds, frontier, heirs_born, away_from_home, battles_won,
    )
}  # fmt: skip


def as_many_men_as_women(public: Public, seat: int) -> bool:
    """As many men as women, and three of each at least (E31)."""
    return men(public, seat) == women(public, seat) >= 3


def no_attack(public: Public, seat: int) -> bool:
    """No attack declared this round (E32)."""
    return not public.attacked[seat]


def new_land(public: Public, seat: int) -> bool:
    """A field gained this round (E33)."""
    return public.gained_land[seat]


CONDITIONS: Final[dict[str, Condition]] = {
    condition.__name__: condition for condition in (as_many_men_as_women, no_attack, new_land)
}
