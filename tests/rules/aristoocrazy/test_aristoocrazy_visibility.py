"""Who sees what (Aristoocrazy R8, R10, R36, R37): two worlds that differ in a secret, read by every seat."""

from __future__ import annotations

import random
from typing import Any

import pytest

from referee.game import Event, Seat
from referee.games.aristoocrazy.game import AristoocrazyState
from tests.rules.aristoocrazy.aristoocrazy_positions import GAME, house, play, position, stash

OPEN, CLOSED = "aristoocrazy/3p/classic", "aristoocrazy/3p/classic+take_visibility=closed"
BOTH = pytest.mark.parametrize("id", [OPEN, CLOSED])
PEOPLE = [
    "0M1 b1 bow+sword+rule", "0F1 a1 magic+valour+learning", "1F1 c1 bow+sword+rule",
    "1M1 e1 magic+valour+learning", "2M1 e5 bow+sword+rule", "2F1 e5 magic+valour+learning",
]  # fmt: skip


def seen(state: AristoocrazyState, seat: int) -> tuple[dict[str, Any], list[Event], str]:
    """All that has reached a seat: its view, the events that it was told, its picture of the board."""
    told = [event._replace(audience=None) for event in state.events() if event.seen_by(Seat(seat))]
    return state.view(Seat(seat)), told, GAME.render(state, Seat(seat))


def who_can_tell(one: AristoocrazyState, other: AristoocrazyState) -> set[int]:
    """The seats that are not shown the same in two worlds."""
    return {seat for seat in range(3) if seen(one, seat) != seen(other, seat)}


def finish(state: AristoocrazyState, until: int = 99) -> AristoocrazyState:
    """All do what a house player does, until that round begins or the game is over."""
    while state.to_act and state.view(Seat(0))["round"] < until:
        seat = state.to_act[0]
        state.apply(seat, state.default(seat))
    return state


PRIVATE = {"seat", "sealed", "committed", "traces"}
COUNTERS = {
    "seat", "stash_size", "hand_size", "trophies", "wounds", "battles_won", "crests_left", "attacked",
    "gained_land", "heirs_born",
}  # fmt: skip


@BOTH
def test_R36_board_people_counters_order_row_and_dice_are_for_all(id: str) -> None:
    state = position(PEOPLE, id, hands={0: ["A08"]}, stashes={0: "bow luck", 1: "sword"})
    play(state, "0 card:palisade:b1", "0 court_neutral:0F1:b2")
    assert state.view(Seat(2))["decision"]["kind"] == "reroll" and state.view(Seat(2))["decision"]["dice"]
    views = [state.view(Seat(seat)) for seat in range(3)]
    shared = [{key: view[key] for key in view.keys() - PRIVATE - {"houses"}} for view in views]
    counted = [[{key: one[key] for key in COUNTERS} for one in view["houses"]] for view in views]
    assert shared[0] == shared[1] == shared[2] and counted[0] == counted[1] == counted[2]


@BOTH
def test_R36_all_views_agree_on_what_is_public_in_a_whole_game(id: str) -> None:
    state, rng = GAME.setup(GAME.variant(id), "public"), random.Random(1)
    while state.to_act:
        shared = []
        for seat in range(3):
            view = state.view(Seat(seat))
            decision = {key: value for key, value in view["decision"].items() if key != "man"}
            counters = [{key: one[key] for key in COUNTERS} for one in view["houses"]]
            common = {key: view[key] for key in view.keys() - PRIVATE - {"houses", "decision"}}
            shared.append((common, decision, counters))
        assert shared[0] == shared[1] == shared[2]
        seat = rng.choice(state.to_act)
        state.apply(seat, rng.choice(state.legal(seat)))
    told_to_some = {event.kind for event in state.events() if event.audience is not None}
    assert told_to_some <= {"drew", "stolen", "spied", *(("taken", "card") if id == CLOSED else ())}


