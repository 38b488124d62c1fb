"""Killed at any instant, on a full disk or a broken one: nothing that was acknowledged is lost, and it goes on."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def campaign(*options: str) -> subprocess.CompletedProcess[str]:
    """A process of its own: it forks, and has no threads."""
    command = [sys.executable, "-m", "tests.crash.campaign", *options]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


@pytest.mark.parametrize("every", ["4", pytest.param("1", marks=pytest.mark.hostile)])
def test_killed_at_any_change_or_commit_and_mutants_are_caught(every: str) -> None:
    done = campaign("--portable", "--every", every)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.fullmatch(r"crash: (\d\d+) kill points; 0 violations; 4 of 4 mutants caught; .*\n", done.stdout)


@pytest.mark.hostile
@pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed: apt-get install strace")
def test_struck_at_every_system_call_that_writes_and_mutants_are_caught(
    capsys: pytest.CaptureFixture[str],
) -> None:
    done = campaign()
    with capsys.disabled():
        print(f"\n{done.stdout}", end="")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "; 0 violations; 4 of 4 mutants caught" in done.stdout
