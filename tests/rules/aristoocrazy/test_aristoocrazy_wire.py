"""What the game makes is what the models of `wire` allow, and the models have nothing that no game makes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

import pytest
from pydantic import ValidationError

from referee.game import Seat, State
from referee.games.aristoocrazy import wire
from referee.games.aristoocrazy.events import EVENTS as KINDS
from tests.rules.aristoocrazy.aristoocrazy_positions import GAME, legal, play, position

VARIANTS = [
    *GAME.variants(),
    "aristoocrazy/3p/classic+take_visibility=closed+vp_visibility=public",
    "aristoocrazy/2p/classic+trait_set=rulebook9+setup_traits=fixed",
]
AT_WAR = (
    "0M1 a1 bow+sword+folly 2",
    "0F1 a1 magic+valour+learning",
    "0M2 b2 bow+sword+magic",
    "1M1 c2 bow+sword+magic",
    "1F1 d3 magic+valour+learning",
)
"""Of three houses two are at war, the third is extinct."""
STASHES = {0: "bow bow sword sword valour luck", 1: "bow bow sword sword valour magic", 2: "luck"}
RARE = {
    "A01": "E27", "A02": "E28", "A03": "E25", "A04": "E30",
    "A05": "E27", "A06": "E28", "A09": "E34", "A11": "E25",
}  # fmt: skip
"""Cards that are seldom played at random, and events that seldom come up."""

Met = set[tuple[str, str, str]]
"""Model, field, and what the field holds: a type, a word, a model; null also where it is left out."""


def same(model: type[wire.Wire], value: Any) -> wire.Wire:
    """The model takes it, and gives it back without a field more or less."""
    text = json.dumps(value)
    read = model.model_validate_json(text)
    assert json.loads(read.model_dump_json(exclude_unset=True, by_alias=True)) == json.loads(text)
    return read


def watched(state: State, players: int, rng: random.Random) -> Iterator[wire.Wire]:
    """Play on at random: the views of all seats on the way and at the end, then all events."""
    while True:
        yield from [same(wire.View, state.view(Seat(seat))) for seat in range(players)]
        if not state.to_act:
            break
        seat = rng.choice(state.to_act)
        state.apply(seat, rng.choice(state.legal(seat)))
    yield from [same(wire.EVENTS[event.kind], dict(event.body)) for event in state.events()]


def games() -> Iterator[tuple[State, int]]:
    """Games of all variants, and some that begin with a rare card: each with its number of seats."""
    for id in VARIANTS:
        variant = GAME.variant(id)
        yield GAME.setup(variant, "wire"), variant.players
    for card, event in RARE.items():
        state = position(
            AT_WAR,
            "aristoocrazy/3p/classic+rounds=8+take_visibility=closed",
            owners={"b1": 0},
            stashes=STASHES,
            hands={0: [card]},
            row=[event],
            deck=["A05", "A06"],
        )
        play(state, next(f"0 {text}" for text in legal(state, 0) if text.startswith("card:")))
        yield state, 3


def met(value: Any) -> Iterator[tuple[str, str, str]]:
    """What a model, and all models in it, hold."""
    if isinstance(value, wire.Wire):
        for name in type(value).model_fields:
            held = getattr(value, name)
            yield from ((type(value).__name__, name, word) for word in words(held))
            yield from met(held)
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from met(item)


def words(value: Any) -> Iterator[str]:
    """What a field holds: the type of each thing in it, and if it is text the text as well."""
    if isinstance(value, list | dict):
        for item in [*value, *value.values()] if isinstance(value, dict) else value:
            yield from words(item)
        return
    yield type(value).__name__
    if isinstance(value, str):
        yield value


def allowed(annotation: Any) -> Iterator[str | type[wire.Wire]]:
    """What a field of this type may hold, as `words` has it; of traits only that they are text."""
    if annotation in (wire.Trait, wire.Combat):
        yield "str"
    elif get_origin(annotation) is Literal:
        yield from get_args(annotation)
    elif get_args(annotation):
        for inner in get_args(annotation):
            yield from allowed(inner)
    elif isinstance(annotation, type):
        yield annotation if issubclass(annotation, wire.Wire) else annotation.__name__


def modelled() -> Met:
    """All that the models allow."""
    models: list[type[wire.Wire]] = [wire.View, wire.Setup, *wire.EVENTS.values()]
    found: Met = set()
    for model in models:
        for name, field in model.model_fields.items():
            for held in allowed(field.annotation):
                if not isinstance(held, str) and held not in models:
                    models.append(held)
                found.add((model.__name__, name, held if isinstance(held, str) else held.__name__))
    return found


def test_games_make_what_is_modelled_and_all_of_it() -> None:
    seen: Met = set()
    for id in VARIANTS:
        seen.update(met(same(wire.Setup, GAME.setup_info(GAME.variant(id)))))
    for number, (state, players) in enumerate(games()):
        for read in watched(state, players, random.Random(number)):
            seen.update(met(read))
    assert sorted(modelled() - seen) == []


def test_every_kind_of_event_has_a_model() -> None:
    assert set(wire.EVENTS) == {name for name, _ in KINDS}


def test_a_field_missing_or_of_another_type_is_refused() -> None:
    view = GAME.setup(GAME.variant("aristoocrazy"), "wire").view(Seat(0))
    own, other = view["houses"]
    for wrong in (
        {**view, "round": None},
        {**view, "to_act": ["0"]},
        {**view, "decision": {"kind": "sleep"}},
        {**view, "houses": [{**own, "stash": None}, other]},
    ):
        with pytest.raises(ValidationError):
            wire.View.model_validate_json(json.dumps(wrong))
