"""Referee workers on this machine: one a core, each pinned to it together with its bots."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic, sleep
from types import TracebackType
from typing import Self

from arena.errors import StorageError
from arena.executors import ATTEMPTS, MEND, Lease, Revise, unfenced, unrevised
from arena.interrupts import deaf_children
from protocol.vocabulary import Verdict, VoidReason
from referee import score
from referee.jobs import (
    Failed,
    FromWorker,
    GameDone,
    Glimpse,
    Glimpses,
    Job,
    JobDone,
    Peek,
    PlannedGame,
    Recall,
    Stop,
    ToWorker,
    Wanting,
)
from referee.processes import become_subreaper, reap_strays

STOP_SECONDS = 5.0
GATHER = 0.05
"""Seconds in which games gather after the first one, so that they are kept in one transaction."""


class _Held:
    """A job that a worker has."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.left = {game.lease: game for game in job.games}
        """Games that are still to come, by their leases."""


@dataclass(slots=True)
class _Worker:
    process: subprocess.Popen[bytes]
    connection: Connection
    core: int
    jobs: dict[str, _Held] = field(default_factory=dict)
    """In hand."""
    wanting: bool = False
    """It can take another."""
    heard: bool = False
    """It has said something."""
    poller: select.poll = field(default_factory=select.poll)
    """Over its connection."""

    def __post_init__(self) -> None:
        self.poller.register(self.connection.fileno(), select.POLLIN)

    def has_news(self) -> bool:
        """Whether something has come of it, or its end: as `Connection.poll`, which makes a poller each time."""
        return bool(self.poller.poll(0))


