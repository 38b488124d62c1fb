"""Attack, battle and aftermath (Aristoocrazy R21 to R27)."""

from __future__ import annotations

from itertools import product
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
)

KNIGHT = "0M1 a1 bow+rule+folly"
LADY = "0F1 a1 magic+valour+learning"
GUARD = "1M1 a2 magic+rule+folly"
PLAIN = "1M1 a2 rule+economy+money"
LAND = dict.fromkeys(("a3", "b1", "c1", "b2", "c2"), 0)
"""Five crests of house 0."""


def attacked(*people: str, **more: Any) -> AristoocrazyState:
    """0M1 has attacked a2."""
    state = position([*people, "1M5 d3 bow+sword+rule"], **more)
    play(state, "0 attack:0M1:a2")
    return state


def counts(*ranges: Any) -> list[str]:
    return [f"commit:{','.join(map(str, three))}" for three in product(*ranges)]


def won(*people: str, **more: Any) -> AristoocrazyState:
    """0M1 has won the field a2 with two bows against nothing."""
    state = attacked(KNIGHT, *people, stashes={0: "bow bow"}, **more)
    play(state, "0 commit:2,0,0", "1 commit:0,0,0")
    return state


def test_R21_all_on_the_field_take_part_also_the_new() -> None:
    people = [
        KNIGHT,
        LADY,
        "1M1 b2 magic+rule+folly",
        "1F1 b2 magic+rule+folly 0 acted new",
        *OTHER_PAIR[1:1],
    ]
    state = position(["0M1 b1 bow+rule+folly", *people[1:]])
    events = play(state, "0 attack:0M1:b2")
    assert bodies(events, "attack")[0]["defenders"] == ["1M1", "1F1"]
    assert house(state, 0)["attacked"] is True
    assert person(state, "0M1")["acted"] is True  # type: ignore[index]


def test_R22_an_empty_field_is_taken_without_a_battle() -> None:
    state = position(PAIR, owners={"a2": 1})
    crests = house(state, 1)["crests_left"]
    events = play(state, "0 attack:0M1:a2")
    assert "battle" not in kinds(events)
    assert state.view(Seat(0))["fields"]["a2"]["owner"] == 0
    assert person(state, "0M1")["field"] == "a2"  # type: ignore[index]
    assert house(state, 0)["gained_land"] is True and house(state, 1)["crests_left"] == crests + 1


def test_R22_without_a_crest_it_becomes_neutral_and_the_captor_stays() -> None:
    state = position(PAIR, owners=LAND | {"a2": 1})
    play(state, "0 attack:0M1:a2")
    assert state.view(Seat(0))["fields"]["a2"]["owner"] is None
    assert person(state, "0M1")["field"] == "a1"  # type: ignore[index]
    assert house(state, 0)["gained_land"] is False and house(state, 0)["attacked"] is True


def test_R23_known_traits_any_number_others_none_or_two_where_one_can_be_taught() -> None:
    state = attacked(
        "0M1 a1 bow+rule+money", PLAIN, stashes={0: "bow bow sword sword sword magic", 1: "magic magic"}
    )
    assert legal(state, 0) == counts(range(3), (0, 2, 3), (0,))
    assert legal(state, 1) == counts((0,), (0,), (0, 2)), "one magic would pay for nothing"


def test_R23_who_has_folly_cannot_be_taught() -> None:
    state = attacked(KNIGHT, GUARD, stashes={0: "bow sword sword", 1: "magic sword sword"})
    assert legal(state, 0) == counts(range(2), (0,), (0,))
    assert legal(state, 1) == counts((0,), (0,), range(2))


def test_R23_one_without_folly_is_enough_to_be_taught() -> None:
    people = ["0M1 b1 bow+rule+folly", "1M1 b2 rule+folly+folly", "1F1 b2 rule+money+economy"]
    state = position([*people, LADY], stashes={1: "sword sword"})
    play(state, "0 attack:0M1:b2")
    assert legal(state, 1) == counts((0,), (0, 2), (0,))


def test_R23_who_stands_elsewhere_takes_no_part() -> None:
    state = attacked(KNIGHT, LADY, GUARD, "1F1 a3 bow+rule+valour", stashes={0: "magic", 1: "bow bow"})
    assert legal(state, 0) == legal(state, 1) == ["commit:0,0,0"]


def test_R23_at_most_nine_of_a_trait() -> None:
    state = attacked(KNIGHT, GUARD, stashes={0: " ".join(["bow"] * 12)})
    assert legal(state, 0) == counts(range(10), (0,), (0,))


def test_R23_committed_tokens_leave_the_stash_and_lessons_are_paid() -> None:
    state = attacked(
        "0M1 a1 bow+rule+money", GUARD, stashes={0: "bow sword sword sword folly", 1: "magic magic"}
    )
    events = play(state, "0 commit:1,3,0", "1 commit:0,0,2")
    assert bodies(events, "committed") == [{"taught": [["sword"], []], "playable": [3, 2]}]
    assert stash(state, 0) == {"folly": 1} and stash(state, 1) == {}
    assert state.view(Seat(0))["committed"] == {"bow": 1, "sword": 2}
    assert state.view(Seat(1))["committed"] == {"magic": 2}


