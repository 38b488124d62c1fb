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
    """Has so many seconds of work in each `receive`, after its wait of a tick, on a clock of its own."""

    def __init__(self, work: float) -> None:
        super().__init__(0)
        self.now = 0.0
        self._work = work

    def receive(self) -> None:
        self.now += TICK + self._work


@pytest.mark.parametrize("work", [1.0, 0.0])
def test_work_on_what_came_is_not_charged_to_who_was_asked(
    work: float, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    transport, (ours, theirs) = Slow(work), Pipe()
    monkeypatch.setattr(worker, "monotonic", lambda: transport.now)
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
    assert transport.now - sum(excused) == pytest.approx(TICK)
