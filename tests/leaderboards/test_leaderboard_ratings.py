"""Ratings against published values, against the package, and in the cases that break others."""

import math
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboards import normal, ratings
from leaderboards.games import Array, Cell, Games, of_sides
from leaderboards.online import environment
from leaderboards.places import MU, SIGMA, Shape, draw_margin, posterior
from leaderboards.ratings import Rating, fit, propagate
from leaderboards.selection import Side
from tests.leaderboards.leaderboard_results import bot, drawn, won

New = (MU, SIGMA)
Normals = Sequence[Sequence[tuple[float, float]]]


def rated(
    sides: Normals, ranks: Sequence[int], p: float = 0.1, tau: float = SIGMA / 100
) -> list[tuple[float, float]]:
    """One game with the package's usual drift, which the published cases have."""
    shape = Shape(tuple(map(len, sides)), tuple(ranks))
    before = np.array([[(mu, sigma**2 + tau**2) for side in sides for mu, sigma in side]])
    mean, variance = posterior(shape, p, before[:, :, 0], before[:, :, 1])
    return list(zip(mean[0].tolist(), np.sqrt(variance[0]).tolist(), strict=True))


def counted(cells: Mapping[Cell, int]) -> Games:
    """So many games of each cell."""
    known = [cell for cell in sorted(cells) if cells[cell]]
    bots = tuple(sorted({bot for cell in known for side in cell for bot in side.bots}))
    each = np.arange(sum(cells.values()))
    return Games(bots, tuple(known), np.repeat(np.arange(len(known)), [cells[c] for c in known]), each, each)


PUBLISHED: list[tuple[str, Normals, tuple[int, ...], list[tuple[float, float]]]] = [
    ("1v1 win", [[New], [New]], (0, 1), [(29.395831693, 7.171475807), (20.604168307, 7.171475807)]),
    ("1v1 draw", [[New], [New]], (0, 0), [(25, 6.457515683)] * 2),
    (
        "uneven draw",
        [[New], [(50, 12.5)]],
        (0, 0),
        [(31.662302, 7.137446), (35.010653, 7.910077)],
    ),
    ("2v2 win", [[New] * 2] * 2, (0, 1), [(28.108322, 7.774363)] * 2 + [(21.891678, 7.774363)] * 2),
    ("2v2 draw", [[New] * 2] * 2, (0, 0), [(25, 7.454894)] * 4),
    (
        "2v2 of four strengths, draw",
        [[(15, 8), (20, 6)], [(25, 4), (30, 3)]],
        (0, 0),
        [(21.570277, 6.555892), (23.696093, 5.417811), (23.356896, 3.833), (29.075442, 2.930968)],
    ),
    (
        "2v2 upset",
        [[(20, 8), (25, 6)], [(35, 7), (40, 5)]],
        (0, 1),
        [(29.697834, 7.008085), (30.455492, 5.594077), (27.574849, 6.346334), (36.211142, 4.767974)],
    ),
    ("4v4 win", [[New] * 4] * 2, (0, 1), [(27.197916, 8.058912)] * 4 + [(22.802084, 8.058912)] * 4),
    ("1v2 win", [[New], [New] * 2], (0, 1), [(33.730671, 7.317365)] + [(16.269329, 7.317365)] * 2),
    ("1v2 draw", [[New], [New] * 2], (0, 0), [(31.659789, 7.137934)] + [(18.340211, 7.137934)] * 2),
    (
        "1v2 of three strengths",
        [[(40, 6)], [(20, 7), (25, 8)]],
        (0, 1),
        [(42.743714, 5.601852), (16.265691, 6.359026), (20.122698, 7.027683)],
    ),
    ("1v3 win", [[New], [New] * 3], (0, 1), [(36.337491, 7.527575)] + [(13.662509, 7.527575)] * 3),
    ("1v3 draw", [[New], [New] * 3], (0, 0), [(34.989694, 7.45489)] + [(15.010306, 7.45489)] * 3),
    ("1v7 win", [[New], [New] * 7], (0, 1), [(40.582589, 7.917421)] + [(9.417411, 7.917421)] * 7),
    (
        "FFA3",
        [[New]] * 3,
        (0, 1, 2),
        [(31.675351912, 6.655985808), (25, 6.207896944), (18.324648088, 6.655985808)],
    ),
    (
        "FFA4",
        [[New]] * 4,
        (0, 1, 2, 3),
        [
            (33.206680895, 6.348109386),
            (27.401455157, 5.787162810),
            (22.598544843, 5.787162810),
            (16.793319105, 6.348109386),
        ],
    ),
]


