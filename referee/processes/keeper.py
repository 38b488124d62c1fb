"""The small process above every bot program: it starts the bot, and ends all that the bot ever started.

The file runs by itself, as `python -I -S keeper.py`, and so knows the standard library and nothing else;
what it imports is counted in milliseconds of every start. Its parent hands it one order on its standard
input, a socket, and closes that socket, by its own hand or by its death, to have the bot ended.

    worker --- order, then end of file --> keeper --- fork, exec --> bot --> whatever it starts
           <-- "started PID", "ended …" ---       <-- stdout, stderr -+

Whatever the bot's descendants do (fork twice, make sessions, ignore signals), they fall to the keeper as
the nearest subreaper, and it leaves only after the last of them. It is told of its parent's death by a
signal and by the socket, and believes only what `getppid` says, so a stray signal ends nothing. Is it
killed itself, the bot's own death signal ends the bot, and the worker reaps the rest (`kept.reap_strays`).
"""
# pathlib would add milliseconds to every start:
# ruff: noqa: PTH101, PTH104, PTH106, PTH108, PTH110, PTH118, PTH120, PTH123, PTH208

from __future__ import annotations

import ctypes
import errno
import marshal
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
PATIENCE = 5.0
"""Seconds after which a kill that does not get through (a setuid program, a dead disk) is given up."""


def _prctl(option: int, value: int) -> bool:
    try:
        prctl = ctypes.CDLL(None, use_errno=True).prctl
    except AttributeError:
        return False
    return bool(prctl(option, *map(ctypes.c_ulong, (value, 0, 0, 0))) == 0)


def die_with_parent(number: int = signal.SIGKILL) -> bool:
    """Have the kernel send this process signal `number` when its parent dies; False where it can't.

    "Parent" is the thread that started this process: its end counts as the parent's.
    """
    return _prctl(_PR_SET_PDEATHSIG, number)


def become_subreaper() -> bool:
    """Let orphaned descendants fall to this process in place of init; False where the system can't."""
    return _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def children(pid: int) -> list[int]:
    """The children of all threads of `pid`, dead and unreaped ones too; none where it is gone."""
    if not os.path.exists(f"/proc/self/task/{os.getpid()}/children"):
        return _children_by_scan(pid)
    found: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", "rb", buffering=0) as file:
                found += map(int, file.readall().split())
    return found


def _children_by_scan(pid: int) -> list[int]:
    """As `children`, on a kernel built without CONFIG_PROC_CHILDREN."""
    found: list[int] = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError), open(f"/proc/{name}/stat", "rb", buffering=0) as file:
            if int(file.readall().rpartition(b")")[2].split()[1]) == pid:
                found.append(int(name))
    return found


def descendants(root: int) -> Iterator[int]:
    """All below `root`, each before its children are looked up: a signal sent at once outruns a fork."""
    above = [root]
    while above:
        for pid in children(above.pop()):
            yield pid
            above.append(pid)


def end_all(find: Callable[[], Iterable[int]]) -> dict[int, int]:
    """Kill what `find` finds until it finds nothing; the wait status of each that was our own child.

    A pid between being found and being killed is not guarded: to be reused in that time the kernel
    would have to give out all the other pids first.
    """
    statuses: dict[int, int] = {}
    seen: set[int] = set()
    deadline = time.monotonic() + PATIENCE
    pause = 0.001
    while (found := _stop_all(find, deadline)) and time.monotonic() < deadline:
        _signal(found, signal.SIGKILL)
        statuses |= _reap(found)
        if found <= seen:  # nothing new, they are only slow to die: on a busy core looking takes it from them
            time.sleep(pause)
            pause = min(2 * pause, 0.05)
        seen |= found
    return statuses


def _stop_all(find: Callable[[], Iterable[int]], deadline: float) -> set[int]:
    """Stop what `find` finds until it finds no more, so that none is left to fork while others die.

    A bomb that has reached its limit of processes would take every place that a death makes free.
    """
    stopped: set[int] = set()
    more = True
    while more and time.monotonic() < deadline:
        more = False
        for pid in find():
            if pid not in stopped:
                _signal((pid,), signal.SIGSTOP)
                stopped.add(pid)
                more = True
    return stopped


