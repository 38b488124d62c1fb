"""What a bot in a sandbox sees, may do and may use up; and how its end is told. Attempts to get out: `test_attempts`."""

from __future__ import annotations

import json
import os
import platform
import signal
import socket
import stat
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from referee.processes import Command, Kept, Sandbox, SandboxError, StartError, keep

from .caged import ARGUMENTS, FILTERS, WHOLE, as_ordinary_user, run
from .watching import SOON, until, wait_for_log

Start = Callable[..., Kept]
boxes = pytest.mark.parametrize("box", [WHOLE, FILTERS], ids=["whole", "filters"])


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A bot's."""
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "data").write_text("of the bot\n")
    (folder / "text").write_text("no program\n")
    (folder / "text").chmod(0o755)
    return folder


@pytest.fixture
def caged(start: Start, files: Path) -> Start:
    """Start a bot, a shell script, in a sandbox that has all layers unless told otherwise."""

    def begin(script: str, *argv: str, box: Sandbox = WHOLE, **others: object) -> Kept:
        return start(*(argv or ("sh", "-c")), script, cwd=files, sandbox=box, **others)

    return begin


@pytest.fixture
def python(caged: Start) -> Start:
    """Start a bot, a program in Python, in a sandbox."""
    return lambda program, **others: caged(program, sys.executable, "-I", "-S", "-c", **others)


# what it sees


@boxes
def test_its_own_files_are_read_only(caged: Start, files: Path, box: Sandbox) -> None:
    script = "cat data; (echo x > data) || echo kept; (echo x > new) || echo none; (rm data) || echo there"
    said = caged(script, box=box).stop(SOON).tail
    assert [line for line in said.splitlines() if " cannot " not in line] == [
        "of the bot",
        "kept",
        "none",
        "there",
    ]
    assert sorted(path.name for path in files.iterdir()) == ["data", "text"]


@boxes
def test_scratch_can_be_written_and_is_gone_with_it(caged: Start, box: Sandbox) -> None:
    bot = caged('echo x > "$TMPDIR/file" && cat "$TMPDIR/file" && echo "$HOME"', box=box)
    assert bot.stop(SOON).tail.splitlines() == ["x", str(bot.command.folder)]
    assert not bot.command.folder.exists()


def test_temporary_files_are_its_own(caged: Start, tmp_path: Path) -> None:
    name = f"kingmaker-{os.getpid()}-{tmp_path.name}"
    outside = Path("/tmp", name)
    outside.write_text("of somebody else")
    try:
        ended = caged(
            f"cat /tmp/{name} || echo mine > /tmp/{name} && cat /tmp/{name} && echo > /dev/shm/{name}"
        ).stop(SOON)
        assert ended.code == 0 and ended.tail.endswith("\nmine\n")
        assert outside.read_text() == "of somebody else" and not Path("/dev/shm", name).exists()
    finally:
        outside.unlink()


def test_it_sees_no_process_but_its_own(python: Start) -> None:
    ended = python(
        "import os, socket\n"
        "print(os.getpid(), [int(name) for name in os.listdir('/proc') if name.isdigit()], socket.gethostname())\n"
        "for name in ('environ', 'mem', 'cwd', 'fd'):\n"
        "    try: (os.readlink if name == 'cwd' else os.listdir if name == 'fd' else open)(f'/proc/1/{name}')\n"
        "    except PermissionError: print('no', name)\n"
    ).stop(SOON)
    assert ended.tail.splitlines() == ["2 [1, 2] bot", "no environ", "no mem", "no cwd", "no fd"]


def test_it_has_no_rights_and_no_known_user(python: Start) -> None:
    status = python("print(open('/proc/self/status').read())").stop(SOON).tail.replace("\\t", "\t")
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert [fields[name].strip("0") for name in ("CapInh", "CapPrm", "CapEff", "CapAmb")] == [""] * 4
    assert (fields["NoNewPrivs"], fields["Seccomp"]) == ("1", "2")
    if os.getuid() == 0:
        assert min(map(int, fields["Uid"].split() + fields["Gid"].split())) >= 1_000_000
        assert set(fields["Groups"].split()) <= set(fields["Gid"].split())


def test_no_account_of_the_machine_is_shown(caged: Start) -> None:
    assert caged("cut -d: -f1 /etc/passwd; ls -d /home /root /var /etc/shadow").stop(SOON).tail.splitlines()[
        :2
    ] == ["root", "bot"]


# what it may use up


@boxes
def test_a_file_has_a_bounded_size(python: Start, box: Sandbox) -> None:
    ended = python(
        "import os\nwith open(os.environ['TMPDIR'] + '/file', 'wb', 0) as file:\n"
        "    try:\n        while True: file.write(bytes(1 << 18))\n"
        "    except OSError as error: print(file.tell() >> 20, error.errno)",
        box=replace(box, scratch_mb=2),
    ).stop(SOON)
    assert ended.tail in ("2 27\n", "2 28\n")  # EFBIG, ENOSPC