def test_R24_the_example_of_the_rules() -> None:
    """Sword against magic, bow against magic, and a leftover sword: 2 to 1."""
    state = attacked("0M1 a1 bow+rule+money", GUARD, stashes={0: "bow sword sword sword", 1: "magic magic"})
    play(state, "0 commit:1,3,0", "1 commit:0,0,2", "0 lay:sword", "1 lay:magic", "0 lay:bow")
    events = play(state, "1 lay:magic")
    assert bodies(events, "laid") == [{"traits": ["bow", "magic"], "wins": [1, 1]}]
    assert bodies(events, "battle") == [
        {"winner": 0, "wins": [2, 1], "committed": [{"bow": 1, "sword": 3}, {"magic": 2}]}
    ]
    assert bodies(events, "chip") == [{"char": "1M1", "red": 1, "by": 0}]


COMBAT = ("bow", "sword", "magic")
CYCLE = {("magic", "sword"), ("sword", "bow"), ("bow", "magic")}


def single(trait: str) -> str:
    """To commit one token."""
    return f"commit:{','.join(str(int(trait == kind)) for kind in COMBAT)}"


@pytest.mark.parametrize(("one", "other"), list(product(COMBAT, repeat=2)))
def test_R24_magic_beats_sword_beats_bow_beats_magic(one: str, other: str) -> None:
    state = attacked(f"0M1 a1 {one}+rule+folly", f"1M1 a2 {other}+rule+folly", stashes={0: one, 1: other})
    events = play(state, f"0 {single(one)}", f"1 {single(other)}", f"1 lay:{other}", f"0 lay:{one}")
    wins = [int((one, other) in CYCLE), int((other, one) in CYCLE)]
    assert bodies(events, "battle")[0]["wins"] == wins


def test_R24_the_loser_who_attacked_gets_a_wound_credited_to_the_defender() -> None:
    state = attacked(KNIGHT, GUARD, stashes={1: "magic"})
    events = play(state, "0 commit:0,0,0", "1 commit:0,0,1")
    assert bodies(events, "battle")[0]["winner"] == 1
    assert person(state, "0M1")["red"] == 1 and house(state, 1)["wounds"] == 1  # type: ignore[index]
    assert person(state, "0M1")["field"] == "a1" and state.view(Seat(0))["fields"]["a2"]["owner"] == 1  # type: ignore[index]


def test_R24_equal_wins_change_nothing() -> None:
    state = attacked(KNIGHT, GUARD, stashes={0: "bow", 1: "magic"})
    events = play(state, "0 commit:0,0,0", "1 commit:0,0,0")
    assert bodies(events, "battle")[0]["winner"] is None and "chip" not in kinds(events)
    assert stash(state, 0) == {"bow": 1}


def test_R24_each_leftover_token_wins_also_the_defenders() -> None:
    state = attacked(KNIGHT, "1M1 a2 bow+magic+folly", stashes={0: "bow", 1: "magic bow bow"})
    events = play(state, "0 commit:1,0,0", "1 commit:2,0,1", "0 lay:bow", "1 lay:bow")
    assert bodies(events, "battle")[0]["wins"] == [0, 2] and bodies(events, "chip")[0]["char"] == "0M1"


def test_R24_each_side_sees_the_others_tokens_only_as_they_are_laid() -> None:
    state = attacked(KNIGHT, GUARD, stashes={0: "bow bow", 1: "magic magic"})
    play(state, "0 commit:2,0,0", "1 commit:0,0,1", "0 lay:bow")
    view = state.view(Seat(1))
    assert view["decision"]["laid"] == [[], []] and view["decision"]["playable"] == [2, 1]
    play(state, "1 lay:magic")
    assert "lay" not in str(state.view(Seat(0))["decision"])


def test_R25_every_defender_is_wounded_and_the_field_falls() -> None:
    people = ["0M1 b1 bow+rule+folly", LADY, "1M1 b2 rule+folly+folly 4", "1F1 b2 rule+folly+folly"]
    state = position(people, owners={"b3": 1, "a2": 0}, stashes={0: "bow"})
    play(state, "0 attack:0M1:b2", "0 commit:1,0,0", "1 commit:0,0,0")
    assert person(state, "1M1") is None and person(state, "1F1")["red"] == 1  # type: ignore[index]
    assert (house(state, 0)["wounds"], house(state, 0)["trophies"]) == (2, 1)
    assert legal(state, 0) == ["expel", "betroth:1F1"]
    play(state, "0 expel")
    assert person(state, "1F1")["field"] == "b3" and person(state, "0M1")["field"] == "b2"  # type: ignore[index]
    assert house(state, 0)["gained_land"] is True


