"""A bot's program as its referee sees it: started by `keep`, asked by `poll`, ended by `stop`.

Knows processes and files, and no game, message or clock.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from time import monotonic, sleep

from protocol.escape import terminal
from referee.processes import trees
from referee.processes.command import Command, SandboxError, StartError, order_of
from referee.processes.leavings import remove_folder
from referee.processes.spawner import spawner

TAIL = 64 * 1024
"""Bytes of a bot's log that stay with its exit as evidence."""


@dataclass(frozen=True, slots=True)
class Exit:
    """How a bot's program ended. Neither code nor signal: its keeper was killed before it could tell."""

    code: int | None
    signal: int | None
    killed: bool
    """We ended it."""
    tail: str
    """The end of its log (at most 64 KiB of it), with all but printable characters and newlines escaped."""
    resource: str = ""
    """What it used too much of, and was ended for: `memory` or `pids`."""

    @property
    def lost(self) -> bool:
        """Its keeper, or what is above that, was killed, or the machine had no memory: that was not its doing."""
        return self.code is None and self.signal is None

    @property
    def violation(self) -> bool:
        """It was ended by the filter of system calls."""
        return self.signal == signal.SIGSYS

    def __str__(self) -> str:
        """The reason as a verdict gives it.

        >>> print(Exit(3, None, False, ""), "/", Exit(None, 11, False, ""))
        exit 3 / signal 11 (SIGSEGV)
        """
        if self.code is not None:
            return f"exit {self.code}"
        if self.signal is None:
            return "keeper lost"
        known = {number.value: number.name for number in signal.Signals}
        return f"signal {self.signal} ({known.get(self.signal, 'real-time')})"


def keep(command: Command) -> Kept:
    """Start a bot's program under a keeper, and return once the program runs.

    Raises StartError where it can't be started (not found, not executable, no such cwd, no such cpus), and
    SandboxError where it can't be kept apart as wished; its folder is removed then, too. Another OSError is
    our own trouble: no process or descriptor is free.
    From any thread, which may end before the bot.
    """
    with ExitStack() as ours:  # let go of where it does not start
        control, end = socket.socketpair()
        ours.callback(control.close)
        with ExitStack() as theirs:  # a keeper that runs has its own of them
            theirs.callback(end.close)
            pipes = Pipes.make() if command.piped else None
            if pipes:
                ours.callback(pipes.close)
                theirs.callback(pipes.pass_on)
            spawner.keep([end.fileno(), *(pipes.theirs if pipes else ())])
        order = order_of(command)
        control.sendall(len(order).to_bytes(8, "big") + order)
        replies = _Replies(control)
        ours.callback(replies.drain)
        pid, keeper = _started(command, replies)
        ours.pop_all()
    return Kept(command, pid, keeper, replies, pipes)


class _Replies:
    """The lines of a keeper, until it has left."""

    def __init__(self, control: socket.socket) -> None:
        self.control = control
        self.listener: socket.socket | None = None
        self._text = b""
        self.over = False

    def take(self) -> None:
        """What has come, if anything has: a call that does not wait."""
        with suppress(BlockingIOError):
            # Not `socket.recv_fds`, which forgets its flags.
            data, beside, _, _ = self.control.recvmsg(4096, socket.CMSG_LEN(4), socket.MSG_DONTWAIT)
            for _, _, fd in beside:
                self.listener, data = socket.socket(fileno=int.from_bytes(fd, sys.byteorder)), data[1:]
                self.listener.setblocking(False)
                return
            self._text += data
            self.over = not data

    def drain(self) -> None:
        """Let the keeper leave, and wait for that."""
        with suppress(OSError):
            self.control.shutdown(socket.SHUT_WR)
        while not self.over:
            self.wait(None)
            self._text = b""
            self.take()

    def wait(self, seconds: float | None) -> bool:
        """Wait for more; whether there is."""
        ready = select.poll()
        ready.register(self.control, select.POLLIN)
        return bool(ready.poll(None if seconds is None else seconds * 1000))

    def line(self) -> bytes:
        """The next line; empty where the keeper has left before its end."""
        while b"\n" not in self._text and not self.over:
            self.wait(None)
            self.take()
        line, _, self._text = self._text.partition(b"\n")
        return line


