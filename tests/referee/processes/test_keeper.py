"""What the keeper does with a bot's tree, its output and its folder."""

import os
import signal
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from referee.processes import Kept
from referee.processes import trees as keepers

from .watching import SOON, keeper_of, until, wait_for_log

Start = Callable[..., Kept]

DAEMON = """
import os, signal, sys
def daemon():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.setsid()
            for n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)
            with open(sys.argv[1], "a") as file: file.write(f"{os.getpid()}\\n")
            while True: signal.pause()
        os._exit(0)
    os.wait()
"""


@pytest.fixture
def daemons(python: Start, tmp_path: Path) -> Callable[..., tuple[Kept, Callable[[], list[int]]]]:
    """A bot that makes daemons, and a look at their pids."""

    def begin(program: str) -> tuple[Kept, Callable[[], list[int]]]:
        pids = tmp_path / "pids"
        pids.touch()
        return python(DAEMON + program, str(pids)), lambda: list(map(int, pids.read_text().split()))

    return begin


@pytest.mark.parametrize("number", [1, 20])
def test_daemons_go_with_the_bot_that_leaves(
    daemons: Callable[..., tuple[Kept, Callable[[], list[int]]]], number: int
) -> None:
    bot, pids = daemons(
        f"for _ in range({number}): daemon()\nwhile len(open(sys.argv[1]).readlines()) < {number}: pass"
    )
    ended = bot.stop(SOON)
    assert (ended.code, ended.killed) == (0, False)
    assert len(pids()) == number
    assert not any(map(psutil.pid_exists, pids()))


def test_daemons_go_with_the_bot_that_is_killed(
    daemons: Callable[..., tuple[Kept, Callable[[], list[int]]]],
) -> None:
    bot, pids = daemons("for _ in range(20): daemon()\nwhile True: signal.pause()")
    until(lambda: len(pids()) == 20)
    assert bot.stop(0).killed
    assert not any(map(psutil.pid_exists, [bot.pid, *pids()]))


def test_rabbit_is_caught(python: Start) -> None:
    """Three processes hop from pid to pid, each leaving its session, some 20 seconds at most."""
    bot = python(
        "import os, signal, time\n"
        "end = time.monotonic() + 20\n"
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "rabbit = any(os.fork() == 0 for _ in range(3))\n"
        "while rabbit and time.monotonic() < end:\n"
        "    if os.fork(): os._exit(0)\n"
        "    os.setsid()\n"
        "    os.environ['HOPS'] = 'x'\n"
        "    open('/proc/self/comm', 'w').write('hop-of-rabbit')\n"
        "while True: signal.pause()"
    )
    until(lambda: len(hopping()) > 0)
    bot.stop(0)
    assert hopping() == []


def hopping() -> list[int]:
    return [p.pid for p in psutil.process_iter(["name"]) if p.info["name"] == "hop-of-rabbit"]


def test_orphans_are_reaped_while_the_bot_runs(
    daemons: Callable[..., tuple[Kept, Callable[[], list[int]]]],
) -> None:
    bot, pids = daemons("daemon()\nwhile True: signal.pause()")
    until(lambda: len(pids()) == 1)
    os.kill(pids()[0], 9)
    until(lambda: not psutil.pid_exists(pids()[0]))
    assert bot.poll() is None


