"""The event cards, each by its number, and the symbols of quick2013 (Aristoocrazy R31 to R33, Q3)."""

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
    legal,
    person,
    play,
    position,
    stash,
)

ALL = [*PAIR, *OTHER_PAIR]
THREE = "aristoocrazy/3p/classic"
TRIO = ["0M1 a1 bow+sword+rule", "1M1 e1 bow+sword+rule", "2M1 e5 bow+sword+rule"]


def evaluated(event: str, people: list[str] = ALL, **more: Any) -> AristoocrazyState:
    """The position at the evaluation of `event`."""
    return position(people, phase="event", row=[event], **more)


def points(state: AristoocrazyState) -> list[int]:
    return list(state.table.public.vp)


def measured(state: AristoocrazyState) -> list[int]:
    return list(bodies(state.events(), "measures")[0]["measures"])


def drawn(state: AristoocrazyState) -> list[int]:
    """Who drew an action card, in order."""
    events = [event for event in state.events() if event.kind == "drew" and event.body["card"]]
    return [event.body["seat"] for event in events]


TWO_AND_ONE = [*PAIR, "1M1 d3 bow+sword+rule"]
MAJORITIES = {
    "E01": (TWO_AND_ONE, {}, [2, 1]),
    "E02": (ALL, {"a2": 0, "d2": 1, "c3": 1}, [2, 3]),
    "E03": (ALL, {"a2": 0, "a3": 0, "c1": 0, "d2": 1, "b1": 1, "b2": 1}, [3, 2]),
    "E04": ([*PAIR, "0F2 a2 bow+sword+folly", *OTHER_PAIR], {}, [2, 1]),
    "E05": ([*PAIR, *OTHER_PAIR, "1M2 d2 bow+sword+folly"], {}, [1, 2]),
    "E06": (
        ["0M1 a1 bow+sword+rule 3", *PAIR[1:], "1M1 d3 bow+sword+rule 1", "1F1 d3 bow+magic+rule 1"],
        {},
        [3, 2],
    ),
    "E07": (["0M1 a1 bow+sword+rule 1", *PAIR[1:], *OTHER_PAIR], {}, [1, 2]),
    "E08": (["0M1 a1 bow+sword+folly", "0F1 a1 bow+sword+rule", *OTHER_PAIR], {}, [3, 6]),
    "E09": (["0M1 a1 bow+sword+folly", *PAIR[1:], *OTHER_PAIR], {}, [1, 2]),
    "E10": (["0M1 a1 bow+folly+folly", *PAIR[1:], "1M1 d3 bow+sword+folly"], {}, [2, 1]),
    "E13": (ALL, {"a2": 0, "a3": 1, "b3": 1, "c3": 1}, [1, 1]),
    "E15": (["0M1 a2 bow+sword+rule", *PAIR[1:], *OTHER_PAIR], {"c3": 1, "d2": 1}, [1, 0]),
}
"""People, further fields, and what is measured of each house."""


@pytest.mark.parametrize("event", MAJORITIES)
def test_E01_to_E15_measures(event: str) -> None:
    people, owners, values = MAJORITIES[event]
    state = evaluated(event, people, owners=owners)
    assert measured(state) == values
    if values[0] == values[1]:
        assert points(state) == [1, 1] and drawn(state) == []
    else:
        leader = values.index(max(values))
        assert points(state) == [2 * (seat == leader) for seat in (0, 1)]
        assert drawn(state) == ([1 - leader] if min(values) else [])


def fought(event: str) -> AristoocrazyState:
    """House 0 kills one character and wounds another in round 3, and loses a battle; then the event."""
    people = [
        "0M1 a1 bow+sword+rule",
        "0F1 a1 sword+valour+rule",
        "1M1 a2 rule+folly+money 4",
        "1F1 b1 rule+folly+money 1",
    ]
    state = position(people, row=[event], owners={"b2": 1}, stashes={0: "sword sword", 1: "money"})
    play(state, "0 attack:0M1:a2", "0 commit:0,1,0", "1 commit:0,0,0")
    play(state, "0 attack:0F1:b1", "0 commit:0,1,0", "1 commit:0,0,0")
    while event not in state.view(Seat(0))["evaluated"]:
        seat = state.to_act[0]
        state.apply(seat, state.default(seat))
    return state


def test_E11_trophies_are_deaths_credited_in_the_whole_game() -> None:
    state = fought("E11")
    assert measured(state) == [1, 0] and points(state) == [2, 0] and drawn(state) == []


def test_E12_wounds_are_red_chips_credited_in_the_whole_game() -> None:
    state = fought("E12")
    assert measured(state) == [2, 0] and points(state) == [2, 0]


def test_E13_frontier_counts_fields_next_to_another_house_not_borders() -> None:
    state = evaluated("E13", owners={"a2": 0, "b1": 0, "b2": 1, "a3": 1})
    assert measured(state) == [2, 2]


