"""The game quick2013, each rule by its number (Aristoocrazy Q1 to Q5; for Q3 see the events)."""

from __future__ import annotations

from typing import Any

import pytest

from referee.game import Seat
from referee.games.aristoocrazy import Aristoocrazy
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
    there,
)

GAME = Aristoocrazy()
ALL = [*PAIR, *OTHER_PAIR]
QUICK = "aristoocrazy/2p/quick2013"
TRIO = ["0M1 a1 bow+sword+rule", "1M1 e1 bow+sword+rule", "2M1 e5 bow+sword+rule"]
THREE = "aristoocrazy/3p/classic"


def test_Q1_rounds() -> None:
    rounds = {id: GAME.variant(id).rounds for id in GAME.variants() if "quick" in id}
    assert list(rounds.values()) == [8, 8, 10]


@pytest.mark.parametrize(("id", "scored"), [(QUICK, 6), ("aristoocrazy/4p/quick2013", 8)])
def test_Q1_the_first_two_cards_do_not_score(id: str, scored: int) -> None:
    variant = GAME.variant(id)
    state = GAME.setup(variant, "s")
    while state.to_act:
        state.apply(state.to_act[0], state.default(state.to_act[0]))
    deck = GAME.literal(variant, "s")[: variant.rounds]
    assert state.view(Seat(0))["evaluated"] == deck[2:] and len(deck[2:]) == scored
    assert bodies(state.events(), "event") == [{"event": card} for card in deck[2:]]


def test_Q2_seven_traits_no_cards_fixed_pairs() -> None:
    info = GAME.setup_info(GAME.variant(QUICK))
    assert info["traits"] == ["bow", "sword", "magic", "valour", "rule", "learning", "folly"]
    assert info["actions"] == [] and all(
        sorted(die) == sorted(info["traits"][:6]) for die in info["red_dice"]
    )
    state = GAME.setup(GAME.variant(QUICK), "s")
    assert state.view(Seat(0))["phase"] == "move"
    assert person(state, "1F1")["traits"] == ["magic", "valour", "learning"]  # type: ignore[index]


def quick_fight(mine: str, theirs: str, stake: str, answer: str) -> tuple[AristoocrazyState, dict[str, Any]]:
    people = ["0M1 b1 bow+sword+magic", "1M1 b2 bow+sword+magic", "0F1 a1 rule+folly+folly", *OTHER_PAIR[1:]]
    state = position(people, id=QUICK, owners={"b3": 1}, stashes={0: mine, 1: theirs})
    events = play(state, "0 attack:0M1:b2", f"0 {stake}", f"1 {answer}")
    return state, bodies(events, "battle")[0]


def test_Q4_one_kind_that_a_participant_knows() -> None:
    people = ["0M1 a1 bow+rule+learning", "1M1 a2 magic+rule+folly"]
    state = position(people, id=QUICK, stashes={0: "bow bow sword sword sword"})
    play(state, "0 attack:0M1:a2")
    assert legal(state, 0) == ["qcommit:none", "qcommit:bow:1", "qcommit:bow:2"], "nobody is taught"
    assert legal(state, 1) == ["qcommit:none"]


@pytest.mark.parametrize(
    ("stake", "answer", "winner", "wins"),
    [
        ("qcommit:bow:2", "qcommit:bow:1", 0, [2, 1]), ("qcommit:bow:1", "qcommit:bow:1", 1, [1, 1]),
        ("qcommit:bow:1", "qcommit:magic:2", 0, [3, 2]), ("qcommit:sword:2", "qcommit:magic:1", 1, [2, 3]),
        ("qcommit:bow:1", "qcommit:none", 0, [1, 0]), ("qcommit:none", "qcommit:none", None, [0, 0]),
        ("qcommit:none", "qcommit:bow:1", 1, [0, 1]),
    ],
)  # fmt: skip
def test_Q4_numbers_and_an_edge_of_two(stake: str, answer: str, winner: int | None, wins: list[int]) -> None:
    state, fought = quick_fight("bow bow sword sword", "bow magic magic", stake, answer)
    assert (fought["winner"], fought["wins"]) == (winner, wins)
    won = [house(state, seat)["battles_won"] for seat in (0, 1)]
    assert won == [int(winner == seat) for seat in (0, 1)]
    assert [person(state, name)["red"] for name in ("0M1", "1M1")] == [0, 0], "no wounds"  # type: ignore[index]
    assert (person(state, "1M1")["field"] == "b3") == (winner == 0)  # type: ignore[index]


def test_Q4_both_stakes_are_spent() -> None:
    state, _ = quick_fight("bow bow", "bow", "qcommit:bow:2", "qcommit:bow:1")
    assert stash(state, 0) == stash(state, 1) == {}


def test_Q4_a_walk_over_is_no_battle_won() -> None:
    state = position(PAIR, id=QUICK, owners={"a2": 1})
    play(state, "0 attack:0M1:a2")
    assert house(state, 0)["battles_won"] == 0 and house(state, 0)["gained_land"] is True


def test_Q5_the_rest_is_as_in_classic() -> None:
    state = position(["0M1 a1 bow+sword+rule 4", "0F1 a1 magic+rule+folly", *OTHER_PAIR], id=QUICK)
    assert "court_neutral:0M1:b1" in legal(state, 0) and "occupy:0M1:a2" in legal(state, 0)
    play(state, "0 end", "0 use:0M1:bow")
    assert person(state, "0M1") is None and stash(state, 0) == {"bow": 1}


def test_Q5_suitors_find_partners_by_the_dice_of_this_game() -> None:
    """Its second and third die have no economy, luck, money and folly."""
    luck = {"red/3/0/1": (4, 3, 6), "black/3/0/1": (4, 5, 6)}
    state = position([*PAIR, *OTHER_PAIR], id=QUICK, luck=luck)
    play(state, "0 court_neutral:0M1:b1", "0 heir:F:a1")
    assert there(state, "0F2")["traits"] == ["valour", "magic", "learning"]


def test_Q5_a_winner_may_betroth_or_expel_and_the_expelled_may_die() -> None:
    people = ["0M1 b1 bow+sword+magic", "1F1 b2 rule+folly+folly", "0F1 a1 rule+folly+folly"]
    state = position(people, id=QUICK, owners={"a2": 0}, stashes={0: "bow"})
    play(state, "0 attack:0M1:b2", "0 qcommit:bow:1", "1 qcommit:none")
    assert legal(state, 0) == ["expel", "betroth:1F1"]
    play(state, "0 expel")
    assert state.view(Seat(0))["fields"]["b2"]["owner"] == 0 and house(state, 0)["trophies"] == 1


def test_Q5_an_extinct_house_comes_back() -> None:
    state = position(OTHER_PAIR, id=QUICK, turn=1, round=4, luck={"red/4/0/1": (1, 1, 6)})
    play(state, "1 end", "1 end", "0 sex:M")
    assert there(state, "0M1")["traits"] == ["bow", "folly", "learning"]
