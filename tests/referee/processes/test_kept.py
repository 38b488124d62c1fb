"""A bot's program from the outside: how it starts, what it finds, how its end is told."""

import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from referee.processes import NONE, Command, Kept, Sandbox, StartError, clean_environment, keep
from referee.processes import trees as keepers

from .caged import WHOLE
from .watching import SOON, keeper_of, until, wait_for_log

Start = Callable[..., Kept]
boxes = pytest.mark.parametrize("box", [NONE, WHOLE], ids=lambda box: box.mode)


@boxes
@pytest.mark.parametrize("code", [0, 3, 255])
def test_exit_code(start: Start, code: int, box: Sandbox) -> None:
    ended = start("sh", "-c", f"exit {code}", cwd=Path("/usr"), sandbox=box).stop(SOON)
    assert (ended.code, ended.signal, ended.killed, str(ended)) == (code, None, False, f"exit {code}")


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGTERM", "SIGINT", "SIGHUP", "SIGPIPE", "SIGKILL"])
@boxes
def test_own_signal_is_no_kill_of_ours(start: Start, name: str, box: Sandbox) -> None:
    number = signal.Signals[name].value
    ended = start("sh", "-c", f"kill -{number} $$", cwd=Path("/usr"), sandbox=box).stop(SOON)
    assert (ended.code, ended.signal, ended.killed) == (None, number, False)
    assert str(ended) == f"signal {number} ({name})"


def test_poll_tells_the_end_once_it_is_there(start: Start, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "gate")
    bot = start("sh", "-c", "read line < gate; exit 5")
    assert bot.poll() is None
    (tmp_path / "gate").write_text("go\n")
    ended = bot.stop(SOON)
    assert ended.code == 5
    assert bot.poll() is ended


def test_stop_kills_who_ignores_every_signal(python: Start) -> None:
    bot = python(
        "import os, signal\n"
        "for n in (1, 2, 3, 15): signal.signal(n, signal.SIG_IGN)\n"
        "os.write(2, b'deaf')\n"
        "while True: signal.pause()"
    )
    wait_for_log(bot, "deaf")
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        os.kill(bot.pid, number)
    ended = bot.stop(0.05)
    assert (ended.signal, ended.killed, ended.tail) == (signal.SIGKILL, True, "deaf")
    assert not psutil.pid_exists(bot.pid)


def test_kill_does_not_need_stop(start: Start) -> None:
    bot = start("sleep", "1000")
    bot.kill()
    bot.kill()
    assert bot.stop(SOON).killed
    bot.kill()


def test_stray_signals_do_not_end_the_keeper(start: Start, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "gate")
    bot = start("sh", "-c", "read line < gate; exit 6")
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
        keeper_of(bot).send_signal(number)
    (tmp_path / "gate").write_text("go\n")
    assert bot.stop(SOON).code == 6


def test_thread_that_started_a_bot_may_end(start: Start) -> None:
    with ThreadPoolExecutor(1) as pool:
        bot = pool.submit(start, "sh", "-c", "sleep 0.3; exit 7").result()
    assert bot.stop(SOON).code == 7


def test_stopped_keeper_does_not_hold_us_up(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keepers, "PATIENCE", 0.1)
    bot = start("sleep", "1000")
    keeper_of(bot).suspend()
    assert str(bot.stop(0)) == "keeper lost"
    until(lambda: not psutil.pid_exists(bot.pid))
    assert not bot.command.folder.exists()


@pytest.mark.parametrize(
    ("argv", "others", "reason"),
    [
        (("no-such-program",), {}, "cannot start 'no-such-program': No such file or directory"),
        (("/etc/passwd",), {}, "cannot start '/etc/passwd': Permission denied"),
        (("./text",), {}, "cannot start './text': Exec format error"),
        (("sh", "a\0b"), {}, "cannot start 'sh': Invalid argument"),
        (("sh",), {"cwd": Path("/no/such")}, "cannot start 'sh' in /no/such: No such file or directory"),
        (("sh",), {"cpus": frozenset({4000})}, "cannot start 'sh' on cpus [4000]: Invalid argument"),
    ],
)
def test_start_error(
    command: Callable[..., Command],
    tmp_path: Path,
    argv: tuple[str, ...],
    others: dict[str, object],
    reason: str,
) -> None:
    (tmp_path / "text").write_text("no program\n")
    (tmp_path / "text").chmod(0o755)
    before = keepers.children(os.getpid())
    with pytest.raises(StartError) as error:
        keep(command(*argv, **others))
    assert str(error.value) == reason
    assert not (tmp_path / "run").exists()
    assert keepers.children(os.getpid()) == before


