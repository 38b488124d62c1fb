"""Luck and skill: made games whose parts are known, and games too few or too odd to say anything."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, permutations, product
from random import Random

import numpy as np
import pytest

from leaderboards.luck import Luck, luck
from protocol.result import GameResult
from protocol.vocabulary import DealId, Team
from tests.leaderboards.leaderboard_results import game, reseated

Winner = Callable[[Sequence[str]], int]
"""The place that wins, given who sits in each."""
NAMES = [f"bot{number:02}" for number in range(40)]


def turns(names: Sequence[str]) -> list[list[str]]:
    return [[*names[i:], *names[:i]] for i in range(len(names))]


def block(
    number: int,
    seatings: Sequence[Sequence[str]],
    winner: Winner,
    teams: Sequence[int] | None = None,
    deal: int = -1,
) -> list[GameResult]:
    """One game a seating; `winner` tells the team that wins."""
    found = []
    for i, names in enumerate(seatings):
        team = teams or range(len(names))
        first = winner(names)
        played = game(
            number * 100 + i, names, [int(own != first) for own in team],
            teams=teams, block=f"block {number}", block_size=len(seatings),
        )  # fmt: skip
        found.append(replace(played, deal=DealId(f"deal {number if deal < 0 else deal}")))
    return found


def duels(
    rng: Random, names: Sequence[str], blocks: int, skill: float = 0.0, seat: float = 0.0, deal: float = 0.0
) -> list[GameResult]:
    """Blocks of all pairs; the first name of a pair is better by `skill`, the first seat by `seat`, and the
    deal favours a seat by `deal`: all are added to a half."""
    found = []
    for number, pair in enumerate(list(combinations(names, 2)) * blocks):
        favour = rng.choice((deal, -deal))

        def winner(seated: Sequence[str], best: str = pair[0], favour: float = favour) -> int:
            lean = seat + favour + (skill if seated[0] == best else -skill)
            return int(rng.random() > 0.5 + lean)

        found += block(number, turns(pair), winner)
    return found


def parts(report: Luck) -> list[float]:
    shares = [report.bot, report.seat, report.deal, report.rest]
    assert None not in shares
    return [share for share in shares if share is not None]


def test_parts_of_duels_are_recovered() -> None:
    report = luck(duels(Random(1), NAMES[:4], 600, skill=0.1, seat=0.15, deal=0.25))
    # Squares of what was added, over the variance of a coin, 1/4.
    assert parts(report) == pytest.approx([0.04, 0.09, 0.25, 0.62], abs=0.03)
    assert sum(parts(report)) == pytest.approx(1)
    rho = -0.0625 / (0.25 - 0.01 - 0.0225)
    assert report.correlation == pytest.approx(rho, abs=0.03)
    assert report.saving == pytest.approx(1 / (1 + rho), abs=0.05)
    assert (report.blocks, report.deals, report.sides, report.notes) == (3600, 3600, 2, ())


def test_chance_is_not_taken_for_skill_where_each_pair_met_twice() -> None:
    report = luck(duels(Random(2), NAMES, 2))
    # The means of two blocks vary by a quarter of a coin's variance though all bots are equal.
    assert parts(report) == pytest.approx([0, 0, 0, 1], abs=0.06)


@pytest.mark.parametrize("every", [False, True])
def test_three_sides(every: bool) -> None:
    """A deal favours one seat, which wins 6 of 10 games because of it; else all are equal."""
    rng = Random(3)
    names = NAMES[:3]
    seatings = [list(order) for order in permutations(names)] if every else turns(names)
    results = []
    for number in range(1200):
        favoured = rng.randrange(3)

        def winner(_: Sequence[str], favoured: int = favoured) -> int:
            return favoured if rng.random() < 0.6 else rng.randrange(3)

        results += block(number, seatings, winner)
    report = luck(results)
    assert parts(report) == pytest.approx([0, 0, 0.36, 0.64], abs=0.04)
    assert report.saving == pytest.approx(1 / (1 - 0.36), abs=0.07)
    assert report.correlation == pytest.approx(-0.36 / (len(seatings) - 1), abs=0.02)


def test_partners_that_change_seats() -> None:
    """The deal's part is of games in which the other team sat there, the rest cancels in the whole block."""
    rng = Random(4)
    teams = (0, 1, 0, 1)
    seatings = [
        [first[0], second[0], first[1], second[1]]
        for sides in permutations((("a", "b"), ("c", "d")))
        for first, second in product(*map(permutations, sides))
    ]
    results = []
    for number in range(800):
        favour = rng.choice((0.25, -0.25))

        def winner(_: Sequence[str], favour: float = favour) -> int:
            return int(rng.random() > 0.5 + favour)

        results += block(number, seatings, winner, teams)
    report = luck(results)
    assert parts(report) == pytest.approx([0, 0, 0.25, 0.75], abs=0.04)
    assert report.saving == pytest.approx(1 / 0.75, abs=0.07)