def _signal(pids: Iterable[int], number: int) -> None:
    for pid in pids:
        with suppress(OSError):  # dead, or not ours to signal
            os.kill(pid, number)


def _reap(pids: Iterable[int]) -> dict[int, int]:
    statuses = {}
    for pid in pids:
        with suppress(ChildProcessError):
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                statuses[pid] = status
    return statuses


def _reap_children() -> tuple[dict[int, int], bool]:
    """The wait statuses of our children that have ended, and whether there are others.

    It does not look into /proc: on a busy core, who reaps a process there whose entries somebody reads
    spins until that one goes on.
    """
    statuses: dict[int, int] = {}
    with suppress(ChildProcessError):
        while (found := os.waitpid(-1, os.WNOHANG))[0]:
            statuses[found[0]] = found[1]
        return statuses, True
    return statuses, False


def end_group(group: int) -> tuple[dict[int, int], bool]:
    """Kill a process group and all that it leaves to us; as `_reap_children`, after some milliseconds."""
    with suppress(OSError):
        os.killpg(group, signal.SIGKILL)
    statuses, more = _reap_children()
    pause = 0.001
    while more and pause < 0.03:
        time.sleep(pause)
        pause *= 2
        ended, more = _reap_children()
        statuses |= ended
    return statuses, more


def remove_folder(folder: bytes) -> None:
    """Remove `folder` with all in it, whatever its modes and depth, and its parent where that is empty.

    What the system refuses to remove stays. Follows no link.
    """
    pending = [folder]
    while pending:
        path = pending.pop()
        with suppress(OSError):
            os.chmod(path, 0o700)
            for entry in list(os.scandir(path)):
                with suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(_lift(entry.path, folder))
                    else:
                        os.unlink(entry.path)
            os.rmdir(path)
    for path in (folder, os.path.dirname(folder)):
        with suppress(OSError):
            os.rmdir(path)


def _lift(path: bytes, folder: bytes) -> bytes:
    """Move a folder to right below `folder`, so that no nest is too deep for the length of a path."""
    os.chmod(path, 0o700)
    lifted = os.path.join(folder, os.urandom(16).hex().encode())
    os.rename(path, lifted)
    return lifted


class Log:
    """The first and the last part of what a bot wrote, in one file of bounded size; bounded in memory.

    The first half of the cap is written as it comes, the rest on `close`. No file before the first byte.
    A log that can't be written is lost, and the bot plays on: a full disk is not its fault.
    """

    MARK = b"\n[... %d bytes left out ...]\n"

    def __init__(self, path: bytes, cap: int) -> None:
        self._path = path
        self._first = cap // 2
        self._last = cap - cap // 2 - len(self.MARK) - 20
        self._tail = bytearray()
        self._left_out = 0
        self.written = 0
        """Bytes in the file."""
        with suppress(OSError):  # of another process that had that name
            os.unlink(path)

    def write(self, data: bytes) -> None:
        """Take in what the bot wrote."""
        room = max(0, self._first - self.written)
        if data[:room]:
            self._append(data[:room])
        self._tail += data[room:]
        over = max(0, len(self._tail) - self._last)
        del self._tail[:over]
        self._left_out += over

    def close(self) -> None:
        """Write the last part, after a line that says how many bytes are missing before it."""
        if self._left_out:
            self._append(self.MARK % self._left_out)
        if self._tail:
            self._append(self._tail)

    def _append(self, data: bytes | bytearray) -> None:
        with suppress(OSError), open(self._path, "ab" if self.written else "wb") as file:
            file.write(data)
        self.written += len(data)


