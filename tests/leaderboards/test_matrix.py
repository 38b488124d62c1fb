"""Who beats whom, and whether strengths explain it: published values, honest chance, few false alarms."""

import math
from dataclasses import replace
from decimal import Decimal, localcontext

import numpy as np
import pytest

from leaderboards.estimates import estimate
from leaderboards.games import Cell, Games, of_sides
from leaderboards.matrix import Fitting, Matrix, chi2_tail, lack_of_fit, matrix
from leaderboards.normal import cdf
from leaderboards.places import BETA, draw_margin
from leaderboards.selection import Side
from tests.leaderboards.leaderboard_results import bot, drawn, won
from tests.leaderboards.simulated import UNIT, RoundRobin, at_most, even, repeated


def scored(wins: dict[tuple[str, str], int]) -> Games:
    return of_sides(won(*names) for names, count in wins.items() for _ in range(count))


THREE = {("a", "b"): 30, ("b", "a"): 20, ("a", "c"): 35, ("c", "a"): 15, ("b", "c"): 25, ("c", "b"): 25}
CYCLE = {("a", "b"): 35, ("b", "a"): 15, ("b", "c"): 35, ("c", "b"): 15, ("c", "a"): 35, ("a", "c"): 15}


def test_the_published_misfit() -> None:
    found = lack_of_fit(matrix(scored(THREE), np.array([26.508352, 24.500178, 23.991470]), 0.0))
    assert found.chi2 == pytest.approx(0.747076, abs=1e-5)
    assert (found.dof, found.dispersion, found.fires) == (1, 1, False)
    assert found.p == pytest.approx(0.387403, abs=1e-5)


def test_the_published_cycle_fires() -> None:
    found = lack_of_fit(matrix(scored(CYCLE), np.full(3, 25.0), 0.0))
    assert found.chi2 == pytest.approx(24)
    assert found.p == pytest.approx(9.63e-7, rel=1e-3)
    assert found.fires


def test_wins_and_games_of_each_pair() -> None:
    found = matrix(scored(THREE), np.full(3, 25.0), 0.0)
    assert found.bots == (bot("a"), bot("b"), bot("c"))
    assert found.wins.tolist() == [[0, 30, 35], [20, 0, 25], [15, 25, 0]]
    assert found.games.tolist() == [[0, 50, 50], [50, 0, 50], [50, 50, 0]]
    assert found.z == pytest.approx(-found.z.T)
    assert found.z[0, 1] == pytest.approx(5 / math.sqrt(12.5))


def test_a_tie_is_half_a_win() -> None:
    found = matrix(of_sides([drawn("a", "b"), won("a", "b")]), np.full(2, 25.0), 1.0)
    assert found.wins.tolist() == [[0, 1.5], [0.5, 0]]


def test_every_two_sides_of_a_game_meet() -> None:
    found = matrix(of_sides([won("c", "a", "b"), won("a", "b", "c")]), np.full(3, 25.0), 0.0)
    assert found.wins.tolist() == [[0, 2, 1], [0, 0, 1], [1, 1, 0]]


def pairs(*sides: str) -> Cell:
    return tuple(Side(rank, tuple(map(bot, side))) for rank, side in enumerate(sides))


def test_members_of_a_side_meet_those_of_the_other() -> None:
    mean = np.array([26.0, 25, 24, 25])
    found = matrix(of_sides([pairs("ab", "cd"), pairs("ac", "bd"), pairs("bc", "ad")]), mean, 0.0)
    assert found.games.tolist() == [[0, 2, 2, 2], [2, 0, 2, 2], [2, 2, 0, 2], [2, 2, 2, 0]]
    assert found.wins.tolist() == [[0, 1, 1, 2], [1, 0, 1, 2], [1, 1, 0, 2], [0, 0, 0, 0]]
    # a meets d in ab against cd, 2 ahead, and in ac against bd, level.
    assert found.expected[0, 3] == pytest.approx((cdf(2 / (2 * BETA)) + 0.5) / 2)
    assert lack_of_fit(found) == Fitting(0.0, 0, 1.0, found.dispersion, ())


