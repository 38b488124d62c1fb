"""Which games count, who is who in them, and what the standings say of it."""

import hashlib
import json
import random
from dataclasses import replace
from itertools import product
from typing import Any, get_args

import pytest

from leaderboards.boards import Board, Row
from leaderboards.choices import By, Format, Show
from leaderboards.ratings import Rating
from leaderboards.selection import ResultsError, Side, select, sides
from leaderboards.settings import Settings
from leaderboards.standings import AnchorError, Standings, mean_rating, standings
from leaderboards.tables import render
from protocol.result import GameResult
from protocol.vocabulary import FaultKind, Team, Verdict
from tests.leaderboards.leaderboard_results import (
    DUEL,
    FOUR,
    PARTNERS,
    TRIO,
    bot,
    duels,
    game,
    reseated,
    tournament,
)


def row_of(table: Standings, name: str) -> Row:
    return next(row for row in table.rows if row.bot == bot(name))


def mixed_results() -> list[GameResult]:
    """Duels, partnerships and three for themselves, with ties, forfeits and an incomplete block."""
    results = duels({("a", "b"): 4, ("b", "a"): 2, ("b", "c"): 3, ("c", "a"): 1}, start=1000)
    results += [
        game(1100, "abc", (0, 1, 1), variant=TRIO),
        game(1101, "cab", (2, 0, 1), variant=TRIO),
        game(1102, "bca", (0, 0, 0), variant=TRIO, faults=(FaultKind.CRASH, None, None)),
        game(1200, "abcd", (0, 1, 0, 1), teams=PARTNERS, variant="claim/4p"),
        game(1201, "acbd", (0, 0, 0, 0), teams=PARTNERS, variant="claim/4p"),
        game(1300, "ab", (0, 1), block="half", block_size=2),
        game(1400, "ab", (0, 0), verdict=Verdict.VOID),
    ]
    return results


@pytest.mark.parametrize("seed", range(2))
def test_order_repeats_and_listing_of_seats_leave_every_byte_as_it_was(seed: int) -> None:
    rng = random.Random(seed)
    results = tournament() + mixed_results()
    by_seat, by_team = ({r.id: listing(r, rng) for r in results} for listing in (any_listing, team_by_team))
    one = standings(results)
    for listings, shows in ((by_seat, {"table", "matrix", "seats", "fit"}), (by_team, set(get_args(Show)))):
        again = [reseated(r, listings[r.id]) for r in results + rng.choices(results, k=50)]
        rng.shuffle(again)
        other = standings(again)
        for format, show, by in product(get_args(Format), shows, get_args(By)):
            if show != "all" or format not in ("csv", "tsv"):
                made = [render(table, format, show=show, by=by) for table in (one, other)]
                assert made[0] == made[1], (format, show, by)


def any_listing(result: GameResult, rng: random.Random) -> list[int]:
    return rng.sample(range(len(result.seats)), len(result.seats))


def team_by_team(result: GameResult, rng: random.Random) -> list[int]:
    """Seats of one team in their order, which is where partners sit."""
    teams = sorted({seat.team for seat in result.seats}, key=lambda _: rng.random())
    return sorted(range(len(result.seats)), key=lambda n: teams.index(result.seats[n].team))


def test_the_selection_does_not_show_the_order_of_the_results() -> None:
    assert select(reversed(mixed_results())) == select(mixed_results())


def test_renaming_the_teams_changes_nothing() -> None:
    one = game(1, "abcd", (0, 1, 0, 1), teams=PARTNERS)
    other = game(1, "abcd", (0, 1, 0, 1), teams=(1, 0, 1, 0))
    assert standings([one]) == standings([other])


def test_who_sat_where_is_in_neither_digest_nor_ranking_but_in_the_seats() -> None:
    """What equal digests promise, and what they do not."""
    results = tournament()
    turned = [replace(r, seats=tuple(replace(s, team=Team(-s.team)) for s in r.seats)) for r in results]
    one, other = standings(results), standings(turned)
    shows: tuple[Show, ...] = ("table", "matrix", "fit", "seats")
    same = [render(one, "json", show=show) == render(other, "json", show=show) for show in shows]
    assert one.digest == other.digest and same == [True, True, True, False]


def test_another_result_gives_another_digest() -> None:
    one, other = standings([game(1, "ab", (0, 1))]), standings([game(1, "ab", (1, 0))])
    assert one.digest != other.digest
    assert standings([game(1, "ab", (0, 1), faults=(None, FaultKind.TIMEOUT))]).digest != one.digest


def test_two_results_under_one_id_are_an_error_that_names_it() -> None:
    with pytest.raises(ResultsError, match=f"{7:032x} has two different results"):
        select([game(7, "ab", (0, 1)), game(7, "ab", (1, 0))])


