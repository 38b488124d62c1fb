"""What this machine gives: each thing that the arena needs, found out by doing it.

A probe returns what it found, or raises `Missing` with the cure.
"""

from __future__ import annotations

import os
import platform
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Literal

from arena import attempts
from arena.errors import ArenaError
from arena.executors.local import processes
from arena.home import Home
from arena.isolation import examined
from arena.reading import opened
from arena.toolchains import PROGRAMS, missing
from referee.processes.sandbox import Sandbox

LIBRARIES = ("pyzmq", "pydantic", "msgspec", "SQLAlchemy", "trueskill")
FREE_BYTES = 1 << 30
"""Of free space, below which it is said."""


class Missing(Exception):
    """Something that a probe looked for is not there; `cure` says what to do."""

    def __init__(self, message: str, cure: str) -> None:
        super().__init__(message)
        self.cure = cure


@dataclass(frozen=True, slots=True)
class Finding:
    """What a probe found."""

    name: str
    state: Literal["ok", "warning", "failed"]
    """Only without what is `failed` the arena cannot play."""
    text: str
    cure: str = ""


def examine(home: Home) -> Iterator[Finding]:
    """Every probe, in order, as each is done."""
    probes: list[tuple[str, Callable[[], str], bool]] = [
        ("versions", versions, True),
        ("engines", engines, True),
        ("home folder", lambda: writable(home), True),
        ("free space", lambda: space(home), False),
        ("sockets", sockets, True),
        ("bot processes", keeper, True),
        ("cores", cores, True),
        ("clock", clock, True),
        ("languages", languages, False),
        ("mode default", lambda: kept_apart("default"), False),
        ("mode strict", lambda: kept_apart("strict"), False),
    ]
    for name, probe, needed in probes:
        try:
            yield Finding(name, "ok", probe())
        except Missing as missing:
            yield Finding(name, "failed" if needed else "warning", str(missing), missing.cure)
        except ArenaError as error:
            yield Finding(name, "failed", str(error), error.fix)


def versions() -> str:
    """The program, Python and the libraries that results depend on."""
    from zmq import zmq_version

    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    return f"kingmaker {version('kingmaker')}, Python {platform.python_version()}, libzmq {zmq_version()}, {libraries}"


def engines() -> str:
    """Whether the rules of the games run compiled, which searches feel and referees hardly."""
    from referee.games import why_plain

    why = why_plain()
    return f"plain Python: {why}" if why else "compiled (mypyc)"


def writable(home: Home) -> str:
    """Open the ledger, and write and remove a file."""
    folder = home.folder()
    try:
        with tempfile.NamedTemporaryFile(dir=folder) as file:
            file.write(b"x")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise Missing(
            f"cannot write to {folder}: {error.strerror}", "choose another with --home or KINGMAKER_HOME"
        ) from None
    with opened(home) as ledger:
        ledger.names()
    return f"{folder} can be written"


def space(home: Home) -> str:
    """Free space for records and logs."""
    free = shutil.disk_usage(home.folder()).free
    text = f"{free / (1 << 30):.1f} GiB free in {home.path}"
    if free < FREE_BYTES:
        raise Missing(text, "a game keeps about 2 KB; bots' logs may take more")
    return text


def sockets() -> str:
    """Send a message over an ipc socket of the kind that bots use."""
    import zmq

    with (
        tempfile.TemporaryDirectory() as folder,
        zmq.Context() as context,
        context.socket(zmq.ROUTER) as ours,
        context.socket(zmq.DEALER) as theirs,
    ):
        for socket in (ours, theirs):
            socket.setsockopt(zmq.LINGER, 0)
            socket.setsockopt(zmq.RCVTIMEO, 2000)
        try:
            ours.bind(f"ipc://{folder}/probe")
            theirs.connect(f"ipc://{folder}/probe")
            theirs.send(b"hello")
            ours.recv_multipart()
        except zmq.ZMQError as error:
            raise Missing(
                f"no message comes through an ipc socket in {folder}: {error}", "set TMPDIR"
            ) from None
    return f"a message came through an ipc socket in {tempfile.gettempdir()}"


def keeper() -> str:
    """Start a program as bots are started, with a child that would stay, end it and look for what is left."""
    from referee.processes import Command, StartError, become_subreaper, clean_environment, keep

    become_subreaper()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "bot")
        folder.mkdir(mode=0o700)
        script = "sleep 600 & echo $! > " + str(Path(name, "child")) + "; wait"
        command = Command(
            ("/bin/sh", "-c", script), folder, clean_environment(folder, {}), folder, Path(name, "log")
        )
        try:
            kept = keep(command)
        except (StartError, OSError) as error:
            raise Missing(f"cannot start a program: {error}", "see the message; ulimit -u?") from None
        child = _await_number(Path(name, "child"))
        kept.stop(1.0)
        if Path(f"/proc/{child}").exists() or folder.exists():
            raise Missing("an ended bot leaves a process or its folder behind", "is /proc mounted?")
    return "a program with a child was started, ended, and left nothing"


