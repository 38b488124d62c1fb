"""Processes as the kernel has them: parents that die, orphans that fall to somebody, trees that must end.

Standard library only, and little of it: what a keeper imports is paid for by every fork of it.
"""
# pathlib would add milliseconds:
# ruff: noqa: PTH110, PTH123, PTH208

from __future__ import annotations

import ctypes
import os
import signal
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


def reap_children() -> tuple[dict[int, int], bool]:
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
    """Kill a process group and all that it leaves to us; as `reap_children`, after some milliseconds."""
    with suppress(OSError):
        os.killpg(group, signal.SIGKILL)
    statuses, more = reap_children()
    pause = 0.001
    while more and pause < 0.03:
        time.sleep(pause)
        pause *= 2
        ended, more = reap_children()
        statuses |= ended
    return statuses, more


def held(root: int, limit: int) -> int:
    """Bytes of memory that `root` and all below it have in use together.

    What they share is shared out among them, which the kernel takes long to tell: so it is asked only where
    they would be above `limit` if they shared nothing.
    """
    tree = [root, *descendants(root)]
    most = sum(map(_resident, tree))
    return most if most <= limit else sum(map(_proportional, tree))


def _resident(pid: int) -> int:
    """With the tables that map it: who touches little of much has more of them than of memory."""
    total = 0
    with suppress(OSError), open(f"/proc/{pid}/status", "rb", buffering=0) as file:
        for line in file.readall().splitlines():
            if line.startswith((b"VmRSS:", b"VmPTE:", b"VmSwap:")):
                total += int(line.split()[1]) << 10
    return total


def _proportional(pid: int) -> int:
    resident, shared = _resident(pid), 0
    with suppress(OSError), open(f"/proc/{pid}/smaps_rollup", "rb") as file:  # it may have shut itself to us
        sizes = dict(line.split()[:2] for line in file.readlines()[1:])
        shared = (int(sizes[b"Rss:"]) - int(sizes[b"Pss:"])) << 10
    return resident - shared
