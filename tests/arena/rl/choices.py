"""Which variants the tests of adapters take, and random games of them."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from _pytest.mark import ParameterSet

from referee.game import Game, State
from referee.games import GAMES, game_of

FEW = ("claim/2p/GK-UWX", "claim/4p/NA-UWXDS", "aristoocrazy/2p/classic", "aristoocrazy/3p/quick2013")
EVERY = [id for game in GAMES.values() for id in game.variants()]

few_variants = pytest.mark.parametrize("id", FEW)


def some_of_every(*ids: str) -> list[ParameterSet]:
    """Every variant, those but `ids` with the mark `long`."""
    return [pytest.param(id, marks=() if id in ids else pytest.mark.long) for id in EVERY]


every_variant = pytest.mark.parametrize("id", some_of_every(*FEW))


def walk(id: str, seed: int) -> Iterator[State]:
    """The same state before each decision of a random game, and at its end."""
    game: Game = game_of(id)
    rng = random.Random(seed)
    state = game.setup(game.variant(id), f"numbers {seed}")
    while state.to_act:
        yield state
        seat = state.to_act[0]
        state.apply(seat, rng.choice(state.legal(seat)))
    yield state
