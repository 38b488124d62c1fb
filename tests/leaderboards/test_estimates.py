"""Strengths and their covariance: published values, honest intervals, deals in common."""

from collections.abc import Sequence

import numpy as np
import pytest

from leaderboards import estimates
from leaderboards.estimates import Estimate, combined, estimate
from leaderboards.games import Array, Games, of_sides
from leaderboards.places import BETA, MU
from leaderboards.ratings import fit
from tests.leaderboards.leaderboard_results import bot, drawn, won
from tests.leaderboards.simulated import RoundRobin, even

THREE = (
    [won("a", "b")] * 30 + [won("b", "a")] * 20 + [won("a", "c")] * 35 + [won("c", "a")] * 15
    + [won("b", "c")] * 25 + [won("c", "b")] * 25
)  # fmt: skip


def test_the_mode_and_its_curvature_are_the_published_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimates, "draw_share", lambda games: 0.0)
    mean, hessian = estimates._Model(of_sides(THREE)).mode()
    assert (MU + mean).tolist() == pytest.approx([26.508352, 24.500178, 23.991470], abs=1e-6)
    _, sd = Estimate((), mean, np.asarray(np.linalg.inv(hessian), np.float64), 0).differences()
    assert [sd[0, 1], sd[0, 2], sd[1, 2]] == pytest.approx([0.865956, 0.875059, 0.858542], abs=1e-6)


def test_a_cycle_has_no_order(monkeypatch: pytest.MonkeyPatch) -> None:
    games = [won("a", "b"), won("b", "c"), won("c", "a")] * 35 + [
        won("b", "a"),
        won("c", "b"),
        won("a", "c"),
    ] * 15
    assert estimate(of_sides(games)).mean.tolist() == pytest.approx([25, 25, 25])


def test_one_gap_is_found_from_wins_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(estimates, "draw_share", lambda games: 0.0)
    for wins, losses, gap in ((7, 3, 2.961781), (60, 40, 1.486885)):
        found = estimate(of_sides([won("a", "b")] * wins + [won("b", "a")] * losses))
        assert found.differences()[0][0, 1] == pytest.approx(gap, abs=1e-6)


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_it_is_where_the_ratings_are_and_nearly_as_sure(sides: int) -> None:
    games = made(np.linspace(-2, 2, 8), rounds=300, sides=sides, luck=0.0)
    found, rated = estimate(games), fit(games)
    assert found.mean.tolist() == pytest.approx([r.mu for r in rated.ratings.values()], abs=0.01)
    assert found.sd.tolist() == pytest.approx([r.sigma for r in rated.ratings.values()], rel=0.2)