def test_E14_cradle_counts_heirs_of_this_round_alone() -> None:
    state = position([*ALL, "1M2 d2 bow+sword+rule"], row=["E14", "E14"])
    play(state, "0 court_neutral:0M1:b1")
    while not state.view(Seat(0))["evaluated"]:
        seat = state.to_act[0]
        legal_now = state.legal(seat)
        heir = [action for action in legal_now if state.text(action).startswith("heir")]
        state.apply(seat, (heir or legal_now)[0])
    assert measured(state) == [1, 0] and points(state) == [2, 0]
    assert house(state, 0)["heirs_born"] == 0, "a new round has begun"


@pytest.mark.parametrize(
    ("values", "vp", "cards"),
    [
        ((2, 1, 1), [2, 0, 0], [2, 1]),
        ((2, 2, 1), [1, 1, 0], []),
        ((3, 2, 1), [2, 0, 0], [1]),
        ((0, 0, 0), [0, 0, 0], []),
    ],
)
def test_R31_ranks(values: tuple[int, ...], vp: list[int], cards: list[int]) -> None:
    """Leaders share and leave no second prize; all who are second get theirs, in the order of the round."""
    places = ["a1 b1 b2", "e1 d1 e2", "e5 d4 e4"]
    people = [
        f"{seat}M{n + 1} {place} bow+sword+{'folly' if n < value else 'rule'}"
        for seat, value in enumerate(values)
        for n, place in enumerate(places[seat].split())
    ]
    state = evaluated("E10", people, id=THREE)
    assert measured(state) == list(values)
    assert points(state) == vp and drawn(state) == cards


BIDS = {
    "E16": "valour", "E17": "rule", "E18": "learning", "E19": "bow", "E20": "sword", "E21": "magic",
    "E22": "economy", "E23": "luck", "E24": "folly",
}  # fmt: skip


@pytest.mark.parametrize("event", BIDS)
def test_E16_to_E24_are_bids_of_their_trait(event: str) -> None:
    trait = BIDS[event]
    state = evaluated(
        event, TRIO, id=THREE, stashes={0: f"{trait} {trait}", 1: f"{trait} money", 2: "rule valour"}
    )
    state.table.private[2].stash = [0] * 10
    state.table.public.size[2] = 0
    assert [legal(state, seat) for seat in (0, 1, 2)] == [
        ["bid:0", "bid:1", "bid:2"],
        ["bid:0", "bid:1"],
        ["bid:0"],
    ]
    assert state.view(Seat(0))["decision"] == {"kind": "bid", "event": event, "trait": trait}
    events = play(state, "0 bid:2", "1 bid:1", "2 bid:0")
    assert bodies(events, "bids") == [{"bids": [2, 1, 0]}]
    assert points(state) == [3, 1, 0], "a bid of nothing wins nothing"
    assert stash(state, 0) == {} and stash(state, 1) == {"money": 1}


def test_R32_bids_of_losers_are_spent_too_and_leaders_share() -> None:
    state = evaluated("E16", TRIO, id=THREE, stashes=dict.fromkeys((0, 1, 2), "valour valour"))
    play(state, "0 bid:2", "1 bid:2", "2 bid:1")
    assert points(state) == [1, 1, 0]
    assert [stash(state, seat) for seat in (0, 1, 2)] == [{}, {}, {"valour": 1}]


def test_R32_all_who_bid_the_second_most_get_the_second_prize() -> None:
    state = evaluated("E16", TRIO, id=THREE, stashes=dict.fromkeys((0, 1, 2), "valour valour"))
    play(state, "0 bid:1", "1 bid:2", "2 bid:1")
    assert points(state) == [1, 3, 1] and drawn(state) == []


def test_R32_between_two_the_second_bid_draws_a_card() -> None:
    state = evaluated("E16", stashes={0: "valour", 1: "valour valour"})
    play(state, "1 bid:2", "0 bid:1")
    assert points(state) == [0, 3] and drawn(state) == [0]
    none = evaluated("E16", stashes={1: "valour"})
    play(none, "0 bid:0", "1 bid:1")
    assert points(none) == [0, 3] and drawn(none) == []


def test_R32_nobody_bids_nobody_wins() -> None:
    state = evaluated("E16", stashes={0: "valour", 1: "valour"})
    play(state, "0 bid:0", "1 bid:0")
    assert points(state) == [0, 0] and stash(state, 0) == {"valour": 1}


def test_R33_in_rulebook9_E23_is_a_bid_of_money() -> None:
    state = evaluated("E23", id="aristoocrazy/2p/classic+trait_set=rulebook9", stashes={0: "money"})
    assert state.view(Seat(0))["decision"]["trait"] == "money" and legal(state, 0) == ["bid:0", "bid:1"]