def test_only_whole_blocks_are_rated() -> None:
    pair = [game(i, "ab", (0, 1), block="x", block_size=2) for i in (1, 2)]
    assert standings(pair).selection.rated == 2
    half = standings([*pair, game(3, "ab", (0, 1), block="y", block_size=2)])
    assert (
        half.selection.rated,
        half.selection.blocks,
        half.selection.incomplete_blocks,
        half.selection.incomplete_games,
    ) == (2, 1, 1, 1)
    assert half.rows == standings(pair).rows


def test_one_name_of_a_block_in_two_variants_is_two_blocks() -> None:
    split = [game(i, "ab", (0, 1), block="x", block_size=2, variant=f"claim/{i}") for i in (1, 2)]
    assert (standings(split).selection.rated, standings(split).selection.incomplete_blocks) == (0, 2)


@pytest.mark.parametrize("sizes", [(1, 1), (2, 3)])
def test_a_block_that_disagrees_with_its_size_is_an_error(sizes: tuple[int, int]) -> None:
    with pytest.raises(ResultsError, match="block x has 2 games"):
        select(game(i, "ab", (0, 1), block="x", block_size=size) for i, size in enumerate(sizes))


@pytest.mark.parametrize("verdict", [Verdict.VOID, Verdict.ABORTED])
def test_a_void_game_never_counts_and_its_replay_does(verdict: Verdict) -> None:
    void = game(1, "ab", (1, 0), verdict=verdict)
    assert (standings([void, void]).selection.rated, standings([void]).selection.void) == (0, 1)
    played = standings([void, game(1, "ab", (0, 1))])
    assert (played.selection.rated, played.selection.void, row_of(played, "a").rank) == (1, 0, 1)


def test_a_void_game_leaves_its_block_incomplete() -> None:
    pair = [
        game(1, "ab", (0, 1), block="x", block_size=2),
        game(2, "ab", (0, 1), block="x", block_size=2, verdict=Verdict.VOID),
    ]
    assert (standings(pair).selection.rated, standings(pair).selection.incomplete_blocks) == (0, 1)


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


def test_copies_and_mixed_partners_are_kinds_of_their_own() -> None:
    copies = [game(n, "abab", (0, 1, 0, 1), teams=PARTNERS) for n in range(3)]
    mixed = [game(n, names, (0, 1, 0, 1), teams=PARTNERS) for n, names in enumerate(["acbd", "cabd"], 10)]
    table = standings([*copies, *mixed])
    assert [(board.label, board.games) for board in table.boards] == [(DUEL, 3), (f"{DUEL} (partners)", 2)]
    for board, alone in zip(table.boards, (copies, mixed), strict=True):
        assert [row.rating for row in board.rows] == [row.rating for row in standings(alone).rows]
    assert row_of(table, "c").missing == (DUEL,)
    assert [board.label for board in standings(mixed).boards] == [DUEL]


def test_games_of_one_kind_with_sides_of_other_numbers_are_an_error_that_names_one() -> None:
    with pytest.raises(ResultsError, match=f"game {2:032x} of {DUEL} has 3 sides, and others have 2"):
        standings([game(1, "ab", (0, 1)), game(2, "abc", (0, 1, 2))])


def test_what_is_seen_and_not_rated_is_kept() -> None:
    faulty = game(3, "abe", (0, 1, 2), variant=TRIO, faults=(None, None, FaultKind.CRASH))
    half = game(4, "abab", (0, 1, 0, 1), teams=PARTNERS, variant=FOUR, block_size=2)
    void = game(5, "cd", (0, 0), variant="claim/2p/void", verdict=Verdict.VOID)
    results = [game(1, "ab", (0, 1)), game(2, "ab", (1, 0)), faulty, half, void]
    table = standings(
        results, settings=Settings(without_forfeits=True), variants=[DUEL, "claim/2p/none", FOUR]
    )
    assert table.unrated == (TRIO, "claim/2p/void", FOUR, "claim/2p/none")
    assert [one.name for one in table.idle] == ["c", "d", "e"]
    assert [row.bot.name for row in table.rows] == ["a", "b"] and not any(row.missing for row in table.rows)
    assert standings(reversed(results), settings=table.settings).idle == table.idle


def test_games_that_compare_nobody_make_no_variant() -> None:
    alone = game(1, "aa", (0, 1), variant=TRIO)
    assert standings([alone, game(2, "ab", (0, 1))]).unrated == ()


def test_nothing_is_sure_on_one_deal_and_something_on_two() -> None:
    one, two = (
        standings([game(n, "ab", (n % 2, 1 - n % 2), deal=f"{n % deals}") for n in range(60)])
        for deals in (1, 2)
    )
    assert one.confidence == one.boards[0].confidence == ()
    for found in (two.confidence, two.boards[0].confidence):
        (group,) = found
        assert group.deals == 2 and len(group.bots) == 2


