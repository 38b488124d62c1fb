"""Aristoocrazy in numbers: its actions. docs/learning.md lists them, and the blocks of an observation.

The vocabulary is finite: every action that a house can ever be offered has a number, a few thousand in all. Fields
are those of the board; characters and houses are counted from the seat's own. A courtship is told by who courts
whom, since the field of the second follows.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import Final

from arena.rl.coding import Encoding, View
from arena.rl.layout import Layout
from arena.rl.manor import Manor
from referee.game import Variant
from referee.games.aristoocrazy.data import FIELDS, SEXES, TRAITS
from referee.games.aristoocrazy.variants import AristoocrazyVariant

MOST: Final = 9
"""Tokens of a trait in a battle (Aristoocrazy R23, R39)."""
TOKENS: Final = 512
"""More than a house can own of one trait.

In a turn it gets at most 12: ten by what its characters do, plunder among it, and two by a tithe. In another's turn it
gets at most ten dowries. That is 42 a round with four houses, and 504 in 12 rounds.
"""
_COMBAT: Final = ("bow", "sword", "magic")
_ALONE: Final = ("end", "keep", "no", "yes", "expel", "plunder", "pass", "pay")
_DUE: Final = 5
"""Tokens due in a hazard: half of ten characters."""


class Encoded(Encoding):
    """An encoding of Aristoocrazy: a function of the number of players, and of classic or quick2013."""

    low = -float(TOKENS)
    high = float(TOKENS)

    def __init__(self, variant: Variant) -> None:
        assert isinstance(variant, AristoocrazyVariant)
        super().__init__(variant)
        fields = tuple(FIELDS[field] for field in variant.board.fields)
        words = [Words(seat, self.players, fields) for seat in range(self.players)]
        self._labels = [(*own.both(), *(own.quick() if variant.quick else own.classic())) for own in words]
        self._numbers = [{text: number for number, text in enumerate(labels)} for labels in self._labels]
        self.actions = len(self._labels[0])
        layout = Layout()
        self._manor = Manor(variant, layout)
        self.names = tuple(layout.names)

    def label(self, number: int, seat: int) -> str:
        """As the action is written, but `court:0M1:1F2`: the field, which is that of 1F2, is left out."""
        return self._labels[seat][number]

    def number(self, text: str, seat: int) -> int:
        """By a dictionary; a courtship may be written with its field or without."""
        if text.startswith("court:"):
            head, suitor, *_, partner = text.split(":")
            text = f"{head}:{suitor}:{partner}"
        return self._numbers[seat][text]

    def fill(self, vector: array[float], view: View) -> None:
        """What the board, the houses and the decision under way are."""
        self._manor.fill(vector, view)


class Words:
    """The vocabulary of a seat. The order is part of what is published (`coding.VERSION`)."""

    def __init__(self, seat: int, players: int, fields: tuple[str, ...]) -> None:
        self._houses = [(seat + place) % players for place in range(players)]
        self._fields = fields
        self._own = _family(seat)
        self._others = [char for house in self._houses[1:] for char in _family(house)]

    def both(self) -> Iterator[str]:
        """What classic and quick2013 know."""
        yield from _ALONE[:6]
        for head in ("move", "occupy", "court_neutral", "attack"):
            yield from _written(head, self._own, self._fields)
        yield from _written("court", self._own, self._others)
        yield from _written("use", self._own, TRAITS)
        yield from _written("heir", SEXES, self._fields)
        yield from _written("sex", SEXES)
        yield from _written("take", TRAITS)
        yield from _written("betroth", self._others)
        yield from _written("to", self._fields)

    def quick(self) -> Iterator[str]:
        """What is only in quick2013 (Q4)."""
        yield "qcommit:none"
        yield from _written("qcommit", _COMBAT, range(1, TOKENS))

    def classic(self) -> Iterator[str]:
        """What is only in classic: set-up, battles, luck, events, cards."""
        yield from _ALONE[6:]
        yield from (f"traits:{'+'.join(three)}" for three in combinations(TRAITS[:-1], 3))
        yield from (f"commit:{','.join(map(str, stake))}" for stake in product(range(MOST + 1), repeat=3))
        yield from _written("lay", _COMBAT)
        yield from _written("exchange", TRAITS)
        yield from _written("die", (1, 2, 3))
        yield from _written("pay", range(_DUE + 1))
        yield from (f"pay:{'+'.join(four)}" for four in combinations(TRAITS[:-1], 4))
        yield from _written("age", self._own)
        yield from _written("bid", range(TOKENS))
        yield from self._cards()

    def _cards(self) -> Iterator[str]:
        yield from ("card:mercenaries", "card:chancellor")
        yield from _written("card:march", self._own, self._fields)
        yield from _written("card:tutor", self._own, TRAITS)
        yield from _written("card:elixir", self._own)
        yield from _written("card:scandal", self._others)
        yield from _written("card:tithe", TRAITS)
        yield from _written("card:cousin", SEXES)
        for head in ("card:spy", "card:pickpocket"):
            yield from _written(head, self._houses[1:])
        for head in ("card:palisade", "card:deed"):
            yield from _written(head, self._fields)


def _family(seat: int) -> list[str]:
    return [f"{seat}{sex}{number}" for sex in SEXES for number in range(1, 6)]


def _written(head: str, *tables: Iterable[object]) -> Iterator[str]:
    for words in product(*tables):
        yield ":".join((head, *map(str, words)))