def made(strengths: Array, rounds: int, sides: int = 2, luck: float = 0.5, seed: int = 1) -> Games:
    """Random meetings, each in every rotation on one deal, which is the share `luck` of what is not skill."""
    random = np.random.RandomState(seed)
    cells, deals = [], []
    for number in range(rounds * len(strengths) // sides):
        table = random.permutation(len(strengths))[:sides]
        cards = random.normal(size=sides) * luck**0.5
        for turn in range(sides):
            play = np.roll(cards, turn) + random.normal(size=sides) * (1 - luck) ** 0.5
            order = table[np.argsort(-(strengths[table] + BETA * play))]
            cells.append(won(*(f"b{n:02}" for n in order)))
            deals.append(number)
    alone = of_sides(cells)
    where = {cell: number for number, cell in enumerate(alone.cells)}
    each = np.array([where[cell] for cell in cells])
    return Games(alone.bots, alone.cells, each, np.array(deals), np.array(deals))


def test_mirrored_deals_make_surer_than_as_many_games_apart() -> None:
    games = made(np.zeros(6), rounds=400, luck=0.8)
    apart = Games(games.bots, games.cells, games.cell, np.arange(len(games.cell)), games.block)
    assert np.mean(estimate(games).sd) < 0.75 * np.mean(estimate(apart).sd)


def test_few_deals_are_not_taken_for_many() -> None:
    cells = [won("a", "b"), won("b", "a"), won("a", "b")]
    one = of_sides(cells * 20)
    same = Games(one.bots, one.cells, one.cell, one.deal % 3, one.block % 3)
    assert estimate(same).sd[0] > estimate(one).sd[0]
    assert np.all(np.isfinite(estimate(of_sides(cells[:1])).sd))


@pytest.mark.parametrize("bots", [4, 30])
def test_two_deals_make_no_difference_certain(bots: int) -> None:
    field = RoundRobin(bots)
    found = estimate(field.played(field.gaps(even(bots, 0.75)), 2, 0.3, np.random.RandomState(1)))
    level, *noise = np.linalg.eigvalsh(found.covariance)
    assert level == pytest.approx(0, abs=1e-9)
    assert min(noise) > 0.1 * max(noise)


@pytest.mark.parametrize(("blocks", "sure"), [(4, False), (12, False), (60, True)])
def test_few_blocks_that_came_out_alike_are_no_proof_of_equality(blocks: int, sure: bool) -> None:
    games = of_sides([won("a", "b"), won("b", "a")] * blocks)
    split = np.repeat(np.arange(blocks), 2)
    cell = np.tile([0, 1], blocks)
    found = estimate(Games(games.bots, games.cells, cell, split, split))
    assert (found.sd[0] < 0.3) == sure


@pytest.mark.parametrize("losses", [0, 1, 2])
def test_one_sided_results_are_no_sure_ones(losses: int) -> None:
    """Nothing scatters where a bot wins all its games, and nobody knows by how much it is the better one."""
    games = of_sides([won("a", "b")] * (100 - losses) + [won("b", "a")] * losses)
    same = Games(games.bots, games.cells, games.cell, games.deal // 2, games.block // 2)
    assert estimate(same).sd[0] > (1.5, 0.75, 0.6)[losses]


def test_variants_are_averaged_over_the_bots_that_all_have() -> None:
    two, three = estimate(of_sides(THREE)), estimate(of_sides([won("a", "b"), won("b", "a")] * 40))
    both = combined([two, three], [0.25, 0.75])
    assert [b.name for b in both.bots] == ["a", "b"]
    assert both.mean.tolist() == pytest.approx((0.25 * two.mean[:2] + 0.75 * three.mean).tolist())
    gaps = [e.differences()[1][0, 1] for e in (two, three)]
    assert both.differences()[1][0, 1] == pytest.approx(
        ((0.25 * gaps[0]) ** 2 + (0.75 * gaps[1]) ** 2) ** 0.5
    )


def test_ties_and_partners_are_taken_as_ratings_take_them() -> None:
    games = of_sides([drawn("a", "b")] * 50 + [won("a", "b")] * 5)
    assert estimate(games).mean[0] > 25 > estimate(games).mean[1]
    assert estimate(games).mean[0] == pytest.approx(fit(games).ratings[bot("a")].mu, abs=0.05)


def covered(kept: Sequence[Games], strengths: Array) -> float:
    """The share of 95 % intervals that hold the truth."""
    truth = MU + strengths - strengths.mean()
    found = map(estimate, kept)
    return float(np.mean([abs(one.mean - one.mean.mean() + MU - truth) < 1.96 * one.sd for one in found]))


@pytest.mark.statistics
@pytest.mark.parametrize("luck", [0.0, 0.5, 0.8])
@pytest.mark.parametrize(("sides", "rounds"), [(2, 60), (2, 400), (3, 120), (4, 120)])
def test_95_percent_intervals_hold_the_truth_in_95_percent(luck: float, sides: int, rounds: int) -> None:
    strengths = np.linspace(-2, 2, 12)
    share = covered([made(strengths, rounds, sides, luck, seed) for seed in range(120)], strengths)
    assert 0.93 <= share <= 0.97


@pytest.mark.statistics
@pytest.mark.parametrize("deals", [3, 5, 10, 20, 40])
@pytest.mark.parametrize(("luck", "style"), [(0.0, 0.0), (0.6, 0.0), (0.0, 0.3), (0.6, 0.3)])
def test_intervals_hold_where_all_meet_on_the_same_few_deals(deals: int, luck: float, style: float) -> None:
    strengths, field = even(12, 0.75), RoundRobin(12)
    gaps = field.gaps(strengths)
    runs = [field.played(gaps, deals, luck, np.random.RandomState(seed), style) for seed in range(80)]
    assert 0.92 <= covered(runs, strengths) <= 0.985
