"""The table of odd cases, a row each (Aristoocrazy 3.15)."""

from __future__ import annotations

from typing import Any

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
    stash,
    there,
)

ALL = [*PAIR, *OTHER_PAIR]


def test_3_15_no_free_place_for_an_heir() -> None:
    state = position(
        [
            "0M1 b1 bow+sword+rule",
            *OTHER_PAIR,
            "0F1 a1 bow+sword+rule",
            "0F2 a1 bow+sword+rule",
            "0F3 a1 bow+sword+rule",
        ]
    )
    assert "occupy:0M1:b2" in legal(state, 0) and "court_neutral:0M1:b2" not in legal(state, 0)
    hosted = position(
        [
            "0M1 a1 bow+sword+rule",
            "0F1 a1 rule+folly+folly",
            "0F2 a1 rule+folly+folly",
            "1F1 a2 rule+folly+folly",
        ]
    )
    assert "attack:0M1:a2" in legal(hosted, 0) and "court:0M1:a2:1F1" not in legal(hosted, 0)


def test_3_15_one_sex_used_up_and_both() -> None:
    men = [f"0M{n} {field} bow+sword+rule" for n, field in enumerate(("a1", "a1", "a2", "a3", "b1"), 1)]
    state = position([*men, *OTHER_PAIR], owners={"c2": 0, "b3": 0})
    play(state, "0 court_neutral:0M3:b2")
    assert legal(state, 0) == ["heir:F:b3", "heir:F:c2"]
    women = [f"0F{n} {field} bow+sword+rule" for n, field in enumerate(("b2", "b2", "c2", "c2", "c1"), 1)]
    full = position([*men, *women, *OTHER_PAIR], owners={"b3": 0})
    assert not [text for text in legal(full, 0) if "court" in text]


def test_3_15_no_crest_left() -> None:
    state = position(ALL, owners=dict.fromkeys(("a2", "a3", "b2", "c2", "c1"), 0), hands={0: ["A12"]})
    assert not [text for text in legal(state, 0) if text.startswith(("occupy", "card:deed"))]


def test_3_15_a_house_without_characters() -> None:
    state = position(OTHER_PAIR, turn=1, round=4)
    play(state, "1 end", "1 end")
    assert state.view(Seat(0))["decision"]["kind"] == "restore"


def test_3_15_an_empty_home_cannot_be_attacked() -> None:
    state = position(["0M1 d2 bow+sword+rule", "0F1 a1 magic+rule+folly", "1M1 c2 bow+sword+rule"])
    assert "attack:0M1:d3" not in legal(state, 0) and "attack:0M1:c2" in legal(state, 0)


def test_3_15_an_empty_enemy_field_is_taken_without_battle() -> None:
    state = position(PAIR, owners={"a2": 1})
    assert "battle" not in kinds(play(state, "0 attack:0M1:a2"))


def battle(mine: str, theirs: str, *plays: str, at: str = "a2") -> tuple[AristoocrazyState, dict[str, Any]]:
    people = [f"0M1 {'a1' if at == 'a2' else 'd2'} bow+rule+folly", f"1M1 {at} magic+rule+folly"]
    state = position([*people, "0F5 a1 rule+folly+folly"], stashes={0: mine, 1: theirs})
    events = play(state, f"0 attack:0M1:{at}", *plays)
    return state, bodies(events, "battle")[0]


def test_3_15_zero_tokens_are_allowed_leftovers_win_and_nothing_each_is_a_tie() -> None:
    state, fought = battle("bow bow", "magic", "0 commit:1,0,0", "1 commit:0,0,0")
    assert fought["winner"] == 0 and fought["wins"] == [1, 0]
    state, fought = battle("bow", "magic", "0 commit:0,0,0", "1 commit:0,0,0")
    assert fought["winner"] is None and stash(state, 0) == {"bow": 1}


def test_3_15_a_tie_holds_and_wounds_nobody() -> None:
    plays = ("0 commit:1,0,0", "1 commit:0,0,2", "0 lay:bow", "1 lay:magic")
    state, fought = battle("bow", "magic magic", *plays)
    assert fought["wins"] == [1, 1] and fought["winner"] is None
    assert there(state, "0M1")["red"] == there(state, "1M1")["red"] == 0
    assert state.view(Seat(0))["fields"]["a2"]["owner"] == 1


