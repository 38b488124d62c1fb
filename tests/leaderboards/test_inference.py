"""What is said of an order of bots: likely, never rosy, and right however many bots there are."""

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboards.estimates import Estimate, estimate
from leaderboards.games import Array
from leaderboards.inference import (
    expected_tau,
    first_and_top,
    letters,
    neighbours_apart,
    posterior,
    rank_ranges,
    separated,
)
from leaderboards.normal import cdf
from leaderboards.places import SIGMA
from tests.leaderboards.leaderboard_results import bot
from tests.leaderboards.simulated import RoundRobin, at_most, even, repeated


def known(mean: list[float] | Array, variance: float | Array) -> Estimate:
    """Bots with errors of their own, of this variance each."""
    size = len(mean)
    centre = np.eye(size) - 1 / size
    covariance = centre @ np.diag(np.broadcast_to(variance, size)) @ centre
    return Estimate(tuple(bot(f"b{n:03}") for n in range(size)), np.array(mean, float), covariance, 100)


def random_field(size: int, seed: int = 1) -> Estimate:
    random = np.random.RandomState(seed)
    return known(25 + random.normal(size=size), random.uniform(0.02, 0.2, size))


def test_two_bots_are_drawn_together_by_all_the_spreads_that_their_field_may_have() -> None:
    """Their one direction has square 2 x 2² = 8 and variance 2; each s keeps s² / (s² + 2) of it."""
    s = np.linspace(0, SIGMA, 100_001)
    kept, weight = s**2 / (s**2 + 2), np.exp(-4 / (s**2 + 2)) / np.sqrt(s**2 + 2)
    mean = np.average(kept, weights=weight)
    variance = np.average(2 * kept, weights=weight) + 8 * np.average((kept - mean) ** 2, weights=weight)
    found = posterior(known([27, 23], 2.0))
    assert found.mean == pytest.approx([25 + 2 * mean, 25 - 2 * mean], abs=1e-3)
    assert found.covariance == pytest.approx(variance / 2 * np.array([[1, -1], [-1, 1]]), abs=1e-3)


def test_bots_that_differ_less_than_chance_are_nearly_equals_and_keep_their_order() -> None:
    found = posterior(known([25.3, 25, 24.9, 24.8], 1.0))
    assert found.mean == pytest.approx([25] * 4, abs=0.15)
    assert sorted(found.mean, reverse=True) == list(found.mean)
    assert expected_tau(found) < 0.3
    assert first_and_top(found, 1).first == pytest.approx([0.25] * 4, abs=0.1)


def test_a_field_far_apart_stays_as_it_is() -> None:
    before = known([33, 27, 22, 18], 0.01)
    found = posterior(before)
    assert found.mean == pytest.approx(before.mean, abs=0.01)
    assert found.covariance == pytest.approx(before.covariance, abs=1e-3)
    assert expected_tau(found) == pytest.approx(1)


def test_no_field_is_wider_than_new_bots_are() -> None:
    found = posterior(known([525, -475], 2 * 25.0**2 / 9))
    assert found.mean[0] == pytest.approx(25 + 500 / 3, rel=1e-3)


def test_the_order_in_which_bots_stand_says_nothing() -> None:
    e = random_field(8)
    turned = np.arange(8)[::-1]
    back = Estimate(e.bots[::-1], e.mean[turned], e.covariance[np.ix_(turned, turned)], e.deals)
    assert posterior(back).mean[turned] == pytest.approx(posterior(e).mean)
    assert posterior(back).covariance[0, 2] == pytest.approx(posterior(e).covariance[7, 5])
    assert (separated(back)[np.ix_(turned, turned)] == separated(e)).all()


def test_posteriors_are_centred() -> None:
    found = posterior(random_field(12))
    assert found.mean.mean() == pytest.approx(25)
    assert found.covariance.sum(axis=0) == pytest.approx(np.zeros(12), abs=1e-12)


def test_expected_tau_is_the_mean_over_pairs() -> None:
    e = known([26, 25, 24], 0.5)  # differences have variance 1
    wrong = [float(cdf(-gap)) for gap in (1, 2, 1)]
    assert expected_tau(e) == pytest.approx(1 - 2 * sum(wrong) / 3)


def test_few_games_give_no_rosy_tau() -> None:
    e = estimate(RoundRobin(20).played(RoundRobin(20).gaps(even(20, 0.75)), 1, 0.3, np.random.RandomState(3)))
    assert expected_tau(posterior(e)) < expected_tau(e) - 0.1