@pytest.mark.parametrize(
    ("sides", "ranks", "expected"), [c[1:] for c in PUBLISHED], ids=[c[0] for c in PUBLISHED]
)
def test_published_single_games(
    sides: Normals, ranks: tuple[int, ...], expected: list[tuple[float, float]]
) -> None:
    for found, right in zip(rated(sides, ranks), expected, strict=True):
        assert found == pytest.approx(right, abs=2e-6)


def test_microsofts_free_for_all_of_eight() -> None:
    found = rated([[New]] * 8, range(8))
    assert [mu for mu, _ in found] == pytest.approx(
        [36.771, 32.242, 29.074, 26.322, 23.678, 20.926, 17.758, 13.229], abs=1e-3
    )
    assert [sigma for _, sigma in found[:4]] == pytest.approx([5.749, 5.133, 4.943, 4.874], abs=1e-3)


def test_free_for_all_of_eight_turned_upside_down() -> None:
    sides = [[(10, 8)], [(15, 7)], [(20, 6)], [(25, 5)], [(30, 4)], [(35, 3)], [(40, 2)], [(45, 1)]]
    mus = [35.135, 32.585, 31.329, 30.984, 31.751, 34.051, 38.263, 44.118]
    sigmas = [4.506, 4.037, 3.756, 3.453, 3.064, 2.541, 1.849, 0.983]
    found = rated(sides, range(8))
    assert [mu for mu, _ in found] == pytest.approx(mus, abs=1e-3)
    assert [sigma for _, sigma in found] == pytest.approx(sigmas, abs=1e-3)


def test_three_tied_players_come_out_the_same_wherever_they_are_listed() -> None:
    found = rated([[New]] * 3, (0, 0, 0))
    mean_variance = (2 * 5.698668239**2 + 5.695252858**2) / 3  # of the package's three places in its list
    for mu, sigma in found:
        assert (mu, sigma) == pytest.approx((25, math.sqrt(mean_variance)), abs=1e-6)


def test_an_upset_beyond_what_floats_can_weigh() -> None:
    winner, loser = rated([[(-323.263, 2.965)], [(-48.441, 2.190)]], (0, 1))
    assert winner == pytest.approx((-273.092, 2.683), abs=0.04)  # Microsoft's calculator
    assert loser == pytest.approx((-75.830, 2.080), abs=0.04)
    gap = 274.822 + draw_margin(0.1, 2)  # far out v is gap + 1/gap, in units of c
    c2 = 2 * ratings.BETA**2 + 2.965**2 + 2.190**2 + 2 * (SIGMA / 100) ** 2
    assert winner[0] == pytest.approx(
        -323.263 + (2.965**2 + (SIGMA / 100) ** 2) * (gap / c2 + 1 / gap), abs=1e-3
    )


@pytest.mark.parametrize("ranks", [(0, 1, 2), (0, 0, 1), (0, 1, 1)])
@pytest.mark.parametrize("far", [700.0, -700.0])
def test_a_free_for_all_of_players_far_apart_is_rated(ranks: tuple[int, ...], far: float) -> None:
    found = rated([[(far, 1.0)], [(0.0, 1.0)], [(-far, 1.0)]], ranks)
    assert all(0 < sigma <= 1.01 for _, sigma in found)
    assert found[0][0] - found[2][0] <= max(2 * far, 0) + 1e-6 if far > 0 else found[0][0] > far


@pytest.mark.parametrize(("p", "margin"), [(0.10, 0.740466587), (0.25, 1.877600458), (0.33, 2.511101218)])
def test_published_draw_margins(p: float, margin: float) -> None:
    assert draw_margin(p, 2) == pytest.approx(margin, abs=1e-8)


