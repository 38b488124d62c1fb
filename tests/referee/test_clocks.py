"""Bank, increment and cap."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from referee.clocks import NO_LIMITS, Clock, Limits

seconds = st.floats(0, 100)


def limits(bank: float | None, increment: float, move: float | None) -> Limits:
    def td(value: float | None) -> timedelta | None:
        return None if value is None else timedelta(seconds=value)

    return Limits(timedelta(seconds=1), td(bank), timedelta(seconds=increment), td(move))


@given(st.none() | seconds, seconds, st.none() | seconds, st.lists(seconds, max_size=8))
def test_the_budget_is_the_smaller_of_bank_and_cap(
    bank: float | None, increment: float, cap: float | None, moves: list[float]
) -> None:
    rules = limits(bank, increment, cap)
    clock = Clock(rules)
    for move in moves:
        budget, wire = clock.budget, clock.wire()
        assert (budget is None) == (bank is None and cap is None)
        if cap is not None:
            assert budget is not None and budget <= rules.move.total_seconds()  # type: ignore[union-attr]
        if budget is not None and bank is not None:
            assert wire["remaining_ms"] >= wire["move_ms"] >= 0
        clock.charge(move)


def test_what_a_move_took_leaves_the_bank_and_the_increment_enters_it() -> None:
    clock = Clock(limits(10, 2, None))
    clock.charge(5)
    assert clock.budget == 7 and clock.wire() == {"remaining_ms": 7000, "move_ms": 7000, "last_ms": 5000}
    clock.charge(9)
    assert clock.budget == 2, "the bank is never below nothing"


def test_unused_time_of_a_capped_move_is_not_added_to_the_cap() -> None:
    clock = Clock(limits(None, 3, 4))
    clock.charge(1)
    assert clock.budget == 4 and clock.wire()["remaining_ms"] is None


def test_an_answer_is_late_after_the_margin_which_the_bank_pays_for() -> None:
    clock = Clock(Limits(None, timedelta(seconds=1), timedelta(0), None, margin=timedelta(seconds=0.5)))
    assert (clock.budget, clock.patience) == (1, 1.5)
    clock.charge(1.25)
    assert (clock.budget, clock.patience) == (0, 0.5), "below nothing there is no bank"
    assert clock.wire() == {"remaining_ms": 0, "move_ms": 0, "last_ms": 1250}, "bots are not told of it"
    assert Clock(NO_LIMITS).patience is None


def test_only_games_with_limits_are_rated() -> None:
    assert Limits().rated and limits(1, 0, None).rated and limits(None, 0, 1).rated
    assert not limits(None, 0, None).rated and not NO_LIMITS.rated
    assert Limits().recorded() == Limits().wire() | {"margin_ms": 20}
    assert NO_LIMITS.wire() == {"startup_ms": None, "bank_ms": None, "increment_ms": 0, "move_ms": None}
