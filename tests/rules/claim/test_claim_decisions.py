"""Decisions, their notation, and what a view tells (Claim 8)."""

import json

import pytest

from referee.game import IllegalAction, Seat
from referee.games.claim import Claim
from tests.rules.claim.claim_positions import act, legal, position, trick

CLAIM = Claim()
THREE = "claim/3p/NA-UWTDS"


def test_claim_8_notation_of_the_four_decisions() -> None:
    assert legal(position("claim", ["K7 U0", ""], favour=True)) == ["K7", "U0"]
    state = trick("claim/2p/GK-UDS", "S6 S2", favour=False, faceup="K7", deck="D4 D5 D6")
    assert legal(state) == ["take K7", "take deck"]
    state = trick(THREE, "A5 D1 D2", favour=True, rows=["", "N5", "N5"])
    assert legal(state) == ["smash 1 N5", "smash 2 N5"]


def test_claim_8_text_and_number_of_an_action_agree() -> None:
    state = trick(THREE, "A5 D1 D2", favour=True, rows=["", "N5", "N5"])
    for action in state.legal(Seat(0)):
        assert state.parse(Seat(0), state.text(action)) == action


def test_claim_8_forced_plays_are_asked() -> None:
    state = position("claim", ["K7", "U0"], favour=True)
    act(state, "K7")
    assert (state.to_act, legal(state)) == ((1,), ["U0"])


def test_claim_8_one_seat_decides_at_a_time() -> None:
    state = position("claim", ["K7", "U0"], favour=True)
    assert state.legal(Seat(1)) == []
    with pytest.raises(IllegalAction, match="not its turn"):
        state.parse(Seat(1), "U0")
    with pytest.raises(IllegalAction, match="not its turn"):
        state.apply(Seat(1), 20)


def test_claim_8_a_smash_or_recruit_that_is_not_offered_is_refused() -> None:
    state = trick(THREE, "A5 D1 D2", favour=True, rows=["", "N5", "N5"])
    for action in (55, 200, 355, 456):
        with pytest.raises(IllegalAction, match="legal: smash 1 N5 smash 2 N5"):
            state.apply(Seat(0), action)
    state = trick("claim/3p/GK-UWXTD", "U6 U2 U3", favour=False, faceup="K7 K8")
    for action in (17, 116, 200):
        with pytest.raises(IllegalAction, match="legal: take K7 take K8"):
            state.apply(Seat(0), action)


def test_claim_8_the_view_of_a_follower() -> None:
    state = position("claim", ["W7 K1", "W3 U5 X2"], favour=False, faceup="K2", deck="G5 U1 U2")
    act(state, "W7")
    view = state.view(Seat(1))
    assert view == {
        "variant": "claim/2p/GK-UWX",
        "seat": 1,
        "to_act": [1],
        "decision": "play",
        "phase": "recruit",
        "trick_number": 1,
        "trick": {"leader": 0, "led": "W", "plays": [[0, "W7"]], "ranking": [], "recruits": [None, None]},
        "hand": ["U5", "W3", "X2"],
        "recruited": [],
        "look": None,
        "left": [],
        "faceup": ["K2"],
        "deck": 3,
        "hands": [12, 13],
        "followers": [0, 0],
        "known": [[], []],
        "voids": ["", ""],
        "piles": [[], []],
        "rows": [[], []],
        "out": [],
        "giants": [],
        "removed": [],
        "votes": {"G": None, "K": None, "U": None, "W": None, "X": None},
        "tricks": [],
    }


@pytest.mark.parametrize(
    ("plays", "void"),
    [("U1 W2", "U"), ("U1 X2", ""), ("U1 U2", ""), ("X1 W2", "X"), ("G1 K2", "G"), ("K2 G1", "K")],
)
def test_claim_8_who_throws_off_has_shown_to_lack_the_led_faction(plays: str, void: str) -> None:
    assert trick("claim", plays, favour=True).view(Seat(0))["voids"] == ["", void]


def test_claim_8_voids_hold_until_the_phase_changes() -> None:
    state = trick("claim", "U1 W2", favour=False, number=12, faceup="G1", deck="G2")
    assert state.view(Seat(0))["voids"] == ["", ""]


def test_claim_8_a_face_up_recruit_is_known_until_it_is_played() -> None:
    state = position("claim", ["U1 U2", "U3 U4"], favour=True)
    state.table.public.known = [[21], [24, 23]]
    act(state, "U1", "U3")
    assert state.view(Seat(0))["known"] == [[], ["U4"]]


def test_claim_8_what_a_seer_saw_is_kept_until_it_is_played() -> None:
    state = trick("claim/2p/GK-UDS", "S6 S2", favour=False, number=12, faceup="K2", deck="D4")
    act(state, "take K2")
    assert state.view(Seat(0))["left"] == [[0, "D4", 1]]
    act(state, "K2", "D4")
    assert state.view(Seat(0))["left"] == []


def test_claim_8_of_two_equal_cards_the_one_known_to_all_is_played_first() -> None:
    state = trick("claim/2p/NA-TDS", "S6 S2", favour=False, number=12, faceup="N7", deck="N5")
    act(state, "take N7")
    zone = state.table.private[1]
    zone.faces, zone.twins = [55], [55]
    state.table.public.known[1] = [55]
    act(state, "N7", "N5")
    assert (state.view(Seat(0))["known"][1], state.view(Seat(0))["left"]) == ([], [[0, "N5", 1]])


def test_claim_8_that_a_seer_looked_is_public_and_the_card_is_not() -> None:
    state = trick("claim/2p/GK-UDS", "S6 S2", favour=False, faceup="K2", deck="D4 D5 D6")
    assert state.view(Seat(0))["look"] == "D4"
    other = state.view(Seat(1))
    assert (other["look"], other["decision"], other["to_act"]) == (None, "recruit", [0])
    assert "D4" not in json.dumps(other)


def test_claim_8_a_view_in_the_middle_is_small() -> None:
    for id in ("claim", "claim-2", "claim/3p/NA-UWTDS", "claim/4p/GK-UWXTD"):
        state = CLAIM.setup(CLAIM.variant(id), "size")
        while state.view(Seat(0))["phase"] == "recruit":
            state.apply(state.to_act[0], state.default(state.to_act[0]))
        assert len(json.dumps(state.view(Seat(0)), separators=(",", ":"))) < 2500


@pytest.mark.parametrize("id", CLAIM.variants()[::7])
def test_claim_8_the_board_fits_and_hides(id: str) -> None:
    state = CLAIM.setup(CLAIM.variant(id), "draw")
    while state.to_act:
        everything, seat_0 = CLAIM.render(state), CLAIM.render(state, Seat(0))
        assert max(len(line) for line in (everything + "\n" + seat_0).split("\n")) <= 80
        hands = [line for line in seat_0.split("\n") if line.startswith("  hand ")]
        assert len(hands) == 1
        assert everything.count("\n  hand ") == len(state.table.private)
        state.apply(state.to_act[0], state.default(state.to_act[0]))
    assert "the game is over" in CLAIM.render(state)