@pytest.mark.parametrize(("size", "most"), [(1 << 18, 8), (0, 520)])
def test_all_files_together_have_a_bounded_size_and_number(python: Start, size: int, most: int) -> None:
    ended = python(
        "import os\nfor name in range(10**4):\n"
        f"    try: open(f'/tmp/{{name}}', 'wb', 0).write(bytes({size}))\n"
        "    except OSError as error: print(error.errno, name); break",
        box=replace(WHOLE, scratch_mb=2),
    ).stop(SOON)
    number, made = map(int, ended.tail.split())
    assert number == 28 and 5 <= made <= most  # ENOSPC


FORK = "import os, signal\nn = 0\ntry:\n    while n < 200:\n        if os.fork() == 0: signal.pause()\n        n += 1\nexcept BlockingIOError: pass\nprint(n)"


@pytest.mark.parametrize("lacking", ["", "rlimits"])
def test_a_fork_bomb_is_bounded_where_there_are_limits(python: Start, lacking: str) -> None:
    layers = tuple(layer for layer in WHOLE.layers if layer != lacking)
    bot = python(FORK, box=replace(WHOLE, layers=layers, pids=16))
    made = int(bot.stop(SOON).tail)
    assert made == 200 if lacking else 10 < made <= 16
    assert not psutil.pid_exists(bot.pid)


@boxes
def test_memory_of_all_its_processes_is_watched(python: Start, box: Sandbox) -> None:
    hogs = "import os, signal\nos.fork(); os.fork()\nhog = b'x' * (40 << 20)\nsignal.pause()"
    ended = python(hogs, box=replace(box, memory_mb=120)).stop(SOON)
    assert (ended.resource, ended.killed, ended.signal) == ("memory", True, signal.SIGKILL)


def test_memory_is_not_watched_without_the_layer(python: Start) -> None:
    box = replace(WHOLE, layers=WHOLE.layers[:-1], memory_mb=20)
    ended = python("import time\nhog = b'x' * (40 << 20)\ntime.sleep(0.2)", box=box).stop(SOON)
    assert (ended.resource, ended.code) == ("", 0)


@pytest.mark.skipif(
    platform.machine() != "x86_64", reason="the calls of another architecture are those of x86"
)
@boxes
def test_a_call_of_another_architecture_is_a_violation(python: Start, box: Sandbox) -> None:
    x32 = "import ctypes\nctypes.CDLL(None).syscall(ctypes.c_long(0x40000027))"
    ended = python(x32, box=box).stop(SOON)
    assert ended.violation and str(ended) == "signal 31 (SIGSYS)"
    without = replace(box, layers=tuple(layer for layer in box.layers if layer != "seccomp"))
    assert not python(x32, box=without).stop(SOON).violation


# its life and its end


def test_its_daemons_go_with_it(caged: Start) -> None:
    bot = caged("setsid setsid sleep 1000 & setsid sleep 1000 & echo started; wait")
    wait_for_log(bot, "started")
    until(lambda: len(bot.pids()) == 4)
    pids = bot.pids()
    assert bot.stop(0).killed
    assert not any(map(psutil.pid_exists, pids))


def test_daemons_do_not_hold_up_who_leaves(caged: Start) -> None:
    bot = caged("setsid sleep 1000 & exit 3")
    assert bot.stop(SOON).code == 3


@boxes
def test_it_is_frozen_and_thawed_with_its_children(python: Start, box: Sandbox) -> None:
    bot = python("import os\nos.fork()\nwhile True: os.getppid()", box=box)
    until(lambda: (bot.cpu_seconds() or 0) > 0.1)
    bot.freeze()
    below = [psutil.Process(pid) for pid in bot.pids()]
    until(lambda: {process.status() for process in below} == {psutil.STATUS_STOPPED})
    before = bot.cpu_seconds()
    assert bot.cpu_seconds() == before
    bot.thaw()
    until(lambda: (bot.cpu_seconds() or 0) > (before or 0) + 0.05)


@boxes
@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("no-such-program", "No such file or directory"),
        ("./data", "Permission denied"),
        ("./text", "Exec format error"),
    ],
)
def test_start_error_is_told_as_without(
    command: Callable[..., Command], files: Path, box: Sandbox, program: str, reason: str
) -> None:
    asked = command(program, cwd=files, sandbox=box)
    with pytest.raises(StartError) as error:
        keep(asked)
    assert str(error.value) == f"cannot start {program!r}: {reason}"
    assert not asked.folder.exists()


def test_a_layer_that_cannot_be_put_on_is_named(command: Callable[..., Command], files: Path) -> None:
    asked = command("true", cwd=files, sandbox=replace(WHOLE, cgroup="/no/such/group"))
    with pytest.raises(SandboxError, match="the layer cgroup of the sandbox cannot be put on") as error:
        keep(asked)
    assert error.value.layer == "cgroup" and not asked.folder.exists()


# what it reaches


CALL = "import socket, sys\ntry: socket.create_connection(('127.0.0.1', {port}), 5).sendall(b'hello')\nexcept OSError as error: print(error.errno)"


