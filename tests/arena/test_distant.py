"""An executor whose workers are elsewhere, over a link on which the test is the workers, and by a clock that it sets."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Self

import pytest

from arena.errors import CannotStart
from arena.executors.crew import BEAT, Care, Seen
from arena.executors.distant import DistantExecutor
from arena.executors.orders import (
    Came,
    Enlisted,
    Entrant,
    Look,
    Order,
    Report,
    Speed,
    Terms,
    Trouble,
    Unit,
    Word,
    packed,
    unpacked,
)
from arena.ledger import Ledger
from protocol.vocabulary import GameId, Verdict, VoidReason
from referee import score
from referee.clocks import Limits
from referee.jobs import GameDone, Job
from tests.arena.made import played
from tests.arena.test_clusters import VARIANT, jobs
from tests.referee.driving import bot_ids

CARE = Care(0.0, 0.0, audit=0.0, silent_seconds=10, lease_seconds=5, wait_seconds=5, unit_seconds=1)
AUDITED = replace(CARE, audit=1.0)
QUICK = Speed(0.004, 0.0001)


@dataclass
class Wire:
    """A link whose other end is here. Who is in `good` is taken in as it comes."""

    there: dict[str, Seen] = field(default_factory=dict)
    asked: list[tuple[int, str, Unit]] = field(default_factory=list)
    """Units that are out: number, worker."""
    said: list[tuple[int, bytes | Exception]] = field(default_factory=list)
    forgotten: list[int] = field(default_factory=list)
    number: int = 0
    looked_at: Report | Exception | bytes | None = field(default_factory=lambda: report())
    """What workers answer; None: nothing."""
    quiet: float = 0.0
    """Seconds since the scheduler was heard."""

    def come(self, *names: str) -> None:
        self.there |= {name: Seen(name, f"host of {name}", 1, 0.0) for name in names}

    def beat(self, at: float, *silent: str) -> None:
        self.there = {
            name: seen if name in silent else replace(seen, heard=at) for name, seen in self.there.items()
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def workers(self) -> dict[str, Seen]:
        return dict(self.there)

    def ask(self, worker: str, order: bytes) -> int:
        self.number += 1
        what: Order = unpacked(order)
        if isinstance(what, Unit):
            self.asked.append((self.number, worker, what))
        elif said := self.looked_at if isinstance(what, Look) else Enlisted():
            self.say(self.number, said)
        return self.number

    def since_heard(self) -> float:
        return self.quiet

    def forget(self, number: int) -> None:
        self.forgotten.append(number)

    def say(self, number: int, what: Word | Exception | bytes) -> None:
        self.said.append((number, packed(what) if isinstance(what, Word) else what))

    def answers(self, timeout: float) -> Iterator[tuple[int, bytes | Exception]]:
        said, self.said = self.said, []
        yield from said

    def unit(self, worker: str = "") -> tuple[int, str, Unit]:
        """The next unit that is out, of one worker where that is said."""
        found = next(one for one in self.asked if worker in ("", one[1]))
        self.asked.remove(found)
        return found


def report(speed: Speed = QUICK) -> Report:
    return Report("host", 1, {VARIANT: "r"}, 1e-9, "none", (), speed)


def came(unit: Unit, games: Sequence[GameDone] | None = None, seed: int = 0) -> Came:
    """What a worker brings back: all of it, or some games."""
    rng = random.Random(seed)

    def choose(message: dict[str, Any]) -> str:
        return str(rng.choice(message["legal"])) if message["type"] == "turn" else ""

    all = [
        replace(played(job, game, **({"seat0": choose, "seat1": choose} if seed else {})), job=job.id)
        for job, game in unit.games
    ]
    games = all if games is None else games
    logs = {f"{done.job}-{process}.log": b"printed" for done in games for process in ("0", "1", "1.2")}
    logs["../x-0.log"] = logs["\0-0.log"] = b"of nobody"
    return Came(tuple(games), 1.0, logs=logs)


class Runner:
    """An executor at work, whose results a ledger keeps."""

    def __init__(self, ledger: Ledger, logs: Path, planned: list[Job], care: Care, honest: bool) -> None:
        self.now, self.wire, self.kept = 0.0, Wire(), list[GameDone]()
        bots = bot_ids(max(2, len({launch.bot for job in planned for launch in job.seating})))
        said = {"deterministic": True} if honest else {}
        terms = Terms({VARIANT: "r"}, tuple(Entrant(bot, said) for bot in bots), Limits(), "none")
        executor = DistantExecutor(self.wire, terms, lambda digest: b"", logs, care, QUICK, lambda: self.now)
        hold = ledger.take_up("cup")
        self.executor, self._hold = executor, hold
        self._batches = executor.run(planned, lease=hold.lease, timeout=0.0)

    def turn(self, times: int = 1) -> list[GameDone]:
        """Let it go on; what is kept of what it gives."""
        new = [done for _ in range(times) for done in self._hold.keep(next(self._batches, []))]
        self.kept += new
        return new

    def wait(self, seconds: float, answering: str = "") -> None:
        """Let time go by, in which all are heard and nobody but one brings anything back."""
        until = self.now + seconds
        while self.now < until:
            self.now = min(until, self.now + BEAT)
            self.wire.beat(self.now)
            self.turn()
            for number, worker, unit in list(self.wire.asked):
                if worker == answering:
                    self.wire.asked.remove((number, worker, unit))
                    self.wire.say(number, came(unit))

    def finish(self) -> None:
        """Answer all that it asks, until it is over."""
        for batch in self._batches:
            self.kept += self._hold.keep(batch)
            self.now += 0.1
            self.wire.beat(self.now)
            while self.wire.asked:
                number, _, unit = self.wire.unit()
                self.wire.say(number, came(unit))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with closing(Ledger(tmp_path / "ledger.sqlite")) as ledger:
        ledger.begin("cup", "seed", {}, bot_ids(2))
        yield ledger


def start(
    ledger: Ledger, tmp_path: Path, *workers: str, deals: int = 4, care: Care = CARE, honest: bool = False
) -> Runner:
    """Workers that are taken in, and have a unit each or more."""
    runner = Runner(ledger, tmp_path, jobs(2, deals), care, honest)
    runner.wire.come(*workers)
    runner.turn(4)
    return runner


def all_games(deals: int) -> set[GameId]:
    return {game.id for job in jobs(2, deals) for game in job.games}


def is_whole(runner: Runner, deals: int = 4) -> bool:
    """Whether each game that was planned was kept, and once."""
    ids = [done.result.id for done in runner.kept]
    return len(ids) == len(set(ids)) and set(ids) == all_games(deals)


def test_a_tournament_on_two_workers(ledger: Ledger, tmp_path: Path) -> None:
    runner = start(ledger, tmp_path, "a", "b")
    assert {worker for _, worker, _ in runner.wire.asked} == {"a", "b"}
    runner.finish()
    assert is_whole(runner)
    logs = {f"{done.job}-{process}.log" for done in runner.kept for process in ("0", "1", "1.2")}
    assert {log.name for log in tmp_path.glob("*-*.log")} == logs, "also of those that were started anew"
    assert all((tmp_path / name).read_bytes() == b"printed" for name in logs)


def test_what_a_lost_worker_has_is_given_to_another(ledger: Ledger, tmp_path: Path) -> None:
    runner = start(ledger, tmp_path, "a", "b", deals=2)
    number, _, unit = runner.wire.unit("a")
    del runner.wire.there["a"]
    runner.turn()
    assert number in runner.wire.forgotten
    runner.wire.say(number, came(unit))
    assert runner.turn() == [], "of an attempt that was given up"
    runner.finish()
    assert is_whole(runner, 2)
    attempts = {done.result.id: done.planned.attempt for done in runner.kept}
    assert [attempts[game.id] for _, game in unit.games] == [2, 2]


def test_a_unit_that_was_lost_comes_back_in_one_piece(ledger: Ledger, tmp_path: Path) -> None:
    runner = start(ledger, tmp_path, "a", "b", deals=1)
    ((_, worker, unit),) = runner.wire.asked
    assert len(unit.jobs) == 2, "a block is played in both seatings"
    runner.wire.asked.clear()
    del runner.wire.there[worker]
    runner.turn(2)
    ((_, _, again),) = runner.wire.asked
    assert [game.id for _, game in again.games] == [game.id for _, game in unit.games]


def test_a_game_that_is_lost_ten_times_is_void(ledger: Ledger, tmp_path: Path) -> None:
    runner = start(ledger, tmp_path, "a", deals=1)
    for lost in range(10):
        assert not runner.kept
        ((_, worker, _),) = runner.wire.asked
        runner.wire.asked.clear()
        runner.wire.there = {}
        runner.wire.come(f"{worker}{lost}")
        runner.turn(4)
    assert {done.result.verdict for done in runner.kept} == {Verdict.VOID} and is_whole(runner, 1)


def test_a_worker_that_is_silent_comes_back_too_late(ledger: Ledger, tmp_path: Path) -> None:
    runner = start(ledger, tmp_path, "a", "b")
    number, _, unit = runner.wire.unit("a")
    for _ in range(4):
        runner.now += 3.0
        runner.wire.beat(runner.now, "a")
        runner.turn()
    again = [one for one in runner.wire.asked if one[1] == "b"]
    assert again, "others go on with it"
    runner.wire.say(number, came(unit))
    runner.wire.beat(13.0)
    assert not {done.result.id for done in runner.turn()} & {game.id for _, game in unit.games}
    runner.finish()
    assert is_whole(runner)


def test_a_unit_that_does_not_come_back_while_its_lease_holds(ledger: Ledger, tmp_path: Path) -> None:
    runner = start(ledger, tmp_path, "a", "b", deals=20)
    for worker in ("a", "b"):
        number, _, unit = runner.wire.unit(worker)
        runner.wire.say(number, came(unit))
    runner.turn(2)
    hung = [one for one in runner.wire.asked if one[1] == "a"]
    runner.wait(600.0, answering="b")
    done = {done.planned.id for done in runner.kept}
    games = {game.id for _, _, unit in hung for _, game in unit.games}
    assert games <= done, "what the one does not bring back the other has played"
    runner.finish()
    assert is_whole(runner, 20)


@pytest.mark.parametrize(
    ("bank", "seconds"), [(20, 600), (600, 2 * 2 * 630)], ids=["ten-minutes", "what-clocks-allow"]
)
def test_the_first_units_of_all_hang(ledger: Ledger, tmp_path: Path, bank: int, seconds: int) -> None:
    limits = Limits(bank=timedelta(seconds=bank))
    planned = [replace(job, limits=limits) for job in jobs(2, 2)]
    runner = Runner(ledger, tmp_path, planned, CARE, honest=False)
    runner.wire.come("a")
    runner.turn(4)
    hung = len(runner.wire.asked)
    runner.wire.come("b")
    runner.wait(seconds - 1.0)
    assert all(game.attempt == 1 for _, _, unit in runner.wire.asked for _, game in unit.games)
    runner.wait(2.0 * BEAT)
    again = [
        worker for _, worker, unit in runner.wire.asked[hung:] for _, game in unit.games if game.attempt > 1
    ]
    assert "b" in again


def test_games_that_did_not_begin_in_the_time_of_a_unit_are_played_later(
    ledger: Ledger, tmp_path: Path
) -> None:
    runner = start(ledger, tmp_path, "a", deals=1)
    number, _, unit = runner.wire.unit()
    first = came(unit).games[:1]
    runner.wire.say(number, came(unit, first))
    assert runner.turn() == list(first)
    runner.turn()
    ((_, _, rest),) = runner.wire.asked
    assert [game.attempt for _, game in rest.games] == [1], "it was no attempt"
    runner.finish()
    assert is_whole(runner, 1)


def test_a_worker_that_lives_and_brings_nothing_back_is_not_waited_for(
    ledger: Ledger, tmp_path: Path
) -> None:
    runner = start(ledger, tmp_path, "a")
    with pytest.raises(CannotStart, match="it did not bring a unit back in time"):
        runner.wait(10_000.0)


def test_what_only_a_worker_could_compare_that_brings_nothing_back_is_kept(
    ledger: Ledger, tmp_path: Path
) -> None:
    runner = start(ledger, tmp_path, "a", "b", care=AUDITED, honest=True)
    runner.wait(10_000.0, answering="a")
    assert is_whole(runner)


def test_a_runner_that_was_stopped_blames_nobody(ledger: Ledger, tmp_path: Path) -> None:
    runner = start(ledger, tmp_path, "a", "b")
    out = list(runner.wire.asked)
    runner.now += 5000.0
    runner.turn()
    assert not runner.wire.forgotten, "no worker had time to be late"
    for number, _, unit in out:
        runner.wire.asked.remove((number, _, unit))
        runner.wire.say(number, came(unit))
    runner.finish()
    assert is_whole(runner) and {done.planned.attempt for done in runner.kept} == {1}


def test_where_no_game_begins_in_the_time_of_any_unit_it_is_said(ledger: Ledger, tmp_path: Path) -> None:
    runner = start(ledger, tmp_path, "a")
    with pytest.raises(CannotStart, match="no game began in the time of a unit"):
        for _ in range(200):
            runner.now += 1.0
            runner.wire.beat(runner.now)
            runner.turn()
            while runner.wire.asked:
                number, _, unit = runner.wire.unit()
                runner.wire.say(number, came(unit, ()))


def test_bots_may_start_for_as_long_as_they_are_allowed(ledger: Ledger, tmp_path: Path) -> None:
    limits = Limits(startup=timedelta(seconds=500))
    runner = Runner(ledger, tmp_path, [replace(job, limits=limits) for job in jobs(2, 2)], CARE, honest=False)
    runner.wire.come("a")
    runner.turn(4)
    assert all(unit.seconds > 500 for _, _, unit in runner.wire.asked)


def test_games_of_an_attempt_before_are_none_of_a_unit(ledger: Ledger, tmp_path: Path) -> None:
    runner = start(ledger, tmp_path, "a", "b", deals=1)
    ((_, worker, before),) = runner.wire.asked
    runner.wire.asked.clear()
    del runner.wire.there[worker]
    runner.turn(2)
    number, _, unit = runner.wire.unit()
    mixed = [*came(before).games[:1], *came(unit).games[1:]]
    runner.wire.say(number, came(unit, mixed))
    assert [done.planned.attempt for done in runner.turn()] == [2]
    runner.finish()
    assert is_whole(runner, 1)


def test_a_void_game_is_played_three_times_at_most(ledger: Ledger, tmp_path: Path) -> None:
    runner = start(ledger, tmp_path, "a", deals=1)
    for _ in range(12):
        while runner.wire.asked:
            number, _, unit = runner.wire.unit()
            spoilt = [score.void(job, game, VoidReason.HOST_LAG, "") for job, game in unit.games]
            runner.wire.say(number, came(unit, spoilt))
        if len(runner.kept) == 2:
            break
        runner.turn()
    assert {(done.result.verdict, done.planned.attempt) for done in runner.kept} == {(Verdict.VOID, 3)}


def test_a_worker_in_trouble_three_times_is_not_used_and_where_nobody_is_left_it_is_said(
    ledger: Ledger, tmp_path: Path
) -> None:
    runner = start(ledger, tmp_path, "a", deals=10)
    with pytest.raises(CannotStart, match="3 times in a row: no space left") as raised:
        for _ in range(50):
            while runner.wire.asked:
                runner.wire.say(runner.wire.unit()[0], Trouble("no space left"))
            runner.now += 1.0
            runner.wire.beat(runner.now)
            runner.turn()
    assert raised.value.code == "E332"


def test_nobody_comes(ledger: Ledger, tmp_path: Path) -> None:
    runner = Runner(ledger, tmp_path, jobs(2, 1), CARE, honest=False)
    runner.turn()
    runner.now = 6.0
    with pytest.raises(CannotStart, match="none has come"):
        runner.turn()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (lambda: report(Speed(0.004, 0.0001, 0.01)), "too loaded"),
        (lambda: OSError("no space"), "no space"),
        (lambda: None, "did not answer in time"),
        (
            lambda: b"kingmaker 0.0.1 with Python 3.9\n\x80\x05",
            "it has kingmaker 0.0.1 with Python 3.9, and the",
        ),
        (lambda: b"\x80\x05no line", "it has another version, and the runner kingmaker"),
        (lambda: packed(Enlisted())[:-3], "UnpicklingError"),
    ],
    ids=["loaded", "trouble", "hangs", "another-version", "without-a-version", "cut-off"],
)
def test_where_workers_come_and_never_play_it_is_said_and_over(
    ledger: Ledger, tmp_path: Path, said: Callable[[], Report | Exception | bytes | None], why: str
) -> None:
    runner = Runner(ledger, tmp_path, jobs(2, 1), replace(CARE, wait_seconds=60, busiest=0.3), honest=False)
    runner.wire.come("a", "b")
    runner.wire.looked_at = said()
    with pytest.raises(CannotStart, match=why):
        for _ in range(200):
            runner.now += 1.0
            runner.wire.beat(runner.now)
            runner.turn()
    assert runner.now < 150


def test_workers_that_stand_still_from_the_start(ledger: Ledger, tmp_path: Path) -> None:
    runner = Runner(ledger, tmp_path, jobs(2, 1), replace(CARE, wait_seconds=60), honest=False)
    runner.wire.come("a", "b")
    runner.wire.looked_at = None
    with pytest.raises(CannotStart, match="a on host of a: was not heard of for 10 s"):
        for _ in range(70):
            runner.now += 1.0
            runner.turn()


def test_a_scheduler_that_stands_still_takes_no_worker_with_it(ledger: Ledger, tmp_path: Path) -> None:
    runner = start(ledger, tmp_path, "a", "b")
    out = list(runner.wire.asked)
    for _ in range(4):
        runner.now += 4.0
        runner.wire.quiet += 4.0
        runner.turn()
    assert runner.wire.asked == out, "nothing is given to others"
    runner.wire.quiet = 0.0
    runner.finish()
    assert is_whole(runner) and {done.planned.attempt for done in runner.kept} == {1}


def test_a_worker_that_is_loaded_by_now_is_given_nothing_more(ledger: Ledger, tmp_path: Path) -> None:
    runner = start(ledger, tmp_path, "a", "b", deals=40, care=replace(CARE, busiest=0.3))
    for _ in range(3):
        number, _, unit = runner.wire.unit("a")
        runner.wire.say(number, replace(came(unit), speed=Speed(0.004, share=0.01)))
        number, _, unit = runner.wire.unit("b")
        runner.wire.say(number, came(unit))
        runner.turn(2)
    assert [worker.address for worker in runner.executor._crew.ready] == ["b"]
    runner.finish()
    assert is_whole(runner, 40), "what it had counts"


# audits


def test_what_two_workers_agree_on_is_kept_once(ledger: Ledger, tmp_path: Path) -> None:
    runner = start(ledger, tmp_path, "a", "b", deals=1, care=AUDITED, honest=True)
    number, worker, unit = runner.wire.unit()
    runner.wire.say(number, came(unit))
    assert runner.turn() == [], "it is held back"
    runner.turn()
    ((number, other, same),) = runner.wire.asked
    assert other != worker and [game for _, game in same.games] == [game for _, game in unit.games]
    runner.wire.asked.clear()
    runner.wire.say(number, came(same))
    assert len(runner.turn()) == 2 and is_whole(runner, 1)


@pytest.mark.parametrize("odd", [0, 1])
def test_a_third_worker_decides(ledger: Ledger, tmp_path: Path, odd: int) -> None:
    runner = start(ledger, tmp_path, "a", "b", "c", deals=1, care=AUDITED, honest=True)
    workers = []
    for turn in range(3):
        number, worker, unit = runner.wire.unit()
        workers.append(worker)
        runner.wire.say(number, came(unit, seed=7 if turn == odd else 0))
        runner.turn(2)
    assert len(set(workers)) == 3 and is_whole(runner, 1)
    honest = {done.record for done in came(unit).games}
    plays = {done.result.seats for done in runner.kept}
    assert plays == {done.result.seats for done in came(unit).games} and honest
    assert workers[odd] not in [worker.address for worker in runner.executor._crew.ready], (
        "contradicted twice"
    )


def test_where_all_differ_a_bot_is_not_deterministic(
    ledger: Ledger, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "arena.cluster")
    runner = start(ledger, tmp_path, "a", "b", "c", deals=1, care=AUDITED, honest=True)
    for turn in range(3):
        number, _, unit = runner.wire.unit()
        runner.wire.say(number, came(unit, seed=turn + 1))
        assert runner.turn() == []
        runner.turn()
    assert [game.attempt for _, _, one in runner.wire.asked for _, game in one.games] == [2, 2]
    runner.finish()
    assert is_whole(runner, 1), "the game counts, as any other bot's"
    said = " ".join(record.getMessage() for record in caplog.records)
    assert "was played differently" in said and "is not deterministic" in said


def test_two_machines_that_differ_cannot_tell_who_is_broken(
    ledger: Ledger, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Nor does a third worker decide that is on one of the two."""
    runner = start(ledger, tmp_path, "a", deals=1, care=AUDITED, honest=True)
    runner.wire.there["a2"] = Seen("a2", "host of a", 1, 0.0)
    runner.wire.come("b")
    runner.turn(4)
    for seed in (0, 7):
        number, _, unit = runner.wire.unit()
        runner.wire.say(number, came(unit, seed=seed))
        runner.turn(2)
    runner.finish()
    assert is_whole(runner, 1) and {done.planned.attempt for done in runner.kept} == {2}
    assert "or one of the two workers is broken" in caplog.text and "or a worker is broken" in caplog.text


