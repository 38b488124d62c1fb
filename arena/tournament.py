"""A tournament: schedule, executor and ledger put together.

`prepare` settles what is to be played, `run` plays what is missing, step by step. A run may be killed at any
instant: the next one ends the blocks that were begun, and goes on. Each game that is handed out has a lease.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from time import monotonic

from arena.bundles import Bot, look_at, resolve
from arena.config import Tournament, draw_seed
from arena.errors import CannotStart
from arena.events import BotSuspended, GamesKept, Listener, RunEnded, RunStarted
from arena.executors.local import LocalExecutor, oversubscribed, processes
from arena.home import Home
from arena.ledger import Ledger
from arena.lineup import check_budget, check_changes, check_file, check_lineup, check_transport
from arena.planning import ALL_PLAYED, Course, course_of
from arena.preflight import failures
from arena.runs import Run
from arena.schedules.balance import imbalance
from arena.schedules.blocks import Pairing, spread
from arena.scheduling import schedules
from arena.spending import RECENT, Spending
from arena.suspension import Conduct, Suspension, concerns, conduct, note, revised
from protocol.result import GameResult
from protocol.vocabulary import BotId
from referee.clocks import Limits
from referee.jobs import GameDone, Job
from referee.processes import Sandbox


class Imbalance(Exception):
    """A schedule is over and did not keep to what it promises: our own mistake. All games are kept."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is to be played."""

    tournament: Tournament
    seed: str
    bots: dict[BotId, Bot]
    course: Course
    """What is over and what is to come; fed with games as they are kept."""
    left_out: tuple[str, ...] = ()
    """Bots that the file names and that do not build or start here, each with the reason."""
    conduct: Conduct = field(default_factory=lambda: Conduct(0))
    """Of the games that are over, and fed with others as they are kept."""

    def without(self, failed: Mapping[BotId, CannotStart]) -> Prepared:
        """The same without some bots. Raises the first of `failed` where the file does not allow that."""
        if failed and self.tournament.missing_bots == "stop":
            raise next(iter(failed.values()))
        bots = {id: bot for id, bot in self.bots.items() if id not in failed}
        left_out = self.left_out + tuple(_left_out(id.name, error) for id, error in failed.items())
        schedule, whole = schedules(self.tournament, tuple(bots))
        course = replace(self.course, bots=tuple(bots), schedule=schedule, whole=whole)
        return replace(self, bots=bots, left_out=left_out, course=course)

    @property
    def suspended(self) -> dict[BotId, Suspension]:
        """The bots that are suspended by now."""
        return self.conduct.suspended

    @property
    def drops(self) -> bool:
        """Whether the games of a suspended bot are left out."""
        return self.tournament.on_suspend == "drop"


def check_bots(tournament: Tournament, home: Home, ledger: Ledger) -> None:
    """Raise InputError where the bots cannot play `tournament`, before any of them is taken in."""
    check_file(tournament, [look_at(home, ledger, reference) for reference in tournament.bots], ledger)


def prepare(tournament: Tournament, home: Home, ledger: Ledger) -> Prepared:
    """Take the bots in and settle the schedule; nothing is entered in the ledger's tournaments yet.

    Raises InputError: an unknown bot, two of one name, a variant with too few bots or one that a bot does
    not play, or a change that a begun tournament does not allow.
    """
    lineup, left_out = _lineup(tournament, home.unless_told(tournament.sandbox), ledger)
    check_lineup(tournament, lineup)
    bots = {bot.id: bot for bot in lineup}
    begun = ledger.find(tournament.name)
    if begun is not None:
        check_changes(begun, tournament, list(bots))
    seed = begun.seed if begun else tournament.seed or draw_seed()
    so_far = conduct(ledger, tournament.name, tournament.suspend_after)
    away = so_far.suspended if tournament.on_suspend == "drop" else ()
    results = ledger.results(tournament.name) if begun else []
    course = course_of(tournament, seed, list(bots), results, away)
    check_budget(course)
    return Prepared(tournament, seed, bots, course, tuple(left_out), so_far)


