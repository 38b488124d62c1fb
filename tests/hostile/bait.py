"""What a bot shall not reach: files, a port, sockets, shared memory, a terminal. And whether it was reached."""

from __future__ import annotations

import ctypes
import fcntl
import os
import pty
import selectors
import socket
import termios
import threading
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from tests.hostile.footprint import sweep


class Bait:
    """A context manager: while it lasts all of it is there."""

    def __init__(self, folder: Path, tag: str, key: int) -> None:
        self.tag = tag
        self.key = key
        """Of SysV memory; the two above are for bots that make some."""
        self.seed = f"{tag}-seed"
        self._folder = folder
        self._stack = ExitStack()

    def __enter__(self) -> Bait:
        ledger, program, keys = (
            self._file(name) for name in ("home/ledger", "bots/x/x.py", "operator/.ssh/id")
        )
        mark = self._mark("/tmp")
        self._mark("/dev/shm")
        self._stack.callback(sweep, self.tag, range(self.key, self.key + 3))
        ctypes.CDLL(None).shmget(self.key, 4096, 0o1666)
        port = self._serve(socket.AF_INET, ("127.0.0.1", 0))[1]
        self._serve(socket.AF_UNIX, f"\0{self.tag}-abstract")
        path = self._serve(socket.AF_UNIX, str(self._folder / "socket"))
        self._facts = {
            "ledger": ledger, "program": program, "keys": keys, "mark": mark, "port": port, "socket": path,
            "abstract": f"{self.tag}-abstract", "terminal": self._terminal(), "seed backwards": self.seed[::-1],
        }  # fmt: skip
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def facts(self, other: int, referee: int) -> dict[str, Any]:
        """All that the probe is told: the harder for a sandbox. Two processes, by their ids outside."""
        return self._facts | {"other": other, "referee": referee}

    def _file(self, name: str) -> str:
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("secret")
        return str(path)

    def _mark(self, public: str) -> str:
        path = Path(public, f"{self.tag}-mark")
        path.write_text("mark")
        return str(path)

    def _terminal(self) -> str:
        """A terminal that is this process's, as that of an operator is, where it begins a session."""
        _, theirs = pty.openpty()  # closed with this process alone: to hang up would end its session
        with suppress(OSError):
            fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
        return os.ttyname(theirs)

    def _serve(self, family: int, address: Any) -> Any:
        """Answer `done` to whoever says something there; where."""
        listener = socket.socket(family)
        listener.bind(address)
        listener.listen()
        self._stack.callback(listener.close)
        threading.Thread(target=_answer, args=(listener,), daemon=True).start()
        return listener.getsockname()


def _answer(listener: socket.socket) -> None:
    with selectors.DefaultSelector() as selector:
        selector.register(listener, selectors.EVENT_READ)
        while listener.fileno() >= 0:
            if selector.select(0.2):
                connection, _ = listener.accept()
                connection.settimeout(1)
                with connection:
                    if connection.recv(10):
                        connection.sendall(b"done")
