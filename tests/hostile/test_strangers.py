"""Signals that are meant for a bot reach its processes and nobody else (T55)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from referee.processes import Command, Kept, become_subreaper, clean_environment, keep


def kept(folder: Path, script: str) -> Kept:
    become_subreaper()
    own = folder / "run" / "b"
    own.mkdir(parents=True)
    return keep(
        Command((sys.executable, "-c", script), folder, clean_environment(own, {}), own, folder / "log")
    )


@pytest.fixture
def signalled(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that this one has sent a signal to, in place of sending it."""
    sent: list[int] = []
    monkeypatch.setattr(os, "kill", lambda pid, number: sent.append(pid))
    return sent


def test_no_signal_goes_out_after_the_end_of_a_bot(tmp_path: Path, signalled: list[int]) -> None:
    bot = kept(tmp_path, "")
    bot.stop(10)
    bot.freeze()
    bot.thaw()
    bot.kill()
    assert signalled == []


def test_a_bots_signals_reach_its_own_processes_alone(tmp_path: Path, signalled: list[int]) -> None:
    bot, other = (kept(tmp_path / name, "import time; time.sleep(60)") for name in ("one", "other"))
    bot.freeze()
    assert signalled == bot.pids() and bot.pid in signalled
    assert not set(signalled) & set(other.pids())
    bot.stop(0)
    other.stop(0)
