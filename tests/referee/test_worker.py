"""What a worker does of itself goes on nobody's clock. Whole games of one: test_driving.py, tests/e2e."""

from __future__ import annotations

from multiprocessing import Pipe
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from referee import worker
from referee.jobs import Stop
from referee.transports import TICK
from referee.transports.endpoints import Endpoints


class Slow(Endpoints):
    """Is so many seconds away, or at work, in each `receive`, after its wait of a tick, on clocks of its own."""

    def __init__(self, away: float, work: float) -> None:
        super().__init__(0)
        self.now = self.ran = 0.0
        self._away = away
        self._work = work

    def receive(self) -> None:
        self.now += TICK + self._away + self._work
        self.ran += self._work


@pytest.mark.parametrize(("away", "work"), [(1.0, 0.0), (0.0, 0.0), (0.0, 1.0), (0.5, 0.5)])
def test_what_is_charged_to_who_was_asked_is_not_that_the_referee_had_no_core(
    away: float, work: float, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """But its work on what bots send is: else a bot could send much, and think meanwhile."""
    transport, (ours, theirs) = Slow(away, work), Pipe()
    monkeypatch.setattr(worker, "monotonic", lambda: transport.now)
    monkeypatch.setattr(worker, "process_time", lambda: transport.ran)
    excused: list[float] = []
    player = SimpleNamespace(
        excuse=lambda since, seconds: excused.append(seconds), look=lambda *_: None, asked=True, quick=False
    )
    bench: Any = SimpleNamespace(players=[player], begin_if_ready=lambda: None, done=False)
    with ours, theirs:
        theirs.send(Stop())
        one = worker.Worker(ours, tmp_path, transport)
        one._benches.append(bench)
        monkeypatch.setattr(one, "_end_all", transport.close)
        one.run()
    assert transport.now - sum(excused) == pytest.approx(TICK + work)
