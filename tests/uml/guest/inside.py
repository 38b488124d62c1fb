"""What the tests in the guest look at, and what they do as somebody else."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable
from pathlib import Path

from referee.processes.cgroups import Group

ROOT = Path("/sys/fs/cgroup")
USER = 41000
SOON = 20.0
"""Seconds that the slow guest may take for what must come."""


def until(true: Callable[[], bool]) -> None:
    """Wait for it."""
    deadline = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < deadline, "it does not come true"
        time.sleep(0.01)


def has(group: Group, name: str, line: str) -> bool:
    """Whether a file of the group has that line."""
    return line in Path(group.path, name).read_text().splitlines()


def told_by(action: Callable[[], object]) -> str:
    """What `action` returns, or the error that it raises, as text; done in a process of its own."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            text = str(action())
        except BaseException as error:
            text = f"{type(error).__name__}: {error}"
        os.write(writer, text.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        text = file.read().decode()
    os.waitpid(pid, 0)
    return text


def become(user: int) -> None:
    """An ordinary user, who may still make namespaces (see user_namespaces(7): /proc/self is to be his)."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    ctypes.CDLL(None).prctl(4, ctypes.c_ulong(1))
