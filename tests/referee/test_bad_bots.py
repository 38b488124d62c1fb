"""Bots that misbehave, over lines and over tcp: each gets its verdict, and nothing is left of it.

Over ipc, and as games of a worker: tests/e2e/test_faults.py.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from protocol.vocabulary import BotId, FaultKind, Verdict
from referee.clocks import Limits
from referee.driving import drive
from referee.jobs import Launch
from referee.match import Played
from referee.players.local import LocalPlayer
from referee.players.waiting import waiting
from referee.processes import trees
from tests.referee.driving import spec_for

ROOT = Path(__file__).parents[2]
BAD = ROOT / "tests" / "bad_bots"
OF_SOCKETS = {"many_frames", "changes_shape", "floods_beside"}
"""What these do wrong, or may do, has no like in lines."""
OVER_LINES = sorted(path for path in BAD.glob("*.py") if path.stem not in OF_SOCKETS)
OVER_TCP = [BAD / f"{name}.py" for name in ("dies", "wrong_token", "too_large", "many_frames", "two_moves")]

LATE = {"no_hello": (3, 30), "timeout": (3, 0.7)}
"""The seconds to start and to move of those that shall be too late, by what is expected of them."""


def notes(bot: Path) -> dict[str, str]:
    """What stands at the top of a bad bot, as `# NAME: VALUE`."""
    return dict(re.findall(r"^# ([a-z ]+): (.+)$", bot.read_text("utf-8"), re.MULTILINE))


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Path]:
    """The folder of a game's bots; nothing is left in it, and no process."""
    before = trees.children(os.getpid())
    yield tmp_path / "run"
    assert not (tmp_path / "run").exists()
    assert trees.children(os.getpid()) == before


def play(bot: Path, transport: str, run: Path, expected: str) -> Played:
    """A game against one that plays the first card; there is little time only for what shall be too late."""
    startup, move = next((times for kind, times in LATE.items() if kind in expected), (30, 30))
    limits = Limits(timedelta(seconds=startup), None, timedelta(0), timedelta(seconds=move))
    launch = Launch(
        BotId(bot.stem, ""), (sys.executable, str(bot)), str(ROOT), {"PYTHONPATH": str(ROOT)}, transport
    )
    with waiting(launch, run, run.parent / "bot.log") as player:
        player.start(limits.startup_seconds)
        first = LocalPlayer(lambda turn: str(turn["legal"][0]))
        return drive(spec_for("claim", limits=limits), [player, first])


def judged(played: Played, expected: str) -> str:
    """The evidence of the one fault that is expected, if any."""
    if expected == "nothing":
        assert (played.verdict, played.faults) == (Verdict.FINISHED, [])
        return ""
    kind, _, reason = expected.partition("/")
    (fault,) = played.faults
    assert (played.verdict, fault.kind, fault.seat) == (Verdict.FORFEIT, FaultKind(kind), 0)
    assert fault.reason == reason or (kind == "crash" and not reason)
    assert played.outcome.ranks == (1, 0)
    return fault.evidence


@pytest.mark.parametrize("bot", [*OVER_LINES, *sorted(BAD.glob("lines/*.py"))], ids=lambda path: path.stem)
def test_over_lines(bot: Path, run: Path) -> None:
    said = notes(bot)
    expected = said.get("over stdio", said["expect"])
    played = play(bot, "stdio", run, expected)
    assert said.get("evidence", "") in judged(played, expected)


@pytest.mark.parametrize("bot", OVER_TCP, ids=lambda path: path.stem)
def test_over_tcp(bot: Path, run: Path) -> None:
    said = notes(bot)
    played = play(bot, "tcp", run, said["expect"])
    assert said.get("evidence over tcp", "") in judged(played, said["expect"])