players = st.tuples(st.floats(0, 50), st.floats(0.3, 10))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(players, min_size=1, max_size=3), min_size=2, max_size=5),
    st.data(),
    st.sampled_from([0.001, 0.1, 0.6]),
)
def test_a_game_of_any_shape_is_rated_as_the_package_rates_it(
    sides: list[list[tuple[float, float]]], data: st.DataObject, p: float
) -> None:
    gaps = data.draw(st.lists(st.integers(0, 1), min_size=len(sides) - 1, max_size=len(sides) - 1))
    ranks = list(accumulate([0, *gaps]))
    package = environment(0.0, p)
    new = []  # tied sides have no order: the package's answers for all ways to list them, averaged
    for order in permutations(range(len(sides))):
        if [ranks[i] for i in order] == ranks:
            groups = [tuple(package.create_rating(*player) for player in sides[i]) for i in order]
            after = dict(zip(order, package.rate(groups, ranks, min_delta=1e-12), strict=True))
            new.append([(r.mu, r.sigma**2) for i in range(len(sides)) for r in after[i]])
    for found, right in zip(rated(sides, ranks, p, tau=0), np.mean(new, axis=0), strict=True):
        assert found == pytest.approx((right[0], right[1] ** 0.5), abs=1e-3)


def cut(shape: Callable[[float, float], tuple[Array, Array]], lead: float, margin: float) -> list[float]:
    return [float(number) for number in shape(lead, margin)]


def test_the_tails_join_the_middle_and_reach_their_limits() -> None:
    for shape in (normal.won, normal.drawn):
        lead = -6 if shape is normal.won else -6.01
        assert cut(shape, lead - 1e-9, 0.01) == pytest.approx(cut(shape, lead + 1e-9, 0.01), rel=1e-7)
    v, w = cut(normal.won, -300, 0)
    assert v - 300 == pytest.approx(1 / 300 - 2 / 300**3 + 10 / 300**5, rel=1e-9)
    assert 1 - w == pytest.approx(1 / 300**2, rel=1e-3)
    for lead in (45, 300):  # as good as a difference of exactly 0
        assert cut(normal.drawn, lead, 1e-4) == pytest.approx([-lead, 1], rel=1e-6)
    assert cut(normal.won, 300, 0) == [0, 0]


BATCH: list[tuple[str, dict[tuple[Side, ...], int], float, dict[str, tuple[float, float]]]] = [
    (
        "three bots",
        {
            won("a", "b"): 30,
            won("b", "a"): 20,
            won("a", "c"): 35,
            won("c", "a"): 15,
            won("b", "c"): 25,
            won("c", "b"): 25,
        },
        0.0,
        {"a": (26.519798, 0.761214), "b": (24.496433, 0.746958), "c": (23.983769, 0.754744)},
    ),
    (
        "three bots and draws",
        {
            won("a", "b"): 30,
            won("b", "a"): 20,
            won("a", "c"): 35,
            won("c", "a"): 15,
            won("b", "c"): 25,
            won("c", "b"): 25,
            drawn("a", "b"): 10,
        },
        0.1,
        {"a": (26.420125, 0.690610), "b": (24.648612, 0.680747), "c": (23.931262, 0.737552)},
    ),
    (
        "7:3",
        {won("a", "b"): 7, won("b", "a"): 3},
        0.0,
        {"a": (26.593854, 2.512059), "b": (23.406146, 2.512059)},
    ),
    (
        "60:40",
        {won("a", "b"): 60, won("b", "a"): 40},
        0.0,
        {"a": (25.748891, 0.749055), "b": (24.251109, 0.749055)},
    ),
    (
        "one game",
        {won("a", "b"): 1},
        0.0,
        {"a": (29.2052208700336, 7.194481348831), "b": (20.7947791299664, 7.194481348831)},
    ),
]


@pytest.mark.parametrize(("cells", "p", "expected"), [c[1:] for c in BATCH], ids=[c[0] for c in BATCH])
def test_published_batches(
    cells: dict[tuple[Side, ...], int], p: float, expected: dict[str, tuple[float, float]]
) -> None:
    found, _ = propagate(counted(cells), p)
    for name, right in expected.items():
        assert (found[bot(name)].mu, found[bot(name)].sigma) == pytest.approx(right, abs=1e-6)


def test_counted_games_are_the_same_games_one_by_one() -> None:
    games = [won("a", "b", "c")] * 3 + [won("c", "a", "b"), drawn("a", "b", "c")]
    assert fit(games) == fit(reversed(games))
    assert fit(games).ratings[bot("a")].sigma < fit(games[2:]).ratings[bot("a")].sigma


