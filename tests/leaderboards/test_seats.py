"""What a seat is worth: shares, intervals that take a deal as one observation, and what skill does not explain."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from statistics import NormalDist

import pytest

from leaderboards.places import BETA
from leaderboards.seats import between_equals, seats
from protocol.result import GameResult
from protocol.vocabulary import BotId, DealId, GameId, Team
from tests.leaderboards.leaderboard_results import bot, game, reseated

cdf = NormalDist().cdf


def mirrored(deals: int, chance: Callable[[str], float], rng: Random) -> list[GameResult]:
    """Two games a deal between a and b; `chance` that the first seat wins, given who sits there."""
    found = []
    for number in range(2 * deals):
        names = ("a", "b") if number % 2 else ("b", "a")
        first = int(rng.random() > chance(names[0]))
        found.append(game(number, names, (first, 1 - first), block=f"{number // 2}", block_size=2))
    return found


def spread(results: Sequence[GameResult]) -> float:
    low, high = seats(results)[0][4:]
    assert low is not None and high is not None
    return high - low


def test_each_seat_has_its_share() -> None:
    first, second = seats(mirrored(2000, lambda _: 0.6, Random(1)))
    assert (first.seat, first.games, first.expected) == (0, 4000, 0.5)
    assert first.share == pytest.approx(0.6, abs=0.03)
    assert first.share + second.share == pytest.approx(1)
    assert first.low is not None and first.high is not None
    # Independent games: 1.96 standard deviations of a share of 4,000.
    assert first.high - first.low == pytest.approx(2 * 1.96 * (0.24 / 4000) ** 0.5, rel=0.1)


def test_a_first_place_that_is_shared_is_divided() -> None:
    results = [game(1, "abc", (0, 0, 1)), game(2, "abc", (0, 0, 0)), game(3, "abc", (1, 1, 0))]
    assert [seat.share for seat in seats(results)] == pytest.approx([5 / 18, 5 / 18, 8 / 18])
    assert [seat.expected for seat in seats(results)] == pytest.approx([1 / 3] * 3)


def test_seats_of_a_team_are_one() -> None:
    results = [
        game(n, "abab", (0, 1, 0, 1) if n % 4 else (1, 0, 1, 0), teams=(0, 1, 0, 1)) for n in range(20)
    ]
    assert [(seat.seat, seat.share) for seat in seats(results)] == [(0, 0.75), (1, 0.25)]


def test_games_of_a_deal_count_as_one_observation() -> None:
    """Where the deal decides, a thousand games on it say no more than one."""
    alone = [game(2 * n, "ab", (n % 2, 1 - n % 2)) for n in range(40)]
    again = [replace(result, id=GameId(f"{copy}{result.id}")) for copy in range(5) for result in alone]
    assert spread(again) == pytest.approx(spread(alone))


def test_the_interval_by_hand() -> None:
    """The first seat wins 2, 2, 1, 1, 0 and 2 of two games on six deals.

    Variance of the share: 6 / 5 x (3 x 0.444 + 2 x 0.111 + 1.778) / 12² = 0.1667²; t is 2.569, so Wilson's
    z² / n is 0.825.
    """
    wins = [1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 1, 1]
    first = seats(game(n, "ab", (1 - won, won)) for n, won in enumerate(wins))[0]
    assert (first.low, first.high) == pytest.approx((0.2657, 0.9171), abs=2e-4)


def test_without_deals_enough_there_is_no_interval() -> None:
    results = mirrored(5, lambda _: 0.5, Random(2))
    assert seats(results)[0].low is not None
    few = [result for result in results if result.deal != DealId("deal 0")]
    assert {(seat.low, seat.high) for seat in seats(few)} == {(None, None)}
    alike = mirrored(50, lambda _: 1.0, Random(3))
    assert [(seat.share, seat.low, seat.high) for seat in seats(alike)] == [(1, None, None), (0, None, None)]
    assert seats([]) == ()


def test_skill_is_taken_out() -> None:
    """The first seat is worth h = 0.3; a is 6 points of mu better than b, and sits there more often."""
    lead = 6 / (2**0.5 * BETA)
    results = mirrored(4000, lambda first: cdf(0.3 + (lead if first == "a" else -lead)), Random(4))
    kept = [result for n, result in enumerate(results) if n % 8 == 0 or result.seats[0].bot == bot("a")]
    equal = between_equals(kept, {bot("a"): 28.0, bot("b"): 22.0})
    assert equal is not None and equal.low is not None and equal.high is not None
    assert equal.share == pytest.approx(cdf(0.3), abs=0.02)
    assert equal.low < cdf(0.3) < equal.high
    assert equal.high - equal.low < 0.05
    assert abs(seats(kept)[0].share - cdf(0.3)) > 0.03


def test_the_other_seat_has_the_rest() -> None:
    mean = {bot("a"): 26.0, bot("b"): 24.0}
    results = mirrored(100, lambda _: 0.7, Random(5))
    swapped = [
        replace(result, seats=tuple(replace(seat, team=Team(1 - seat.team)) for seat in result.seats))
        for result in results
    ]
    one, other = between_equals(results, mean), between_equals(swapped, mean)
    assert one is not None and other is not None
    assert one.share == pytest.approx(1 - other.share)
    assert one.low == pytest.approx(1 - (other.high or 0))


def test_partners_count_together() -> None:
    """Two against two: a + b lead c + d by 8, which is 8 / (2 β) standard deviations."""
    mean: dict[BotId, float] = dict(zip(map(bot, "abcd"), (28.0, 26.0, 24.0, 22.0), strict=True))
    rng = Random(6)
    results = []
    for number in range(4000):
        names = "acbd" if number % 2 else "cadb"
        lead = 8 / (2 * BETA) * (1 if number % 2 else -1)
        first = int(rng.random() > cdf(lead - 0.2))
        results.append(game(number, names, [first, 1 - first] * 2, teams=(0, 1, 0, 1)))
    equal = between_equals(results, mean)
    assert equal is not None and equal.share == pytest.approx(cdf(-0.2), abs=0.03)


def test_a_team_of_copies_is_one_player() -> None:
    mean = {bot("a"): 28.0, bot("b"): 22.0}
    alone = mirrored(50, lambda _: 0.6, Random(11))
    paired = [
        game(
            n, [seat.bot.name for seat in result.seats] * 2, [seat.rank for seat in result.seats] * 2,
            teams=(0, 1, 0, 1),
        )
        for n, result in enumerate(alone)
    ]  # fmt: skip
    assert between_equals(paired, mean) == between_equals(alone, mean)


def test_what_cannot_be_said() -> None:
    mean = {bot(name): 25.0 for name in "abc"}
    assert between_equals([game(1, "abc", (0, 1, 2)), game(2, "bca", (1, 0, 2))], mean) is None
    assert between_equals(mirrored(20, lambda _: 1.0, Random(7)), mean) is None
    assert between_equals([], mean) is None


def test_an_upset_of_far_bots_is_no_trouble() -> None:
    results = mirrored(20, lambda first: float(first == "a"), Random(8))
    upset = reseated(results[0], (1, 0))
    odd = replace(upset, seats=tuple(replace(seat, rank=1 - seat.rank) for seat in upset.seats))
    equal = between_equals([odd, *results[1:]], {bot("a"): 500.0, bot("b"): -500.0})
    assert equal is not None and 0 <= equal.share <= 1


def test_nothing_hangs_on_order() -> None:
    results = mirrored(500, lambda _: 0.6, Random(9))
    mean = {bot("a"): 26.0, bot("b"): 24.7}
    shuffled = [reseated(result, (1, 0)) for result in results]
    Random(10).shuffle(shuffled)
    assert seats(shuffled) == seats(results)
    assert between_equals(shuffled, mean) == between_equals(results, mean)
    thirds = [game(n, "abc", [Random(n + i).randrange(2) for i in range(3)]) for n in range(300)]
    assert seats(thirds[::-1]) == seats(thirds)


def _leaning(lean: float, _: str) -> float:
    return 0.55 + lean


@pytest.mark.statistics
@pytest.mark.parametrize("deals", [10, 60])
def test_nineteen_of_twenty_intervals_hold(deals: int) -> None:
    """Deals favour a seat by 0.3: both games of one often go the same way."""
    rng = Random(deals)
    held = held_equal = 0
    runs = 1500
    for _ in range(runs):
        results = []
        for deal in range(deals):
            lean = rng.choice((0.3, -0.3))
            games = mirrored(1, partial(_leaning, lean), rng)
            results += [
                replace(result, id=GameId(f"{deal}{result.id}"), deal=DealId(f"{deal}")) for result in games
            ]
        seat = seats(results)[0]
        equal = between_equals(results, {bot("a"): 25.0, bot("b"): 25.0})
        held += seat.low is not None and seat.high is not None and seat.low <= 0.55 <= seat.high
        held_equal += equal is not None and equal.low is not None and equal.low <= 0.55 <= (equal.high or 0)
    assert 0.94 < held / runs < 0.98
    assert 0.93 < held_equal / runs < 0.98
