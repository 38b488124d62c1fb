"""Both ends of the pipes between a bot and its referee: what either may do to them, when, and what comes of it.

    {bot, referee} x {exits early, closes stdin, closes stdout, does not read, does not write, loops}

stdin and stdout are the bot's, whoever closes them. After each cell nothing is left. Bytes: tests/referee.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import psutil
import pytest

from protocol.vocabulary import BotId, Verdict
from referee.clocks import Limits
from referee.driving import drive
from referee.jobs import Launch
from referee.players.local import LocalPlayer
from referee.players.waiting import waiting
from referee.processes import Command, Kept, become_subreaper, clean_environment, keep
from tests.referee.driving import spec_for

ROOT = Path(__file__).parents[2]
ACTOR = ROOT / "tests" / "bad_bots" / "pipes" / "actor.py"
PHASES = ("first", "start", "turn", "end")
"""Before its hello, and in place of an answer: to the game, to its second turn, to the end of the game."""
LATE = ("no_start/no_hello", "timeout", "timeout", "nothing")
BOT: dict[str, tuple[str, ...]] = {
    "exits early": ("no_start/exit 0", "crash/exit 0", "crash/exit 0", "nothing"),
    "closes stdin": ("crash/closed", "crash/closed", "crash/closed", "nothing"),
    "closes stdout": ("no_start/no_hello", "crash/closed", "crash/closed", "nothing"),
    "does not read": ("timeout", "timeout", "timeout", "nothing"),
    "does not write": LATE,
    "loops": LATE,
}
"""What becomes of a bot by its phase. Once a game is over, what its bot does is no fault of that game."""
QUICK = {
    ("exits early", "start"),
    ("exits early", "turn"),
    ("closes stdin", "start"),
    ("closes stdout", "end"),
}
"""Cells of the default suite; others wait for a deadline, or are alike."""


def cells() -> list[object]:
    """All over pipes; over a socket those of its turn."""
    found: list[object] = []
    for action, verdicts in BOT.items():
        for phase, expected in zip(PHASES, verdicts, strict=True):
            for transport in ("stdio", "ipc") if phase == "turn" else ("stdio",):
                quick = transport == "stdio" and (action, phase) in QUICK
                cell = (action, phase, transport, expected)
                marks = () if quick else (pytest.mark.hostile,)
                found.append(pytest.param(*cell, marks=marks, id=" ".join(cell[:3])))
    return found


@pytest.fixture(autouse=True)
def nothing_left(tmp_path: Path) -> Iterator[None]:
    """No process, no descriptor, no folder of a run."""
    become_subreaper()
    _spawner_is_there(tmp_path)
    before = _there()
    yield
    deadline = time.monotonic() + 20
    while left := _there() - before:
        assert time.monotonic() < deadline, left
        time.sleep(0.01)
    assert not (tmp_path / "run").exists()


def _spawner_is_there(folder: Path) -> None:
    """It stays, with its socket, once a first bot was kept."""
    ended(kept(folder / "first", ""))


def _there() -> set[str]:
    """Our descriptors, but that of the listing itself, and all processes below us."""
    links = [path for path in list(Path("/proc/self/fd").iterdir()) if path.is_symlink()]
    descriptors = {f"{path.name} {path.readlink()}" for path in links}
    return descriptors | {f"process {one.pid}" for one in psutil.Process().children(True) if _lives(one)}


def _lives(process: psutil.Process) -> bool:
    """Who has ended waits for us where its parent is gone; in a run there is somebody who asks."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize(("action", "phase", "transport", "expected"), cells())
def test_what_a_bot_does(action: str, phase: str, transport: str, expected: str, tmp_path: Path) -> None:
    startup, move = (30, 30) if expected.startswith("crash") else (3, 0.7)  # or nobody would be too late
    limits = Limits(timedelta(seconds=startup), None, timedelta(0), timedelta(seconds=move))
    argv = (sys.executable, str(ACTOR), action, phase)
    launch = Launch(BotId("actor", ""), argv, str(ROOT), {"PYTHONPATH": str(ROOT)}, transport)
    with waiting(launch, tmp_path / "run", tmp_path / "log") as player:
        player.start(limits.startup_seconds)
        first = LocalPlayer(lambda turn: str(turn["legal"][0]))
        played = drive(spec_for("claim", limits=limits), [player, first])
    assert [str(fault) for fault in played.faults] == [expected] * (expected != "nothing")
    assert played.verdict is (Verdict.FINISHED if expected == "nothing" else Verdict.FORFEIT)


# the referee's end

ECHO = "import os\nwhile data := os.read(0, 100): os.write(1, data)"
EXITS_EARLY = """
import os, sys
from pathlib import Path
from tests.pipes.test_cross_product import kept
kept(Path.cwd(), sys.argv[1])
os._exit(0)
"""
ENV = os.environ | {"PYTHONPATH": str(ROOT)}
FLOOD = "import os\nwhile True: os.write(1, b'x' * 65536)"


def kept(folder: Path, script: str) -> Kept:
    own = folder / "run" / "b"
    own.mkdir(parents=True)
    argv = (sys.executable, "-c", script)
    return keep(Command(argv, folder, clean_environment(own, {}), own, folder / "log", piped=True))


def closes_stdin(bot: Kept) -> str:
    """The bot reads the end of its input, and leaves."""
    os.close(bot.pipes[1])
    said = str(bot.stop(10))
    os.close(bot.pipes[0])
    return said


def closes_stdout(bot: Kept) -> str:
    """The bot cannot write any more, which ends a Python program."""
    reader, writer = bot.pipes
    os.close(reader)
    os.write(writer, b"anybody?\n")
    said = str(bot.stop(10))
    os.close(writer)
    return said


def does_not_write(bot: Kept) -> str:
    """The bot waits for a line until it is ended."""
    return ended(bot)


def does_not_read(bot: Kept) -> str:
    """The bot has filled its pipe and waits for room until it is ended."""
    while os.read(bot.pipes[0], 1) != b"x":
        pass
    return ended(bot)


def loops(bot: Kept) -> str:
    """Who is busy listens to nobody; its bot's end is seen afterwards, and nothing was lost."""
    os.write(bot.pipes[1], b"line\n")
    until = time.monotonic() + 0.1
    while time.monotonic() < until:
        pass
    assert os.read(bot.pipes[0], 10) == b"line\n"
    return ended(bot)


def ended(bot: Kept) -> str:
    said = str(bot.stop(0))
    for descriptor in bot.pipes:
        os.close(descriptor)
    return said


@pytest.mark.parametrize(
    ("action", "script", "expected"),
    [
        (closes_stdin, ECHO, "exit 0"),
        (closes_stdout, ECHO, "exit 1"),
        (does_not_read, FLOOD, "signal 9 (SIGKILL)"),
        (does_not_write, ECHO, "signal 9 (SIGKILL)"),
        (loops, ECHO, "signal 9 (SIGKILL)"),
    ],
    ids=lambda value: value.__name__.replace("_", " ") if callable(value) else "",
)
def test_what_a_referee_does(
    action: Callable[[Kept], str], script: str, expected: str, tmp_path: Path
) -> None:
    assert action(kept(tmp_path, script)) == expected


@pytest.mark.parametrize("script", [ECHO, FLOOD, "while True: pass"], ids=["waits", "floods", "loops"])
def test_a_referee_exits_early(script: str, tmp_path: Path) -> None:
    """Whatever its bot is at."""
    subprocess.run([sys.executable, "-c", EXITS_EARLY, script], cwd=tmp_path, env=ENV, check=True)
