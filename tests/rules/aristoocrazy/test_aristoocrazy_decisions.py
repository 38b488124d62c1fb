"""Luck, decisions, degenerate cases and quick2013 (Aristoocrazy R38, R39, 3.15, Q1 to Q5)."""

from __future__ import annotations

from typing import Any

import pytest

from referee.chance import Stream, shuffled
from referee.game import IllegalAction, Seat, WrongDeal
from referee.games.aristoocrazy import Aristoocrazy
from referee.games.aristoocrazy.game import AristoocrazyState
from tests.rules.aristoocrazy.aristoocrazy_positions import (
    OTHER_PAIR,
    PAIR,
    bodies,
    house,
    kinds,
    legal,
    person,
    play,
    position,
    stash,
)

GAME = Aristoocrazy()
ALL = [*PAIR, *OTHER_PAIR]
QUICK = "aristoocrazy/2p/quick2013"
TRIO = ["0M1 a1 bow+sword+rule", "1M1 e1 bow+sword+rule", "2M1 e5 bow+sword+rule"]
THREE = "aristoocrazy/3p/classic"


# R38


def test_R38_decks_are_rebuilt_from_the_published_generator() -> None:
    words = GAME.literal(GAME.variant("aristoocrazy"), "vector")
    events = shuffled("vector", "events", [f"E{n:02}" for n in range(1, 35)])
    actions = shuffled("vector", "actions", [f"A{n:02}" for _ in range(2) for n in range(1, 13)])
    assert words == [*events[:12], *actions, "luck=vector"]
    symbols = ["crown", "ring", "shield", "valour", "rule", "learning"] * 2
    quick = GAME.literal(GAME.variant(QUICK), "vector")
    assert quick == [*shuffled("vector", "events", symbols)[:8], "luck=vector"]


def first_courtship(seed: str) -> list[list[int]]:
    """The dice of the first courtship of seat 0 in round 1."""
    state = GAME.setup(GAME.variant("aristoocrazy/2p/classic+setup_traits=fixed"), seed)
    return [body["dice"] for body in bodies(play(state, "0 court_neutral:0M1:b1"), "rolled")]


def test_R38_each_occasion_has_a_stream_of_its_own() -> None:
    streams = [Stream("dice", f"{die}/1/0/1") for die in ("red", "black")]
    assert first_courtship("dice") == [[1 + stream.below(6) for _ in range(3)] for stream in streams]


def test_R38_a_reroll_continues_its_stream_and_a_theft_has_its_own() -> None:
    state = position(ALL, stashes={0: "luck", 1: "bow sword magic valour"}, hands={0: ["A06"]})
    play(state, "0 court_neutral:0M1:b1", "0 die:2")
    stream = Stream("position", "red/3/0/1")
    dice = [1 + stream.below(6) for _ in range(4)]
    assert bodies(state.events(), "rerolled")[0]["dice"] == [dice[0], dice[3], dice[2]]
    play(state, f"0 {legal(state, 0)[0]}", "0 card:pickpocket:1")
    order = ["bow", "sword", "magic", "valour"]
    stolen = bodies(state.events(), "stolen")[0]["trait"]
    assert stolen == order[Stream("position", "thief/3/0/1").below(4)]


def test_R38_a_house_s_luck_does_not_depend_on_what_others_do() -> None:
    rolls = []
    for first in ("0 end", "0 court_neutral:0M1:b1"):
        state = position(ALL)
        play(state, first)
        while state.view(Seat(0))["turn"] == 0:
            state.apply(Seat(0), state.legal(Seat(0))[0])
        rolls.append(bodies(play(state, "1 court_neutral:1M1:c3"), "rolled")[0])
    assert rolls[0] == rolls[1]


# R39


