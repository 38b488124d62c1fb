"""The equilibrium of who beats whom: published values, copies, and how noisy it is."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboards.games import Array, Games, of_sides
from leaderboards.nash import SUPPORT, averaging, nash
from tests.leaderboards.leaderboard_results import won
from tests.leaderboards.simulated import RoundRobin, even

ROCK_PAPER_SCISSORS = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])
SHARES = np.array([[0.5, 0.6, 0.45], [0.4, 0.5, 0.7], [0.55, 0.3, 0.5]])
LOPSIDED = SHARES - 0.5


@pytest.mark.parametrize(
    ("payoff", "parts"),
    [
        (ROCK_PAPER_SCISSORS, [1 / 3] * 3),
        (ROCK_PAPER_SCISSORS[np.ix_([0, 0, 1, 2], [0, 0, 1, 2])], [1 / 6, 1 / 6, 1 / 3, 1 / 3]),
        (LOPSIDED, [0.5714, 0.1429, 0.2857]),
        (np.log(SHARES / SHARES.T), [0.5830, 0.1381, 0.2790]),
        (np.array([[0.0, -1, -1], [1, 0, -1], [1, 1, 0]]), [0, 0, 1]),
        (np.zeros((4, 4)), [0.25] * 4),
        (np.zeros((1, 1)), [1]),
    ],
)  # fmt: skip
def test_published_equilibria(payoff: Array, parts: list[float]) -> None:
    assert nash(payoff) == pytest.approx(parts, abs=1e-4)


def test_of_many_equilibria_the_one_of_greatest_entropy() -> None:
    """A bot that draws with all others may have any part of it; the others keep theirs among themselves."""
    payoff = np.zeros((4, 4))
    payoff[1:, 1:] = LOPSIDED
    rest = np.array([4, 1, 2]) / 7
    alone = 1 / (1 + math.exp(-(rest @ np.log(rest))))
    assert nash(payoff) == pytest.approx([alone, *((1 - alone) * rest)], abs=1e-4)


def test_circles_that_draw_with_each_other_share() -> None:
    payoff = np.zeros((6, 6))
    payoff[:3, :3], payoff[3:, 3:] = ROCK_PAPER_SCISSORS, 9 * ROCK_PAPER_SCISSORS
    assert nash(payoff) == pytest.approx([1 / 6] * 6, abs=1e-4)


@given(st.integers(2, 12), st.integers(1, 3), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_nothing_beats_an_equilibrium(size: int, most: int, seed: int) -> None:
    """Whole payoffs, which have ties and many equilibria."""
    above = np.triu(np.random.RandomState(seed).randint(-most, most + 1, (size, size)), 1)
    payoff = (above - above.T).astype(np.float64)
    parts = nash(payoff)
    assert (payoff @ parts).max() <= 1e-5 * most
    assert (parts >= 0).all() and parts.sum() == pytest.approx(1)


def test_fifty_bots_where_noise_hides_the_order() -> None:
    above = np.triu(np.random.RandomState(1).normal(size=(50, 50)), 1)
    strengths = np.linspace(0, 1, 50)
    payoff = above - above.T + strengths[:, None] - strengths
    assert (payoff @ nash(payoff)).max() < 1e-5


def circle(deals: int) -> Games:
    """a beats b beats c beats a in seven games of ten; each deal has ten games of each pair."""
    once = ([won("a", "b"), won("b", "c"), won("c", "a")] * 7) + (
        [won("b", "a"), won("c", "b"), won("a", "c")] * 3
    )
    games = of_sides(once * deals)
    number = np.repeat(np.arange(deals), len(once))
    return Games(games.bots, games.cells, games.cell, number, number)


def test_bots_in_a_circle_matter_alike() -> None:
    found = averaging(circle(5), 1)
    assert found.weight == pytest.approx([1 / 3] * 3, abs=1e-4)
    assert found.included.tolist() == [1, 1, 1]


def test_half_a_win_is_added_to_each() -> None:
    games = of_sides([won("a", "b")] * 3 + [won("b", "c")] * 3 + [won("c", "a")] * 1)
    x, y, z = math.log(3.5 / 0.5), math.log(3.5 / 0.5), math.log(1.5 / 0.5)  # a over b, b over c, c over a
    assert averaging(games, 1, 1).weight == pytest.approx(np.array([y, z, x]) / (x + y + z), abs=1e-4)


def test_what_hangs_on_the_deals_is_seen() -> None:
    """Of two bots one wins 6 deals of 10: drawn anew, the other is ahead or level now and then."""
    games = of_sides([won("a", "b")] * 6 + [won("b", "a")] * 4)
    found = averaging(games, 1)
    assert found.weight == pytest.approx([1, 0], abs=1e-4)
    assert found.included[0] > 0.75 > 0.5 > found.included[1] > 0.25  # 0.83 and 0.37 by the binomial law


def test_the_same_seed_draws_the_same_deals() -> None:
    games = RoundRobin(6).played(np.zeros(15), 5, 0.4, np.random.RandomState(1))
    one, again, other = averaging(games, 1, 20), averaging(games, 1, 20), averaging(games, 2, 20)
    assert (one.included == again.included).all() and (one.included != other.included).any()


@pytest.mark.statistics
def test_without_circles_it_is_noise() -> None:
    """Why it is shown only where strengths fail: the best of a true order is often left out, for a few others."""
    robin = RoundRobin(20)
    gaps = robin.gaps(even(20, 0.75))
    weights = np.array(
        [
            averaging(robin.played(gaps, 50, 0.0, np.random.RandomState(seed)), seed, 1).weight
            for seed in range(200)
        ]
    )
    within = weights > SUPPORT
    assert 0.2 < 1 - within[:, 0].mean() < 0.45
    assert 1.5 < within.sum(axis=1).mean() < 3.5
