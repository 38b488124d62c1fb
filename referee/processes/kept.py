"""A bot's program as its referee sees it: started by `keep`, asked by `poll`, ended by `stop`.

Knows processes and files, and no game, message or clock.
"""

from __future__ import annotations

import marshal
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import BinaryIO

from referee.processes import keeper as keepers

TAIL = 64 * 1024
"""Bytes of a bot's log that stay with its exit as evidence."""


class StartError(OSError):
    """The bot's program can't be started, by its own fault: the message has its name and the reason."""


@dataclass(frozen=True, slots=True)
class Command:
    """A program to start, and where."""

    argv: tuple[str, ...]
    """The program (a path, or a name looked up in the PATH of `env`) and its arguments."""
    cwd: Path
    env: Mapping[str, str]
    """All of its environment (`clean_environment`)."""
    folder: Path
    """The bot's own, made by the caller (mode 0700); removed at the end, and its parent too once empty."""
    log: Path
    """Takes the bot's stdout and stderr, and stays; there is no file where it wrote nothing. Its folder
    exists; a log that can't be written is lost, and no fault of the bot's."""
    log_cap: int = 256 * 1024
    """Bytes of log at most: the first half of it and the last, with a line between them; 1024 or more."""
    cpus: frozenset[int] | None = None
    """The processors that it may run on; None: all of ours."""
    piped: bool = False
    """We talk to it by its stdin and stdout (`Kept.pipes`); else its stdin is empty, and its stdout logged."""

    def __post_init__(self) -> None:
        if not self.argv or self.log_cap < 1024:
            raise ValueError(f"a command has a program and a log_cap of 1024 or more: {self}")


@dataclass(frozen=True, slots=True)
class Exit:
    """How a bot's program ended. Neither code nor signal: its keeper was killed before it could tell."""

    code: int | None
    signal: int | None
    killed: bool
    """We ended it."""
    tail: str
    """The end of its log (at most 64 KiB of it), with all but printable characters and newlines escaped."""

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

    Raises StartError where it can't be started (not found, not executable, no such cwd, no such cpus);
    its folder is removed then, too. Another OSError is our own trouble: no process or descriptor is free.
    From any thread, which may end before the bot: a keeper asks who its parent is before it believes the
    death signal, which follows the thread.
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
            process = _keeper(end, pipes)
        ours.callback(process.wait)
        ours.callback(control.close)  # before the wait, which it ends
        replies = ours.enter_context(control.makefile("rb"))
        control.sendall(_order(command, pipes))
        pid = _started(command, replies.readline())
        ours.pop_all()
    return Kept(command, pid, process, control, replies, pipes)


def _keeper(control: socket.socket, pipes: Pipes | None) -> subprocess.Popen[bytes]:
    # A process group of its own keeps Ctrl-C from the keeper; it stays in our session, which tells
    # it from a stray (see `reap_strays`).
    return subprocess.Popen(
        [sys.executable, "-I", "-S", keepers.__file__],
        stdin=control.fileno(), stdout=subprocess.DEVNULL, process_group=0,
        pass_fds=pipes.theirs if pipes else (),
    )  # fmt: skip


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


def _order(command: Command, pipes: Pipes | None) -> bytes:
    """The arguments of `keepers.Keeper`. marshal, as both ends are one interpreter: json would cost 5 ms."""
    return marshal.dumps(
        (
            os.getpid(),
            [os.fsencode(word) for word in command.argv],
            os.fsencode(command.cwd),
            {os.fsencode(name): os.fsencode(value) for name, value in command.env.items()},
            os.fsencode(command.folder.absolute()),
            (os.fsencode(command.log.absolute()), command.log_cap),
            None if command.cpus is None else sorted(command.cpus),
            pipes.theirs if pipes else None,
        )
    )


