"""Rows of the table of odd cases (Aristoocrazy 3.15) that no other file tests under that name."""

from __future__ import annotations

import pytest

from referee.game import Seat
from referee.games.aristoocrazy.game import AristoocrazyState
from tests.rules.aristoocrazy.aristoocrazy_positions import (
    OTHER_PAIR,
    PAIR,
    bodies,
    house,
    kinds,
    legal,
    person,
    play,
    position,
)

ALL = [*PAIR, *OTHER_PAIR]


def points(state: AristoocrazyState) -> list[int]:
    return [house(state, seat)["vp"] for seat in (0, 1)]


def test_3_15_a_home_under_attack_is_never_lost() -> None:
    people = ["0M1 d2 bow+sword+rule", "1F1 d3 magic+valour+learning", "0F1 a1 rule+folly+folly"]
    state = position(people, owners={"c3": 0}, stashes={0: "bow"})
    play(state, "0 attack:0M1:d3", "0 commit:1,0,0", "1 commit:0,0,0")
    assert legal(state, 0) == ["plunder", "betroth:1F1"], "no expulsion"
    play(state, "0 betroth:1F1", "0 heir:F:c3")
    assert state.view(Seat(0))["fields"]["d3"]["owner"] == 1
    assert person(state, "1F1")["field"] == "d3" and house(state, 0)["heirs_born"] == 1  # type: ignore[index]


def test_3_15_a_captured_field_becomes_neutral_where_no_crest_is_left() -> None:
    state = position(PAIR, owners=dict.fromkeys(("a3", "b1", "b2", "c1", "c2"), 0) | {"a2": 1})
    events = play(state, "0 attack:0M1:a2")
    assert bodies(events, "crest") == [{"field": "a2", "owner": None}]


def test_3_15_victory_points_do_not_run_out() -> None:
    state = position(ALL, phase="event", row=["E16"], stashes={0: "valour"})
    state.table.public.vp[0] = 30
    play(state, "0 bid:1", "1 bid:0")
    assert points(state) == [33, 0]


def test_3_15_deck_and_discard_empty_nothing_is_drawn() -> None:
    state = position(ALL, phase="event", row=["E34"], deck=[])
    assert "drew" not in kinds(state.events()) and house(state, 0)["hand"] == []


@pytest.mark.parametrize("event", ["E10", "E11", "E12", "E14", "E15"])
def test_3_15_an_event_with_all_measures_0_gives_no_award(event: str) -> None:
    state = position(ALL, phase="event", row=[event])
    assert bodies(state.events(), "measures") == [{"measures": [0, 0]}]
    assert points(state) == [0, 0] and "drew" not in kinds(state.events())


def test_3_15_ties_in_events_share_and_leave_no_second_prize() -> None:
    state = position(ALL, phase="event", row=["E01"])
    assert points(state) == [1, 1] and "drew" not in kinds(state.events())


def test_3_15_a_new_heir_cannot_act_or_be_courted_before_its_owner_s_next_turn() -> None:
    people = ["0M1 a1 bow+sword+rule", "0F2 b1 magic+rule+luck 0 acted new", "1F1 a2 bow+rule+folly 0 acted new"]  # fmt: skip
    state = position([*people, OTHER_PAIR[0]])
    assert not [text for text in legal(state, 0) if ":0F2" in text or text.startswith("court:")]
    play(state, "0 end")
    assert not [text for text in legal(state, 0) if ":0F2" in text]
    play(state, "0 end")
    assert "attack:1F1:a1" in legal(state, 1), "its own house's turn has come"


def test_3_15_the_chancellor_has_nothing_to_do_in_the_last_round() -> None:
    last = position(ALL, round=12, turn=0, hands={0: ["A11"]})
    before = position(ALL, round=11, turn=0, hands={0: ["A11"]})
    assert "card:chancellor" not in legal(last, 0) and "card:chancellor" in legal(before, 0)


def test_3_15_a_final_tie_is_a_shared_rank() -> None:
    state = position(ALL, phase="event", round=12, row=["E16"])
    play(state, "0 bid:0", "1 bid:0")
    assert state.outcome and state.outcome.ranks == (0, 0)