@pytest.mark.parametrize(("event", "cost"), [("E25", "valour rule learning"), ("E26", "bow sword magic")])
def test_E25_and_E26_are_paid_with_one_of_each(event: str, cost: str) -> None:
    short = " ".join(cost.split()[:2] * 2)
    state = evaluated(event, stashes={0: f"{cost} folly", 1: short})
    assert legal(state, 0) == ["pass", "pay"] and legal(state, 1) == ["pass"]
    play(state, "0 pay", "1 pass")
    assert points(state) == [2, 0] and stash(state, 0) == {"folly": 1}


def test_E25_who_passes_keeps_all() -> None:
    state = evaluated("E25", stashes={0: "valour rule learning"})
    play(state, "0 pass", "1 pass")
    assert points(state) == [0, 0] and len(stash(state, 0)) == 3


def test_E27_takes_any_four_different_tokens_but_folly() -> None:
    state = evaluated(
        "E27", stashes={0: "bow sword magic valour money folly", 1: "bow bow sword magic folly"}
    )
    assert len(legal(state, 0)) == 6 and legal(state, 1) == ["pass"]
    assert "pay:bow+sword+magic+valour" in legal(state, 0) and "pay:bow+sword+magic+money" in legal(state, 0)
    events = play(state, "0 pay:bow+magic+valour+money", "1 pass")
    assert points(state) == [2, 0] and stash(state, 0) == {"sword": 1, "folly": 1}
    assert bodies(events, "paid") == [{"paid": [{"bow": 1, "magic": 1, "valour": 1, "money": 1}, {}]}]


@pytest.mark.parametrize(
    ("event", "trait", "characters", "due"),
    [
        ("E28", "economy", 3, 2), ("E29", "economy", 4, 2), ("E28", "economy", 1, 1),
        ("E30", "learning", 3, 1), ("E30", "learning", 4, 2),
    ],
)  # fmt: skip
def test_E28_to_E30_ask_for_a_share_of_the_characters(
    event: str, trait: str, characters: int, due: int
) -> None:
    fields = ["a1", "a1", "a1", "a2"]
    people = [f"0M{n + 1} {field} bow+sword+rule" for n, field in enumerate(fields[:characters])]
    state = evaluated(event, [*people, *OTHER_PAIR], stashes={0: " ".join([trait] * 5)})
    assert state.view(Seat(0))["decision"]["due"][0] == due
    assert legal(state, 0) == [f"pay:{count}" for count in range(due + 1)]
    play(state, f"0 pay:{due}", "1 pay:0")
    assert points(state)[0] == 1 and stash(state, 0) == {trait: 5 - due}


def test_E28_for_each_missing_token_another_own_character_ages() -> None:
    people = ["0M1 a1 bow+sword+rule 2", "0M2 a1 bow+sword+rule 4", "0F1 a1 magic+valour+rule 1", *OTHER_PAIR]
    state = evaluated("E28", people, stashes={0: "economy"})
    play(state, "0 pay:0", "1 pay:0")
    assert state.to_act == (0,), "houses in the order of the round"
    assert legal(state, 0) == ["age:0F1", "age:0M1", "age:0M2"], "fewest red chips first"
    play(state, "0 age:0M2")
    assert person(state, "0M2") is None, "the fifth chip"
    assert legal(state, 0) == ["age:0F1", "age:0M1"], "not the same again"
    play(state, "0 age:0M1")
    assert state.to_act == (1,) and person(state, "0M1")["red"] == 3  # type: ignore[index]
    play(state, "1 age:1F1")
    assert points(state) == [0, 0]
    assert [house(state, seat)[what] for seat in (0, 1) for what in ("trophies", "wounds")] == [0] * 4


def test_E28_who_has_aged_is_not_chosen_again() -> None:
    people = ["0M1 a1 bow+sword+rule 2", "0M2 a1 bow+sword+rule 4", "0F1 a1 magic+valour+rule 1", *OTHER_PAIR]
    state = evaluated("E28", people)
    play(state, "0 pay:0", "1 pay:0", "0 age:0M1")
    assert legal(state, 0) == ["age:0F1", "age:0M2"]


def test_E28_part_of_what_is_due_saves_as_many_and_wins_nothing() -> None:
    state = evaluated(
        "E28", [*PAIR, "0M2 a1 bow+sword+rule", *OTHER_PAIR], stashes={0: "economy", 1: "economy"}
    )
    play(state, "0 pay:1", "1 pay:1", "0 age:0M2")
    assert points(state) == [0, 1] and stash(state, 0) == {}
    assert state.view(Seat(0))["decision"]["kind"] != "victim"
    assert [person(state, name)["red"] for name in ("0M1", "0F1", "0M2")] == [0, 0, 1]  # type: ignore[index]


