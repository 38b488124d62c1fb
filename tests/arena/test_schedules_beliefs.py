"""Finals and adaptive schedules: they play where it tells most about what is asked."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from arena.schedules import schedule_of
from arena.schedules.adaptive import Adaptive
from arena.schedules.balance import imbalance
from arena.schedules.blocks import Block, Field, Meeting, Progress
from arena.schedules.finals import Finals
from arena.schedules.information import Beliefs, tables_of
from arena.schedules.opening import opening
from arena.schedules.strengths import strengths
from leaderboards.estimates import Estimate
from leaderboards.places import BETA
from tests.arena.scheduled import FOUR, TEAMS, THREE, TWO, falling, field_of, run


def later(steps: list[list[Block]]) -> list[Block]:
    """What was chosen after the opening."""
    return [block for blocks in steps[1:] for block in blocks]


def test_in_the_finals_those_meet_who_may_be_the_best() -> None:
    field = field_of(8, TWO, deals=5)
    strength = dict(zip(field.bots, [0, 0, -2, -2, -2, -2, -2, -2], strict=True))
    _, steps = run(Finals(5), field, strength, steps=6)
    met = Counter(block.meeting.bots for block in later(steps))
    assert met[frozenset(field.bots[:2])] > 60, "of 80: the only two of which either may be the best"


def test_in_the_finals_all_meet_who_may_be_the_best_and_nobody_else() -> None:
    field = field_of(9, TWO, deals=5)
    strength = dict(zip(field.bots, [0, 0, 0, 0, -3, -3, -3, -3, -3], strict=True))
    _, steps = run(Finals(5), field, strength, steps=8)
    met = Counter(block.meeting.bots for block in later(steps))
    assert len(met) == 6 and all(pair <= set(field.bots[:4]) for pair in met)


def test_a_bigger_table_of_the_finals_is_filled_with_the_best() -> None:
    field = field_of(6, FOUR, deals=5)
    _, (_, blocks) = run(Finals(5), field, falling(field, 2), steps=2)
    assert {block.meeting.bots for block in blocks} == {frozenset(field.bots[:4])}


def test_each_block_of_the_finals_is_on_the_next_deal_of_its_meeting() -> None:
    field = field_of(3, TWO, deals=2)
    progress, _ = run(Finals(2), field, falling(field, 0.3), steps=5)
    assert all(set(deals) == set(range(len(deals))) for deals in progress.closed.values())


@pytest.mark.parametrize("kind", ["finals", "adaptive"])
def test_every_variant_gets_as_many_games(kind: str) -> None:
    field = field_of(5, TWO, THREE)
    progress, _ = run(schedule_of(kind), field, falling(field, 0.3), steps=6)
    count = Counter(result.variant for result in progress.results)
    assert abs(count[TWO] - count[THREE]) <= 3, "a block"


def test_other_tournaments_choose_otherwise_from_the_same_results() -> None:
    one, other = field_of(8, TWO, seed="one"), field_of(8, TWO, seed="other")
    steps = [run(Finals(1), field, falling(field), steps=2)[1] for field in (one, other)]
    assert steps[0][0] == steps[1][0] and steps[0][1] != steps[1][1]


@pytest.mark.parametrize("kind", ["finals", "adaptive"])
def test_the_blocks_of_a_meeting_follow_each_other(kind: str) -> None:
    field = field_of(6, TWO, THREE)
    for blocks in run(schedule_of(kind), field, falling(field, 0.1), steps=4)[1][1:]:
        meetings = [block.meeting for block in blocks]
        assert len(set(meetings)) == 1 + sum(one != other for one, other in pairwise(meetings))


def test_for_the_order_those_meet_whose_order_is_open() -> None:
    field = field_of(8, TWO, deals=8)
    strength = dict(zip(field.bots, [0, 0, -1, -1, -2, -2, -3, -3], strict=True))
    _, steps = run(Adaptive(8), field, strength, steps=6)
    alike = sum(len({strength[bot] for bot in block.meeting.bots}) == 1 for block in later(steps))
    assert alike > 60, "of 80; by lot it would be 11"


def test_of_the_order_the_first_place_is_asked_for_most() -> None:
    field = field_of(8, TWO, deals=8)
    strength = dict(zip(field.bots, [0, 0, -1, -1, -2, -2, -3, -3], strict=True))
    met = Counter(block.meeting.bots for block in later(run(Adaptive(8), field, strength, steps=6)[1]))
    assert met[frozenset(field.bots[:2])] > max(met[frozenset(field.bots[n : n + 2])] for n in (2, 4, 6))


def test_a_block_of_a_step_counts_with_those_chosen_before() -> None:
    field = field_of(8, TWO, deals=2)
    _, (_, blocks) = run(Adaptive(2), field, dict.fromkeys(field.bots, 0.0), steps=2)
    assert len({block.meeting for block in blocks}) > 8, "what will be known of one pair makes way for others"


def test_for_a_champion_and_for_a_rank_others_meet_than_for_the_order() -> None:
    field = field_of(8, TWO, deals=8)
    strength = dict(zip(field.bots, [0, 0, -1, -1, -2, -2, -3, -3], strict=True))
    top, low = frozenset(field.bots[:2]), field.bots[6]
    champion = later(run(Adaptive(8, "champion"), field, strength, steps=3)[1])
    assert sum(block.meeting.bots == top for block in champion) == 32
    rank = later(run(Adaptive(8, "rank", low), field, strength, steps=3)[1])
    assert sum(low in block.meeting.bots for block in rank) > 24, "of 32"


def test_what_costs_more_is_played_less() -> None:
    field = field_of(6, TWO, deals=2)
    equal = dict.fromkeys(field.bots, 0.0)
    shares = []
    for seconds in (1.0, 20.0):
        progress = Progress(cost=dict.fromkeys(field.bots, 1.0) | {field.bots[0]: seconds})
        _, steps = run(Adaptive(2), field, equal, steps=8, progress=progress)
        shares.append(sum(field.bots[0] in block.meeting.bots for block in later(steps)))
    assert shares[1] < 0.8 * shares[0]


def test_nobody_starves_whatever_it_costs() -> None:
    field = field_of(6, TWO, deals=2)
    progress = Progress(cost=dict.fromkeys(field.bots, 1.0) | {field.bots[0]: 1000.0})
    progress, _ = run(Adaptive(2), field, dict.fromkeys(field.bots, 0.0), steps=12, progress=progress)
    games = Counter(seat.bot for result in progress.results for seat in result.seats)
    mean = games.total() / 6
    assert 0.45 * mean < games[field.bots[0]] < 0.6 * mean
    assert imbalance(field, progress, Adaptive(2)) == []


def test_who_starves_is_told() -> None:
    field = field_of(4, TWO)
    progress, _ = run(Adaptive(1), field, falling(field), steps=1)
    among = Field(field.plan, field.bots[:3])
    run(Adaptive(1), among, falling(field, 0.1), steps=5, progress=progress)
    assert imbalance(field, progress, Adaptive(1)) == ["b3: 6 games"]
    _, (served,) = run(Adaptive(1), field, falling(field, 0.1), steps=1, progress=progress)
    assert sum(field.bots[3] in block.meeting.bots for block in served) >= 10


@pytest.mark.parametrize("kind", ["finals", "adaptive"])
@pytest.mark.parametrize(("count", "tables"), [(32, 496), (33, 5 * 33)])
def test_both_open_a_big_field_with_a_part_of_a_round_robin(kind: str, count: int, tables: int) -> None:
    field = field_of(count, TWO)
    assert len(list(schedule_of(kind).step(field, Progress()))) == tables
    assert len(schedule_of(kind).unkept(field, Progress())) == tables


@pytest.mark.parametrize(("count", "variant"), [(40, TWO), (41, TEAMS), (20, THREE), (16, FOUR)])
def test_a_big_field_starts_with_a_part_of_a_round_robin(count: int, variant: str) -> None:
    field = field_of(count, variant)
    meetings = list(opening(field))
    sat = Counter(bot for meeting in meetings for bot in meeting.bots)
    assert len(set(meetings)) == len(meetings) < len(field.meetings(variant))
    assert set(sat) == set(field.bots) and len(set(sat.values())) == 1 and sat[field.bots[0]] >= 10
    reached = {field.bots[0]}
    for _ in meetings:
        reached |= {bot for meeting in meetings if meeting.bots & reached for bot in meeting.bots}
        if len(reached) == count:
            break
    assert len(reached) == count, "nobody is apart"


def known(field: Field, *, seed: int = 1) -> Estimate:
    random = np.random.RandomState(seed)
    size = len(field.bots)
    root, centre = random.standard_normal((size, size)), np.eye(size) - 1 / size
    return Estimate(field.bots, 25 + random.standard_normal(size), centre @ root @ root.T @ centre, 100)


@pytest.mark.parametrize(
    ("variant", "partners", "precision"),
    [(TWO, "same", 2 / 2), (THREE, "same", 3 * 0.8 / 2), (FOUR, "same", 4 * 2 / 3 / 2), (TEAMS, "same", 2 / 2),
     (TEAMS, "mixed", 8 / 4)],
)  # fmt: skip
def test_a_block_between_equals_tells_what_its_games_tell(
    variant: str, partners: str, precision: float
) -> None:
    field = field_of(4, variant, partners=partners)
    tables = tables_of(field, variant)
    tells = tables.information(np.full(4, 25.0))
    assert tells[0, 0, 1] == pytest.approx(precision * 2 / np.pi / BETA**2), (
        "of a normal density, squared, by 1/4"
    )


@pytest.mark.parametrize(("variant", "partners"), [(TWO, "same"), (FOUR, "same"), (TEAMS, "both")])
def test_what_is_learnt_agrees_with_the_inverse_of_the_precision(variant: str, partners: str) -> None:
    field = field_of(5, variant, partners=partners)
    tables, estimate = tables_of(field, variant), known(field)
    tells = tables.information(estimate.mean)
    for number in (0, len(tables.meetings) - 1):
        beliefs = Beliefs(estimate, np.ones((5, 5)))
        beliefs.learn(tables, tells, number)
        rows = _contrasts(field, tables.meetings[number])
        precision = np.diag([tells[number, a, b] for a, b in rows])
        design = np.array(list(rows.values()))
        prior = estimate.covariance
        gain = prior @ design.T @ np.linalg.inv(np.linalg.inv(precision) + design @ prior @ design.T)
        assert beliefs.covariance == pytest.approx(prior - gain @ design @ prior)


def _contrasts(field: Field, meeting: Meeting) -> dict[tuple[int, int], np.ndarray]:
    """Between each two sides, as vectors over the bots; a side of copies is one bot."""
    sides = [np.array([float(bot in side) for bot in field.bots]) for side in meeting.sides]
    return {(a, b): sides[a] - sides[b] for b in range(len(sides)) for a in range(b)}


def test_a_gain_is_the_weighted_loss_of_variance() -> None:
    field = field_of(5, TWO)
    tables, estimate = tables_of(field, TWO), known(field)
    weights = np.arange(25.0).reshape(5, 5)
    weights += weights.T
    tells = tables.information(estimate.mean)
    gaps, before = estimate.differences()
    for number, gain in enumerate(Beliefs(estimate, weights).gains(tables, tells)):
        beliefs = Beliefs(estimate, weights)
        beliefs.learn(tables, tells, number)
        after = Estimate(field.bots, estimate.mean, beliefs.covariance, 100).differences()[1]
        expected = sum(
            weights[i, j] * np.exp(-((gaps[i, j] / before[i, j]) ** 2)) / (np.pi * before[i, j] ** 2)
            * (before[i, j] ** 2 - after[i, j] ** 2)
            for j in range(5) for i in range(j)
        )  # fmt: skip
        assert gain == pytest.approx(expected)


def test_the_worth_of_knowing_is_the_slope_of_the_chance_to_be_wrong() -> None:
    gap, variance, seen = 0.7, 1.3, np.array([0.64, 0.66])
    random = np.random.RandomState(3)
    truth = gap + np.sqrt(variance) * random.standard_normal(400_000)
    noise = random.standard_normal(400_000)
    wrong = []
    for known_part in seen:
        told = gap + (truth - gap) * known_part / variance
        told += np.sqrt(known_part * (1 - known_part / variance)) * noise
        wrong.append(np.mean((told > 0) != (truth > 0)))
    slope = (wrong[0] - wrong[1]) / (seen[1] - seen[0])
    assert slope == pytest.approx(np.exp(-(gap**2) / variance) / (np.pi * variance), rel=0.1)


def test_who_is_not_of_the_field_is_not_weighed() -> None:
    field = field_of(4, TWO, THREE)
    progress, _ = run(schedule_of("round_robin"), field, falling(field, 0.3))
    every = strengths(progress, field.bots)
    some = strengths(progress, field.bots[1:])
    assert every is not None and every.bots == field.bots
    assert some is not None and some.bots == field.bots[1:]
    assert strengths(progress, field.bots[:1]) is None and strengths(Progress(), field.bots) is None


def test_a_rank_is_not_asked_of_a_bot_that_is_out() -> None:
    field = field_of(4, TWO)
    progress, _ = run(schedule_of("round_robin"), field, falling(field, 0.3))
    among = Field(field.plan, field.bots[:3])
    assert Adaptive(1, "rank", field.bots[2]).step(among, progress) != []
    assert Adaptive(1, "rank", field.bots[3]).step(among, progress) == []


def test_where_void_games_leave_too_few_for_a_table_it_is_over() -> None:
    field = field_of(5, FOUR)
    three = Field(field_of(3, TWO).plan, field.bots[:3])
    progress, _ = run(schedule_of("round_robin"), three, falling(field))
    for meeting in field.meetings(FOUR):
        progress.closed[meeting].add(0)
    assert Finals(1).step(field, progress) == [] == Adaptive(1).step(field, progress)


def test_a_bot_whose_games_are_all_void_stops_nothing() -> None:
    field = field_of(3, TWO)
    two = Field(field.plan, field.bots[:2])
    progress, _ = run(Finals(1), two, falling(field, 0.1), steps=1)
    for meeting in field.meetings(TWO):
        progress.closed[meeting].add(0)
    for schedule in (Finals(1), Adaptive(1)):
        assert {bot for block in schedule.step(field, progress) for bot in block.meeting.bots} == set(
            two.bots
        )
