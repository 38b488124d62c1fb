"""What schedules and ratings promise of a field of 20 whose best beats the worst in 75 %: through the whole path."""

from __future__ import annotations

import math

import numpy as np
import pytest

from arena.accuracy import Outcome, outcome
from arena.config import parse
from arena.simulation import Odds, World, spread
from arena.trials import Entry, Trial, seeds, trials

pytestmark = pytest.mark.statistics
VARIANT = "claim/2p/GK-UWX"


def played(kind: str, deals: int, games: int, runs: int, bots: int = 20, luck: float = 0.3) -> list[Trial]:
    """So many contests; those of all schedules are the same ones."""
    names = [f"bot-{n:02}" for n in range(1, bots + 1)]
    data = {
        "name": "cup", "bots": names, "variants": [VARIANT], "deals": deals, "schedule": {"kind": kind},
        "stop": {"games": games},
    }  # fmt: skip
    world = World(spread(bots, 0.75), {VARIANT: Odds(luck)})
    return [trial for (trial,) in trials([Entry(kind, parse(data, "test"))], world, seeds("test", runs))]


def ends(kind: str, deals: int, games: int, runs: int, bots: int = 20, luck: float = 0.3) -> Outcome:
    return outcome(played(kind, deals, games, runs, bots, luck))


@pytest.mark.parametrize(
    ("kind", "deals", "games", "luck"),
    [
        ("round_robin", 60, 5400, 0.3),
        ("round_robin", 20, 1800, 0.3),
        ("round_robin", 40, 3600, 0.7),
        ("finals", 10, 2400, 0.3),
        ("adaptive", 10, 2400, 0.3),
    ],
)
def test_intervals_hold_the_truth_in_95_of_100(kind: str, deals: int, games: int, luck: float) -> None:
    assert 0.93 <= ends(kind, deals, games, 100, bots=10, luck=luck).end.coverage.mean <= 0.97


def test_a_round_robin_finds_the_order_within_700_games_a_bot() -> None:
    found = ends("round_robin", 1000, 20 * 700 // 2, runs=30)
    assert found.games_to_goal is not None
    assert found.end.tau.mean - 2 * (found.end.tau.error or 0) > 0.9


def test_finals_find_the_best_of_20_with_8000_games() -> None:
    assert ends("finals", 5, 8000, runs=40).end.first.mean >= 0.95


def test_an_adaptive_schedule_finds_the_order_as_well_and_the_best_more_often_than_a_round_robin() -> None:
    pairs = list(
        zip(played("adaptive", 2, 1500, 200, 8), played("round_robin", 1000, 1500, 200, 8), strict=True)
    )
    tau = np.array([one.points[-1].tau - other.points[-1].tau for one, other in pairs])
    assert tau.mean() > -2 * tau.std(ddof=1) / math.sqrt(len(tau))
    assert sum(one.points[-1].first for one, _ in pairs) > sum(other.points[-1].first for _, other in pairs)


def test_the_tau_that_a_board_claims_is_not_above_the_true_one() -> None:
    for kind, deals in (("round_robin", 1000), ("finals", 5), ("adaptive", 5)):
        end = ends(kind, deals, 1500, runs=30, bots=10).end
        assert end.claimed_tau is not None
        assert end.claimed_tau.mean < end.tau.mean + 2 * (end.tau.error or 0)