def test_R36_nobody_sees_the_first_cards_those_to_come_or_the_order_of_a_deck() -> None:
    variant = GAME.variant(OPEN)
    literal = GAME.literal(variant, "worlds")
    events, actions, luck = literal[:12], literal[12:36], literal[36:]
    one = GAME.deal(variant, literal)
    other = GAME.deal(variant, [events[1], events[0], *events[2:6], *events[:5:-1], *actions[::-1], *luck])
    while one.view(Seat(0))["round"] < 4 and not one.view(Seat(0))["evaluated"]:
        assert who_can_tell(one, other) == set()
        for state in (one, other):
            seat = state.to_act[0]
            state.apply(seat, state.default(seat))


def test_R10_the_first_two_cards_are_never_shown_not_even_at_the_end() -> None:
    variant = GAME.variant(OPEN)
    first, second, *rest = GAME.literal(variant, "never shown")[:12]
    state = finish(GAME.setup(variant, "never shown"))
    for seat in range(3):
        text = repr(seen(state, seat))
        assert first not in text and second not in text
    assert state.view(Seat(0))["evaluated"] == rest


def test_R10_and_R14_the_evaluated_card_leaves_the_row_which_runs_out() -> None:
    variant = GAME.variant(OPEN)
    cards = GAME.literal(variant, "row")[:12]
    state = GAME.setup(variant, "row")
    for round in range(1, 13):
        view = finish(state, until=round).view(Seat(1))
        up = [{"id": card, "up": True} for card in cards]
        down = [{"id": None, "up": False}] * 2
        assert view["row"] == [*down, *up[2:]][round - 1 : round + 3]
        assert view["evaluated"] == cards[2 : round - 1]
    assert finish(state).view(Seat(1))["row"] == []


TAKES = {
    "use": ({"phase": "use"}, "0 use:0M1:{}"),
    "exchange": ({"stashes": {0: "money"}}, "0 exchange:{}"),
    "tithe": ({"hands": {0: ["A04"]}}, "0 card:tithe:{}"),
    "dowry": ({"owners": {"c2": 0}}, "0 court:0M1:c1:1F1", "1 yes", "1 take:{}"),
}
"""How a token comes from the bank: more of the position, and the plays."""


@pytest.mark.parametrize("why", TAKES)
@BOTH
def test_R37_what_is_taken_is_named_with_open_takes_alone(why: str, id: str) -> None:
    more, *plays = TAKES[why]
    taker = 1 if why == "dowry" else 0
    worlds = [position(PEOPLE, id, **more) for _ in range(2)]  # type: ignore[arg-type]
    for state, trait in zip(worlds, ("bow", "sword"), strict=True):
        play(state, *(str(line).format(trait) for line in plays))
    assert who_can_tell(*worlds) == ({0, 1, 2} if id == OPEN else {taker})
    told = [event.body for event in seen(worlds[0], 2)[1] if event.kind == "taken"]
    count = 2 if why == "tithe" else 1
    assert [body["count"] for body in told] == [count], "that it was taken, and how many, is told"
    assert told[0]["traits"] == (["bow"] * count if id == OPEN else None)


@pytest.mark.parametrize(("id", "known", "unknown"), [(OPEN, {"bow": 1, "rule": 1}, 0), (CLOSED, {}, 2)])
def test_R37a_others_know_of_a_stash_what_events_have_named(
    id: str, known: dict[str, int], unknown: int
) -> None:
    people = [*PEOPLE, "0M2 a1 rule+folly+folly"]
    state = position(people, id, phase="use")
    play(state, "0 use:0M1:bow", "0 use:0M2:rule")
    assert stash(state, 0) == {"bow": 1, "rule": 1}
    for seat in (1, 2):
        shown = state.view(Seat(seat))["houses"][0]
        assert shown["stash_size"] == 2 and "stash" not in shown
        assert (shown["known"]["stash"], shown["known"]["unknown"]) == (known, unknown)


def test_R37a_what_is_spent_from_a_closed_stash_is_told() -> None:
    state = position(PEOPLE, CLOSED, phase="event", row=["E16"], stashes={0: "valour valour bow"})
    play(state, "0 bid:1", "1 bid:0", "2 bid:0")
    known = state.view(Seat(1))["houses"][0]["known"]
    assert known["stash"] == {} and known["unknown"] == state.view(Seat(1))["houses"][0]["stash_size"] == 2