def _lineup(tournament: Tournament, home: Home, ledger: Ledger) -> tuple[list[Bot], list[str]]:
    """The bots that the file names, and why some of them are left out."""
    lineup: list[Bot] = []
    left_out: list[str] = []
    for reference in tournament.bots:
        try:
            lineup.append(
                replace(resolve(home, ledger, reference), sandbox=lambda: _sandbox(tournament, home))
            )
        except CannotStart as error:
            if tournament.missing_bots == "stop":
                raise
            left_out.append(_left_out(reference, error))
    return lineup, left_out


def _sandbox(tournament: Tournament, home: Home) -> Sandbox:
    """What its bots are kept in. Raises CannotStart where that can't be had."""
    return replace(home.sandbox(), memory_mb=tournament.memory_mb)


def _left_out(name: str, error: CannotStart) -> str:
    reason = str(error).splitlines()[0].rstrip(":").removeprefix(f"{name}: ")
    return f"{name} is left out: {reason}" + (f" ({error.fix})" if error.fix else "")


def run(
    tournament: Tournament,
    home: Home | None = None,
    listen: Listener = lambda _: None,
    transport: str = "zmtp",
) -> list[GameResult]:
    """Play what is missing of a tournament; all its results, ordered by id.

    `transport`: one of `referee.transports.NAMES`; it changes nothing but speed.

    Raises ArenaError. On KeyboardInterrupt everything that was told to `listen` is kept, all bots are
    ended, and the same call goes on later.
    """
    home = home or Home.default()
    home.folder()
    with closing(Ledger(home.ledger)) as ledger:
        check_bots(tournament, home, ledger)  # what is refused leaves not even a lock
        _sandbox(tournament, home.unless_told(tournament.sandbox))
        with home.lock(tournament.name) as folder:
            return _run(tournament, home, ledger, folder, transport, listen)


def _run(
    tournament: Tournament, home: Home, ledger: Ledger, folder: Path, transport: str, listen: Listener
) -> list[GameResult]:
    ledger.check()
    prepared = prepare(tournament, home, ledger)
    logs = home.folder("logs", tournament.name)
    bots = list(prepared.bots.values())
    check_transport(transport, bots)
    tried = [bot for bot in bots if bot.id not in prepared.suspended]
    prepared = prepared.without(failures(tried, folder, tournament.clock.limits, logs))
    _enter(prepared, ledger)
    _Play(prepared, ledger, logs, listen).all(LocalExecutor(folder, tournament.concurrency, transport))
    return ledger.results(tournament.name)


def _enter(prepared: Prepared, ledger: Ledger) -> None:
    """Enter the tournament as it is to be played now."""
    tournament, bots = prepared.tournament, list(prepared.bots)
    check_lineup(tournament, list(prepared.bots.values()))
    notes = prepared.left_out
    if begun := ledger.find(tournament.name):
        check_changes(begun, tournament, bots)
        if set(bots) == set(begun.bots):  # they go on, perhaps by name: who was left out still is
            notes = notes or begun.notes
    config = tournament.model_dump(mode="json")
    ledger.begin(tournament.name, prepared.seed, config, bots, notes)


