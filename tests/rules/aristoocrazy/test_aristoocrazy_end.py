"""Places among four houses, and what is worth nothing at the end (Aristoocrazy R35)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from referee.game import Outcome, Seat
from tests.rules.aristoocrazy.aristoocrazy_positions import (
    OTHER_PAIR,
    PAIR,
    drafted,
    kinds,
    on_by_default,
    play,
    position,
)

FOUR = [f"{seat}M1 {home} rule+folly+folly" for seat, home in enumerate(("a1", "e1", "e4", "a4"))]
TWO = ["0M1 a1 rule+folly+folly", "1M1 d3 rule+folly+folly"]


def ended(vp: list[int], people: list[str], owners: dict[str, int | None]) -> tuple[int, ...]:
    state = position(people, round=12, owners=owners, row=["E25"])
    state.table.public.vp = vp
    on_by_default(state, 13)
    outcome = state.outcome
    assert outcome is not None and outcome.scores == tuple(vp)
    return tuple(outcome.ranks)


def test_R35_points_then_fields_then_characters_then_a_shared_place() -> None:
    assert ended([3, 4], [*PAIR, *OTHER_PAIR], {"a2": 0}) == (1, 0)
    assert ended([4, 4], [*PAIR, *OTHER_PAIR], {"a2": 0}) == (0, 1)
    assert ended([4, 4], [*PAIR, OTHER_PAIR[0]], {}) == (0, 1)
    assert ended([4, 4], [*PAIR, *OTHER_PAIR], {}) == (0, 0)


def test_R35_the_game_ends_after_its_rounds() -> None:
    for rounds in (8, 9, 12):
        state = drafted("aristoocrazy/2p/classic" + (f"+rounds={rounds}" if rounds < 12 else ""))
        on_by_default(state, 99)
        assert state.view(Seat(0))["round"] == rounds and len(state.view(Seat(0))["evaluated"]) == rounds - 2
        assert kinds(state.events())[-1] == "end" and state.legal(Seat(0)) == []


def final(
    vp: Sequence[int], people: Sequence[str] = (), owners: Mapping[str, int | None] | None = None
) -> Outcome:
    """The result where the last card gives nobody anything."""
    state = position(
        [*FOUR, *people], "aristoocrazy/4p/classic", phase="event", round=12, row=["E16"], owners=owners
    )
    state.table.public.vp = list(vp)
    play(state, *(f"{seat} bid:0" for seat in range(4)))
    assert state.outcome
    return state.outcome


def test_R35_victory_points_rank_before_land() -> None:
    outcome = final([3, 9, 5, 0], owners={"a2": 3, "a3": 3})
    assert outcome.ranks == (2, 0, 1, 3) and outcome.scores == (3, 9, 5, 0)


def test_R35_land_ranks_before_characters() -> None:
    people = ["0F1 a1 rule+folly+folly", "0F2 a1 rule+folly+folly"]
    assert final([5, 5, 5, 9], people, {"d1": 1, "e2": 1, "e3": 2}).ranks == (3, 1, 2, 0)


@pytest.mark.parametrize(
    ("vp", "ranks"),
    [([5, 5, 5, 5], (0, 0, 0, 0)), ([5, 7, 5, 7], (2, 0, 2, 0)), ([7, 5, 5, 0], (0, 1, 1, 3))],
)
def test_R35_a_shared_place_leaves_the_next_ones_empty(vp: list[int], ranks: tuple[int, ...]) -> None:
    assert final(vp).ranks == ranks


def test_R35_leftover_tokens_and_cards_are_worth_nothing() -> None:
    rich = {"stashes": {1: "valour money luck"}, "hands": {1: ["A01", "A02"]}}
    state = position(TWO, phase="event", round=12, row=["E16"], **rich)  # type: ignore[arg-type]
    play(state, "0 bid:0", "1 bid:0")
    assert state.outcome and state.outcome.ranks == (0, 0)


def test_R35_at_the_end_all_see_all_victory_points() -> None:
    state = position(TWO, phase="event", round=12, row=["E16"], stashes={1: "valour"})
    assert "vp" not in state.view(Seat(0))["houses"][1]
    play(state, "0 bid:0", "1 bid:1")
    view = state.view(Seat(0))
    assert [one["vp"] for one in view["houses"]] == [0, 3]
    assert (view["phase"], view["decision"], view["to_act"]) == ("end", None, [])
