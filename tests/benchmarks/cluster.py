"""What handing games to a cluster costs, and what more workers bring.

    python -m tests.benchmarks.cluster

Workers are processes of this machine (`--cluster local:N`), each with a core as far as there are some: bots that sleep stand for
cores that there are not. Times are from the first games that come back to the last, so that no start is counted.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from time import monotonic

from arena.cluster import Cluster
from arena.config import Tournament
from arena.executors import Executor
from arena.executors.distant import DistantExecutor
from arena.executors.hiring import hired
from arena.executors.local import LocalExecutor
from arena.home import Home
from arena.ledger import Ledger
from arena.tournament import job_of, prepare
from referee.jobs import GameDone, Job
from referee.processes import NONE
from tests.benchmarks.harness import Bar, Case, Figures, Row, Session, at_least, cpu_seconds, measure
from tests.benchmarks.report import Part, table
from tests.benchmarks.stage import Stage, scratch

SLEEP_MS = 20
SLEEPER = f"""
import time
from protocol.client import Bot, run
class Sleeper(Bot):
    wants_events = False
    def choose(self, turn):
        time.sleep({SLEEP_MS / 1000})
        return turn["legal"][0]
run(Sleeper())
"""
WORKERS = 3
GAMES = 16
"""Of sleepers, for each worker: a second each."""
WARM_DEALS = 300
"""Of bots that think of nothing, after which units have their size."""
LEG_DEALS = 6000
"""Some units."""
LOCAL_DEALS = 2000
"""Beside each leg."""
LEGS = 3
ABOUT = f"""
`python -m tests.benchmarks.cluster`. Workers are processes of this machine (`--cluster local:N`), their referees plain. With {WORKERS} of them bots sleep
{SLEEP_MS} ms a move, in place of cores that this machine has not, and all share one core. *Overhead*: a worker plays units of their default size
after it is known what a game takes, in {LEGS} legs of some units, each between two tournaments on one core of the same machine without a
cluster, with whose mean it is compared: a row's range is that of its legs. Of a leg all is counted from the handing out of its first unit to the
last result: ways there and back, starts of bots and their end; of a tournament without a cluster the start is not. *Between*: the
time in which that worker had no unit. *CPU*: of all processes of either, the scheduler, the worker and what has its core together;
it tells what a cluster costs where the cores are busy, and depends little on what else runs.
"""


@dataclass(slots=True)
class Watch:
    """When games came back."""

    games: int = 0
    first: int = 0
    began: float = 0.0
    ended: float = 0.0

    def look(self, batches: Iterable[Sequence[GameDone]]) -> None:
        """Take all of them."""
        for batch in batches:
            if batch:
                self.ended = monotonic()
                self.games += len(batch)
                self.began, self.first = self.began or self.ended, self.first or self.games

    @property
    def rate(self) -> float:
        """Games a second."""
        return (self.games - self.first) / (self.ended - self.began)


class Bench:
    """A home folder, and tournaments in it that only differ in who plays."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._home, self._numbers = folder, Home(folder / "home", "none"), count()
        self._stage = Stage(folder / "stage", "none")
        self._home.folder()

    def sleepers(self) -> list[str]:
        """Two bots that sleep."""
        folders = [self._folder / name for name in ("one", "two")]
        for folder in folders:
            folder.mkdir(exist_ok=True)
            (folder / "bot.py").write_text(SLEEPER)
            (folder / "bot.toml").write_text(f'name = "{folder.name}"\nrun = ["python3", "bot.py"]\n')
        return list(map(str, folders))

    def trivial(self) -> list[str]:
        """Two bots in C."""
        return self._stage.trivial("stdio")

    @contextmanager
    def cluster(
        self, bots: list[str], deals: int, workers: int, **keys: float
    ) -> Iterator[tuple[DistantExecutor, list[Job]]]:
        """A cluster, and what it is to play."""
        tournament, jobs, logs = self._planned(bots, deals)
        with closing(Ledger(self._home.ledger)) as ledger:
            lineup = list(prepare(tournament, self._home, ledger).bots.values())
        plan = Cluster(kind="local", workers=workers, audit=0.0, **keys)  # type: ignore[arg-type]
        with (
            self._home.lock(tournament.name) as folder,
            hired(plan, tournament, self._home, lineup, NONE, folder, logs, "zmtp") as executor,
        ):
            yield executor, jobs

    @contextmanager
    def here(self, bots: list[str], deals: int) -> Iterator[tuple[Executor, list[Job]]]:
        """This machine alone, one core of it."""
        tournament, jobs, _ = self._planned(bots, deals)
        with self._home.lock(tournament.name) as folder, LocalExecutor(folder, 1) as executor:
            yield executor, jobs

    def _planned(self, bots: list[str], deals: int) -> tuple[Tournament, list[Job], Path]:
        name = f"bench{next(self._numbers)}"
        tournament = Tournament(name=name, bots=bots, variants=["claim"], deals=deals, sandbox="none")
        logs = self._home.folder("logs", name)
        with closing(Ledger(self._home.ledger)) as ledger:
            prepared = prepare(tournament, self._home, ledger)
            return tournament, [job_of(prepared, one, logs) for one in prepared.course.left()], logs

    def scaling(self, workers: int) -> Figures:
        """Sleeping bots on some workers."""
        watch = Watch()
        with self.cluster(self.sleepers(), GAMES * workers // 2, workers, unit_seconds=2.0) as (
            executor,
            jobs,
        ):
            watch.look(executor.run(jobs))
        return {f"{workers} games/s": watch.rate}

    def overhead(self) -> Figures:
        """Trivial bots on one worker in units of the default size, and the same without a cluster before and after.

        Each figure is there once for each leg.
        """
        bots, found = self.trivial(), Figures()
        with self.cluster(bots, WARM_DEALS, 1) as (executor, jobs):
            deque(executor.run(jobs), maxlen=0)  # until one knows what a game takes
            before = self._local(bots)
            for number in range(LEGS):
                leg, after = self._leg(executor, bots), self._local(bots)
                here = {unit: (before[unit] + after[unit]) / 2 for unit in before}
                leg |= {
                    "overhead": 1 - leg["games/s"] / here["games/s"],
                    "CPU": leg["CPU ms"] / here["CPU ms"],
                    "here games/s": here["games/s"],
                }
                found |= {f"{unit} {number}": value for unit, value in leg.items()}
                before = after
        return found

    def _leg(self, executor: DistantExecutor, bots: list[str]) -> Figures:
        """From when games are handed out to when all are back, so that each unit's start and way are in it."""
        jobs, units, spent = self._planned(bots, LEG_DEALS)[1], executor.units, executor.spent
        cpu, began = cpu_seconds(), monotonic()
        games = sum(len(batch) for batch in executor.run(jobs))
        seconds, cpu = monotonic() - began, cpu_seconds() - cpu
        units, spent = executor.units - units, executor.spent - spent
        return {
            "games/s": games / seconds,
            "CPU ms": 1000 * cpu / games,
            "unit s": spent / units,
            "between": seconds / spent - 1,
        }

    def _local(self, bots: list[str]) -> Figures:
        """One core of this machine alone."""
        watch = Watch()
        with self.here(bots, LOCAL_DEALS) as (executor, jobs):
            cpu = cpu_seconds()
            watch.look(executor.run(jobs))
            return {"games/s": watch.rate, "CPU ms": 1000 * (cpu_seconds() - cpu) / watch.games}