def _await_number(file: Path) -> int:
    until = time.monotonic() + 5
    while time.monotonic() < until:
        with suppress(OSError, ValueError):
            return int(file.read_text())
        time.sleep(0.01)
    raise Missing("a started program did not get to run within 5 s", "is the machine overloaded?")


def cores() -> str:
    """Pin this process to each core in turn, and put it back."""
    mine = os.sched_getaffinity(0)
    try:
        for core in mine:
            os.sched_setaffinity(0, {core})
    except OSError as error:
        raise Missing(f"cannot pin a process to a core: {error}", "run outside that container") from None
    finally:
        os.sched_setaffinity(0, mine)
    return f"{len(mine)} of {os.cpu_count()} usable, each can be pinned; {processes()} referee processes"


def clock() -> str:
    """The step of the clock that times moves, and what reading it twice takes."""
    step = time.get_clock_info("monotonic").resolution
    seen = min(_tick() for _ in range(1000))
    if seen > 1e-3:
        raise Missing(f"the clock moves in steps of {seen * 1e3:.1f} ms", "use another clock source")
    return f"resolution {step * 1e9:.0f} ns, two readings {seen * 1e9:.0f} ns apart"


def _tick() -> float:
    first = time.monotonic()
    while (second := time.monotonic()) == first:
        pass
    return second - first


def languages() -> str:
    """In which languages bots can be built and run."""
    absent = {language: missing(language) for language in PROGRAMS}
    there = ", ".join(language for language, lacks in absent.items() if not lacks)
    lacking = [f"{language} ({', '.join(lacks)})" for language, lacks in absent.items() if lacks]
    if lacking:
        cure = "only where you want to play such bots; `needs` in a bot.toml says what to install"
        raise Missing(f"bots can be built and run in {there}; not in {', '.join(lacking)}", cure)
    return f"bots can be built and run in {there}"


def kept_apart(mode: str) -> str:
    """Put the layers of a mode on, and have a nosy program in them try what it can."""
    found, lacks = examined(mode)
    got = succeeded(found)
    text = f"{', '.join(found.layers)}; {count_of(got)}"
    if got:
        raise Missing(f"{mode} does not hold: a program in it could {', '.join(got)}", "see SECURITY.md")
    if lacks:
        why = dict.fromkeys(f"{lack.why} ({lack.layer})" for lack in lacks)
        cure = dict.fromkeys(lack.remedy for lack in lacks)
        refused = ": refused unless they may lack" if mode == "strict" else ""
        raise Missing(f"{text}; missing{refused}: {'; '.join(why)}", "; ".join(cure))
    return text


def count_of(got: list[str]) -> str:
    """How many attempts failed, which are always the same: others may be thought of."""
    tried = len(attempts.attempts("", 0, 0, ""))
    return f"of a fixed set of {tried} attempts to get out {tried - len(got)} failed"


def succeeded(box: Sandbox) -> list[str]:
    """What a nosy program in `box` can do that it should not."""
    from referee.processes import Command, clean_environment, keep

    with (
        tempfile.TemporaryDirectory(prefix="kingmaker-") as name,
        tempfile.TemporaryDirectory(prefix="kingmaker-") as elsewhere,
        socket.create_server(("127.0.0.1", 0)) as port,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        here, abstract_name = Path(name), f"kingmaker-{os.getpid()}"
        abstract.bind(f"\0{abstract_name}")
        abstract.listen()
        own, program, secret = here / "own", here / "program", Path(elsewhere, "secret")
        own.mkdir(mode=0o700)
        program.mkdir()
        shutil.copy(attempts.__file__, program / "attempts.py")
        secret.write_text("a secret")
        words = (str(secret), str(os.getpid()), str(port.getsockname()[1]), abstract_name)
        argv = (sys.executable, "-I", "-S", "attempts.py", *words)
        command = Command(argv, program, clean_environment(own, {}), own, here / "log", sandbox=box)
        lines = keep(command).stop(20).tail.splitlines()
    if lines[-1:] != ["done"]:
        raise Missing(f"the probe in it did not end: {lines[-1:]}", "see SECURITY.md")
    return lines[:-1]
