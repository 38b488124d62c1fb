"""Simulated contests: what they take for true comes out again, and boards are held to it rightly."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
import pytest

from arena.accuracy import Accuracy, Figure, games_to, outcome, simulation
from arena.config import parse
from arena.planning import course_of
from arena.proposal import measured_luck
from arena.schedules.blocks import Block, Field, Plan, Progress
from arena.schedules.knockout import Knockout
from arena.simulation import Contest, Odds, World, spread
from arena.trials import QUALITY, Entry, Point, Reading, Trial, contest, held, ladder, looks, seeds, trials
from leaderboards.luck import luck
from leaderboards.normal import cdf
from leaderboards.places import BETA
from leaderboards.ratings import fit
from leaderboards.seats import seated
from leaderboards.selection import select
from protocol.result import GameResult
from protocol.vocabulary import BotId

TWO, THREE, FOUR = "claim/2p/GK-UWX", "claim/3p/GK-UWXTD", "claim/4p/GK-UWXTD"


def bots(count: int) -> tuple[BotId, ...]:
    return tuple(BotId(f"bot-{n:02}", "") for n in range(count))


def played(
    strengths: Sequence[float],
    odds: Odds,
    deals: int,
    variant: str = TWO,
    partners: str = "same",
    seed: int = 5,
) -> tuple[Contest, list[GameResult]]:
    """All meetings on so many deals."""
    field = Field(Plan("cup", "seed", (variant,), deals, partners=partners), bots(len(strengths)))
    found = Contest(World(tuple(strengths), {variant: odds}), field.plan, field.bots, seed)
    blocks = [Block(meeting, deal) for meeting in field.meetings(variant) for deal in range(deals)]
    return found, list(found.play(blocks))


def share_of_best(made: Contest, results: Sequence[GameResult]) -> float:
    """How often the strongest of two wins."""
    best = max(made.truth, key=made.truth.__getitem__)
    shares = [place.share for result in results for place in seated(result) if place.bots[0] == best]
    return sum(shares) / len(results)


@pytest.mark.parametrize("share", [0.0, 0.6, 1.0])
def test_the_better_one_wins_as_often_whatever_the_luck(share: float) -> None:
    made, results = played((27.0, 24.0), Odds(luck=share), 2000)
    expected = float(cdf(3 / (math.sqrt(2) * BETA)))
    assert share_of_best(made, results) == pytest.approx(expected, abs=3.5 * math.sqrt(0.25 / len(results)))


def test_a_field_is_spread_so_that_the_best_beats_the_worst_as_said() -> None:
    strengths = spread(7, 0.75)
    assert float(cdf((strengths[0] - strengths[-1]) / (math.sqrt(2) * BETA))) == pytest.approx(0.75)
    assert {round(a - b, 9) for a, b in pairwise(strengths)} == {round(strengths[0] - strengths[1], 9)}


def test_luck_of_the_deal_goes_where_seats_are_changed() -> None:
    _, results = played((25.0, 25.0, 25.0), Odds(luck=1.0), 50)
    wins = Counter((result.block, seat.bot) for result in results for seat in result.seats if not seat.rank)
    assert set(wins.values()) == {1}


def test_a_deal_is_as_lucky_for_all_who_sit_there() -> None:
    _, results = played((25.0, 25.0, 25.0), Odds(luck=1.0), 50)
    first = {(result.deal, result.seats[0].rank) for result in results}
    assert len(first) == 50 and {rank for _, rank in first} == {0, 1}


def test_the_luck_of_a_deal_does_not_hang_on_when_it_is_played() -> None:
    field = Field(Plan("cup", "seed", (TWO,), 1), bots(2))
    (meeting,) = field.meetings(TWO)

    def ranks(deals: Sequence[int]) -> dict[str, int]:
        made = Contest(World((25.0, 24.9), {TWO: Odds(luck=1.0)}), field.plan, field.bots, 3)
        return {r.id: r.seats[0].rank for r in made.play(Block(meeting, deal) for deal in deals)}

    assert ranks([700, 3, 4]) == ranks([4]) | ranks([3]) | ranks([700])


def test_draws_come_as_often_as_said() -> None:
    _, results = played((25.0, 25.0), Odds(draws=0.2), 2000)
    ties = sum(result.seats[0].rank == result.seats[1].rank for result in results)
    assert ties / len(results) == pytest.approx(0.2, abs=3.5 * math.sqrt(0.2 * 0.8 / len(results)))


@pytest.mark.parametrize(
    ("variant", "partners", "size"), [(TWO, "same", 2), (THREE, "same", 3), (FOUR, "both", 4)]
)
def test_results_are_such_as_ratings_take(variant: str, partners: str, size: int) -> None:
    _, results = played((27.0, 26.0, 25.0, 24.0, 23.0), Odds(draws=0.1), 2, variant, partners)
    chosen = select(results)
    assert chosen.rated == len(results) and not chosen.incomplete_games and not chosen.unratable
    progress = Progress()
    progress.take(results)
    assert len(progress.results) == len(results) and not progress.begun
    assert {len(result.seats) for result in results} == {size}


def test_a_bot_in_all_seats_of_a_side_is_one_player() -> None:
    made, results = played((27.0, 24.0), Odds(), 1500, FOUR)
    expected = float(cdf(3 / (math.sqrt(2) * BETA)))
    assert share_of_best(made, results) == pytest.approx(expected, abs=3.5 * math.sqrt(0.25 / len(results)))


def test_partners_add_up() -> None:
    made, results = played((28.0, 26.0, 25.0, 23.0), Odds(luck=0.0), 250, FOUR, "mixed")
    best = max(made.truth, key=made.truth.__getitem__)
    rows = [
        (sum(made.truth[bot] for bot in a.bots) - sum(made.truth[bot] for bot in b.bots), a.share)
        for a, b in (sorted(seated(result), key=lambda place: best not in place.bots) for result in results)
    ]
    chance = cdf(np.array([gap for gap, _ in rows]) / (2 * BETA))
    assert sum(won for _, won in rows) == pytest.approx(float(chance.sum()), abs=3 * math.sqrt(len(rows)) / 2)


def test_which_bot_is_the_best_is_drawn_for_each_contest() -> None:
    truths = [Contest(world(), Plan("cup", "seed", (TWO,), 1), bots(6), seed).truth for seed in range(20)]
    assert len({max(truth, key=truth.__getitem__) for truth in truths}) > 3
    assert all(sorted(truth.values()) == sorted(spread(6, 0.9)) for truth in truths)


@pytest.mark.parametrize(("variant", "share"), [(TWO, 0.2), (TWO, 0.7), (THREE, 0.5)])
def test_luck_is_measured_as_it_was_put_in(variant: str, share: float) -> None:
    _, results = played((25.1, 25.0, 24.9), Odds(luck=share), 1000, variant)
    assert measured_luck(luck(results)) == pytest.approx(share, abs=0.08)


def test_copies_of_luck_only_measure_none() -> None:
    _, results = played((25.0, 24.0), Odds(), 3)
    assert measured_luck(luck(results)) is None


def read(*mu: float, sd: float = 1.0) -> Reading:
    return Reading(np.array(mu), np.full(len(mu), sd), 0.5)


def test_a_board_is_held_to_the_truth() -> None:
    truth = np.array([28.0, 26.0, 24.0, 22.0])
    true = Point(0, 0, *held(read(28, 26, 24, 22), truth))
    assert (true.tau, true.first, true.top3, true.rank_error, true.rmse, true.covered) == (1, 1, 1, 0, 0, 1)
    swapped = Point(0, 0, *held(read(26, 28, 24, 22), truth))
    assert swapped.tau == pytest.approx(1 - 2 / 6)
    assert (swapped.first, swapped.top3, swapped.rank_error, swapped.covered) == (0, 1, 0.5, 0.5)
    turned = Point(0, 0, *held(read(22, 24, 26, 28), truth))
    assert (turned.tau, turned.first, turned.top3, turned.rank_error) == (-1, 0, 0, 2)


def test_bots_that_are_equal_in_truth_have_no_order_to_miss() -> None:
    truth = np.array([26.0, 26.0, 23.0])
    point = Point(0, 0, *held(read(25, 27, 23), truth))
    assert (point.tau, point.first) == (1, 1)


def test_who_wins_a_knockout_is_the_first_whatever_the_board_says() -> None:
    truth = np.array([28.0, 26.0, 24.0, 22.0])
    reading = read(23, 26, 25, 24)
    assert Point(0, 0, *held(reading, truth))[3:5] == (0, 0)
    assert Point(0, 0, *held(reading, truth, winner=0))[3:5] == (1, 1)
    assert Point(0, 0, *held(read(28, 26, 24, 22), truth, winner=2))[3:5] == (0, 1)


def test_a_knockout_is_held_to_its_final() -> None:
    wanted = entry("knockout", 100_000, size=8, deals=2)
    names = tuple(BotId(name, "") for name in wanted.tournament.bots)
    boards = []
    for seed in (9, 10, 29):
        (trial,) = contest([wanted], world(8), False, seed)
        course = course_of(wanted.tournament, str(seed), names)
        made = Contest(world(8), course.plan, names, seed)
        *_, end = looks(course, course.schedule.step, made)
        winner = Knockout(2).bracket(course.field, end)[-1][0].winner
        assert winner
        assert trial.points[-1].first == (made.truth[winner] == max(made.truth.values()))
        mu = fit(next(iter(end.log.games().values()))).ratings
        boards.append(winner == max(mu, key=lambda bot: mu[bot].mu))
    assert not all(boards)


def entry(kind: str, games: int, size: int = 6, deals: int = 1, **stop: float) -> Entry:
    schedule = {} if kind == QUALITY else {"schedule": {"kind": kind}}
    names = [bot.name for bot in bots(size)]
    data = {"name": "cup", "bots": names, "variants": [TWO], "deals": deals, "stop": {"games": games, **stop}}
    return Entry(kind, parse(data | schedule, "test"))


def world(size: int = 6, costs: tuple[float, ...] = ()) -> World:
    return World(spread(size, 0.9), {TWO: Odds()}, costs)


@pytest.mark.parametrize("kind", ["round_robin", "finals", "adaptive", QUALITY])
def test_a_budget_is_kept_whatever_the_schedule(kind: str) -> None:
    (trial,) = contest([entry(kind, 400, deals=30)], world(), False, 1)
    games = [point.games for point in trial.points]
    assert games[-1] == 400 and games == sorted(set(games))
    assert set(games[:-1]) <= {100, 150, 200, 300, 400}


def test_swiss_and_knockout_are_played_to_their_end() -> None:
    found = contest([entry("swiss", 100_000), entry("knockout", 100_000)], world(), False, 1)
    assert [trial.name for trial in found] == ["swiss", "knockout"]
    assert all(0 < trial.points[-1].games < 100 for trial in found)


def test_minutes_are_of_cpu_time_where_bots_cost_some() -> None:
    (trial,) = contest(
        [entry("round_robin", 1_000_000, deals=1000, minutes=10)], world(costs=(1.0,) * 6), False, 1
    )
    assert 600 <= trial.points[-1].seconds < 800


def test_a_sure_enough_order_ends_it() -> None:
    (trial,) = contest([entry("round_robin", 1_000_000, deals=1000, tau=0.8)], world(), False, 1)
    assert 100 < trial.points[-1].games < 5000 and trial.points[-1].claimed >= 0.8


def test_all_schedules_of_a_contest_have_the_same_field_and_the_same_seed_the_same_contest() -> None:
    once = list(trials([entry("round_robin", 100, deals=9)], world(), seeds("1", 2), online=True))
    again = list(trials([entry("round_robin", 100, deals=9)], world(), seeds("1", 2), online=True))
    assert once == again and once[0] != once[1]
    assert [trial.rating for trial in once[0]] == ["batch", "online"]


def test_more_games_make_a_truer_order() -> None:
    found = [contest([entry("round_robin", 800, deals=99)], world(), False, seed)[0] for seed in range(4)]
    early, late = (np.mean([trial.points[n].tau for trial in found]) for n in (0, -1))
    assert late > early > 0.3


def test_numbers_of_games_at_which_boards_are_looked_at() -> None:
    steps: Iterator[int] = ladder()
    assert [next(steps) for _ in range(9)] == [100, 150, 200, 300, 400, 600, 800, 1000, 1500]


def at(games: float, tau: float) -> Accuracy:
    one = Figure(1.0, None)
    return Accuracy(games, None, Figure(tau, None), one, one, one, one, one, None)


def test_games_to_a_goal_lie_between_two_looks() -> None:
    course = [at(100, 0.5), at(200, 0.8), at(300, 1.0)]
    assert games_to(0.9, course) == 250
    assert games_to(0.4, course) == 100
    assert games_to(0.9, course[:2]) is None and games_to(0.9, []) is None


def trial(*rows: tuple[float, float]) -> Trial:
    return Trial(
        "round_robin", "batch", tuple(Point(games, 0, tau, 1, 1, 0, 0, 1, 0.7) for games, tau in rows)
    )


def test_contests_are_averaged_where_all_have_a_board() -> None:
    found = outcome([trial((100, 0.4), (150, 0.6), (180, 0.7)), trial((100, 0.6), (170, 0.9))])
    assert [accuracy.games for accuracy in found.course] == [100]
    assert found.course[0].tau == Figure(0.5, 0.1)
    assert (found.end.games, found.end.tau.mean, found.runs) == (175, 0.8, 2)
    assert found.end.cpu_seconds is None and found.end.claimed_tau == Figure(0.7, 0.0)


def test_a_single_contest_has_no_error() -> None:
    answer = simulation(world(), [[trial((100, 0.4))]], 1, "1")
    assert answer.outcomes[0].end.tau == Figure(0.4, None)
