"""Real processes and sockets: a home folder of its own for each test, and a look at what is left."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from arena.home import Home

SINGLE = ("test_bots", "test_conform", "test_bare_socket", "test_cli_play")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One after the other, also where tests run in several processes: they fill a core as it is.

    Those of single bots mostly wait, and are a group of their own.
    """
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            group = "bots" if item.path.stem in SINGLE else "e2e"
            item.add_marker(pytest.mark.xdist_group(group))


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary folder with a path short enough for socket names; TMPDIR of this test."""
    path = Path(tempfile.mkdtemp(prefix="km", dir="/tmp"))
    monkeypatch.setenv("TMPDIR", str(path))
    # Some bots import what tests share.
    monkeypatch.setenv("KINGMAKER_READABLE", str(Path(__file__).parents[1]))
    monkeypatch.setattr(tempfile, "tempdir", str(path))
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def home(short: Path) -> Home:
    return Home(short / "home")


def strays(short: Path) -> list[str]:
    """Processes that were started under `short`, and folders of runs that are still there."""
    processes = []
    for process in psutil.process_iter():
        try:
            words = " ".join(process.cmdline())
            env = process.environ()
        except psutil.Error:
            continue
        if str(short) in words or str(short) in env.get("HOME", "") or str(short) in env.get("TMPDIR", ""):
            processes.append(f"{process.pid} {words}")
    return processes + [str(path) for path in short.glob("kingmaker-*")]


@pytest.fixture
def nothing_left(short: Path) -> Callable[[], list[str]]:
    """What is left after at most some seconds of waiting for it to go."""

    def look() -> list[str]:
        import os

        own = str(os.getpid())
        for _ in range(200):
            left = [line for line in strays(short) if not line.startswith(own + " ")]
            if not left:
                break
            time.sleep(0.05)
        return left

    return look
