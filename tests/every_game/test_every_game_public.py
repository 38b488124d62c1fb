"""What somebody knows who sits in no seat: a part of every view, and the same whatever others hold in secret."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from referee.game import Game, Seat, State
from referee.games import game_of
from referee.games.aristoocrazy.game import AristoocrazyState
from referee.games.claim.game import ClaimState
from tests.every_game.game_walks import PAIRS, walk

EVERY = 23
"""Actions between positions that are looked at: of a trick, a battle or a round each has a place now and then."""
every_variant = pytest.mark.parametrize(("game", "id"), PAIRS, ids=[id for _, id in PAIRS])


def plain(value: Any) -> Any:
    """As JSON has it."""
    return json.loads(json.dumps(value))


def lies_in(part: Any, whole: Any) -> bool:
    """Whether all that a value says another one says, too, at the same place."""
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and lies_in(one, whole[key]) for key, one in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) == len(whole) and all(lies_in(*pair) for pair in zip(part, whole, strict=True))
    return bool(part == whole)


def leaks(game: Game, state: State, rng: random.Random) -> Iterator[str]:
    """What is wrong with what a state says to all."""
    public = plain(state.public())
    for seat in map(Seat, range(game.variant(public["variant"]).players)):
        view = plain(state.view(seat))
        if not lies_in(public, view):
            yield f"not in the view of seat {seat}"
        if plain(game.sample(view, rng).public()) != public:
            yield f"another world of seat {seat} says something else"


@every_variant
def test_what_is_public_lies_in_every_view_and_is_the_same_in_every_world(game: Game, id: str) -> None:
    rng = random.Random(id)
    for number, state in enumerate(walk(game, id, 1)):
        if number % EVERY == 0 or not state.to_act:
            assert list(leaks(game, state, rng)) == [], number


@pytest.mark.parametrize("id", ["claim", "aristoocrazy"])
def test_there_is_a_seats_view_beyond_it(id: str) -> None:
    game = game_of(id)
    state = game.setup(game.variant(id), "a seed")
    assert state.view(Seat(0)).keys() - state.public().keys() >= {"seat"}


def of_claim(state: State) -> dict[str, Any]:
    assert isinstance(state, ClaimState)
    return {"hand": sorted(state.table.private[0].hand)}


def of_aristoocrazy(state: State) -> dict[str, Any]:
    assert isinstance(state, AristoocrazyState)
    return {"sealed": state.table.private[0].sealed}


@pytest.mark.parametrize(("id", "leak"), [("claim", of_claim), ("aristoocrazy", of_aristoocrazy)])
def test_a_leak_is_found(id: str, leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    game, rng = game_of(id), random.Random(1)
    kind = type(game.setup(game.variant(id), "x"))
    plain_public = kind.public
    monkeypatch.setattr(kind, "public", lambda self: {**plain_public(self), **leak(self)})
    found = [flaw for state in walk(game, game.variant(id).id, 1) for flaw in leaks(game, state, rng)]
    assert any("not in the view" in flaw for flaw in found)
    assert any("another world" in flaw for flaw in found)
