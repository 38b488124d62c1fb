"""What there is of a run at one moment. What is left of a bot is the difference of two."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil

PUBLIC = ("/tmp", "/var/tmp", "/dev/shm")
PATIENCE = 5.0
"""Seconds in which a bot that was let go of may leave."""


def footprint(root: int, worker: int, folder: Path, tag: str) -> set[str]:
    """Processes below `root`, descriptors and threads of `worker`, what lies in `folder` or bears the `tag`."""
    found = {f"process {pid} {name}" for pid, name in _below(root)}
    found |= {f"descriptor {path.name}" for path in Path(f"/proc/{worker}/fd").iterdir()}
    found |= {f"thread {path.name}" for path in Path(f"/proc/{worker}/task").iterdir()}
    found |= {f"file {path}/{name}" for path, folders, files in os.walk(folder) for name in folders + files}
    found |= {f"file {path}" for public in PUBLIC for path in Path(public).glob(f"{tag}-*")}
    for kind in ("shm", "sem", "msg"):
        lines = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:]
        found |= {f"{kind} {line.split()[0]}" for line in lines}
    sockets = Path("/proc/net/unix").read_text().splitlines()
    return found | {f"socket {line.split()[-1]}" for line in sockets if tag in line or str(folder) in line}


def _below(root: int) -> Iterator[tuple[int, str]]:
    for process in psutil.Process(root).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            yield process.pid, process.name()


def left(before: set[str], look: Callable[[], set[str]]) -> set[str]:
    """What is there that was not `before`, and does not go within some seconds."""
    deadline = time.monotonic() + PATIENCE
    while (more := look() - before) and time.monotonic() < deadline:
        time.sleep(0.02)
    return more


def sweep(tag: str, keys: range, keep: str = "no file") -> None:
    """Remove the public files of a `tag`, but those that end in `keep`, and the SysV memory of `keys`."""
    for path in (path for public in PUBLIC for path in Path(public).glob(f"{tag}-*")):
        if not path.name.endswith(keep):
            path.unlink()
    libc = ctypes.CDLL(None)
    for key in keys:
        if (found := libc.shmget(key, 0, 0)) >= 0:
            libc.shmctl(found, 0, None)


def peak(pid: int) -> int:
    """The most memory that a process has held since `settle`, in KiB."""
    return _status(pid, "VmHWM")


def settle(pid: int) -> int:
    """Begin anew to note the peak; what the process holds now, in KiB."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")
    return _status(pid, "VmRSS")


def _status(pid: int, name: str) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith(name + ":")).split()[1])


def starved(pid: int) -> float:
    """Seconds for which a process was ready to run and did not; 0 where the kernel does not count them."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    except OSError:
        return 0.0
