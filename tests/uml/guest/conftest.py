"""Groups, and programs in them."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.processes.cgroups import Group, delegated

from .inside import ROOT, USER, has, until

Start = Callable[[Group, str], subprocess.Popen[bytes]]


@pytest.fixture(scope="session")
def parent() -> str:
    return delegated()


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a Python program in a group, which the test removes."""
    started = []

    def begin(group: Group, program: str) -> subprocess.Popen[bytes]:
        argv = [sys.executable, "-I", "-S", "-c", program]
        started.append(subprocess.Popen(argv, preexec_fn=lambda: group.add(0)))
        return started[-1]

    yield begin
    for process in started:
        process.wait(10)


@pytest.fixture
def group(start: Start, parent: str) -> Iterator[Group]:
    made = Group.make(parent, "test", memory_mb=64, pids=32)
    yield made
    assert made.remove()
    assert not Path(made.path).exists()


@pytest.fixture
def scope() -> Iterator[Path]:
    """A folder that was delegated to a user, as systemd does it for a scope."""
    (ROOT / "cgroup.subtree_control").write_text("+memory +pids")
    folder = ROOT / "scope"
    folder.mkdir()
    for path in (folder, folder / "cgroup.procs", folder / "cgroup.subtree_control"):
        os.chown(path, USER, USER)
    yield folder
    until(lambda: has(Group(str(folder)), "cgroup.events", "populated 0"))
    for below in sorted(folder.glob("**"), reverse=True):
        below.rmdir()