def test_R36_of_a_hand_others_see_the_number_of_cards() -> None:
    one, other = (position(PEOPLE, OPEN, hands={0: [card]}) for card in ("A07", "A11"))
    assert who_can_tell(one, other) == {0}
    shown = one.view(Seat(1))["houses"][0]
    assert shown["hand_size"] == 1 and "hand" not in shown and shown["known"]["hand"] == []


def test_R36_a_drawn_card_is_seen_by_its_house_alone() -> None:
    middle = ["A02", "A03", "A04"]
    decks = (["A01", *middle, "A05"], ["A05", *middle, "A01"])
    one, other = (position(PEOPLE, OPEN, phase="event", row=["E34"], deck=deck) for deck in decks)
    assert house(one, 2)["hand"] == ["A01", "A04"] and house(other, 2)["hand"] == ["A04", "A05"]
    assert who_can_tell(one, other) == {2}
    assert one.view(Seat(0))["houses"][2]["hand_size"] == 2


@pytest.mark.parametrize("visible", ["hidden", "public"])
def test_R36_awards_are_open_and_totals_by_the_option(visible: str) -> None:
    id = OPEN + ("+vp_visibility=public" if visible == "public" else "")
    state = position(PEOPLE, id, phase="event", row=["E16"], stashes={0: "valour"})
    play(state, "0 bid:1", "1 bid:0", "2 bid:0")
    for seat in (1, 2):
        view, told, _ = seen(state, seat)
        assert [event.body for event in told if event.kind == "award"] == [
            {"event": "E16", "seat": 0, "vp": 3}
        ]
        assert view["houses"][0].get("vp") == (3 if visible == "public" else None)
        assert view["houses"][0]["known"]["vp"] == 3
        assert view["houses"][seat]["vp"] == 0
    end = finish(state)
    assert all("vp" in shown for shown in end.view(Seat(1))["houses"]), "all are counted at the end"


SECRETS: dict[str, tuple[dict[str, Any], tuple[str, str], list[str]]] = {
    "bid": ({"phase": "event", "row": ["E16"]}, ("bid:0", "bid:1"), ["1 bid:0", "2 bid:0"]),
    "pay": ({"phase": "event", "row": ["E25"]}, ("pass", "pay"), ["1 pass", "2 pass"]),
    "hazard": ({"phase": "event", "row": ["E28"]}, ("pay:0", "pay:1"), ["1 pay:0", "2 pay:0"]),
}
"""More of the position, two answers of seat 0, and the answers of the others."""


@pytest.mark.parametrize("kind", SECRETS)
@BOTH
def test_R36_answers_to_events_are_secret_until_the_last(kind: str, id: str) -> None:
    more, answers, others = SECRETS[kind]
    stashes = {0: "valour rule learning economy"}
    worlds = [position(PEOPLE, id, stashes=stashes, **more) for _ in range(2)]
    assert worlds[0].view(Seat(2))["decision"]["kind"] == kind
    for state, answer in zip(worlds, answers, strict=True):
        play(state, f"0 {answer}")
        assert state.view(Seat(0))["sealed"] == answer
    for line in others:
        assert who_can_tell(*worlds) == {0}
        for state in worlds:
            play(state, line)
    assert who_can_tell(*worlds) == {0, 1, 2}, "then all is told"


def test_R36_choices_of_set_up_are_secret_until_all_have_made_both() -> None:
    variant = GAME.variant(OPEN)
    worlds = [GAME.setup(variant, "draft") for _ in range(2)]
    rest = ["traits:bow+sword+magic", "traits:valour+rule+learning"]
    for state, man in zip(worlds, (rest[0], "traits:economy+money+luck"), strict=True):
        play(state, f"0 {man}")
    for line in (f"1 {rest[0]}", f"2 {rest[0]}", f"0 {rest[1]}", f"1 {rest[1]}", f"2 {rest[1]}"):
        assert who_can_tell(*worlds) == {0}
        for state in worlds:
            play(state, line)
    assert who_can_tell(*worlds) == {0, 1, 2}