def test_3_15_all_defenders_die_of_wounds() -> None:
    people = ["0M1 a1 bow+rule+folly", "1M1 a2 magic+rule+folly 4"]
    land = position(people, stashes={0: "bow"})
    play(land, "0 attack:0M1:a2", "0 commit:1,0,0", "1 commit:0,0,0")
    assert land.view(Seat(0))["fields"]["a2"]["owner"] == 0
    home = position(["0M1 d2 bow+rule+folly", "1M1 d3 magic+rule+folly 4"], stashes={0: "bow", 1: "luck"})
    play(home, "0 attack:0M1:d3", "0 commit:1,0,0", "1 commit:0,0,0")
    assert home.view(Seat(0))["fields"]["d3"]["owner"] == 1 and stash(home, 0) == {"luck": 1}


def test_3_15_no_retreat_field() -> None:
    state, _ = battle("bow", "", "0 commit:1,0,0", "1 commit:0,0,0")
    assert person(state, "1M1") is None and house(state, 0)["trophies"] == 1


def test_3_15_a_character_of_three_follies_yields_folly_and_cannot_be_taught() -> None:
    state = position(["0M1 a1 folly+folly+folly", *OTHER_PAIR], phase="use")
    assert legal(state, 0) == ["end", "use:0M1:folly"]
    fight = position(["0M1 a1 folly+folly+folly", "1M1 a2 magic+rule+folly"], stashes={0: "bow bow bow"})
    play(fight, "0 attack:0M1:a2")
    assert legal(fight, 0) == ["commit:0,0,0"]


def test_3_15_plunder_of_an_empty_stash() -> None:
    state = position(["0M1 d2 bow+rule+folly", "1M1 d3 magic+rule+folly"], stashes={0: "bow"})
    events = play(state, "0 attack:0M1:d3", "0 commit:1,0,0", "1 commit:0,0,0")
    assert "stolen" not in kinds(events) and bodies(events, "aftermath")[0]["action"] == "plunder"


def test_3_15_a_hazard_with_no_characters() -> None:
    state = position(OTHER_PAIR, phase="event", row=["E28"], stashes={0: "economy"})
    assert state.view(Seat(0))["decision"]["due"] == [0, 1] and legal(state, 0) == ["pay:0"]
    play(state, "0 pay:0", "1 pay:0")
    assert house(state, 0)["vp"] == 0 and state.to_act == (1,), "only house 1 is short"


def test_3_15_a_hazard_kills_the_last_character() -> None:
    state = position(["0M1 a1 bow+sword+rule 4", *OTHER_PAIR], phase="event", row=["E28"])
    play(state, "0 pay:0", "1 pay:0")
    while state.to_act == (1,):
        state.apply(Seat(1), state.default(Seat(1)))
    assert person(state, "0M1") is None
    assert state.view(Seat(0))["decision"]["kind"] == "restore", "at its next turn"


def test_3_15_a_new_heir_counts_and_defends_but_does_not_act() -> None:
    people = ["0M1 a1 bow+rule+folly", "1M1 a2 magic+rule+folly 0 acted new", *OTHER_PAIR[1:]]
    state = position(people, stashes={0: "bow"})
    events = play(state, "0 attack:0M1:a2", "0 commit:1,0,0", "1 commit:0,0,0")
    assert bodies(events, "attack")[0]["defenders"] == ["1M1"] and bodies(events, "chip")[0]["char"] == "1M1"
    counted = position(people, phase="event", row=["E01"])
    assert bodies(counted.events(), "measures")[0]["measures"] == [1, 2]


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


def test_3_15_tokens_and_red_chips_do_not_run_out() -> None:
    """The bought game has 288 tokens and 80 red chips."""
    fields = {0: "a1 a1 a1 a2 a3", 1: "e1 e1 e1 d1 d2", 2: "e4 e4 e4 d3 d4", 3: "a4 a4 a4 b3 b4"}
    old = [f"{seat}M{n} {field} bow+sword+rule 4" for seat, five in fields.items() for n, field in enumerate(five.split(), 1)]  # fmt: skip
    state = position([*old, "0F1 b1 bow+sword+rule"], "aristoocrazy/4p/classic", phase="use", stashes={0: "bow " * 288})  # fmt: skip
    play(state, "0 use:0F1:bow")
    assert stash(state, 0) == {"bow": 289}
    assert sum(one["red"] for one in state.view(Seat(0))["characters"]) == 81


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
