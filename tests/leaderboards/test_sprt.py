"""The sequential test: published values, what it may never do, and how often it is wrong."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from leaderboards.sprt import Sprt, below, elo, llr, score, score_of

Counts = NDArray[np.int64]
RUNS = 3_000


@pytest.mark.parametrize(
    ("counts", "s0", "s1", "exact"),
    [
        ([10789, 19328, 33806, 19402, 10543], score_of(-3), score_of(1), 2.131068),
        ([39, 2226, 31451, 2412, 40], score_of(0.2), score_of(0.9), 2.162543),
        ([1187, 7410, 13475, 7378, 1164], score_of(-3), score_of(1), 2.861527),
        ([13, 37, 50, 25, 3], score_of(0), score_of(5), -1.012680),
        ([110, 718, 172], 0.5, 0.55, 4.293976),
        ([10, 70, 20], 0.5, 0.55, 1.698990),
        ([0, 0, 20], 0.5, 0.6, 3.646390),
        ([5, 0, 0], 0.5, 0.6, -1.115759),
    ],
)
def test_known_ratios(counts: list[int], s0: float, s1: float, exact: float) -> None:
    """As fishtest's statistics of pairs have them."""
    assert llr(counts, s0, s1) == pytest.approx(exact, abs=1e-6)


def test_known_scores() -> None:
    found = score([13, 37, 50, 25, 3])
    assert found is not None and found.los == pytest.approx(0.0019841, abs=1e-6), "t's density, summed up"
    assert elo(found.mean) == pytest.approx(-43.6578, abs=1e-4)
    pairs = score([110, 718, 172])
    assert pairs is not None and pairs.mean == pytest.approx(0.531)
    assert pairs.interval == pytest.approx((0.51466, 0.54734), abs=1e-4), "of a normal error"


def test_few_rounds_are_taken_for_few() -> None:
    """Mean 0.8 of 20, sum of squares 2.2; Student's t with 19 degrees of freedom has its 97.5 % point at 2.093."""
    found = score([2, 4, 14])
    error = math.sqrt(2.2 / 19 / 20)
    assert found is not None and found.error == pytest.approx(error)
    assert found.interval == pytest.approx((0.8 - 2.093 * error, 0.8 + 2.093 * error), abs=1e-4)
    assert found.los == pytest.approx(below(0.3 / error, 19))
    few = score([1, 1, 1])
    assert few is not None and (few.rounds, few.interval, few.los) == (3, None, None)


@pytest.mark.parametrize(
    ("freedom", "point", "share"),
    [(1, 12.706, 0.975), (2, 4.303, 0.975), (3, 2.353, 0.95), (4, 2.776, 0.975), (5, 3.365, 0.99), (10, 1.812, 0.95),
     (31, 2.040, 0.975), (100_000, 1.645, 0.95)],
)  # fmt: skip
def test_known_points_of_students_t(freedom: int, point: float, share: float) -> None:
    assert below(point, freedom) == pytest.approx(share, abs=1e-4)
    assert below(-point, freedom) == pytest.approx(1 - share, abs=1e-4)
    assert below(0, freedom) == 0.5


@pytest.mark.parametrize("rounds", [8, 15])
def test_an_interval_of_few_rounds_holds(rounds: int) -> None:
    """Mirrored deals of two equal bots, their number fixed beforehand; 0.86 and 0.93 where errors pass for normal."""
    drawn = np.random.RandomState(3).multinomial(rounds, [0.25, 0.5, 0.25], size=2_000)
    found = [one.interval for one in map(score, drawn) if one is not None and one.interval is not None]
    assert sum(low <= 0.5 <= high for low, high in found) / len(found) > 0.935


def test_even_is_no_lead_to_either_side() -> None:
    assert math.copysign(1, elo(0.5) or 0.0) == 1


def test_a_score_of_rounds_that_do_not_differ_has_no_interval() -> None:
    alike = score([0, 0, 20])
    assert alike is not None and (alike.mean, alike.interval, alike.los) == (1, None, None)
    assert score([0, 0, 0]) is None


def test_bounds_are_those_of_wald() -> None:
    assert (Sprt().lower, Sprt().upper) == pytest.approx((-2.944439, 2.944439), abs=1e-6)
    uneven = Sprt(alpha=0.01, beta=0.2)
    assert (uneven.lower, uneven.upper) == pytest.approx((math.log(0.2 / 0.99), math.log(0.8 / 0.01)))
    assert [Sprt().better(ratio) for ratio in (-3, 0, 3)] == [False, None, True]


def test_a_test_counts_a_round_ahead_that_is_spread_over_all_scores() -> None:
    assert Sprt().ratio([4, 0, 31]) == pytest.approx(float(llr([4 + 1 / 3, 1 / 3, 31 + 1 / 3], 0.5, 0.55)))


@pytest.mark.parametrize("place", [0, 2])
def test_no_decision_comes_before_it_can(place: int) -> None:
    test = Sprt()
    fewest = next(n for n in range(200) if test.better(float(test.ratio(np.eye(3)[place] * n))) is not None)
    assert test.rounds_left(0) <= fewest <= test.rounds_left(0) + 5
    assert test.rounds_left(test.upper) == 0 == test.rounds_left(test.lower)


