"""Luck, decisions and literal deals (Aristoocrazy R38, R39)."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from referee.chance import Stream, shuffled
from referee.game import IllegalAction, Seat, WrongDeal
from referee.games.aristoocrazy import Aristoocrazy
from referee.games.aristoocrazy.data import TRAITS
from tests.rules.aristoocrazy.aristoocrazy_positions import (
    OTHER_PAIR,
    PAIR,
    bodies,
    legal,
    play,
    position,
)

GAME = Aristoocrazy()
ALL = [*PAIR, *OTHER_PAIR]
QUICK = "aristoocrazy/2p/quick2013"
TRIO = ["0M1 a1 bow+sword+rule", "1M1 e1 bow+sword+rule", "2M1 e5 bow+sword+rule"]
THREE = "aristoocrazy/3p/classic"


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
    state = position(ALL, stashes={0: "luck", 1: " ".join(TRAITS)}, hands={0: ["A06"]})
    play(state, "0 court_neutral:0M1:b1", "0 die:2")
    stream = Stream("position", "red/3/0/1")
    dice = [1 + stream.below(6) for _ in range(4)]
    assert bodies(state.events(), "rerolled")[0]["dice"] == [dice[0], dice[3], dice[2]]
    play(state, f"0 {legal(state, 0)[0]}", "0 card:pickpocket:1")
    stolen = bodies(state.events(), "stolen")[0]["trait"]
    assert stolen == TRAITS[Stream("position", "thief/3/0/1").below(10)]


def test_R38_a_house_s_luck_does_not_depend_on_what_others_do() -> None:
    rolls = []
    for first in ("0 end", "0 court_neutral:0M1:b1"):
        state = position(ALL)
        play(state, first)
        while state.view(Seat(0))["turn"] == 0:
            state.apply(Seat(0), state.legal(Seat(0))[0])
        rolls.append(bodies(play(state, "1 court_neutral:1M1:c3"), "rolled")[0])
    assert rolls[0] == rolls[1]


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


def test_R38_occasions_of_a_kind_are_counted_in_a_turn() -> None:
    state = position(["0M1 a1 bow+sword+rule", "0F1 a1 rule+folly+folly", *OTHER_PAIR], owners={"b2": 0})
    play(state, "0 court_neutral:0M1:b1", "0 heir:M:b2", "0 court_neutral:0F1:a2", "0 heir:M:b2")
    streams = [Stream("position", f"{die}/3/0/{number}") for number in (1, 2) for die in ("red", "black")]
    dice = [[1 + stream.below(6) for _ in range(3)] for stream in streams]
    assert [body["dice"] for body in bodies(state.events(), "rolled")] == dice


def test_R38_the_second_reroll_takes_the_next_number_of_its_stream() -> None:
    state = position(ALL, stashes={0: "luck luck luck"})
    play(state, "0 court_neutral:0M1:b1", "0 die:1", "0 die:1")
    stream = Stream("position", "red/3/0/1")
    dice = [1 + stream.below(6) for _ in range(5)]
    assert state.view(Seat(0))["decision"]["dice"] == [dice[4], dice[1], dice[2]]


def test_R38_a_number_below_k_is_made_of_eight_bytes_of_a_block() -> None:
    blocks = [sha256(f"seed|red/1/0/1|{block}".encode()).digest() for block in range(9)]
    words = [int.from_bytes(digest[at : at + 8], "big") for digest in blocks for at in range(0, 32, 8)]
    stream = Stream("seed", "red/1/0/1")
    assert [stream.below(6) for _ in range(4)] == [word % 6 for word in words[:4]]
    assert stream.below(1) == 0, "which takes none"
    k = (1 << 63) + 1
    fair = [word for word in words[4:] if word < k]
    assert len(fair) < 32 and [stream.below(k) for _ in fair] == fair, "words of k or more are passed over"


def test_R39_a_lone_heir_is_born_unasked() -> None:
    men = [f"0M{n} {field} bow+sword+rule" for n, field in enumerate(("a1", "a1", "a2", "a3", "c1"), 1)]
    state = position([*men, *OTHER_PAIR])
    events = play(state, "0 court_neutral:0M1:b1")
    assert [(body["char"], body["field"]) for body in bodies(events, "born")] == [("0F1", "a1")]


def test_R39_a_lone_victim_ages_unasked() -> None:
    state = position(["0M1 a1 bow+sword+rule", "1M1 d3 bow+sword+rule"], phase="event", row=["E28"])
    events = play(state, "0 pay:0", "1 pay:0")
    assert [body["char"] for body in bodies(events, "chip")] == ["0M1", "1M1"]
