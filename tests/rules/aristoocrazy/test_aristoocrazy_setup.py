"""Houses, boards, traits, dice and the set-up, each by its number (Aristoocrazy R1 to R13)."""

from __future__ import annotations

from collections import Counter
from math import comb

import pytest

from referee.game import IllegalAction, Seat
from referee.games.aristoocrazy import Aristoocrazy
from referee.games.aristoocrazy.data import CHARACTERS, FIELDS, TRAITS, data
from referee.games.aristoocrazy.game import AristoocrazyState
from referee.games.aristoocrazy.people import fold
from tests.rules.aristoocrazy.aristoocrazy_positions import (
    OTHER_PAIR,
    PAIR,
    bodies,
    drafted,
    house,
    legal,
    on_by_default,
    person,
    play,
    position,
    stash,
)

GAME = Aristoocrazy()
ALL = [*PAIR, *OTHER_PAIR]


def new(id: str, seed: str = "s") -> AristoocrazyState:
    return GAME.setup(GAME.variant(id), seed)


def test_R1_characters_are_named_by_seat_sex_and_number() -> None:
    assert len(CHARACTERS) == 40 and CHARACTERS[:2] == ("0M1", "0M2")
    assert Counter(name[:2] for name in CHARACTERS) == {f"{s}{x}": 5 for s in range(4) for x in "MF"}


def test_R2_a_house_starts_with_nothing() -> None:
    own = house(drafted(), 0)
    assert (own["stash"], own["hand"], own["vp"]) == ({}, [], 0)
    assert [own[what] for what in ("trophies", "wounds", "heirs_born")] == [0, 0, 0]
    assert own["attacked"] is own["gained_land"] is False


def test_R2_counters_of_the_round_start_anew_and_those_of_the_game_go_on() -> None:
    state = position(
        ["0M1 a1 bow+sword+rule", "1M1 a2 rule+folly+folly"], owners={"b2": 1}, stashes={0: "bow"}
    )
    play(state, "0 attack:0M1:a2", "0 commit:1,0,0", "1 commit:0,0,0")
    assert house(state, 0)["attacked"] is house(state, 0)["gained_land"] is True
    on_by_default(state, 4)
    assert house(state, 0)["attacked"] is house(state, 0)["gained_land"] is False
    assert house(state, 0)["wounds"] == 1


def test_R3_the_bank_never_runs_out() -> None:
    state = position(["0M1 a1 bow+sword+rule"], phase="use", stashes={0: " ".join(["bow"] * 200)})
    play(state, "0 use:0M1:bow")
    assert stash(state, 0) == {"bow": 201}


def distance(board: int, start: str, end: str) -> int:
    adjacent = data().boards[board].adjacent
    steps, reached = 0, {FIELDS.index(start)}
    while FIELDS.index(end) not in reached:
        reached |= {near for field in reached for near in adjacent[field]}
        steps += 1
    return steps


def test_R4_boards() -> None:
    boards = data().boards
    assert {n: len(board.fields) for n, board in boards.items()} == {2: 12, 3: 15, 4: 20}
    assert {n: sum(board.places) for n, board in boards.items()} == {2: 18, 3: 24, 4: 30}
    assert {n: [FIELDS[home] for home in board.homes] for n, board in boards.items()} == {
        2: ["a1", "d3"], 3: ["a1", "e1", "e5"], 4: ["a1", "e1", "e4", "a4"],
    }  # fmt: skip
    assert distance(2, "a1", "d3") == 5
    assert {distance(3, *pair) for pair in (("a1", "e1"), ("e1", "e5"), ("a1", "e5"))} == {4}
    assert [distance(4, "a1", other) for other in ("e1", "a4", "e4")] == [4, 3, 7]


def test_R4_only_the_owners_characters_stand_on_a_field() -> None:
    state = position(ALL, owners={"a2": 1})
    with pytest.raises(IllegalAction):
        state.parse(Seat(0), "move:0M1:a2")


def test_R5_trait_sets() -> None:
    assert GAME.setup_info(GAME.variant("aristoocrazy"))["traits"] == list(TRAITS)
    nine = GAME.setup_info(GAME.variant("aristoocrazy/2p/classic+trait_set=rulebook9"))["traits"]
    assert nine == [trait for trait in TRAITS if trait != "luck"]


def test_R5_money_is_exchanged_for_any_token_but_money_and_folly() -> None:
    state = position(ALL, stashes={0: "money money"})
    exchanges = [text for text in legal(state, 0) if text.startswith("exchange")]
    given = "bow sword magic valour rule learning economy luck"
    assert exchanges == [f"exchange:{trait}" for trait in given.split()]
    play(state, "0 exchange:luck", "0 end", "0 exchange:rule")
    assert stash(state, 0) == {"luck": 1, "rule": 1}


