"""A tournament: schedule, executor and ledger put together.

`prepare` settles what is to be played, `run` plays what is missing. A run may be killed at any instant:
the next one plays exactly the games that are not in the ledger. Each game that is handed out has a lease.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic

from arena.bundles import Bot, look_at, resolve
from arena.config import Tournament, draw_seed
from arena.errors import CannotStart
from arena.executors.local import LocalExecutor, oversubscribed
from arena.home import Home
from arena.ledger import Ledger
from arena.lineup import check_changes, check_lineup, check_transport
from arena.planning import plan_of, sizes
from arena.preflight import failures
from arena.schedules.round_robin import Pairing, Plan, round_robin
from arena.suspension import Conduct, Suspension, concerns, conduct, note, revised
from protocol.result import GameResult
from protocol.vocabulary import BotId, DealId, FaultKind, GameId
from referee.clocks import Limits
from referee.jobs import GameDone, Job
from referee.processes import Sandbox


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is to be played."""

    tournament: Tournament
    seed: str
    bots: dict[BotId, Bot]
    plan: Plan
    kept: frozenset[GameId]
    """Games that are over."""
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
        return replace(self, bots=bots, left_out=left_out)

    @property
    def suspended(self) -> dict[BotId, Suspension]:
        """The bots that are suspended by now."""
        return self.conduct.suspended

    @property
    def drops(self) -> bool:
        """Whether the games of a suspended bot are left out."""
        return self.tournament.on_suspend == "drop"

    def pairings(self) -> Iterator[Pairing]:
        """The whole schedule, in order."""
        return round_robin(self.plan, list(self.bots))

    def missing(self) -> Iterator[Pairing]:
        """What of it is still to be played."""
        for pairing in self.pairings():
            if self.drops and not self.suspended.keys().isdisjoint(pairing.seating):
                continue
            games = tuple(game for game in pairing.games if game.id not in self.kept)
            if games:
                yield replace(pairing, games=games)

    def count(self) -> int:
        """Games of the whole schedule."""
        return sum(size.games for size in sizes(self.plan, list(self.bots)).values())


# what a run tells while it goes on


@dataclass(frozen=True, slots=True)
class RunStarted:
    """Everything is ready; the first games begin."""

    tournament: str
    seed: str
    bots: tuple[str, ...]
    games: int
    kept: int
    """How many of them were over already."""
    left_out: tuple[str, ...]
    """Bots that do not build or start here, each with the reason."""


@dataclass(frozen=True, slots=True)
class GamesKept:
    """Games are over and safe in the ledger."""

    results: tuple[GameResult, ...]
    kept: int
    games: int


@dataclass(frozen=True, slots=True)
class BotSuspended:
    """A bot plays no more; told of those of earlier runs, too, after the start."""

    bot: str
    kind: FaultKind
    game: GameId
    """The last one that it was suspended for."""
    at: str
    """UTC, ISO 8601."""
    note: str
    """The same in words, and what becomes of its games."""


@dataclass(frozen=True, slots=True)
class RunEnded:
    """Nothing is missing any more."""

    tournament: str
    games: int
    seconds: float
    faults: int
    """Faults of bots in the games of this run."""
    dropped: int = 0
    """Games that are left out of the schedule, because a bot is suspended."""
    head: str = ""
    """Of the chain over all games that are kept: 64 hex digits, or nothing where there is none."""


RunEvent = RunStarted | BotSuspended | GamesKept | RunEnded
Listener = Callable[[RunEvent], None]


def check_bots(tournament: Tournament, home: Home, ledger: Ledger) -> None:
    """Raise InputError where the bots cannot play `tournament`, before any of them is taken in."""
    check_lineup(tournament, [look_at(home, ledger, reference) for reference in tournament.bots])


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
    plan = plan_of(tournament, seed)
    kept = frozenset(ledger.ids(tournament.name)) if begun else frozenset()
    so_far = conduct(ledger, tournament.name, tournament.suspend_after)
    return Prepared(tournament, seed, bots, plan, kept, tuple(left_out), so_far)


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
    _play(prepared, ledger, LocalExecutor(folder, tournament.concurrency, transport), logs, listen)
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


def _play(prepared: Prepared, ledger: Ledger, executor: LocalExecutor, logs: Path, listen: Listener) -> None:
    name, games, kept = prepared.tournament.name, prepared.count(), len(prepared.kept)
    started, faults = monotonic(), 0
    bots = tuple(map(str, prepared.bots))
    listen(RunStarted(name, prepared.seed, bots, games, kept, prepared.left_out))
    _tell(prepared, prepared.suspended.values(), listen)
    jobs = (job_of(prepared, pairing, logs) for pairing in prepared.missing())
    hold = ledger.take_up(name)

    def revise(job: Job) -> Job | None:
        return revised(job, prepared.suspended, prepared.drops)

    with executor:
        for batch in executor.run(jobs, revise=revise, lease=hold.lease):
            results = tuple(done.result for done in hold.keep(batch))
            kept += len(results)
            faults += sum(seat.fault is not None for result in results for seat in result.seats)
            listen(GamesKept(results, kept, games))
            if new := prepared.conduct.take_all(results):
                executor.recall(lambda job: concerns(job, prepared.suspended))
                _tell(prepared, new, listen)
    listen(RunEnded(name, games, monotonic() - started, faults, games - kept, ledger.head(name)))


def _tell(prepared: Prepared, suspensions: Iterable[Suspension], listen: Listener) -> None:
    for one in suspensions:
        text = note(one, prepared.drops)
        listen(BotSuspended(str(one.bot), one.kind, one.game, one.at, text))


def job_of(prepared: Prepared, pairing: Pairing, logs: Path) -> Job:
    """A pairing as the referee takes it."""
    tournament = prepared.tournament
    names = "-".join(bot.name for bot in pairing.seating)
    run = f"+{len(prepared.kept)}" if prepared.kept else ""  # no log that a kept record names is written over
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


def open_deals(prepared: Prepared) -> set[DealId]:
    """Deals that have games to come: their seeds, and so their records, are not to be shown yet."""
    return {game.deal for pairing in prepared.missing() for game in pairing.games}


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
