"""Tournaments played for their speed: real bots, real workers, a real ledger on disk.

Rates are taken from the first games that are over to the last, so that starting workers and bots does
not count.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from time import monotonic

from arena.config import Tournament
from arena.events import GamesKept, RunEvent
from arena.executors.local import LocalExecutor
from arena.home import Home
from arena.ledger import Ledger
from arena.preflight import greet
from arena.tournament import job_of, prepare, run
from referee.games import game_of
from tests.benchmarks.harness import Figures, cpu_seconds

ROOT = Path(__file__).parents[2]
DISK = ROOT / "build"
"""Homes are made here: the folder for temporary files may be memory, where a commit costs nothing."""
VARIANT = game_of("claim").variant("claim").id
MOVES = 52
"""Of every game of that variant: two players, two phases of thirteen tricks, nothing else to decide."""


class Pace:
    """Counts games that are over."""

    def __init__(self, games: int) -> None:
        self._games = games
        self._done = self._first = 0
        self._began = self._ended = (0.0, 0.0)

    def add(self, more: int) -> None:
        """So many more games are over. It looks at the clock at the first and at the last of all."""
        if more and not self._done:
            cpu = cpu_seconds()  # outside what the clock sees, as it takes some milliseconds
            self._first, self._began = more, (monotonic(), cpu)
        self._done += more
        if more and self._done == self._games:
            self._ended = (monotonic(), cpu_seconds())

    def figures(self, name: str) -> Figures:
        """Games and moves a second, and microseconds a move: on the clock, and of all our processes' CPU."""
        games = self._games - self._first
        seconds, cpu = (end - begin for end, begin in zip(self._ended, self._began, strict=True))
        return {
            f"{name} games/s": games / seconds,
            f"{name} moves/s": games * MOVES / seconds,
            f"{name} µs": seconds / games / MOVES * 1e6,
            f"{name} CPU µs": cpu / games / MOVES * 1e6,
        }


class Stage:
    """A home folder of its own in `folder`, and pairs of bots that differ in nothing but their names.

    `mode`: what bots are kept in; where nothing is said, as users' are.
    """

    def __init__(self, folder: Path, mode: str = "") -> None:
        self._folder = folder
        self._home = Home(folder / "home", mode)
        self._numbers = count(1)
        self._home.folder()

    def pair(self, bot: str) -> list[str]:
        """Two copies of one of the project's bots (`cpp`), as a tournament names them."""
        copies = []
        for name in ("one", "two"):
            copy = self._folder / bot.replace("/", "-") / name
            shutil.copytree(ROOT / "bots" / bot, copy, ignore=shutil.ignore_patterns("build", "__pycache__"))
            manifest = copy / "bot.toml"
            lines = manifest.read_text().splitlines()
            renamed = [f'name = "{name}"' if line.startswith("name") else line for line in lines]
            manifest.write_text("\n".join(renamed))
            copies.append(str(copy))
        return copies

    def kept(self, name: str, bots: Sequence[str], deals: int, workers: int, fresh: bool = False) -> Figures:
        """A whole tournament, as `arena run` plays it."""
        tournament = self._tournament(bots, deals, workers, fresh)
        pace = Pace(2 * deals)

        def listen(event: RunEvent) -> None:
            if isinstance(event, GamesKept):
                pace.add(len(event.results))

        run(tournament, self._home, listen)
        return pace.figures(name)

    def unkept(self, name: str, bots: Sequence[str], deals: int, workers: int) -> Figures:
        """The same games, whose results and records are dropped as they come in."""
        tournament = self._tournament(bots, deals, workers, fresh=False)
        pace = Pace(2 * deals)
        with (
            self._home.lock(tournament.name) as folder,
            closing(Ledger(self._home.ledger)) as ledger,
            LocalExecutor(folder, workers) as executor,
        ):
            prepared = prepare(tournament, self._home, ledger)
            jobs = (job_of(prepared, pairing, folder) for pairing in prepared.course.left())
            for batch in executor.run(jobs):
                pace.add(len(batch))
        return pace.figures(name)

    def started(self, bots: Sequence[str], times: int = 5) -> Figures:
        """Milliseconds of CPU to start a bot's program, hear its `hello` and end it: what each job does."""
        tournament = self._tournament(bots, 1, 1, fresh=False)
        with self._home.lock(tournament.name) as folder, closing(Ledger(self._home.ledger)) as ledger:
            known = list(prepare(tournament, self._home, ledger).bots.values())
            began = cpu_seconds()
            greet(known * times, folder, tournament.clock.limits, folder)
            return {"start ms": (cpu_seconds() - began) / times / len(known) * 1e3}

    def _tournament(self, bots: Sequence[str], deals: int, workers: int, fresh: bool) -> Tournament:
        return Tournament(
            name=f"bench{next(self._numbers)}", bots=list(bots), variants=[VARIANT], deals=deals,
            concurrency=workers, fresh_processes=fresh,
        )  # fmt: skip
