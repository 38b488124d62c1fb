"""Hard limits by control groups, version 2: memory and processes of a bot as a whole, and its end in one step.

Nothing else bounds memory: a resource limit counts neither memory files nor children. What is here works on
folders of the file system cgroup2 and knows no bot; the keeper uses it, so it knows the standard library
alone and imports little of it. The rules are those of the kernel's documentation, admin-guide/cgroup-v2.
"""
# pathlib would add milliseconds to every start:
# ruff: noqa: PTH102, PTH106, PTH110, PTH118, PTH119, PTH120, PTH123, PTH208

from __future__ import annotations

import errno
import os
import time
from contextlib import suppress

PREFIX = "kingmaker-"
"""Of the names of our groups; the pid of whoever made a group follows."""
LEAF = "kingmaker"
"""Where the processes go that are in a folder which is to have groups: it may not have both."""
_INSIDE = "bot"
"""Where the processes of a group are; see `Group`."""
PATIENCE = 5.0
"""Seconds after which the processes of a group that was killed are taken to be stuck in the kernel."""
_DELEGATE = "run it as: systemd-run --user --scope --property=Delegate=yes arena ..."


class Unavailable(Exception):
    """There are no groups to be had here. The text is the reason."""

    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(reason)
        self.remedy = remedy
        """What the operator may do about it, in one line."""


class Group:
    """A group of processes. Those that are in it, and all that come of them, stay in it.

    The processes are one folder below the limits. Somebody of our own user who may make namespaces can mount
    cgroup2 anew, and write what he likes into all that he sees there: his own folder, and none above it.
    """

    def __init__(self, path: str) -> None:
        self.path = path

    @classmethod
    def make(cls, parent: str, name: str, memory_mb: int, pids: int) -> Group:
        """An empty group below `parent` (see `delegated`), of at most that many MiB and tasks, without swap.

        All its processes are killed as soon as they need more memory together. OSError where it can't be
        had: a machine whose limit of groups is reached, or `parent` is gone.
        """
        group = cls(os.path.join(parent, f"{PREFIX}{os.getpid()}-{name}"))
        _removed(group.path)  # of a process that had our pid, and was killed
        os.mkdir(group.path)
        try:
            group._set("memory.max", memory_mb << 20)
            group._set("memory.oom.group", 1)
            group._set("pids.max", pids)
            group._set("cgroup.max.descendants", 1)
            with suppress(FileNotFoundError):  # a kernel without swap
                group._set("memory.swap.max", 0)
            os.mkdir(os.path.join(group.path, _INSIDE))
        except OSError:
            group.remove()
            raise
        return group

    def add(self, pid: int) -> None:
        """Move a process into it; 0 is the caller. Children that it has already stay where they are."""
        self._set(os.path.join(_INSIDE, "cgroup.procs"), pid)

    def kill(self) -> None:
        """Kill all that is in it, in one step: no fork escapes. They die soon after; see `remove`."""
        self._set("cgroup.kill", 1)

    def freeze(self, frozen: bool) -> None:
        """Let nothing in it run, or let it run again. It takes effect within milliseconds after the return."""
        self._set("cgroup.freeze", int(frozen))

    def cpu_usec(self) -> int:
        """CPU time of all that is or was in it, in microseconds."""
        return self._counts("cpu.stat")["usage_usec"]

    def events(self) -> tuple[int, int]:
        """How many of its processes were killed for lack of memory, how often one more was refused.

        The first is fault `resource_memory`. The second is `resource_pids` if the bot then fails: a runtime
        may cope with fewer threads. Those that were killed since the whole machine had no memory are not
        counted, see `starved`.
        """
        killed, reached = self._killed()
        return killed if reached else 0, self._counts("pids.events")["max"]

    def starved(self) -> int:
        """How many of its processes were killed although it kept its limit, which is not the bot's fault."""
        killed, reached = self._killed()
        return 0 if reached else killed

    def _killed(self) -> tuple[int, bool]:
        memory = self._counts("memory.events")
        return memory["oom_kill"], memory["oom"] > 0

    def peak(self) -> int | None:
        """The most memory that it has had, in bytes; None on a kernel before 5.19."""
        try:
            return int(self._get("memory.peak"))
        except FileNotFoundError:
            return None

    def remove(self) -> bool:
        """End what is in it, wait for that, and remove it; False where something is stuck (`PATIENCE`)."""
        pause = 0.001
        deadline = time.monotonic() + PATIENCE
        with suppress(FileNotFoundError):
            self.kill()
        while not _removed(self.path):
            if time.monotonic() > deadline:
                return False
            time.sleep(pause)
            pause = min(2 * pause, 0.05)
        return True

    def _set(self, name: str, value: int) -> None:
        _write(os.path.join(self.path, name), str(value))

    def _get(self, name: str) -> str:
        return _read(os.path.join(self.path, name))

    def _counts(self, name: str) -> dict[str, int]:
        """A file of lines of a name and a number."""
        return {key: int(count) for key, count in map(str.split, self._get(name).splitlines())}


