"""Ctrl-C as a terminal sends it, to a run and all that it has started: no traceback, nothing left, nothing lost."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import arena
from arena.errors import InputError
from arena.home import Home

CUP = 'bots = ["random", "greedy"]\nvariants = ["claim"]\ndeals = 3000\nconcurrency = 2\n'
PROGRAM = """
import atexit, arena.__main__ as program
def told(*words, register=atexit.register):
    atexit.register = register
    print("minds Ctrl-C", flush=True)
    return register(*words)
atexit.register = told
program.main()
"""
"""Before that line Python starts, which is not ours."""
MOMENTS = {"reads modules": (0.0, 0.2), "takes bots in": (0.2, 1.0), "plays": (1.5, 3.0)}
"""Seconds after that line, on a machine that is not busy."""


@contextmanager
def started(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """`arena`, with a cup.toml, in a group of its own as a shell starts it; it minds Ctrl-C by now."""
    (folder / "cup.toml").write_text(CUP)
    command = [sys.executable, "-P", "-c", PROGRAM, "--home", "home", *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, process_group=0, cwd=folder
    ) as process:
        assert process.stdout is not None and "minds" in process.stdout.readline()
        yield process


def ended(process: subprocess.Popen[str], interrupts: int, rng: random.Random) -> str:
    """What it has written to stdout, after so many interrupts; nothing elsewhere that is not for people."""
    for _ in range(interrupts):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
            time.sleep(rng.uniform(0.01, 0.4))
    out, said = process.communicate(timeout=30)
    assert process.returncode == 130, said
    assert not [word for word in ("Traceback", "KeyboardInterrupt", "Warning") if word in said], said
    return out


def played(home: Home) -> int:
    """Games in the ledger."""
    try:
        return arena.status("cup", home=home).over
    except InputError:  # it has not begun
        return 0


def interrupted(moment: str, interrupts: int, folder: Path, rng: random.Random) -> None:
    """A run that is interrupted so often, from that moment on."""
    with started(folder, "run", "cup.toml", "--events", "-") as runner:
        if moment == "starts workers":
            assert runner.stdout is not None
            assert json.loads(runner.stdout.readline())["event"] == "run_started"
        time.sleep(rng.uniform(*MOMENTS.get(moment, (0.0, 0.5))))
        out = ended(runner, interrupts, rng)
    whole = out[: out.rfind("\n") + 1]  # to stop at once may cut the last line
    kept = [event["kept"] for line in whole.splitlines() if "kept" in (event := json.loads(line))]
    assert played(Home(folder / "home")) >= max(kept, default=0)


@pytest.mark.parametrize("moment", ["reads modules", "starts workers"])
def test_ctrl_c_twice_says_nothing_that_is_not_for_people(
    moment: str, short: Path, nothing_left: Callable[[], list[str]]
) -> None:
    interrupted(moment, 2, short, random.Random())
    assert nothing_left() == []


@pytest.mark.long
def test_any_number_of_ctrl_c_at_any_moment(short: Path, nothing_left: Callable[[], list[str]]) -> None:
    rng = random.Random()
    for number in range(20):
        folder = short / str(number)
        folder.mkdir()
        interrupted(rng.choice([*MOMENTS, "starts workers"]), rng.randint(1, 5), folder, rng)
        assert nothing_left() == []


@pytest.mark.long
def test_processes_that_share_work_leave_ctrl_c_to_who_started_them(
    short: Path, nothing_left: Callable[[], list[str]]
) -> None:
    rng = random.Random()
    for interrupts in (1, 2, 3, 1, 2, 3):
        with started(short, "simulate", "cup.toml", "--runs", "20000", "--jobs", "2") as process:
            time.sleep(rng.uniform(0.4, 2.0))
            ended(process, interrupts, rng)
        assert nothing_left() == []
