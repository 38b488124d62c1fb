"""The warm process above all keepers: what it does when its owner, a keeper or itself is killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from referee.processes import Kept, become_subreaper, reap_strays, spawner
from referee.processes.spawner import Spawner

from .caged import ROOT, WHOLE
from .watching import SOON, keeper_of, until, wait_for_log

Start = Callable[..., Kept]
OWNER = """
import os, sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from referee.processes import Command, become_subreaper, keep, spawner
become_subreaper()
run = Path(sys.argv[2])
spawner.sweep(os.fsencode(run / "left"))
bots = []
for name in ("a", "b"):
    folder = run / name
    folder.mkdir(parents=True)
    argv = ("sh", "-c", "setsid sleep 1000 & sleep 1000")
    bots.append(keep(Command(argv, Path("/usr"), {"PATH": os.defpath}, folder, run / "log")))
while sum(len(bot.pids()) for bot in bots) < 6:
    time.sleep(0.005)
(run / "left").mkdir()
(run / "left" / "file").touch()
print(*[pid for bot in bots for pid in bot.pids()], spawner._process.pid, flush=True)
time.sleep(1000)
"""


@pytest.fixture
def owner(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that keeps two bots, and has told its spawner of a folder."""
    argv = [sys.executable, "-I", "-S", "-c", OWNER, str(ROOT), str(tmp_path / "run")]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
        yield process
        process.kill()


@pytest.fixture
def subreaper() -> None:
    """Bots whose keeper was killed fall to this process."""
    become_subreaper()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_its_owners_end_leaves_no_process_and_no_folder(
    owner: subprocess.Popen[str], tmp_path: Path, number: signal.Signals
) -> None:
    assert owner.stdout is not None
    pids = list(map(int, owner.stdout.readline().split()))
    assert len(pids) == 7 and all(map(psutil.pid_exists, pids))
    owner.send_signal(number)
    owner.wait()
    until(lambda: not (tmp_path / "run").exists())
    until(lambda: not any(map(is_alive, pids)))


def is_alive(pid: int) -> bool:
    """Not a zombie that nobody reaps: here orphans fall to whoever is there."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.usefixtures("subreaper")
@pytest.mark.parametrize("others", [{}, {"sandbox": WHOLE}], ids=["none", "caged"])
def test_once_killed_there_is_another(start: Start, others: dict[str, object]) -> None:
    bot = start("sleep", "1000", cwd=Path("/usr"), **others)
    assert spawner._process is not None
    first = spawner._process.pid
    os.kill(first, signal.SIGKILL)
    ended = bot.stop(SOON)
    assert ended.lost and not psutil.pid_exists(bot.pid)
    assert not bot.command.folder.exists()
    assert start("sh", "-c", "exit 4", cwd=Path("/usr"), **others).stop(SOON).code == 4
    assert spawner._process.pid != first


@pytest.mark.usefixtures("subreaper")
@pytest.mark.parametrize("others", [{}, {"sandbox": WHOLE}], ids=["none", "caged"])
def test_a_keeper_that_is_killed_is_told_as_lost(start: Start, others: dict[str, object]) -> None:
    bot = start("sh", "-c", "setsid sleep 1000 & sleep 1000", cwd=Path("/usr"), **others)
    until(lambda: len(bot.pids()) >= 3)
    pids = bot.pids()
    assert spawner._process is not None
    (keeper,) = set(psutil.Process(spawner._process.pid).children()) & set(psutil.Process(bot.pid).parents())
    keeper.kill()
    until(lambda: bot.poll() is not None)
    ended = bot.stop(0)
    assert (ended.lost, str(ended)) == (True, "keeper lost")
    until(lambda: reap_strays() >= 0 and not any(map(psutil.pid_exists, pids)))
    assert not bot.command.folder.exists()


def test_once_let_go_of_it_sweeps_and_leaves(tmp_path: Path) -> None:
    own = Spawner()
    folder = tmp_path / "swept"
    folder.mkdir()
    own.sweep(os.fsencode(folder))
    process = own._process
    assert process is not None and folder.exists()
    own._let_go()
    assert process.returncode == 0 and not folder.exists()


def test_nothing_of_our_environment_is_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KINGMAKER_TEST_SECRET", "secret")
    own = Spawner()
    own.sweep(os.fsencode(tmp_path / "nothing"))
    assert own._process is not None
    until(lambda: b"spawner" in Path(f"/proc/{own._process and own._process.pid}/cmdline").read_bytes())
    assert Path(f"/proc/{own._process.pid}/environ").read_bytes() == b""
    own._let_go()


@pytest.mark.usefixtures("subreaper")
def test_a_bot_whose_keeper_was_killed_is_buried_with_it(start: Start) -> None:
    for _ in range(12):  # the keeper lets go of its socket before the bot falls to us
        bot = start("sleep", "1000")
        keeper_of(bot).kill()
        assert bot.stop(SOON).lost and not psutil.pid_exists(bot.pid)


def test_a_signal_from_the_terminal_does_not_end_it(start: Start) -> None:
    bot = start("sh", "-c", "echo there; sleep 1000")
    assert spawner._process is not None
    assert os.getpgid(spawner._process.pid) != os.getpgid(0)
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        spawner._process.send_signal(number)
    wait_for_log(bot, "there")
    assert bot.poll() is None and spawner._process.poll() is None


def test_keepers_that_have_left_are_reaped(start: Start) -> None:
    for _ in range(3):
        start("true").stop(SOON)
    until(lambda: children() == [])


def children() -> list[psutil.Process]:
    assert spawner._process is not None
    return psutil.Process(spawner._process.pid).children()


@pytest.mark.parametrize("order", [b"", b"\0" * 7 + b"\x09", b"\0" * 7 + b"\x09no", b"\0" * 7 + b"\x02no"])
def test_a_keeper_whose_order_is_cut_short_leaves(order: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    own = Spawner()  # says what is wrong where this test listens
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            own.keep([theirs.fileno()])
        ours.sendall(order)
        ours.shutdown(socket.SHUT_WR)
        ours.settimeout(SOON)
        assert ours.recv(100) == b""
    own._let_go()
    assert capfd.readouterr().err == ""
