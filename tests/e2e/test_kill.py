"""kill -9 of a run at random instants: no game is lost, none is played twice, and nothing is left over."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psutil
import pytest

import arena
from arena.config import parse
from arena.home import Home
from arena.ledger import Ledger
from arena.tournament import prepare
from leaderboards.standings import standings
from protocol.result import GameResult
from tests.arena.made import round_robin

KILLS = (4, pytest.param(20, marks=pytest.mark.hostile))
FIELDS = {
    "name": "cup",
    "bots": ["random", "greedy"],
    "variants": ["claim", "claim-2", "claim/4p/GK-UWXTD"],
    "deals": 60,
    "seed": "the same",
}
RUN = "import arena, arena.config as c, sys; arena.run(c.parse(eval(sys.argv[2]), 'test'), arena.Home(sys.argv[1]))"


def start(home: Home) -> subprocess.Popen[bytes]:
    """A run in a process group of its own, as a shell starts it."""
    command = [sys.executable, "-c", RUN, str(home.path), repr(FIELDS)]
    return subprocess.Popen(command, process_group=0, stdout=subprocess.DEVNULL)


def whole(home: Home) -> list[GameResult]:
    """Play what is missing; all that was scheduled is there once, and rated as if nothing had happened."""
    arena.run(parse(FIELDS, "test"), home)
    with closing(Ledger(home.ledger)) as ledger:
        results = list(ledger.results("cup"))
        plan = prepare(parse(FIELDS, "test"), home, ledger)
    assert sorted(g.id for p in round_robin(plan.course.plan, list(plan.bots)) for g in p.games) == sorted(
        r.id for r in results
    )
    return results


@pytest.mark.parametrize("wanted", KILLS)
def test_a_run_killed_at_any_instant_goes_on_with_exactly_what_is_missing(
    wanted: int, home: Home, short: Path, nothing_left: Callable[[], list[str]]
) -> None:
    rng, kills, homes, folders = random.Random(), 0, [home], set[str]()
    while kills < wanted:
        runner = start(homes[-1])
        try:
            runner.wait(rng.uniform(0.1, 1.6))
            homes.append(Home(short / f"home{len(homes)}"))  # it was faster: kill the next tournament
        except subprocess.TimeoutExpired:
            kills += 1
            if kills % 2:
                runner.kill()  # the runner alone: its workers and bots have to notice
            else:
                subprocess.run(["pkill", "-9", "-g", str(runner.pid)], check=False)
            runner.wait()
        left = nothing_left()
        folders.update(left)
        assert not [line for line in left if line[0] != "/"], "a process"
    assert len(folders) <= 2, (
        "none but where a kill fell between making a bot's folder and starting its keeper"
    )
    undisturbed = standings(whole(Home(short / "undisturbed")))
    assert all(standings(whole(home)) == undisturbed for home in homes)
    assert nothing_left() == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_run_leaves_nothing_and_goes_on(
    number: int, home: Home, nothing_left: Callable[[], list[str]]
) -> None:
    runner = start(home)
    while not (home.path / "ledger.sqlite").exists() or not Ledger(home.ledger).ids("cup"):
        time.sleep(0.05)
        assert runner.poll() is None
    subprocess.run(["pkill", f"-{int(number)}", "-g", str(runner.pid)], check=True)
    runner.wait(20)
    assert nothing_left() == []
    assert Ledger(home.ledger).ids("cup")


def test_a_killed_worker_is_replaced_and_its_games_are_played(
    home: Home, nothing_left: Callable[[], list[str]]
) -> None:
    runner = start(home)
    killed = 0
    while killed < 3:
        time.sleep(0.3)
        assert runner.poll() is None
        children = psutil.Process(runner.pid).children()
        if len(children) > 1 and Ledger(home.folder() / "ledger.sqlite").ids("cup"):
            children[0].kill()
            killed += 1
    runner.wait()
    assert runner.returncode == 0 and killed == 3
    results = Ledger(home.ledger).results("cup")
    assert len(results) == 3 * 2 * 60
    assert not [seat.fault for result in results for seat in result.seats if seat.fault]
    assert nothing_left() == []