def test_what_a_contradicted_worker_has_and_has_said_counts_no_more(
    ledger: Ledger, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    runner = start(ledger, tmp_path, "a", "b", "c", deals=12, care=AUDITED, honest=True)
    for _ in range(2):
        number, _, unit = runner.wire.unit("a")
        runner.wire.say(number, came(unit, seed=7))
    for _ in range(20):
        if "worker a on host is not used" in caplog.text:
            break
        runner.turn()
        for number, worker, unit in list(runner.wire.asked):
            if worker != "a":
                runner.wire.asked.remove((number, worker, unit))
                runner.wire.say(number, came(unit))
    held = [runner.wire.unit("a") for _, worker, _ in list(runner.wire.asked) if worker == "a"]
    assert held and {number for number, _, _ in held} <= set(runner.wire.forgotten)
    for number, _, unit in held:
        runner.wire.say(number, came(unit, seed=7))
    del runner.wire.there["c"]
    runner.finish()
    assert is_whole(runner, 12)
    honest = {game.id: played(job, game).result.seats for job in jobs(2, 12) for game in job.games}
    assert {done.planned.id: done.result.seats for done in runner.kept} == honest
    assert "is not deterministic" not in caplog.text


def test_workers_are_not_blamed_for_a_bot_that_is_not_what_it_says(
    ledger: Ledger, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It has two ways, so that a third worker always agrees with one of two."""
    caplog.set_level("INFO", "arena.cluster")
    coin = random.Random(1)
    runner = start(ledger, tmp_path, *"abcdefgh", deals=60, care=AUDITED, honest=True)
    for _ in range(400):
        runner.now += 0.5
        runner.wire.beat(runner.now)
        runner.turn()
        while runner.wire.asked:
            number, _, unit = runner.wire.unit()
            runner.wire.say(number, came(unit, seed=coin.choice((0, 7))))
        if is_whole(runner, 60):
            break
    assert is_whole(runner, 60)
    assert {worker.address for worker in runner.executor._crew.ready} == set("abcdefgh")
    assert "is not deterministic" in caplog.text


def test_where_there_is_nobody_else_nothing_waits(ledger: Ledger, tmp_path: Path) -> None:
    runner = start(ledger, tmp_path, "a", care=AUDITED, honest=True)
    runner.finish()
    assert is_whole(runner)


def test_a_bot_that_says_nothing_is_not_audited(ledger: Ledger, tmp_path: Path) -> None:
    runner = start(ledger, tmp_path, "a", "b", deals=1, care=AUDITED, honest=False)
    number, _, unit = runner.wire.unit()
    runner.wire.say(number, came(unit))
    assert len(runner.turn()) == 2