def test_E28_the_order_of_the_round_decides_who_chooses_first() -> None:
    state = evaluated("E28", round=4)
    play(state, "0 pay:0", "1 pay:0")
    assert state.to_act == (1,)


def crowd(seat: int, men: str, women: str) -> list[str]:
    """A man and a woman of the house on each of the named fields."""
    return [
        f"{seat}{sex}{number} {field} bow+sword+rule"
        for sex, fields in (("M", men), ("F", women))
        for number, field in enumerate(fields.split(), 1)
    ]


def test_E31_balanced_wants_as_many_men_as_women_and_three_of_each() -> None:
    two = crowd(1, "d3 d3", "d2 c3")
    assert points(evaluated("E31", [*crowd(0, "a1 a1 a1", "a2 a3 b1"), *two])) == [2, 0], "two are too few"
    assert points(evaluated("E31", [*crowd(0, "a1 a1 a1 b2", "a2 a3 b1"), *two])) == [0, 0], "a man too many"
    assert points(evaluated("E31", [*crowd(0, "a1 a1 a1", "a2 b2 b2 b1"), *two])) == [0, 0]


def test_E32_peace_is_for_who_declared_no_attack_even_on_an_empty_field() -> None:
    state = position(ALL, row=["E32"], owners={"a2": 1})
    play(state, "0 attack:0M1:a2")
    while not state.view(Seat(0))["evaluated"]:
        seat = state.to_act[0]
        state.apply(seat, state.default(seat))
    assert points(state) == [0, 1]


def test_E33_new_land_is_for_who_gained_a_field_this_round() -> None:
    state = position(ALL, row=["E33"], owners={"d2": 1, "c3": 1})
    play(state, "0 occupy:0M1:a2")
    while not state.view(Seat(0))["evaluated"]:
        seat = state.to_act[0]
        state.apply(seat, state.default(seat))
    assert points(state) == [1, 0]


def test_E34_each_house_draws_and_a_sole_poorest_once_more() -> None:
    assert drawn(evaluated("E34", owners={"a2": 0})) == [0, 1, 1]
    assert drawn(evaluated("E34")) == [0, 1]


QUICK = "aristoocrazy/2p/quick2013"


@pytest.mark.parametrize("symbol", ["valour", "rule", "learning"])
def test_Q3_token_symbols_are_counted_openly_and_scorers_give_theirs_away(symbol: str) -> None:
    state = evaluated(symbol, id=QUICK, stashes={0: f"{symbol} {symbol} bow", 1: symbol})
    assert measured(state) == [2, 1] and points(state) == [2, 0]
    assert stash(state, 0) == {"bow": 1} and stash(state, 1) == {symbol: 1}, "no second prize, and no cost"
    shared = evaluated(symbol, id=QUICK, stashes={0: symbol, 1: symbol})
    assert points(shared) == [1, 1] and [stash(shared, seat) for seat in (0, 1)] == [{}, {}]
    nobody = evaluated(symbol, id=QUICK)
    assert points(nobody) == [0, 0]


def test_Q3_crown_is_fields_ring_is_characters() -> None:
    crown = evaluated("crown", id=QUICK, owners={"a2": 0})
    ring = evaluated("ring", TWO_AND_ONE, id=QUICK)
    assert (measured(crown), points(crown)) == ([2, 1], [2, 0])
    assert (measured(ring), points(ring)) == ([2, 1], [2, 0])
    assert points(evaluated("ring", id=QUICK)) == [1, 1]


def test_Q3_shield_is_battles_won() -> None:
    state = position(
        [*PAIR, "1M1 a2 rule+valour+learning", *OTHER_PAIR[1:]], id=QUICK, row=["shield"], stashes={0: "bow"}
    )
    play(state, "0 attack:0M1:a2", "0 qcommit:bow:1", "1 qcommit:none")
    while not state.view(Seat(0))["evaluated"]:
        seat = state.to_act[0]
        state.apply(seat, state.default(seat))
    assert measured(state) == [1, 0] and points(state) == [2, 0]


def test_R32_all_answers_are_secret_until_the_last() -> None:
    state = evaluated("E16", stashes={0: "valour", 1: "valour"})
    before = state.view(Seat(1))
    assert play(state, "0 bid:1") == []
    assert state.view(Seat(0))["sealed"] == "bid:1" and state.view(Seat(1))["sealed"] is None
    assert state.view(Seat(1)) == before | {"to_act": [1]}
    assert state.view(Seat(0))["houses"][0]["stash"] == {"valour": 1}, "still there"


def test_R14_the_first_two_cards_are_never_evaluated() -> None:
    state = position(ALL, round=2, turn=1, row=["E01", "E02"])
    while state.view(Seat(0))["round"] == 2:
        seat = state.to_act[0]
        state.apply(seat, state.default(seat))
    assert points(state) == [0, 0] and state.view(Seat(0))["evaluated"] == []
