"""The local executor and the ledger's leases: workers here are connections that say what the test says."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from arena.executors import local
from arena.executors.local import LocalExecutor
from arena.ledger import Ledger
from protocol.record import pack
from protocol.vocabulary import Seat, VoidReason
from referee import score
from referee.jobs import GameDone, Glimpse, Glimpses, Job, JobDone, Peek, Wanting
from tests.arena.made import job_for, played
from tests.referee.driving import bot_ids, planned

GAMES = tuple(planned(number, f"deal {number}") for number in range(2))
JOB = job_for("claim", bot_ids(2), GAMES)


TALKS_UNTIL_IT_IS_TOLD = """
from multiprocessing.connection import Connection
import sys
runner = Connection(int(sys.argv[1]))
while not runner.poll():
    runner.send_bytes(bytes(1 << 20))
"""


class Staged(LocalExecutor):
    """Its workers are ours: `said` are their ends, in the order in which they were started."""

    def __init__(self, folder: Path, concurrency: int = 1, program: str = "") -> None:
        super().__init__(folder, concurrency)
        self.said: list[Connection] = []
        self._program = program

    def _start(self) -> None:
        ours, theirs = socket.socketpair()
        end = theirs.fileno()
        process = subprocess.Popen([sys.executable, "-c", self._program, str(end)], pass_fds=[end])
        self.said.append(Connection(theirs.detach()))
        self.said[-1].send(Wanting())
        self._workers.append(local._Worker(process, Connection(ours.detach()), 0))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with closing(Ledger(tmp_path / "ledger.sqlite")) as ledger:
        ledger.begin("cup", "seed", {}, bot_ids(2))
        yield ledger


def run(ledger: Ledger, folder: Path, job: Job = JOB) -> tuple[Staged, Iterator[list[GameDone]]]:
    """An executor, and what the ledger keeps of each batch."""
    hold, executor = ledger.take_up("cup"), Staged(folder)
    batches = executor.run([job], lease=hold.lease, timeout=0.01)
    return executor, (hold.keep(batch) for batch in batches)


def told(worker: Connection, kept: Iterator[list[GameDone]]) -> Job:
    """What the executor tells a worker next."""
    while not worker.poll():
        assert next(kept) == []
    job: Job = worker.recv()
    return job


def test_what_comes_of_a_job_that_was_given_to_another_worker_is_stale(
    ledger: Ledger, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    first, second = (played(JOB, game) for game in GAMES)
    executor, kept = run(ledger, tmp_path)
    with executor:
        assert next(kept) == [] and told(executor.said[0], kept) == JOB
        executor.said[0].send(first)
        executor.said[0].close()
        assert next(kept) == [first], "what it said before it died counts"
        assert next(kept) == []
        again = told(executor.said[1], kept)
        assert [game.id for game in again.games] == [second.result.id] and again.games[0].attempt == 2
        executor.said[1].send(second)  # of the attempt that was given up
        assert next(kept) == [] and ledger.ids("cup") == {first.result.id}
        later = replace(played(again, again.games[0]), job=again.id)
        executor.said[1].send(later)
        executor.said[1].send(replace(later, record=pack({"another": "record"})))
        assert next(kept) == [later]
        for message in (JobDone(again.id), Wanting(), first):
            executor.said[1].send(message)
        assert list(kept) == [[]]
    logged = [record.getMessage().rpartition(": ")[2] for record in caplog.records]
    assert logged == ["it is to be played again", "it is kept, with another record", "it is kept"]
    assert len(ledger.ids("cup")) == 2


def test_who_speaks_while_games_gather_is_heard_with_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else two who speak all the time are heard by turns, and stop where nobody takes what they say."""
    jobs = [replace(JOB, id=f"job{n}", games=(game,)) for n, game in enumerate(GAMES)]
    first, second = (played(job, job.games[0]) for job in jobs)
    with Staged(tmp_path, concurrency=2) as executor:
        batches = executor.run(jobs, timeout=0.01)
        while len(executor.said) < 2 or not all(worker.poll() for worker in executor.said):
            assert next(batches) == []
        one, two = executor.said if executor.said[0].recv() == jobs[0] else reversed(executor.said)
        one.send(first)
        monkeypatch.setattr(local, "sleep", lambda _: two.send(second))
        assert {done.job for done in next(batches)} == {"job0", "job1"}


def test_a_void_game_that_is_said_twice_is_played_again_once(ledger: Ledger, tmp_path: Path) -> None:
    job = replace(JOB, games=GAMES[:1])
    spoilt = score.void(job, GAMES[0], VoidReason.REFEREE_ERROR, "trouble")
    executor, kept = run(ledger, tmp_path, job)
    with executor:
        assert next(kept) == []
        worker = executor.said[0]
        assert told(worker, kept) == job
        for message in (spoilt, spoilt, JobDone(job.id), Wanting()):
            worker.send(message)
        again = told(worker, kept)
        assert [game.attempt for game in again.games] == [2]
        done = replace(played(again, again.games[0]), job=again.id)
        for message in (done, JobDone(again.id), Wanting()):
            worker.send(message)
        assert [game for batch in kept for game in batch] == [done]


def test_workers_say_how_far_their_games_are_when_they_are_asked(ledger: Ledger, tmp_path: Path) -> None:
    executor, kept = run(ledger, tmp_path)
    with executor:
        assert next(kept) == [] and told(executor.said[0], kept) == JOB
        executor.peek()
        assert executor.said[0].recv() == Peek() and executor.glimpses() == []
        here = Glimpse(JOB.id, GAMES[0], ((Seat(0), "K7", 12.5),))
        executor.said[0].send(Glimpses((here, replace(here, job="another's"))))
        assert next(kept) == []
        assert executor.glimpses() == [(JOB, here)] and executor.glimpses() == []
        for message in (*(played(JOB, game) for game in GAMES), JobDone(JOB.id), Wanting()):
            executor.said[0].send(message)
        assert len([game for batch in kept for game in batch]) == 2


def test_a_worker_that_says_more_than_anybody_reads_still_hears_that_it_shall_stop(tmp_path: Path) -> None:
    with Staged(tmp_path, program=TALKS_UNTIL_IT_IS_TOLD) as executor:
        executor._start()
        worker = executor._workers[0]
        executor.said[0].close()
        assert worker.connection.recv() == Wanting() and worker.connection.poll(20)
    assert worker.process.returncode == 0, "it was not killed"