def delegated() -> str:
    """A folder in which this process can make groups; found by making one and putting a process into it.

    It is the group of this process, where that is ours alone: then this process moves into a group below
    it, so it has no children yet. Or, for root, it is the root of the file system. Removes what arenas that
    were killed have left there. Raises Unavailable.
    """
    root = _mount()
    controllers = _read(os.path.join(root, "cgroup.controllers")).split()
    for name in ("memory", "pids"):
        if name not in controllers:
            raise Unavailable(
                f"cgroup v2 {name} controller not available",
                "boot with kernel parameters systemd.unified_cgroup_hierarchy=1 and cgroup_enable=memory",
            )
    refusals = []
    for folder in dict.fromkeys((_own(root), root)):
        try:
            _prepare(folder, everything=folder == root)
            _try(folder)
            _sweep(folder)
            return folder
        except OSError as error:
            refusals.append(error)
    raise _unavailable(refusals[0])


def _mount() -> str:
    """Where cgroup2 is mounted."""
    for line in _read("/proc/self/mounts").splitlines():
        _, folder, kind, *_ = line.split()
        if kind == "cgroup2":
            return folder
    raise Unavailable("cgroup v2 is not mounted", "mount -t cgroup2 none /sys/fs/cgroup")


def _own(root: str) -> str:
    """The folder of our own group; of its parent, where we have been moved already."""
    path = next(line[3:] for line in _read("/proc/self/cgroup").splitlines() if line.startswith("0::"))
    folder = (root + path).rstrip("/")
    return os.path.dirname(folder) if os.path.basename(folder) == LEAF else folder


def _prepare(folder: str, everything: bool) -> None:
    """Have groups below `folder` counted and limited."""
    control = os.path.join(folder, "cgroup.subtree_control")
    try:
        _write(control, "+memory +pids")
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise
        _move_down(folder, everything)
        _write(control, "+memory +pids")
    # An equal share of a busy CPU for each bot, however many threads; real-time processes forbid it.
    with suppress(OSError):
        _write(control, "+cpu")


def _move_down(folder: str, everything: bool) -> None:
    """Move what is in `folder` into a group below it.

    A root that may not have processes is a container's, and the arena's to arrange. In another group a strange
    process shows that it was not made for us: a login, say, which the system may take back.
    """
    pids = _read(os.path.join(folder, "cgroup.procs")).split()
    if not everything and pids != [str(os.getpid())]:
        raise OSError(errno.EBUSY, "other processes are in it", folder)
    leaf = os.path.join(folder, LEAF)
    with suppress(FileExistsError):
        os.mkdir(leaf)
    for pid in pids:
        with suppress(ProcessLookupError):
            _write(os.path.join(leaf, "cgroup.procs"), pid)


def _try(folder: str) -> None:
    """Make a group, have a process go in, and end it."""
    group = Group.make(folder, "trial", 64, 8)
    try:
        door = os.path.join(group.path, _INSIDE, "cgroup.procs")
        shell = os.posix_spawn("/bin/sh", ["sh", "-c", 'echo 0 >"$0"', door], {})
        if os.waitpid(shell, 0)[1]:
            raise PermissionError(errno.EACCES, "no process can be moved", group.path)
        group.kill()
    finally:
        group.remove()


def _unavailable(error: OSError) -> Unavailable:
    """What a refusal of the kernel means."""
    where = error.filename
    if error.errno == errno.EROFS:
        return Unavailable(f"{where} is read-only", "give the container a writable /sys/fs/cgroup")
    if error.errno == errno.EBUSY:
        return Unavailable("other processes are in the arena's own cgroup", _DELEGATE)
    if os.path.basename(where or "") == "cgroup.kill":
        return Unavailable("cgroup.kill is missing", "Linux 5.14 or newer is needed")
    return Unavailable(f"no cgroup is delegated to this user ({os.strerror(error.errno or 0)})", _DELEGATE)


def _sweep(folder: str) -> None:
    """Remove the empty groups of processes that are no more."""
    for name in os.listdir(folder):
        if name.startswith(PREFIX) and not os.path.exists(f"/proc/{name.split('-')[1]}"):
            _removed(os.path.join(folder, name))


def _removed(path: str) -> bool:
    """Whether a group is gone; it is not while there are processes in it."""
    try:
        for folder in (os.path.join(path, _INSIDE), path):
            with suppress(FileNotFoundError):
                os.rmdir(folder)
    except OSError as error:
        if error.errno != errno.EBUSY:
            raise
        return False
    return True


def _read(path: str) -> str:
    with open(path) as file:
        return file.read()


def _write(path: str, text: str) -> None:
    """In one system call, whose refusal names the file."""
    fd = os.open(path, os.O_WRONLY)
    try:
        os.write(fd, text.encode())
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
    finally:
        os.close(fd)
