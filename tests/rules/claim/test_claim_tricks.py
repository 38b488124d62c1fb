"""Following, winning and ranking (Claim 3)."""

import pytest

from referee.game import IllegalAction, Seat
from tests.rules.claim.claim_positions import PHASES, act, leads, legal, position, ranking, trick, winner

THREE = "claim/3p/GK-UWXTD"
FOUR = "claim/4p/GK-UWXTD"
both_phases = pytest.mark.parametrize("favour", PHASES)


def test_claim_3_1_the_leader_plays_any_card() -> None:
    assert legal(position("claim", ["G1 K2 U3 X4", "U1"], favour=False)) == ["G1", "K2", "U3", "X4"]


def test_claim_3_1_the_others_follow_in_seat_order() -> None:
    state = position(FOUR, ["U0", "U1", "U2", "U3"], favour=False, leader=2)
    turns: list[int] = []
    for card in ("U2", "U3", "U0", "U1"):
        turns += state.to_act
        act(state, card)
    assert turns == [2, 3, 0, 1]


@both_phases
@pytest.mark.parametrize(
    ("hand", "led", "may"),
    [
        ("U1 U7 W2 X5", "U0", ["U1", "U7", "X5"]),
        ("W2 W3 X5", "U0", ["W2", "W3", "X5"]),
        ("W2 W3", "U0", ["W2", "W3"]),
        ("U1 X5 X6", "X0", ["X5", "X6"]),
        ("U1 W2", "X0", ["U1", "W2"]),
        ("G1 K9", "G0", ["G1"]),
        ("U1 U2 X0", "U9", ["U1", "U2", "X0"]),
    ],
)
def test_claim_3_2_who_holds_the_led_faction_follows_or_plays_a_doppelganger(
    favour: bool, hand: str, led: str, may: list[str]
) -> None:
    state = position("claim", [led, hand], favour=favour)
    act(state, led)
    assert legal(state) == may


def test_claim_3_2_a_card_that_does_not_follow_is_refused_and_changes_nothing() -> None:
    state = position("claim", ["U9", "U1 W2"], favour=False)
    act(state, "U9")
    before = state.view(Seat(1))
    with pytest.raises(IllegalAction, match="legal: U1"):
        state.apply(Seat(1), 32)
    with pytest.raises(IllegalAction, match="legal: U1"):
        state.parse(Seat(1), "W2")
    assert state.view(Seat(1)) == before


@both_phases
@pytest.mark.parametrize(
    ("plays", "order"),
    [
        ("U4 X5 U9", (2, 1, 0)),
        ("U4 X4 U3", (0, 1, 2)),
        ("U4 X9 W9", (1, 0, 2)),
        ("K4 X9 G9", (1, 0, 2)),
        ("G4 X9 G5", (1, 2, 0)),
    ],
)
def test_claim_3_3_a_doppelganger_counts_as_the_led_faction(
    favour: bool, plays: str, order: tuple[int, ...]
) -> None:
    assert ranking(trick(THREE, plays, favour=favour)) == order


def test_claim_3_3_a_doppelganger_takes_over_no_power() -> None:
    assert leads(trick("claim/2p/GK-UXD", "D2 X9", favour=True)) == 0


def test_claim_3_3_a_doppelganger_scores_as_one() -> None:
    view = trick("claim", "U2 X9", favour=True).view(Seat(0))
    assert (view["votes"]["U"], view["votes"]["X"]) == (1, 1)


@both_phases
@pytest.mark.parametrize(
    ("plays", "order"),
    [
        ("G9 K2 G8", (1, 0, 2)),
        ("G9 K2 K5", (2, 0, 1)),
        ("K2 G9 G8", (0, 1, 2)),
        ("U2 K9 G9", (0, 1, 2)),
        ("G1 G9 U9", (1, 0, 2)),
    ],
)
def test_claim_3_4_a_knight_beats_a_led_goblin(favour: bool, plays: str, order: tuple[int, ...]) -> None:
    assert ranking(trick(THREE, plays, favour=favour)) == order


@both_phases
@pytest.mark.parametrize(
    ("plays", "won_by"), [("G0 G0 G0", 0), ("U2 W9 U3", 2), ("U0 W9 T9", 0), ("X3 U9 X4", 2)]
)
def test_claim_3_5_the_highest_of_the_led_faction_wins(favour: bool, plays: str, won_by: int) -> None:
    assert winner(trick(THREE, plays, favour=favour)) == won_by


@both_phases
@pytest.mark.parametrize(
    ("leader", "plays", "order"),
    [
        (0, "U5 U7 U1 W9", (1, 0, 2, 3)),
        (0, "U5 W2 T8 D3", (0, 2, 3, 1)),
        (0, "U5 W8 T8 D8", (0, 1, 2, 3)),
        (2, "U5 W8 U6 D9", (0, 2, 1, 3)),
        (0, "G5 K3 K8 G9", (2, 3, 0, 1)),
        (0, "G5 K3 K8 U9", (2, 0, 3, 1)),
        (3, "U0 W9 D9 T9", (3, 0, 1, 2)),
    ],
)
def test_claim_3_6_rank_in_a_trick(favour: bool, leader: int, plays: str, order: tuple[int, ...]) -> None:
    assert ranking(trick(FOUR, plays, favour=favour, leader=leader)) == order


@both_phases
@pytest.mark.parametrize(
    ("option", "plays", "order"),
    [
        ("", "G5 X9 K2 K4", (3, 1, 0, 2)),
        ("+knight_vs_doppelganger=no", "G5 X9 K2 K4", (1, 0, 3, 2)),
        ("+knight_vs_doppelganger=no", "G5 X4 K2 K4", (3, 0, 1, 2)),
        ("+knight_vs_doppelganger=no", "G5 X5 K2 W9", (2, 0, 1, 3)),
        ("+knight_vs_doppelganger=no", "G5 X6 G7 K9", (3, 2, 1, 0)),
    ],
)
def test_claim_3_6_knight_against_doppelganger(
    favour: bool, option: str, plays: str, order: tuple[int, ...]
) -> None:
    assert ranking(trick(FOUR + option, plays, favour=favour)) == order


@both_phases
def test_claim_3_7_the_winner_leads_the_next_trick(favour: bool) -> None:
    state = trick(THREE, "U1 U5 U3", favour=favour, leader=1)
    if not favour:
        act(state, legal(state)[0])
    assert state.to_act == (2,)


def test_claim_3_7_the_last_winner_of_the_first_phase_leads_the_second() -> None:
    state = trick("claim", "U1 U5", favour=False, number=12, deck="G2", faceup="G1")
    assert state.view(Seat(0))["phase"] == "favour"
    assert state.to_act == (1,)