def test_a_team_of_copies_is_one_side() -> None:
    alone = duels(Random(5), NAMES[:2], 40, skill=0.1, deal=0.2)
    paired = [
        replace(
            game(
                int(result.id, 16),
                [seat.bot.name for seat in result.seats] * 2,
                [seat.rank for seat in result.seats] * 2,
                teams=(0, 1, 0, 1), block=result.block, block_size=2,
            ),
            deal=result.deal,
        )
        for result in alone
    ]  # fmt: skip
    assert luck(paired) == luck(alone)


def test_copies_leave_no_luck() -> None:
    """Copies that draw nothing at random win from the same seat of a deal, whoever sits there."""
    rng = Random(6)
    results = []
    for number in range(400):
        best = rng.randrange(2)

        def winner(_: Sequence[str], best: int = best) -> int:
            return best

        results += block(number, turns(NAMES[:2]), winner)
    report = luck(results)
    assert report.correlation == pytest.approx(-1)
    assert parts(report) == pytest.approx([0, 0, 1, 0], abs=0.01)
    assert report.saving is None
    assert any("no luck at all" in note for note in report.notes)
    assert report.needed(0.55) is None


def test_a_deal_that_suits_a_bot_is_no_gain_of_mirroring() -> None:
    """On each deal one bot wins from both seats: mirrored games say the same thing twice."""
    rng = Random(7)
    results = []
    for number in range(400):
        best = rng.choice(NAMES[:2])

        def winner(names: Sequence[str], best: str = best) -> int:
            return names.index(best)

        results += block(number, turns(NAMES[:2]), winner)
    report = luck(results)
    assert report.correlation == pytest.approx(1, abs=0.01)
    assert report.saving == pytest.approx(0.5, abs=0.01)
    assert report.deal == 0 and sum(parts(report)) == pytest.approx(1)
    assert any("the part of the deal came out as -0.99" in note for note in report.notes)


def test_skill_alone() -> None:
    results = [
        played for number in range(30) for played in block(number, turns(NAMES[:2]), lambda names: names.index("bot00"))
    ]  # fmt: skip
    report = luck(results)
    assert parts(report) == pytest.approx([1, 0, 0, 0])
    assert report.correlation is None and report.saving is None
    assert any("there is no luck" in note for note in report.notes)


def test_games_that_all_share() -> None:
    drawn = [
        replace(game(number, turns(NAMES[:2])[number % 2], (0, 0), block=f"{number // 2}", block_size=2))
        for number in range(100)
    ]
    report = luck(drawn)
    assert (report.bot, report.seat, report.deal, report.rest, report.correlation) == (None,) * 5
    assert any("no variance" in note for note in report.notes)


def test_too_few_blocks_say_nothing() -> None:
    results = duels(Random(8), NAMES[:2], 30)
    assert luck(results).rest is not None
    few = luck(results[2:])
    assert (few.bot, few.rest, few.saving, few.block_sd, few.needed(0.6)) == (None,) * 5
    assert few.blocks == 29 and few.notes[0].startswith("29 mirrored blocks")
    assert luck([]).blocks == 0


