"""What the factions do (Claim 5), every value of every option."""

import pytest

from referee.game import Seat
from referee.games.claim.game import ClaimState
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
    seen_by,
    trick,
    winner,
)

THREE = "claim/3p/GK-UWTDS"
FOUR = "claim/4p/GK-UWTDS"
GIANTS_THREE = "claim/3p/NA-UWTDS"
GIANTS_FOUR = "claim/4p/NA-UWTDS"
SEERS = "claim/2p/GK-UDS"
TROLLS = "claim/2p/NA-TDS"
both_phases = pytest.mark.parametrize("favour", PHASES)


def test_claim_5_1_goblins_have_no_power() -> None:
    state = trick("claim", "G3 G7", favour=True)
    assert (pile(state, 0), pile(state, 1), leads(state)) == ([], ["G3", "G7"], 1)


@pytest.mark.parametrize(("favour", "captured"), [(False, ["U3"]), (True, ["K9", "U3"])])
def test_claim_5_2_undead_played_in_the_recruit_phase_are_captured(favour: bool, captured: list[str]) -> None:
    state = trick("claim", "U3 K9", favour=favour)
    assert (pile(state, 0), pile(state, 1)) == (captured, [])


def test_claim_5_2_every_undead_of_a_trick_goes_to_the_winner() -> None:
    state = trick(FOUR, "D1 U9 U0 D2", favour=False, faceup="K2 K3")
    assert [pile(state, seat) for seat in range(4)] == [[], [], [], ["U0", "U9"]]


@pytest.mark.parametrize(
    ("option", "taker"),
    [("", 2), ("+dwarf_taker=second_ranked", 3), ("+dwarf_taker=last_losing_side", 1)],
)
def test_claim_5_3_dwarves_go_to_a_loser(option: str, taker: int) -> None:
    # Ranks: 0, 3, 1, 2; seat 2 is the winner's partner.
    state = trick(FOUR + option, "W9 W3 G2 W7", favour=True)
    assert [pile(state, seat) for seat in range(4) if seat == taker] == [["W3", "W7", "W9"]]
    assert pile(state, 0) == ["G2"]


@pytest.mark.parametrize(("option", "taker"), [("", 2), ("+dwarf_taker=second_ranked", 1)])
def test_claim_5_3_dwarves_among_three(option: str, taker: int) -> None:
    state = trick(THREE + option, "U9 U8 W9", favour=True)
    assert pile(state, taker) == ["W9"]
    assert pile(state, 0) == ["U8", "U9"]


def test_claim_5_3_the_last_losing_side_of_three_is_the_last() -> None:
    assert pile(trick(THREE + "+dwarf_taker=last_losing_side", "U9 U8 W9", favour=True), 2) == ["W9"]


def looked(option: str = "", deck: str = "D4 D5 D6 D7 D8 D9") -> ClaimState:
    """Seat 0 has won with a Seer; K2 is face up."""
    return trick(SEERS + option, "S6 S2", favour=False, faceup="K2", deck=deck)


def test_claim_5_4_the_looker_takes_the_face_up_card_and_the_loser_the_top() -> None:
    state = looked()
    act(state, "take K2")
    assert (recruits(state, 0), recruits(state, 1)) == (["K2"], ["D4"])
    assert state.view(Seat(0))["left"] == [[0, "D4", 1]]


def test_claim_5_4_the_looker_takes_the_top_and_the_loser_the_face_up_card() -> None:
    state = looked()
    act(state, "take deck")
    assert (recruits(state, 0), recruits(state, 1)) == (["D4"], ["K2"])
    assert state.view(Seat(0))["left"] == []
    assert state.view(Seat(1))["faceup"] == ["D5"]


def test_claim_5_4_draw_the_loser_draws_and_the_face_up_card_stays() -> None:
    state = looked("+seer_loser=draw")
    act(state, "take deck")
    assert (recruits(state, 0), recruits(state, 1)) == (["D4"], ["D5"])
    assert (state.view(Seat(1))["faceup"], state.view(Seat(1))["deck"]) == (["K2"], 4)
    assert [event["card"] for event in seen_by(state, 0, "recruit")] == ["D4", None]
    assert not seen_by(state, 0, "turned")


def test_claim_5_4_draw_where_the_looker_takes_the_face_up_card() -> None:
    state = looked("+seer_loser=draw")
    act(state, "take K2")
    assert (recruits(state, 0), recruits(state, 1)) == (["K2"], ["D4"])


