"""A tournament of which games are only counted goes on as one whose results are all read; so do suspensions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.config import Tournament, parse
from arena.errors import StorageError
from arena.ledger import Ledger
from arena.planning import Course, course_of, plan_of
from arena.schedules.blocks import Field, Progress, pairings_of
from arena.schedules.deals import MOST, Deals
from arena.schedules.round_robin import RoundRobin
from arena.suspension import Conduct, conduct
from arena.tables import GAMES
from protocol.result import GameResult
from protocol.vocabulary import BotId, FaultKind, Verdict
from referee.jobs import GameDone
from tests.arena.made import keep
from tests.arena.scheduled import falling, played

BOTS = tuple(BotId(f"b{n}", f"{n:064x}") for n in range(4))
KINDS: dict[str, dict[str, Any]] = {
    "round_robin": {},
    "gauntlet": {"bots": ["b0"]},
    "newcomer": {"bots": ["b2"], "newcomer_deals": 2},
    "swiss": {},
    "knockout": {},
    "finals": {},
    "adaptive": {},
}
STOPS: list[dict[str, float]] = [{"games": 7}, {"first": 0.9}, {}]
SCHEDULES = [(kind, stop) for kind in KINDS for stop in STOPS if stop or kind not in ("finals", "adaptive")]
SEED = "a seed"
numbers = count()


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ledger]:
    with closing(Ledger(tmp_path_factory.mktemp("counted") / "ledger.sqlite")) as ledger:
        yield ledger


def cup(kind: str, bots: int, variants: Sequence[str], deals: int, stop: dict[str, float]) -> Tournament:
    names = [bot.name for bot in BOTS[:bots]]
    fields = {"name": "cup", "bots": names, "variants": variants, "deals": deals, "stop": stop}
    return parse({**fields, "schedule": {"kind": kind, **KINDS[kind]}}, "test")


def games(tournament: Tournament, bots: int) -> list[GameDone]:
    """All of a round robin, as if somebody had played them."""
    field = Field(plan_of(tournament, SEED), BOTS[:bots])
    blocks = list(RoundRobin(tournament.deals).step(field, Progress()))
    results = {result.id: result for result in played(field, blocks, falling(field))}
    planned = (game for pairing in pairings_of(field.plan, blocks) for game in pairing.games)
    return [GameDone(game, "job", results[game.id], b"") for game in planned]


def spoilt(done: GameDone, how: str) -> GameDone:
    """How it may have ended: `void`, or with a fault of the bot in some seat."""
    result = done.result
    if how == "void":
        return replace(done, result=replace(result, verdict=Verdict.VOID))
    seats, kind = list(result.seats), FaultKind.TIMEOUT if how == "late" else FaultKind.CRASH
    seats[0] = replace(seats[0], fault=kind)
    return replace(done, result=replace(result, seats=tuple(seats), verdict=Verdict.FORFEIT))


def told(course: Course, results: Sequence[GameResult]) -> dict[str, object]:
    """All that is asked of a course."""
    progress = course.progress
    return {
        "next": list(course.next()), "left": list(course.left()), "over": course.over(), "kept": course.kept,
        "stopped": course.stopped(), "games": course.games(), "most": course.most(), "missing": course.missing(),
        "lacking": course.lacking(), "dropped": course.dropped(), "begun": course.begun(),
        "count": progress.games, "void": sorted(progress.void), "closed": course.closed({r.deal for r in results}),
        "blocks": {meeting: set(deals) for meeting, deals in progress.closed.items()},
    }  # fmt: skip


@st.composite
def stories(draw: st.DrawFn) -> tuple[list[GameDone], Tournament, frozenset[BotId], str]:
    """What was kept of a tournament, how it is to go on, and who is not to play on."""
    variants = draw(st.sampled_from([["claim"], ["claim/3p/GK-UWXTD"], ["claim", "claim/3p/GK-UWXTD"]]))
    kind, stop = draw(st.sampled_from(SCHEDULES))
    name, bots, deals = f"cup{next(numbers)}", draw(st.integers(3, 4)), draw(st.integers(1, 3))
    before = cup("round_robin", bots, variants, deals, {}).model_copy(update={"name": name})
    every = games(before, bots)
    kept = draw(st.lists(st.sampled_from(every), unique_by=lambda done: done.planned.id, max_size=len(every)))
    if draw(st.booleans()):
        kept = every[: draw(st.integers(0, len(every)))]
    ends = draw(
        st.lists(
            st.sampled_from(["", "", "", "void", "late", "dead"]), min_size=len(kept), max_size=len(kept)
        )
    )
    kept = [spoilt(done, how) if how else done for done, how in zip(kept, ends, strict=True)]
    after = cup(kind, draw(st.integers(bots, 4)), variants, draw(st.integers(deals, 4)), stop)
    away = frozenset(draw(st.lists(st.sampled_from(BOTS[: len(after.bots)]), max_size=1)))
    return kept, after.model_copy(update={"name": name}), away, name


@given(stories())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_to_come_is_the_same_whether_results_are_read_or_counted(
    ledger: Ledger, story: tuple[list[GameDone], Tournament, frozenset[BotId], str]
) -> None:
    check(ledger, *story)


def test_a_block_that_was_begun_is_ended_though_no_schedule_asks_for_it_now(ledger: Ledger) -> None:
    every = games(cup("round_robin", 3, ["claim"], 4, {}).model_copy(update={"name": "beyond"}), 3)
    kept = [
        done for done in every
        if done.planned.deal.endswith("#3") and BOTS[2] in {seat.bot for seat in done.result.seats}
    ][:1]  # fmt: skip
    check(
        ledger,
        kept,
        cup("newcomer", 3, ["claim"], 4, {}).model_copy(update={"name": "beyond"}),
        frozenset(),
        "beyond",
    )


def check(ledger: Ledger, kept: list[GameDone], after: Tournament, away: frozenset[BotId], name: str) -> None:
    """Hold what is counted to what is read."""
    bots = BOTS[: len(after.bots)]
    ledger.begin(name, SEED, after.model_dump(mode="json"), bots)
    keep(ledger, name, kept)
    results = [done.result for done in kept]
    assert sorted(results, key=lambda result: result.id) == ledger.results(name)
    counted = course_of(after, SEED, bots, away)
    counted.take_in(ledger)
    plain = course_of(after, SEED, bots, away)
    plain.progress.lean = False
    plain.take(results)
    assert told(counted, results) == told(plain, results)
    assert not (counted.lean and counted.progress.results)
    if counted.whole.static:
        assert counted.missing() == sum(len(pairing.games) for pairing in plain.left())
    faults = Conduct(2)
    for done in kept:
        faults.take_all([done.result])
    assert {bot: (one.kind, one.game) for bot, one in conduct(ledger, name, 2).suspended.items()} == {
        bot: (one.kind, one.game) for bot, one in faults.suspended.items()
    }


@given(stories())
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_rows_of_faults_go_on_after_a_pause(
    ledger: Ledger, story: tuple[list[GameDone], Tournament, frozenset[BotId], str]
) -> None:
    """Whatever is in the ledger by then, the bots are suspended for the same games as without a pause."""
    kept, after, _, name = story
    ledger.begin(name, SEED, after.model_dump(mode="json"), BOTS)
    keep(ledger, name, kept[: len(kept) // 2])
    paused, straight = conduct(ledger, name, 3), Conduct(3)
    paused.take_all(done.result for done in kept[len(kept) // 2 :])
    straight.take_all(done.result for done in kept)
    assert {one.game for one in paused.suspended.values()} == {
        one.game for one in straight.suspended.values()
    }


def test_a_game_without_a_fault_ends_a_row_before_a_pause_too(ledger: Ledger) -> None:
    tournament = cup("round_robin", 3, ["claim"], 2, {}).model_copy(update={"name": "pause"})
    mine = [done for done in games(tournament, 3) if done.result.seats[0].bot == BOTS[0]]
    ledger.begin("pause", SEED, tournament.model_dump(mode="json"), BOTS[:3])
    keep(ledger, "pause", [spoilt(mine[0], "late"), mine[1]])
    assert not conduct(ledger, "pause", 2).take_all([spoilt(mine[2], "late").result])
    keep(ledger, "pause", [spoilt(mine[3], "late")])
    (one,) = conduct(ledger, "pause", 2).take_all([spoilt(mine[2], "late").result])
    assert one.bot == BOTS[0]


def test_a_game_of_bots_that_cannot_meet_is_damage(ledger: Ledger) -> None:
    tournament = cup("round_robin", 3, ["claim"], 2, {}).model_copy(update={"name": "damaged"})
    ledger.begin("damaged", SEED, tournament.model_dump(mode="json"), BOTS[:3])
    keep(ledger, "damaged", games(tournament, 3))
    with ledger._database.writing() as db:
        db.execute(sa.update(GAMES).where(GAMES.c.tournament == "damaged").values(meeting="x"))
    with pytest.raises(StorageError, match="no such bots meet on deal"):
        course_of(tournament, SEED, BOTS[:3]).take_in(ledger)


@given(st.sets(st.integers(0, 40)), st.integers(0, 45), st.integers(0, 45))
def test_deals_are_a_set_of_numbers(numbers: set[int], first: int, end: int) -> None:
    deals = Deals(numbers)
    assert (
        set(deals) == numbers
        and len(deals) == len(numbers)
        and deals.below(end) == len(numbers & set(range(end)))
    )
    assert list(deals.lacking(first, end)) == sorted(set(range(first, end)) - numbers)


@pytest.mark.parametrize("deal", [-1, MOST])
def test_no_deal_is_beyond_those_of_a_tournament(deal: int) -> None:
    with pytest.raises(ValueError, match=f"there is no deal {deal}"):
        Deals().add(deal)
