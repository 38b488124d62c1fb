"""What a bot may burn while others are to move: the law of the allowance, on a clock made for it."""

from __future__ import annotations

import os
import time
from types import SimpleNamespace
from typing import Any

import pytest

from referee.players import usage
from referee.players.usage import ALLOWANCE, REFILL, Usage, cpu_clock

KEEPER = cpu_clock(7)


class Kept:
    """A program of one process that burns only when it is told, and never while it is stopped."""

    pid, keeper = 1, 7

    def __init__(self) -> None:
        self.burnt = 0.0
        self.stopped = 0
        self.frozen = False

    def burn(self, seconds: float) -> None:
        self.burnt += 0.0 if self.frozen else seconds

    def pids(self) -> list[int]:
        return [self.pid]

    def cpu_seconds(self) -> float:
        return self.burnt

    def freeze(self) -> None:
        self.frozen = True
        self.stopped += 1

    def thaw(self) -> None:
        self.frozen = False


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Kept:
    kept = Kept()
    monkeypatch.setattr(usage, "clock_gettime", lambda clock: 0.0 if clock == KEEPER else kept.burnt)
    return kept


def turns(kept: Any, may_ponder: bool, move: float, rest: float, looks: int = 1) -> list[float]:
    """CPU seconds charged for each of a hundred moves that burn `move`, each with `looks` burns of `rest` after it."""
    one, charged = Usage(kept, may_ponder), []
    for _ in range(100):
        one.asked(0.0)
        assert not kept.frozen, "whoever is asked can answer"
        kept.burn(move)
        charged.append(one.answered())
        for _ in range(looks):
            kept.burn(rest)
            one.rest(0.0)
    return charged


def test_who_tidies_up_after_each_answer_is_never_stopped(kept: Kept) -> None:
    charged = turns(kept, may_ponder=False, move=1.0, rest=0.9 * REFILL)
    assert kept.stopped == 0 and charged == pytest.approx([1.0] * 100)


@pytest.mark.parametrize(("rest", "looks"), [(0.02, 10), (0.005, 1), (0.02, 1)])
def test_who_burns_out_of_turn_gets_its_allowance_and_no_more(rest: float, looks: int, kept: Kept) -> None:
    turns(kept, may_ponder=False, move=0.0, rest=rest, looks=looks)
    assert ALLOWANCE < kept.burnt <= ALLOWANCE + 100 * REFILL + rest


def test_who_may_ponder_is_not_stopped_nor_charged_for_it(kept: Kept) -> None:
    charged = turns(kept, may_ponder=True, move=0.5, rest=0.5)
    assert kept.stopped == 0 and charged == pytest.approx([0.5] * 100)


def test_one_that_somebody_wakes_is_stopped_again(kept: Kept) -> None:
    one = Usage(kept, may_ponder=False)  # type: ignore[arg-type]
    kept.burn(1.0)
    for _ in range(3):
        one.rest(0.0)
        assert kept.frozen
        kept.thaw()
        kept.burn(0.001)
    assert kept.stopped == 3


def test_what_a_process_burns_before_it_is_found_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    burnt = {cpu_clock(1): 5.0, cpu_clock(2): 0.25, KEEPER: 0.0}
    found = [1]
    kept: Any = SimpleNamespace(pid=1, keeper=7, pids=lambda: found)
    monkeypatch.setattr(usage, "clock_gettime", burnt.__getitem__)
    one = Usage(kept, may_ponder=False)
    one.asked(0.0)
    found.append(2)
    one.waited_for(time.monotonic() + 1)
    burnt[cpu_clock(2)] += 0.25
    assert (one.ran(), one.answered()) == (0.25, 0.5)


def test_what_has_ended_is_no_trouble() -> None:
    pid = os.posix_spawn("/bin/true", ["true"], {})
    os.waitpid(pid, 0)
    kept: Any = SimpleNamespace(pid=pid, keeper=pid, pids=lambda: [pid, os.getpid()])
    one = Usage(kept, may_ponder=False)
    one.asked(time.monotonic())
    one.waited_for(time.monotonic())
    assert one.cpu() > 0 and one.starved() == 0
