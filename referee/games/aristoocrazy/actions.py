"""Actions as numbers inside and as text at the edge (Aristoocrazy R39).

An action is its kind and up to three numbers (characters, fields, traits, seats, counts) in ten bits each.

>>> text(act(MOVE, 0, 6)), text(act(COMMIT, 1, 0, 2)), text(act(DRAFT, 0, 1, 4)), text(act(END))
('move:0M1:b2', 'commit:1,0,2', 'traits:bow+sword+rule', 'end')
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Final, NamedTuple

from referee.games.aristoocrazy.data import CHARACTERS, FIELDS, FOLLY, SEXES, TRAITS

_BITS: Final = 10
_MASK: Final = (1 << _BITS) - 1

NUMBERS: Final = tuple(map(str, range(1 << _BITS)))
FOURS: Final = tuple(combinations(range(FOLLY), 4))
"""The sets of four different tokens, none folly, in canonical order (Aristoocrazy E27)."""
_FOUR_TEXTS: Final = tuple("+".join(TRAITS[trait] for trait in four) for four in FOURS)


class Kind(NamedTuple):
    """How the actions of a kind are written: a head, then each number by its table."""

    head: str
    tables: tuple[Sequence[str], ...] = ()
    joint: str = ":"


_TO: Final = (CHARACTERS, FIELDS)

KINDS: Final = (
    Kind("end"),
    Kind("move", _TO),
    Kind("occupy", _TO),
    Kind("court_neutral", _TO),
    Kind("court", (CHARACTERS, FIELDS, CHARACTERS)),
    Kind("attack", _TO),
    Kind("exchange", (TRAITS,)),
    Kind("use", (CHARACTERS, TRAITS)),
    Kind("keep"),
    Kind("die", (NUMBERS,)),
    Kind("heir", (SEXES, FIELDS)),
    Kind("no"),
    Kind("yes"),
    Kind("take", (TRAITS,)),
    Kind("commit", (NUMBERS, NUMBERS, NUMBERS), ","),
    Kind("qcommit:none"),
    Kind("qcommit", (TRAITS, NUMBERS)),
    Kind("lay", (TRAITS,)),
    Kind("expel"),
    Kind("plunder"),
    Kind("betroth", (CHARACTERS,)),
    Kind("to", (FIELDS,)),
    Kind("bid", (NUMBERS,)),
    Kind("pass"),
    Kind("pay"),
    Kind("pay", (_FOUR_TEXTS,)),
    Kind("pay", (NUMBERS,)),
    Kind("age", (CHARACTERS,)),
    Kind("sex", (SEXES,)),
    Kind("traits", (TRAITS, TRAITS, TRAITS), "+"),
    Kind("card:march", _TO),
    Kind("card:elixir", (CHARACTERS,)),
    Kind("card:tutor", (CHARACTERS, TRAITS)),
    Kind("card:tithe", (TRAITS,)),
    Kind("card:spy", (NUMBERS,)),
    Kind("card:pickpocket", (NUMBERS,)),
    Kind("card:mercenaries"),
    Kind("card:palisade", (FIELDS,)),
    Kind("card:cousin", (SEXES,)),
    Kind("card:scandal", (CHARACTERS,)),
    Kind("card:chancellor"),
    Kind("card:deed", (FIELDS,)),
)
# Indexes into KINDS, each a constant of its own, so that a compiler knows it.
END: Final = 0
MOVE: Final = 1
OCCUPY: Final = 2
COURT_NEUTRAL: Final = 3
COURT: Final = 4
ATTACK: Final = 5
EXCHANGE: Final = 6
USE: Final = 7
KEEP: Final = 8
DIE: Final = 9
HEIR: Final = 10
NO: Final = 11
YES: Final = 12
TAKE: Final = 13
COMMIT: Final = 14
QCOMMIT_NONE: Final = 15
QCOMMIT: Final = 16
LAY: Final = 17
EXPEL: Final = 18
PLUNDER: Final = 19
BETROTH: Final = 20
TO: Final = 21
BID: Final = 22
PASS: Final = 23
PAY: Final = 24
PAY_FOUR: Final = 25
PAY_SOME: Final = 26
AGE: Final = 27
SEX: Final = 28
DRAFT: Final = 29
MARCH: Final = 30
ELIXIR: Final = 31
TUTOR: Final = 32
TITHE: Final = 33
SPY: Final = 34
PICKPOCKET: Final = 35
MERCENARIES: Final = 36
PALISADE: Final = 37
COUSIN: Final = 38
SCANDAL: Final = 39
CHANCELLOR: Final = 40
DEED: Final = 41


def act(kind: int, a: int = 0, b: int = 0, c: int = 0) -> int:
    """The action of a kind with its numbers."""
    return (kind << 3 * _BITS) + (a << 2 * _BITS) + (b << _BITS) + c


def kind_of(action: int) -> int:
    """Its kind."""
    return action >> 3 * _BITS


def numbers(action: int) -> tuple[int, int, int]:
    """Its three numbers; those that its kind has not are 0."""
    return action >> 2 * _BITS & _MASK, action >> _BITS & _MASK, action & _MASK


@cache
def text(action: int) -> str:
    """How it is written. IndexError for what is no action."""
    head, tables, joint = KINDS[kind_of(action)]
    words = [table[number] for table, number in zip(tables, numbers(action), strict=False)]
    return f"{head}:{joint.join(words)}" if words else head
