"""Calls of the Linux kernel that Python's library does not have, each as a function that raises OSError."""

from __future__ import annotations

import ctypes
import os
import platform
import struct
from typing import Any

_libc = ctypes.CDLL(None, use_errno=True)
ARM = platform.machine() == "aarch64"

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MNT_DETACH = 2
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID, MOUNT_ATTR_NODEV = 1, 2, 4
_AT_RECURSIVE, _AT_FDCWD = 0x8000, -100
_PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 4, 24, 38
_MOUNT_SETATTR, _PIVOT_ROOT, _CAPSET = 442, (41 if ARM else 155), (91 if ARM else 126)
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_SECCOMP = 277 if ARM else 317


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def _call(what: str, number: int, *arguments: Any) -> int:
    return _checked(_libc.syscall(ctypes.c_long(number), *arguments), what)


def _prctl(option: int, *values: int) -> None:
    padded = (*values, 0, 0, 0, 0)[:4]
    _checked(_libc.prctl(option, *map(ctypes.c_ulong, padded)), "prctl")


def unshare(flags: int) -> None:
    """Leave namespaces for new ones."""
    _checked(_libc.unshare(flags), "unshare")


def mount(source: str | bytes, target: bytes, kind: str = "", flags: int = 0, options: str = "") -> None:
    """mount(2); empty texts are null pointers."""
    texts = [os.fsencode(text) or None for text in (source, target, kind, options)]
    _checked(_libc.mount(texts[0], texts[1], texts[2], ctypes.c_ulong(flags), texts[3]), "mount")


def restrict_mount(target: bytes, attributes: int, recursive: bool = True) -> None:
    """Set attributes of a mount, and of those below it; those that are set stay."""
    wanted = struct.pack("QQQQ", attributes, 0, 0, 0)
    flags = _AT_RECURSIVE if recursive else 0
    _call("mount_setattr", _MOUNT_SETATTR, _AT_FDCWD, target, flags, wanted, ctypes.c_size_t(len(wanted)))


def pivot_root(root: bytes) -> None:
    """Make `root`, a mount point, the root; nothing of what was above it can be reached."""
    os.chdir(root)
    _call("pivot_root", _PIVOT_ROOT, b".", b".")
    _checked(_libc.umount2(b".", MNT_DETACH), "umount2")
    os.chdir("/")


def drop_capabilities() -> None:
    """All of them, for this process and whatever it starts."""
    for number in range(64):
        try:
            _prctl(_PR_CAPBSET_DROP, number)
        except OSError:  # the kernel knows no more of them, or we may not: then we have none
            break
    header, nothing = struct.pack("Ii", 0x20080522, 0), bytes(24)
    _call("capset", _CAPSET, header, nothing)


def hide_memory() -> None:
    """Let nobody of the same user look into this process (/proc/PID/mem, environ, fd)."""
    _prctl(_PR_SET_DUMPABLE, 0)


def forbid_new_privileges() -> None:
    """No setuid program and no file capability gives more to this process or its descendants."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)


# Landlock (source: the kernel's userspace-api/landlock)

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
_MAKE_DEVICES = 1 << 6 | 1 << 11
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | _TRUNCATE | _IOCTL_DEV
_CONNECT_TCP = 2
READ = EXECUTE | READ_FILE | READ_DIR
ALL = -1


def landlock_abi() -> int:
    """The kernel's version of Landlock; OSError where there is none, or it is switched off."""
    return _call("landlock", _LANDLOCK_CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(1))


class Landlock:
    """Rules of what this process, and whatever it starts, may still do to files, ports and other processes."""

    def __init__(self) -> None:
        abi = landlock_abi()
        self._files = (1 << 13) - 1 | (_REFER if abi >= 2 else 0) | (_TRUNCATE if abi >= 3 else 0)
        self._files |= _IOCTL_DEV if abi >= 5 else 0
        self._has_ports = abi >= 4
        scopes = 3 if abi >= 6 else 0
        size = 8 if abi < 4 else 16 if abi < 6 else 24
        rules = struct.pack("QQQ", self._files, 3 if self._has_ports else 0, scopes)[:size]
        self._fd = _call("landlock", _LANDLOCK_CREATE, rules, ctypes.c_size_t(size), ctypes.c_uint32(0))

    def allow(self, path: str | bytes, access: int) -> None:
        """Allow `access` below `path`; nothing where there is no such path."""
        try:
            fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            return
        access = self._files & ~(_MAKE_DEVICES | _IOCTL_DEV) if access == ALL else access & self._files
        if not os.path.isdir(f"/proc/self/fd/{fd}") and not os.path.isdir(path):  # noqa: PTH112
            access &= _OF_FILES
        self._add(1, struct.pack("=Qi", access, fd))
        os.close(fd)

    def allow_connect(self, port: int) -> None:
        """Allow to connect to a TCP port."""
        if self._has_ports:
            self._add(2, struct.pack("=QQ", _CONNECT_TCP, port))

    def _add(self, kind: int, rule: bytes) -> None:
        _call("landlock", _LANDLOCK_ADD, ctypes.c_int(self._fd), ctypes.c_int(kind), rule, ctypes.c_uint32(0))

    def enforce(self) -> None:
        """From now on, for good. The process has forbidden itself new privileges before."""
        _call("landlock", _LANDLOCK_RESTRICT, ctypes.c_int(self._fd), ctypes.c_uint32(0))
        os.close(self._fd)


def install_filter(program: bytes) -> None:
    """A seccomp filter, of instructions of 8 bytes, for good. New privileges were forbidden before."""

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))

    buffer = ctypes.create_string_buffer(program, len(program))
    wanted = Program(len(program) // 8, ctypes.addressof(buffer))
    _call("seccomp", _SECCOMP, ctypes.c_uint(1), ctypes.c_uint(0), ctypes.byref(wanted))
