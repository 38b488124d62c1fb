"""What a nosy program tries. `arena doctor` runs this file in the sandbox, and wants to hear "no" to all of it.

By itself, with the standard library alone: `python -I -S attempts.py SECRET PID PORT NAME`. SECRET: a file of the
user's; PID: a process of the user's; PORT, NAME: where it listens, by TCP and by an abstract socket. Prints what
succeeded, a line each. To fail is an OSError; whatever else happens is an accident, and is shown as one.
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import socket
import sys
from collections.abc import Callable

_libc = ctypes.CDLL(None, use_errno=True)
_ARM = platform.machine() == "aarch64"
PTRACE, UNSHARE, KEYCTL, SHMGET, BPF = (117, 97, 219, 194, 280) if _ARM else (101, 272, 250, 29, 321)
IO_URING_SETUP = 425
PTRACE_SEIZE, NEW_USER, JOIN_SESSION_KEYRING = 0x4206, 0x10000000, 1


def attempts(secret: str, pid: int, port: int, name: str) -> dict[str, Callable[[], object]]:
    """Each by what a reader is told that a bot can do."""
    return {
        "read a file of the user's": lambda: open(secret).read(),  # noqa: PTH123
        "list the folder that it is in": lambda: os.listdir(os.path.dirname(secret)),  # noqa: PTH208, PTH120
        "learn that it exists": lambda: os.stat(secret),  # noqa: PTH116
        "write beside it": lambda: open(secret + ".new", "w"),  # noqa: PTH123
        "write among the system's programs": lambda: open("/usr/bin/kingmaker-probe", "w"),  # noqa: PTH123
        "look into another process": lambda: open(f"/proc/{pid}/environ").read(),  # noqa: PTH123
        "signal another process": lambda: os.kill(pid, 0),
        "limit another process": lambda: resource.prlimit(pid, resource.RLIMIT_CORE),
        "trace another process": lambda: _call(PTRACE, PTRACE_SEIZE, pid, 0, 0),
        "connect to a port of this machine": lambda: _connect(socket.AF_INET, ("127.0.0.1", port)),
        "send to the network": lambda: _connect(socket.AF_INET, ("192.0.2.1", 9), socket.SOCK_DGRAM),
        "connect to an abstract socket": lambda: _connect(socket.AF_UNIX, f"\0{name}"),
        "become root in a namespace": lambda: _call(UNSHARE, NEW_USER),
        "join a keyring": lambda: _call(KEYCTL, JOIN_SESSION_KEYRING, 0),
        "share memory by System V": lambda: _call(SHMGET, 0x6B6D, 4096, 0o1777),
        "set up io_uring": lambda: _call(IO_URING_SETUP, 1, ctypes.create_string_buffer(120)),
        "load a program into the kernel": lambda: _call(BPF, 0, ctypes.create_string_buffer(120), 72),
        "open the terminal": lambda: open("/dev/tty"),  # noqa: PTH123
        "gain rights by a setuid program": _gain_rights,
    }


def _call(number: int, *arguments: object) -> None:
    if _libc.syscall(ctypes.c_long(number), *arguments) < 0:
        raise OSError(ctypes.get_errno(), "refused")


def _connect(family: int, address: object, kind: int = socket.SOCK_STREAM) -> None:
    with socket.socket(family, kind) as connection:
        connection.settimeout(1)
        connection.connect(address)  # type: ignore[arg-type]


def _gain_rights() -> None:
    with open("/proc/self/status") as file:  # noqa: PTH123
        if "NoNewPrivs:\t1" in file.read():
            raise PermissionError("new privileges are forbidden")


def main(secret: str, pid: int, port: int, name: str) -> None:
    """Try each, and print what succeeded."""
    for what, attempt in attempts(secret, pid, port, name).items():
        try:
            attempt()
        except OSError:
            continue
        print(what, flush=True)
    print("done")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
