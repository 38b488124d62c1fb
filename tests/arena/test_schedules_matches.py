"""Swiss and knockout: who meets whom follows from who won."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.errors import InputError
from arena.explained import EXPLAINED
from arena.schedules.blocks import Block, Field, Progress
from arena.schedules.knockout import Knockout, check
from arena.schedules.swiss import Round, Standing, Swiss, seated
from protocol.result import GameResult
from protocol.vocabulary import BotId, Verdict
from tests.arena.scheduled import FOUR, TEAMS, THREE, TWO, falling, field_of, played, progress_of, run


def names(bots: Iterable[BotId]) -> str:
    return " ".join(bot.name[1:] for bot in bots)


def rounds_of(schedule: Swiss, field: Field, strength: dict[BotId, float], size: int = 2) -> list[Round]:
    progress, _ = run(schedule, field, strength)
    return schedule.drawn(field, progress)[size]


@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_a_swiss_puts_the_best_first_and_the_worst_last(seed: str) -> None:
    field = field_of(16, TWO, seed=seed)
    assert len(rounds_of(Swiss(deals=1), field, falling(field))) == 6, "log2 of 16, and two more"
    (*_, last) = rounds_of(Swiss(deals=1, rounds=7), field, falling(field))
    places = [field.bots.index(bot) for bot in last.order]
    assert places[0] == 0 and places[-1] == 15
    assert sum(abs(place - own) for own, place in enumerate(places)) <= 32, "by lot it would be some 85"


@pytest.mark.parametrize(
    ("count", "size", "variant"), [(9, 2, TWO), (10, 2, TWO), (9, 3, THREE), (16, 4, FOUR)]
)
def test_no_two_meet_twice_while_that_can_be_avoided(count: int, size: int, variant: str) -> None:
    field = field_of(count, variant)
    rounds = rounds_of(Swiss(1, rounds=3), field, falling(field, 0.3), size)
    met = Counter(
        pair for round in rounds for table in round.tables for pair in combinations(sorted(table), 2)
    )
    assert len(rounds) == 3 and max(met.values()) == 1


def test_all_meet_all_where_there_are_so_many_rounds_and_then_again_on_new_deals() -> None:
    field = field_of(6, TWO, deals=2)
    progress, steps = run(Swiss(2, rounds=10), field, falling(field, 0.3))
    assert len(steps) == 10
    assert len(progress.closed) == 15 and all(
        set(deals) == {0, 1, 2, 3} for deals in progress.closed.values()
    )


@pytest.mark.parametrize(("count", "variant", "size"), [(7, TWO, 2), (8, THREE, 3), (7, FOUR, 4)])
def test_nobody_sits_out_twice_before_all_did_once(count: int, variant: str, size: int) -> None:
    field = field_of(count, variant)
    rounds = rounds_of(Swiss(1, rounds=9), field, falling(field, 0.3), size)
    out: Counter[BotId] = Counter(dict.fromkeys(field.bots, 0))
    for round in rounds:
        out.update(round.byes)
        assert max(out.values()) - min(out.values()) <= 1
        assert len(round.byes) == count % size


def test_there_are_no_more_rounds_than_meetings_for_them() -> None:
    assert [len(rounds_of(Swiss(1), field_of(n, TWO), falling(field_of(n, TWO)))) for n in (2, 3, 4, 5)] == [
        1, 3, 3, 5,
    ]  # fmt: skip


def test_points_count_first_then_those_of_the_bots_that_were_met() -> None:
    field = field_of(5, TWO)
    a, b, c, d, e = field.bots
    standing = Standing(field, 2)
    won, lost = Fraction(3, 4), Fraction(1, 4)
    standing.enter({(a, b): {a: won, b: lost}, (c, d): {c: won, d: lost}}, [e])
    assert set(standing.order()[:3]) == {a, c, e}, "who sat out has what a winner has"
    standing.enter({(a, c): {a: won, c: lost}, (b, e): {b: lost, e: won}}, [d])
    assert standing.order() == [a, e, c, d, b]
    standing.enter({(c, d): {c: lost, d: won}, (a, e): {a: lost, e: lost}}, [b])
    assert standing.order()[-1] == b, "2 points, as all others have but d and a; met a and e"


def test_each_number_of_bots_at_a_table_has_rounds_of_its_own() -> None:
    field = field_of(6, TWO, THREE, TEAMS)
    schedule = Swiss(1)
    progress, _ = run(schedule, field, falling(field, 0.3))
    drawn = schedule.drawn(field, progress)
    assert drawn.keys() == {2, 3}
    assert {block.meeting.variant for round in drawn[2] for block in round.blocks} == {TWO, TEAMS}
    both = [{frozenset(block.meeting.bots) for block in drawn[2][0].blocks if block.meeting.variant == variant}
            for variant in (TWO, TEAMS)]  # fmt: skip
    assert both[0] == both[1]


def test_with_mixed_partners_a_table_plays_in_every_partnership() -> None:
    field = field_of(8, TEAMS, partners="mixed")
    (first, *_) = rounds_of(Swiss(1), field, falling(field, 0.3), 4)
    assert len(first.tables) == 2 and len(first.blocks) == 2 * 3


@given(st.sampled_from([(6, 2), (6, 3)]), st.lists(st.integers(0, 2), min_size=15, max_size=15))
@settings(max_examples=60, deadline=None)
def test_tables_repeat_as_few_meetings_as_can_be(shape: tuple[int, int], times: list[int]) -> None:
    count, size = shape
    bots = field_of(count, TWO).bots
    met: dict[tuple[BotId, ...], int] = dict(zip(combinations(bots, 2), times, strict=True))

    def repeats(tables: list[tuple[BotId, ...]]) -> int:
        return sum(met[pair] for table in tables for pair in combinations(sorted(table), 2))

    every = ([order[n : n + size] for n in range(0, count, size)] for order in permutations(bots))
    found = seated(bots, size, met)
    assert sorted(bot for table in found for bot in table) == list(bots)
    assert repeats(found) == min(map(repeats, every))


@pytest.mark.parametrize(
    ("count", "first"),
    [(5, ["0", "3 4", "1", "2"]), (8, ["0 7", "3 4", "1 6", "2 5"]),
     (13, ["0", "7 8", "3 12", "4 11", "1", "6 9", "2", "5 10"])],
)  # fmt: skip
def test_a_bracket_keeps_the_first_apart_and_gives_them_the_byes(count: int, first: list[str]) -> None:
    field = field_of(count, TWO, TEAMS, deals=2)
    progress, steps = run(Knockout(2), field, falling(field))
    rounds = Knockout(2).bracket(field, progress)
    assert [names(match.bots) for match in rounds[0]] == first
    assert [names(match.bots) for match in rounds[-2]] == ["0 3", "1 2"]
    assert [(names(match.bots), match.winner, match.score) for match in rounds[-1]] == [
        ("0 1", field.bots[0], (Fraction(1), Fraction(0)))
    ]
    assert len(progress.closed) == 2 * (count - 1) and len(steps) == len(rounds)


def test_the_winner_goes_on_whatever_its_seed() -> None:
    field = field_of(8, TWO)
    upwards = {bot: -value for bot, value in falling(field).items()}
    progress, _ = run(Knockout(1), field, upwards)
    final = Knockout(1).bracket(field, progress)[-1][0]
    assert final.winner == field.bots[7] and final.score[final.bots.index(field.bots[7])] == 1


def test_a_bracket_shows_who_is_awaited() -> None:
    field = field_of(5, TWO)
    first, second, third = Knockout(1).bracket(field, Progress())
    assert [match.winner for match in first] == [field.bots[0], None, field.bots[1], field.bots[2]]
    assert [names(match.bots) for match in second] == ["0", "1 2"]
    assert [(match.bots, match.winner, match.missing) for match in third] == [((), None, ())]
    assert len(second[1].missing) == 1, "whose bots are known need not wait for the rest of the round before"


def test_a_tie_plays_on_and_at_last_the_better_seed_wins() -> None:
    field = field_of(2, TWO, deals=3)
    progress, steps = Progress(), 0
    while blocks := Knockout(3).step(field, progress):
        assert {block.deal for block in blocks} == set(range(3 * steps, 3 * steps + 3))
        progress.take(_mirrored(field, blocks))
        steps += 1
    assert steps == 4, "the match, and three times more"
    ((match,),) = Knockout(3).bracket(field, progress)
    assert match.winner == field.bots[0] and match.score == (Fraction(1, 2), Fraction(1, 2))


def test_a_tie_that_is_broken_later_is_won_by_all_its_games() -> None:
    field = field_of(2, TWO)
    progress = Progress()
    progress.take(_mirrored(field, Knockout(1).step(field, progress)))
    weaker = {field.bots[0]: -100.0, field.bots[1]: 0.0}
    progress.take(played(field, Knockout(1).step(field, progress), weaker))
    ((match,),) = Knockout(1).bracket(field, progress)
    assert (
        match.winner == field.bots[1]
        and match.score == (Fraction(1, 4), Fraction(3, 4))
        and not match.missing
    )


def test_a_match_is_not_won_by_what_a_void_game_leaves_of_a_block() -> None:
    field = field_of(2, TWO)
    progress = Progress()
    first, *others = _mirrored(field, Knockout(1).step(field, progress))
    progress.take([replace(first, verdict=Verdict.VOID), *others])
    ((match,),) = Knockout(1).bracket(field, progress)
    assert (match.winner, match.score) == (None, ()) and [block.deal for block in match.missing] == [1]


def _mirrored(field: Field, blocks: list[Block]) -> list[GameResult]:
    """Who sits first wins."""
    results = progress_of(played(field, blocks, falling(field))).results
    return [replace(r, seats=tuple(replace(s, rank=n) for n, s in enumerate(r.seats))) for r in results]


@pytest.mark.parametrize(
    ("variant", "partners", "why"), [(THREE, "same", "3 sides"), (TEAMS, "both", "mixed")]
)
def test_a_knockout_is_for_two(variant: str, partners: str, why: str) -> None:
    check(field_of(4, TWO, TEAMS))
    with pytest.raises(InputError, match=why) as caught:
        check(field_of(4, TWO, variant, partners=partners))
    assert caught.value.code in EXPLAINED
