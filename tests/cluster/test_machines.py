"""Tournaments on workers in network namespaces of their own, over TLS; see `stage`."""

from __future__ import annotations

import signal
import subprocess
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from arena.home import Home
from arena.ledger import Ledger
from arena.reading import rate
from protocol.result import GameResult
from tests.cluster.stage import (
    Stage,
    arena_words,
    certify,
    cluster_file,
    kept,
    tournament_file,
    until,
)

pytestmark = pytest.mark.cluster
BOTS = ["random", "greedy"]


STEADY = """
import time
from protocol.client import Bot, run
class Steady(Bot):
    wants_events = False
    def choose(self, turn):
        time.sleep(0.005)
        return turn["legal"][WHICH * (len(turn["legal"]) - 1) // 2]
run(Steady())
"""


def steady(folder: Path) -> list[str]:
    """Three bots that are the same everywhere, and take some time whatever the machine."""
    for which in range(3):
        bot = folder / f"steady{which}"
        bot.mkdir()
        (bot / "bot.py").write_text(STEADY.replace("WHICH", str(which)))
        (bot / "bot.toml").write_text(f'name = "steady{which}"\nrun = ["python3", "bot.py"]\n')
    return [str(folder / f"steady{which}") for which in range(3)]


def results(home: Path, name: str = "cup") -> list[GameResult]:
    with closing(Ledger(Home(home).ledger)) as ledger:
        return sorted(ledger.results(name), key=lambda result: result.id)


def played_here(folder: Path, file: str) -> list[GameResult]:
    """The same tournament on this machine alone."""
    command = [arena_words(folder)[0], "--home", str(folder / "alone"), "run", file]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    return results(folder / "alone")


def test_one_worker_killed_and_one_cut_off_cost_time_only(stage: Stage, folder: Path) -> None:
    """Exactly the games that were scheduled, each once, with the results that they have anywhere."""
    file, events = tournament_file(folder, steady(folder), 20), folder / "events"
    where = cluster_file(folder, silent_seconds=4, audit=0)
    stage.scheduler()
    for number in (1, 2, 3):
        stage.worker(number)
    run = stage.arena("run", file, "--cluster", where, "--events", str(events))
    until(lambda: kept(events) >= 10)
    until(lambda: stage.bots(2))
    stage.cut(2, off=True)
    below = until(lambda: stage.bots(1)) and stage.kill(1)
    before = kept(events)
    until(lambda: not any(map(psutil.pid_exists, below)), 10)
    until(lambda: kept(events) > before)
    until(lambda: "was not heard of for 4 s" in stage.said())
    until(lambda: not stage.bots(2), 20)  # it is about nothing any more, and nobody knows
    stage.cut(2, off=False)
    said = stage.said(run)
    assert run.returncode == 0, said
    assert "w1" in said and "is gone" in said
    assert "is heard of again" in said
    assert "stale" in said, "what came late changed nothing, and was told of"
    found = results(folder / "home")
    assert len(found) == 120 == len({result.id for result in found})
    alone = played_here(folder, file)
    assert found == alone
    assert rate(found).rows == rate(alone).rows
    verify = subprocess.run(arena_words(folder, "verify", "cup"), capture_output=True, text=True, check=False)
    assert verify.returncode == 0, verify.stdout


def test_who_may_play(stage: Stage, folder: Path) -> None:
    """No sandbox, too slow, late: each is told of, and only those play that may. Ctrl-C ends bots everywhere."""
    file = tournament_file(folder, BOTS, 5000)
    slow = folder / "slow"
    slow.mkdir()
    (slow / "sitecustomize.py").write_text(SLOW)
    stage.scheduler()
    stage.worker(1)
    stage.worker(2, within=("unshare", "--user", "--map-root-user", "sh", "-c", NO_NAMESPACES, "sh"))
    stage.worker(3, {"PYTHONPATH": str(slow)})
    run = stage.arena("run", file, "--cluster", cluster_file(folder, slowest=0.2))

    def told(number: int) -> str:
        return str(
            until(lambda: [line for line in stage.said().splitlines() if f"worker w{number}," in line])[0]
        )

    assert "plays, bots kept in default" in told(1)
    stage.worker(4)
    assert "cannot keep bots in mode default" in told(2)
    assert "it is too slow" in told(3)
    assert "plays, bots kept in default" in told(4)
    until(lambda: stage.bots(4))
    assert not stage.bots(2) and not stage.bots(3)
    run.send_signal(signal.SIGINT)
    said = stage.said(run)
    assert run.returncode == 130 and "2 refused" in said and "go on with" in said
    until(lambda: not stage.bots(1) and not stage.bots(4), 5)


def test_a_tournament_that_ends_takes_nothing_from_another_on_the_same_workers(
    stage: Stage, folder: Path
) -> None:
    long, short = tournament_file(folder, BOTS, 5000), tournament_file(folder, BOTS, 2, "short")
    events, where = folder / "events", cluster_file(folder)
    stage.scheduler()
    stage.worker(1, threads=2)
    run = stage.arena("run", long, "--cluster", where, "--events", str(events))
    until(lambda: kept(events) >= 4)
    stage.arena_beside("run", short, "--cluster", where)
    assert len(results(folder / "home", "short")) == 4
    before = kept(events)
    until(lambda: kept(events) > before)
    run.send_signal(signal.SIGINT)
    said = stage.said(run)
    assert run.returncode == 130 and "units played" in said
    assert "given to another" not in said and "is not used" not in said


NO_NAMESPACES = 'for n in /proc/sys/user/max_*_namespaces; do echo 0 > $n; done; exec "$@"'
SLOW = """
import sys
if "arena.executors.seat" in sys.orig_argv:
    import time
    from arena.executors import calibration
    quick = calibration.work
    def work():
        began = time.perf_counter()
        done = quick()
        time.sleep(12 * (time.perf_counter() - began))
        return done
    calibration.work = work
"""


def test_a_scheduler_that_ends_and_a_runner_with_other_keys(stage: Stage, folder: Path) -> None:
    file, events = tournament_file(folder, BOTS, 40), folder / "events"
    scheduler = stage.scheduler()
    stage.worker(1)
    certify(folder, "theirs")
    for name in ("-ca.pem", ".pem", ".key"):
        (folder / f"theirs{name}").rename(folder / f"others{name}")
    where = cluster_file(folder)
    text = Path(where).read_text()
    (folder / "wrong.toml").write_text(text.replace("ours", "others"))
    wrong = stage.arena("run", file, "--cluster", str(folder / "wrong.toml"))
    assert "E331" in stage.said(wrong) and wrong.returncode == 3
    run = stage.arena("run", file, "--cluster", where, "--events", str(events))
    until(lambda: kept(events) >= 4)
    scheduler.kill()
    said = stage.said(run)
    assert run.returncode == 4 and "E418" in said and "run again: it goes on" in said
    assert len(results(folder / "home")) >= 4
    stage.scheduler()  # its workers ended with the one before
    stage.worker(2)
    run = stage.arena("run", file, "--cluster", where)
    said = stage.said(run)
    assert run.returncode == 0, said
    assert len(results(folder / "home")) == 80
