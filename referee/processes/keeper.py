"""The small process above every bot program: it starts the bot, and ends all that the bot ever started.

It is forked from a spawner that is warm (`spawner.py`). Whoever wants the bot hands it one order on its standard
input, a socket, and closes that socket, by its own hand or by its death, to have the bot ended.

    worker --- order, then end of file --> keeper --- fork --> (init --- fork -->) bot --> whatever it starts
           <-- "started …", "ended …" ---       <-- stdout, stderr ----------------+

Whatever the bot's descendants do (fork twice, make sessions, ignore signals), they fall to the keeper as
the nearest subreaper, or to the init of their own namespace of processes, and the keeper leaves only after the
last of them. It is told of its parent's death by a signal, and believes only what `getppid` says, so a stray
signal ends nothing. Is it killed itself, the bot's own death signal ends the bot, and the worker reaps the rest
(`kept.reap_strays`).
"""

from __future__ import annotations

import errno
import marshal
import os
import resource
import select
import signal
import time
from contextlib import suppress
from typing import Any

from referee.processes.confine import Cage, Refused
from referee.processes.leavings import Log, remove_folder
from referee.processes.trees import (
    become_subreaper,
    children,
    descendants,
    die_with_parent,
    end_all,
    end_group,
    held,
    reap_children,
)

LOOK = 0.05
"""Seconds between two looks at the memory of a bot that no cgroup limits; more where it is far from its limit."""
GROWTH = 4 << 30
"""Bytes a second by which a program on one core may grow at most."""
SHARE = 20
"""Times what a look has taken, until the next one: looking takes no more of the core that others think on."""
READ = 1 << 20
"""Bytes of a bot's output after which none is read for LOOK: who writes much waits."""


