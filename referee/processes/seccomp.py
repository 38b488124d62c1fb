"""The filter of system calls: what no bot in any language needs, and what reaches past its own processes.

A list of what is denied: what C, C++, C#, Go, Java, JavaScript, Lua, Perl, Python, Ruby, Rust and bash do at
work was tried with it. Denied calls fail with EPERM, as if the user had no right to them; calls of another
architecture end the process (SIGSYS).
"""

from __future__ import annotations

import errno
import socket
import struct
from collections.abc import Iterable

from referee.processes.system import ARM

DENIED: dict[str, tuple[int, int]] = {
    # name: number on x86_64, on aarch64; -1: there is none
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "kcmp": (312, 272),
    "pidfd_getfd": (438, 438), "process_madvise": (440, 440), "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426), "io_uring_register": (427, 427), "keyctl": (250, 219), "add_key": (248, 217),
    "request_key": (249, 218), "bpf": (321, 280), "perf_event_open": (298, 241), "userfaultfd": (323, 282),
    "unshare": (272, 97), "setns": (308, 268), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41),
    "chroot": (161, 51), "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432),
    "fspick": (433, 433), "move_mount": (429, 429), "open_tree": (428, 428), "mount_setattr": (442, 442),
    "swapon": (167, 224), "swapoff": (168, 225), "reboot": (169, 142), "init_module": (175, 105),
    "finit_module": (313, 273), "delete_module": (176, 106), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "open_by_handle_at": (304, 265), "name_to_handle_at": (303, 264),
    "shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190), "semop": (65, 193),
    "semctl": (66, 191), "semtimedop": (220, 192), "msgget": (68, 186), "msgsnd": (69, 189), "msgrcv": (70, 188),
    "msgctl": (71, 187), "inotify_init": (253, -1), "inotify_init1": (294, 26), "fanotify_init": (300, 262), "mq_open": (240, 180), "mq_unlink": (241, 181), "flock": (73, 32),
    "setpriority": (141, 140), "sched_setaffinity": (203, 122), "sched_setattr": (314, 274),
    "ioprio_set": (251, 30), "personality": (135, 92), "syslog": (103, 116), "acct": (163, 89),
    "quotactl": (179, 60), "lookup_dcookie": (212, 18), "vhangup": (153, 58), "memfd_secret": (447, 447),
    "iopl": (172, -1), "ioperm": (173, -1), "modify_ldt": (154, -1), "setdomainname": (171, 162),
    "sethostname": (170, 161), "settimeofday": (164, 170), "clock_settime": (227, 112),
}  # fmt: skip
OF_FILES: dict[str, tuple[int, int]] = {
    "chmod": (90, -1), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, -1),
    "fchown": (93, 55), "lchown": (94, -1), "fchownat": (260, 54), "setxattr": (188, 5), "lsetxattr": (189, 6),
    "fsetxattr": (190, 7), "setxattrat": (463, 463), "removexattr": (197, 14), "lremovexattr": (198, 15),
    "fremovexattr": (199, 16), "removexattrat": (466, 466), "utime": (132, -1), "utimes": (235, -1),
    "futimesat": (261, -1), "utimensat": (280, 88),
}  # fmt: skip
"""What Landlock does not know: modes, owners, times and attributes of whatever file the user has."""
_ARCHITECTURE = 0xC00000B7 if ARM else 0xC000003E
_CLONE, _CLONE3, _SOCKET, _PRLIMIT, _MEMFD = (220, 435, 198, 261, 279) if ARM else (56, 435, 41, 302, 319)
_FCNTL, _SETSOCKOPT = (25, 208) if ARM else (72, 54)
_LOCKS = (5, 6, 7, 36, 37, 38, 1024, 1026)
"""Commands of fcntl: locks of parts of files, leases, and to be told of a change."""
_NAMESPACES = 0x7E020000
"""The flags of clone that make them."""
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000
_SOL_SOCKET, _BUFFERS = 1, (7, 8)
"""Level and options of setsockopt that make a socket's buffers larger."""
_NUMBER, _MACHINE, _FIRST, _SECOND, _THIRD = 0, 4, 16, 24, 32
"""Where the call's number, the architecture and the lower halves of the first arguments are."""


def _step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("HBBI", code, yes, no, value)


def _when(number: int, *steps: bytes) -> bytes:
    """Instructions for one system call; the others pass them by."""
    return _step(_EQUAL, number, 0, len(steps)) + b"".join(steps)


_DENY = _step(_RETURN, _FAIL | errno.EPERM)
_UNKNOWN = _step(_RETURN, _FAIL | errno.ENOSYS)
_AGAIN = _step(_LOAD, _NUMBER)
_PRETEND = (
    _step(_LOAD, _SECOND), _step(_EQUAL, _SOL_SOCKET, 0, 4), _step(_LOAD, _THIRD), _step(_EQUAL, _BUFFERS[0], 1, 0),
    _step(_EQUAL, _BUFFERS[1], 0, 1), _step(_RETURN, _FAIL), _AGAIN,
)  # fmt: skip
"""A larger buffer is granted in words: who asks for one can do without."""


def program(families: Iterable[int], memfd: bool, locks: bool, outside: bool) -> bytes:
    """The filter: sockets of `families` alone; anonymous files and large buffers of sockets (`memfd`) or none, where
    nobody counts them.

    `outside`: files of the user's are in sight, and must not be changed.

    `locks`: of files, which a compiler wants; two bots could tell each other something by those on files of the system.
    """
    known = list(families)
    steps = [
        _step(_LOAD, _MACHINE), _step(_EQUAL, _ARCHITECTURE, 1, 0), _step(_RETURN, _KILL), _AGAIN,
    ]  # fmt: skip
    if not ARM:  # the calls of x32
        steps += [_step(_AT_LEAST, 0x40000000, 0, 1), _step(_RETURN, _KILL)]
    known_calls = DENIED | OF_FILES if outside else DENIED
    denied = [numbers for name, numbers in known_calls.items() if not (locks and name == "flock")]
    steps += [_when(numbers[ARM], _DENY) for numbers in denied if numbers[ARM] >= 0]
    steps.append(_when(_CLONE3, _UNKNOWN))  # its flags lie in memory; libraries fall back on clone
    if not locks:
        steps.append(_when(_FCNTL, _step(_LOAD, _SECOND), *_none_of(_LOCKS), _AGAIN))
    if not memfd:
        steps += [_when(_MEMFD, _UNKNOWN), _when(_SETSOCKOPT, *_PRETEND)]
    steps += [
        _when(_CLONE, _step(_LOAD, _FIRST), _step(_ANY_BIT, _NAMESPACES, 0, 1), _DENY, _AGAIN),
        _when(_PRLIMIT, _step(_LOAD, _FIRST), _step(_EQUAL, 0, 1, 0), _DENY, _AGAIN),
        _when(_SOCKET, _step(_LOAD, _FIRST), *_one_of(known), _DENY, _AGAIN),
        _step(_RETURN, _ALLOW),
    ]
    return b"".join(steps)


def _one_of(families: list[int]) -> list[bytes]:
    """Jumps over one instruction, which comes after them, where the value is one of `families`."""
    left = len(families)
    return [_step(_EQUAL, family, left - n, 0) for n, family in enumerate(families)]


def _none_of(values: tuple[int, ...]) -> list[bytes]:
    """Refuses where the value is one of `values`."""
    return [step for value in values for step in (_step(_EQUAL, value, 0, 1), _DENY)]


UNIX, INTERNET = (int(socket.AF_UNIX),), (int(socket.AF_INET), int(socket.AF_INET6))
