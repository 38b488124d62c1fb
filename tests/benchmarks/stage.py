"""Tournaments played for their speed: real bots, real workers, a real ledger on disk.

Rates are taken from the first games that are over to when most are, so that neither the start of workers and bots
counts nor the end, when one of them has nothing more to do.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic

from arena.config import Tournament
from arena.errors import CannotStart
from arena.events import GamesKept, RunEvent, RunStarted
from arena.executors.local import LocalExecutor
from arena.home import Home
from arena.ledger import Ledger
from arena.preflight import greet
from arena.tournament import job_of, prepare, run
from referee.games import game_of
from referee.jobs import Job
from tests.benchmarks import programs
from tests.benchmarks.build import DISK, ROOT, children
from tests.benchmarks.harness import Figures, NotMeasured, cpu_seconds

VARIANT = game_of("claim").variant("claim").id
MOVES = 52
"""Of every game of that variant: two players, two phases of thirteen tricks, nothing else to decide."""
ENOUGH = 0.85
"""The share of a tournament's games that is measured."""


class Pace:
    """Counts games of a tournament that are over, from the first that come to ENOUGH of all of them."""

    def __init__(self, games: int) -> None:
        self._enough = int(games * ENOUGH)
        self._done = self._first = self._last = 0
        self._began = self._ended = (0.0, 0.0)

    def add(self, more: int) -> None:
        """So many more games are over. It looks at the clock at the first and when there are enough."""
        if more and not self._done:
            cpu = cpu_seconds()  # outside what the clock sees, as it takes some milliseconds
            self._first, self._began = more, (monotonic(), cpu)
        self._done += more
        if self._done >= self._enough and not self._last:
            self._last, self._ended = self._done, (monotonic(), cpu_seconds())

    def figures(self, moves: int = 0) -> Figures:
        """Games a second; with `moves` in each of them, moves a second, and microseconds a move: on the clock, and of
        all our processes' CPU."""
        games = self._last - self._first
        seconds, cpu = (end - begin for end, begin in zip(self._ended, self._began, strict=True))
        found = {"games/s": games / seconds}
        if moves:
            each = 1e6 / games / moves
            found |= {"moves/s": games * moves / seconds, "µs": seconds * each, "CPU µs": cpu * each}
        return found