class Keeper:
    """One bot from its start to the end of the last process that came of it."""

    CONTROL = 0
    """The socket to whoever wants the bot: an order comes in, then only its end; replies go out, a line each."""

    def __init__(self, parent: int, order: dict[str, Any], pipes: tuple[int, int, int, int] | None) -> None:
        self.parent = parent
        self.argv: list[bytes] = order["argv"]
        self.cwd: bytes = order["cwd"]
        self.env: dict[bytes, bytes] = order["env"]
        self.folder: bytes = order["folder"]
        self.log = Log(*order["log"])
        self.cpus: list[int] | None = order["cpus"]
        self.cage: Cage | None = Cage(order["cage"], self.folder, self.cwd) if order["cage"] else None
        self.pipes = pipes
        """Where somebody talks to the bot by its standard input and output: these two, and the log's pipe."""
        self.bot = 0
        """The bot, or the init above it."""
        self.verdict = -1
        """To read what the init says of the bot's end."""
        self.status: int | None = None
        self.told = False
        self.resource = b"-"
        """What it used too much of."""
        self.next_look = 0.0
        self.room = READ
        self.deaf_until = 0.0
        """When its output is read again; 0: now."""

    def run(self) -> None:
        """Start the bot, wait for its end or the word to end it, leave nothing, report."""
        become_subreaper()
        die_with_parent(signal.SIGTERM)
        wake = self._catch_signals()
        output, bot_output = self.pipes[2:] if self.pipes else os.pipe()
        os.set_blocking(output, False)
        try:
            if self._start(bot_output):
                self._watch(wake, output)
        finally:
            self._finish(output)

    def _catch_signals(self) -> int:
        """The end of a pipe that is readable once a child or the parent has died."""
        wake, waker = os.pipe()
        os.set_blocking(wake, False)
        os.set_blocking(waker, False)
        signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, lambda *_: None)
        for number in (signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        return wake

    # the start

    def _start(self, bot_output: int) -> bool:
        """Fork the bot; whether it got as far as its own program. The other end is told either way."""
        failure, bot_failure = os.pipe()
        try:
            if self.cage:
                self.cage.prepare()
            self.bot = self._fork(bot_output, bot_failure)
        except Refused as refused:
            os.write(bot_failure, refused.line)
        for fd in (bot_output, bot_failure, *(self.pipes or ())[:2]):
            os.close(fd)
        # The bot's end closes on exec: nothing to read means that the program runs.
        stage = os.read(failure, 64)
        os.close(failure)
        if stage:
            self._say(b"failed " + stage)
            return False
        below = children(self.bot) if self.verdict >= 0 else []
        self._say(b"started %d %d" % ((below or [self.bot])[0], os.getpid()))
        return True

    def _fork(self, output: int, failure: int) -> int:
        """The bot's process, or that of the init above it."""
        keeper, has_init = os.getpid(), self.cage is not None and self.cage.has_init
        alive, held = os.pipe()
        self.verdict, verdict = os.pipe() if has_init else (-1, -1)
        pid = os.fork()
        if pid == 0:
            os.close(held)
            if has_init:
                self._become_init(alive, verdict, output, failure)
            self._become_bot(keeper, output, failure)
        os.write(held, b"!")
        for fd in (alive, held, verdict):
            if fd >= 0:
                os.close(fd)
        return pid

    def _become_init(self, alive: int, verdict: int, output: int, failure: int) -> None:
        """The first process of its namespaces: it builds what the bot sees, starts it, and tells how it ended."""
        assert self.cage is not None
        try:
            os.setsid()
            die_with_parent(signal.SIGKILL)
            if not os.read(alive, 1):  # the keeper has died before that
                return
            self.cage.build(self.CONTROL)
            die_with_parent(signal.SIGKILL)  # a change of the user forgets it
            bot = os.fork()
            if bot == 0:
                self._become_bot(1, output, failure)
            os.closerange(0, verdict)
            os.closerange(verdict + 1, 1 << 10)
            while (ended := os.wait())[0] != bot:
                pass
            os.write(verdict, b"%d" % ended[1])
        except Refused as refused:
            os.write(failure, refused.line)
        finally:
            os._exit(127)

    def _become_bot(self, parent: int, output: int, failure: int) -> None:
        stage = b"start"
        try:
            os.setsid()
            die_with_parent(signal.SIGKILL)
            if os.getppid() != parent:
                return
            self._forget_signals()
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # it would land among the bot's files
            stdin, stdout = self.pipes[:2] if self.pipes else (os.open(os.devnull, os.O_RDONLY), output)
            os.dup2(stdin, 0)
            os.dup2(stdout, 1)
            os.dup2(output, 2)
            os.closerange(3, failure)  # pipes of ours were left open on exec to reach us
            os.closerange(failure + 1, 1 << 10)
            if self.cpus is not None:
                stage = b"cpus"
                os.sched_setaffinity(0, self.cpus)
            stage = b"cwd"
            os.chdir(self.cwd)
            if self.cage:
                self.cage.shut()
            stage = b"program"
            os.execvpe(self.argv[0], self.argv, self.env)
        except Refused as refused:
            os.write(failure, refused.line)
        except (OSError, ValueError) as error:  # ValueError: a NUL in a word, a "=" in a name
            os.write(failure, b"%s %d" % (stage, getattr(error, "errno", errno.EINVAL)))
        finally:
            os._exit(127)

    @staticmethod
    def _forget_signals() -> None:
        """What Python, the keeper or a caller ignores or blocks, the bot would inherit."""
        for number in signal.valid_signals():
            if signal.getsignal(number) is signal.SIG_IGN:
                signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())

    # its life

    def _watch(self, wake: int, output: int) -> None:
        """Take in the bot's output until it has ended, the other end says so, or the parent is gone."""
        poller = select.poll()
        for fd in (self.CONTROL, wake, output):
            poller.register(fd, select.POLLIN)
        limit = self.cage.watched_bytes if self.cage else 0
        while self.status is None and not self.told and self.resource == b"-":
            ready = {fd for fd, _ in poller.poll(self._patience(limit))}
            self._listen(poller, output, output in ready)
            if wake in ready:
                os.read(wake, 4096)
                self._take_status(reap_children()[0])
            if limit and time.monotonic() >= self.next_look:
                self._look(limit)
            self.told = self.CONTROL in ready or os.getppid() != self.parent

    def _patience(self, limit: int) -> float | None:
        """Milliseconds until something is due that nobody will tell of."""
        due = [self.next_look] * bool(limit) + [self.deaf_until] * bool(self.deaf_until)
        return max(0.0, min(due) - time.monotonic()) * 1000 + 1 if due else None

    def _look(self, limit: int) -> None:
        """Whether it has more memory than it may."""
        begin = time.thread_time()
        left = limit - held(self.bot, limit)
        if left < 0:
            self.resource = b"memory"
        self.next_look = time.monotonic() + max(LOOK, left / GROWTH, SHARE * (time.thread_time() - begin))

    def _listen(self, poller: select.poll, output: int, ready: bool) -> None:
        """Take in output that is ready, and none for a while after much of it."""
        if ready:
            taken = self._pump(output)
            self.room -= taken
            if not taken or self.room <= 0:
                poller.unregister(output)
                self.deaf_until = time.monotonic() + LOOK if taken else 0.0
        elif self.deaf_until and time.monotonic() >= self.deaf_until:
            poller.register(output, select.POLLIN)
            self.room, self.deaf_until = READ, 0.0

    def _take_status(self, ended: dict[int, int]) -> None:
        """How the bot ended, if it is among those: its init knows better than how itself did."""
        if self.bot in ended:
            said = os.read(self.verdict, 16) if self.verdict >= 0 else b""
            self.status = int(said) if said else ended[self.bot]

    def _pump(self, output: int) -> int:
        """Log what there is to read; how much that was: 0 when there is nothing now, or no one left to write."""
        try:
            data = os.read(output, 1 << 16)
        except BlockingIOError:
            return 0
        self.log.write(data)
        return len(data)

    # its end

    def _finish(self, output: int) -> None:
        ended, more = end_group(self.bot) if self.bot else ({}, False)  # as a rule that is all of it
        if more:
            ended |= end_all(lambda: descendants(os.getpid()))
        by_itself = self.status is not None
        if not by_itself:
            self._take_status(ended)
        for _ in range(1 << 5):  # twice the largest pipe: someone else may hold its other end
            if not self._pump(output):
                break
        self.log.close()
        if self.cage:
            self.resource = self.cage.remove() or self.resource
        remove_folder(self.folder)
        status = int(signal.SIGKILL) if self.status is None else self.status
        killed = not by_itself and status == signal.SIGKILL
        lost = killed and os.getppid() != self.parent
        self._say(b"ended %d %d %d %d %s" % (status, killed, lost, self.log.written, self.resource))

    def _say(self, line: bytes) -> None:
        with suppress(OSError):  # a dead parent reads nothing
            os.write(self.CONTROL, line + b"\n")


def serve(parent: int, control: int, pipes: tuple[int, int, int, int] | None) -> None:
    """Carry out the one order that comes over `control`; an order cut short is that of a parent that died."""
    os.dup2(control, Keeper.CONTROL)
    os.close(control)
    try:
        with open(Keeper.CONTROL, "rb", closefd=False, buffering=0) as file:
            size = int.from_bytes(file.read(8) or b"", "big")
            order = b""
            while len(order) < size and (more := file.read(size - len(order))):
                order += more
        asked = marshal.loads(order)
    except (EOFError, OSError, ValueError):
        return
    Keeper(parent, asked, pipes).run()
