"""A warm process from which keepers are forked: a fresh interpreter for each would cost a start its tenfold.

A process that keeps bots has one, started when it first keeps one. It has one thread and knows no bot: keepers
answer to whoever ordered them. When that process dies, or lets go of it, it waits for its keepers to leave,
removes the folders that it was told of, and leaves.

    worker --- a message with descriptors ---> spawner --- fork ---> keeper
           <-- order, replies: a socket of their own ----------------->
"""

from __future__ import annotations

import atexit
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress

from referee.processes.keeper import serve
from referee.processes.leavings import remove_folder

KEEP, SWEEP = b"k", b"s"
DESCRIPTORS = 5
"""At most, with one message: the control socket of a keeper, and the four of `kept.Pipes`."""
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))  # noqa: PTH100, PTH120
RUN = "import sys; sys.path.insert(0, sys.argv[1]); from referee.processes.spawner import main; main()"


class Spawner:
    """The other end of a spawner's process. From any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: socket.socket | None = None

    def keep(self, descriptors: list[int]) -> None:
        """Have a keeper forked that answers at the first of `descriptors`. OSError where that can't be."""
        self._send(KEEP, descriptors)

    def sweep(self, folder: bytes) -> None:
        """Have a folder (absolute), and its parent where that is empty, removed after our own end."""
        self._send(SWEEP + folder, [])

    def _send(self, message: bytes, descriptors: list[int]) -> None:
        with self._lock:
            for last in (False, True):
                try:
                    socket.send_fds(self._running(), [message], descriptors)
                    return
                except (BrokenPipeError, ConnectionResetError):  # somebody has killed it
                    self._let_go()
                    if last:
                        raise

    def _running(self) -> socket.socket:
        if self._socket is None:
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                # Nothing in its environment, which would be found in every keeper; a group that Ctrl-C spares.
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-S", "-c", RUN, ROOT],
                    stdin=theirs.fileno(), stdout=subprocess.DEVNULL, process_group=0, env={}, cwd="/",
                )  # fmt: skip
            self._socket = ours
            atexit.register(self._let_go)
        return self._socket

    def _let_go(self) -> None:
        """Let it leave, and wait for that: it waits for its keepers."""
        process, self._process = self._process, None
        if self._socket is not None:
            self._socket.close()
            self._socket = None
            atexit.unregister(self._let_go)
        if process is not None:
            with suppress(subprocess.TimeoutExpired):  # its keepers may wait for the end of this process
                process.wait(1)


spawner = Spawner()
"""This process's own."""


def main() -> None:
    """Serve the process at the other end of standard input, until it is gone."""
    asking = socket.socket(fileno=0)
    wake = _wake_on_children()
    poller = select.poll()
    poller.register(asking, select.POLLIN)
    poller.register(wake, select.POLLIN)
    sweep: list[bytes] = []
    while True:
        ready = dict(poller.poll())
        if wake in ready:
            os.read(wake, 4096)
            _reap()
        if asking.fileno() in ready and not _serve(asking, sweep):
            break
    asking.close()
    with suppress(ChildProcessError):
        while os.waitpid(-1, 0):
            pass
    for folder in sweep:
        remove_folder(folder)


def _wake_on_children() -> int:
    """The end of a pipe that is readable once a keeper has left."""
    wake, waker = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    return wake


def _reap() -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _serve(asking: socket.socket, sweep: list[bytes]) -> bool:
    """One message; False where there will be no more."""
    try:
        message, descriptors, _, _ = socket.recv_fds(asking, 4096, DESCRIPTORS)
    except OSError:
        return False
    if message.startswith(SWEEP):
        sweep.append(message[1:])
    elif message:
        _fork(descriptors)
    return bool(message)


def _fork(descriptors: list[int]) -> None:
    parent = os.getpid()
    try:
        pid = os.fork()
    except OSError:  # no process is free: whoever waits at the other end of the socket is told by its end
        pid = -1
    if pid == 0:
        try:
            signal.set_wakeup_fd(-1)
            os.setpgid(0, 0)
            control, *pipes = descriptors
            serve(parent, control, (pipes[0], pipes[1], pipes[2], pipes[3]) if pipes else None)
        except BaseException:
            sys.excepthook(*sys.exc_info())
        finally:
            os._exit(0)
    for fd in descriptors:
        os.close(fd)
