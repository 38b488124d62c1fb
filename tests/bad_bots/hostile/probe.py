# expect: nothing
"""Plays well, and tries on its second turn what a bot shall not be able to do.

Says for each attempt `attempt NAME: yes`, or `no` with the reason. What there is, HOSTILE_FACTS tells it.
"""

import ctypes
import errno
import fcntl
import json
import os
import platform
import resource
import signal
import socket
import struct
import sys
import termios
from contextlib import suppress
from pathlib import Path

from tests.bad_bots.bare import follow, hello, move, say

FACTS = json.loads(os.environ["HOSTILE_FACTS"])
OTHER, REFEREE = FACTS["other"], FACTS["referee"]
NUMBERS = {  # x86_64, aarch64
    "bpf": (321, 280), "io_uring_setup": (425, 425), "keyctl": (250, 219), "name_to_handle_at": (303, 264),
    "perf_event_open": (298, 241), "pidfd_getfd": (438, 438), "process_vm_readv": (310, 270),
    "userfaultfd": (323, 282), "kcmp": (312, 272),
}  # fmt: skip
PTRACE_ATTACH, PTRACE_DETACH = 16, 17
PR_GET_NO_NEW_PRIVS = 39
KEYCTL_GET_KEYRING_ID, USER_KEYRING = 0, -4
CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
PRIO_PROCESS = 0
libc = ctypes.CDLL(None, use_errno=True)
attempts = {}


def attempt(name):
    """A decorator: `name` is done where the function returns something true, and raises nothing."""

    def keep(function):
        attempts[name] = function
        return function

    return keep


def checked(result):
    """The result of a C function. OSError where it failed."""
    if result < 0:
        raise OSError(ctypes.get_errno(), "")
    return result


def call(name, *arguments):
    """A system call by its number."""
    number = NUMBERS[name][platform.machine() != "x86_64"]
    words = (ctypes.c_long(word) if isinstance(word, int) else word for word in arguments)
    return checked(libc.syscall(ctypes.c_long(number), *words))


def is_there(name, *arguments):
    """Whether the kernel looks at the arguments of a call, whatever it then says of them."""
    try:
        call(name, *arguments)
    except OSError as error:
        if error.errno in (errno.EPERM, errno.ENOSYS, errno.EACCES):
            raise
    return True


def in_child(function):
    """Whether `function` succeeds in a child."""
    pid = os.fork()
    if pid == 0:
        with suppress(OSError):
            os._exit(0 if function() else 1)
        os._exit(1)
    return os.waitpid(pid, 0)[1] == 0


# other programs


@attempt("list other programs")
def _():
    return Path("/proc", str(OTHER)) in list(Path("/proc").iterdir())


@attempt("read another's command line")
def _():
    return b"sleeper" in Path(f"/proc/{OTHER}/cmdline").read_bytes()


@attempt("read another's environment")
def _():
    return b"ARENA_TOKEN=" in Path(f"/proc/{OTHER}/environ").read_bytes()


@attempt("read another's descriptors")
def _():
    return [path.readlink() for path in Path(f"/proc/{OTHER}/fd").iterdir()]


@attempt("open another's memory")
def _():
    with Path(f"/proc/{OTHER}/mem").open("rb", 0) as memory:
        return os.pread(memory.fileno(), 16, heap())


def heap():
    """An address of the other's memory."""
    lines = Path(f"/proc/{OTHER}/maps").read_text().splitlines()
    return next(int(line.split("-")[0], 16) for line in lines if "[heap]" in line)


@attempt("copy another's memory")
def _():
    buffer = ctypes.create_string_buffer(16)
    ours = struct.pack("NN", ctypes.addressof(buffer), 16)
    theirs = struct.pack("NN", heap(), 16)
    return call("process_vm_readv", OTHER, ours, 1, theirs, 1, 0) == 16


@attempt("take another's descriptor")
def _():
    return call("pidfd_getfd", os.pidfd_open(OTHER), 0, 0) >= 0