def test_claim_5_4_draw_from_an_empty_deck_takes_the_face_up_card() -> None:
    state = looked("+seer_loser=draw", deck="D4")
    state.table.public.number = 12
    act(state, "take deck")
    assert (recruits(state, 0), recruits(state, 1)) == (["D4"], ["K2"])


def test_claim_5_4_a_seer_that_loses_or_is_the_prize_shows_nothing() -> None:
    state = trick(SEERS, "G9 S9", favour=False, faceup="S1", deck="D4 D5 D6")
    assert recruits(state, 0) == ["S1"]
    assert not seen_by(state, 0, "look")


def test_claim_5_4_seers_do_nothing_in_the_favour_phase() -> None:
    state = trick(SEERS, "S6 S2", favour=True)
    assert pile(state, 0) == ["S2", "S6"]


def test_claim_5_4_what_was_seen_is_known_to_the_looker_and_the_taker_alone() -> None:
    state = trick(THREE, "S6 S2 S1", favour=False, faceup="K2 K3", deck="D4 D5 D6 D7 D8 D9")
    act(state, "take K2")
    assert [recruits(state, seat) for seat in range(3)] == [["K2"], ["K3"], ["D4"]]
    cards = [[event["card"] for event in seen_by(state, seat, "recruit")] for seat in range(3)]
    assert cards == [["K2", "K3", "D4"], ["K2", "K3", None], ["K2", "K3", "D4"]]
    assert [event["card"] for seat in range(3) for event in seen_by(state, seat, "look")] == [
        "D4",
        None,
        None,
    ]
    assert [state.view(Seat(seat))["left"] for seat in range(3)] == [[[0, "D4", 2]], [], []]


def test_claim_5_4_three_way_those_after_the_looker_choose_while_two_are_up() -> None:
    state = trick(FOUR, "S6 S2 S1 S3", favour=False, faceup="K2 K3", deck="D4 D5 D6 D7 D8 D9")
    assert legal(state) == ["take K2", "take K3", "take deck"]
    act(state, "take deck")
    assert (state.to_act, legal(state)) == ((3,), ["take K2", "take K3"])
    assert state.view(Seat(3))["look"] is None
    assert state.view(Seat(3))["followers"] == [1, 0, 0, 0]
    act(state, "take K3")
    assert [recruits(state, seat) for seat in range(4)] == [["D4"], ["K2"], ["D5"], ["K3"]]


def test_claim_5_4_three_way_the_card_left_goes_to_the_first_who_draws() -> None:
    state = trick(FOUR, "S6 S2 S1 S3", favour=False, faceup="K2 K3", deck="D4 D5 D6 D7 D8 D9")
    act(state, "take K2")
    assert [recruits(state, seat) for seat in range(4)] == [["K2"], ["D4"], ["D5"], ["K3"]]
    assert state.view(Seat(0))["left"] == [[0, "D4", 1]]


def test_claim_5_4_off_nobody_looks_with_three_or_four() -> None:
    state = trick(THREE + "+seer_multi=off", "S6 S2 S1", favour=False, faceup="K2 K3")
    assert legal(state) == ["take K2", "take K3"]
    assert not seen_by(state, 0, "look")


def test_claim_5_4_off_two_players_look_all_the_same() -> None:
    assert legal(looked("+seer_multi=off")) == ["take K2", "take deck"]


@both_phases
@pytest.mark.parametrize(
    ("plays", "won_by", "leader"), [("U9 D0 U1", 0, 1), ("D9 D8 G1", 0, 1), ("U1 D9 D0", 0, 2)]
)
def test_claim_5_5_the_last_dragon_leads_next(favour: bool, plays: str, won_by: int, leader: int) -> None:
    state = trick(THREE, plays, favour=favour)
    assert (winner(state), leads(state)) == (won_by, leader)
    if favour:
        assert len(pile(state, won_by)) == 3
        assert state.to_act == (leader,)


@pytest.mark.parametrize(("option", "leader"), [("", 1), ("+dragon_over_phase=no", 0)])
def test_claim_5_5_a_dragon_in_the_last_trick_of_the_first_phase(option: str, leader: int) -> None:
    state = trick(SEERS + option, "U9 D0", favour=False, number=12, faceup="G1", deck="G2")
    assert state.view(Seat(0))["phase"] == "favour"
    assert state.to_act == (leader,)


