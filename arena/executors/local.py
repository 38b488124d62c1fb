"""Referee workers on this machine: one a core, each pinned to it together with its bots."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import sleep
from types import TracebackType

from arena.errors import StorageError
from protocol.vocabulary import Verdict, VoidReason
from referee import score
from referee.jobs import (
    Failed,
    FromWorker,
    GameDone,
    Job,
    JobDone,
    PlannedGame,
    Recall,
    Stop,
    ToWorker,
    Wanting,
)
from referee.processes import become_subreaper, reap_strays

ATTEMPTS = 3
"""How often a game is played that turns out void."""
STOP_SECONDS = 5.0
MEND = "mend that, then run again: it goes on"
GATHER = 0.05
"""Seconds in which games gather after the first one, so that they are kept in one transaction."""

Revise = Callable[[Job], Job | None]
Lease = Callable[[Iterable[PlannedGame]], None]
"""What is told of games before they are handed out, or given up to be played again: see `arena.runs.Run.lease`."""


def _unfenced(games: Iterable[PlannedGame]) -> None:
    """Where nothing is kept there is nothing to fence."""


@dataclass(slots=True)
class _Worker:
    process: subprocess.Popen[bytes]
    connection: Connection
    core: int
    jobs: dict[str, Job] = field(default_factory=dict)
    """In hand, with the games that are still to come."""
    wanting: bool = False
    """It can take another."""
    heard: bool = False
    """It has said something."""


class LocalExecutor:
    """A context manager: leaving it ends all workers and bots, whatever happened. Main thread only."""

    def __init__(self, folder: Path, concurrency: int = 0, transport: str = "zmtp") -> None:
        become_subreaper()
        self._folder = folder
        self._transport = transport
        cores = sorted(os.sched_getaffinity(0))
        first = os.getpid() % len(cores)  # so that two small runs do not meet on the first core
        self._cores = cores[first:] + cores[:first]
        self._count = processes(concurrency)
        self._workers: list[_Worker] = []
        self._waiting: deque[Job] = deque()
        self._jobs: Iterator[Job] = iter(())
        self._revise: Revise = lambda job: job
        self._lease: Lease = _unfenced
        self._exhausted = False
        self._stillborn = 0
        """Workers that ended before their first word."""

    def __enter__(self) -> LocalExecutor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            _tell(worker, Stop())
        for worker in self._workers:
            try:
                worker.process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                worker.process.kill()
                worker.process.wait()
            worker.connection.close()
        reap_strays()

    def run(
        self,
        jobs: Iterable[Job],
        revise: Revise = lambda job: job,
        lease: Lease = _unfenced,
        timeout: float = 0.5,
    ) -> Iterator[list[GameDone]]:
        """Play `jobs`; gives the games that were finished since, and an empty list after `timeout` without.

        `revise` is asked of each job when a worker can take it; None: it is not to be played.
        Each planned game comes out under its last lease once: finished, forfeited, or void where it was tried
        ATTEMPTS times. What a worker says twice, or of a game that is no longer its own, comes out as well:
        whoever keeps results has to tell by the lease.
        """
        self._jobs, self._exhausted, self._revise, self._lease = iter(jobs), False, revise, lease
        while self._feed():
            ready = wait([worker.connection for worker in self._workers], timeout)
            if ready:
                sleep(GATHER)
            yield [
                done
                for worker in list(self._workers)
                if worker.connection in ready
                for done in self._hear(worker)
            ]

    def recall(self, concerned: Callable[[Job], bool]) -> None:
        """Take the games of these jobs back that have not begun; what is left of them is revised and goes on."""
        for worker in self._workers:
            for job in filter(concerned, worker.jobs.values()):
                _tell(worker, Recall(job.id))

    def _feed(self) -> bool:
        """Hand out jobs to workers that can take one; False when all is done."""
        given = [(w, job) for w in self._workers if w.wanting and (job := self._next())]
        if given:
            self._lease(game for _, job in given for game in job.games)
        for worker, job in given:
            worker.wanting = False
            worker.jobs[job.id] = job
            _tell(worker, job)
        while len(self._workers) < self._count and (job := self._next()):
            self._waiting.appendleft(job)
            self._workers.append(self._start())
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

    def _start(self) -> _Worker:
        taken = [worker.core for worker in self._workers]
        core = min(self._cores, key=taken.count)
        ours, theirs = socket.socketpair()
        with theirs:
            arguments = map(str, (theirs.fileno(), core, self._folder, self._transport))
            command = [sys.executable, "-P", "-m", "referee.worker", *arguments]
            process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        return _Worker(process, Connection(ours.detach()), core)

    def _hear(self, worker: _Worker) -> Iterator[GameDone]:
        try:
            while worker.connection.poll():
                message: FromWorker = worker.connection.recv()
                worker.heard = True
                if isinstance(message, Wanting):
                    worker.wanting = True
                elif isinstance(message, JobDone):
                    left = worker.jobs.pop(message.job)
                    self._wait(left, left.games)  # some, where it was recalled
                elif isinstance(message, Failed):
                    raise StorageError(f"a referee worker cannot go on: {message.why}", MEND, "E410")
                else:
                    yield from self._settle(worker, message)
        except (EOFError, OSError):
            yield from self._bury(worker)

    def _settle(self, worker: _Worker, done: GameDone) -> Iterator[GameDone]:
        job, lease = worker.jobs.get(done.job), (done.planned.id, done.planned.attempt)
        rest = tuple(game for game in job.games if (game.id, game.attempt) != lease) if job else ()
        if job is None or rest == job.games:
            yield done  # its lease tells whether it counts
            return
        worker.jobs[job.id] = replace(job, games=rest)
        if done.result.verdict is Verdict.VOID and done.planned.attempt < ATTEMPTS:
            self._again(job, [done.planned])
        else:
            yield done

    def _bury(self, worker: _Worker) -> Iterator[GameDone]:
        """A worker died: what it had in hand is played again, by others."""
        status = worker.process.wait()
        reap_strays()
        self._workers.remove(worker)
        worker.connection.close()
        self._stillborn += not worker.heard
        if self._stillborn >= ATTEMPTS:
            raise StorageError(f"referee workers end before their first word, with {status}", MEND, "E410")
        for job in worker.jobs.values():
            tired = [game for game in job.games if game.attempt >= ATTEMPTS]
            for game in tired:
                yield score.void(job, game, VoidReason.WORKER_LOST, f"its worker ended with {status}")
            self._again(job, [game for game in job.games if game not in tired])

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


def oversubscribed(concurrency: int) -> bool:
    """Whether so many referee processes must share cores: what bots do then costs others time."""
    return processes(concurrency) > processes()


def processes(concurrency: int = 0) -> int:
    """How many referee processes a run has; 0 asks for one a physical core that we may use."""
    import psutil

    usable = len(os.sched_getaffinity(0))
    return concurrency or max(1, min(usable, psutil.cpu_count(logical=False) or usable))
