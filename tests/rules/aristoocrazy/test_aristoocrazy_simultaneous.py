"""Secret choices that are made together, every kind of them (Aristoocrazy R36, R39)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from referee.game import Seat
from referee.games.aristoocrazy.game import AristoocrazyState
from tests.rules.aristoocrazy.aristoocrazy_positions import (
    GAME,
    OTHER_PAIR,
    PAIR,
    legal,
    play,
    position,
    stash,
)

QUICK = "aristoocrazy/2p/quick2013"
FIGHTERS = ["0M1 a1 bow+sword+rule", "1M1 a2 bow+magic+rule"]


def drafting() -> AristoocrazyState:
    return GAME.setup(GAME.variant("aristoocrazy"), "draft")


def men_drafted() -> AristoocrazyState:
    state = drafting()
    play(state, "0 traits:bow+sword+magic", "1 traits:valour+rule+learning")
    return state


def attacked(id: str = "aristoocrazy") -> AristoocrazyState:
    state = position(FIGHTERS, id=id, stashes={0: "bow bow sword", 1: "bow magic magic"})
    play(state, "0 attack:0M1:a2")
    return state


def committed() -> AristoocrazyState:
    state = attacked()
    play(state, "0 commit:1,1,0", "1 commit:1,0,2")
    return state


def event(id: str) -> Callable[[], AristoocrazyState]:
    def evaluated() -> AristoocrazyState:
        tokens = "valour rule learning economy"
        return position([*PAIR, *OTHER_PAIR], phase="event", row=[id], stashes={0: tokens, 1: tokens})

    return evaluated


SETS: Final = {
    "setup_man": (drafting, "traits:bow+sword+magic", "traits:learning+money+luck"),
    "setup_woman": (men_drafted, "traits:valour+rule+luck", "traits:bow+sword+luck"),
    "commit": (attacked, "commit:2,0,0", "commit:0,0,2"),
    "qcommit": (lambda: attacked(QUICK), "qcommit:bow:2", "qcommit:magic:1"),
    "lay": (committed, "lay:sword", "lay:magic"),
    "bid": (event("E16"), "bid:1", "bid:0"),
    "pay": (event("E25"), "pay", "pass"),
    "pay four": (event("E27"), "pay:valour+rule+learning+economy", "pass"),
    "hazard": (event("E28"), "pay:1", "pay:0"),
}
every_set = pytest.mark.parametrize(("at", "one", "other"), SETS.values(), ids=SETS)


@every_set
@pytest.mark.parametrize("first", [0, 1])
def test_R39_nothing_is_told_before_all_have_answered(
    at: Callable[[], AristoocrazyState], one: str, other: str, first: int
) -> None:
    state, waiting = at(), 1 - first
    assert state.to_act == (0, 1)
    seen, own = state.view(Seat(waiting)), state.view(Seat(first))
    assert play(state, f"{first} {(one, other)[first]}") == []
    assert state.view(Seat(waiting)) == seen | {"to_act": [waiting]}
    assert state.view(Seat(first)) == own | {"to_act": [waiting], "sealed": (one, other)[first]}
    assert legal(state, first) == []


@every_set
def test_R39_answers_are_applied_in_seat_order_whoever_answers_first(
    at: Callable[[], AristoocrazyState], one: str, other: str
) -> None:
    state, again = at(), at()
    play(state, f"0 {one}", f"1 {other}")
    play(again, f"1 {other}", f"0 {one}")
    assert state.events() == again.events()
    assert [state.view(Seat(seat)) for seat in (0, 1)] == [again.view(Seat(seat)) for seat in (0, 1)]


@every_set
def test_R39_once_all_have_answered_nothing_is_sealed_any_more(
    at: Callable[[], AristoocrazyState], one: str, other: str
) -> None:
    state = at()
    play(state, f"0 {one}", f"1 {other}")
    assert [state.view(Seat(seat))["sealed"] for seat in (0, 1)] == [None, None]


def test_R39_effects_come_in_the_order_of_the_round_not_of_the_seats() -> None:
    """Round 4 of two begins with seat 1: it pays, scores and suffers first."""
    state = position([*PAIR, *OTHER_PAIR], phase="event", round=4, row=["E25"], stashes=dict.fromkeys((0, 1), "valour rule learning"))  # fmt: skip
    events = play(state, "0 pay", "1 pay")
    assert [event.body["seat"] for event in events if event.kind == "award"] == [1, 0]
    assert stash(state, 0) == stash(state, 1) == {}


@pytest.mark.parametrize(("round", "order"), [(3, (0, 1)), (4, (1, 0))])
def test_R39_victims_are_named_by_one_house_after_the_other(round: int, order: tuple[int, int]) -> None:
    state = position([*PAIR, *OTHER_PAIR], phase="event", round=round, row=["E28"])
    play(state, "0 pay:0", "1 pay:0")
    for seat in order:
        assert state.to_act == (seat,)
        events = play(state, f"{seat} age:{seat}F1")
        assert (events[0].kind, events[0].audience) == ("chip", None)
