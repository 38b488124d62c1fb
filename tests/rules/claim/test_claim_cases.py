"""The numbered cases of the rules (Claim 9), each in both phases where the rules say so."""

import pytest

from tests.rules.claim.claim_positions import (
    PHASES,
    act,
    leads,
    legal,
    out,
    pile,
    position,
    recruits,
    row,
    trick,
    winner,
)

BASE = "claim/2p/GK-UWX"
DRAGONS = "claim/2p/GK-UWD"
GIANTS = "claim/2p/NA-WTD"
SEERS = "claim/2p/GK-WXS"
both_phases = pytest.mark.parametrize("favour", PHASES)


@both_phases
def test_claim_9_case_1_a_knight_beats_a_led_goblin(favour: bool) -> None:
    assert winner(trick(BASE, "G9 K2", favour=favour)) == 1


@both_phases
def test_claim_9_case_2_a_goblin_thrown_on_a_knight_loses(favour: bool) -> None:
    assert winner(trick(BASE, "K2 G9", favour=favour)) == 0


@both_phases
@pytest.mark.parametrize(
    ("case", "hand", "led", "may"),
    [
        (3, "G0 K9", "G5", ["G0"]),
        (4, "G0 K9 X3", "G5", ["G0", "X3"]),
        (5, "K9 X3", "G5", ["K9", "X3"]),
        (8, "U9 X1", "X2", ["X1"]),
    ],
)
def test_claim_9_cases_3_4_5_8_what_may_follow(
    favour: bool, case: int, hand: str, led: str, may: list[str]
) -> None:
    state = position(BASE, [led, hand], favour=favour)
    act(state, led)
    assert legal(state) == may


@both_phases
@pytest.mark.parametrize(
    ("case", "plays", "won_by"),
    [(6, "U4 X4", 0), (7, "U4 X5", 1), (9, "X2 U9", 0), (10, "G0 G0", 0)],
)
def test_claim_9_cases_6_7_9_10_doppelgangers_and_ties(
    favour: bool, case: int, plays: str, won_by: int
) -> None:
    assert winner(trick(BASE, plays, favour=favour)) == won_by


def test_claim_9_case_11_undead_go_to_the_winner_and_the_doppelganger_is_discarded() -> None:
    state = trick(BASE, "U3 X8", favour=False)
    assert winner(state) == 1
    assert (pile(state, 0), pile(state, 1)) == ([], ["U3"])


def test_claim_9_case_12_the_loser_takes_the_dwarves() -> None:
    state = trick(BASE, "W3 W7", favour=True)
    assert winner(state) == 1
    assert (pile(state, 0), pile(state, 1)) == (["W3", "W7"], [])


def test_claim_9_case_14_dwarves_of_the_recruit_phase_are_discarded() -> None:
    state = trick(BASE, "W3 W7", favour=False)
    assert (pile(state, 0), pile(state, 1)) == ([], [])


def test_claim_9_case_15_an_undead_prize_is_a_follower() -> None:
    state = trick(BASE, "W7 W3", favour=False, faceup="U5")
    assert recruits(state, 0) == ["U5"]
    assert pile(state, 0) == []


def test_claim_9_case_16_the_lower_troll_waits() -> None:
    state = trick(GIANTS, "T4 T9", favour=True)
    assert (pile(state, 1), out(state)) == (["T9"], ["T4"])


def test_claim_9_case_17_a_giant_removes_one_of_two_gnomes() -> None:
    state = trick(GIANTS, "A5 W1", favour=True, rows=["", "N5 N5"])
    assert row(state, 1) == ["N5"]
    assert state.view(state.to_act[0])["removed"] == ["N5"]


def test_claim_9_case_18_the_captors_own_gnome_stays() -> None:
    state = trick(GIANTS, "A7 W1", favour=True, rows=["N7", ""])
    assert row(state, 0) == ["N7"]


@both_phases
def test_claim_9_case_20_the_last_dragon_wins_and_leads(favour: bool) -> None:
    state = trick(DRAGONS, "D2 D8", favour=favour)
    assert (winner(state), leads(state)) == (1, 1)


@both_phases
def test_claim_9_case_22_a_thrown_dragon_leads_the_next_trick(favour: bool) -> None:
    state = trick(DRAGONS, "U8 D1", favour=favour)
    assert (winner(state), leads(state), state.to_act) == (0, 1, (1,))


def test_claim_9_case_23_the_winner_with_a_seer_looks() -> None:
    state = trick(SEERS, "S6 S2", favour=False, faceup="K2", deck="W4 G1 G2")
    assert state.view(state.to_act[0])["look"] == "W4"
    assert legal(state) == ["take K2", "take deck"]


def test_claim_9_case_25_a_doppelganger_that_wins_looks_at_nothing() -> None:
    state = trick(SEERS, "S2 X9", favour=False, faceup="K2", deck="W4 G1 G2")
    assert recruits(state, 1) == ["K2"]
    assert "look" not in {event.kind for event in state.events()}


def test_claim_9_case_26_equal_counts_go_to_the_higher_top() -> None:
    state = position(BASE, ["", ""], favour=True, piles=["K2 K3 K9", "K5 K6 K7"])
    assert state.view(state.to_act[0])["votes"]["K"] == 0


def test_claim_9_case_27_a_troll_that_is_out_goes_to_the_next_winner() -> None:
    state = trick(GIANTS, "W5 W2", favour=True, out="T4")
    assert (pile(state, 0), out(state)) == (["T4"], [])


@pytest.mark.parametrize(
    ("option", "captured", "waits"), [("", ["T4", "T6"], []), ("+troll_carry=cap", ["T6"], ["T4"])]
)
def test_claim_9_case_28_one_troll_and_one_out(option: str, captured: list[str], waits: list[str]) -> None:
    state = trick(GIANTS + option, "T6 D1", favour=True, out="T4")
    assert out(state) == waits
    assert [card for card in pile(state, 0) if card[0] == "T"] == captured


@pytest.mark.parametrize(("option", "owner"), [("", 0), ("+faction_tie=void", None)])
def test_claim_9_case_30_equal_tops_go_to_the_next_highest(option: str, owner: int | None) -> None:
    state = position(GIANTS + option, ["", ""], favour=True, piles=["N7 N3", "N7 N1"])
    assert state.view(state.to_act[0])["votes"]["N"] == owner


@both_phases
def test_claim_9_case_32_of_equal_cards_the_earlier_wins(favour: bool) -> None:
    state = trick("claim/3p/NA-UWXTD", "N5 N7 N7", favour=favour, deck="U1 U2 U3 U4 U5 U6", faceup="W1 W2")
    assert winner(state) == 1
