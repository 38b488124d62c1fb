"""A tournament stops when a budget is used up, or when its ranking is sure enough."""

from __future__ import annotations

import pytest

from arena.schedules import schedule_of
from arena.schedules.blocks import Field, Progress
from arena.stopping import ENOUGH, Stop
from tests.arena.scheduled import THREE, TWO, falling, field_of, run


def after(deals: int, gap: float, *variants: str) -> tuple[Field, Progress]:
    """What a round robin of four bots has told, each so much better than the next."""
    field = field_of(4, *(variants or (TWO,)))
    return field, run(schedule_of("round_robin", deals=deals), field, falling(field, gap))[0]


def test_without_rules_nothing_stops() -> None:
    assert Stop().reached(after(10, 5)[1], 1e9) == ""


def test_a_budget_is_of_games_or_of_time() -> None:
    _, progress = after(2, 1)
    assert Stop(games=24).reached(progress, 0) == "24 games that count are played, of 24"
    assert Stop(games=25).reached(progress, 0) == ""
    assert Stop(minutes=2).reached(progress, 120) == "2 minutes are over, of 2"
    assert Stop(minutes=2).reached(progress, 119) == ""


def test_a_clear_order_stops_and_one_that_is_not_does_not() -> None:
    said = Stop(tau=0.95).reached(after(10, 2)[1], 0)
    assert said == "Kendall's tau to the true order is expected to be above 0.99"
    assert Stop(tau=0.95).reached(after(10, 0)[1], 0) == ""


def test_a_clear_champion_stops_and_is_named() -> None:
    assert Stop(first=0.95).reached(after(10, 2)[1], 0) == "P(first) of b0 is above 0.99"
    assert Stop(first=0.95).reached(after(10, 0)[1], 0) == ""


def test_few_games_are_never_sure() -> None:
    rules = Stop(tau=0.5, first=0.5)
    assert rules.reached(after(3, 5)[1], 0) == "", "18 games of each"
    assert rules.reached(after(4, 5)[1], 0) != ""


def test_one_deal_is_never_sure_however_many_games_it_has() -> None:
    rules = Stop(tau=0.5, first=0.5)
    for deals, sure in ((1, False), (3, True)):
        field = field_of(12, TWO)
        progress = run(schedule_of("round_robin", deals=deals), field, falling(field, 5))[0]
        assert len(progress.results) * 2 / 12 >= ENOUGH
        assert (rules.reached(progress, 0) != "") is sure


def test_all_variants_count_alike() -> None:
    field, progress = after(10, 2, TWO)
    backwards = {bot: -value for bot, value in falling(field, 2).items()}
    both = Field(field_of(4, TWO, THREE).plan, field.bots)
    assert Stop(first=0.95).reached(progress, 0) != ""
    run(schedule_of("round_robin", deals=10), both, backwards, progress=progress)
    assert Stop(first=0.95).reached(progress, 0) == "", "one variant has it the other way round"


def test_a_ranking_waits_for_a_bot_that_has_not_played() -> None:
    field, progress = after(10, 2)
    assert Stop(first=0.95).reached(progress, 0, field.bots) != ""
    assert Stop(first=0.95).reached(progress, 0, field_of(5, TWO).bots) == ""


def test_who_is_out_of_the_field_is_not_waited_for() -> None:
    field, progress = after(10, 2)
    few = field_of(5, TWO)
    run(schedule_of("gauntlet", few.bots[4:], deals=1), few, falling(few, 2), progress=progress)
    assert Stop(first=0.95).reached(progress, 0) == ""
    assert Stop(first=0.95).reached(progress, 0, field.bots) == "P(first) of b0 is above 0.99"


@pytest.mark.parametrize("rule", [Stop(tau=0.9), Stop(first=0.9)])
def test_nothing_played_is_not_sure(rule: Stop) -> None:
    assert rule.reached(Progress(), 0) == ""
