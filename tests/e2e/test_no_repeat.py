"""One bot process never plays a deal twice: a bot that remembers its cards finds no repeat."""

from __future__ import annotations

import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import arena
from arena.config import parse
from arena.executors import local
from arena.home import Home
from arena.ledger import Ledger
from referee.jobs import Job

SPY = Path(__file__).parents[1] / "spies" / "remembers.py"
SCHEDULES: list[dict[str, Any]] = [
    {"variants": ["claim"], "deals": 8},
    {"variants": ["claim", "claim-2"], "deals": 8, "fresh_processes": True},
    {"variants": ["claim/3p/GK-UWXTD"], "deals": 6, "seatings": "all"},
    {"variants": ["claim/4p/NA-UWXTS"], "deals": 2, "partners": "both"},
]


def spies(folder: Path, count: int) -> list[str]:
    scripts = [folder / f"spy{number}.py" for number in range(count)]
    for number, script in enumerate(scripts):
        shutil.copy(SPY, script)
        script.write_text(f"# {number}\n" + script.read_text())
    return list(map(str, scripts))


def said(home: Home) -> list[str]:
    return [line for log in home.path.glob("logs/*/*.log") for line in log.read_text().splitlines()]


@pytest.mark.parametrize(
    "schedule",
    [
        SCHEDULES[0],
        pytest.param(SCHEDULES[0] | {"deals": 30}, marks=pytest.mark.long),
        pytest.param(SCHEDULES[1], marks=pytest.mark.long),
        SCHEDULES[2],
        pytest.param(SCHEDULES[3] | {"deals": 4}, marks=pytest.mark.long),
    ],
    ids=lambda s: s["variants"][-1] + str(s["deals"]),
)
def test_no_process_is_dealt_the_same_cards_twice(schedule: dict[str, Any], home: Home, short: Path) -> None:
    bots = spies(short, 3 if len(schedule["variants"][0]) < 7 or "3p" in schedule["variants"][0] else 4)
    arena.run(parse({"name": "cup", "bots": bots, "seed": "s", **schedule}, "test"), home)
    with closing(Ledger(home.ledger)) as ledger:
        results = ledger.results("cup")
    reports = said(home)
    assert not [seat for result in results for seat in result.seats if seat.fault]
    assert len(reports) == sum(len(result.seats) for result in results)
    assert not [line for line in reports if not line.startswith("new")]


def test_the_spy_sees_a_repeat_where_there_is_one(
    home: Home, short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell = local._tell

    def twice(worker: Any, message: Any) -> None:
        if isinstance(message, Job):
            seed = message.games[0].seed
            message = replace(message, games=tuple(replace(game, seed=seed) for game in message.games))
        tell(worker, message)

    monkeypatch.setattr(local, "_tell", twice)
    bots = spies(short, 2)
    arena.run(parse({"name": "cup", "bots": bots, "seed": "s", "variants": ["claim"], "deals": 3}, "t"), home)
    assert sum(line.startswith("REPEAT") for line in said(home)) == 2 * 2 * 2