class LocalExecutor:
    """An `Executor`. Main thread only. `attempts`: how often it plays a game that turns out void."""

    def __init__(
        self,
        folder: Path,
        concurrency: int = 0,
        transport: str = "zmtp",
        attempts: int = ATTEMPTS,
    ) -> None:
        become_subreaper()
        self._attempts = attempts
        self._folder = folder
        self._transport = transport
        cores = sorted(os.sched_getaffinity(0))
        first = os.getpid() % len(cores)  # so that two small runs do not meet on the first core
        self._cores = cores[first:] + cores[:first]
        self._count = processes(concurrency)
        self._workers: list[_Worker] = []
        self._waiting: deque[Job] = deque()
        self._jobs: Iterator[Job] = iter(())
        self._revise: Revise = unrevised
        self._lease: Lease = unfenced
        self._exhausted = False
        self._glimpsed: list[tuple[Job, Glimpse]] = []
        self._stillborn = 0
        """Workers that ended before their first word."""

    @property
    def parallel(self) -> int:
        """Its referee processes."""
        return self._count

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            _tell(worker, Stop())
        for worker in self._workers:
            _see_off(worker)
        reap_strays()

    def run(
        self,
        jobs: Iterable[Job],
        revise: Revise = unrevised,
        lease: Lease = unfenced,
        timeout: float = 0.5,
    ) -> Iterator[list[GameDone]]:
        """As `Executor.run`."""
        self._jobs, self._exhausted, self._revise, self._lease = iter(jobs), False, revise, lease
        while self._feed():
            if wait([worker.connection for worker in self._workers], timeout):
                sleep(GATHER)  # others have something to say by then: who is not heard waits on
            yield [done for worker in list(self._workers) for done in self._hear(worker)]

    def recall(self, concerned: Callable[[Job], bool]) -> None:
        """As `Executor.recall`."""
        for worker in self._workers:
            for held in worker.jobs.values():
                if concerned(held.job):
                    _tell(worker, Recall(held.job.id))

    def peek(self) -> None:
        """As `Executor.peek`."""
        for worker in self._workers:
            _tell(worker, Peek())

    def glimpses(self) -> list[tuple[Job, Glimpse]]:
        """As `Executor.glimpses`."""
        found, self._glimpsed = self._glimpsed, []
        return found

    def _feed(self) -> bool:
        """Hand out jobs to workers that can take one; False when all is done."""
        given = [(w, job) for w in self._workers if w.wanting and (job := self._next())]
        if given:
            self._lease(game for _, job in given for game in job.games)
        for worker, job in given:
            worker.wanting = False
            worker.jobs[job.id] = _Held(job)
            _tell(worker, job)
        while len(self._workers) < self._count and (job := self._next()):
            self._waiting.appendleft(job)
            self._start()
        return bool(self._waiting) or not self._exhausted or any(worker.jobs for worker in self._workers)

    def _next(self) -> Job | None:
        while job := self._any():
            if revised := self._revise(job):
                return revised
        return None

    def _any(self) -> Job | None:
        if self._waiting:
            return self._waiting.popleft()
        job = next(self._jobs, None)
        self._exhausted = job is None
        return job

    def _start(self) -> None:
        taken = [worker.core for worker in self._workers]
        core = min(self._cores, key=taken.count)
        ours, theirs = socket.socketpair()
        with theirs:
            arguments = map(str, (theirs.fileno(), core, self._folder, self._transport))
            command = [sys.executable, "-P", "-m", "referee", *arguments]
            with deaf_children():  # the runner decides what Ctrl-C means
                process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
                self._workers.append(_Worker(process, Connection(ours.detach()), core))

    def _hear(self, worker: _Worker) -> Iterator[GameDone]:
        try:
            while worker.has_news():
                message: FromWorker = worker.connection.recv()
                worker.heard = True
                if isinstance(message, Wanting):
                    worker.wanting = True
                elif isinstance(message, JobDone):
                    held = worker.jobs.pop(message.job)
                    self._wait(held.job, tuple(held.left.values()))  # some, where it was recalled
                elif isinstance(message, Glimpses):
                    jobs = worker.jobs
                    self._glimpsed += [(jobs[one.job].job, one) for one in message.games if one.job in jobs]
                elif isinstance(message, Failed):
                    raise StorageError(f"a referee worker cannot go on: {message.why}", MEND, "E410")
                else:
                    yield from self._settle(worker, message)
        except (EOFError, OSError):
            yield from self._bury(worker)

    def _settle(self, worker: _Worker, done: GameDone) -> Iterator[GameDone]:
        held, lease = worker.jobs.get(done.job), done.planned.lease
        planned = held.left.pop(lease, None) if held else None
        if held and planned and done.result.verdict is Verdict.VOID and planned.attempt < self._attempts:
            self._again(held.job, [planned])
        else:
            yield done  # where it was not planned its lease tells whether it counts

    def _bury(self, worker: _Worker) -> Iterator[GameDone]:
        """A worker died: what it had in hand is played again, by others."""
        status = worker.process.wait()
        reap_strays()
        self._workers.remove(worker)
        worker.connection.close()
        self._stillborn += not worker.heard
        if self._stillborn >= ATTEMPTS:
            raise StorageError(f"referee workers end before their first word, with {status}", MEND, "E410")
        for held in worker.jobs.values():
            tired = [game for game in held.left.values() if game.attempt >= self._attempts]
            for game in tired:
                yield score.void(held.job, game, VoidReason.WORKER_LOST, f"its worker ended with {status}")
            self._again(held.job, [game for game in held.left.values() if game not in tired])

    def _again(self, job: Job, games: list[PlannedGame]) -> None:
        later = tuple(replace(game, attempt=game.attempt + 1) for game in games)
        if later:
            self._lease(later)  # at once: what still comes of the attempt before is stale
        self._wait(job, later)

    def _wait(self, job: Job, games: tuple[PlannedGame, ...]) -> None:
        if games:
            id = f"{job.id.split('~')[0]}~{games[0].id[:6]}{games[0].attempt}"
            self._waiting.append(replace(job, id=id, games=games))


def _tell(worker: _Worker, message: ToWorker) -> None:
    try:
        worker.connection.send(message)
    except OSError:  # it is dead: its connection says so when it is read next
        return


def _see_off(worker: _Worker) -> None:
    """Until it has ended. What it still says is read, though nobody wants it: it hears `Stop` only after that."""
    until = monotonic() + STOP_SECONDS
    with suppress(OSError):
        while worker.process.poll() is None and monotonic() < until:
            if worker.poller.poll(10) and not os.read(worker.connection.fileno(), 1 << 20):
                break
    try:
        worker.process.wait(max(0.0, until - monotonic()))
    except subprocess.TimeoutExpired:
        worker.process.kill()
        worker.process.wait()
    worker.connection.close()


def oversubscribed(concurrency: int) -> bool:
    """Whether so many referee processes must share cores: what bots do then costs others time."""
    return processes(concurrency) > processes()


def processes(concurrency: int = 0) -> int:
    """How many referee processes a run has; 0 asks for one a physical core that we may use."""
    import psutil

    usable = len(os.sched_getaffinity(0))
    return concurrency or max(1, min(usable, psutil.cpu_count(logical=False) or usable))
