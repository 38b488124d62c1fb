"""A referee worker with so many matches in flight, and whose CPU their moves take.

The worker is the one that every run starts, on a core with its bots. It is handed its jobs at once, and its records
are dropped. What counts begins when each match has one game behind it, and ends with the GAMES after that, when all
have more to come: so no start of a bot and no end of one is in it.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from time import clock_gettime, monotonic
from typing import NamedTuple

from protocol.vocabulary import Verdict
from referee.jobs import Failed, FromWorker, GameDone, Job, Stop
from referee.players.usage import cpu_clock
from referee.processes import become_subreaper, reap_strays
from referee.processes.trees import descendants
from tests.benchmarks.build import children
from tests.benchmarks.harness import Figures
from tests.benchmarks.stage import MOVES, Stage

GAMES = 120
"""Of one sample, shared by the matches."""
PLANNED = 1600
"""More than are played, as the first matches go on while bots of the others start."""


class Spent(NamedTuple):
    """At an instant, in seconds."""

    clock: float
    referee: float
    """CPU: the worker, the spawner, and the keepers, which do for it what a bot's end takes."""
    bots: float
    """CPU of the bots' own processes."""


def flight(stage: Stage, bots: Sequence[str], matches: int, games: int = GAMES) -> Figures:
    """Microseconds a move: on the clock, of the referee's CPU and of the bots'."""
    with (
        stage.jobs(bots, PLANNED // 2) as (folder, jobs),
        children(stage.compiled),
        _worker(folder) as (worker, connection),
    ):
        shared = _shared(jobs, matches)
        for job in shared:
            connection.send(job)
        over = _games(connection)
        starting = {job.id for job in shared}
        while starting:
            starting.discard(next(over).job)
        begun = _spent(worker.pid)
        for _ in range(games):
            next(over)
        ended = _spent(worker.pid)
        connection.send(Stop())
    clock, referee, own = (
        1e6 * (end - begin) / games / MOVES for begin, end in zip(begun, ended, strict=True)
    )
    return {"µs": clock, "referee CPU µs": referee, "bots CPU µs": own}


def _shared(jobs: Sequence[Job], matches: int) -> list[Job]:
    """All their games, in as many jobs as there are to be matches."""
    games = [game for job in jobs for game in job.games]
    return [replace(jobs[0], id=f"flight{n}", games=tuple(games[n::matches])) for n in range(matches)]


@contextmanager
def _worker(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], Connection]]:
    """One on the last core that we may use, while we keep to the others; ended at the end."""
    become_subreaper()
    cores = sorted(os.sched_getaffinity(0))
    ours, theirs = socket.socketpair()
    with theirs:
        words = (str(theirs.fileno()), str(cores[-1]), str(folder), "zmtp")
        command = [sys.executable, "-P", "-m", "referee", *words]
        process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
    os.sched_setaffinity(0, cores[:-1] or cores)
    try:
        with Connection(ours.detach()) as connection:
            yield process, connection
            process.wait(10)
    finally:
        os.sched_setaffinity(0, cores)
        process.kill()
        process.wait()
        reap_strays()


def _games(connection: Connection) -> Iterator[GameDone]:
    """As they are over."""
    while True:
        message: FromWorker = connection.recv()
        if isinstance(message, Failed):
            raise RuntimeError(message.why)
        if isinstance(message, GameDone):
            assert message.result.verdict is Verdict.FINISHED, message.trouble or message.result
            yield message


def _spent(worker: int) -> Spent:
    clock, referee, bots = monotonic(), clock_gettime(cpu_clock(worker)), 0.0
    below = list(descendants(worker))
    keeper = _program(below[0])  # the spawner's: what is forked from it has it until it becomes a bot
    for pid in below:
        seconds = clock_gettime(cpu_clock(pid))
        if _program(pid) == keeper:
            referee += seconds
        else:
            bots += seconds
    return Spent(clock, referee, bots)


def _program(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()