@pytest.mark.parametrize(
    ("rolled", "result"),
    [("bow sword rule", "bow sword rule"), ("bow bow bow", "bow folly folly"), ("folly bow folly", "folly bow folly"),
     ("sword bow sword", "sword bow folly")],
)  # fmt: skip
def test_R6_duplicates_become_folly(rolled: str, result: str) -> None:
    numbers = fold([TRAITS.index(trait) for trait in rolled.split()])
    assert [TRAITS[trait] for trait in numbers] == result.split()


@pytest.mark.parametrize(
    ("trait_set", "second", "third"),
    [
        ("", "bow sword economy luck money learning", "magic valour rule economy luck folly"),
        (
            "+trait_set=rulebook9",
            "bow sword economy valour money learning",
            "magic economy rule money folly folly",
        ),
    ],
    ids=["seed10", "rulebook9"],
)
def test_R7_faces_of_the_red_dice(trait_set: str, second: str, third: str) -> None:
    told = GAME.setup_info(GAME.variant("aristoocrazy/2p/classic" + trait_set))["red_dice"]
    assert list(map(" ".join, told)) == ["bow sword magic valour rule learning", second, third]


def test_R8_luck_throws_a_die_again_as_often_as_it_is_paid() -> None:
    luck = {"red/3/0/1": (1, 1, 6, 3, 2), "black/3/0/1": (1, 2, 3, 1)}
    state = position(ALL, stashes={0: "luck luck"}, luck=luck)
    play(state, "0 court_neutral:0M1:b1")
    assert legal(state, 0) == ["keep", "die:1", "die:2", "die:3"]
    decision = state.view(Seat(0))["decision"]
    assert (decision["die"], decision["dice"], decision["traits"]) == (
        "red",
        [1, 1, 6],
        ["bow", "bow", "folly"],
    )
    events = play(state, "0 die:3")
    assert bodies(events, "rerolled")[0]["dice"] == [1, 1, 3]
    assert stash(state, 0) == {"luck": 1}
    play(state, "0 keep")
    decision = state.view(Seat(0))["decision"]
    assert decision["die"] == "black" and decision["slots"][3:] == ["bow", "folly", "rule"]
    play(state, "0 die:1")
    assert stash(state, 0) == {} and state.view(Seat(0))["decision"]["kind"] == "heir", "no luck is left"


def test_R9_decks_are_shuffled_and_rounds_many_events_are_dealt() -> None:
    words = GAME.literal(GAME.variant("aristoocrazy/2p/classic+rounds=9"), "s")
    events, actions = words[:9], words[9:33]
    assert len(set(events)) == 9 and sorted(Counter(actions).values()) == [2] * 12
    assert words[33:] == ["luck=s"]


def test_R10_two_cards_lie_face_down_and_two_open() -> None:
    state = drafted()
    rows = []
    while state.to_act:
        rows.append([card["up"] for card in state.view(Seat(0))["row"]])
        on_by_default(state, len(rows) + 1)
    assert rows[:3] == [[False, False, True, True], [False, True, True, True], [True] * 4]
    assert list(map(len, rows)) == [4] * 9 + [3, 2, 1]


def test_R11_each_house_has_its_home_with_a_man_and_a_woman() -> None:
    view = drafted("aristoocrazy/4p/classic").view(Seat(0))
    assert {name for name, field in view["fields"].items() if field["owner"] is not None} == {
        "a1",
        "e1",
        "e4",
        "a4",
    }
    assert [(one["id"], one["field"]) for one in view["characters"]] == [
        (f"{seat}{sex}1", home) for seat, home in enumerate(("a1", "e1", "e4", "a4")) for sex in "MF"
    ]


@pytest.mark.parametrize(
    ("id", "tokens"), [("aristoocrazy", 9), ("aristoocrazy/2p/classic+trait_set=rulebook9", 8)]
)
def test_R12_starting_traits_are_drafted_in_secret(id: str, tokens: int) -> None:
    state = new(id)
    assert len(legal(state, 0)) == comb(tokens, 3) and "traits:bow+sword+magic" in legal(state, 0)
    assert not [text for text in legal(state, 0) if "folly" in text]
    play(state, "0 traits:bow+sword+magic", "1 traits:valour+rule+learning")
    assert state.view(Seat(0))["decision"] == {"kind": "setup_woman", "man": ["bow", "sword", "magic"]}
    assert len(legal(state, 0)) == comb(tokens - 3, 3)
    assert state.events() == [] and state.view(Seat(0))["characters"] == []
    first = [state.text(state.default(Seat(seat))) for seat in (0, 1)]
    events = play(state, f"0 {first[0]}", f"1 {first[1]}")
    pairs = bodies(events, "setup")[0]["houses"]
    assert pairs[0]["man"] == ["bow", "sword", "magic"] and pairs[1]["man"] == ["valour", "rule", "learning"]
    assert pairs[0]["woman"] == first[0].removeprefix("traits:").split("+")