def test_a_variant_on_one_deal_leaves_the_overall_order_unsure() -> None:
    single = [game(n, "ab", (0, 1), deal="one", variant=TRIO) for n in range(100, 104)]
    table = standings([*duels({("a", "b"): 9, ("b", "a"): 9}), *single])
    assert table.confidence == () and [len(board.confidence) for board in table.boards] == [0, 1]


def test_a_bot_that_compares_with_nobody_overall_has_no_chances() -> None:
    pairs = {("a", "b"): 3, ("b", "a"): 3, ("c", "d"): 3, ("d", "c"): 3}
    other = duels({("a", "b"): 9, ("b", "c"): 9}, start=90, variant="claim/2p/other")
    table = standings([*duels(pairs), *other])
    assert [(row.bot.name, row.group) for row in table.rows if row.group] == [("a", 1), ("b", 1), ("c", 2)]
    assert [[one.name for one in group.bots] for group in table.confidence] == [["a", "b"]]


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
    assert (table.selection.rated, table.selection.unratable, table.selection.blocks) == (1, 1, 2)
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


def test_nothing_played_is_an_empty_table() -> None:
    table = standings([])
    assert (table.rows, table.boards, table.selection.rated) == ((), (), 0)


@pytest.mark.parametrize("change", [{"isolation": "strict"}, {"notes": ("bot x is suspended",)}])
def test_what_the_caller_says_is_kept_and_leaves_the_digest(change: dict[str, Any]) -> None:
    results = duels({("a", "b"): 1})
    assert standings(results, **change) == replace(standings(results), **change)


def test_the_digests_can_be_recomputed_by_anybody() -> None:
    table = standings([game(1, "ab", (0, 1)), game(2, "ba", (0, 1))], settings=Settings(("a", 30.0)))
    document = json.loads(render(table, "json"))
    said = json.dumps(document["settings"], sort_keys=True)
    lines = [
        json.dumps(
            [
                r.id,
                r.game,
                r.variant,
                r.rules,
                r.deal,
                r.block,
                r.verdict,
                sorted([[s.rank, s.bot.name, s.bot.digest, s.score, s.fault or ""]] for s in r.seats),
            ]
        )
        for r in (game(1, "ab", (0, 1)), game(2, "ba", (0, 1)))
    ]
    digests = [hashlib.sha256(text.encode()).hexdigest() for text in (said, "\n".join(sorted(lines)))]
    assert [document["settings_digest"], document["games_digest"]] == digests
    assert document["digest"] == hashlib.sha256("\n".join(digests).encode()).hexdigest()


def test_other_settings_have_another_digest_and_the_same_games() -> None:
    results = duels({("a", "b"): 5})
    one, other = standings(results), standings(results, settings=Settings(("a", 25.0)))
    assert one.digest != other.digest and one.games_digest == other.games_digest


def test_an_anchor_has_its_rating_and_the_others_stand_to_it_as_before() -> None:
    free, fixed = standings(tournament()), standings(tournament(), settings=Settings(("a", 40.0)))
    tables: list[tuple[Board | Standings, Board | Standings]] = [(free, fixed)]
    for before, after in [*tables, *zip(free.boards, fixed.boards, strict=True)]:
        mu = {row.bot: row.rating.mu for row in before.rows if row.rating}
        anchored = {row.bot: row.rating.mu for row in after.rows if row.rating}
        assert anchored[bot("a")] == 40
        assert {b: m - 40 for b, m in anchored.items()} == pytest.approx(
            {b: m - mu[bot("a")] for b, m in mu.items()}, abs=3e-4
        )
        (group,) = after.confidence
        assert group.bots[bot("a")].interval == (40, 40)
        low, high = group.bots[bot("b")].interval
        assert (high + low) / 2 == pytest.approx(anchored[bot("b")], abs=1e-3) and high - low > 1
        assert [one.ranks for one in group.bots.values()] == [
            one.ranks for one in before.confidence[0].bots.values()
        ]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("x", "no bot is called 'x'; there are a, b, c, d, e"),
        ("b", "several bots are called 'b': b@0000"),
        ("a", f"'a' has no rated game of {TRIO}"),
    ],
)
def test_an_anchor_that_is_none_is_an_error(name: str, why: str) -> None:
    (one,) = duels({("a", "b"): 1})
    seats = (one.seats[0], replace(one.seats[1], bot=replace(bot("b"), digest="f" * 64)))
    other = replace(game(1, "ab", (0, 1)), seats=seats)
    with pytest.raises(AnchorError, match=why):
        standings([one, other, game(2, "cde", (0, 1, 2), variant=TRIO)], settings=Settings((name, 25.0)))


