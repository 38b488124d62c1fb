"""What the game makes is what the models of `wire` allow."""

import json
import random

import pytest
from pydantic import ValidationError

from referee.game import Seat
from referee.games.claim import Claim
from referee.games.claim.events import KINDS
from referee.games.claim.wire import EVENTS, Setup, View

CLAIM = Claim()


@pytest.mark.parametrize("id", CLAIM.variants()[::3])
def test_views_events_and_setup_are_as_modelled(id: str) -> None:
    variant = CLAIM.variant(id)
    Setup.model_validate_json(json.dumps(CLAIM.setup_info(variant)))
    rng = random.Random(9)
    state = CLAIM.setup(variant, "wire")
    while state.to_act:
        for seat in range(variant.players):
            text = json.dumps(state.view(Seat(seat)))
            model = View.model_validate_json(text)
            assert json.loads(model.model_dump_json(exclude_unset=True)) == json.loads(text)
        state.apply(state.to_act[0], rng.choice(state.legal(state.to_act[0])))
    for event in state.events():
        body = EVENTS[event.kind].model_validate_json(json.dumps(event.body))
        assert json.loads(body.model_dump_json()) == json.loads(json.dumps(event.body))


def test_every_kind_of_event_has_a_model() -> None:
    assert set(EVENTS) == set(KINDS)


def test_a_field_missing_or_of_another_type_is_refused() -> None:
    view = CLAIM.setup(CLAIM.variant("claim"), "wire").view(Seat(0))
    for wrong in ({**view, "deck": None}, {**view, "deck": "25"}, {**view, "hand": ["Q1"]}):
        with pytest.raises(ValidationError):
            View.model_validate_json(json.dumps(wrong))