def test_none_is_killed_while_another_could_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second process turns up only when all are looked up again, as after a fork that came between."""
    sleepers = [subprocess.Popen(["sleep", "1000"]) for _ in range(2)]
    first, second = (sleeper.pid for sleeper in sleepers)
    looks = iter([[first], [first, second], [first, second]])
    sent: list[tuple[int, int]] = []
    kill = os.kill

    def record(pid: int, number: int) -> None:
        sent.append((pid, number))
        kill(pid, number)

    monkeypatch.setattr(os, "kill", record)
    ended = keepers.end_all(lambda: next(looks, []))
    stop, end = signal.SIGSTOP, signal.SIGKILL
    assert sent[:2] == [(first, stop), (second, stop)]
    assert sorted(sent[2:4]) == sorted([(first, end), (second, end)])
    # Whoever is first to wait for one has its status: that is a matter of how soon it was dead.
    waited = {sleeper.pid: -sleeper.wait() for sleeper in sleepers}
    assert waited | ended == {first: end, second: end}


def test_tree_is_found_without_the_children_files(python: Start) -> None:
    child = subprocess.Popen(["sleep", "1000"])
    try:
        assert child.pid in keepers._children_by_scan(os.getpid())
        assert child.pid in keepers.children(os.getpid())
    finally:
        child.kill()
        child.wait()
    assert child.pid not in keepers._children_by_scan(os.getpid())


def test_silent_bot_leaves_no_log(start: Start, tmp_path: Path) -> None:
    assert start("true").stop(SOON).tail == ""
    assert not (tmp_path / "bot.log").exists()


def test_log_begins_anew(start: Start, tmp_path: Path) -> None:
    (tmp_path / "bot.log").write_text("of an earlier run\n")
    assert start("sh", "-c", "echo new; echo news >&2").stop(SOON).tail == "new\nnews\n"
    assert (tmp_path / "bot.log").read_text() == "new\nnews\n"


@pytest.mark.parametrize("cap", [1024, 256 * 1024])
def test_flood_is_cut_in_the_middle(python: Start, tmp_path: Path, cap: int) -> None:
    size = 50_000_000
    ended = python(
        "import os\n"
        "os.write(2, b'the beginning\\n')\n"
        f"for _ in range({size} // 50_000): os.write(2, b'x' * 50_000)\n"
        "os.write(2, b'\\nthe end')",
        log_cap=cap,
    ).stop(SOON)
    text = (tmp_path / "bot.log").read_text()
    assert ended.code == 0
    assert text.startswith("the beginning\nxxx")
    assert text.endswith("xxx\nthe end")
    assert ended.tail == text[-64 * 1024 :]
    assert cap * 0.9 < len(text) <= cap
    left_out = int(text.split("[... ")[1].split()[0])
    mark = f"\n[... {left_out} bytes left out ...]\n"
    assert len(text) - len(mark) + left_out == size + len("the beginning\n\nthe end")


def test_log_within_its_cap_is_whole(python: Start, tmp_path: Path) -> None:
    python("print(*range(2000))", log_cap=12_000).stop(SOON)
    assert (tmp_path / "bot.log").read_text() == " ".join(map(str, range(2000))) + "\n"


def test_log_that_cannot_be_written_is_not_the_bots_fault(start: Start, tmp_path: Path) -> None:
    ended = start("sh", "-c", "echo lost; sleep 0.3; exit 4", log=tmp_path / "no" / "bot.log").stop(SOON)
    assert (ended.code, ended.tail) == (4, "")


def test_closing_its_output_is_no_end(start: Start) -> None:
    ended = start("sh", "-c", "echo closing; exec >&- 2>&-; sleep 0.3; exit 7").stop(SOON)
    assert (ended.code, ended.tail) == (7, "closing\n")


def test_tail_is_printable(start: Start) -> None:
    ended = start("printf", r"a\033[2J\tb\377\nc\302\205").stop(SOON)
    assert ended.tail == "a\\x1b[2J\\tb\ufffd\nc\\x85"


def test_last_words_are_kept(python: Start, tmp_path: Path) -> None:
    """More than the keeper reads at once, all of it written and the bot dead before the keeper looks."""
    os.mkfifo(tmp_path / "gate")
    bot = python(
        "import fcntl, os\n"
        "open('gate').read()\n"
        "fcntl.fcntl(2, 1031, 1 << 20)  # F_SETPIPE_SZ\n"
        "os.write(2, b'x' * 1_000_000 + b'last words')"
    )
    keeper = keeper_of(bot)
    keeper.suspend()
    (tmp_path / "gate").write_text("go")
    until(lambda: psutil.Process(bot.pid).status() == psutil.STATUS_ZOMBIE)
    keeper.resume()
    assert bot.stop(SOON).tail.endswith("xxxlast words")


def test_folder_is_removed_whatever_is_in_it(python: Start, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").touch()
    outside.chmod(0o755)
    bot = python(
        "import os, sys, socket\n"
        "os.chdir(os.environ['TMPDIR'])\n"
        f"os.symlink({str(outside)!r}, 'link')\n"
        "os.mkfifo('fifo'); socket.socket(socket.AF_UNIX).bind('socket')\n"
        "os.mkdir('shut'); open('shut/file', 'w'); os.chmod('shut', 0)\n"
        "for _ in range(30): os.mkdir('d' * 200); os.chdir('d' * 200)  # longer than PATH_MAX\n"
        "open('file', 'w')"
    )
    assert bot.stop(SOON).code == 0
    assert not (tmp_path / "run").exists()
    assert (outside / "file").exists()
    assert stat.S_IMODE(outside.stat().st_mode) == 0o755


def test_parent_of_the_folder_stays_while_another_uses_it(start: Start, tmp_path: Path) -> None:
    bot = start("sleep", "1000")
    (tmp_path / "run" / "other").mkdir()
    bot.stop(0)
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["other"]


def test_bot_that_says_much_and_dies_is_told_at_once(start: Start) -> None:
    bot = start("sh", "-c", "sleep 1000 & echo gone >&2; exit 1")
    wait_for_log(bot, "gone")
    until(lambda: bot.poll() is not None)
    assert str(bot.poll()).startswith("exit 1")