def test_R39_the_first_of_each_list_is_what_a_house_player_does() -> None:
    """`end`, `keep`, `no`, nothing committed, bid or paid, expulsion, the least hurt character."""
    first: dict[str, set[str]] = {}
    for number in range(60):
        state = GAME.setup(GAME.variant(THREE), f"defaults {number}")
        luck = Stream(f"defaults {number}", "plays")
        while state.to_act:
            seat = state.to_act[0]
            kind = state.view(seat)["decision"]["kind"]
            first.setdefault(kind, set()).add(state.text(state.default(seat)).partition(":")[0])
            if kind in ("commit", "bid", "pay", "hazard", "move", "use", "reroll", "consent"):
                first[kind].add(state.text(state.default(seat)))
            assert state.default(seat) == state.legal(seat)[0]
            state.apply(seat, state.legal(seat)[luck.below(len(state.legal(seat)))])
    assert {kind: first[kind] for kind in ("move", "use", "reroll", "consent")} == {
        "move": {"end"}, "use": {"end"}, "reroll": {"keep"}, "consent": {"no"},
    }  # fmt: skip
    assert first["commit"] == {"commit", "commit:0,0,0"} and first["bid"] == {"bid", "bid:0"}
    assert first["pay"] == {"pass"} and first["hazard"] == {"pay", "pay:0"}
    assert first["aftermath"] <= {"expel", "plunder"} and first["victim"] == {"age"}
    assert set(first) == {
        "setup_man", "setup_woman", "restore", "move", "use", "reroll", "heir", "consent", "dowry", "commit",
        "lay", "aftermath", "retreat", "bid", "pay", "hazard", "victim",
    }  # fmt: skip


def test_R39_answers_are_applied_in_seat_order_whatever_their_order() -> None:
    results = []
    for order in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        state = position(
            TRIO, id=THREE, phase="event", row=["E16"], stashes=dict.fromkeys((0, 1, 2), "valour valour")
        )
        before = state.events()
        for number, seat in enumerate(order):
            assert state.events() == before
            assert state.to_act == tuple(sorted(map(Seat, order[number:])))
            play(state, f"{seat} bid:{seat}")
        results.append((state.events(), state.view(Seat(0))))
    assert results[0] == results[1] == results[2]


def test_R39_a_seat_answers_once() -> None:
    state = position(ALL, phase="event", row=["E16"])
    play(state, "0 bid:0")
    assert legal(state, 0) == []
    with pytest.raises(IllegalAction):
        state.apply(Seat(0), state.table.private[0].sealed)


@pytest.mark.parametrize("event", ["E16", "E25", "E28"])
def test_R39_in_a_set_a_seat_with_one_action_is_asked_too(event: str) -> None:
    state = position(TRIO, id=THREE, phase="event", row=[event], stashes={0: "valour rule learning economy"})
    assert state.to_act == (0, 1, 2)
    assert all(len(legal(state, seat)) == 1 for seat in (1, 2))


def test_R39_also_the_last_token_is_asked_for() -> None:
    state = position(["0M1 a1 bow+rule+folly", "1M1 a2 magic+folly+folly"], stashes={0: "bow", 1: "magic"})
    play(state, "0 attack:0M1:a2", "0 commit:1,0,0", "1 commit:0,0,1")
    assert state.to_act == (0, 1) and [legal(state, 0), legal(state, 1)] == [["lay:bow"], ["lay:magic"]]


def test_R39_a_side_without_tokens_commits_nothing_but_is_asked() -> None:
    state = position(["0M1 a1 bow+rule+folly", "1M1 a2 magic+folly+folly"])
    play(state, "0 attack:0M1:a2")
    assert state.to_act == (0, 1) and legal(state, 0) == legal(state, 1) == ["commit:0,0,0"]


def test_R39_a_lone_end_is_not_asked_where_all_can_see_it() -> None:
    """Nothing to move, no token to exchange, no card: everybody knows. With a token nobody can be sure."""
    acted = ["0M1 a1 bow+sword+rule 0 acted", *OTHER_PAIR]
    assert position(acted).to_act == (1,)
    for more in ({"stashes": {0: "bow"}}, {"hands": {0: ["A07"]}}):
        state = position(acted, **more)
        assert state.to_act == (0,)
    hired = position(acted, hands={0: ["A11", "A11"]}, row=["E01", "E02"])
    play(hired, "0 card:chancellor")
    assert hired.to_act == (1,), "a second card cannot be played, and all know"


def test_R39_in_quick_nobody_has_money_so_a_lone_end_is_never_asked() -> None:
    assert position(["0M1 a1 bow+sword+rule 0 acted", *OTHER_PAIR], id=QUICK, stashes={0: "bow"}).to_act == (
        1,
    )


def test_R39_a_choice_of_one_that_is_public_is_made_unasked() -> None:
    state = position(["0M1 a1 folly+folly+folly", "1F1 a2 bow+rule+luck", *OTHER_PAIR[:1]])
    events = play(state, "0 court:0M1:a2:1F1", "1 yes")
    assert bodies(events, "taken")[0]["traits"] == ["folly"], "the dowry"


# literal deals


def words(**change: Any) -> list[str]:
    deal = GAME.literal(GAME.variant("aristoocrazy"), "literal")
    return [change.get(word, word) for word in deal]