@BOTH
def test_R36_kinds_committed_are_seen_as_they_are_laid_and_all_when_the_battle_ends(id: str) -> None:
    stakes = {0: "bow bow sword sword", 1: "bow"}
    one, other = (position(PEOPLE, id, stashes=stakes) for _ in range(2))
    for state, stake in ((one, "2,0,0"), (other, "1,1,0")):
        play(state, "0 attack:0M1:c1", f"0 commit:{stake}")
    assert who_can_tell(one, other) == {0} and one.view(Seat(0))["sealed"] == "commit:2,0,0"
    for state in (one, other):
        play(state, "1 commit:1,0,0")
    assert who_can_tell(one, other) == {0}, "how many are known, not which"
    assert one.view(Seat(0))["committed"] == {"bow": 2} and one.view(Seat(2))["committed"] is None
    assert one.view(Seat(2))["decision"]["playable"] == [2, 1]
    play(one, "0 lay:bow")
    play(other, "0 lay:bow")
    assert who_can_tell(one, other) == {0}
    for state in (one, other):
        play(state, "1 lay:bow")
    assert who_can_tell(one, other) == {0, 1, 2}, "the battle is over: the token left is told"


@BOTH
def test_R36_which_token_was_laid_waits_for_the_other_side(id: str) -> None:
    one, other = (position(PEOPLE, id, stashes={0: "bow sword", 1: "bow bow"}) for _ in range(2))
    for state, trait in ((one, "bow"), (other, "sword")):
        play(state, "0 attack:0M1:c1", "0 commit:1,1,0", "1 commit:2,0,0", f"0 lay:{trait}")
    assert who_can_tell(one, other) == {0}
    for state in (one, other):
        play(state, "1 lay:bow")
    assert who_can_tell(one, other) == {0, 1, 2}


@BOTH
def test_R36_a_stolen_token_is_seen_by_thief_and_victim(id: str) -> None:
    one, other = (
        position(PEOPLE, id, hands={0: ["A06"]}, stashes={1: "bow folly"}, luck={"thief/3/0/1": (at,)})
        for at in (0, 1)
    )
    for state in (one, other):
        play(state, "0 card:pickpocket:1")
    assert stash(one, 0) == {"bow": 1} and stash(other, 0) == {"folly": 1}
    assert who_can_tell(one, other) == {0, 1}
    assert [event.body["trait"] for event in seen(one, 2)[1] if event.kind == "stolen"] == [None]


def test_R36_what_is_spied_on_is_seen_by_the_spy_alone() -> None:
    one, other = (
        position(PEOPLE, CLOSED, hands={0: ["A05"], 1: [card]}, stashes={1: token})
        for card, token in (("A01", "bow"), ("A09", "folly"))
    )
    assert who_can_tell(one, other) == {1}
    for state in (one, other):
        play(state, "0 card:spy:1")
    assert who_can_tell(one, other) == {0, 1}
    known = one.view(Seat(0))["houses"][1]["known"]
    assert known["stash"] == {"bow": 1} and known["unknown"] == 0 and known["hand"] == ["A01"]
    assert [event.body["stash"] for event in seen(one, 1)[1] if event.kind == "spied"] == [None]


@pytest.mark.parametrize("die", ["keep", "die:1"])
def test_R8_a_luck_token_that_is_kept_shows_nobody_that_it_was_there(die: str) -> None:
    lucky, unlucky = (position(PEOPLE, CLOSED, stashes={0: token}) for token in ("luck", "economy"))
    play(lucky, "0 court_neutral:0F1:b2", f"0 {die}")
    play(unlucky, "0 court_neutral:0F1:b2")
    while lucky.view(Seat(0))["decision"]["kind"] == "reroll":
        play(lucky, "0 keep")
    assert unlucky.view(Seat(0))["decision"]["kind"] == "heir"
    assert who_can_tell(lucky, unlucky) == ({0} if die == "keep" else {0, 1, 2})