def test_chances_add_up_and_hang_on_the_seed_alone() -> None:
    e = random_field(10)
    chances, again, other = first_and_top(e, 7), first_and_top(e, 7), first_and_top(e, 8)
    assert chances.first.sum() == pytest.approx(1)
    assert chances.top3.sum() == pytest.approx(3)
    assert (chances.top3 >= chances.first).all()
    assert (chances.first == again.first).all() and (chances.top3 == again.top3).all()
    assert (chances.first != other.first).any()


def test_the_first_of_two_is_as_likely_as_their_gap_says() -> None:
    assert first_and_top(known([26, 25], 0.5), 1).first[0] == pytest.approx(float(cdf(1.0)), abs=0.02)


def test_bots_that_always_split_share_the_first_place() -> None:
    """Copies that mirror each other: no uncertainty at all, and no difference."""
    chances = first_and_top(known([25, 25], 0.0), 1)
    assert chances.first == pytest.approx([0.5, 0.5], abs=0.05)
    assert chances.top3.tolist() == [1, 1]
    assert not separated(known([25, 25], 0.0)).any()


def test_a_covariance_that_rounding_has_spoilt_will_do() -> None:
    e = random_field(5)
    spoilt = Estimate(e.bots, e.mean, e.covariance - 1e-6 * np.outer([1, -1, 0, 0, 0], [1, -1, 0, 0, 0]), 100)
    singular = Estimate(
        e.bots, e.mean, np.outer([4, -1, -1, -1, -1], [4, -1, -1, -1, -1]) - 1e-7 * np.eye(5), 100
    )
    assert first_and_top(spoilt, 1).first == pytest.approx(first_and_top(e, 1).first, abs=0.01)
    assert rank_ranges(singular, 1)[0] == (1, 5)


def test_a_single_bot_is_first() -> None:
    alone = posterior(known([25], 0.0))
    assert first_and_top(alone, 1).first.tolist() == [1]
    assert (expected_tau(alone), rank_ranges(alone, 1)) == (1, [(1, 1)])
    assert letters([0], separated(alone)) == ["a"]
    assert neighbours_apart([0], separated(alone)) == 1


def test_ranks_are_exact_where_all_is_clear_and_open_where_nothing_is() -> None:
    assert rank_ranges(known([24, 30, 27], 0.01), 1) == [(3, 3), (1, 1), (2, 2)]
    assert rank_ranges(known([25.1, 25, 24.9], 1.0), 1) == [(1, 3)] * 3


def test_ranks_of_two_change_at_the_usual_point() -> None:
    assert rank_ranges(known([25 + 1.85, 25], 0.5), 1) == [(1, 2)] * 2
    assert rank_ranges(known([25 + 2.07, 25], 0.5), 1) == [(1, 1), (2, 2)]


def test_more_bots_need_clearer_differences() -> None:
    gap = [27.5, 25]  # z 2.5
    assert separated(known(gap, 0.5))[0, 1]
    many = known(gap + [25.0] * 30, 0.5)
    assert not separated(many)[0, 1]
    assert rank_ranges(many, 1)[0] == (1, 32)


@pytest.mark.parametrize("seed", range(5))
def test_holm_is_holm(seed: int) -> None:
    e = random_field(9, seed)
    gap, sd = e.differences()
    pairs = sorted(
        (math.erfc(abs(gap[i, j]) / sd[i, j] / math.sqrt(2)), i, j) for i, j in combinations(range(9), 2)
    )
    told = set()
    for left, (chance, i, j) in zip(range(len(pairs), 0, -1), pairs, strict=True):
        if chance > 0.05 / left:
            break
        told |= {(i, j), (j, i)}
    assert told and {(int(i), int(j)) for i, j in np.argwhere(separated(e))} == told


def test_where_the_clearest_pair_fails_no_other_is_told_apart() -> None:
    """Chances 0.028, 0.036 and 0.036: the last would be below 0.05."""
    opposed = np.array([[0.2268, 0, -0.186], [0, 0, 0], [-0.186, 0, 0.2268]])
    assert not separated(Estimate(random_field(3).bots, np.array([26.0, 25, 24]), opposed, 100)).any()


def apart(size: int, *pairs: tuple[int, int]) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    found = np.zeros((size, size), dtype=np.bool_)
    for i, j in pairs:
        found[i, j] = found[j, i] = True
    return found


def test_letters_are_brackets_over_the_order() -> None:
    told = apart(4, (3, 0), (3, 2), (1, 0))
    assert letters([3, 1, 2, 0], told) == ["a", "ab", "bc", "c"]
    assert letters([0, 1, 2, 3], apart(4)) == ["a"] * 4
    assert letters([0, 1], apart(2, (0, 1))) == ["a", "b"]


