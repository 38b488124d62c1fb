"""Views and actions as numbers, for learning: the same in PettingZoo, in OpenSpiel and in a bot.

An encoding is made of a view and of texts of actions alone, which is all that a bot is sent; what a seat may not
know cannot get in. Needs numpy, and neither PettingZoo nor OpenSpiel.

Seats are counted from the observer's own: 0 is itself, 1 sits after it. So one network plays every seat.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from arena.errors import InputError
from referee.game import Outcome, Variant, VariantError
from referee.games import game_of

View = Mapping[str, Any]
Told = tuple[str, Mapping[str, Any]]
"""An event as a bot is told it: kind and body."""
Vector = NDArray[np.float32]
Mask = NDArray[np.int8]

VERSION: Final = 1
"""Raised where a number of an action, or the place of a number in an observation, gets another meaning."""

EXTRA: Final = "pip install 'kingmaker[rl]'"
"""What brings PettingZoo and OpenSpiel."""

_HOMES: Final = {"claim": "claim", "aristoocrazy": "aristoocrazy"}
"""The module beside this one that has the class `Encoded` of each game."""


class Encoding(ABC):
    """How one variant is told in numbers. Has no state: one serves all seats and games."""

    names: tuple[str, ...]
    """What each number of an observation is; its length is the observation's."""
    past: tuple[str, ...] = ()
    """What each number of `recall` is; none where a game's past has no length that is known beforehand."""
    low: float
    high: float
    """No number of an observation is outside of these."""
    actions: int
    """Actions are numbered from 0 to this, not included. Most are never legal at the same time."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.players = variant.players
        self._zeros = b""

    @abstractmethod
    def label(self, number: int, seat: int) -> str:
        """The action in the game's notation, as `seat` would write it. IndexError where there is no such number."""

    @abstractmethod
    def number(self, text: str, seat: int) -> int:
        """The number of an action that `seat` may write so. KeyError where it never may."""

    @abstractmethod
    def fill(self, vector: array[float], view: View) -> None:
        """Write an observation of `view` over zeros."""

    def observation(self, view: View) -> Vector:
        """What the seat of `view` knows, as float32 of shape (len(names),)."""
        vector = array("f", self._zeros or self._nothing())
        self.fill(vector, view)
        return np.frombuffer(vector, np.float32)

    def recall(self, seat: int, events: Iterable[Told]) -> Vector:
        """What `seat` was told from the start on, as float32 of shape (len(past),): with an observation, perfect recall."""
        return np.zeros(len(self.past), np.float32)

    def legal(self, texts: Iterable[str], seat: int) -> dict[int, str]:
        """Legal actions by number, in the order of `texts`."""
        return {self.number(text, seat): text for text in texts}

    def mask(self, numbers: Iterable[int]) -> Mask:
        """1 for each of `numbers`, else 0; int8 of shape (actions,)."""
        mask = np.zeros(self.actions, np.int8)
        mask[list(numbers)] = 1
        return mask

    def _nothing(self) -> bytes:
        self._zeros = bytes(4 * len(self.names))
        return self._zeros


@cache
def encoding(variant: str) -> Encoding:
    """The encoding of a variant, by its id or alias. Raises InputError where there is no such variant."""
    found = variant_of(variant)
    home = import_module(f"arena.rl.{_HOMES[found.id.split('/')[0]]}")
    made: Encoding = home.Encoded(found)
    return made


def variant_of(id: str) -> Variant:
    """The variant of an id or alias. Raises InputError: what is wrong, and what is known."""
    try:
        return game_of(id).variant(id)
    except VariantError as error:
        raise InputError(str(error), "`arena variants` lists them", "E219") from error


def by_place(outcome: Outcome) -> list[float]:
    """By seat: of the seats of other teams, the share that it placed before, less the share that placed before it.

    From -1 to 1; the sum is 0, and partners have the same. Two sides: 1, 0 or -1.

    >>> by_place(Outcome((0, 1, 2), (4, 1, 0), (0, 1, 2)))
    [1.0, 0.0, -1.0]
    """
    return [
        sum((rank > own) - (rank < own) for rank in others) / len(others)
        for own, others in zip(outcome.ranks, _others(outcome, outcome.ranks), strict=True)
    ]


def by_score(outcome: Outcome) -> list[float]:
    """By seat: its score, less the mean score of the seats of other teams. The sum is 0.

    >>> by_score(Outcome((0, 1, 2), (4, 1, 0), (0, 1, 2)))
    [3.5, -1.0, -2.5]
    """
    others = _others(outcome, outcome.scores)
    return [own - sum(rest) / len(rest) for own, rest in zip(outcome.scores, others, strict=True)]


def _others(outcome: Outcome, values: tuple[int, ...]) -> list[list[int]]:
    """By seat, the values of all seats of other teams."""
    return [
        [value for value, other in zip(values, outcome.teams, strict=True) if other != team]
        for team in outcome.teams
    ]


REWARDS: Final = {"places": by_place, "scores": by_score}
"""What a game is worth to each seat in the end, both zero-sum."""
