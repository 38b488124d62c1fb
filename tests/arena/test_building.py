"""How a bot is built and kept: its output is told, whatever goes wrong leaves nothing, nothing may be changed."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from click.testing import CliRunner, Result

from arena import building
from arena.building import listed_files
from arena.bundles import Bot, take_in
from arena.cli import main, output
from arena.errors import CannotStart
from arena.home import Home
from arena.ledger import Ledger
from arena.shipping import export
from referee.processes import Command


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


def build_in_python(folder: Path, program: str, *words: object) -> None:
    """Let its build be a program in Python."""
    (folder / "build.py").write_text(program)
    argv = [sys.executable, "-I", "-S", "build.py", *map(str, words)]
    (folder / "bot.toml").write_text(f'name = "mybot"\nrun = ["sh", "tool"]\nbuild = {json.dumps(argv)}\n')


def add(home: Home, folder: Path, *options: str) -> Result:
    words = ["--home", str(home.path), "bot", "add", str(folder), "--no-check", *options]
    return CliRunner().invoke(main, words)


def told(done: Result) -> list[str]:
    """What a build has printed."""
    return [line.removeprefix("  | ") for line in done.stderr.splitlines() if line.startswith("  | ")]


SLEEP = f"600.{os.getpid()}"
"""Seconds that a build's processes sleep: by these they are found, as a build does not know their numbers."""


def asleep() -> list[int]:
    """Processes that would sleep so long."""
    found = psutil.process_iter(["cmdline"])
    return [process.pid for process in found if (process.info["cmdline"] or [])[-2:] == ["sleep", SLEEP]]


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


@pytest.mark.parametrize("how", ["sleep", "setsid sleep", "setsid setsid nohup sleep"])
def test_what_a_build_leaves_running_is_ended_and_not_waited_for(home: Home, folder: Path, how: str) -> None:
    build(folder, f"{how} {SLEEP} &", "sleep 0.1", "echo done")
    done = add(home, folder)
    assert done.exit_code == 0 and told(done)[-1] == "done" and asleep() == []


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
    home: Home, folder: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    note, seen = output.note, []

    def interrupted(text: str) -> None:
        note(text)
        if text.endswith("ready"):
            seen.extend(asleep())
            signal.raise_signal(number)

    monkeypatch.setattr(output, "note", interrupted)
    build(folder, f"setsid sleep {SLEEP} &", "sleep 0.1", "echo ready", "wait")
    done = add(home, folder)
    assert done.exit_code == 130 and "interrupted" in done.stderr
    assert len(seen) == 1 and asleep() == [] and nothing_kept(home)


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
    home: Home, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def note(text: str) -> None:
        if text.endswith("ready"):
            (making,) = (home.path / "bots").glob(f"{building.NEW}*/build")
            (making / "go").touch()

    monkeypatch.setattr(output, "note", note)
    monkeypatch.setattr(building, "BUILD_SECONDS", 20)
    build(folder, "echo ready", "while [ ! -e go ]; do sleep 0.02; done")
    assert add(home, folder).exit_code == 0


# how a build is kept apart


SETTINGS = {
    "CC": "the best", "MY_COMPILER": "mine", "GOFLAGS": "-v", "NPM_CONFIG_TOKEN": "secret", "GO_AUTH": "secret",
    "AWS_SECRET_ACCESS_KEY": "secret", "LD_LIBRARY_PATH": "", "CARGO_REGISTRY_TOKEN": "secret",
}  # fmt: skip


def test_a_build_has_settings_of_compilers_and_no_secret(
    home: Home, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)
    build(folder, "env", 'ls -A "$HOME" | wc -l')
    *lines, files = told(add(home, folder))
    env = dict(line.partition("=")[::2] for line in lines)
    assert set(SETTINGS) & set(env) == {"CC", "GOFLAGS"} and env["CC"] == "the best"
    assert "secret" not in env.values() and env["HOME"] != str(Path.home()) and files == "0"