def test_bots_that_only_draw_are_equal_and_surer_with_every_game() -> None:
    sigmas = [fit([drawn("a", "b")] * n).ratings[bot("a")].sigma for n in (1, 5, 50)]
    assert sigmas == sorted(sigmas, reverse=True)
    assert fit([drawn("a", "b")] * 5).ratings[bot("b")].mu == pytest.approx(25)


@pytest.mark.parametrize("games", [1, 100, 100_000])
def test_a_bot_that_always_wins_has_a_rating(games: int) -> None:
    found, _ = propagate(counted({won("a", "b"): games}), 0.001)
    assert found[bot("a")].mu + found[bot("b")].mu == pytest.approx(50)
    assert 29 < found[bot("a")].mu < 45


@pytest.mark.parametrize("games", [100, 10_000])
def test_strong_bots_that_never_lose_to_weak_ones_settle_in_few_sweeps(games: int) -> None:
    cells: Counter[tuple[Side, ...]] = Counter()
    for names in ("abcd", "wxyz"):
        for pair in combinations(names, 2):
            cells[won(*pair)] = cells[won(*reversed(pair))] = games // 2
    cells.update({won(strong, weak): games for strong in "abcd" for weak in "wxyz"})
    found, sweeps = propagate(counted(cells), 0.001)
    assert sweeps < 50
    assert found[bot("d")].mu - found[bot("w")].mu > 15
    assert found[bot("a")].mu == pytest.approx(found[bot("d")].mu, abs=1e-4)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.permutations("abcdef"), st.integers(0, 2), st.integers(1, 3000)), min_size=1, max_size=25
    )
)
def test_any_mixture_of_duels_and_partnerships_settles_around_25(
    played: list[tuple[list[str], int, int]],
) -> None:
    cells: Counter[tuple[Side, ...]] = Counter()
    for names, kind, count in played:
        first, second = (names[:2], names[2:4]) if kind else (names[:1], names[1:2])
        sides = [Side(rank, tuple(sorted(map(bot, side)))) for rank, side in enumerate((first, second))]
        cells[tuple(side._replace(rank=0) for side in sides) if kind == 2 else tuple(sides)] += count
    games = counted(cells)
    found, _ = propagate(games, ratings.draw_share(games))
    assert math.fsum(rating.mu for rating in found.values()) / len(found) == pytest.approx(25, abs=1e-5)
    assert all(0 < rating.sigma <= SIGMA + 1e-9 for rating in found.values())


def test_the_share_of_draws_counts_adjacent_places_and_has_a_floor() -> None:
    games = of_sides([drawn("a", "b"), won("a", "b"), won("a", "b", "c")])
    assert ratings.draw_share(games) == pytest.approx(1.5 / 5)
    assert ratings.draw_share(counted({won("a", "b"): 10_000})) == 0.001


def test_groups_that_never_met_are_found_and_each_centred() -> None:
    found = fit([won("a", "b"), won("b", "c"), won("x", "y")])
    assert [[b.name for b in group] for group in found.groups] == [["a", "b", "c"], ["x", "y"]]
    for group in found.groups:
        assert math.fsum(found.ratings[b].mu for b in group) / len(group) == pytest.approx(25)


def test_a_fit_that_does_not_settle_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratings, "_SWEEPS", 2)
    with pytest.raises(ratings.NotConverged, match="after 2 sweeps; leave out bots"):
        fit([won("a", "b"), won("b", "c")])


def test_exposure() -> None:
    rating = Rating(26.123456, 1.000049).rounded()
    assert rating == Rating(26.1235, 1.0)
    assert rating.exposure == pytest.approx(23.1235)


def test_importing_the_tables_loads_neither_trueskill_nor_tabulate() -> None:
    code = "import sys, leaderboards.tables; print(sorted({'trueskill', 'tabulate', 'scipy'} & set(sys.modules)))"
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize("module", ["arena.schedules.adaptive", "arena.stopping", "leaderboards.standings"])
def test_numpy_keeps_to_one_thread_beside_bots_that_are_timed(module: str) -> None:
    code = f"import {module}, os; print(len(os.listdir('/proc/self/task')))"
    environment = {key: value for key, value in os.environ.items() if key != "OPENBLAS_NUM_THREADS"}
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert run.stdout.strip() == "1"
