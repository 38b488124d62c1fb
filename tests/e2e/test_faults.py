"""Bots that misbehave: each gets its verdict, the tournament goes on, and nothing is left of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from contextlib import closing, nullcontext
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from arena.config import Tournament, parse
from arena.events import BotSuspended, RunEvent
from arena.executors.local import LocalExecutor
from arena.home import Home
from arena.ledger import Ledger
from arena.preflight import REASONS, failures
from arena.reading import status
from arena.tournament import Prepared, job_of, prepare, run
from arena.verification import Tally, verify_ledger
from protocol.record import unpack
from protocol.vocabulary import FaultKind, Verdict
from referee.clocks import Limits
from referee.jobs import GameDone, Job
from referee.players.remote import OTHER_TOKEN
from referee.replay import read

BAD = sorted(Path(__file__).parents[1].joinpath("bad_bots").glob("*.py"))
IN_LINES = ("no_newline_later", "noise", "gigabyte", "much_noise", "closes_stdin")
"""Those of their own that a worker is shown; all of them: tests/referee/test_bad_bots.py."""
HURRY = {"startup_ms": 2500, "bank_ms": 0, "move_ms": 700}
"""For those that shall be too late; the others have the time that bots have by default."""


def tournament(*bots: Path | str, **more: Any) -> Tournament:
    fields = {"name": "cup", "bots": list(map(str, bots)), "variants": ["claim"], "deals": 1, "seed": "s"}
    return parse(fields | more, "test")


def play(
    tournament: Tournament, home: Home, folder: Path, transport: str = "ipc", among: str = ""
) -> list[GameDone]:
    """All games with a bot of the name `among`, without the check beforehand that every bot starts."""
    ledger = Ledger(home.folder() / "ledger.sqlite")
    prepared: Prepared = prepare(tournament, home, ledger)
    jobs = [job_of(prepared, pairing, home.folder("logs")) for pairing in prepared.course.left()]
    jobs = [over(transport, job) for job in jobs if any(among in seat.bot.name for seat in job.seating)]
    with LocalExecutor(folder / "kingmaker-run", 1) as executor:
        return [done for batch in executor.run(jobs) for done in batch]


def over(transport: str, job: Job) -> Job:
    """The job, whatever way its bots would talk by their manifests."""
    return replace(job, seating=tuple(replace(launch, transport=transport) for launch in job.seating))


@pytest.mark.hostile  # tests/referee/test_bad_bots.py shows all of them to a player each time
def test_each_bad_bot_gets_its_verdict_and_harms_nobody(
    home: Home, short: Path, nothing_left: Callable[[], list[str]]
) -> None:
    check_all(BAD, play(tournament(*BAD, "random", clock=HURRY), home, short, among="random"))
    assert nothing_left() == []


def check_all(bad: list[Path], games: list[GameDone]) -> None:
    """That each of `bad` played two games, and came out of both as its first line says."""
    assert len(games) == 2 * len(bad) == len({game.result.id for game in games})
    for bot in bad:
        own = [game for game in games if any(seat.bot.name == bot.stem for seat in game.result.seats)]
        assert len(own) == 2
        check_verdicts(bot, own)


def check_verdicts(bad: Path, games: list[GameDone]) -> None:
    """That each game of `bad` against a sound bot ended as its first line says."""
    expected = bad.read_text().splitlines()[0].removeprefix("# expect: ")
    for game in games:
        faults = {seat.bot.name: seat.fault for seat in game.result.seats if seat.fault}
        if expected == "nothing":
            assert game.result.verdict is Verdict.FINISHED and not faults
            continue
        assert game.result.verdict is Verdict.FORFEIT
        assert faults == {bad.stem: FaultKind(expected.split("/")[0])}
        assert [seat.rank for seat in game.result.seats] == [
            int(s.bot.name == bad.stem) for s in game.result.seats
        ]
        reason = expected.partition("/")[2]
        assert f'"reason":"{reason}"'.encode() in unpack(game.record)


def test_a_worker_judges_over_lines_as_well(
    home: Home, short: Path, nothing_left: Callable[[], list[str]]
) -> None:
    lines = [path for path in BAD[0].parent.glob("lines/*.py") if path.stem in IN_LINES]
    bad = [*lines, *(path for path in BAD if path.stem in ("dies", "cheats", "hangs_up"))]
    games = play(tournament(*bad, "random", clock=HURRY), home, short, "stdio", among="random")
    check_all(bad, games)
    assert any("thinking" in log.read_text() for log in home.path.joinpath("logs").glob("*.log"))
    assert nothing_left() == []


def test_what_a_dying_bot_said_stands_in_the_record(home: Home, short: Path) -> None:
    dies = next(path for path in BAD if path.stem == "dies")
    games = play(tournament(dies, "random", deals=1), home, short)
    assert all(b"I can't go on" in unpack(game.record) for game in games)


def test_a_hello_with_another_token_is_named(home: Home, short: Path) -> None:
    cup = tournament(next(path for path in BAD if path.stem == "wrong_token"), "random", clock=HURRY)
    assert all(OTHER_TOKEN.encode() in unpack(game.record) for game in play(cup, home, short))
    with closing(Ledger(home.ledger)) as ledger:
        bots = list(prepare(cup, home, ledger).bots.values())
    limits = Limits(startup=timedelta(seconds=4))
    (error,) = failures(bots, short / "run", limits, home.folder("logs")).values()
    assert OTHER_TOKEN in str(error) and error.fix == REASONS["bad_token"]


def test_a_log_is_kept_and_capped(home: Home, short: Path) -> None:
    chatters = next(path for path in BAD if path.stem == "chatters")
    play(tournament(chatters, "random"), home, short)
    logs = list(home.path.joinpath("logs").glob("*.log"))
    assert len(logs) == 2, "one for each process that wrote something"
    assert all(200_000 < log.stat().st_size <= 300_000 for log in logs)


def test_three_alone_play_on_without_the_faulty_one(
    home: Home, short: Path, nothing_left: Callable[[], list[str]]
) -> None:
    bad = [path for path in BAD if path.stem in ("dies", "cheats")]
    games = play(tournament(*bad, "random", variants=["claim/3p/GK-UWXTD"], deals=2), home, short)
    assert len(games) == 6
    for game in games:
        ranks = {seat.bot.name: seat.rank for seat in game.result.seats}
        assert ranks == {"random": 0, "dies": 1, "cheats": 1}
    assert nothing_left() == []


@pytest.mark.parametrize(
    "names",
    [
        ("dies", "two_moves", "daemon"),
        pytest.param(("dies", "cheats", "not_json", "two_moves", "raises", "daemon"), marks=pytest.mark.long),
    ],
    ids=len,
)
def test_a_tournament_goes_on_among_all_of_them_at_once(
    names: tuple[str, ...], home: Home, short: Path, nothing_left: Callable[[], list[str]]
) -> None:
    quick = [path for path in BAD if path.stem in names]
    games = play(tournament(*quick, "random", "greedy"), home, short)
    bots = len(names) + 2
    assert len(games) == bots * (bots - 1)
    for game in games:
        sound = [seat.fault for seat in game.result.seats if seat.bot.name in ("random", "greedy", "daemon")]
        assert not any(sound)
    assert nothing_left() == []


def test_fresh_processes_are_started_for_each_game(home: Home, short: Path) -> None:
    script = short / "counts.py"
    script.write_text(
        "import sys\nfrom protocol.client import Bot, run\n"
        "class Counts(Bot):\n    games = 0\n    def started(self, start):\n        self.games += 1\n"
        "        print('game', self.games, file=sys.stderr, flush=True)\n"
        "    def choose(self, turn):\n        return turn['legal'][0]\nrun(Counts())\n"
    )
    for fresh, expected in ((False, {"game 1", "game 2", "game 3"}), (True, {"game 1"})):
        logs = home.folder("logs")
        play(tournament(script, "random", deals=3, fresh_processes=fresh), home, short)
        said = {line for log in logs.glob("*.log") for line in log.read_text().splitlines()}
        assert said == expected
        for log in logs.glob("*.log"):
            log.unlink()


def reasons(home: Home, bot: str) -> Counter[str]:
    """How often a bot had a fault of which reason."""
    with closing(Ledger(home.ledger)) as ledger:
        plays = [read(record).play for record in ledger.records("cup")]
    return Counter(
        fault.reason for play in plays for fault in play.faults if play.seats[fault.seat].bot == bot
    )


TALKATIVE = """
import os, sys
from protocol.client import Bot, run