def test_without_a_sandbox_a_build_has_the_environment_of_who_adds(
    home: Home, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_COMPILER", "mine")
    build(folder, 'echo "$MY_COMPILER"')
    assert told(add(home, folder, "--sandbox", "none")) == ["mine"]


def test_a_build_reads_no_file_of_the_users_and_writes_only_its_own(
    home: Home, folder: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("a secret\n")
    places = [secret, home.ledger, tmp_path / "new", home.path / "bots/new", "/usr/kingmaker-new", "../new"]
    build(
        folder,
        f"cat {secret} {home.ledger}; ls {tmp_path}/mybot {home.path}/logs",
        *(f"(echo spoilt > {place}) && echo wrote {place}" for place in places),
        "echo own > new && cat new",
    )
    lines = told(add(home, folder))
    assert [line for line in lines if ": " not in line] == ["own"]
    (bot,) = kept(home)
    assert (bot / "new").read_text() == "own\n"
    assert secret.read_text() == "a secret\n" and not (tmp_path / "new").exists()


def test_a_build_sees_no_other_bot(home: Home, folder: Path) -> None:
    build(folder, "true")
    add(home, folder)
    (rival,) = kept(home)
    (folder / "more").touch()
    build(folder, f"cat {rival}/bot.py", f"ls {home.path}/bots", "ls ..", "echo done")
    lines = told(add(home, folder))
    assert [line for line in lines if not line.startswith((".new-", "cat: "))] == ["build", "scratch", "done"]


def test_a_build_may_not_make_a_huge_file(home: Home, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "BUILD_MB", 200)
    build(folder, "head -c 300000000 /dev/zero > big || exit 7")
    done = add(home, folder)
    assert done.exit_code == 3 and "ended with 7" in done.stderr and nothing_kept(home)


def test_a_build_may_not_use_all_memory(home: Home, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "BUILD_MB", 60)
    build_in_python(folder, "import time\nhog = b'x' * (100 << 20)\ntime.sleep(600)")
    done = add(home, folder)
    assert done.exit_code == 3 and "ended with -9" in done.stderr and nothing_kept(home)


def test_links_that_a_build_makes_are_kept_and_never_followed(
    home: Home, folder: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    (outside / "below").mkdir(parents=True)
    (outside / "file").write_text("x")
    (outside / "file").chmod(0o640)
    before = [(path.stat().st_mode, path.stat().st_uid) for path in (outside, *outside.rglob("*"))]
    build(folder, f"ln -s {outside} all", f"ln -s {outside}/file one", "ln -s gone none", "ln -s . here")
    assert add(home, folder).exit_code == 0
    (bot,) = kept(home)
    assert (bot / "all").readlink() == outside and (bot / "none").is_symlink() and (bot / "here").is_symlink()
    assert [(path.stat().st_mode, path.stat().st_uid) for path in (outside, *outside.rglob("*"))] == before


def test_what_a_build_makes_is_ours_and_gives_nobody_rights(home: Home, folder: Path) -> None:
    build(folder, "mkdir -p a/b", "cp /bin/sh a/b/tool", "chmod 6777 a/b/tool", "chmod 2777 a", "ln -s b a/c")
    assert add(home, folder).exit_code == 0
    (bot,) = kept(home)
    found = [path.lstat() for path in (bot, *bot.rglob("*"))]
    assert {entry.st_uid for entry in found} == {os.getuid()}
    assert not any(entry.st_mode & (stat.S_ISUID | stat.S_ISGID) for entry in found)


CALLS = """
import socket, sys
for port in sys.argv[1:]:
    try:
        socket.create_connection(("127.0.0.1", int(port)), 5)
        print(0)
    except OSError as error:
        print(error.errno)
"""


@pytest.mark.parametrize("mode", ["default", "strict"])
def test_a_build_reaches_ports_of_registries_and_in_strict_none(
    home: Home, folder: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as proxy, socket.create_server(("127.0.0.1", 0)) as other:
        ports = [server.getsockname()[1] for server in (proxy, other)]
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{ports[0]}")
        build_in_python(folder, CALLS, *ports)
        numbers = list(map(int, told(add(home, folder, "--sandbox", mode, "--allow-missing", "memory,pids"))))
    assert [number == 0 for number in numbers] == [mode == "default", False]


# what a build may leave, in every place that is looked at after it


Leave = Callable[[Path, Path, Path], object]
"""Puts something in a place; is told the bot's folder and another one, too."""


def link(to: str) -> Leave:
    return lambda place, bot, outside: place.symlink_to(to.format(outside=outside))


def socket_file(place: Path, bot: Path, outside: Path) -> None:
    with contextlib.chdir(place.parent), socket.socket(socket.AF_UNIX) as server:
        server.bind(place.name)


def hole(place: Path, bot: Path, outside: Path) -> None:
    with place.open("wb") as file:
        file.truncate(1 << 42)


LEAVINGS: dict[str, Leave] = {
    "link up": link("../../../../outside/file"),
    "absolute link": link("{outside}/file"),
    "link to a folder": link("{outside}"),
    "dangling link": link("{outside}/new"),
    "link to a device": link("/dev/zero"),
    "link to itself": lambda place, bot, outside: place.symlink_to(place.name),
    "pipe": lambda place, bot, outside: os.mkfifo(place),
    "socket": socket_file,
    "folder": lambda place, bot, outside: place.mkdir(),
    "hard link to its own": lambda place, bot, outside: place.hardlink_to(bot / "tool"),
    "hard link elsewhere": lambda place, bot, outside: place.hardlink_to(outside / "file"),
    "hole": hole,
    "nothing": lambda place, bot, outside: None,
}
NEVER = {"pipe", "socket", "hard link elsewhere"}
GIVEN = ("bot.py", "lib/more.py", "lib")
OTHERS = (".files", "new", "__pycache__")


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """What no build may change, with files of the bot's own contents, so that one that is followed is taken."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("import lib.more\n")
    (outside / "more.py").write_text("x = 1\n")
    (outside / "file").chmod(0o640)
    return outside


def state(folder: Path) -> dict[Path, tuple[int, int, str]]:
    infos = {path: path.lstat() for path in (folder, *folder.rglob("*"))}
    return {p: (i.st_mode, i.st_uid, p.read_text() if p.is_file() else "") for p, i in infos.items()}


def let_build(monkeypatch: pytest.MonkeyPatch, does: Callable[[Path], object]) -> None:
    """Have this done in place of a build, by this process."""

    def keep(command: Command) -> SimpleNamespace:
        if command.argv[0] == "sh":
            does(command.cwd)
        ended = SimpleNamespace(code=0, signal=None)
        return SimpleNamespace(poll=lambda: ended, stop=lambda grace: ended)

    monkeypatch.setattr(building, "keep", keep)


def taken(home: Home, folder: Path) -> Bot:
    home.folder()
    with closing(Ledger(home.ledger)) as ledger:
        return take_in(home, ledger, folder, listed=True)


@pytest.mark.parametrize("place", GIVEN + OTHERS)
@pytest.mark.parametrize("kind", LEAVINGS)
def test_what_a_build_leaves_leads_nowhere(
    home: Home,
    folder: Path,
    outside: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    place: str,
) -> None:
    def leave(bot: Path) -> None:
        if (bot / place).exists():
            (bot / place).rename(tmp_path / "moved")
        LEAVINGS[kind](bot / place, bot, outside)

    build(folder, "true")
    before = state(outside)
    let_build(monkeypatch, leave)
    if kind in NEVER or place in GIVEN or (place == ".files" and kind != "nothing"):
        with pytest.raises(CannotStart, match=f"its build has (changed|left) {re.escape(place)}"):
            taken(home, folder)
        assert nothing_kept(home)
    else:
        export(taken(home, folder), tmp_path / "bot.tar.gz")
        assert (tmp_path / "bot.tar.gz").stat().st_size < 1000
    assert state(outside) == before


@pytest.mark.parametrize("change", ["chmod +x bot.py", "echo >> lib/more.py", "touch bot.py", "echo > more"])
def test_a_build_adds_files_and_changes_none(
    home: Home, folder: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(folder, "true")
    let_build(monkeypatch, lambda bot: subprocess.run(change, shell=True, cwd=bot, check=True))
    if change in ("touch bot.py", "echo > more"):
        assert "more" not in listed_files(taken(home, folder).folder)
    else:
        with pytest.raises(CannotStart, match=f"has changed {change.split()[-1]}, which was handed in"):
            taken(home, folder)


def nest(folder: Path, depth: int) -> None:
    """Folders in each other, deeper than a path can say."""
    with contextlib.chdir(folder):
        for _ in range(depth):
            Path("a").mkdir()
            os.chdir("a")


def test_folders_nested_without_end_are_refused_and_removed(home: Home, folder: Path) -> None:
    program = "import os\nfor _ in range(3000):\n    os.mkdir('a')\n    os.chdir('a')\n"
    build_in_python(folder, program)
    done = add(home, folder)
    assert done.exit_code == 3 and nothing_kept(home)  # ended by a look at it, or refused at its end
    assert re.search("nested (folders )?too deep", done.stderr)


def test_a_nest_that_a_killed_build_has_left_is_in_nobodys_way(home: Home, folder: Path) -> None:
    left = home.folder("bots", f"{building.NEW}left")
    nest(left, 3000)
    os.utime(left, (0, 0))
    build(folder, "true")
    assert add(home, folder).exit_code == 0
    assert len(kept(home)) == 1 and not left.exists()


def test_a_build_that_nests_while_it_writes_is_ended(
    home: Home, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "LOOK_SECONDS", 0.005)
    program = (
        "import os, time\nfor _ in range(40):\n    os.mkdir('a' * 250)\n    os.chdir('a' * 250)\n"
        "time.sleep(600)\n"
    )
    build_in_python(folder, program)
    done = add(home, folder)
    assert done.exit_code == 3 and "nested folders too deep" in done.stderr and nothing_kept(home)


def test_a_build_may_not_write_another_list_or_change_a_ledger(home: Home, folder: Path) -> None:
    (folder / "other").touch()
    build(folder, "true")
    assert add(home, folder).exit_code == 0
    ledger = (home.path / "ledger.sqlite").read_bytes()
    build(folder, "ln -s ../../../ledger.sqlite .files")
    done = add(home, folder)
    assert done.exit_code == 3 and ".files, a name that the arena needs" in done.stderr
    assert (home.path / "ledger.sqlite").read_bytes() == ledger and len(kept(home)) == 1


def test_folders_that_a_build_has_closed_are_opened_and_sealed(home: Home, folder: Path) -> None:
    build(folder, "mkdir -p a/b", "touch a/b/file", "chmod 0 a/b a")
    assert add(home, folder).exit_code == 0
    (bot,) = kept(home)
    modes = [stat.S_IMODE((bot / name).stat().st_mode) for name in ("a", "a/b", "a/b/file")]
    assert modes == [0o555, 0o555, 0o444]