class Keeper:
    """One bot from its start to the end of the last process that came of it."""

    CONTROL = 0
    """The socket to the parent: an order comes in, then only its end; replies go out, a line each."""

    def __init__(
        self,
        parent: int,
        argv: list[bytes],
        cwd: bytes,
        env: dict[bytes, bytes],
        folder: bytes,
        log: tuple[bytes, int],
        cpus: list[int] | None,
        pipes: tuple[int, int, int, int] | None,
    ) -> None:
        self.parent = parent
        self.argv = argv
        self.cwd = cwd
        self.env = env
        self.folder = folder
        self.log = Log(*log)
        self.cpus = cpus
        self.pipes = pipes
        """Where somebody talks to the bot by its standard input and output: these two, and the log's pipe."""
        self.bot = 0
        self.status: int | None = None
        self.told = False

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

    def _start(self, bot_output: int) -> bool:
        """Fork the bot; whether it got as far as its own program. The parent is told either way."""
        failure, bot_failure = os.pipe()
        keeper = os.getpid()
        self.bot = os.fork()
        if self.bot == 0:
            self._become_bot(keeper, bot_output, bot_failure)
        for fd in (bot_output, bot_failure, *(self.pipes or ())[:2]):
            os.close(fd)
        # The bot's end closes on exec: nothing to read means that the program runs.
        stage = os.read(failure, 64)
        os.close(failure)
        self._say(b"failed " + stage if stage else b"started %d" % self.bot)
        return not stage

    def _become_bot(self, keeper: int, output: int, failure: int) -> None:
        stage = b"start"
        try:
            os.setsid()
            die_with_parent(signal.SIGKILL)
            if os.getppid() != keeper:
                return
            self._forget_signals()
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # it would land among the bot's files
            stdin, stdout = self.pipes[:2] if self.pipes else (os.open(os.devnull, os.O_RDONLY), output)
            for fd in self.pipes or ():  # they were left open on exec to reach us, and shall go no further
                os.set_inheritable(fd, False)
            os.dup2(stdin, 0)
            os.dup2(stdout, 1)
            os.dup2(output, 2)
            if self.cpus is not None:
                stage = b"cpus"
                os.sched_setaffinity(0, self.cpus)
            stage = b"cwd"
            os.chdir(self.cwd)
            stage = b"program"
            os.execvpe(self.argv[0], self.argv, self.env)
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

    def _watch(self, wake: int, output: int) -> None:
        """Take in the bot's output until it has ended, the parent says so, or the parent is gone."""
        poller = select.poll()
        for fd in (self.CONTROL, wake, output):
            poller.register(fd, select.POLLIN)
        while self.status is None and not self.told:
            ready = {fd for fd, _ in poller.poll()}
            if output in ready and not self._pump(output):
                poller.unregister(output)
            if wake in ready:
                os.read(wake, 4096)
                self.status = _reap_children()[0].get(self.bot)
            self.told = self.CONTROL in ready or os.getppid() != self.parent

    def _pump(self, output: int) -> bool:
        """Log what there is to read; False when there is nothing now, or no one left to write."""
        try:
            data = os.read(output, 1 << 16)
        except BlockingIOError:
            return False
        self.log.write(data)
        return bool(data)

    def _finish(self, output: int) -> None:
        ended, more = end_group(self.bot)  # as a rule that is all of it
        if more:
            ended |= end_all(lambda: descendants(os.getpid()))
        for _ in range(1 << 5):  # twice the largest pipe: someone else may hold its other end
            if not self._pump(output):
                break
        self.log.close()
        remove_folder(self.folder)
        killed = ended.get(self.bot) == signal.SIGKILL
        status = self.status if self.status is not None else ended.get(self.bot, int(signal.SIGKILL))
        self._say(b"ended %d %d %d" % (status, killed, self.log.written))

    def _say(self, line: bytes) -> None:
        with suppress(OSError):  # a dead parent reads nothing
            os.write(self.CONTROL, line + b"\n")


def main() -> None:
    """Carry out the one order on standard input; an order cut short is that of a parent that died."""
    try:
        order = marshal.load(sys.stdin.buffer)
    except EOFError:
        return
    Keeper(*order).run()


if __name__ == "__main__":
    main()