def test_claim_5_5_dragon_over_phase_no_leaves_other_tricks_alone() -> None:
    assert leads(trick(SEERS + "+dragon_over_phase=no", "U9 D0", favour=False)) == 1
    assert leads(trick(SEERS + "+dragon_over_phase=no", "U9 D0", favour=True, number=11)) == 1


@pytest.mark.parametrize(
    ("option", "plays", "was_out", "captured", "stays"),
    [
        ("", "T4 T9", "", ["T9"], ["T4"]),
        ("", "T4 T9", "T7", ["T9"], ["T4", "T7"]),
        ("", "T9 D1", "T4 T7", ["T4", "T7", "T9"], []),
        ("", "D1 D0", "T4 T7", ["T4", "T7"], []),
        ("+troll_carry=bonus", "T4 T9", "T7", ["T7", "T9"], ["T4"]),
        ("+troll_carry=bonus", "T9 D1", "T4", ["T4", "T9"], []),
        ("+troll_carry=bonus", "D1 D0", "T4", ["T4"], []),
        ("+troll_carry=cap", "T4 T5", "T7", ["T7"], ["T4", "T5"]),
        ("+troll_carry=cap", "T6 D1", "T7", ["T7"], ["T6"]),
        ("+troll_carry=cap", "D1 D0", "T4 T7", ["T7"], ["T4"]),
        ("+troll_carry=cap", "D1 D0", "T4", ["T4"], []),
    ],
)
def test_claim_5_6_trolls(
    option: str, plays: str, was_out: str, captured: list[str], stays: list[str]
) -> None:
    state = trick(TROLLS + option, plays, favour=True, out=was_out)
    got = [card for card in pile(state, winner(state)) if card[0] == "T"]
    assert (got, out(state), pile(state, 1 - winner(state))) == (captured, stays, [])


def test_claim_5_6_the_highest_of_many_trolls_goes_to_the_winner_whoever_played_it() -> None:
    state = trick(FOUR, "D9 T3 T8 T5", favour=True)
    assert (pile(state, 0), out(state)) == (["T8", "D9"], ["T3", "T5"])


def test_claim_5_6_trolls_do_nothing_in_the_recruit_phase() -> None:
    state = trick(TROLLS, "T4 T9", favour=False, faceup="A1", deck="A3 D4 D5")
    assert (pile(state, 1), out(state)) == ([], [])


@pytest.mark.parametrize(
    ("option", "captured", "stays"), [("", ["T9"], ["T4"]), ("+troll_leftover=last_winner", ["T4", "T9"], [])]
)
def test_claim_5_6_trolls_out_after_the_last_trick(
    option: str, captured: list[str], stays: list[str]
) -> None:
    state = trick(TROLLS + option, "T4 T9", favour=True, number=12)
    assert state.outcome is not None
    assert (pile(state, 1), out(state)) == (captured, stays)


@pytest.mark.parametrize(
    "plays", ["T4 X9", "X4 T9"], ids=["a Doppelganger follows a Troll", "a Troll is thrown on a Doppelganger"]
)
def test_claim_5_6_a_doppelganger_is_never_a_troll(plays: str) -> None:
    state = trick("claim/2p/GK-UXT", plays, favour=True)
    assert out(state) == []
    assert len(pile(state, winner(state))) == 2


def test_claim_5_6_a_doppelganger_is_never_a_dwarf() -> None:
    state = trick("claim", "W4 X3", favour=True)
    assert (pile(state, 0), pile(state, 1)) == (["X3"], ["W4"])


def test_claim_5_6_a_doppelganger_is_never_a_giant_or_a_gnome() -> None:
    state = trick("claim/2p/NA-UXT", "A3 X5", favour=True, rows=["N5", "N5"])
    assert (row(state, 0), row(state, 1), pile(state, 1)) == (["N5"], ["N5"], ["X5", "A3"])
    state = trick("claim/2p/NA-UXT", "N3 X5", favour=True)
    assert (row(state, 1), pile(state, 1)) == (["N3"], ["X5"])


def test_claim_5_7_gnomes_lie_before_their_captor_and_count() -> None:
    state = trick(TROLLS, "N3 N7", favour=True)
    assert (row(state, 1), pile(state, 1)) == (["N3", "N7"], [])
    assert state.view(Seat(0))["votes"]["N"] == 1


def test_claim_5_7_gnomes_alive_at_the_end_join_the_pile() -> None:
    state = trick(TROLLS, "N3 N7", favour=True, number=12, rows=["N1", ""])
    assert (pile(state, 0), pile(state, 1)) == (["N1"], ["N3", "N7"])
    assert (row(state, 0), row(state, 1)) == ([], [])