def test_blocks_that_mirror_nothing_do_not_count() -> None:
    singles = [game(number, NAMES[:2], (0, 1)) for number in range(50)]
    again = [played for n in range(50, 90) for played in block(n, [NAMES[:2]] * 2, lambda _: 0)]
    assert luck(singles).blocks == luck(again).blocks == 0


def test_few_deals_are_told() -> None:
    results = [
        replace(result, deal=DealId(f"deal {int(result.block[6:]) // 45}"))
        for result in duels(Random(9), NAMES[:10], 6)
    ]
    report = luck(results)
    assert (report.blocks, report.deals) == (270, 6)
    assert any("6 deals" in note for note in report.notes)


def test_nothing_hangs_on_order() -> None:
    results = duels(Random(10), NAMES[:4], 10, skill=0.1, deal=0.3)
    shuffled = [reseated(result, (1, 0)) for result in results]
    Random(11).shuffle(shuffled)
    assert luck(shuffled) == luck(results)


def test_seats_that_change_names_change_nothing() -> None:
    results = duels(Random(12), NAMES[:4], 10, skill=0.1, seat=0.1, deal=0.3)
    renamed = [
        replace(result, seats=tuple(replace(seat, team=Team(1 - seat.team)) for seat in result.seats))
        for result in results
    ]
    assert parts(luck(renamed)) == pytest.approx(parts(luck(results)))


def test_the_spread_of_blocks_is_that_of_near_bots() -> None:
    rng = Random(13)
    near = duels(rng, NAMES[:2], 1000)
    far = duels(rng, NAMES[2:4], 1000, skill=0.45)
    both = [
        *near,
        *(replace(game, block=f"far {game.block}", deal=DealId(f"far {game.deal}")) for game in far),
    ]
    report = luck(both)
    assert report.block_sd == luck(near).block_sd == pytest.approx(0.125**0.5, abs=0.02)
    assert report.nearness == pytest.approx(0.5, abs=0.03)
    alone = luck(far)
    assert alone.nearness == pytest.approx(0.95, abs=0.02)
    assert any("no two bots are near" in note for note in alone.notes)


def test_copies_among_others_are_not_told_apart() -> None:
    rng = Random(15)
    far = duels(rng, NAMES[2:4], 40, skill=0.3)
    copies = []
    for number in range(40):
        best = rng.randrange(2)

        def winner(_: Sequence[str], best: int = best) -> int:
            return best

        copies += block(100 + number, turns(NAMES[:2]), winner)
    report = luck([*far, *copies])
    assert report.saving is not None and report.block_sd == 0 and report.needed(0.6) is None
    assert any("no number of deals" in note for note in report.notes)


def test_deals_needed_of_a_coin() -> None:
    """Guenther 1981: (1.96 + 0.8416)² 0.125 / 0.05² + 1.96² / 2 = 394.4."""
    coin = Luck(100, 100, 2, (), block_sd=0.125**0.5)
    assert [coin.needed(share) for share in (0.55, 0.6, 0.7)] == [395, 101, 27]
    for share in (0.5, 0.4, 1.0):
        with pytest.raises(ValueError, match="better one of two"):
            coin.needed(share)


@pytest.mark.parametrize("k", [2, 3])
def test_as_many_deals_as_needed_find_the_better_bot_in_four_of_five_contests(k: int) -> None:
    """Two bots of k, of which one gets 60 % of the first places that go to either; games are independent."""
    blocks = Luck(100, 100, k, (), block_sd=((1 / k - 1 / k**2) / k) ** 0.5).needed(0.6)
    assert blocks is not None
    rng = np.random.RandomState(14)
    chances = [1.2 / k, 0.8 / k, *[1 / k] * (k - 2)]
    wins = rng.multinomial(k, chances, size=(4000, blocks))
    lead = (wins[..., 0] - wins[..., 1]) / k
    t = lead.mean(1) / (lead.std(1, ddof=1) / blocks**0.5)
    assert 0.77 < (t > 1.99).mean() < 0.84
