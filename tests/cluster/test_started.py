"""Workers that a run starts by itself, on this machine."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from arena.home import Home
from arena.ledger import Ledger
from arena.printed import printed
from protocol.record import GameRecord
from tests.cluster.stage import arena_words, own_cluster_file, tournament_file, until
from tests.cluster.test_machines import results

pytestmark = pytest.mark.cluster
LIAR = """
import random
from protocol.client import Bot, run
class Liar(Bot):
    wants_events = False
    def choose(self, turn):
        return random.SystemRandom().choice(turn["legal"])
run(Liar())
"""


def play(folder: Path, file: str, where: str) -> str:
    run = subprocess.run(
        arena_words(folder, "run", file, "--cluster", where),
        capture_output=True,
        text=True,
        timeout=150,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stderr


def test_a_bot_that_says_it_is_deterministic_and_is_not(folder: Path) -> None:
    liar = folder / "liar"
    liar.mkdir()
    (liar / "bot.py").write_text(LIAR)
    (liar / "bot.toml").write_text('name = "liar"\nrun = ["python3", "bot.py"]\ndeterministic = true\n')
    file = tournament_file(folder, ["random", "greedy", str(liar)], 6)
    said = play(folder, file, own_cluster_file(folder, kind="local", workers=3, audit=1))
    told = [line for line in said.splitlines() if line.startswith("audit: ")]
    assert any("was played differently" in line and "liar, which says" in line for line in told)
    assert "audit: liar is not deterministic: what is disputed is played again, and then counts" in told
    assert told[-1].endswith("not deterministic: liar")
    assert len(results(folder / "home")) == 36, "each game once, whatever its audit came to"


TALKER = """
import sys
from protocol.client import Bot, run
print("here I am", file=sys.stderr, flush=True)
class Talker(Bot):
    wants_events = False
    def choose(self, turn):
        return turn["legal"][0]
run(Talker())
"""


def test_what_each_process_of_a_bot_printed_comes_back(folder: Path) -> None:
    talker = folder / "talker"
    talker.mkdir()
    (talker / "bot.py").write_text(TALKER)
    (talker / "bot.toml").write_text('name = "talker"\nrun = ["python3", "bot.py"]\n')
    file = tournament_file(folder, ["random", str(talker)], 4)
    with Path(file).open("a") as more:
        more.write("fresh_processes = true\n")
    play(folder, file, "local:1")
    home = folder / "home"
    with closing(Ledger(Home(home).ledger)) as ledger:
        games = [result.id for result in ledger.results("cup")]
        records = [GameRecord.model_validate_json(ledger.record(id)) for id in games]
    said = [printed(record, [home / "logs" / "cup"]) for record in records]
    assert len(said) == 8 and all("here I am" in text for seats in said for text in seats.values())
    assert all(said), "a process a game, and a log for each"


def test_a_class_of_dask_jobqueue_by_a_cluster_file(folder: Path) -> None:
    file = tournament_file(folder, ["random", "greedy"], 10)
    options = {"cores": 1, "processes": 1, "memory": "1GB", "local_directory": str(folder), "death_timeout": 60,
               "log_directory": str(folder)}  # fmt: skip
    keys = folder / "home" / "clusters" / "cup"
    keys.mkdir(parents=True)
    (keys / ".dask-jobqueue.worker.key.old").touch()  # a run that was killed has left it
    where = own_cluster_file(folder, options, kind="dask_jobqueue.local:LocalCluster", workers=2)
    said = play(folder, file, where)
    assert "now 1 worker with 1 core on 1 machine" in said and "Warning" not in said
    assert not list(keys.iterdir()) and keys.stat().st_mode & 0o77 == 0
    assert len(results(folder / "home")) == 20


def test_ctrl_c_of_a_terminal_reaches_workers_that_are_its_own(folder: Path) -> None:
    """It goes to the whole process group; none of them has anything to say to it."""
    file, log = tournament_file(folder, ["random", "greedy"], 5000), folder / "run.log"
    command = arena_words(folder, "run", file, "--cluster", own_cluster_file(folder, kind="local", workers=2))
    with log.open("w") as stderr:
        run = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stderr, start_new_session=True)
    until(lambda: " plays, bots kept in" in log.read_text())
    os.killpg(run.pid, signal.SIGINT)
    assert run.wait(30) == 130
    said = log.read_text()
    assert "go on with" in said and "Traceback" not in said and "Error" not in said
    until(lambda: not group(run.pid), 10)


def test_a_run_that_is_killed_leaves_nothing_and_says_nothing(folder: Path) -> None:
    file, log, here = tournament_file(folder, ["random", "greedy"], 5000), folder / "run.log", folder / "here"
    here.mkdir()
    command = arena_words(folder, "run", file, "--cluster", own_cluster_file(folder, kind="local", workers=1))
    with log.open("w") as stderr:
        run = subprocess.Popen(
            command, cwd=here, stdout=subprocess.DEVNULL, stderr=stderr, start_new_session=True
        )
    until(lambda: " plays, bots kept in" in log.read_text())
    run.kill()
    run.wait()
    until(lambda: not group(run.pid), 40)
    assert not list(here.iterdir())
    assert "leaked" not in log.read_text() and "Traceback" not in log.read_text()


def group(number: int) -> list[int]:
    """The processes of a process group."""
    return [pid for pid in psutil.pids() if psutil.pid_exists(pid) and _group_of(pid) == number]


def _group_of(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return 0


def test_nobody_is_there_and_nobody_is_needed(folder: Path) -> None:
    file, gone = tournament_file(folder, ["random", "greedy"], 2), "tcp://127.0.0.1:9"
    command = arena_words(folder, "run", file)
    run = subprocess.run(
        [*command, "--cluster", gone], capture_output=True, text=True, check=False, timeout=60
    )
    assert run.returncode == 3 and "E331" in run.stderr
    assert "Traceback" not in run.stderr and "ignored" not in run.stderr
    subprocess.run(command, check=True, capture_output=True)
    run = subprocess.run(
        [*command, "--cluster", gone], capture_output=True, text=True, check=False, timeout=60
    )
    assert run.returncode == 0, run.stderr


def test_a_class_that_raises_tells_the_innermost_cause(folder: Path) -> None:
    file = tournament_file(folder, ["random", "greedy"], 2)
    where = own_cluster_file(folder, {"n_wokers": 3}, kind="local", workers=1)
    command = arena_words(folder, "run", file, "--cluster", where)
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert run.returncode == 3 and "n_wokers" in run.stderr and "Traceback" not in run.stderr