def test_what_is_expected_where_ties_are_half_a_win_and_nobody_has_met() -> None:
    mean, margin = np.array([26.0, 25.0, 22.0]), draw_margin(0.2, 2)
    found = matrix(of_sides([won("a", "b"), won("b", "c")]), mean, margin).expected
    for i, j, gap in ((0, 1, 1.0), (1, 2, 3.0), (0, 2, 4.0)):
        assert found[i, j] == pytest.approx((cdf((gap - margin) / UNIT) + cdf((gap + margin) / UNIT)) / 2)
    assert found + found.T == pytest.approx(np.ones((3, 3)))


def split(deals: int) -> Matrix:
    """Three bots that win one game of each deal and lose the other."""
    robin = RoundRobin(3)
    return matrix(
        robin.played(robin.gaps(np.zeros(3)), deals, 1.0, np.random.RandomState(1)), np.full(3, 25.0), 0.0
    )


def test_scores_that_hardly_scatter_leave_little_to_chance() -> None:
    found = split(40)
    assert found.dispersion == 0.01  # as little as is ever believed
    assert found.wins[0, 1] == 40
    assert lack_of_fit(found).p == 1


def test_dispersion_is_the_variance_of_blocks_in_parts_of_that_of_games() -> None:
    robin = RoundRobin(6)
    games = robin.played(robin.gaps(np.zeros(6)), 2000, 0.8, np.random.RandomState(1))
    # The two games of a deal are normal with correlation −0.8, so their signs have −2/pi arcsin 0.8.
    expected = 1 - 2 / math.pi * math.asin(0.8)
    assert matrix(games, np.full(6, 25.0), 0.0).dispersion == pytest.approx(expected, rel=0.05)


def test_single_games_are_as_they_are_and_few_blocks_say_nothing() -> None:
    single = matrix(scored(CYCLE), np.full(3, 25.0), 0.0)
    assert (single.dispersion, single.freedom) == (1, math.inf)
    assert (split(10).dispersion, split(10).freedom) == (1, math.inf)


@pytest.mark.parametrize(("chi2", "freedom"), [(10.36, 40.0), (10.36, 200.0), (6.0, 30.0)])
def test_a_dispersion_from_few_blocks_makes_less_sure(chi2: float, freedom: float) -> None:
    games = scored(CYCLE | {(a.upper(), b.upper()): n for (a, b), n in CYCLE.items()})
    found = matrix(games, np.full(6, 25.0), 0.0)
    scaled = replace(found, z=found.z * math.sqrt(chi2 / 48), freedom=freedom)
    # F with 2 degrees of freedom above has this tail.
    assert lack_of_fit(scaled).p == pytest.approx((1 + chi2 / freedom) ** (-freedom / 2), rel=0.02)


def test_one_upset_is_no_misfit() -> None:
    games = scored({("a", "b"): 20, ("b", "a"): 1})
    found = matrix(games, np.array([45.0, 5.0]), 0.0)
    assert 1 < abs(found.z[0, 1]) < 2
    assert lack_of_fit(found).dof == 0


def test_groups_that_never_met_have_a_level_each() -> None:
    games = scored(CYCLE | {(a.upper(), b.upper()): n for (a, b), n in CYCLE.items()})
    found = lack_of_fit(matrix(games, np.full(6, 25.0), 0.0))
    assert found.dof == 2
    assert found.chi2 == pytest.approx(48)