@dataclass(slots=True)
class Pipes:
    """What a bot that is talked to by its stdin and stdout has of us."""

    output: int
    """Its stdout, to read; whoever takes this and `input` (`Kept.pipes`) closes them."""
    input: int
    """Its stdin, to write."""
    log: int
    """To write into its log."""
    theirs: tuple[int, int, int, int]
    """For the keeper: stdin and stdout of the bot, and both ends of the log's pipe."""

    @classmethod
    def make(cls) -> Pipes:
        """Three new pipes. OSError where too few descriptors are free."""
        made: list[int] = []
        try:
            for _ in range(3):
                made += os.pipe()
            stdin, ours_in, ours_out, stdout, log_out, log_in = made
            # Opened anew, since whether writing blocks is a matter of what was opened: a bot's stderr shall block.
            log = os.open(f"/proc/self/fd/{log_in}", os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            for fd in made:
                os.close(fd)
            raise
        return cls(ours_out, ours_in, log, (stdin, stdout, log_out, log_in))

    def pass_on(self) -> None:
        """Close the keeper's ends, of which it has its own once it runs."""
        for fd in self.theirs:
            os.close(fd)

    def close(self) -> None:
        """All that is ours."""
        for fd in (self.output, self.input, self.log):
            os.close(fd)


def _started(command: Command, replies: _Replies) -> tuple[int, int]:
    """The pids of a bot and of its keeper, out of the keeper's first reply."""
    match replies.line().split():
        case [b"started", pid, keeper]:
            return int(pid), int(keeper)
        case [b"failed", (b"start" | b"cwd" | b"cpus" | b"program") as stage, number]:
            where = {b"cwd": f" in {command.cwd}", b"cpus": f" on cpus {sorted(command.cpus or ())}"}
            reason = os.strerror(int(number))
            raise StartError(f"cannot start {command.argv[0]!r}{where.get(stage, '')}: {reason}")
        case [b"failed", layer, number]:
            raise SandboxError(layer.decode(), int(number))
    raise ChildProcessError(f"the keeper of {command.argv[0]!r} ended before it had started it")


class Kept:
    """A bot's program that runs, or ran. After `poll` or `stop` has given an Exit, nothing is left of it.

    An instance that is dropped ends its bot. Not for use by several threads at a time.
    """

    def __init__(
        self, command: Command, pid: int, keeper: int, replies: _Replies, pipes: Pipes | None
    ) -> None:
        self.command = command
        self.pid = pid
        """The bot's, not its keeper's; it may be another's once there is an Exit."""
        self.keeper = keeper
        """The process above it."""
        self._replies = replies
        self._pipes = pipes

    @property
    def listener(self) -> socket.socket:
        """Where it comes over loopback, for a command with a `port` and a network of its own; the caller closes it."""
        assert self._replies.listener is not None
        return self._replies.listener

    @property
    def pipes(self) -> tuple[int, int]:
        """Its stdout to read and its stdin to write, for a command that is `piped`; the caller closes them."""
        assert self._pipes is not None
        return self._pipes.output, self._pipes.input

    def log(self, data: bytes) -> None:
        """Put `data` into the log of a command that is `piped`; what finds no room there is lost."""
        if self._pipes is not None and "_exit" not in self.__dict__:
            with suppress(OSError):
                os.write(self._pipes.log, data)

    def poll(self) -> Exit | None:
        """How it ended; None while it runs. One system call, and no wait (but see `reap_strays`)."""
        return self._exit if self._has_ended() else None

    def _has_ended(self) -> bool:
        if not self._replies.over:
            self._replies.take()
        return self._replies.over

    def stop(self, grace: float) -> Exit:
        """Give it `grace` seconds to leave by itself, then kill all of it; returns when nothing is left."""
        self._await_end(grace)
        self.kill()
        self._await_end(2 * trees.PATIENCE)
        if not self._has_ended():  # someone has stopped the keeper; the bot dies with it
            with suppress(ProcessLookupError):
                os.kill(self.keeper, signal.SIGKILL)
            self._await_end(None)
        return self._exit

    def _await_end(self, seconds: float | None) -> None:
        until = None if seconds is None else monotonic() + seconds
        while not self._has_ended():
            left = None if until is None else until - monotonic()
            if (left is not None and left <= 0) or not self._replies.wait(left):
                return

    def kill(self) -> None:
        """Have the keeper end it, and don't wait."""
        if not self._has_ended():
            with suppress(OSError):
                self._replies.control.shutdown(socket.SHUT_WR)

    def tail(self) -> str:
        """The end of its log so far, as `Exit.tail`."""
        return _tail(self.command.log)

    def cpu_seconds(self) -> float | None:
        """CPU time of all processes that came of the bot, to a hundredth; None once it has ended."""
        if self._has_ended():
            return None
        ticks = sum(_ticks(self.keeper)[2:])  # the ended ones, which the keeper has reaped
        ticks += sum(sum(_ticks(pid)) for pid in trees.descendants(self.keeper))
        return ticks / os.sysconf("SC_CLK_TCK")

    def pids(self) -> list[int]:
        """All processes that came of the bot and live; none once it has ended."""
        return list(self._below())

    def freeze(self) -> None:
        """Stop all its processes, until `thaw`."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let all its processes go on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        for pid in self._below():  # a stopped process forks no more: its children are looked up after that
            with suppress(OSError):
                os.kill(pid, number)

    def _below(self) -> Iterator[int]:
        return iter(()) if self._has_ended() else trees.descendants(self.keeper)

    @cached_property
    def _exit(self) -> Exit:
        """The keeper's last reply, read after its end."""
        reply = self._replies.line().split()
        self._replies.control.close()
        if self._pipes is not None:
            os.close(self._pipes.log)
        with suppress(ChildProcessError):  # ours where the spawner is gone, too
            os.waitpid(self.keeper, os.WNOHANG)
        if not reply:
            _await_death(self.keeper)
            reap_strays()
            remove_folder(os.fsencode(self.command.folder.absolute()))
            return Exit(None, None, False, "")
        status, killed, lost, logged = map(int, reply[1:5])
        if lost or reply[5] == b"machine":
            return Exit(None, None, False, "")
        code = os.waitstatus_to_exitcode(status)
        tail = _tail(self.command.log) if logged else ""
        resource = "" if reply[5] == b"-" else reply[5].decode()
        return Exit(code if code >= 0 else None, -code if code < 0 else None, bool(killed), tail, resource)


def reap_strays() -> int:
    """Kill what fell to this process because its keeper was killed; the number of children reaped.

    A stray is a child of another session than ours: each bot begins a session, no process can come back
    from one, and the spawner and its keepers stay in ours. So a process that keeps bots must start nothing
    else in a session of its own, and must be a subreaper (`become_subreaper`) for strays to fall to it.
    Blocks until the last is gone, as a rule some milliseconds.
    """
    return len(trees.end_all(_strays))


def _await_death(pid: int) -> None:
    """Wait, at most a second, until a process that has let go of its descriptors has given its children away, too."""
    until = monotonic() + 1
    with suppress(OSError):
        while monotonic() < until and b") Z" not in Path(f"/proc/{pid}/stat").read_bytes():
            sleep(0.001)


def _strays() -> Iterator[int]:
    ours = os.getsid(0)
    for pid in trees.children(os.getpid()):
        if os.getsid(pid) != ours:
            yield pid
            yield from trees.descendants(pid)


def _ticks(pid: int) -> list[int]:
    """User and system time of a process, and of its reaped children, in clock ticks (proc(5), stat)."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return []
    return [int(field) for field in stat.rpartition(b")")[2].split()[11:15]]


def _tail(log: Path) -> str:
    """The last bytes of a log as text that is safe to print."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - TAIL))
            text = file.read().decode(errors="replace")
    except OSError:
        return ""
    return terminal(text)
