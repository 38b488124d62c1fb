"""The sandbox around one bot, put on in three steps of its start: by its keeper, by its init, by itself.

With namespaces it sees a root file system of its own, in memory: what every bot may read, its own files, and
scratch of a bounded size that is gone with it; of processes its own alone; of the network nothing, or a
loopback of its own with the arena at one port. Landlock and the filter of system calls say the same once
more: namespaces leave side channels open that filters close (keyrings, io_uring, locks), and filters leave
paths open that namespaces close. Where there are no namespaces the filters stand alone.
"""
# pathlib would add milliseconds to the start of every spawner:
# ruff: noqa: PTH101, PTH103, PTH110, PTH112, PTH114, PTH115, PTH118, PTH120, PTH123, PTH211

from __future__ import annotations

import fcntl
import os
import resource
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from referee.processes import seccomp, system
from referee.processes.cgroups import Group

FIRST_USER = 1_000_000
"""Added to the number of a keeper's process, where the arena is root: a user that nobody else is."""
OPEN_FILES = 256
"""Of a bot's process. The kernel counts descriptors that are on their way for each user, who has more for itself."""
OPEN_BY_BUILD = 4096
DEVICES = (b"null", b"zero", b"full", b"random", b"urandom")
OUTSIDE = (b"/dev/null", b"/dev/zero", b"/dev/full", b"/dev/random", b"/dev/urandom")
PROC = ("self", "stat", "meminfo", "cpuinfo", "uptime", "loadavg", "version", "filesystems", "mounts", "sys")
"""What a runtime looks up there, where a bot has no /proc of its own."""
ACCOUNTS = {
    b"etc/passwd": b"root:x:0:0::/:/bin/false\nbot:x:%d:%d::/tmp:/bin/sh\n",
    b"etc/group": b"root:x:0:\nbot:x:%d:\n",
}
_SIOCSIFFLAGS, _IFF_UP = 0x8914, 1


class Refused(Exception):
    """The system does not let a layer be put on. `line`: the layer, a blank, the errno."""

    def __init__(self, layer: str, number: int) -> None:
        super().__init__(layer)
        self.line = b"%s %d" % (layer.encode(), number)