def test_claim_5_7_gnomes_of_the_recruit_phase_are_discarded() -> None:
    state = trick(TROLLS, "N3 N7", favour=False)
    assert (row(state, 1), pile(state, 1)) == ([], [])


@pytest.mark.parametrize(
    ("plays", "gnomes", "left", "removed"),
    [
        ("A5 D1", "N5 N5", ["N5"], ["N5"]),
        ("A5 D1", "N3 N7", ["N3", "N7"], []),
        ("A5 A5", "N5 N5 N5", ["N5"], ["N5", "N5"]),
        ("A5 A3", "N3 N5", [], ["N5", "N3"]),
        ("A5 A5", "N5", [], ["N5"]),
        ("A5 N5", "", [], []),
    ],
)
def test_claim_5_8_each_giant_removes_a_gnome_of_its_value(
    plays: str, gnomes: str, left: list[str], removed: list[str]
) -> None:
    state = trick(TROLLS, plays, favour=True, rows=["", gnomes])
    assert row(state, 1) == left
    assert state.view(Seat(0))["removed"] == removed
    assert [card for card in pile(state, 0) if card[0] == "A"] == sorted(
        card for card in plays.split() if card[0] == "A"
    )


def test_claim_5_8_a_gnome_removed_no_longer_votes() -> None:
    state = trick(TROLLS, "A5 D1", favour=True, rows=["", "N5"])
    assert state.view(Seat(0))["votes"]["N"] is None


def test_claim_5_8_a_giant_thrown_away_works_for_the_winner() -> None:
    state = trick(TROLLS, "D1 A5", favour=True, rows=["N5", "N5"])
    assert (row(state, 0), row(state, 1), pile(state, 0)) == (["N5"], [], ["A5", "D1"])


def test_claim_5_8_giants_do_nothing_in_the_recruit_phase() -> None:
    state = trick(TROLLS, "A5 D1", favour=False, rows=["", "N5"])
    assert row(state, 1) == ["N5"]


def test_claim_5_8_a_partners_gnomes_are_safe() -> None:
    state = trick(GIANTS_FOUR, "A5 D1 D2 D3", favour=True, rows=["", "", "N5", "N5"])
    assert (row(state, 2), row(state, 3)) == (["N5"], [])


def test_claim_5_8_where_two_opponents_have_one_the_captor_chooses() -> None:
    state = trick(GIANTS_THREE, "A5 D1 D2", favour=True, rows=["", "N5 N5", "N5"])
    assert (state.to_act, legal(state)) == ((0,), ["smash 1 N5", "smash 2 N5"])
    assert state.view(Seat(1))["giants"] == ["A5"]
    act(state, "smash 2 N5")
    assert (row(state, 1), row(state, 2)) == (["N5", "N5"], [])


def test_claim_5_8_the_giants_that_wait_for_a_choice_are_shown() -> None:
    rows = ["", "N3 N5", "N3 N5"]
    state = position(GIANTS_THREE, ["A5", "A3", "D1"], favour=True, rows=rows)
    giants = [state.view(Seat(0))["giants"]]
    for action in ("A5", "A3", "D1", "smash 1 N5", "smash 2 N3"):
        act(state, action)
        giants.append(state.view(Seat(0))["giants"])
    assert giants == [[], [], [], ["A5", "A3"], ["A3"], []]


def test_claim_5_8_each_giant_has_its_own_choice_in_order_of_play() -> None:
    state = trick(GIANTS_THREE, "A3 A1 A3", favour=True, rows=["", "N1 N3 N3", "N1 N3"])
    assert legal(state) == ["smash 1 N3", "smash 2 N3"]
    act(state, "smash 1 N3")
    assert legal(state) == ["smash 1 N1", "smash 2 N1"]
    act(state, "smash 2 N1")
    assert legal(state) == ["smash 1 N3", "smash 2 N3"]
    act(state, "smash 2 N3")
    assert (row(state, 1), row(state, 2)) == (["N1", "N3"], [])
    assert len(pile(state, 0)) == 3


def test_claim_5_8_all_opponents_lose_one() -> None:
    state = trick(
        GIANTS_THREE + "+giant_multi=all_opponents", "A5 D1 D2", favour=True, rows=["N5", "N5 N5", "N5"]
    )
    assert [row(state, seat) for seat in range(3)] == [["N5"], ["N5"], []]
