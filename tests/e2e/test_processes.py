"""Nothing outlives a bot, in whatever order bot, keeper, worker and the runner above it are killed.

The runner here is a process that starts a worker; the worker keeps bots, each with daemons below it. All
processes of a case carry its own mark in their environment, which forks and daemons inherit.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

SOON = 20.0
ROOT = Path(__file__).parents[2]

BOT = """
import os, signal, sys
for number in (1, 2, 15): signal.signal(number, signal.SIG_IGN)
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.setsid()
            break
        os._exit(0)
open(os.path.join(os.environ["HOME"], str(os.getpid())), "w")
while True: signal.pause()
"""

WORKER = f"""
import os, signal, sys
from pathlib import Path
from referee.processes import Command, become_subreaper, clean_environment, die_with_parent, keep
assert die_with_parent() and become_subreaper()
base = Path(sys.argv[1])
bots = []
for number in range(3):
    folder = base / "run" / str(number)
    folder.mkdir(parents=True, mode=0o700)
    env = clean_environment(folder, {{"MARK": str(base)}})
    bots.append(keep(Command((sys.executable, "-ISc", {BOT!r}), base, env, folder, base / "log")))
print(*(bot.pid for bot in bots), flush=True)
if "stop" in sys.stdin.readline():
    print(*(bot.stop(0) for bot in bots), sep=",", flush=True)
signal.pause()
"""

RUNNER = """
import signal, subprocess, sys
for number in (1, 2, 15): signal.signal(number, signal.SIG_DFL)  # who runs the tests may ignore them
from referee.processes import become_subreaper
assert become_subreaper()
worker = subprocess.Popen([sys.executable, "-c", sys.argv[1], *sys.argv[2:]])
print(worker.pid, flush=True)
worker.wait()
sys.stdin.readline()
"""


class Case:
    """A runner with its worker and three bots, each of which has three daemons."""

    def __init__(self, base: Path) -> None:
        self.base = base
        self.runner = subprocess.Popen(
            [sys.executable, "-c", RUNNER, WORKER, str(base)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(ROOT), "MARK": str(base)},
            cwd=base,
            text=True,
            start_new_session=True,
        )
        self.worker = 0
        self.bots: list[int] = []
        self.above: set[psutil.Process] = set()
        """The keepers and their spawner, whose environment is empty."""

    def begin(self) -> None:
        self.worker = int(self.line())
        self.bots = list(map(int, self.line().split()))
        until(lambda: len(list(self.base.glob("run/*/*"))) == 12)
        keepers = {psutil.Process(keeper) for keeper in self.keepers()}
        self.above = keepers | {parent for keeper in keepers if (parent := keeper.parent())}

    def line(self) -> str:
        assert self.runner.stdout is not None
        return self.runner.stdout.readline()

    def say(self, word: str) -> None:
        assert self.runner.stdin is not None
        self.runner.stdin.write(word + "\n")
        self.runner.stdin.flush()

    def keepers(self) -> list[int]:
        return [psutil.Process(bot).ppid() for bot in self.bots]

    def alive(self) -> list[psutil.Process]:
        return [process for process in psutil.process_iter() if self._is_ours(process)]

    def _is_ours(self, process: psutil.Process) -> bool:
        try:
            return process.environ().get("MARK") == str(self.base)
        except psutil.Error:
            return False

    def nothing_is_left(self, *but: int) -> None:
        until(lambda: {process.pid for process in self.alive()} <= set(but))
        until(lambda: not (self.base / "run").exists())
        if self.worker not in but:
            until(lambda: not any(map(runs, self.above)))


@pytest.fixture
def case(tmp_path: Path) -> Iterator[Case]:
    case = Case(tmp_path)
    try:
        case.begin()
        yield case
    finally:
        for process in case.alive():
            with suppress(psutil.NoSuchProcess):
                process.kill()
        case.runner.communicate()


def test_all_of_it_is_seen_running(case: Case) -> None:
    """Else the other tests would prove nothing: runner, worker, 3 bots, 9 daemons; 3 keepers and their spawner."""
    alive = {process.pid for process in case.alive()}
    assert len(alive) == 14
    assert alive > {case.runner.pid, case.worker, *case.bots}
    assert len(case.above) == 4 and all(map(runs, case.above))


def test_spawner_killed(case: Case) -> None:
    """Its keepers end their bots, and nobody can say how those would have ended."""
    (spawner,) = {parent for keeper in case.keepers() if (parent := psutil.Process(keeper).parent())}
    spawner.kill()
    case.say("stop")
    assert case.line() == ",".join(["keeper lost"] * 3) + "\n"
    assert {process.pid for process in case.alive()} == {case.runner.pid, case.worker}
    assert not (case.base / "run").exists()


def test_worker_killed(case: Case) -> None:
    os.kill(case.worker, signal.SIGKILL)
    case.nothing_is_left(case.runner.pid)


def test_runner_killed(case: Case) -> None:
    case.runner.kill()
    case.nothing_is_left(case.runner.pid)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signal_to_the_foreground_group(case: Case, number: int) -> None:
    os.killpg(case.runner.pid, number)
    case.nothing_is_left(case.runner.pid)


@pytest.mark.parametrize("lost", [1, 3])
def test_keepers_killed(case: Case, lost: int) -> None:
    for keeper in case.keepers()[:lost]:
        os.kill(keeper, signal.SIGKILL)
    case.say("stop")
    told = ["keeper lost"] * lost + ["signal 9 (SIGKILL)"] * (3 - lost)
    assert case.line() == ",".join(told) + "\n"
    assert {process.pid for process in case.alive()} == {case.runner.pid, case.worker}
    assert not (case.base / "run").exists()


def test_bots_killed(case: Case) -> None:
    for bot in case.bots:
        os.kill(bot, signal.SIGKILL)
    case.nothing_is_left(case.runner.pid, case.worker)


def runs(process: psutil.Process) -> bool:
    """Also one that has ended, and that the runner has not reaped, is no more."""
    return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