@contextmanager
def _layer(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise Refused(name, error.errno or 0) from None


class Cage:
    """One bot's sandbox, by an order of `kept`; `layers` are of `sandbox.Sandbox`, without versions."""

    def __init__(self, order: dict[str, Any], folder: bytes, cwd: bytes) -> None:
        self._layers: list[str] = order["layers"]
        self._readable: list[bytes] = order["readable"]
        self._hidden: list[bytes] = order["hidden"]
        self._writable: list[bytes] = order["writable"]
        self._memory_mb: int = order["memory_mb"]
        self._pids: int = order["pids"]
        self._scratch_mb: int = order["scratch_mb"]
        self._cgroup: str = order["cgroup"]
        self._port: int = order["port"]
        self._reaches: tuple[int, ...] = order["reaches"]
        self._folder = folder
        self._cwd = cwd
        self._group: Group | None = None
        self._user = os.getuid() or FIRST_USER + os.getpid()
        self.has_init = "namespaces" in self._layers
        watched = "memory-watched" in self._layers
        self.watched_bytes = self._memory_mb << 20 if watched else 0
        """What its processes may hold together, where somebody has to look; 0: nobody has."""

    # by the keeper

    def prepare(self) -> None:
        """Before the bot is forked. Raises Refused."""
        if self._cgroup:
            with _layer("cgroup"):
                name = f"bot{os.getpid()}"
                self._group = Group.make(self._cgroup, name, self._memory_mb, self._pids)
        if self.has_init:
            with _layer("namespaces"):
                if os.getuid() == 0:
                    system.unshare(system.CLONE_NEWPID)
                else:
                    _become_own_user()

    def remove(self) -> bytes:
        """After its last process: what it used too much of, or the machine had too little of, if its group knows."""
        if self._group is None:
            return b""
        ooms, forks = self._group.events()
        starved = self._group.starved()
        self._group.remove()
        return b"machine" if starved else b"memory" if ooms else b"pids" if forks else b""

    # by the first process of its namespaces

    def build(self, control: int) -> None:
        """Make what the bot sees, send a listening socket over `control` where it wants one, drop all rights."""
        self._join()
        with _layer("namespaces"):
            network = 0 if self._reaches else system.CLONE_NEWNET
            system.unshare(system.CLONE_NEWNS | network | system.CLONE_NEWIPC | system.CLONE_NEWUTS)
            self._build_root()
            if not self._reaches:
                socket.sethostname("bot")
            if self._port:
                _listen(self._port, control)
        with _layer("user"):
            if os.getuid() == 0:
                os.setgroups([])
                os.setresgid(self._user, self._user, self._user)
                os.setresuid(self._user, self._user, self._user)
            else:
                system.drop_capabilities()
            system.hide_memory()

    def _build_root(self) -> None:
        root = self._folder
        meeting = _open_socket(root)
        kept = [(path, os.open(path, os.O_PATH)) for path in self._writable]
        system.mount("none", b"/", "", system.MS_REC | system.MS_PRIVATE)
        sealed = system.MS_NOSUID | system.MS_NODEV
        system.mount("tmpfs", root, "tmpfs", sealed, "size=1m,mode=755")
        self._mount_scratch(root, b"/tmp")
        self._build_devices(root)
        _make_folder(root, b"/proc")
        system.mount("proc", root + b"/proc", "proc", sealed | system.MS_NOEXEC)
        for path in _outermost(self._readable):
            _show(root, path)
        for path in filter(os.path.isdir, self._hidden):
            if os.path.isdir(root + path):
                system.mount("tmpfs", root + path, "tmpfs", sealed, "size=1m,mode=755")
        if not os.path.lexists(root + self._cwd):
            _show(root, self._cwd)
        if not root.startswith(b"/tmp/"):
            self._mount_scratch(root, root)
        here = _make_folder(root, root)
        os.chown(here, self._user, self._user)
        if meeting >= 0:
            open(here + b"/s", "x").close()
            system.mount(f"/proc/self/fd/{meeting}", here + b"/s", "", system.MS_BIND)
        for path, fd in kept:
            system.mount(f"/proc/self/fd/{fd}", _make_folder(root, path), "", system.MS_BIND)
            system.restrict_mount(root + path, system.MOUNT_ATTR_NOSUID | system.MOUNT_ATTR_NODEV)
            self._own(root + path)
        self._write_accounts(root)
        system.pivot_root(root)
        system.restrict_mount(b"/", system.MOUNT_ATTR_RDONLY, recursive=False)

    def _own(self, folder: bytes) -> None:
        """Give all in `folder` to the bot's user."""
        for here, folders, files in os.walk(folder):
            for name in (b"", *folders, *files):
                os.chown(os.path.join(here, name), self._user, self._user, follow_symlinks=False)

    def _mount_scratch(self, root: bytes, path: bytes) -> None:
        options = f"size={self._scratch_mb}m,nr_inodes={self._scratch_mb << 8},mode=1777"
        sealed = system.MS_NOSUID | system.MS_NODEV
        system.mount("tmpfs", _make_folder(root, path), "tmpfs", sealed, options)

    def _build_devices(self, root: bytes) -> None:
        _make_folder(root, b"/dev")
        for name in DEVICES:
            _show(root, b"/dev/" + name, attributes=0)
        self._mount_scratch(root, b"/dev/shm")
        for name, target in ((b"fd", b""), (b"stdin", b"/0"), (b"stdout", b"/1"), (b"stderr", b"/2")):
            os.symlink(b"/proc/self/fd" + target, root + b"/dev/" + name)

    def _write_accounts(self, root: bytes) -> None:
        for name, text in ACCOUNTS.items():
            path = os.path.join(root, name)
            _make_folder(root, b"/etc")
            with open(path, "wb") as file:
                file.write(text % ((self._user,) * text.count(b"%d")))

    def _join(self) -> None:
        if self._group is not None:
            with _layer("cgroup"):
                self._group.add(0)

    # by the bot's own process, before it becomes its program

    def shut(self) -> None:
        """Let go of what is left, for good. Raises Refused."""
        if not self.has_init:
            self._join()
        with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")  # who must die for lack of memory is the bot, not its keeper
        if "rlimits" in self._layers:
            with _layer("rlimits"):
                self._limit()
        with _layer("no-new-privileges"):
            system.forbid_new_privileges()
        if "landlock" in self._layers:
            with _layer("landlock"):
                self._forbid_files()
        if "seccomp" in self._layers:
            with _layer("seccomp"):
                # Sockets of files outside would lead to the user's session; with namespaces there are none in sight.
                families: tuple[int, ...] = seccomp.UNIX if self.has_init else ()
                families += seccomp.INTERNET if self._reaches or self._port else ()
                builds = bool(self._writable)  # which takes locks and sets modes
                program = seccomp.program(
                    families,
                    memfd=not self.watched_bytes,
                    locks=builds,
                    outside=not self.has_init and not builds,
                )
                system.install_filter(program)

    def _limit(self) -> None:
        scratch = self._scratch_mb << 20
        files = OPEN_BY_BUILD if self._writable else OPEN_FILES
        wanted = {resource.RLIMIT_FSIZE: scratch, resource.RLIMIT_NOFILE: files}
        if self.has_init:  # else it would count the user's other processes, too
            wanted[resource.RLIMIT_NPROC] = self._pids + 2
        for which, most in wanted.items():
            hard = resource.getrlimit(which)[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(which, (most, most))

    def _forbid_files(self) -> None:
        rules = system.Landlock()
        for path in (self._folder, *self._writable):
            rules.allow(path, system.ALL)
        for device in OUTSIDE:
            rules.allow(device, system.READ_FILE | system.WRITE_FILE)
        if self.has_init:
            rules.allow("/", system.READ)
            rules.allow("/tmp", system.ALL)
            rules.allow("/dev/shm", system.ALL)
        else:
            for path in (*self._readable, self._cwd):
                if not any(hidden.startswith(path + b"/") for hidden in self._hidden):
                    rules.allow(path, system.READ)
            for name in PROC:
                rules.allow(f"/proc/{name}", system.READ)
        for port in (*self._reaches, *filter(None, [self._port])):
            rules.allow_connect(port)
        rules.enforce()


def _become_own_user() -> None:
    """Namespaces of users and of processes in which this user has all rights, and is still itself."""
    user, group = os.getuid(), os.getgid()
    system.unshare(system.CLONE_NEWUSER | system.CLONE_NEWPID)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def _listen(port: int, control: int) -> None:
    """A socket at `port` of a loopback that is only the bot's, for whoever is at the other end of `control`."""
    with socket.socket() as listener:
        request = struct.pack("16sh14x", b"lo", _IFF_UP)
        fcntl.ioctl(listener, _SIOCSIFFLAGS, request)
        listener.bind(("127.0.0.1", port))
        listener.listen(8)
        with socket.socket(fileno=os.dup(control)) as teller:
            socket.send_fds(teller, [b"l"], [listener.fileno()])


def _open_socket(folder: bytes) -> int:
    """The arena's socket in the bot's folder, whoever of the bot's users may come; -1 where there is none."""
    path = folder + b"/s"
    if not os.path.exists(path):
        return -1
    os.chmod(path, 0o777)
    return os.open(path, os.O_PATH)


def _make_folder(root: bytes, path: bytes) -> bytes:
    folder = root + path
    os.makedirs(folder, 0o755, exist_ok=True)
    return folder


def _outermost(paths: list[bytes]) -> Iterator[bytes]:
    """Those that are not within another of them, in order; each exists."""
    shown: list[bytes] = []
    for path in sorted({os.path.normpath(path) for path in paths}):
        if not any(path.startswith(other + b"/") for other in shown) and os.path.lexists(path):
            shown.append(path)
            yield path


def _show(root: bytes, path: bytes, attributes: int = -1) -> None:
    """Let the bot see `path`, read-only, where it is outside, too."""
    target = root + path
    os.makedirs(os.path.dirname(target), 0o755, exist_ok=True)
    if os.path.islink(path):
        os.symlink(os.readlink(path), target)
        return
    if os.path.isdir(path):
        os.makedirs(target, 0o755, exist_ok=True)
    else:
        open(target, "x").close()
    system.mount(path, target, "", system.MS_BIND | system.MS_REC)
    wanted = system.MOUNT_ATTR_RDONLY | system.MOUNT_ATTR_NOSUID | system.MOUNT_ATTR_NODEV
    system.restrict_mount(target, wanted if attributes < 0 else attributes or system.MOUNT_ATTR_NOSUID)
