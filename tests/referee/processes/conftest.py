"""Bots of a line or two, each in a folder of its own."""

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.processes import Command, Kept, SandboxError, clean_environment, keep

from .caged import lacking

Start = Callable[..., Kept]


@pytest.fixture
def command(tmp_path: Path) -> Callable[..., Command]:
    def build(*argv: str, **others: Any) -> Command:
        run = tmp_path / "run"
        run.mkdir(exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix="bot", dir=run))
        defaults: dict[str, Any] = {
            "cwd": tmp_path,
            "env": clean_environment(folder, {}),
            "log": tmp_path / "bot.log",
        }
        return Command(argv=argv, folder=folder, **(defaults | others))

    return build


@pytest.fixture
def start(command: Callable[..., Command]) -> Iterator[Start]:
    started: list[Kept] = []

    def begin(*argv: str, **others: Any) -> Kept:
        try:
            started.append(keep(command(*argv, **others)))
        except SandboxError:
            if lacking():
                pytest.skip(lacking())
            raise
        return started[-1]

    yield begin
    for kept in started:
        kept.stop(0)


@pytest.fixture
def python(start: Start) -> Start:
    """Start a bot that is the Python program given as text."""
    return lambda program, *args, **others: start(sys.executable, "-I", "-S", "-c", program, *args, **others)
