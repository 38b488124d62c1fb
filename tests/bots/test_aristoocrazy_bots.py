"""The Python bots in positions of Aristoocrazy in which anyone sees what is right."""

from __future__ import annotations

import pytest

from protocol.client import answer
from referee.game import Seat
from referee.games import game_of
from referee.games.aristoocrazy.game import AristoocrazyState
from tests.benchmarks.ladder import PYTHON_BOTS, load
from tests.rules.aristoocrazy.aristoocrazy_positions import OTHER_PAIR, PAIR, play, position

NEIGHBOURS = (
    "0M1 a2 bow+sword+rule",
    "0F1 a1 magic+valour+learning",
    "1F1 b2 magic+valour+learning",
    OTHER_PAIR[0],
)
"""The man of seat 0 stands next to the woman of seat 1."""
FIELDS = ("E02", "E01", "E03", "E13")
BOTH = pytest.mark.parametrize("name", ["greedy", "grow-and-fight"])


def move(name: str, state: AristoocrazyState) -> str:
    """What a fresh bot does whose turn it is to decide."""
    bot, seat = load(PYTHON_BOTS / name)(), state.to_act[0]
    view = state.view(seat)
    game = game_of(view["variant"])
    setup = game.setup_info(game.variant(view["variant"]))
    start = {
        "type": "start",
        "game_id": "0",
        "game": game.name,
        "seat": seat,
        "setup": setup,
        "bot_seed": "5eed",
    }
    answer(bot, start)
    turn = {"type": "turn", "game_id": "0", "turn": 1, "view": view, "events": []}
    reply = answer(bot, turn | {"legal": state.legal_text(Seat(seat))})
    assert reply is not None
    return str(reply["action"])


@BOTH
def test_takes_land_where_fields_count(name: str) -> None:
    assert move(name, position([*PAIR, *OTHER_PAIR], row=FIELDS)).startswith("occupy:")


@BOTH
def test_uses_the_ability_that_this_rounds_bid_asks_for(name: str) -> None:
    assert move(name, position([*PAIR, *OTHER_PAIR], phase="use", row=["E16"])) == "use:0F1:valour"


@BOTH
def test_pays_what_it_can(name: str) -> None:
    favour = position([*PAIR, *OTHER_PAIR], phase="event", row=["E25"], stashes={0: "valour rule learning"})
    famine = position([*PAIR, *OTHER_PAIR], phase="event", row=["E28"], stashes={0: "economy economy"})
    assert (move(name, favour), move(name, famine)) == ("pay", "pay:1")


@BOTH
def test_spares_the_old_in_a_famine(name: str) -> None:
    people = ["0M1 a1 bow+sword+rule 4", PAIR[1], *OTHER_PAIR]
    state = position(people, phase="event", row=["E28"])
    play(state, "0 pay:0", "1 pay:0")
    assert move(name, state) == "age:0F1"


@pytest.mark.parametrize(("name", "right"), [("greedy", "bid:3"), ("grow-and-fight", "bid:1")])
def test_greedy_bids_all_and_grow_and_fight_no_more_than_it_takes(name: str, right: str) -> None:
    assert (
        move(name, position([*PAIR, *OTHER_PAIR], phase="event", row=["E16"], stashes={0: "valour " * 3}))
        == right
    )


def test_grow_and_fight_bids_above_what_the_other_is_known_to_hold() -> None:
    stashes = {0: "valour " * 3, 1: "valour " * 2}
    assert (
        move("grow-and-fight", position([*PAIR, *OTHER_PAIR], phase="event", row=["E16"], stashes=stashes))
        == "bid:3"
    )


@pytest.mark.parametrize(("theirs", "attacks"), [("", True), ("magic magic magic bow sword", False)])
def test_grow_and_fight_attacks_who_cannot_answer(theirs: str, attacks: bool) -> None:
    state = position(NEIGHBOURS, row=FIELDS, stashes={0: "sword", 1: theirs})
    assert (move("grow-and-fight", state) == "attack:0M1:b2") == attacks


def test_grow_and_fight_stakes_one_token_on_an_empty_stash() -> None:
    state = position(NEIGHBOURS, row=FIELDS, stashes={0: "sword sword"})
    play(state, "0 attack:0M1:b2")
    assert move("grow-and-fight", state) == "commit:0,1,0"


def test_grow_and_fight_takes_a_field_that_nobody_holds() -> None:
    state = position([NEIGHBOURS[0], *OTHER_PAIR], row=FIELDS, owners={"b2": 1})
    assert move("grow-and-fight", state) == "attack:0M1:b2"


@BOTH
def test_never_consents(name: str) -> None:
    state = position([*PAIR, "1F1 b1 magic+valour+learning"], row=["E01"])
    play(state, "0 court:0M1:b1:1F1")
    assert move(name, state) == "no"


@pytest.mark.parametrize(("dice", "throws"), [((1, 1, 1), True), ((1, 2, 4), False)])
def test_grow_and_fight_throws_again_what_would_be_folly(dice: tuple[int, ...], throws: bool) -> None:
    luck = {"red/3/0/1": (3, 4, 1), "black/3/0/1": dice}
    state = position([*PAIR, *OTHER_PAIR], row=["E01"], stashes={0: "luck luck"}, luck=luck)
    play(state, "0 court_neutral:0M1:b1", "0 keep")
    assert (move("grow-and-fight", state) != "keep") == throws


@pytest.mark.parametrize(
    ("round", "row", "right"), [(12, ["E16"], True), (3, ["E01", "E16", "E17", "E18"], False)]
)
def test_grow_and_fight_gives_a_last_token_only_at_the_end(round: int, row: list[str], right: bool) -> None:
    people = ["0M1 a1 valour+sword+rule 4", "0F1 a1 magic+bow+learning 2", *OTHER_PAIR]
    state = position(people, phase="use", row=row, round=round)
    assert (move("grow-and-fight", state) == "use:0M1:valour") == right


def test_grow_and_fight_has_folly_taught_where_sound_minds_count() -> None:
    people = ["0M1 a1 bow+folly+rule", PAIR[1], *OTHER_PAIR]
    assert move("grow-and-fight", position(people, row=["E09"], round=12, hands={0: ["A03"]})).startswith(
        "card:tutor:0M1:"
    )