@pytest.mark.parametrize(("argv", "cap"), [((), 1024), (("sh",), 1023)])
def test_command_wants_a_program_and_room_for_a_log(
    command: Callable[..., Command], argv: tuple[str, ...], cap: int
) -> None:
    with pytest.raises(ValueError, match="a program and a log_cap"):
        command(*argv, log_cap=cap)


def test_environment_is_exactly_the_clean_one(
    command: Callable[..., Command], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        os, "environ", {"PATH": "/usr/bin:/bin", "LC_TIME": "C", "PYTHONUNBUFFERED": "1", "SECRET": "x"}
    )
    env = clean_environment(tmp_path, {"KINGMAKER_SEAT": "1"})
    folder = str(tmp_path)
    expected = {
        "PATH": "/usr/bin:/bin",
        "LC_TIME": "C",
        "HOME": folder,
        "TMPDIR": folder,
        "KINGMAKER_SEAT": "1",
    }
    assert env == expected
    ended = keep(command("cat", "/proc/self/environ", env=env)).stop(SOON)
    assert dict(pair.split("=") for pair in ended.tail.split("\\x00")[:-1]) == expected


def test_only_the_three_standard_descriptors(python: Start) -> None:
    leak = os.open("/etc/passwd", os.O_RDONLY)
    os.set_inheritable(leak, True)
    try:
        bot = python(
            "import os\n"
            "for fd in sorted(map(int, os.listdir('/proc/self/fd'))):\n"
            "    try: print(fd, os.readlink(f'/proc/self/fd/{fd}'))\n"
            "    except OSError: pass  # the listing's own"
        )
        lines = bot.stop(SOON).tail.splitlines()
    finally:
        os.close(leak)
    assert [line.split(":")[0] for line in lines] == ["0 /dev/null", "1 pipe", "2 pipe"]


def test_signals_are_as_at_birth(python: Start) -> None:
    before = signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2})
    try:
        bot = python(
            "print(*[line for line in open('/proc/self/status') if line[:6] in ('SigBlk', 'SigIgn')])"
        )
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGUSR2})
        signal.signal(signal.SIGUSR1, before)
    masks = [int(word, 16) for word in bot.stop(SOON).tail.replace("\\t", " ").split()[1::2]]
    python_ignores = 1 << signal.SIGPIPE - 1 | 1 << signal.SIGXFSZ - 1
    glibcs_own = (
        1 << 32 - 1 | 1 << 33 - 1
    )  # a parent may have ignored them, and no call of ours can change it
    assert [mask & ~glibcs_own for mask in masks] == [0, python_ignores]


def test_affinity(start: Start) -> None:
    cpu = min(os.sched_getaffinity(0))
    bot = start("sleep", "1000", cpus=frozenset({cpu}))
    assert os.sched_getaffinity(bot.pid) == {cpu}


def test_session_and_folder_of_its_own(start: Start, tmp_path: Path) -> None:
    bot = start("sleep", "1000")
    assert os.getsid(bot.pid) == os.getpgid(bot.pid) == bot.pid
    assert os.getpgid(keeper_of(bot).pid) != os.getpgid(0)
    assert Path(f"/proc/{bot.pid}/cwd").readlink() == tmp_path


@boxes
def test_cpu_time_counts_the_whole_tree(python: Start, box: Sandbox) -> None:
    bot = python(
        "import os, signal\n"
        "def spin():\n"
        "    while sum(os.times()[:2]) < 0.2: pass\n"
        "if os.fork() == 0: spin(); os._exit(0)\n"  # reaped by the bot
        "os.wait()\n"
        "if os.fork() == 0:\n"
        "    if os.fork() == 0: spin()\n"  # reaped by the keeper
        "    os._exit(0)\n"
        "os.wait()\n"
        "if os.fork() == 0: spin(); os.write(2, b'done')\n"  # stays
        "while True: signal.pause()",
        cwd=Path("/usr"),
        sandbox=box,
    )
    wait_for_log(bot, "done")
    until(lambda: len(bot.pids()) == (3 if box.isolates else 2))
    seconds = bot.cpu_seconds()
    assert seconds is not None
    assert 0.58 <= seconds < 5
    bot.stop(0)
    assert bot.cpu_seconds() is None
