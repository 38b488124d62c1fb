"""A tournament of hostile and honest bots while its workers, spawners and keepers are killed at random.

The same games come of it as undisturbed: a game whose keeper is lost in an isolated mode, and all that a lost
worker had in hand, are played again. Killed runners: tests/e2e/test_kill.py.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

import arena
from arena.config import parse
from arena.home import Home
from arena.ledger import Ledger
from leaderboards.standings import standings
from referee.processes import become_subreaper, reap_strays
from tests.e2e.conftest import strays
from tests.hostile.stage import furnish
from tests.hostile.threats import BAD

pytestmark = pytest.mark.hostile

BOTS = ("hostile/witness", "hostile/throws", "daemon", "not_json", "dies")
GAMES = 200
KILLS = 9
PAUSE = 0.4, 1.0
"""Seconds between two kills: long enough that no game is hit three times."""
RUN = (
    "import arena, arena.config as c, sys; arena.run(c.parse(eval(sys.argv[2]), ''), arena.Home(sys.argv[1]))"
)


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """With a path that is short enough for sockets."""
    path = Path(tempfile.mkdtemp(prefix="km", dir="/tmp"))
    monkeypatch.setenv("TMPDIR", str(path))
    monkeypatch.setattr(tempfile, "tempdir", str(path))
    yield path
    shutil.rmtree(path, ignore_errors=True)


def bot(name: str, folder: Path) -> str:
    """The folder of one with its manifest, as it would be handed in."""
    script = BAD / f"{name}.py"
    made = furnish(script, folder / "handed in" / script.stem)
    fields = {"name": script.stem, "run": ["python3", script.name], "transport": "stdio", "games": ["claim"]}
    made.joinpath("bot.toml").write_text(
        "".join(f"{key} = {json.dumps(value)}\n" for key, value in fields.items())
    )
    return str(made)


def fields(folder: Path, sandbox: str) -> dict[str, Any]:
    """Two variants of which five bots play 200 games on four deals."""
    return {
        "name": "cup", "bots": [bot(name, folder) for name in BOTS], "variants": ["claim", "claim/3p/GK-UWXTD"],
        "deals": 4, "seed": "the same for both", "suspend_after": 0, "sandbox": sandbox,
        "concurrency": 2,
    }  # fmt: skip


def plays(home: Home) -> dict[str, str]:
    """The hash of the reproducible part of each game by its id."""
    with closing(Ledger(home.ledger)) as ledger:
        records = [json.loads(ledger.record(id)) for id in ledger.ids("cup")]
    return {record["play"]["id"]: record["play_hash"] for record in records}


def victims(runner: int) -> dict[str, list[psutil.Process]]:
    """What of a run may be killed, by its kind."""
    found: dict[str, list[psutil.Process]] = {"worker": [], "spawner": [], "keeper": []}
    with suppress(psutil.Error):
        for worker in psutil.Process(runner).children():
            if "referee" in worker.cmdline():
                found["worker"].append(worker)
                found["spawner"] += worker.children()
    with suppress(psutil.Error):
        found["keeper"] += [keeper for spawner in found["spawner"] for keeper in spawner.children()]
    return found


def disturb(runner: subprocess.Popen[bytes], rng: random.Random) -> list[str]:
    """Kill one thing after the other until KILLS are dead or the run is over; their kinds."""
    killed: list[str] = []
    while len(killed) < KILLS and runner.poll() is None:
        time.sleep(rng.uniform(*PAUSE))
        kind = ("keeper", "worker", "keeper", "spawner")[len(killed) % 4]
        there = victims(runner.pid)[kind]
        if there:
            with suppress(psutil.NoSuchProcess):
                rng.choice(there).kill()
                killed.append(kind)
    return killed


def test_killed_workers_and_keepers_change_no_result(folder: Path) -> None:
    become_subreaper()
    quiet, disturbed = Home(folder / "quiet"), Home(folder / "disturbed")
    arena.run(parse(fields(folder, "none"), "test"), quiet)
    command = [sys.executable, "-c", RUN, str(disturbed.path), repr(fields(folder, "default"))]
    runner = subprocess.Popen(command, process_group=0, stdout=subprocess.DEVNULL)
    killed = disturb(runner, random.Random())
    assert runner.wait(120) == 0
    assert set(killed) == {"keeper", "worker", "spawner"}, killed
    expected = plays(quiet)
    assert len(expected) == GAMES and plays(disturbed) == expected
    with closing(Ledger(quiet.ledger)) as one, closing(Ledger(disturbed.ledger)) as other:
        assert standings(other.results("cup")) == standings(one.results("cup"))
    assert left(folder) == []


def left(folder: Path) -> list[str]:
    """Processes and folders of the runs that do not go within some seconds."""
    deadline = time.monotonic() + 5
    while (there := strays(folder)) and time.monotonic() < deadline:
        reap_strays()
        time.sleep(0.05)
    return there