def test_R12_fixed_traits_need_no_choice() -> None:
    state = new("aristoocrazy/3p/classic+setup_traits=fixed")
    assert state.view(Seat(0))["decision"]["kind"] == "move"
    for seat in range(3):
        assert person(state, f"{seat}M1")["traits"] == ["bow", "sword", "rule"]  # type: ignore[index]
        assert person(state, f"{seat}F1")["traits"] == ["magic", "valour", "learning"]  # type: ignore[index]


def test_R13_and_R14_the_start_player_moves_on_and_each_house_takes_a_turn() -> None:
    state = drafted("aristoocrazy/3p/classic")
    orders = []
    while state.to_act:
        view = state.view(Seat(0))
        orders.append(view["order"])
        on_by_default(state, view["round"] + 1)
    turns = [event.body["seat"] for event in state.events() if event.kind == "turn"]
    assert orders[:4] == [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]]
    assert turns == [seat for order in orders for seat in order]


BOARDS = {
    2: """
        a1(3): a2 b1 ; a2(1): a1 a3 b2 ; a3(1): a2 b3
        b1(1): a1 b2 c1 ; b2(2): a2 b1 b3 c2 ; b3(1): a3 b2 c3
        c1(1): b1 c2 d1 ; c2(2): b2 c1 c3 d2 ; c3(1): b3 c2 d3
        d1(1): c1 d2 ; d2(1): c2 d1 d3 ; d3(3): c3 d2
    """,
    3: """
        a1(3): b1 b2
        b1(1): a1 b2 c1 c2 ; b2(1): a1 b1 c2 c3
        c1(1): b1 c2 d1 d2 ; c2(2): b1 b2 c1 c3 d2 d3 ; c3(1): b2 c2 d3 d4
        d1(1): c1 d2 e1 e2 ; d2(2): c1 c2 d1 d3 e2 e3 ; d3(2): c2 c3 d2 d4 e3 e4 ; d4(1): c3 d3 e4 e5
        e1(3): d1 e2 ; e2(1): d1 d2 e1 e3 ; e3(1): d2 d3 e2 e4 ; e4(1): d3 d4 e3 e5 ; e5(3): d4 e4
    """,
    4: """
        a1(3): a2 b1 ; a2(1): a1 a3 b2 ; a3(1): a2 a4 b3 ; a4(3): a3 b4
        b1(1): a1 b2 c1 ; b2(1): a2 b1 b3 c2 ; b3(1): a3 b2 b4 c3 ; b4(1): a4 b3 c4
        c1(1): b1 c2 d1 ; c2(2): b2 c1 c3 d2 ; c3(2): b3 c2 c4 d3 ; c4(1): b4 c3 d4
        d1(1): c1 d2 e1 ; d2(1): c2 d1 d3 e2 ; d3(1): c3 d2 d4 e3 ; d4(1): c4 d3 e4
        e1(3): d1 e2 ; e2(1): d2 e1 e3 ; e3(1): d3 e2 e4 ; e4(3): d4 e3
    """,
}


@pytest.mark.parametrize("players", BOARDS)
def test_R4_places_and_neighbours_of_every_field(players: int) -> None:
    fields = GAME.setup_info(GAME.variant(f"aristoocrazy/{players}p/classic"))["board"]["fields"]
    told = [f"{name}({field['places']}): {' '.join(field['adjacent'])}" for name, field in fields.items()]
    assert told == [
        field for row in BOARDS[players].strip().splitlines() for field in row.strip().split(" ; ")
    ]


@pytest.mark.parametrize(
    ("id", "faces", "traits"),
    [
        ("aristoocrazy", (1, 1, 1), ["bow", "folly", "magic"]),
        ("aristoocrazy", (5, 5, 3), ["rule", "money", "folly"]),
        ("aristoocrazy", (6, 6, 6), ["learning", "folly", "folly"]),
        ("aristoocrazy/2p/classic+trait_set=rulebook9", (4, 4, 5), ["valour", "folly", "folly"]),
        ("aristoocrazy/2p/classic+trait_set=rulebook9", (3, 5, 4), ["magic", "money", "folly"]),
    ],
)
def test_R7_a_generated_character_has_what_its_dice_show_folded(
    id: str, faces: tuple[int, ...], traits: list[str]
) -> None:
    state = position(OTHER_PAIR, id, turn=1, round=4, luck={"red/4/0/1": faces})
    play(state, "1 end", "1 end", "0 sex:M")
    assert bodies(state.events(), "born")[0]["traits"] == traits