def test_the_port_of_a_loopback_of_its_own_is_the_arenas(python: Start) -> None:
    bot = python(CALL.format(port=4242), port=4242)
    with bot.listener as listener:
        listener.settimeout(SOON)
        connection, _ = listener.accept()
        with connection:
            connection.settimeout(SOON)
            assert connection.recv(5) == b"hello"
    with socket.socket() as other:
        assert other.connect_ex(("127.0.0.1", 4242)) != 0


def test_without_namespaces_it_reaches_one_port_of_the_machine(python: Start) -> None:
    with socket.create_server(("127.0.0.1", 0)) as arena, socket.create_server(("127.0.0.1", 0)) as other:
        port, another = arena.getsockname()[1], other.getsockname()[1]
        assert python(CALL.format(port=port), box=FILTERS, port=port).stop(SOON).tail == ""
        with arena.accept()[0] as connection:
            assert connection.recv(5) == b"hello"
        refused = python(CALL.format(port=another), box=FILTERS, port=port).stop(SOON).tail
        assert refused == "13\n"  # EACCES


@boxes
def test_a_writable_folder_keeps_what_is_written(caged: Start, tmp_path: Path, box: Sandbox) -> None:
    shared, beside = tmp_path / "shared", tmp_path / "beside"
    shared.mkdir()
    beside.mkdir()
    ended = caged(f"echo x > {shared}/new; echo x > {beside}/new", box=box, writable=(shared,)).stop(SOON)
    assert (shared / "new").read_text() == "x\n" and not list(beside.iterdir())
    assert ended.code != 0


def test_a_program_in_a_writable_folder_gains_no_rights(caged: Start, tmp_path: Path) -> None:
    """A file with the set-user-id bit would give root's rights to whoever starts it later."""
    shared = tmp_path / "shared"
    shared.mkdir()
    caged(f"cp /bin/true {shared}/tool && chmod 4755 {shared}/tool", writable=(shared,)).stop(SOON)
    owner = (shared / "tool").stat()
    assert not (owner.st_mode & stat.S_ISUID and owner.st_uid == 0)


# where there are no namespaces, and no root


ALONE = """
import json, os, tempfile
from pathlib import Path
from referee.processes import Command, Sandbox, become_subreaper, clean_environment, keep
become_subreaper()
layers = tuple(sys.argv[1].split(","))
with tempfile.TemporaryDirectory() as name, tempfile.TemporaryDirectory() as other:
    own, files, secret = Path(name, "own"), Path(name, "files"), Path(other, "secret")
    os.chmod(name, 0o755)
    files.mkdir()
    (files / "data").write_text("data\\n")
    secret.write_text("secret\\n")
    script = f"files={files} other={other}; {sys.argv[2]}"
    program = f"import subprocess; subprocess.run(['sh', '-c', {script!r}])"
    for argv in (("sh", "-c", script), (sys.executable, "-I", "-S", "-c", program)):
        own.mkdir()
        box = Sandbox("default", layers, readable=(sys.prefix,))
        ended = keep(Command(argv, files, clean_environment(own, {}), own, Path(name, "log"), sandbox=box)).stop(20)
        print(json.dumps([line for line in ended.tail.splitlines() if ": " not in line]))
"""


@boxes
@pytest.mark.parametrize(
    ("script", "lines"),
    [
        ('echo x > "$TMPDIR/a"; cat data "$files/data" "$TMPDIR/a"', ["data", "data", "x"]),
        ('cat "$other/secret"; ls "$other"; cat "$other"/*', []),
        ('for file in "$files/new" "$other/new" "$other/secret"; do (echo x > "$file") && echo written; done', []),
        ('chmod 777 "$other/secret" || chmod 777 "$other" || touch -d 2000-01-01 "$other/secret" || echo kept', ["kept"]),
    ],
    ids=["reads and writes", "reads", "writes", "changes"],
)  # fmt: skip
def test_programs_of_an_ordinary_user_do_only_what_they_may(
    box: Sandbox, script: str, lines: list[str]
) -> None:
    told = as_ordinary_user(ALONE, ",".join(box.layers), script).splitlines()
    assert list(map(json.loads, told)) == [lines] * 2


def test_nobody_looks_into_the_first_process_where_no_filter_forbids_it() -> None:
    told = as_ordinary_user(ALONE, "namespaces", "cat /proc/1/environ && echo seen || echo hidden")
    assert list(map(json.loads, told.splitlines())) == [["hidden"]] * 2


@pytest.mark.skipif(os.getuid() != 0, reason="the tests are not root")
def test_a_bot_of_root_is_in_none_of_roots_groups() -> None:
    words = ["setpriv", "--groups=41008", sys.executable, *ARGUMENTS]
    told = run(words, ALONE, ",".join(WHOLE.layers), "id -G | tr ' ' '\\n' | grep -c -e 41008 -e '^0$'")
    assert list(map(json.loads, told.splitlines())) == [["0"]] * 2