def test_R25_a_betrothal_gives_an_heir_and_leaves_everybody_where_he_is() -> None:
    state = won(LADY, "1F1 a2 rule+valour+magic", luck={"black/3/0/1": (1, 5, 6)})
    assert legal(state, 0) == ["expel", "betroth:1F1"]
    play(state, "0 betroth:1F1")
    assert state.view(Seat(0))["decision"]["traits"] == ["bow", "valour", "magic"]
    play(state, "0 heir:M:a1")
    assert person(state, "0M2")["traits"] == ["bow", "valour", "magic"]  # type: ignore[index]
    assert person(state, "1F1")["field"] == "a2" and state.view(Seat(0))["fields"]["a2"]["owner"] == 1  # type: ignore[index]
    assert house(state, 0)["heirs_born"] == 1 and stash(state, 1) == {}


@pytest.mark.parametrize("defender", ["1M1 a2 rule+valour+magic", "1F1 a2 rule+valour+magic 0 acted new"])
def test_R25_no_betrothal_of_the_same_sex_or_of_the_new(defender: str) -> None:
    state = won(LADY, defender, owners={"a3": 1, "b2": 1})
    assert legal(state, 1) == ["to:a3", "to:b2"], "expelled at once: there was no choice"


def test_R25_no_betrothal_without_a_place_for_the_heir() -> None:
    full = [LADY, "0F2 a1 rule+folly+folly"]
    state = won(*full, "1F1 a2 rule+valour+magic", owners={"a3": 1, "b2": 1})
    assert legal(state, 1) == ["to:a3", "to:b2"], "expelled at once: there was no choice"


def test_R25_a_home_is_plundered_never_taken() -> None:
    people = ["0M1 d2 bow+rule+folly", "1F1 d3 rule+valour+magic", "0F1 c2 magic+valour+learning"]
    state = position(people, owners={"c3": 0}, stashes={0: "bow", 1: "folly folly"})
    play(state, "0 attack:0M1:d3", "0 commit:1,0,0", "1 commit:0,0,0")
    assert legal(state, 0) == ["plunder", "betroth:1F1"]
    play(state, "0 plunder")
    assert stash(state, 0) == {"folly": 1} and stash(state, 1) == {"folly": 1}
    assert state.view(Seat(0))["fields"]["d3"]["owner"] == 1 and person(state, "1F1")["field"] == "d3"  # type: ignore[index]


def test_R25_without_a_crest_the_field_becomes_neutral() -> None:
    state = won(GUARD, owners=LAND)
    assert state.view(Seat(0))["fields"]["a2"]["owner"] is None
    assert person(state, "0M1")["field"] == "a1" and house(state, 0)["gained_land"] is False  # type: ignore[index]


def test_R26_who_flees_goes_to_an_own_field_with_a_place_by_choice() -> None:
    state = won(PLAIN, owners={"a3": 1, "b2": 1})
    assert state.to_act == (1,)
    assert state.view(Seat(0))["decision"]["fleeing"] == ["1M1"]
    play(state, "1 to:b2")
    assert person(state, "1M1")["field"] == "b2" and person(state, "1M1")["red"] == 1  # type: ignore[index]


def test_R26_one_way_out_is_taken_unasked_and_none_is_death() -> None:
    one = won(PLAIN, owners={"a3": 1})
    assert person(one, "1M1")["field"] == "a3"  # type: ignore[index]
    none = won(PLAIN)
    assert person(none, "1M1") is None and house(none, 0)["trophies"] == 1


def test_R26_they_leave_in_the_order_of_their_ids_and_fill_the_places() -> None:
    people = ["0M1 b1 bow+rule+folly", LADY, "1M1 b2 rule+folly+folly", "1M2 b2 rule+folly+folly"]
    state = position(people, owners={"b3": 1, "a2": 1}, stashes={0: "bow"})
    play(state, "0 attack:0M1:b2", "0 commit:1,0,0", "1 commit:0,0,0")
    assert state.view(Seat(1))["decision"]["fleeing"] == ["1M1", "1M2"]
    play(state, "1 to:b3")
    assert person(state, "1M2")["field"] == "a2", "the one place left"  # type: ignore[index]


def test_R27_a_fifth_chip_in_battle_is_a_wound_and_a_trophy() -> None:
    state = attacked(f"{KNIGHT} 4", GUARD, LADY, stashes={1: "magic"})
    play(state, "0 commit:0,0,0", "1 commit:0,0,1")
    assert person(state, "0M1") is None
    assert (house(state, 1)["wounds"], house(state, 1)["trophies"]) == (1, 1)


def test_R27_wounds_and_trophies_add_up() -> None:
    people = ["0M1 b1 bow+rule+folly", "1M1 b2 rule+folly+folly 4", "1F1 b2 rule+folly+folly 4"]
    state = position([*people, "1M5 d3 rule+folly+folly"], stashes={0: "bow"})
    play(state, "0 attack:0M1:b2", "0 commit:1,0,0", "1 commit:0,0,0")
    assert (house(state, 0)["wounds"], house(state, 0)["trophies"]) == (2, 2)