def part(folder: Path) -> Part:
    """As a section of the report."""
    return Part("Clusters", ABOUT, cases(Bench(folder)), rows)


def cases(bench: Bench) -> list[Case]:
    """What a round consists of."""
    return [
        Case("sleepers", partial(bench.scaling, 1), pinned=True),
        Case("sleepers", partial(bench.scaling, WORKERS), pinned=True),
        Case("cluster", bench.overhead),
    ]


def rows(session: Session) -> list[Row]:
    """What is reported."""
    ratio = session.ratio
    return [
        ratio("cluster_scaling", f"sleepers {WORKERS} games/s", "sleepers 1 games/s", f"{WORKERS} workers / one, bots that sleep {SLEEP_MS} ms a move", at_least(2.5)),
        legs(session, "cluster_overhead", "overhead", "1 - games/s of one worker of a cluster / of one core without, trivial bots, default units", Bar(0.01)),
        legs(session, "cluster_between", "between", "time of a worker between units / in units"),
        legs(session, "cluster_cpu", "CPU", "CPU of a game with a cluster / without"),
        legs(session, "cluster_unit", "unit s", "s of a unit"),
        legs(session, "cluster_games", "games/s", "games/s of one worker, trivial bots"),
        legs(session, "cluster_here", "here games/s", "games/s of one core without a cluster"),
    ]  # fmt: skip


def legs(session: Session, key: str, unit: str, what: str, bar: Bar | None = None) -> Row:
    """A figure of all legs."""
    each = [session.row(key, f"cluster {unit} {number}", what, bar) for number in range(LEGS)]
    return replace(each[0], values=[value for row in each for value in row.values], once=False)


def main() -> None:
    """Measure it once."""
    with scratch() as folder:
        session = measure([], 0.0, once=[cases(Bench(folder))])
    found = rows(session)
    print(session.said, table(found), json.dumps({one.key: list(one.values) for one in found}), sep="\n\n")


if __name__ == "__main__":
    main()
