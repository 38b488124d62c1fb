"""What a worker does of itself goes on nobody's clock. Whole games of one: test_driving.py, tests/e2e."""

from __future__ import annotations

from multiprocessing import Pipe
from pathlib import Path
from typing import Any

import pytest

from referee import worker
from referee.clocks import Limits
from referee.jobs import Job
from referee.transports import TICK
from tests.referee.test_evidence import Process, an_asked


class Over(Exception):
    """A worker has been round once."""


class Slow:
    """Takes a tick for a `receive`, and is so many seconds away, or at work, beside it; on clocks of its own."""

    def __init__(self, away: float, work: float) -> None:
        self.now = self.ran = 0.0
        self._away = away
        self._work = work

    def receive(self) -> None:
        if self.now:
            raise Over
        self.now += TICK + self._away + self._work
        self.ran += self._work


@pytest.mark.parametrize(("away", "work"), [(1.0, 0.0), (0.0, 0.0), (0.0, 1.0), (0.5, 0.5)])
def test_what_is_charged_to_who_was_asked_is_not_that_the_referee_had_no_core(
    away: float, work: float, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """But its work on what bots send is: else a bot could send much, and think meanwhile."""
    transport: Any = Slow(away, work)
    monkeypatch.setattr(worker, "monotonic", lambda: transport.now)
    monkeypatch.setattr(worker, "process_time", lambda: transport.ran)
    player = an_asked(tmp_path, Process(None))
    player.asked_at, player.deadline = 0.0, 10.0
    ours, theirs = Pipe()
    with ours, theirs:
        one = worker.Worker(ours, tmp_path, transport)
        bench = worker.Bench(Job("job", "claim", (), (), Limits(), "", ""), one)
        bench.players = [player]
        one._benches.append(bench)
        with pytest.raises(Over):
            one.run()
    assert transport.now - (player.deadline - 10.0) == pytest.approx(TICK + work)
