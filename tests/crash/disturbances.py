"""What strikes a process: a signal or an error at the k-th of something. Each is told of the process twice."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Protocol

import sqlalchemy as sa

PTRACER, ANYBODY = 0x59616D61, -1
"""prctl(2): who may trace this process, where the kernel asks (Yama)."""


class Disturbance(Protocol):
    """Strikes once."""

    struck: bool
    """Whether it did, told by the status of a process that was killed otherwise."""

    def inside(self) -> None:
        """In the process, before it works."""

    def upon(self, process: int) -> AbstractContextManager[None]:
        """Beside the process, while it works."""


@dataclass(slots=True)
class Injected:
    """At the k-th system call of a kind, by strace; with `onward` at all that follow, too."""

    call: str
    how: str
    """`signal=SIGKILL`, `error=EIO`."""
    k: int
    onward: bool = False
    struck: bool = False

    def inside(self) -> None:
        """Let a process be traced that is no child of the tracer."""
        ctypes.CDLL(None).prctl(PTRACER, ANYBODY, 0, 0, 0)

    @contextmanager
    def upon(self, process: int) -> Iterator[None]:
        """Raises RuntimeError where strace cannot trace it."""
        inject = f"inject={self.call}:{self.how}:when={self.k}{'+' if self.onward else ''}"
        with NamedTemporaryFile("r") as trace:
            options = ["-qq", "-o", trace.name, "-e", f"trace={self.call}", "-e", inject, "-p", str(process)]
            with subprocess.Popen(["strace", *options]) as tracer:
                while "TracerPid:\t0\n" in Path(f"/proc/{process}/status").read_text():
                    if tracer.poll() is not None:
                        raise RuntimeError("strace cannot trace a process here")
                    time.sleep(0.001)
                yield
            self.struck = "(INJECTED)" in trace.read()

    def __str__(self) -> str:
        return f"{self.how} at {self.call} {self.k}{' and after' if self.onward else ''}"


@dataclass(slots=True)
class FailPoint:
    """SIGKILL before the k-th change or commit, or after a transaction: without any tool."""

    k: int
    struck: bool = False

    def inside(self) -> None:
        """Count from here on."""
        numbers = count(1)

        def reached(*_: object) -> None:
            if next(numbers) == self.k:
                os.kill(os.getpid(), signal.SIGKILL)

        def executes(_: object, __: object, statement: str, *___: object) -> None:
            if statement.startswith(("INSERT", "UPDATE", "DELETE")):
                reached()

        sa.event.listen(sa.Engine, "before_cursor_execute", executes)
        sa.event.listen(sa.Engine, "commit", reached)
        sa.event.listen(sa.pool.Pool, "checkin", reached)

    @contextmanager
    def upon(self, process: int) -> Iterator[None]:
        """Nothing is to be done."""
        yield

    def __str__(self) -> str:
        return f"SIGKILL at fail point {self.k}"