@pytest.mark.parametrize(
    ("deal", "said"),
    [
        ([], "12 events are needed, 0 are given"),
        (["E01", "E01", *words()[2:]], "E01"),
        (["E99", *words()[1:]], "E99"),
        ([*words()[:20]], "24 actions are needed, 8 are given"),
        (words()[:36], "luck="),
        ([*words(), "red/1/0/1=12"], "three dice"),
        ([*words(), "red/1/0/1=127"], "faces from 1 to 6"),
        ([*words(), "red/1/9/1=123"], "no occasion"),
        ([*words(), "blue/1/0/1=123"], "no occasion"),
    ],
)
def test_a_wrong_deal_is_told_what_is_wrong(deal: list[str], said: str) -> None:
    with pytest.raises(WrongDeal, match=said):
        GAME.deal(GAME.variant("aristoocrazy"), deal)


def test_a_literal_deal_fixes_dice_and_thefts() -> None:
    variant = GAME.variant("aristoocrazy/2p/classic+setup_traits=fixed")
    deal = [*GAME.literal(variant, "x"), "red/1/0/1=111", "black/1/0/1=446"]
    state = GAME.deal(variant, deal)
    rolls = bodies(play(state, "0 court_neutral:0M1:b1"), "rolled")
    assert [roll["dice"] for roll in rolls] == [[1, 1, 1], [4, 4, 6]]
    assert rolls[1]["traits"] == ["bow", "bow", "magic"], "red dice 1 1 1: bow, bow, magic"


# 3.15


def test_3_15_no_free_place_for_an_heir() -> None:
    state = position(
        [
            "0M1 b1 bow+sword+rule",
            *OTHER_PAIR,
            "0F1 a1 bow+sword+rule",
            "0F2 a1 bow+sword+rule",
            "0F3 a1 bow+sword+rule",
        ]
    )
    assert "occupy:0M1:b2" in legal(state, 0) and "court_neutral:0M1:b2" not in legal(state, 0)


def test_3_15_one_sex_used_up_and_both() -> None:
    men = [f"0M{n} {field} bow+sword+rule" for n, field in enumerate(("a1", "a1", "a2", "a3", "b1"), 1)]
    state = position([*men, *OTHER_PAIR], owners={"c2": 0, "b3": 0})
    play(state, "0 court_neutral:0M3:b2")
    assert legal(state, 0) == ["heir:F:b3", "heir:F:c2"]
    women = [f"0F{n} {field} bow+sword+rule" for n, field in enumerate(("b2", "b2", "c2", "c2", "c1"), 1)]
    full = position([*men, *women, *OTHER_PAIR], owners={"b3": 0})
    assert not [text for text in legal(full, 0) if "court" in text]


def test_3_15_no_crest_left() -> None:
    state = position(ALL, owners=dict.fromkeys(("a2", "a3", "b2", "c2", "c1"), 0), hands={0: ["A12"]})
    assert not [text for text in legal(state, 0) if text.startswith(("occupy", "card:deed"))]


def test_3_15_a_house_without_characters() -> None:
    state = position(OTHER_PAIR, turn=1, round=4)
    play(state, "1 end", "1 end")
    assert state.view(Seat(0))["decision"]["kind"] == "restore"


def test_3_15_an_empty_home_cannot_be_attacked() -> None:
    state = position(["0M1 d2 bow+sword+rule", "0F1 a1 magic+rule+folly", "1M1 c2 bow+sword+rule"])
    assert "attack:0M1:d3" not in legal(state, 0) and "attack:0M1:c2" in legal(state, 0)


def test_3_15_an_empty_enemy_field_is_taken_without_battle() -> None:
    state = position(PAIR, owners={"a2": 1})
    assert "battle" not in kinds(play(state, "0 attack:0M1:a2"))


def battle(mine: str, theirs: str, *plays: str, at: str = "a2") -> tuple[AristoocrazyState, dict[str, Any]]:
    people = [f"0M1 {'a1' if at == 'a2' else 'd2'} bow+rule+folly", f"1M1 {at} magic+rule+folly"]
    state = position([*people, "0F5 a1 rule+folly+folly"], stashes={0: mine, 1: theirs})
    events = play(state, f"0 attack:0M1:{at}", *plays)
    return state, bodies(events, "battle")[0]


def test_3_15_zero_tokens_are_allowed_leftovers_win_and_nothing_each_is_a_tie() -> None:
    state, fought = battle("bow bow", "magic", "0 commit:1,0,0", "1 commit:0,0,0")
    assert fought["winner"] == 0 and fought["wins"] == [1, 0]
    state, fought = battle("bow", "magic", "0 commit:0,0,0", "1 commit:0,0,0")
    assert fought["winner"] is None and stash(state, 0) == {"bow": 1}


