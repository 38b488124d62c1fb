"""Characters and land: who stands where, who comes, ages and dies, whose field it is (Aristoocrazy R1, R4, R16 to R29)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.games.aristoocrazy.data import EACH_SEX, FAMILY, FOLLY
from referee.games.aristoocrazy.events import BORN, CHIP, CREST, DIED, MOVED, log
from referee.games.aristoocrazy.state import NOBODY, SUPPLY, Public, Table

DEADLY: Final = 5
"""The red chip with which a character dies (Aristoocrazy R28)."""


def house_of(char: int) -> int:
    """The seat that a character belongs to."""
    return char // FAMILY


def sex_of(char: int) -> int:
    """0 for men, 1 for women."""
    return char % FAMILY // EACH_SEX


def family(public: Public, seat: int) -> list[int]:
    """The characters of a house that are on the board, ascending."""
    where = public.where
    return [char for char in range(FAMILY * seat, FAMILY * seat + FAMILY) if where[char] != SUPPLY]


def in_supply(public: Public, seat: int, sex: int) -> int:
    """The lowest-numbered character of that sex in supply. ValueError where there is none."""
    first = FAMILY * seat + EACH_SEX * sex
    return public.where.index(SUPPLY, first, first + EACH_SEX)


def has_place(public: Public, field: int) -> bool:
    """Whether one more can stand there."""
    return len(public.at[field]) < public.variant.board.places[field]


def own_fields(public: Public, seat: int) -> list[int]:
    """The fields of a house, in alphabetical order."""
    return [field for field in public.variant.board.fields if public.owner[field] == seat]


def cradles(public: Public, seat: int, field: int) -> list[int]:
    """Own fields next to `field` that have a place: where an heir can come, or who flees can go (R18, R26)."""
    owner = public.owner
    return [
        near
        for near in public.variant.board.adjacent[field]
        if owner[near] == seat and has_place(public, near)
    ]


def sexes_in_supply(public: Public, seat: int) -> list[int]:
    """The sexes of which the house has a character to come, men first."""
    where, first = public.where, FAMILY * seat
    sexes = [0] if SUPPLY in where[first : first + EACH_SEX] else []
    return [*sexes, 1] if SUPPLY in where[first + EACH_SEX : first + FAMILY] else sexes


def may_bear(public: Public, seat: int) -> bool:
    """Whether the house can have an heir, if there is a place for it (Aristoocrazy R18)."""
    limit = public.variant.max_heirs
    return not (limit and public.heirs_born[seat] >= limit) and bool(sexes_in_supply(public, seat))


def heir_possible(public: Public, seat: int, field: int) -> bool:
    """Whether a conception on `field` can give the house an heir (Aristoocrazy R18)."""
    return may_bear(public, seat) and bool(cradles(public, seat, field))


def fold(traits: Sequence[int]) -> tuple[int, ...]:
    """Three rolled traits as a character has them: what repeats, and folly, is folly (Aristoocrazy R6).

    >>> fold((1, 1, 9)), fold((0, 4, 7))
    ((1, 9, 9), (0, 4, 7))
    """
    result: list[int] = []
    for trait in traits:
        result.append(FOLLY if trait in result else trait)
    return tuple(result)


def arrive(
    table: Table, char: int, field: int, traits: tuple[int, ...], why: str, parents: Sequence[int]
) -> None:
    """A character comes out of supply and stands on `field`; only one that is restored may act at once."""
    public = table.public
    public.traits[char], public.red[char] = traits, 0
    public.acted[char] = public.fresh[char] = why != "restored"
    _stand(public, char, field)
    log(table, BORN, (char, field, traits, why, tuple(parents)))


def put(public: Public, char: int, field: int, traits: tuple[int, ...]) -> None:
    """Set a character up, without a word."""
    public.traits[char] = traits
    _stand(public, char, field)


def move(table: Table, char: int, field: int, why: str) -> None:
    """A character goes to another field."""
    public = table.public
    start = public.where[char]
    _leave(public, char)
    _stand(public, char, field)
    log(table, MOVED, (char, start, field, why))


def _stand(public: Public, char: int, field: int) -> None:
    public.where[char] = field
    public.at[field] = tuple(sorted((*public.at[field], char)))


def _leave(public: Public, char: int) -> None:
    field = public.where[char]
    public.where[char] = SUPPLY
    public.at[field] = tuple(other for other in public.at[field] if other != char)


def chip(table: Table, char: int, by: int = NOBODY) -> None:
    """One red chip; the fifth is death. An opponent that caused it is credited (Aristoocrazy R27, R28)."""
    public = table.public
    public.red[char] += 1
    log(table, CHIP, (char, public.red[char], by))
    if by != NOBODY:
        public.wounds[by] += 1
    if public.red[char] >= DEADLY:
        die(table, char, by)


def die(table: Table, char: int, by: int = NOBODY) -> None:
    """Back to supply, without traits and chips."""
    public = table.public
    _leave(public, char)
    public.traits[char], public.red[char] = (), 0
    public.acted[char] = public.fresh[char] = False
    if by != NOBODY:
        public.trophies[by] += 1
    log(table, DIED, (char, by))


def claim(table: Table, field: int, seat: int) -> None:
    """A crest of `seat` on a neutral field (Aristoocrazy R16, R20)."""
    public = table.public
    public.owner[field] = seat
    public.crests[seat] -= 1
    public.gained_land[seat] = True
    log(table, CREST, (field, seat))


def capture(table: Table, field: int, char: int) -> None:
    """The owner's crest goes; the captor's comes with `char`, if it has one left (Aristoocrazy R22, R25)."""
    public = table.public
    seat = house_of(char)
    public.crests[public.owner[field]] += 1
    public.owner[field] = NOBODY
    if public.crests[seat]:
        claim(table, field, seat)
        move(table, char, field, "conquest")
    else:
        log(table, CREST, (field, NOBODY))
