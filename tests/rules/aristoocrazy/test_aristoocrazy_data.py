"""The data files: their schema, what they must agree in, and names without a function (Aristoocrazy R4, R7, R33)."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from importlib.resources import files
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from referee.game import Seat
from referee.games.aristoocrazy import game
from referee.games.aristoocrazy.data import FIELDS, Data, data
from referee.games.aristoocrazy.game import AristoocrazyState
from referee.games.aristoocrazy.luck import Luck
from referee.games.aristoocrazy.rulebook import BrokenData, check
from referee.games.aristoocrazy.rules import begin
from tests.rules.aristoocrazy.aristoocrazy_positions import GAME, bodies

FOLDER = files("referee.games.aristoocrazy") / "data"
NAMES = ("boards", "traits", "events", "actions")


def read(name: str) -> dict[str, Any]:
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))  # type: ignore[no-any-return]


def validator(name: str) -> Draft202012Validator:
    schema = read("schema")
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema | {"$ref": f"#/$defs/{name}"})


@pytest.mark.parametrize("name", NAMES)
def test_each_file_fits_its_schema(name: str) -> None:
    assert read(name)["$schema"] == f"schema.json#/$defs/{name}"
    assert list(validator(name).iter_errors(read(name))) == []


def _unknown(file: dict[str, Any]) -> None:
    file["colour"] = "red"


def _no_measure(file: dict[str, Any]) -> None:
    del file["events"][0]["measure"]


def _bid_of_nothing(file: dict[str, Any]) -> None:
    del file["events"][15]["trait"]


def _cost_and_different(file: dict[str, Any]) -> None:
    file["events"][24]["different"] = 2


def _worth_nothing(file: dict[str, Any]) -> None:
    del file["events"][30]["vp"]


def _symbol_of_both(file: dict[str, Any]) -> None:
    file["symbols"][0]["trait"] = "valour"


def _no_such_trait(file: dict[str, Any]) -> None:
    file["trait_sets"]["seed10"]["red_dice"][0][0] = "wit"


def _five_faces(file: dict[str, Any]) -> None:
    file["trait_sets"]["seed10"]["red_dice"][0].pop()


def _no_place(file: dict[str, Any]) -> None:
    file["boards"][0]["fields"][0]["places"] = 0


def _a_town_for_three(file: dict[str, Any]) -> None:
    file["boards"][0]["fields"][4]["places"] = 3


def _a_seat_without_home(file: dict[str, Any]) -> None:
    file["boards"][1]["homes"].pop()


def _unbeaten(file: dict[str, Any]) -> None:
    del file["beats"]["magic"]


def _prize_of_no_type(file: dict[str, Any]) -> None:
    file["prizes"]["WAR"] = {"first": {"vp": 1}}


def _at_night(file: dict[str, Any]) -> None:
    file["actions"][0]["phases"] = ["night"]


BREAKS: list[tuple[str, Callable[[dict[str, Any]], None]]] = [
    ("events", _unknown), ("events", _no_measure), ("events", _bid_of_nothing), ("events", _cost_and_different),
    ("events", _worth_nothing), ("events", _symbol_of_both), ("traits", _no_such_trait), ("traits", _five_faces),
    ("boards", _no_place), ("boards", _a_town_for_three), ("boards", _a_seat_without_home),
    ("traits", _unbeaten), ("events", _prize_of_no_type), ("actions", _at_night),
]  # fmt: skip


@pytest.mark.parametrize(("name", "damage"), BREAKS)
def test_a_broken_file_is_refused(name: str, damage: Callable[[dict[str, Any]], None]) -> None:
    file = read(name)
    damage(file)
    assert list(validator(name).iter_errors(file))


def test_R4_neighbours_are_mutual_and_boards_symmetric() -> None:
    for players, board in data().boards.items():
        for field in board.fields:
            assert all(field in board.adjacent[near] for near in board.adjacent[field])
            assert board.places[field] >= 1
        shapes = {(board.places[home], len(board.adjacent[home])) for home in board.homes}
        assert shapes == {(3, 2)}, players
    four = data().boards[4]
    for mirror in (_upside_down, _left_to_right):
        for field in four.fields:
            assert four.places[mirror(field)] == four.places[field]
            assert sorted(map(mirror, four.adjacent[field])) == list(four.adjacent[mirror(field)])
    three = data().boards[3]
    for field in three.fields:
        assert three.places[_turned(field)] == three.places[field]
        assert sorted(map(_turned, three.adjacent[field])) == list(three.adjacent[_turned(field)])
    assert [_turned(home) for home in three.homes] == [*three.homes[1:], three.homes[0]]


def _upside_down(field: int) -> int:
    return 5 * (4 - field // 5) + field % 5


def _left_to_right(field: int) -> int:
    return 5 * (field // 5) + 3 - field % 5


def _turned(field: int) -> int:
    """A third of a turn of the triangle: row and place become place from the far side and row."""
    row, place = divmod(field, 5)
    return FIELDS.index(f"{'abcde'[4 - place]}{row - place + 1}")


def test_R9_and_R30_and_Q3_decks() -> None:
    assert [card.id for card in data().events("seed10")] == [f"E{n:02}" for n in range(1, 35)]
    assert [card.id for card in data().actions] == [f"A{n:02}" for n in range(1, 13)]
    assert {card.copies for card in data().actions} == {2}
    assert [card.id for card in data().symbols] == ["crown", "ring", "shield", "valour", "rule", "learning"]
    assert sum(card.copies for card in data().symbols) == 12


def test_the_data_has_a_function_for_every_name() -> None:
    check(data())


def with_event(**change: Any) -> Data:
    known = data()
    card = {"id": "E99", "name": "novelty", "type": "MAJ", "measure": "women"} | change
    return replace(known, _events=(*known._events, card))


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (with_event(measure="beauty"), "E99: no measure 'beauty'; known: characters"),
        (with_event(type="WAR"), "E99: no type 'WAR'; known: MAJ, BID"),
        (with_event(type="THR", condition="idle", vp=1), "E99: no condition 'idle'; known: as_many"),
        (with_event(measure=""), r"E99 \(MAJ\) says nothing of measure"),
        (
            replace(data(), actions=(replace(data().actions[0], name="fly"),)),
            "A01: no name 'fly'; known: march",
        ),
        (replace(data(), actions=(replace(data().actions[0], phases=("dawn",)),)), "A01: no phase 'dawn'"),
        (replace(data(), prizes=dict(data().prizes) | {"BID": {}}), "a prize of BID: 'first'"),
    ],
)
def test_a_name_without_a_function_is_refused_at_load(broken: Data, said: str) -> None:
    with pytest.raises(BrokenData, match=said):
        check(broken)


def test_no_game_begins_with_broken_data(monkeypatch: pytest.MonkeyPatch) -> None:
    variant = GAME.variant("aristoocrazy")
    monkeypatch.setattr(game, "data", lambda: with_event(measure="beauty"))
    game._require_functions.cache_clear()
    with pytest.raises(BrokenData, match="E99: no measure 'beauty'"):
        GAME.setup(variant, "broken")


def test_a_new_card_of_a_known_type_is_a_line_of_data() -> None:
    more = with_event()
    check(more)
    variant = replace(GAME.variant("aristoocrazy"), draft=False, events=more.events("seed10"))
    novelty = len(variant.events) - 1
    state = AristoocrazyState(begin(variant, [*range(2), novelty, *range(2, 11)], [], Luck("novelty")))
    while state.view(Seat(0))["evaluated"] != ["E99"]:
        seat = state.to_act[0]
        state.apply(seat, state.default(seat))
    assert bodies(state.events(), "event") == [{"event": "E99"}]
    assert bodies(state.events(), "measures") == [{"measures": [1, 1]}]
    assert [body["vp"] for body in bodies(state.events(), "award")] == [1, 1]