def test_3_15_a_tie_holds_and_wounds_nobody() -> None:
    plays = ("0 commit:2,0,0", "1 commit:0,0,1", "0 lay:bow", "1 lay:magic")
    state, fought = battle("bow bow", "magic", *plays)
    assert fought["wins"] == [2, 0], "bow beats magic, and one is left"
    state, fought = battle("", "", "0 commit:0,0,0", "1 commit:0,0,0")
    assert [person(state, name)["red"] for name in ("0M1", "1M1")] == [0, 0]  # type: ignore[index]


def test_3_15_all_defenders_die_of_wounds() -> None:
    people = ["0M1 a1 bow+rule+folly", "1M1 a2 magic+rule+folly 4"]
    land = position(people, stashes={0: "bow"})
    play(land, "0 attack:0M1:a2", "0 commit:1,0,0", "1 commit:0,0,0")
    assert land.view(Seat(0))["fields"]["a2"]["owner"] == 0
    home = position(["0M1 d2 bow+rule+folly", "1M1 d3 magic+rule+folly 4"], stashes={0: "bow", 1: "luck"})
    play(home, "0 attack:0M1:d3", "0 commit:1,0,0", "1 commit:0,0,0")
    assert home.view(Seat(0))["fields"]["d3"]["owner"] == 1 and stash(home, 0) == {"luck": 1}


def test_3_15_no_retreat_field() -> None:
    state, _ = battle("bow", "", "0 commit:1,0,0", "1 commit:0,0,0")
    assert person(state, "1M1") is None and house(state, 0)["trophies"] == 1


def test_3_15_a_character_of_three_follies_yields_folly_and_cannot_be_taught() -> None:
    state = position(["0M1 a1 folly+folly+folly", *OTHER_PAIR], phase="use")
    assert legal(state, 0) == ["end", "use:0M1:folly"]
    fight = position(["0M1 a1 folly+folly+folly", "1M1 a2 magic+rule+folly"], stashes={0: "bow bow bow"})
    play(fight, "0 attack:0M1:a2")
    assert legal(fight, 0) == ["commit:0,0,0"]


def test_3_15_plunder_of_an_empty_stash() -> None:
    state = position(["0M1 d2 bow+rule+folly", "1M1 d3 magic+rule+folly"], stashes={0: "bow"})
    events = play(state, "0 attack:0M1:d3", "0 commit:1,0,0", "1 commit:0,0,0")
    assert "stolen" not in kinds(events) and bodies(events, "aftermath")[0]["action"] == "plunder"


def test_3_15_a_hazard_with_no_characters() -> None:
    state = position(OTHER_PAIR, phase="event", row=["E28"], stashes={0: "economy"})
    assert state.view(Seat(0))["decision"]["due"] == [0, 1] and legal(state, 0) == ["pay:0"]
    play(state, "0 pay:0", "1 pay:0")
    assert house(state, 0)["vp"] == 0 and state.to_act == (1,), "only house 1 is short"


def test_3_15_a_hazard_kills_the_last_character() -> None:
    state = position(["0M1 a1 bow+sword+rule 4", *OTHER_PAIR], phase="event", row=["E28"])
    play(state, "0 pay:0", "1 pay:0")
    while state.to_act == (1,):
        state.apply(Seat(1), state.default(Seat(1)))
    assert person(state, "0M1") is None
    assert state.view(Seat(0))["decision"]["kind"] == "restore", "at its next turn"


def test_3_15_a_new_heir_counts_and_defends_but_does_not_act() -> None:
    people = ["0M1 a1 bow+rule+folly", "1M1 a2 magic+rule+folly 0 acted new", *OTHER_PAIR[1:]]
    state = position(people, stashes={0: "bow"})
    events = play(state, "0 attack:0M1:a2", "0 commit:1,0,0", "1 commit:0,0,0")
    assert bodies(events, "attack")[0]["defenders"] == ["1M1"] and bodies(events, "chip")[0]["char"] == "1M1"
    counted = position(people, phase="event", row=["E01"])
    assert bodies(counted.events(), "measures")[0]["measures"] == [1, 2]


# quick2013


def test_Q1_rounds() -> None:
    rounds = {id: GAME.variant(id).rounds for id in GAME.variants() if "quick" in id}
    assert list(rounds.values()) == [8, 8, 10]


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
