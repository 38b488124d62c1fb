"""The heuristic bot is clearly stronger than greedy: mirrored deals, always the same ones."""

from __future__ import annotations

import re
from statistics import mean

import pytest

from referee.chance import deal_seed
from referee.games import GAMES
from tests.benchmarks.ladder import PYTHON_BOTS, Tally, load, play_block, report

CLAIM = GAMES["claim"]
SEED = "strength"
"""Not one that the bot's numbers were tuned on."""


def heuristic_against_greedy(id: str, deals: int) -> Tally:
    tally, variant = Tally(), CLAIM.variant(id)
    heuristic, greedy = load(PYTHON_BOTS / "heuristic"), load(PYTHON_BOTS / "greedy")
    for number in range(deals):
        seed = deal_seed(SEED, variant.id, number)
        play_block(CLAIM, variant, seed, heuristic, greedy, tally)
    return tally


def superiority(tally: Tally) -> float:
    """The likelihood that the ladder prints for two sides."""
    found = re.search(r"superiority ([\d.]+)", report(tally, 1 / 2))
    assert found is not None
    return float(found[1])


@pytest.mark.parametrize("id", ["claim", "claim-2"])
def test_heuristic_is_stronger_than_greedy_beyond_doubt(id: str) -> None:
    assert superiority(heuristic_against_greedy(id, 400)) > 0.99


THREE = ["claim/3p/GK-UXTDS", "claim/3p/NA-UWTDS"]
FOUR = ["claim/4p/GK-UWXTS", "claim/4p/NA-WXTDS"]


@pytest.mark.parametrize("id", THREE + FOUR)
def test_heuristic_takes_more_than_its_share_from_two_greedy_or_a_pair(id: str) -> None:
    assert mean(heuristic_against_greedy(id, 30).blocks) > 0  # the third or half of equals is taken off