@given(
    st.lists(st.integers(0, 5_000), min_size=3, max_size=65),
    st.floats(0.05, 0.9),
    st.floats(0.001, 0.09),
)
def test_the_other_side_sees_the_mirrored_ratio(counts: list[int], s0: float, step: float) -> None:
    s1 = s0 + step
    ratio = float(llr(counts, s0, s1))
    assert ratio == pytest.approx(-float(llr(counts[::-1], 1 - s1, 1 - s0)), rel=1e-6, abs=1e-6)
    assert abs(ratio) <= (sum(counts) + 1) * max(math.log(s1 / s0), math.log((1 - s0) / (1 - s1)))


@given(st.lists(st.integers(0, 99), min_size=5, max_size=5))
def test_many_tests_at_once_are_the_same_as_each(counts: list[int]) -> None:
    both = llr([counts, counts[::-1]], 0.5, 0.55)
    each = [float(llr(one, 0.5, 0.55)) for one in (counts, counts[::-1])]
    assert both == pytest.approx(each, abs=1e-9)


# how often it is wrong when somebody looks after every round

Rounds = Callable[[np.random.RandomState, int], Counts]
"""So many rounds, each as the place of its score on the lattice."""


def lattice(chances: NDArray[np.float64]) -> Rounds:
    return lambda random, runs: random.choice(len(chances), runs, p=chances)


def pairs(share: float, correlation: float = 0.0, draws: float = 0.0) -> Rounds:
    """Two games of a deal, seats swapped: those that are not drawn are won with `share`."""
    common = correlation * share * (1 - share)
    lost, won = (1 - share) ** 2 + common, share**2 + common
    none = np.array([lost, 0, 1 - lost - won, 0, won])
    one, both = np.array([0, 1 - share, 0, share, 0]), np.eye(5)[2]
    return lattice((1 - draws) ** 2 * none + 2 * draws * (1 - draws) * one + draws**2 * both)


def strata(shares: Sequence[float]) -> Rounds:
    """A fresh pair in each of several variants."""
    return lambda random, runs: np.sum([random.binomial(2, share, runs) for share in shares], axis=0)


UNEQUAL = (0.2, 0.3, 0.4, 0.45, 0.55, 0.6, 0.7, 0.8)
FIELDS: dict[str, tuple[Callable[[float], Rounds], int, int]] = {
    "fresh deals": (lambda share: pairs(share), 5, 2),
    "mirrored deals": (lambda share: pairs(share, -0.44), 5, 2),
    "many draws": (lambda share: pairs(0.5 + (share - 0.5) / 0.3, draws=0.7), 5, 2),
    "eight unequal variants": (lambda share: strata([s + share - 0.5 for s in UNEQUAL]), 17, 16),
}
"""Rounds of a true score, the places of the lattice, and the games of a round."""


def decided(rounds: Rounds, places: int, limit: int = 6_000) -> tuple[NDArray[np.bool_], Counts]:
    """Which of RUNS tests say "better", and after how many rounds each ends."""
    random, test = np.random.RandomState(7), Sprt()
    counts, alive = np.zeros((RUNS, places), np.int64), np.arange(RUNS)
    better, length = np.zeros(RUNS, bool), np.full(RUNS, limit)
    for played in range(1, limit + 1):
        counts[np.arange(len(alive)), rounds(random, len(alive))] += 1
        ratios = test.ratio(counts)
        over = (ratios >= test.upper) | (ratios <= test.lower)
        better[alive[ratios >= test.upper]] = True
        length[alive[over]] = played
        counts, alive = counts[~over], alive[~over]
        if not len(alive):
            break
    return better, length


def most_by_chance(chance: float, level: float = 0.01) -> int:
    """The most of RUNS that happen where each does with `chance`, in all but `level` of the cases."""
    terms = [math.lgamma(RUNS + 1) - math.lgamma(k + 1) - math.lgamma(RUNS - k + 1)
             + k * math.log(chance) + (RUNS - k) * math.log(1 - chance) for k in range(RUNS + 1)]  # fmt: skip
    return int(np.searchsorted(np.cumsum(np.exp(terms)), 1 - level))


@pytest.mark.statistics
@pytest.mark.parametrize("name", FIELDS)
def test_false_alarms_stay_below_alpha_however_often_one_looks(name: str) -> None:
    make, places, games = FIELDS[name]
    alarms, rounds = decided(make(0.5), places)
    found, other = decided(make(0.55), places)
    fixed = fixed_size(make(0.5), places)
    print(
        f"{name}: {alarms.mean():.3f} false alarms, {1 - found.mean():.3f} missed, games {rounds.mean() * games:.0f} "
        f"and {other.mean() * games:.0f}; {fixed * games:.0f} in a test of fixed size"
    )
    assert alarms.sum() <= most_by_chance(Sprt().alpha)
    assert (~found).sum() <= most_by_chance(Sprt().beta)
    assert max(rounds.mean(), other.mean()) < fixed


def fixed_size(rounds: Rounds, places: int) -> float:
    """Rounds of a test of the same errors that is looked at once."""
    scores = rounds(np.random.RandomState(1), 100_000) / (places - 1)
    return float(scores.var() * (2 * 1.644854 / (Sprt().s1 - Sprt().s0)) ** 2)