def _started(command: Command, reply: bytes) -> int:
    """The pid out of a keeper's first reply."""
    match reply.split():
        case [b"started", pid]:
            return int(pid)
        case [b"failed", stage, number]:
            where = {b"cwd": f" in {command.cwd}", b"cpus": f" on cpus {sorted(command.cpus or ())}"}
            reason = os.strerror(int(number))
            raise StartError(f"cannot start {command.argv[0]!r}{where.get(stage, '')}: {reason}")
    raise ChildProcessError(f"the keeper of {command.argv[0]!r} ended before it had started it")


class Kept:
    """A bot's program that runs, or ran. After `poll` or `stop` has given an Exit, nothing is left of it.

    An instance that is dropped ends its bot. Not for use by several threads at a time.
    """

    def __init__(
        self,
        command: Command,
        pid: int,
        keeper: subprocess.Popen[bytes],
        control: socket.socket,
        replies: BinaryIO,
        pipes: Pipes | None,
    ) -> None:
        self.command = command
        self.pid = pid
        """The bot's, not its keeper's; it may be another's once there is an Exit."""
        self._keeper = keeper
        self._control = control
        self._replies = replies
        self._pipes = pipes

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
        return self._exit if self._keeper.poll() is not None else None

    def stop(self, grace: float) -> Exit:
        """Give it `grace` seconds to leave by itself, then kill all of it; returns when nothing is left."""
        if self._keeper.poll() is None:
            reply = select.poll()
            reply.register(self._control, select.POLLIN)
            reply.poll(grace * 1000)
            self.kill()
            try:
                self._keeper.wait(2 * keepers.PATIENCE)
            except subprocess.TimeoutExpired:  # someone has stopped the keeper; the bot dies with it
                self._keeper.kill()
                self._keeper.wait()
        return self._exit

    def kill(self) -> None:
        """Have the keeper end it, and don't wait."""
        if self._keeper.poll() is None:
            self._control.shutdown(socket.SHUT_WR)

    def tail(self) -> str:
        """The end of its log so far, as `Exit.tail`."""
        return _tail(self.command.log)

    def cpu_seconds(self) -> float | None:
        """CPU time of all processes that came of the bot, to a hundredth; None once it has ended."""
        if self._keeper.poll() is not None:
            return None
        ticks = sum(_ticks(self._keeper.pid)[2:])  # the ended ones, which the keeper has reaped
        ticks += sum(sum(_ticks(pid)) for pid in keepers.descendants(self._keeper.pid))
        return ticks / os.sysconf("SC_CLK_TCK")

    @cached_property
    def _exit(self) -> Exit:
        """The keeper's last reply, read after its end."""
        reply = self._replies.readline().split()
        self._replies.close()
        self._control.close()
        if self._pipes is not None:
            os.close(self._pipes.log)
        if not reply:
            reap_strays()
            keepers.remove_folder(os.fsencode(self.command.folder.absolute()))
            return Exit(None, None, False, "")
        status, killed, logged = map(int, reply[1:])
        code = os.waitstatus_to_exitcode(status)
        tail = _tail(self.command.log) if logged else ""
        return Exit(code if code >= 0 else None, -code if code < 0 else None, bool(killed), tail)


def reap_strays() -> int:
    """Kill what fell to this process because its keeper was killed; the number of children reaped.

    A stray is a child of another session than ours: each bot begins a session, no process can come back
    from one, and keepers stay in ours. So a process that keeps bots must start nothing else in a session
    of its own, and must be a subreaper (`become_subreaper`) for strays to fall to it. Blocks until the
    last is gone, as a rule some milliseconds.
    """
    return len(keepers.end_all(_strays))


def _strays() -> Iterator[int]:
    ours = os.getsid(0)
    for pid in keepers.children(os.getpid()):
        if os.getsid(pid) != ours:
            yield pid
            yield from keepers.descendants(pid)


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
    return "\n".join(line if line.isprintable() else _escaped(line) for line in text.split("\n"))


def _escaped(line: str) -> str:
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in line)
