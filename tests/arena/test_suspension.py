"""So many faults of one kind in a row suspend a bot; all of it follows from the order in which games were kept."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arena.cli import progress
from arena.config import Tournament, parse
from arena.events import BotSuspended, RunEnded, document
from arena.exported import verify_export
from arena.home import Home
from arena.ledger import Ledger
from arena.planning import plan_of
from arena.reading import Status, leaderboard, status
from arena.records import export
from arena.suspension import Conduct, Suspension, concerns, left_out, note, revised, suspended
from arena.tournament import _enter, prepare
from arena.verification import Tally, verify_ledger
from protocol.record import unpack
from protocol.vocabulary import BotId, FaultKind, GameId, Verdict, VoidReason
from referee.absent import forfeits, is_lost
from referee.faults import Misstep
from referee.jobs import GameDone
from referee.replay import check, read
from referee.score import void
from tests.arena.made import SEED, job_for, keep, played, round_robin
from tests.referee.driving import bot_ids, planned

ANN, BOB, CAT = bot_ids(3)
CRASH, TIMEOUT = FaultKind.CRASH, FaultKind.TIMEOUT
AWAY = {BOB: Suspension(BOB, CRASH, 3, GameId("g2"), "2026-01-01T00:00:00+00:00")}


def conduct(after: int, *faults: FaultKind | None) -> list[int]:
    """The games, from 1, by which a bot with these faults is suspended."""
    of = Conduct(after)
    return [
        number for number, fault in enumerate(faults, 1) if of.take(GameId(f"g{number}"), "", [(ANN, fault)])
    ]


@pytest.mark.parametrize(
    ("after", "faults", "by"),
    [
        (3, [CRASH] * 3, [3]),
        (3, [CRASH, CRASH, None, CRASH, CRASH], []),
        (3, [CRASH, CRASH, TIMEOUT, CRASH], []),
        (3, [TIMEOUT, CRASH, CRASH, CRASH, None, CRASH, CRASH, CRASH], [4]),
        (1, [None, TIMEOUT], [2]),
        (0, [CRASH] * 9, []),
    ],
    ids=str,
)
def test_in_a_row_and_of_one_kind(after: int, faults: list[FaultKind | None], by: list[int]) -> None:
    assert conduct(after, *faults) == by


def test_a_game_counts_once_for_a_bot_that_has_both_seats_of_a_team() -> None:
    of = Conduct(3)
    seats = [(ANN, CRASH), (BOB, None), (ANN, None), (BOB, None)]
    assert [bool(of.take(GameId(f"g{n}"), "", seats)) for n in range(3)] == [False, False, True]


def test_the_rows_of_two_bots_do_not_touch() -> None:
    of = Conduct(2)
    of.take(GameId("g1"), "", [(ANN, CRASH), (BOB, None)])
    of.take(GameId("g2"), "", [(BOB, CRASH), (CAT, None)])
    (one,) = of.take(GameId("g3"), "", [(ANN, CRASH), (CAT, None)])
    assert (one.bot, one.kind, one.faults, one.game) == (ANN, CRASH, 2, "g3")


# games of a suspended bot


def lost(variant: str, *away: BotId) -> GameDone:
    """The one game of a job, where nobody is asked for it."""
    bots = bot_ids(4 if "4p" in variant else 3 if "3p" in variant else 2)
    whom = {bot: replace(AWAY[BOB], bot=bot) for bot in away}
    job = revised(job_for(variant, bots, (planned(),)), whom, drops=False)
    assert job is not None and is_lost(job)
    (done,) = forfeits(job)
    return done


@pytest.mark.parametrize(
    ("variant", "away", "ranks"),
    [
        ("claim", [BOB], (0, 1)),
        ("claim", [ANN, BOB], (0, 0)),
        ("claim/3p/GK-UWXTD", [ANN, CAT], (1, 0, 1)),
    ],
)
def test_a_game_lost_beforehand_is_a_forfeit_whose_record_holds_and_says_why(
    variant: str, away: list[BotId], ranks: tuple[int, ...]
) -> None:
    done = lost(variant, *away)
    assert done.result.verdict is Verdict.FORFEIT
    assert tuple(seat.rank for seat in done.result.seats) == ranks
    assert {seat.bot: seat.fault for seat in done.result.seats if seat.fault} == dict.fromkeys(away, CRASH)
    assert check(unpack(done.record)) == []
    record = read(unpack(done.record))
    assert all((fault.reason, fault.turn, fault.at) == ("suspended", 0, 0) for fault in record.play.faults)
    assert len(record.account.evidence) == len(away)
    assert all("3 times crash in a row" in said for said in record.account.evidence.values())


def test_where_three_play_for_themselves_two_still_play() -> None:
    job = revised(job_for("claim/3p/GK-UWXTD", (ANN, BOB, CAT), (planned(),)), AWAY, drops=False)
    assert job is not None and not is_lost(job)
    assert [bool(launch.suspended) for launch in job.seating] == [False, True, False]
    done = played(job, planned(), seat1=lambda message: AWAY[BOB].misstep)
    assert done.result.verdict is Verdict.FINISHED
    assert (done.result.seats[1].rank, done.result.seats[1].fault) == (2, CRASH)
    assert check(unpack(done.record)) == []


def test_a_job_is_revised_once_and_one_that_is_dropped_is_gone() -> None:
    job = job_for("claim", (ANN, BOB), (planned(),))
    other = job_for("claim", (ANN, CAT), (planned(),))
    assert concerns(job, AWAY) and not concerns(other, AWAY)
    assert revised(other, AWAY, drops=True) is other
    assert revised(job, AWAY, drops=True) is None
    done = revised(job, AWAY, drops=False)
    assert done is not None and not concerns(done, AWAY) and revised(done, AWAY, drops=False) == done


# told while a run goes on


def test_views_and_scripts_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    one = AWAY[BOB]
    event = BotSuspended(str(BOB), one.kind, one.game, one.at, note(one, drops=False))
    progress.PlainView()(event)
    said = capsys.readouterr().err
    assert said.startswith("bot1 is suspended since 2026-01-01T00:00:00+00:00: 3 times crash in a row")
    assert "lost unplayed" in said and "suspend_after = 0" in said
    told = document(event)
    assert (told["event"], told["bot"], told["kind"]) == ("bot_suspended", str(BOB), "crash")
    assert "done: 20 games, 4 left out in" in progress.closing(RunEnded("cup", 24, 1.0, 0, dropped=4))


# out of the ledger


def crashing(message: object) -> Misstep:
    return Misstep(CRASH, "exit 1", "no")


def cup(home: Home, crashes: Collection[int], voids: Collection[int] = (), **config: object) -> Status:
    """How far a tournament is, in which bob crashes in some games of his, by number, and plays none after them."""
    fields = {"name": "cup", "bots": [bot.name for bot in (ANN, BOB, CAT)], "variants": ["claim"], "deals": 4}
    said = Tournament.model_validate({**fields, **config})
    home.folder()
    with closing(Ledger(home.ledger)) as ledger:
        ledger.begin("cup", SEED, said.model_dump(mode="json"), (ANN, BOB, CAT))
        his = 0
        for pairing in round_robin(plan_of(said, SEED), (ANN, BOB, CAT)):
            job = job_for(pairing.variant, pairing.seating, pairing.games)
            for game in pairing.games:
                his += BOB in pairing.seating
                if BOB not in pairing.seating:
                    keep(ledger, "cup", [played(job, game)])
                elif his in voids:
                    keep(ledger, "cup", [void(job, game, VoidReason.REFEREE_ERROR, "ours")])
                elif his <= max(crashes):
                    bob = {f"seat{pairing.seating.index(BOB)}": crashing} if his in crashes else {}
                    keep(ledger, "cup", [played(job, game, **bob)])
    return status("cup", home)


def test_a_void_game_is_no_game_of_a_row(tmp_path: Path) -> None:
    assert cup(Home(tmp_path), crashes=(2, 3, 5), voids=(4,)).suspended == (BOB,)


def test_it_is_the_order_of_being_kept_that_counts(tmp_path: Path) -> None:
    home = Home(tmp_path)
    cup(home, crashes=(3, 4, 5))
    with closing(Ledger(home.ledger)) as ledger:
        kept = [one.result.id for one in ledger.kept_after("cup", 0)]
        assert kept != sorted(kept)
        (one,) = suspended(ledger, ledger.tournament("cup")).values()
        bobs = [
            one.result.id for one in ledger.kept_after("cup", 0) if BOB in {s.bot for s in one.result.seats}
        ]
        assert one.game == bobs[4]


def test_whoever_reads_a_table_or_the_status_is_told(tmp_path: Path) -> None:
    home = Home(tmp_path)
    (note,) = cup(home, crashes=(1, 2, 3)).notes
    assert (
        "bot1 is suspended since 20" in note
        and "3 times crash in a row" in note
        and "suspend_after = 0" in note
    )
    assert leaderboard("cup", home=home).notes == (note,)


def test_nobody_is_suspended_where_the_key_says_so(tmp_path: Path) -> None:
    found = cup(Home(tmp_path), crashes=(1, 2, 3), suspend_after=0)
    assert (found.suspended, found.notes, found.dropped) == ((), (), 0)


def test_games_that_are_dropped_are_not_waited_for(tmp_path: Path) -> None:
    home = Home(tmp_path)
    found = cup(home, crashes=(1, 2, 3), on_suspend="drop")
    assert (found.games, found.over, found.dropped) == (24, 8 + 3, 16 - 3)
    assert "left out, and their blocks not rated" in found.notes[0]
    with closing(Ledger(home.ledger)) as ledger:
        begun = ledger.tournament("cup")
        assert left_out(ledger, begun) == {BOB}
        lines, held = export(ledger, begun)
        assert (held.exported, held.held, held.missing) == (11, 0, 0), "no deal is to be played any more"
        assert list(verify_export(lines, tally := Tally())) == [] and tally.games == 11
        assert list(verify_ledger(ledger, begun, Tally())) == []


def test_an_export_that_lacks_a_game_of_others_does_not_hold(tmp_path: Path) -> None:
    home = Home(tmp_path)
    cup(home, crashes=(1, 2, 3), on_suspend="drop")
    with closing(Ledger(home.ledger)) as ledger:
        lines, _ = export(ledger, ledger.tournament("cup"))
        header, *records, _ = lines
    others = [line for line in records if b'"bot":"bot1"' not in line]
    flaws = verify_export([header, *(line for line in records if line != others[0])], Tally())
    assert any(flaw.place.where == "plan" and "1 of its games" in flaw.place.what for flaw in flaws)


@pytest.mark.parametrize(
    "change", [{"suspend_after": 0}, {"suspend_after": 5}, {"on_suspend": "drop"}], ids=str
)
def test_the_keys_may_be_changed_once_a_tournament_has_begun(
    change: dict[str, object], tmp_path: Path
) -> None:
    home = Home(tmp_path)
    home.folder()
    fields = {"name": "cup", "bots": ["random", "greedy"], "variants": ["claim"]}
    with closing(Ledger(home.ledger)) as ledger:
        for more in ({}, change):
            _enter(prepare(parse({**fields, **more}, "test"), home, ledger), ledger)
        assert change.items() <= ledger.tournament("cup").config.items()


def test_a_left_game_is_waited_for_where_it_is_to_be_a_forfeit(tmp_path: Path) -> None:
    found = cup(Home(tmp_path), crashes=(1, 2, 3))
    assert (found.games, found.over, found.dropped) == (24, 8 + 3, 0)
