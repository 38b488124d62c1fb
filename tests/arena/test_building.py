"""How a bot is built and kept: its output is told, whatever goes wrong leaves nothing, nothing may be changed."""

from __future__ import annotations

import logging
import signal
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena import building
from arena.bundles import take_in
from arena.cli import main, output
from arena.errors import CannotStart
from arena.home import Home
from arena.ledger import Ledger
from tests.arena.made import is_alive


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "mybot"
    (folder / "lib").mkdir(parents=True)
    (folder / "bot.py").write_text("import lib.more\n")
    (folder / "lib" / "more.py").write_text("x = 1\n")
    (folder / "tool").write_text("#!/bin/sh\n")
    (folder / "tool").chmod(0o777)
    (folder / "bot.py").chmod(0o666)
    return folder


def build(folder: Path, *lines: str) -> None:
    """Let its build be these lines of shell."""
    (folder / "build.sh").write_text("\n".join(lines) + "\n")
    manifest = 'name = "mybot"\nrun = ["python3", "bot.py"]\nbuild = ["sh", "build.sh"]\nneeds = "a shell"\n'
    (folder / "bot.toml").write_text(manifest)


def add(home: Home, folder: Path) -> Result:
    return CliRunner().invoke(main, ["--home", str(home.path), "bot", "add", str(folder), "--no-check"])


def kept(home: Home) -> list[Path]:
    return list((home.path / "bots").iterdir())


def nothing_kept(home: Home) -> bool:
    ledger = Ledger(home.ledger)
    rows = ledger.bots(listed=False)
    ledger.close()
    return kept(home) == [] and rows == []


def test_a_build_tells_what_it_does(home: Home, folder: Path) -> None:
    build(folder, "echo one", "printf 'half a line'", "echo >&2", r"printf '\377\033[1m\nthe end'")
    done = add(home, folder)
    told = done.stderr.splitlines()[:5]
    lines = ["one", "half a line", "\ufffd\\x1b[1m", "the end"]
    assert told == ["building mybot: sh build.sh", *(f"  | {line}" for line in lines)]
    assert done.exit_code == 0 and done.stdout == ""


def test_of_a_build_that_fails_each_line_is_told_once_and_what_it_needs(home: Home, folder: Path) -> None:
    build(folder, "seq 1 100", "exit 9")
    done = add(home, folder)
    _, *lines, error, fix, _ = done.stderr.splitlines()
    assert done.exit_code == 3 and lines == [f"  | {n}" for n in range(1, 101)]
    assert error == "error: mybot: its build 'sh build.sh' ended with 9"
    assert fix == "  fix: it needs: a shell" and nothing_kept(home)


def test_where_nobody_listens_the_end_is_in_the_error(
    home: Home, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "arena.building")
    build(folder, "seq 1 100", "exit 9")
    home.folder()
    with closing(Ledger(home.ledger)) as ledger, pytest.raises(CannotStart) as error:
        take_in(home, ledger, folder, listed=True)
    assert str(error.value).splitlines()[1:] == [f"  | {n}" for n in range(101 - building.LINES, 101)]


def test_a_line_without_end_is_told_in_part(home: Home, folder: Path) -> None:
    build(folder, "head -c 1000000 /dev/zero | tr '\\0' x", "exit 1")
    done = add(home, folder)
    assert f"  | {'x' * building.LINE_BYTES}" in done.stderr.splitlines()
    assert done.exit_code == 3 and max(map(len, done.stderr.splitlines())) <= building.LINE_BYTES + 4


def test_what_a_build_leaves_running_is_ended_and_not_waited_for(home: Home, folder: Path) -> None:
    build(folder, "sleep 600 & echo $! > pid", "echo done")
    done = add(home, folder)
    (bot,) = kept(home)
    assert done.exit_code == 0 and "  | done" in done.stderr
    assert not is_alive(int((bot / "pid").read_text()))


def test_what_a_build_starts_in_a_session_of_its_own_is_ended_too(home: Home, folder: Path) -> None:
    build(folder, "setsid sh -c 'echo $$ > pid; exec sleep 77' &", "while [ ! -s pid ]; do sleep 0.02; done")
    assert add(home, folder).exit_code == 0
    (bot,) = kept(home)
    assert not is_alive(int((bot / "pid").read_text()))


def test_a_build_has_the_environment_of_who_adds(
    home: Home, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_COMPILER", "the best")
    build(folder, 'echo "$MY_COMPILER"')
    assert "  | the best" in add(home, folder).stderr.splitlines()


@pytest.mark.parametrize("output", ["", ">&- 2>&-"], ids=["open", "closed"])
def test_a_build_that_hangs_is_ended(
    home: Home, folder: Path, monkeypatch: pytest.MonkeyPatch, output: str
) -> None:
    monkeypatch.setattr(building, "BUILD_SECONDS", 0.3)
    build(folder, f"exec sleep 600 {output}")
    done = add(home, folder)
    assert done.exit_code == 3 and "took more than 0.3 s" in done.stderr and nothing_kept(home)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """A test runner may have told this process to ignore the signal."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # let a test fail, not the tests
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_in_a_build_leaves_nothing(
    home: Home, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    pid, note = tmp_path / "pid", output.note

    def interrupted(text: str) -> None:
        note(text)
        if text.endswith("ready"):
            signal.raise_signal(number)

    monkeypatch.setattr(output, "note", interrupted)
    build(folder, f"echo $$ > {pid}", "echo ready", "sleep 600")
    done = add(home, folder)
    assert done.exit_code == 130 and "interrupted" in done.stderr
    assert nothing_kept(home) and not is_alive(int(pid.read_text()))


def test_what_is_kept_may_not_be_written_and_keeps_who_may_run_it(home: Home, folder: Path) -> None:
    build(folder, "mkdir build && echo > build/out && chmod 777 build/out")
    assert add(home, folder).exit_code == 0
    (bot,) = kept(home)
    modes = {str(p.relative_to(bot)): stat.S_IMODE(p.stat().st_mode) for p in [bot, *bot.rglob("*")]}
    assert {mode & 0o222 for mode in modes.values()} == {0}
    assert modes["bot.py"] == 0o444 and modes["tool"] == modes["build/out"] == modes["build"] == 0o555
    assert modes["."] == 0o555


def test_a_bot_in_python_has_its_bytecode(home: Home, folder: Path) -> None:
    build(folder, "true")
    add(home, folder)
    (bot,) = kept(home)
    made = {path.name.split(".")[0] for path in bot.rglob("*.pyc")}
    assert made == {"bot", "more"}


def test_a_python_file_with_an_error_is_not_in_the_way(home: Home, folder: Path) -> None:
    (folder / "notes.py").write_text("not Python at all\n")
    build(folder, "true")
    done = add(home, folder)
    assert done.exit_code == 0 and "notes" not in done.stderr + done.stdout


def test_files_that_cannot_be_copied_are_an_error_of_the_disk(
    home: Home, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(source: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("arena.building.shutil.copy", full)
    build(folder, "true")
    done = add(home, folder)
    assert done.exit_code == 4 and "No space left" in done.stderr and "E401" in done.stderr
    assert nothing_kept(home)


def test_what_a_build_prints_is_told_at_once(
    home: Home, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = tmp_path / "go"

    def note(text: str) -> None:
        if text.endswith("ready"):
            go.touch()

    monkeypatch.setattr(output, "note", note)
    build(folder, "echo ready", f"while [ ! -e {go} ]; do sleep 0.02; done")
    assert add(home, folder).exit_code == 0