@attempt("read its keeper's environment")
def _():
    return Path(f"/proc/{os.getppid()}/environ").read_bytes() is not None


@attempt("read its keeper's descriptors")
def _():
    return [path.readlink() for path in Path(f"/proc/{os.getppid()}/fd").iterdir()]


@attempt("open its keeper's memory")
def _():
    Path(f"/proc/{os.getppid()}/mem").open("rb", 0).close()
    return True


@attempt("read the referee's environment")
def _():
    return Path(f"/proc/{REFEREE}/environ").read_bytes()


# files


@attempt("read the ledger")
def _():
    return Path(FACTS["ledger"]).read_bytes()


@attempt("write the ledger")
def _():
    with Path(FACTS["ledger"]).open("ab") as file:
        return file.write(b"x")


@attempt("read another bot's program")
def _():
    return Path(FACTS["program"]).read_bytes()


@attempt("list the other bots")
def _():
    return list(Path(FACTS["program"]).parents[1].iterdir())


@attempt("change its own program")
def _():
    with Path(__file__).open("ab") as file:
        return file.write(b"\n")


@attempt("read the operator's keys")
def _():
    return Path(FACTS["keys"]).read_bytes()


@attempt("see that a foreign file is there")
def _():
    return Path(FACTS["keys"]).stat().st_size


# what harms others


@attempt("signal another")
def _():
    os.kill(OTHER, 0)
    return True


@attempt("stop another")
def _():
    os.kill(OTHER, signal.SIGSTOP)
    os.kill(OTHER, signal.SIGCONT)
    return True


@attempt("signal the referee")
def _():
    os.kill(REFEREE, 0)
    return True


@attempt("signal its keeper")
def _():
    os.kill(os.getppid(), 0)
    return True


@attempt("leave its core")
def _():
    own = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count()))
    os.sched_setaffinity(0, own)
    return True


@attempt("take precedence")
def _():
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    return True


@attempt("trace another")
def _():
    checked(libc.ptrace(PTRACE_ATTACH, OTHER, 0, 0))
    os.waitpid(OTHER, 0x40000000)
    libc.ptrace(PTRACE_DETACH, OTHER, 0, 0)
    return True


@attempt("limit another")
def _():
    return resource.prlimit(OTHER, resource.RLIMIT_NOFILE)


@attempt("limit the referee")
def _():
    return resource.prlimit(REFEREE, resource.RLIMIT_NOFILE)


@attempt("move another to a core")
def _():
    os.sched_setaffinity(OTHER, os.sched_getaffinity(OTHER))
    return True


@attempt("make another nicer")
def _():
    os.setpriority(PRIO_PROCESS, OTHER, os.getpriority(PRIO_PROCESS, OTHER))
    return True


# the network


@attempt("reach a port of this machine")
def _():
    with socket.create_connection(("127.0.0.1", FACTS["port"]), 1):
        return True


@attempt("have a local service work for it")
def _():
    with socket.create_connection(("127.0.0.1", FACTS["port"]), 1) as line:
        line.sendall(b"do\n")
        return line.recv(10) == b"done"


@attempt("have a way out")
def _():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.connect(("192.0.2.1", 9))
        return line.getsockname()


@attempt("ask for a name")
def _():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        return line.sendto(bytes(12), ("192.0.2.1", 53))


@attempt("reach an abstract socket")
def _():
    with socket.socket(socket.AF_UNIX) as line:
        line.connect("\0" + FACTS["abstract"])
        return True


@attempt("reach a socket by its path")
def _():
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(FACTS["socket"])
        return True


@attempt("list the sockets of the machine")
def _():
    return FACTS["abstract"] in Path("/proc/net/unix").read_text()


# privileges


@attempt("gain by a setuid program")
def _():
    return libc.prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0


@attempt("be root")
def _():
    return os.geteuid() == 0 and "0 4294967295" in " ".join(Path("/proc/self/uid_map").read_text().split())


