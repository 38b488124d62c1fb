"""Which games count, who is who in them, and what the standings say of it."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboards.ratings import Rating
from leaderboards.selection import ResultsError, Side, select, sides
from leaderboards.standings import Row, Standings, by_game, by_variant, mean_rating, standings
from leaderboards.tables import render
from protocol.result import GameResult
from protocol.vocabulary import FaultKind, Verdict
from tests.leaderboards.leaderboard_results import DUEL, bot, duels, game, reseated

PARTNERS = (0, 1, 0, 1)
"""Teams of four seats, partners opposite each other."""
TRIO = "aristoocrazy/3p"


def row_of(table: Standings, name: str) -> Row:
    return next(row for row in table.rows if row.bot == bot(name))


def mixed_results() -> list[GameResult]:
    """Duels, partnerships and three for themselves, with ties, forfeits and an incomplete block."""
    results = duels({("a", "b"): 4, ("b", "a"): 2, ("b", "c"): 3, ("c", "a"): 1})
    results += [
        game(100, "abc", (0, 1, 1), variant=TRIO),
        game(101, "cab", (2, 0, 1), variant=TRIO),
        game(102, "bca", (0, 0, 0), variant=TRIO, faults=(FaultKind.CRASH, None, None)),
        game(200, "abcd", (0, 1, 0, 1), teams=PARTNERS, variant="claim/4p"),
        game(201, "acbd", (0, 0, 0, 0), teams=PARTNERS, variant="claim/4p"),
        game(300, "ab", (0, 1), block="half", block_size=2),
        game(400, "ab", (0, 0), verdict=Verdict.VOID),
    ]
    return results


@settings(max_examples=12, deadline=None)
@given(st.randoms(use_true_random=False))
def test_order_repeats_and_listing_of_seats_leave_every_byte_as_it_was(rng: random.Random) -> None:
    results = mixed_results()
    seated = {r.id: rng.sample(range(len(r.seats)), len(r.seats)) for r in results}
    again = [reseated(r, seated[r.id]) for r in results + rng.choices(results, k=5)]
    rng.shuffle(again)
    assert render(standings(again), "json") == render(standings(results), "json")


def test_the_selection_does_not_show_the_order_of_the_results() -> None:
    assert select(reversed(mixed_results())) == select(mixed_results())


def test_renaming_the_teams_changes_nothing() -> None:
    one = game(1, "abcd", (0, 1, 0, 1), teams=PARTNERS)
    other = game(1, "abcd", (0, 1, 0, 1), teams=(1, 0, 1, 0))
    assert standings([one]) == standings([other])


def test_another_result_gives_another_digest() -> None:
    one, other = standings([game(1, "ab", (0, 1))]), standings([game(1, "ab", (1, 0))])
    assert one.digest != other.digest
    assert standings([game(1, "ab", (0, 1), faults=(None, FaultKind.TIMEOUT))]).digest != one.digest


def test_two_results_under_one_id_are_an_error_that_names_it() -> None:
    with pytest.raises(ResultsError, match=f"{7:032x} has two different results"):
        select([game(7, "ab", (0, 1)), game(7, "ab", (1, 0))])


def test_only_whole_blocks_are_rated() -> None:
    pair = [game(i, "ab", (0, 1), block="x", block_size=2) for i in (1, 2)]
    assert standings(pair).games == 2
    half = standings([*pair, game(3, "ab", (0, 1), block="y", block_size=2)])
    assert (half.games, half.blocks, half.incomplete_blocks, half.incomplete_games) == (2, 1, 1, 1)
    assert half.rows == standings(pair).rows


def test_one_name_of_a_block_in_two_variants_is_two_blocks() -> None:
    split = [game(i, "ab", (0, 1), block="x", block_size=2, variant=f"claim/{i}") for i in (1, 2)]
    assert (standings(split).games, standings(split).incomplete_blocks) == (0, 2)


@pytest.mark.parametrize("sizes", [(1, 1), (2, 3)])
def test_a_block_that_disagrees_with_its_size_is_an_error(sizes: tuple[int, int]) -> None:
    with pytest.raises(ResultsError, match="block x has 2 games"):
        select(game(i, "ab", (0, 1), block="x", block_size=size) for i, size in enumerate(sizes))


@pytest.mark.parametrize("verdict", [Verdict.VOID, Verdict.ABORTED])
def test_a_void_game_never_counts_and_its_replay_does(verdict: Verdict) -> None:
    void = game(1, "ab", (1, 0), verdict=verdict)
    assert (standings([void, void]).games, standings([void]).void) == (0, 1)
    played = standings([void, game(1, "ab", (0, 1))])
    assert (played.games, played.void, row_of(played, "a").rank) == (1, 0, 1)


def test_a_void_game_leaves_its_block_incomplete() -> None:
    pair = [
        game(1, "ab", (0, 1), block="x", block_size=2),
        game(2, "ab", (0, 1), block="x", block_size=2, verdict=Verdict.VOID),
    ]
    assert (standings(pair).games, standings(pair).incomplete_blocks) == (0, 1)


def test_a_bot_that_fills_its_team_is_rated_as_one() -> None:
    copies = game(1, "abab", (0, 1, 0, 1), teams=PARTNERS)
    assert sides(copies) == (Side(0, (bot("a"),)), Side(1, (bot("b"),)))
    team, duel = standings([copies]), standings([game(1, "ab", (0, 1))])
    assert [(row.bot, row.rating, row.tally) for row in team.rows] == [
        (row.bot, row.rating, row.tally) for row in duel.rows
    ]


def test_partners_are_rated_each() -> None:
    table = standings(
        [game(i, "abcd", (0, 1, 0, 1), teams=PARTNERS) for i in range(3)]
        + [game(9, "adcb", (0, 1, 0, 1), teams=PARTNERS)]
        + [game(10, "abdc", (0, 1, 0, 1), teams=PARTNERS)]
    )
    best = row_of(table, "a")
    assert best.rank == 1
    assert (best.tally.games, best.tally.wins, best.tally.expected_share) == (5, 5, 0.5)
    assert row_of(table, "c").rating != row_of(table, "d").rating


def test_copies_and_mixed_partners_may_share_a_fit() -> None:
    table = standings(
        [
            game(1, "abab", (0, 1, 0, 1), teams=PARTNERS),
            game(2, "abcd", (0, 1, 0, 1), teams=PARTNERS),
        ]
    )
    assert (table.games, table.unratable) == (2, 0)
    assert row_of(table, "a").rank == 1


@pytest.mark.parametrize(
    ("names", "teams"),
    [
        ("aa", (0, 1)),
        ("abab", (0, 0, 1, 1)),
        ("abca", (0, 1, 2, 3)),
        ("aabc", (0, 0, 1, 1)),
        ("aaabcd", (0, 0, 1, 0, 1, 1)),
        ("ab", (0, 0)),
    ],
    ids=["itself", "both teams", "two places", "copies against a mixed team", "half a team", "one side"],
)
def test_a_game_that_compares_nobody_is_counted_but_not_rated(names: str, teams: tuple[int, ...]) -> None:
    table = standings([game(1, names, [0] * len(names), teams=teams), game(2, "xy", (0, 1))])
    assert (table.games, table.unratable, table.blocks) == (1, 1, 2)
    assert [row.bot.name for row in table.rows] == ["x", "y"]


def test_seats_of_a_team_with_different_ranks_are_an_error() -> None:
    with pytest.raises(ResultsError, match="different ranks"):
        standings([game(1, "abab", (0, 1, 1, 0), teams=PARTNERS)])


def test_wins_draws_and_losses_go_by_the_first_place() -> None:
    table = standings(
        [
            game(1, "abc", (0, 1, 2), variant=TRIO),
            game(2, "abc", (0, 0, 1), variant=TRIO),
            game(3, "abc", (1, 0, 1), variant=TRIO),
        ]
    )
    tally = row_of(table, "a").tally
    assert (tally.games, tally.wins, tally.draws, tally.losses) == (3, 1, 1, 1)
    assert tally.win_share == pytest.approx(1.5 / 3)
    assert tally.expected_share == pytest.approx(1 / 3)


def test_gaps_between_ranks_do_not_matter() -> None:
    close, far = game(1, "abc", (0, 1, 2), variant=TRIO), game(1, "abc", (0, 4, 9), variant=TRIO)
    assert sides(close) == sides(far)


def test_a_forfeit_is_a_loss_with_its_reason() -> None:
    lost = game(1, "ab", (1, 0), faults=(FaultKind.TIMEOUT, None), verdict=Verdict.FORFEIT)
    table = standings([lost, game(2, "ab", (1, 0), faults=(FaultKind.TIMEOUT, None))])
    assert row_of(table, "a").tally.losses == 2
    assert row_of(table, "a").tally.faults == ((FaultKind.TIMEOUT, 2),)
    assert row_of(table, "b").tally.faults == ()


def test_the_overall_rating_is_the_mean_of_the_variants_and_never_a_pool_of_games() -> None:
    often = duels({("a", "b"): 90, ("b", "a"): 10})
    seldom = duels({("a", "b"): 1, ("b", "a"): 9}, start=1000, variant="claim/2p/other")
    table = standings(often + seldom)
    found = [row.rating for board in table.boards for row in board.rows if row.bot == bot("a")]
    assert [board.weight for board in table.boards] == [0.5, 0.5]
    first, second = (rating for rating in found if rating)
    overall = row_of(table, "a").rating
    assert overall and overall.mu == pytest.approx((first.mu + second.mu) / 2, abs=1e-4)
    assert overall.sigma == pytest.approx((first.sigma**2 + second.sigma**2) ** 0.5 / 2, abs=1e-4)
    assert row_of(table, "b").rank == 1  # though it lost 91 of 110


def test_mean_rating() -> None:
    assert mean_rating([Rating(20, 3), Rating(30, 4)], [0.5, 0.5]) == Rating(25, 2.5)


def test_a_bot_that_lacks_a_variant_has_no_overall_rating() -> None:
    table = standings(duels({("a", "b"): 5}) + duels({("b", "c"): 5}, start=10, variant="claim/2p/other"))
    assert [(row.bot.name, row.rank, row.rating is None) for row in table.rows] == [
        ("b", 1, False),
        ("a", None, True),
        ("c", None, True),
    ]
    assert row_of(table, "a").missing == ("claim/2p/other",)
    assert row_of(table, "a").tally.games == 5


def test_ratings_of_different_rules_never_mix() -> None:
    table = standings([game(1, "ab", (0, 1)), game(2, "ab", (0, 1), rules="2-0a1b2c3d")])
    assert [board.label for board in table.boards] == [f"{DUEL} (rules {n}-0a1b2c3d)" for n in (1, 2)]
    assert [board.games for board in table.boards] == [1, 1]


def test_equal_ratings_share_a_rank() -> None:
    table = standings(duels({("a", "b"): 2, ("b", "a"): 2, ("a", "c"): 3, ("b", "c"): 3}))
    assert [row.rank for row in table.rows] == [1, 1, 3]


def test_few_games_or_a_wide_sigma_are_provisional() -> None:
    even = {("a", "b"): 49, ("b", "a"): 50}
    assert row_of(standings(duels(even)), "a").provisional
    assert not row_of(standings([*duels(even), game(500, "ab", (0, 1))]), "a").provisional
    row = row_of(standings(duels({("a", "b"): 400})), "a")
    assert row.rating and row.rating.sigma > 0.8 and row.provisional


def test_the_share_of_ties_of_a_variant_is_in_its_board() -> None:
    (board,) = standings([game(i, "ab", (0, i % 2)) for i in range(99)]).boards
    assert (board.draw_probability, board.games) == (0.505, 99)
    assert board.draw_margin == pytest.approx(4.0213, abs=1e-3)


def test_a_pattern_chooses_variants_and_a_name_a_game() -> None:
    results = mixed_results()
    assert {board.label for board in standings(results, variant="claim/*").boards} == {DUEL, "claim/4p"}
    assert [board.label for board in standings(results, game="aristoocrazy").boards] == [TRIO]
    with pytest.raises(ValueError, match="no result is of claim/9p; there are results of aristoocrazy/3p, "):
        standings(results, variant="claim/9p")


def test_by_variant_and_by_game_are_the_standings_of_each() -> None:
    results = mixed_results()
    variants = by_variant(results, isolation="none", notes=["n"])
    assert list(variants) == [TRIO, DUEL, "claim/4p"]
    assert variants[DUEL] == standings(results, variant=DUEL, isolation="none", notes=["n"])
    assert list(by_variant(results, variant="claim/*")) == [DUEL, "claim/4p"]
    assert by_game(results)["claim"] == standings(results, game="claim")


def test_nothing_played_is_an_empty_table() -> None:
    table = standings([])
    assert (table.rows, table.boards, table.games) == ((), (), 0)


@pytest.mark.parametrize("change", [{"isolation": "strict"}, {"notes": ("bot x is suspended",)}])
def test_what_the_caller_says_is_kept_and_leaves_the_digest(change: dict[str, Any]) -> None:
    results = duels({("a", "b"): 1})
    assert standings(results, **change) == replace(standings(results), **change)