def test_an_anchor_may_be_one_of_several_versions() -> None:
    (one,) = duels({("a", "b"): 1})
    new = replace(bot("b"), digest="f" * 64)
    other = replace(game(1, "ab", (0, 1)), seats=(one.seats[0], replace(one.seats[1], bot=new)))
    table = standings([one, other], settings=Settings((str(new), 30.0)))
    assert [row.rating and row.rating.mu for row in table.rows if row.bot == new] == [30]
    for digits in ("f", "f" * 30, "f" * 64):
        assert standings([one, other], settings=Settings((f"b@{digits}", 30.0))).rows == table.rows
    for name in ("b@", "b@0f", f"b@{'f' * 65}", "@f"):
        with pytest.raises(AnchorError, match="no bot is called"):
            standings([one, other], settings=Settings((name, 30.0)))


@pytest.mark.parametrize("mu", [1e6 + 1, -1e17, float("inf"), float("nan")])
def test_an_anchor_out_of_all_bounds_is_an_error(mu: float) -> None:
    with pytest.raises(ValueError, match="within ±1,000,000"):
        Settings(("a", mu))


def test_an_anchor_at_the_bounds_keeps_the_ranks() -> None:
    free, far = (standings(tournament(), settings=one) for one in (Settings(), Settings(("a", -1e6))))
    assert [(row.bot, row.rank) for row in free.rows] == [(row.bot, row.rank) for row in far.rows]


def test_without_forfeits_whole_blocks_go_where_a_bot_made_a_fault() -> None:
    faults = (None, FaultKind.CRASH)
    blocks = [game(n, "ab", (0, 1), block=f"b{n // 2}", block_size=2) for n in range(6)]
    blocks[3] = game(3, "ab", (0, 1), block="b1", block_size=2, faults=faults, verdict=Verdict.FORFEIT)
    table = standings(blocks, settings=Settings(without_forfeits=True))
    left = table.selection
    assert (left.rated, left.blocks, left.faulty_games, left.faulty_blocks) == (4, 2, 2, 1)
    assert table.rows == standings(blocks[:2] + blocks[4:]).rows
    assert standings(blocks).selection.rated == 6


def test_bots_that_never_met_have_places_of_their_own() -> None:
    table = standings(duels({("a", "b"): 9, ("b", "a"): 5, ("c", "d"): 9, ("d", "e"): 7}))
    (board,) = table.boards
    assert [(row.bot.name, row.group, row.rank) for row in table.rows] == [
        ("c", 1, 1), ("d", 1, 2), ("e", 1, 3), ("a", 2, 1), ("b", 2, 2),
    ]  # fmt: skip
    for groups in (table.confidence, board.confidence):
        assert [[b.name for b in group.bots] for group in groups] == [["c", "d", "e"], ["a", "b"]]
        assert [sum(one.first for one in group.bots.values()) for group in groups] == pytest.approx(
            [1, 1], abs=5e-4
        )
        assert all(one.ranks[1] <= len(group.bots) for group in groups for one in group.bots.values())


def test_overall_only_those_compare_who_met_in_every_variant() -> None:
    split = duels({("a", "b"): 3, ("c", "d"): 3}) + duels(
        {("a", "c"): 3, ("b", "d"): 3, ("a", "b"): 3}, start=50, variant="claim/2p/other"
    )
    table = standings(split)
    assert [[b.name for b in group.bots] for group in table.confidence] == [["a", "b"], ["c", "d"]]


def test_who_is_told_apart_has_no_letter_in_common_and_a_range_of_its_own() -> None:
    wins = {
        ("a", "b"): 300,
        ("a", "c"): 300,
        ("b", "c"): 101,
        ("b", "a"): 60,
        ("c", "a"): 60,
        ("c", "b"): 100,
    }
    (group,) = standings(duels(wins)).confidence
    a, b, c = (group.bots[bot(name)] for name in "abc")
    assert (a.letters, b.letters, c.letters) == ("a", "b", "b")
    assert (a.ranks, b.ranks, c.ranks) == ((1, 1), (2, 3), (2, 3))
    assert (a.first, a.top3, group.neighbours) == (1, 1, 0.5)
    assert 0.6 < group.tau < 0.7 and group.deals == 461


def test_a_circle_fires_the_test_of_fit_and_an_order_does_not() -> None:
    circle = {("a", "b"): 70, ("b", "a"): 30, ("b", "c"): 70, ("c", "b"): 30, ("c", "a"): 70, ("a", "c"): 30}
    (board,) = standings(duels(circle)).boards
    assert board.fitting.fires and board.nash
    assert [part.weight for part in board.nash] == pytest.approx([1 / 3] * 3, abs=1e-3)
    (board,) = standings(duels({("a", "b"): 60, ("b", "a"): 40, ("b", "c"): 60, ("c", "b"): 40})).boards
    assert not board.fitting.fires and board.nash is None
