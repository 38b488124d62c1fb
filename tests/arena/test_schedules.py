"""What all schedules promise: they end, ask for nothing twice, are balanced, and depend on results alone."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.schedules import SCHEDULES, Schedule, schedule_of
from arena.schedules.balance import imbalance
from arena.schedules.blocks import Field, Progress
from protocol.vocabulary import BotId, Verdict
from tests.arena.scheduled import FOUR, TEAMS, THREE, TWO, falling, field_of, played, progress_of, run

ENDING = ("round_robin", "gauntlet", "newcomer", "swiss", "knockout")
ENDLESS = ("finals", "adaptive")
VARIANTS = [(TWO,), (THREE,), (FOUR,), (TEAMS,), (TWO, THREE), (TEAMS, FOUR, TWO)]


def made(kind: str, field: Field, **more: int | bool) -> Schedule:
    return schedule_of(kind, field.bots[-1:], newcomer_deals=1, deals=field.plan.deals, **more)  # type: ignore[arg-type]


def size(progress: Progress) -> dict[str, int]:
    return {
        variant: sum(result.variant == variant for result in progress.results)
        for variant in {result.variant for result in progress.results}
    }


def test_every_name_is_a_schedule() -> None:
    assert {*ENDING, *ENDLESS, "compare"} == set(SCHEDULES)
    assert len({type(schedule_of(kind, field_of(2).bots)) for kind in SCHEDULES}) == len(SCHEDULES)


@given(
    st.sampled_from(ENDING), st.integers(2, 12), st.sampled_from(VARIANTS), st.integers(1, 3), st.booleans()
)
@settings(max_examples=40, deadline=None)
def test_a_schedule_ends_is_balanced_and_as_large_as_it_said(
    kind: str, count: int, variants: tuple[str, ...], deals: int, stops: bool
) -> None:
    if kind == "knockout":
        variants = tuple(variant for variant in variants if variant in (TWO, TEAMS)) or (TWO,)
    count = min(count, 6) if len(variants) > 1 else count
    field = field_of(count, *variants, deals=deals)
    schedule = made(kind, field, stops=stops)
    progress, _ = run(schedule, field, falling(field, 0.3))
    assert imbalance(field, progress, schedule) == []
    most = {variant: games for variant, (games, _) in schedule.most(field).items() if games}
    found = size(progress)
    if kind == "knockout":
        assert found.keys() == most.keys() and all(found[variant] <= most[variant] for variant in most)
    else:
        assert found == most


@pytest.mark.parametrize("kind", ENDLESS)
@pytest.mark.parametrize(
    ("count", "variants", "partners"),
    [(2, (TWO,), "same"), (7, (TWO,), "same"), (5, (THREE, TWO), "same"), (5, (FOUR,), "same"),
     (5, (TEAMS,), "mixed"), (4, (TEAMS, TWO), "both"), (3, (TEAMS,), "same"), (33, (TWO,), "same")],
)  # fmt: skip
def test_what_has_no_end_is_balanced_whenever_it_is_stopped(
    kind: str, count: int, variants: tuple[str, ...], partners: str
) -> None:
    field = field_of(count, *variants, partners=partners)
    schedule = made(kind, field)
    progress, steps = run(schedule, field, falling(field, 0.3), steps=4)
    assert [len(blocks) for blocks in steps[1:]] == [16, 16, 16]
    assert imbalance(field, progress, schedule) == []
    assert schedule.most(field) == {}


@pytest.mark.parametrize("kind", [*ENDING, *ENDLESS])
def test_the_order_of_results_does_not_matter(kind: str) -> None:
    field = field_of(6, TWO, TEAMS, deals=2)
    schedule = made(kind, field, stops=True)
    progress, _ = run(schedule, field, falling(field, 0.3), steps=2)
    shuffled = progress.results.copy()
    Random(1).shuffle(shuffled)
    wanted = list(schedule.step(field, progress))
    assert wanted == list(schedule.step(field, progress_of(shuffled)))
    assert bool(wanted) == (kind not in ("gauntlet", "newcomer", "round_robin"))


@pytest.mark.parametrize("kind", ["round_robin", "gauntlet", "newcomer", "swiss", "knockout"])
@pytest.mark.parametrize("cut", [1, 17, 40])
def test_after_an_interruption_the_same_blocks_are_played(kind: str, cut: int) -> None:
    field, schedule = (
        field_of(7, TWO, TEAMS, deals=2),
        schedule_of(kind, (BotId("b6", f"{6:064x}"),), deals=2),
    )
    strength = falling(field, 0.3)
    whole, _ = run(schedule, field, strength)
    results = whole.results[:cut] if cut < len(whole.results) else whole.results
    broken = progress_of(results)
    broken.take(
        game for game in played(field, broken.begun, strength) if game.id not in {r.id for r in results}
    )
    again, _ = run(schedule, field, strength, progress=broken)
    assert again.closed == whole.closed


@pytest.mark.parametrize("kind", ENDLESS)
def test_after_an_interruption_what_has_no_end_goes_on_balanced(kind: str) -> None:
    field = field_of(6, TWO, THREE)
    schedule, strength = made(kind, field), falling(field, 0.3)
    progress, _ = run(schedule, field, strength, steps=2)
    step = list(schedule.step(field, progress))
    progress.take(played(field, step[:5], strength))
    progress, steps = run(schedule, field, strength, steps=2, progress=progress)
    assert [len(blocks) for blocks in steps] == [16, 16]
    assert imbalance(field, progress, schedule) == []


def test_with_rules_that_stop_a_step_is_a_round_in_which_all_play_alike() -> None:
    field = field_of(20, TWO, deals=3)
    _, rounds = run(made("round_robin", field, stops=True), field, falling(field))
    assert [{block.deal for block in blocks} for blocks in rounds] == [{0}, {1}, {2}]
    assert all(len({block.meeting for block in blocks}) == 190 == len(blocks) for blocks in rounds)
    small = field_of(3, TWO, deals=50)
    _, rounds = run(made("round_robin", small, stops=True), small, falling(small))
    assert len(rounds[0]) == 66, "few bots play several deals a round, for the workers' sake"


def test_a_gauntlet_has_one_challenger_at_each_table() -> None:
    field = field_of(5, THREE, deals=1)
    _, (blocks,) = run(schedule_of("gauntlet", field.bots[:2]), field, falling(field))
    assert all(len(block.meeting.bots & set(field.bots[:2])) == 1 for block in blocks)
    assert len(blocks) == 2 * 3, "two challengers, each with every two of three others"


def test_a_newcomer_only_adds_its_own_games() -> None:
    old = field_of(4, TWO, THREE, deals=3)
    field = Field(old.plan, field_of(5).bots)
    progress, _ = run(schedule_of("round_robin", deals=3), old, falling(old))
    schedule = schedule_of("newcomer", field.bots[-1:], newcomer_deals=2, deals=3)
    progress, (blocks,) = run(schedule, field, falling(field), progress=progress)
    assert all(field.bots[-1] in block.meeting.bots for block in blocks)
    assert len(blocks) == 2 * (4 + 6) and {block.deal for block in blocks} == {0, 1}
    assert imbalance(field, progress, schedule) == []


def test_what_is_out_of_balance_is_told() -> None:
    field = field_of(3, TWO, deals=2)
    schedule = made("round_robin", field)
    blocks = list(schedule.step(field, Progress()))
    games = list(played(field, blocks, falling(field)))
    missing = [game for game in games if game.block != games[0].block]
    assert imbalance(field, progress_of(missing), schedule) == ["b0 v b1 in claim/2p/GK-UWX: 1 of 2 blocks"]
    void = [replace(games[0], verdict=Verdict.VOID), *games[1:]]
    assert imbalance(field, progress_of(void), schedule) == [
        "b0 v b1 in claim/2p/GK-UWX: a game on deal 0 is void"
    ]
    same_seats = [replace(games[0], seats=games[0].seats[::-1]), *games[1:]]
    assert imbalance(field, progress_of(same_seats), schedule) == [
        "b0 sat in the seats of claim/2p/GK-UWX 3, 5 times",
        "b1 sat in the seats of claim/2p/GK-UWX 5, 3 times",
    ]
    assert imbalance(field, progress_of(games[1:]), schedule)[0] == (
        "b0 v b1 in claim/2p/GK-UWX: deal 0 was not played to its end"
    )