class _Play:
    """One run, from its first game to its last."""

    def __init__(self, prepared: Prepared, ledger: Ledger, logs: Path, listen: Listener) -> None:
        self._prepared, self._course = prepared, prepared.course
        self._ledger, self._logs, self._listen = ledger, logs, listen
        self._name = prepared.tournament.name
        self._began, self._faults = monotonic(), 0
        self._before = len(prepared.course.kept)
        self._most = self._course.most()
        self._spending = Spending()
        self._course.progress.cost = self._spending.cost

    def all(self, executor: LocalExecutor) -> None:
        """Play what there is to play, and tell of it."""
        prepared = self._prepared
        bots = tuple(map(str, prepared.bots))
        self._listen(RunStarted(self._name, prepared.seed, bots, self._most, self._before, prepared.left_out))
        self._tell(prepared.suspended.values())
        hold = self._ledger.take_up(self._name)
        if not self._course.schedule.static:
            self._spending.take(self._ledger.newest_of_each(RECENT, self._name))
        with executor:
            while not (stopped := self._course.stopped(monotonic() - self._began)):
                pairings = self._course.next()
                if (first := next(pairings, None)) is None:
                    break
                self._step(chain([first], pairings), executor, hold)
        self._end(stopped)

    def _step(self, pairings: Iterable[Pairing], executor: LocalExecutor, hold: Run) -> None:
        if not self._course.schedule.static:  # all of a step is waited for
            pairings = spread(pairings, processes(self._prepared.tournament.concurrency))
        jobs = (job_of(self._prepared, pairing, self._logs) for pairing in pairings)
        for batch in executor.run(jobs, revise=self._revised, lease=hold.lease):
            results = self._take(hold.keep(batch))
            if new := self._prepared.conduct.take_all(results):
                executor.recall(lambda job: concerns(job, self._prepared.suspended))
                self._tell(new)

    def _take(self, games: list[GameDone]) -> tuple[GameResult, ...]:
        results = tuple(done.result for done in games)
        self._course.take(results)
        if not self._course.schedule.static:
            self._spending.take(done.record for done in games)
        self._faults += sum(seat.fault is not None for result in results for seat in result.seats)
        self._listen(GamesKept(results, len(self._course.kept), self._most))
        return results

    def _end(self, stopped: str) -> None:
        course = self._course
        unbalanced = tuple(imbalance(course.field, course.progress, course.schedule))
        if unbalanced and not self._is_explained(stopped):
            raise Imbalance(
                f"{self._name} is over, and its schedule did not keep to: {'; '.join(unbalanced)}"
            )
        games, dropped = len(course.kept) + course.dropped(), course.dropped()
        seconds, head = monotonic() - self._began, self._ledger.head(self._name)
        ended = RunEnded(
            self._name, games, seconds, self._faults, dropped, head, stopped or ALL_PLAYED, unbalanced
        )
        self._listen(ended)

    def _is_explained(self, stopped: str) -> bool:
        """Whether a schedule may be out of balance: what was played before may have been another's."""
        prepared, progress = self._prepared, self._course.progress
        void = len(progress.results) < len(self._course.kept)
        cut = bool(stopped) and not self._course.schedule.static
        return self._before > 0 or void or cut or (prepared.drops and bool(prepared.suspended))

    def _revised(self, job: Job) -> Job | None:
        return revised(job, self._prepared.suspended, self._prepared.drops)

    def _tell(self, suspensions: Iterable[Suspension]) -> None:
        for one in suspensions:
            text = note(one, self._prepared.drops)
            self._listen(BotSuspended(str(one.bot), one.kind, one.game, one.at, text))


def job_of(prepared: Prepared, pairing: Pairing, logs: Path) -> Job:
    """A pairing as the referee takes it."""
    tournament = prepared.tournament
    names = "-".join(bot.name for bot in pairing.seating)
    kept = len(prepared.course.kept)
    run = f"+{kept}" if kept else ""  # no log that a kept record names is written over
    return Job(
        id=f"{pairing.variant.replace('/', '.')}-{names}-{pairing.games[0].id[:8]}{run}",
        variant=pairing.variant,
        seating=tuple(prepared.bots[bot].launch for bot in pairing.seating),
        games=pairing.games,
        limits=tournament.clock.limits,
        secret=prepared.seed,
        logs=str(logs),
        fresh=tournament.fresh_processes,
        show_names=tournament.names == "shown",
        oversubscribed=oversubscribed(tournament.concurrency),
    )


def play(
    variant: str,
    bots: list[str],
    seed: str | None = None,
    cards: tuple[str, ...] = (),
    clock: Limits | None = None,
    home: Home | None = None,
) -> GameDone:
    """One game between `bots` in the seats of `variant`, outside any tournament.

    `cards`: a literal deal. Raises ArenaError, or GameError for a deal that does not fit.
    """
    from arena.single import play_one

    return play_one(variant, bots, seed, cards, clock, home or Home.default())