def test_a_pair_that_is_not_told_apart_shares_a_letter_though_others_between_are() -> None:
    assert letters([0, 1, 2], apart(3, (0, 1), (1, 2))) == ["a", "a", "a"]


def test_after_z_come_two_letters_and_ranges() -> None:
    alone = letters(range(28), ~np.eye(28, dtype=np.bool_))
    assert (alone[0], alone[25:]) == ("a", ["z", "aa", "ab"])
    neighbours = [(i, j) for i, j in combinations(range(30), 2) if j - i > 2]
    assert letters(range(30), apart(30, *neighbours))[14] == "m-o"


@given(
    st.integers(2, 9).flatmap(
        lambda n: st.tuples(st.just(n), st.sets(st.sampled_from([*combinations(range(n), 2)])))
    )
)
def test_without_a_letter_in_common_two_are_told_apart(drawn: tuple[int, set[tuple[int, int]]]) -> None:
    size, pairs = drawn
    told = apart(size, *pairs)
    names = letters(range(size), told)
    assert all(told[i, j] or set(names[i]) & set(names[j]) for i, j in combinations(range(size), 2))


def test_share_of_neighbours_told_apart() -> None:
    assert neighbours_apart([2, 0, 1], apart(3, (0, 2))) == 0.5


TWENTY = RoundRobin(20)


@pytest.mark.statistics
def test_equal_bots_are_told_apart_in_one_of_twenty_tournaments() -> None:
    gaps = np.zeros(190)
    wrong = repeated(lambda r: float(separated(estimate(TWENTY.played(gaps, 40, 0.4, r))).any()), 400)
    assert wrong.mean() <= at_most(0.05, 400)


@pytest.mark.statistics
def test_rank_ranges_hold_the_true_rank() -> None:
    strengths = even(20, 0.75)

    def held(random: np.random.RandomState) -> float:
        e = estimate(TWENTY.played(TWENTY.gaps(strengths), 50, 0.4, random))
        ranges = rank_ranges(e, 1)
        return float(np.mean([low <= rank <= high for rank, (low, high) in enumerate(ranges, 1)]))

    assert repeated(held, 200).mean() >= 0.95


@pytest.mark.statistics
@pytest.mark.parametrize(("deals", "caution"), [(5, 1.0), (30, 0.04), (60, 0.03)])
@pytest.mark.parametrize("spread", [0.3, 1.0])
def test_what_is_claimed_comes_true(spread: float, deals: int, caution: float) -> None:
    """In fields at random: the first is as often the best as is said, and so is the order; on few deals, rather."""
    said, came = np.array(
        [claimed(spread, deals, np.random.RandomState(seed)) for seed in range(400)]
    ).T.reshape(2, 2, 400)
    first, tau = (said - came).mean(axis=1)
    slack = 2.326 * (said - came).std(axis=1) / 20
    assert -caution - slack[0] <= first <= slack[0]
    assert -caution <= tau <= 0.01 + slack[1]


def claimed(spread: float, deals: int, random: np.random.RandomState) -> tuple[float, float, float, float]:
    """P(first) of the likeliest and the expected tau; whether it is the best, and the tau of the estimate."""
    strengths = random.normal(size=20) * spread
    e = estimate(TWENTY.played(TWENTY.gaps(strengths), deals, 0.4, random))
    likely = posterior(e)
    first = first_and_top(likely, 1).first
    best = float(first.argmax() == strengths.argmax())
    return float(first.max()), expected_tau(likely), best, kendall(e.mean, strengths)


def kendall(one: Array, other: Array) -> float:
    i, j = np.triu_indices(len(one), 1)
    return float(np.mean(np.sign(one[i] - one[j]) * np.sign(other[i] - other[j])))


@pytest.mark.parametrize("seed", range(8))
def test_whoever_is_told_apart_has_no_rank_in_common(seed: int) -> None:
    random = np.random.RandomState(seed)
    e = known(25 + np.sort(random.normal(size=7) * 2)[::-1], random.uniform(0.02, 0.4, 7))
    ranges, apart = rank_ranges(e, seed), separated(e)
    order = np.argsort(-e.mean)
    for place, own in enumerate(order):
        assert ranges[own][0] >= 1 + apart[own][order[:place]].sum()
        assert ranges[own][1] <= 7 - apart[own][order[place + 1 :]].sum()
