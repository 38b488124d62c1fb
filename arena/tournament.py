"""A tournament: schedule, executor and ledger put together.

`prepare` settles what is to be played, `run` plays what is missing, step by step. A run may be killed at any
instant: the next one ends the blocks that were begun, and goes on. Each game that is handed out has a lease.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from time import monotonic

from arena.bundles import Bot, look_at, resolve
from arena.cluster import Cluster
from arena.config import Tournament, draw_seed
from arena.errors import CannotStart, StorageError
from arena.events import BotSuspended, GamesKept, Listener, RunEnded, RunStarted
from arena.executors import Executor
from arena.executors.local import LocalExecutor, oversubscribed
from arena.feed import Feeder
from arena.home import Home
from arena.ledger import Ledger
from arena.lineup import check_budget, check_changes, check_file, check_lineup, check_transport
from arena.planning import ALL_PLAYED, Course, course_of
from arena.preflight import failures
from arena.runs import Run, taken_up
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
    seen: int
    """How many runs there had been before anything of it was read."""
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
    seen = ledger.runs(tournament.name)
    lineup, left_out = _lineup(tournament, home.unless_told(tournament.sandbox), ledger)
    check_lineup(tournament, lineup)
    bots = {bot.id: bot for bot in lineup}
    begun = ledger.find(tournament.name)
    if begun is not None:
        check_changes(begun, tournament, list(bots))
    seed = begun.seed if begun else tournament.seed or draw_seed()
    so_far = conduct(ledger, tournament.name, tournament.suspend_after)
    away = so_far.suspended if tournament.on_suspend == "drop" else ()
    course = course_of(tournament, seed, list(bots), away)
    course.take_in(ledger)
    check_budget(course)
    return Prepared(tournament, seed, bots, course, seen, tuple(left_out), so_far)


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
    cluster: Cluster | None = None,
) -> RunEnded:
    """Play what is missing of a tournament; the last that `listen` is told, too.

    `transport`: one of `referee.transports.NAMES`; it changes nothing but speed. `cluster`: who plays, in
    place of this machine.

    Raises ArenaError. On KeyboardInterrupt everything that was told to `listen` is kept, all bots are
    ended, and the same call goes on later.
    """
    home = home or Home.default()
    home.folder()
    with closing(Ledger(home.ledger)) as ledger:
        check_bots(tournament, home, ledger)  # what is refused leaves not even a lock
        if cluster is not None:
            check_cluster(cluster)
        _sandbox(tournament, home.unless_told(tournament.sandbox))
        with home.lock(tournament.name) as folder:
            return _run(tournament, home, ledger, folder, transport, listen, cluster)


def _run(
    tournament: Tournament,
    home: Home,
    ledger: Ledger,
    folder: Path,
    transport: str,
    listen: Listener,
    cluster: Cluster | None,
) -> RunEnded:
    ledger.check()
    prepared = prepare(tournament, home, ledger)
    logs = home.folder("logs", home.called(tournament.name))
    bots = list(prepared.bots.values())
    check_transport(transport, bots)
    tried = [bot for bot in bots if bot.id not in prepared.suspended]
    prepared = prepared.without(failures(tried, folder, tournament.clock.limits, logs))
    hold = _enter(prepared, ledger)
    feed = Feeder(folder, tournament.spectator_delay_ms / 1000).turn
    play = _Play(
        prepared, ledger, hold, logs, listen, feed, partial(_check_lock, home, ledger, tournament.name)
    )
    return play.all(_executor(prepared, home, folder, logs, transport, cluster))


def check_cluster(cluster: Cluster) -> None:
    """Raise CannotStart where what starts or reaches a cluster is not installed, or has no keys."""
    from arena.executors.entry import check

    check(cluster)


def _executor(
    prepared: Prepared, home: Home, folder: Path, logs: Path, transport: str, cluster: Cluster | None
) -> Executor:
    tournament = prepared.tournament
    if cluster is None:
        return LocalExecutor(folder, tournament.concurrency, transport)
    from arena.executors.hiring import hired

    told = home.unless_told(tournament.sandbox)
    bots = [bot for id, bot in prepared.bots.items() if id not in prepared.suspended]
    return hired(cluster, tournament, told, bots, _sandbox(tournament, told), folder, logs, transport)


def _check_lock(home: Home, ledger: Ledger, name: str) -> None:
    """Raise StorageError where nobody holds a tournament any more, so that anybody may take it up."""
    if name not in home.running(ledger, [name]):
        text = f"the lock of tournament {name!r} is lost: its session on the ledger's server ended, or its file is gone"
        raise StorageError(text, "run the same command again: it goes on", "E411")


def _enter(prepared: Prepared, ledger: Ledger) -> Run:
    """Enter the tournament as it is to be played now. Raises Busy where another run of it was begun meanwhile."""
    tournament, bots = prepared.tournament, list(prepared.bots)
    check_lineup(tournament, list(prepared.bots.values()))
    notes = prepared.left_out
    if begun := ledger.find(tournament.name):
        check_changes(begun, tournament, bots)
        if set(bots) == set(begun.bots):  # they go on, perhaps by name: who was left out still is
            notes = notes or begun.notes
    config = tournament.model_dump(mode="json")
    return ledger.enter(tournament.name, prepared.seed, config, bots, notes, prepared.seen)


class _Play:
    """One run, from its first game to its last."""

    def __init__(
        self, prepared: Prepared, ledger: Ledger, hold: Run, logs: Path, listen: Listener,
        feed: Callable[[Executor, list[GameDone]], None] = lambda *_: None,
        check: Callable[[], None] = lambda: None,
    ) -> None:  # fmt: skip
        self._prepared, self._course = prepared, prepared.course
        self._hold, self._feed, self._check = hold, feed, check
        self._ledger, self._logs, self._listen = ledger, logs, listen
        self._name = prepared.tournament.name
        self._began, self._faults, self._stopped = monotonic(), 0, ""
        self._before = prepared.course.kept
        self._most = self._course.most()
        self._spending = Spending()
        self._course.progress.cost = self._spending.cost

    def all(self, executor: Executor) -> RunEnded:
        """Play what there is to play, and tell of it."""
        prepared = self._prepared
        bots = tuple(map(str, prepared.bots))
        self._listen(RunStarted(self._name, prepared.seed, bots, self._most, self._before, prepared.left_out))
        self._tell(prepared.suspended.values())
        if not self._course.schedule.static:
            self._spending.take(self._ledger.newest_of_each(RECENT, self._name))
        steps = self._steps()
        if first := next(steps, None):  # else nobody is needed, and a cluster may well be gone
            with executor:
                for step in chain([first], steps):
                    self._step(step, executor)
        return self._end(self._stopped)

    def _steps(self) -> Iterator[Iterable[Pairing]]:
        """What is to be played, each step once the one before is over; `_stopped` has why no other comes."""
        while not (stopped := self._course.stopped(monotonic() - self._began)):
            pairings = self._course.next()
            if (first := next(pairings, None)) is None:
                break
            before = self._course.kept
            yield chain([first], pairings)
            if self._course.kept == before:  # they are kept, and not by this run: it would play them for ever
                raise taken_up(self._name)
        self._stopped = stopped

    def _step(self, pairings: Iterable[Pairing], executor: Executor) -> None:
        if not self._course.schedule.static:  # all of a step is waited for
            pairings = spread(pairings, executor.parallel)
        jobs = (job_of(self._prepared, pairing, self._logs) for pairing in pairings)
        for batch in executor.run(jobs, revise=self._revised, lease=self._hold.lease):
            results = self._take(self._hold.keep(batch))
            self._check()
            self._feed(executor, batch)
            if new := self._prepared.conduct.take_all(results):
                executor.recall(lambda job: concerns(job, self._prepared.suspended))
                self._tell(new)

    def _take(self, games: list[GameDone]) -> tuple[GameResult, ...]:
        results = tuple(done.result for done in games)
        self._course.take(results)
        if not self._course.schedule.static:
            self._spending.take(done.record for done in games)
        self._faults += sum(seat.fault is not None for result in results for seat in result.seats)
        self._listen(GamesKept(results, self._course.kept, self._most))
        return results

    def _end(self, stopped: str) -> RunEnded:
        course = self._course
        unbalanced = tuple(imbalance(course.field, course.progress, course.schedule))
        if unbalanced and not self._is_explained(stopped):
            raise Imbalance(
                f"{self._name} is over, and its schedule did not keep to: {'; '.join(unbalanced)}"
            )
        dropped = course.dropped()
        seconds, head = monotonic() - self._began, self._ledger.head(self._name)
        ended = RunEnded(
            self._name,
            course.kept + dropped,
            seconds,
            self._faults,
            dropped,
            head,
            stopped or ALL_PLAYED,
            unbalanced,
        )
        self._listen(ended)
        return ended

    def _is_explained(self, stopped: str) -> bool:
        """Whether a schedule may be out of balance: what was played before may have been another's."""
        prepared, progress = self._prepared, self._course.progress
        void = progress.games < self._course.kept
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
    kept = prepared.course.kept
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