class Talkative(Bot):
    def choose(self, turn):
        if turn["turn"] == 2:
            for number in range(20_000):
                print(turn["game_id"], number, file=sys.stderr)
            sys.stderr.flush()
            WHAT
        return turn["legal"][0]

run(Talkative())
"""


@pytest.mark.parametrize(("what", "processes"), [("os._exit(3)", 6), ("return 'G99'", 2)])
def test_the_log_of_each_fault_is_kept_whatever_comes_later(
    what: str, processes: int, home: Home, short: Path
) -> None:
    script = short / "talks.py"
    script.write_text(TALKATIVE.replace("WHAT", what))
    games = play(tournament(script, "random", deals=3), home, short, "stdio")
    logs = []
    for game in games:
        record = read(unpack(game.record))
        ((fault, said),) = zip(record.play.faults, record.account.evidence.values(), strict=True)
        assert record.play.seats[fault.seat].bot == "talks"
        named = re.match(r"log of its process: (\S+)\n", said)
        assert named
        logs.append(home.folder("logs") / named[1])
    assert len(games) == 6 and len(set(logs)) == processes, "an illegal move is no reason for a new process"
    for log in set(logs):
        text, end, _ = log.read_text().rpartition(" 19999\n")  # the kit may have another word
        text += end
        last = text.splitlines()[-1].partition(" ")[0]
        assert "".join(f"{last} {number}\n" for number in range(20_000)).endswith(text[-64 * 1024 :])


def interrupted(event: RunEvent) -> None:
    """Hears a run until somebody is suspended."""
    if isinstance(event, BotSuspended):
        raise KeyboardInterrupt


@pytest.mark.parametrize(("drops", "stops"), [(False, True), (True, False)])
def test_who_fails_again_and_again_is_suspended_in_this_run_and_the_next(
    drops: bool, stops: bool, home: Home, nothing_left: Callable[[], list[str]]
) -> None:
    dies = next(path for path in BAD if path.stem == "dies")
    variants = ["claim", "claim/3p/GK-UWXTD"]
    key = "drop" if drops else "forfeit"
    cup = tournament(dies, "random", "greedy", variants=variants, deals=6, on_suspend=key, concurrency=1)
    with pytest.raises(KeyboardInterrupt) if stops else nullcontext():
        run(cup, home, interrupted if stops else lambda event: None)
    told: list[RunEvent] = []
    run(cup, home, told.append)
    (one,) = (event for event in told if isinstance(event, BotSuspended))
    assert (one.bot.partition("@")[0], one.kind) == ("dies", "crash")
    his = reasons(home, "dies")
    assert 3 <= his["exit 3"] <= 3 + 8, "those that had begun in four jobs, and not all of one"
    assert his["suspended"] == (0 if drops else 7 * 6 - his["exit 3"]) and set(his) <= {
        "exit 3",
        "suspended",
    }
    found = status("cup", home)
    assert found.over + found.dropped == found.games == 9 * 6 and bool(found.dropped) is drops
    with closing(Ledger(home.ledger)) as ledger:
        results = ledger.results(cup.name)
        assert not list(verify_ledger(ledger, ledger.tournament("cup"), Tally()))
    assert not any(s.fault for result in results for s in result.seats if s.bot.name != "dies")
    assert nothing_left() == []