@attempt("make a setuid program")
def _():
    path = Path(os.environ["HOME"], "setuid")
    path.write_bytes(b"x")
    path.chmod(0o4755)
    return libc.prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0


# the kernel


@attempt("io_uring")
def _():
    return is_there("io_uring_setup", 2, ctypes.create_string_buffer(120))


@attempt("bpf")
def _():
    return is_there("bpf", 0, ctypes.create_string_buffer(120), 120)


@attempt("perf")
def _():
    attributes = ctypes.create_string_buffer(120)
    struct.pack_into("IIQ", attributes, 0, 1, 120, 0)
    return is_there("perf_event_open", attributes, 0, -1, -1, 0)


@attempt("userfaultfd")
def _():
    return is_there("userfaultfd", 0)


@attempt("keyrings")
def _():
    return is_there("keyctl", KEYCTL_GET_KEYRING_ID, USER_KEYRING, 0)


@attempt("file handles")
def _():
    handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0), 136)
    return is_there("name_to_handle_at", -100, b"/", handle, ctypes.create_string_buffer(4), 0)


@attempt("compare processes")
def _():
    return is_there("kcmp", os.getpid(), os.getppid(), 0, 0, 0)


@attempt("a user namespace")
def _():
    return in_child(lambda: checked(libc.unshare(CLONE_NEWUSER)) == 0)


@attempt("mount")
def _():
    def mounts():
        checked(libc.unshare(CLONE_NEWNS))
        return checked(libc.mount(b"none", b"/mnt", b"tmpfs", 0, None)) == 0

    return in_child(mounts)


@attempt("a socket to the host of this machine")
def _():
    socket.socket(40, socket.SOCK_STREAM).close()
    return True


@attempt("a socket to the kernel")
def _():
    socket.socket(16, socket.SOCK_RAW, 0).close()
    return True


@attempt("the kernel's log")
def _():
    os.close(os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK))
    return True


@attempt("settings of the kernel")
def _():
    os.close(os.open("/proc/sys/kernel/core_pattern", os.O_WRONLY))
    return True


# the terminal


@attempt("write on the operator's terminal")
def _():
    return os.write(os.open(FACTS["terminal"], os.O_WRONLY | os.O_NOCTTY), b"x")


@attempt("type on its own terminal")
def _():
    return fcntl.ioctl(os.open("/dev/tty", os.O_RDWR), termios.TIOCSTI, b"x") == 0


# ways to tell others something


@attempt("see /tmp of the machine")
def _():
    return Path(FACTS["mark"]).exists()


@attempt("see /dev/shm of the machine")
def _():
    return Path("/dev/shm", Path(FACTS["mark"]).name).exists()


@attempt("write outside its folder")
def _():
    path = Path(FACTS["mark"]).with_name(os.environ["HOSTILE_TAG"] + "-out")
    path.write_text("x")
    path.unlink()
    return Path(FACTS["mark"]).exists()


@attempt("attach shared memory")
def _():
    return checked(libc.shmget(int(os.environ["HOSTILE_KEY"]), 4096, 0)) >= 0


@attempt("lock a file of all")
def _():
    with Path(sys.executable).resolve().open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return True


# the seed


@attempt("find the seed")
def _():
    seed = FACTS["seed backwards"][::-1]
    found = False
    for process in Path("/proc").glob("[1-9]*"):
        for name in ("environ", "cmdline"):
            with suppress(OSError):
                found |= seed.encode() in (process / name).read_bytes()
    return found or any(seed in message for message in heard_so_far)


heard_so_far = []


def answer(heard):
    heard_so_far.append(json.dumps(heard))
    if heard["turn"] == 2:
        for name, function in attempts.items():
            try:
                said = "yes" if function() else "no"
            except (OSError, ValueError, StopIteration, AttributeError) as error:
                said = f"no ({errno.errorcode.get(getattr(error, 'errno', None), type(error).__name__)})"
            print(f"attempt {name}: {said}", file=sys.stderr, flush=True)
    say(move(heard))


say(hello())
follow(answer)