class Stage:
    """A home folder of its own in `folder`, and line-ups of bots that differ in nothing but their names.

    `mode`: what bots are kept in; where nothing is said, as users' are. `home`: another one, which is there.
    `compiled`: which form of the referee plays.
    """

    def __init__(
        self, folder: Path, mode: str = "", home: Path | None = None, compiled: bool = False
    ) -> None:
        self.compiled = compiled
        self._folder = folder
        self._home = Home(home or folder / "home", mode)
        self._numbers = count(1)
        self._home.folder()

    def pair(self, bot: str) -> list[str]:
        """Two copies of one of the project's bots (`cpp`), as a tournament names them."""
        folder = self._folder / bot.replace("/", "-")
        if not folder.exists():
            for name in ("one", "two"):
                ignored = shutil.ignore_patterns("build", "__pycache__")
                manifest = shutil.copytree(ROOT / "bots" / bot, folder / name, ignore=ignored) / "bot.toml"
                lines = manifest.read_text().splitlines()
                renamed = [f'name = "{name}"' if line.startswith("name") else line for line in lines]
                manifest.write_text("\n".join(renamed))
        return self._built([folder / name for name in ("one", "two")])

    def trivial(self, transport: str, bots: int = 2) -> list[str]:
        """So many bots in C that think of nothing."""
        folders = [self._folder / f"{transport}{number}" for number in range(bots)]
        for folder in folders:
            if not folder.exists():
                programs.bot(folder, folder.name, transport)
        return self._built(folders)

    def _built(self, folders: Sequence[Path]) -> list[str]:
        """Bots as a tournament names them, built before anything is measured."""
        bots = [str(folder) for folder in folders]
        with suppress(NotMeasured), self.jobs(bots, 1):
            pass
        return bots

    def kept(
        self, bots: Sequence[str], deals: int, workers: int = 1, fresh: bool = False, variant: str = VARIANT
    ) -> Figures:
        """A whole tournament, as `arena run` plays it."""
        tournament = self._tournament(bots, deals, workers, fresh, variant)
        paces: list[Pace] = []

        def listen(event: RunEvent) -> None:
            if isinstance(event, RunStarted):
                paces.append(Pace(event.games or 0))
            elif isinstance(event, GamesKept):
                paces[0].add(len(event.results))

        with _refused(), children(self.compiled):
            run(tournament, self._home, listen)
        return paces[0].figures(MOVES if variant == VARIANT else 0)

    def unkept(self, bots: Sequence[str], deals: int, workers: int) -> Figures:
        """The same games, whose results and records are dropped as they come in."""
        with (
            self.jobs(bots, deals, workers) as (folder, jobs),
            children(self.compiled),
            LocalExecutor(folder, workers) as executor,
        ):
            pace = Pace(sum(len(job.games) for job in jobs))
            for batch in executor.run(jobs):
                pace.add(len(batch))
        return pace.figures(MOVES)

    @contextmanager
    def jobs(self, bots: Sequence[str], deals: int, workers: int = 1) -> Iterator[tuple[Path, list[Job]]]:
        """The jobs of a tournament, and the folder of its run."""
        tournament = self._tournament(bots, deals, workers)
        with (
            _refused(),
            self._home.lock(tournament.name) as folder,
            closing(Ledger(self._home.ledger)) as ledger,
        ):
            prepared = prepare(tournament, self._home, ledger)
            logs = self._home.folder("logs", tournament.name)
            yield folder, [job_of(prepared, pairing, logs) for pairing in prepared.course.left()]

    def started(self, bots: Sequence[str], times: int = 5) -> Figures:
        """Milliseconds of CPU to start a bot's program, hear its `hello` and end it: what each job does."""
        tournament = self._tournament(bots, 1, 1)
        with self._home.lock(tournament.name) as folder, closing(Ledger(self._home.ledger)) as ledger:
            known = list(prepare(tournament, self._home, ledger).bots.values())
            began = cpu_seconds()
            greet(known * times, folder, tournament.clock.limits, folder)
            return {"ms": (cpu_seconds() - began) / times / len(known) * 1e3}

    def _tournament(
        self, bots: Sequence[str], deals: int, workers: int, fresh: bool = False, variant: str = VARIANT
    ) -> Tournament:
        return Tournament(
            name=f"bench{next(self._numbers)}", bots=list(bots), variants=[variant], deals=deals,
            concurrency=workers, fresh_processes=fresh,
        )  # fmt: skip


@contextmanager
def _refused() -> Iterator[None]:
    """What this machine does not give is not measured."""
    try:
        yield
    except CannotStart as error:
        lines = str(error).splitlines()
        lacks = [line.split(":")[0].strip() for line in lines[1:] if ":" in line and "fix:" not in line]
        raise NotMeasured(f"not to be had here ({', '.join(lacks) or lines[0]})") from None


class Stages:
    """A stage for each mode, where the compiled referee plays, and `plain`, the other with mode `none`; made when first
    asked for, in `folder`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._made: dict[str, Stage] = {}

    def __getitem__(self, mode: str) -> Stage:
        if mode not in self._made:
            plain = mode == "plain"
            self._made[mode] = Stage(self.folder / mode, "none" if plain else mode, compiled=not plain)
        return self._made[mode]


@contextmanager
def stages() -> Iterator[Stages]:
    """On disk, and gone at the end."""
    with scratch() as folder:
        yield Stages(folder)


@contextmanager
def scratch(under: Path = DISK / "scratch") -> Iterator[Path]:
    """A folder on disk, gone at the end; what was left by programs that were killed goes before."""
    under.mkdir(parents=True, exist_ok=True)
    with _held(under):
        for left in under.iterdir():
            with suppress(BlockingIOError), _held(left, fcntl.LOCK_NB):
                shutil.rmtree(left, ignore_errors=True)
        folder = Path(mkdtemp(dir=under))
        lock = os.open(folder, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


@contextmanager
def _held(folder: Path, how: int = 0) -> Iterator[None]:
    """Locked against others; the kernel lets it go with its holder."""
    lock = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | how)
        yield
    finally:
        os.close(lock)
