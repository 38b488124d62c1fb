"""Bots are started once before anything is played: with real processes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from arena.bundles import Bot
from arena.home import Home
from arena.ledger import Ledger
from arena.preflight import failures
from protocol.vocabulary import BotId
from referee.clocks import Limits
from tests.arena.made import taken

SLOW = """
import json, os, sys, time
while time.process_time() < 0.5:
    pass
print(json.dumps({"type": "hello", "protocol": [1], "token": os.environ["ARENA_TOKEN"]}), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def one_core() -> Iterator[None]:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    yield
    os.sched_setaffinity(0, before)


@pytest.mark.long
@pytest.mark.usefixtures("one_core")
def test_however_many_bots_there_are_each_has_its_time_to_start(tmp_path: Path) -> None:
    home, folder = Home(tmp_path / "home"), tmp_path / "slow"
    folder.mkdir()
    (folder / "bot.py").write_text(SLOW)
    (folder / "bot.toml").write_text('name = "slow"\nrun = ["python3", "bot.py"]\ntransport = "stdio"\n')
    with closing(Ledger(home.ledger)) as ledger:
        slow = taken(home, ledger, folder)
    bots: list[Bot] = [replace(slow, id=BotId(f"slow{n}", slow.id.digest)) for n in range(20)]
    logs = home.folder("logs")
    assert failures(bots, tmp_path / "sockets", Limits(startup=timedelta(seconds=7)), logs) == {}
