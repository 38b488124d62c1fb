"""The bots that think are clearly stronger than those that don't: mirrored deals, always the same ones.

That each wins more than half, in fewer games: test_python_bots.py.
"""

from __future__ import annotations

import re
from statistics import mean

import pytest

from referee.chance import deal_seed
from referee.games import game_of
from tests.benchmarks.ladder import PYTHON_BOTS, Tally, load, play_block, report

SEED = "strength"
"""Not one that the bot's numbers were tuned on."""


def against(first: str, second: str, id: str, deals: int) -> Tally:
    tally, game = Tally(), game_of(id)
    variant = game.variant(id)
    one, other = load(PYTHON_BOTS / first), load(PYTHON_BOTS / second)
    for number in range(deals):
        play_block(game, variant, deal_seed(SEED, variant.id, number), one, other, tally)
    return tally


def superiority(tally: Tally) -> float:
    """The likelihood that the ladder prints for two sides."""
    found = re.search(r"superiority ([\d.]+)", report(tally, 1 / 2))
    assert found is not None
    return float(found[1])


@pytest.mark.long
@pytest.mark.parametrize("id", ["claim", "claim-2"])
def test_heuristic_is_stronger_than_greedy_beyond_doubt(id: str) -> None:
    assert superiority(against("heuristic", "greedy", id, 100)) > 0.99  # of 400: bots/README.md


THREE = ["claim/3p/GK-UXTDS", "claim/3p/NA-UWTDS"]
FOUR = ["claim/4p/GK-UWXTS", "claim/4p/NA-WXTDS"]


@pytest.mark.long
@pytest.mark.parametrize("id", THREE + FOUR)
def test_heuristic_takes_more_than_its_share_from_two_greedy_or_a_pair(id: str) -> None:
    assert mean(against("heuristic", "greedy", id, 20).blocks) > 0  # the third or half of equals is taken off


ARISTOOCRAZY = ["aristoocrazy", "aristoocrazy-quick"]


@pytest.mark.long
@pytest.mark.parametrize("id", ARISTOOCRAZY)
def test_grow_and_fight_takes_nearly_every_block_from_random(id: str) -> None:
    blocks = against("grow-and-fight", "random", id, 40).blocks
    assert mean((block > 0) + (block == 0) / 2 for block in blocks) >= 0.95


@pytest.mark.long
@pytest.mark.parametrize("id", ARISTOOCRAZY)
def test_grow_and_fight_is_stronger_than_greedy_beyond_doubt(id: str) -> None:
    assert superiority(against("grow-and-fight", "greedy", id, 20)) > 0.99


@pytest.mark.parametrize("id", ARISTOOCRAZY)
def test_greedy_is_stronger_than_random_beyond_doubt(id: str) -> None:
    assert superiority(against("greedy", "random", id, 100)) > 0.99


@pytest.mark.parametrize(
    "id", ["aristoocrazy/3p/classic", pytest.param("aristoocrazy/4p/quick2013", marks=pytest.mark.long)]
)
def test_grow_and_fight_takes_more_than_half_of_the_first_places_from_several_random(id: str) -> None:
    fair = 1 / game_of(id).variant(id).players
    assert fair + mean(against("grow-and-fight", "random", id, 4).blocks) > 0.5
