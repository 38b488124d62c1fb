"""The recruit phase and the favour phase (Claim 4), and the order of work (Claim 6)."""

import pytest

from referee.game import Seat
from tests.rules.claim.claim_positions import act, legal, out, pile, position, recruits, row, seen_by, trick

FOUR = "claim/4p/GK-UWXTD"


@pytest.mark.parametrize(("won_by", "plays"), [(0, "W7 W3"), (1, "W3 W7")])
def test_claim_4_1_two_players_winner_takes_the_face_up_card_loser_the_top(won_by: int, plays: str) -> None:
    state = trick("claim", plays, favour=False, faceup="K2", deck="G5 U1 U2")
    assert recruits(state, won_by) == ["K2"]
    assert recruits(state, 1 - won_by) == ["G5"]
    view = state.view(Seat(won_by))
    assert (view["faceup"], view["deck"], view["followers"]) == (["U1"], 1, [1, 1])
    assert "G5" not in str(view)


def test_claim_4_1_more_players_choose_in_order_of_rank() -> None:
    state = trick(FOUR, "U1 U9 W5 U3", favour=False, faceup="K2 K3", deck="G1 G2 G3 G4 G5")
    assert state.to_act == (1,)
    assert legal(state) == ["take K2", "take K3"]
    act(state, "take K3")
    assert [recruits(state, seat) for seat in range(4)] == [["G1"], ["K3"], ["G2"], ["K2"]]
    assert state.view(Seat(0))["faceup"] == ["G3", "G4"]


def test_claim_4_1_equal_face_up_cards_are_one_choice_that_is_asked() -> None:
    state = trick(FOUR, "U1 U9 W5 U3", favour=False, faceup="G0 G0", deck="G1 G2 G3 G4 G5")
    assert legal(state) == ["take G0"]


def test_claim_4_1_a_recruit_from_the_deck_is_seen_by_its_owner_alone() -> None:
    state = trick("claim", "W7 W3", favour=False, faceup="K2", deck="G5 U1 U2")
    assert [event["card"] for event in seen_by(state, 0, "recruit")] == ["K2", None]
    assert [event["card"] for event in seen_by(state, 1, "recruit")] == ["K2", "G5"]
    assert state.view(Seat(1))["recruited"] == ["G5"]


def test_claim_4_1_recruits_do_not_enter_the_hand_before_the_favour_phase() -> None:
    state = trick("claim", "W7 W3", favour=False, faceup="K2", deck="G5 U1 U2")
    assert state.view(Seat(1))["hand"] == []


def test_claim_4_1_a_recruit_works_no_power() -> None:
    state = trick("claim/2p/GK-UDS", "S1 S0", favour=False, faceup="U5", deck="D9 U1 U2")
    act(state, "take U5")
    assert pile(state, 0) == []
    assert state.to_act == (0,)


def test_claim_4_2_the_followers_are_the_hand() -> None:
    state = position("claim", ["W7", "W3"], favour=False, number=12, faceup="G1", deck="G2")
    state.table.private[0].recruited = [33, 30]
    act(state, "W7", "W3")
    assert state.view(Seat(0))["hand"] == ["G1", "W0", "W3"]
    assert state.view(Seat(1))["hand"] == ["G2"]
    assert state.view(Seat(0))["known"] == [["G1"], []]


def test_claim_4_2_the_winner_takes_all() -> None:
    state = trick(FOUR, "U1 K9 D5 U3", favour=True)
    assert pile(state, 3) == ["K9", "U1", "U3", "D5"]


def test_claim_4_3_piles_plays_and_face_up_recruits_are_public() -> None:
    state = trick(FOUR, "U1 U9 W5 U3", favour=False, faceup="K2 K3", deck="G1 G2 G3 G4 G5")
    act(state, "take K3")
    views = [state.view(Seat(seat)) for seat in range(4)]
    public = ("known", "piles", "faceup", "tricks", "deck", "hands", "followers", "votes")
    for view in views:
        assert [view[key] for key in public] == [views[0][key] for key in public]
    assert views[0]["known"] == [[], ["K3"], [], ["K2"]]
    assert views[0]["tricks"][0] == {
        "leader": 0,
        "led": "U",
        "plays": [[0, "U1"], [1, "U9"], [2, "W5"], [3, "U3"]],
        "ranking": [1, 3, 0, 2],
        "recruits": [None, "K3", None, "K2"],
    }


def test_claim_6_order_of_work_in_the_recruit_phase() -> None:
    variant = "claim/2p/GK-UXS"
    state = position(variant, ["S5 U1", "U9 G1"], favour=False, faceup="K2", deck="K3 K4 K5")
    act(state, "S5", "U9", "take deck")
    kinds = [event.kind for event in state.events()]
    assert kinds == [
        "play",
        "play",
        "trick",
        "capture",
        "look",
        "look",
        "recruit",
        "recruit",
        "recruit",
        "turned",
    ]
    assert pile(state, 0) == ["U9"]


def test_claim_6_order_of_work_in_the_favour_phase() -> None:
    variant = "claim/4p/NA-UWXTD"
    state = position(
        variant, ["A5 U1", "N5 U2", "W1 U3", "T2 U4"], favour=True, out="T4", rows=["", "N5", "", "N5"]
    )
    act(state, "A5", "N5", "W1", "T2")
    assert (pile(state, 0), pile(state, 2), out(state)) == (["T2", "T4"], ["W1"], [])
    assert legal(state) == ["smash 1 N5", "smash 3 N5"]
    act(state, "smash 3 N5")
    assert (pile(state, 0), row(state, 0), row(state, 1), row(state, 3)) == (
        ["A5", "T2", "T4"],
        ["N5"],
        ["N5"],
        [],
    )
    kinds = [event.kind for event in state.events()][5:]
    assert kinds == ["capture", "capture", "trolls_out", "capture", "smash", "capture"]
