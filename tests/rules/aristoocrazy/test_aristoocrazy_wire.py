"""What the game makes is what the models of `wire` allow, and the models have nothing that no game makes."""

from __future__ import annotations

import json
import random
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from referee.game import Seat
from referee.games.aristoocrazy import Aristoocrazy, wire
from referee.games.aristoocrazy.events import EVENTS as KINDS
from referee.games.aristoocrazy.state import DECISIONS

GAME = Aristoocrazy()
VARIANTS = [
    *GAME.variants(),
    "aristoocrazy/3p/classic+take_visibility=closed+vp_visibility=public",
    "aristoocrazy/2p/classic+trait_set=rulebook9+setup_traits=fixed",
]


def same(model: type[wire.Wire], value: Any) -> None:
    """The model takes it, and gives it back without a field more or less."""
    text = json.dumps(value)
    read = model.model_validate_json(text)
    assert json.loads(read.model_dump_json(exclude_unset=True, by_alias=True)) == json.loads(text)


@pytest.mark.parametrize("id", VARIANTS)
def test_views_events_and_setup_are_as_modelled(id: str) -> None:
    variant = GAME.variant(id)
    same(wire.Setup, GAME.setup_info(variant))
    for number in range(3):
        rng = random.Random(number)
        state = GAME.setup(variant, f"wire {number}")
        while state.to_act:
            for seat in range(variant.players):
                same(wire.View, state.view(Seat(seat)))
            seat = rng.choice(state.to_act)
            state.apply(seat, rng.choice(state.legal(seat)))
        for event in state.events():
            same(wire.EVENTS[event.kind], dict(event.body))


def test_every_kind_of_event_and_decision_has_a_model() -> None:
    assert set(wire.EVENTS) == {name for name, _ in KINDS}
    union = get_args(get_args(wire.Decision)[0])
    modelled = [kind for model in union for kind in get_args(model.model_fields["kind"].annotation)]
    assert sorted(modelled) == sorted(kind for kind in DECISIONS if kind)


def test_a_field_missing_or_of_another_type_is_refused() -> None:
    view = GAME.setup(GAME.variant("aristoocrazy"), "wire").view(Seat(0))
    for wrong in (
        {**view, "round": None},
        {**view, "to_act": ["0"]},
        {**view, "decision": {"kind": "sleep"}},
    ):
        with pytest.raises(ValidationError):
            wire.View.model_validate_json(json.dumps(wrong))