def test_surprises_say_who_did_better_than_expected() -> None:
    games = scored(
        {("a", "b"): 10, ("b", "a"): 30, ("b", "c"): 22, ("c", "b"): 18, ("a", "c"): 20, ("c", "a"): 20}
    )
    first, second, *_ = lack_of_fit(matrix(games, np.array([26.0, 25, 25]), 0.0)).surprises
    expected = float(cdf(-1 / UNIT))
    assert first[:2] == (bot("b"), bot("a"))
    assert first.share == 0.75 and first.expected == pytest.approx(expected)
    assert first.z == pytest.approx((30 - 40 * expected) / math.sqrt(40 * expected * (1 - expected)))
    assert first.z > second.z > 0


def test_as_many_surprises_as_asked_for() -> None:
    found = matrix(scored(THREE), np.array([26.0, 24.5, 24]), 0.0)
    assert len(lack_of_fit(found, 2).surprises) == 2


@pytest.mark.parametrize("dof", [1, 2, 3, 10, 171, 4949, 19_999, 20_000])
@pytest.mark.parametrize("at", [0.9, 1.0, 1.05, 1.5])
def test_the_tail_of_chi_square_is_right_to_nine_digits(dof: int, at: float) -> None:
    x = dof * at
    assert chi2_tail(x, dof) == pytest.approx(float(exact_tail(Decimal(x), dof)), rel=1e-9)


def exact_tail(x: Decimal, dof: int) -> Decimal:
    """The same sum in 60 digits; of an odd number, erfc by its Taylor series."""
    with localcontext(prec=60) as context:
        context.Emin, half = -999_999, x / 2
        pi = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")
        if dof % 2 == 0:
            term = total = (-half).exp()
        elif half > 100:  # erfc is below 1e-40 of what follows
            term = 2 * (half / pi).sqrt() * (-half).exp()
            total = term if dof > 1 else Decimal(0)
        else:
            term = 2 * (half / pi).sqrt() * (-half).exp()
            below, part, k = Decimal(0), term, 1
            while part > Decimal("1e-55"):
                below, part, k = below + part, part * half / (k + Decimal("0.5")), k + 1
            total = 1 - below + (term if dof > 1 else 0)
        for k in range(1, (dof - 1) // 2 if dof % 2 else dof // 2):
            term *= half / (k + (Decimal("0.5") if dof % 2 else 0))
            total += term
        return total


def test_the_tail_ends_at_one_and_at_nothing() -> None:
    assert chi2_tail(0.0, 5) == 1
    assert chi2_tail(1e5, 3) == 0


TWENTY = RoundRobin(20)


def chance(robin: RoundRobin, gaps: np.ndarray, deals: int, random: np.random.RandomState) -> float:
    games = robin.played(gaps, deals, 0.4, random)
    return lack_of_fit(matrix(games, estimate(games).mean, draw_margin(0.001, 2))).p


@pytest.mark.statistics
@pytest.mark.parametrize(
    ("mirrored", "best", "deals"),
    [(True, 0.75, 50), (True, 0.75, 3), (True, 0.99, 10), (False, 0.75, 20), (False, 0.99, 20)],
)
def test_a_true_order_seldom_fires(mirrored: bool, best: float, deals: int) -> None:
    robin = RoundRobin(20, mirrored=mirrored)
    gaps = robin.gaps(even(20, best))
    found = repeated(lambda random: chance(robin, gaps, deals, random), 200)
    assert (found < 0.05).mean() <= at_most(0.05, 200)
    assert (found < 0.01).mean() <= at_most(0.01, 200)


@pytest.mark.statistics
def test_circles_are_found() -> None:
    """Every pair off by 10 % in a circle, 100 games each."""
    upset = np.where((TWENTY.second - TWENTY.first) % 2 == 1, 0.1, -0.1)
    shares = cdf(TWENTY.gaps(even(20, 0.75))) + upset
    grid = np.linspace(-3, 3, 60_001)
    gaps = np.interp(shares, cdf(grid), grid)
    assert (repeated(lambda random: chance(TWENTY, gaps, 50, random), 100) < 0.01).mean() > 0.95
