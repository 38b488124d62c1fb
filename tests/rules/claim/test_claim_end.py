"""Votes, places and the outcome (Claim 7)."""

import pytest

from referee.game import Outcome, Seat
from referee.games.claim.game import ClaimState
from tests.rules.claim.claim_positions import act, position

FOUR = "claim/4p/GK-UWTDS"


def votes(variant: str, *piles: str) -> dict[str, int | None]:
    hands = [""] * len(piles)
    found: dict[str, int | None] = position(variant, hands, favour=True, piles=piles).view(Seat(0))["votes"]
    return found


def ended(variant: str, piles: list[str], last: str) -> Outcome:
    """The outcome after the last trick of a game."""
    players = last.split()
    number = {2: 12, 3: 11, 4: 8}[len(players)]
    state: ClaimState = position(variant, players, favour=True, piles=piles, number=number)
    act(state, *players)
    assert state.to_act == ()
    assert state.outcome is not None
    return state.outcome


@pytest.mark.parametrize(
    ("mine", "other", "owner"),
    [
        ("U1 U2", "U9", 0),
        ("U1 U2", "U3 U0", 1),
        ("U9 U2 U1", "U8 U7 U6", 0),
        ("", "U0", 1),
        ("", "", None),
    ],
)
def test_claim_7_1_most_cards_then_the_highest(mine: str, other: str, owner: int | None) -> None:
    assert votes("claim", mine, other)["U"] == owner


@pytest.mark.parametrize(
    ("option", "mine", "other", "owner"),
    [
        ("", "N7 N3", "N7 N1", 0),
        ("", "N7 N3 N1", "N7 N3 N3", 1),
        ("", "N7 N3", "N7 N3", None),
        ("+faction_tie=void", "N7 N3", "N7 N1", None),
        ("+faction_tie=void", "N7 N3", "N5 N5", 0),
        ("+faction_tie=void", "N7", "N5 N5", 1),
    ],
)
def test_claim_7_1_equal_again(option: str, mine: str, other: str, owner: int | None) -> None:
    assert votes("claim-2" + option, mine, other)["N"] == owner


def test_claim_7_1_of_three_only_the_best_tie() -> None:
    assert votes("claim/3p/NA-UWTDS", "N7", "N7", "N5 N3")["N"] == 2
    assert votes("claim/3p/NA-UWTDS", "N7 N1", "N7 N1", "N5")["N"] is None


def test_claim_7_1_five_goblins_0_are_five_cards() -> None:
    assert votes("claim", "G0 G0 G0 G0 G0", "G9 G8 G7 G6")["G"] == 0
    assert votes("claim", "G0 G0 G0 G0", "G1 G0 G0 G0")["G"] == 1


def test_claim_7_2_partners_pool_their_piles() -> None:
    assert votes(FOUR, "U1", "U8 U9", "U2 U3", "")["U"] == 0


def test_claim_7_2_most_votes_first_and_equal_votes_share_the_place() -> None:
    result = ended("claim/3p/GK-UWTDS", ["U1", "D1", "G1 S1"], "K2 K3 K4")
    assert (result.ranks, result.scores) == ((1, 1, 0), (1, 1, 3))
    result = ended("claim/3p/GK-UWTDS", ["U1", "D1", ""], "K4 G3 G2")
    assert (result.ranks, result.scores) == ((0, 1, 2), (3, 1, 0))


def test_claim_7_2_a_shared_first_place() -> None:
    result = ended("claim/3p/GK-UWTDS", ["U1", "D1 S1 T1", "W1"], "K4 K3 K2")
    assert (result.ranks, result.scores) == ((1, 0, 2), (2, 3, 1))
    result = ended("claim/3p/GK-UWTDS", ["U1", "D1 S1", "W1"], "K4 K3 K2")
    assert (result.ranks, result.scores) == ((0, 0, 2), (2, 2, 1))


@pytest.mark.parametrize(("option", "ranks"), [("", (0, 0)), ("+game_tie=cards", (1, 0))])
def test_claim_7_2_equal_votes_and_unequal_piles(option: str, ranks: tuple[int, ...]) -> None:
    result = ended("claim" + option, ["U1", "X1 X2 X3 W1"], "K5 K3")
    assert (result.scores, result.ranks) == ((2, 2), ranks)


@pytest.mark.parametrize(("option", "ranks"), [("", (0, 0, 0)), ("+game_tie=cards", (1, 1, 0))])
def test_claim_7_2_equal_votes_and_cards_stay_equal(option: str, ranks: tuple[int, ...]) -> None:
    result = ended("claim/3p/NA-UWTDS" + option, ["U1", "W1", ""], "D2 D3 D4")
    assert (result.scores, result.ranks) == ((1, 1, 1), ranks)


def test_claim_7_2_gnomes_alive_count_as_cards() -> None:
    result = ended("claim-2+game_tie=cards", ["D1", "S1 S0 S2"], "N3 N5")
    assert (result.scores, result.ranks) == ((1, 2), (1, 0))
    result = ended("claim-2+game_tie=cards", ["D1 T1", "S1"], "N3 N5")
    assert (result.scores, result.ranks) == ((2, 2), (1, 0))


def test_claim_7_3_partners_share_place_votes_and_team() -> None:
    result = ended(FOUR, ["U1", "D1", "S1", "G1"], "K2 K3 K4 K9")
    assert (result.ranks, result.scores, result.teams) == ((1, 0, 1, 0), (2, 3, 2, 3), (0, 1, 0, 1))


def test_claim_7_3_no_outcome_before_the_end() -> None:
    assert position("claim", ["U1 U2", "U3 U4"], favour=True).outcome is None
