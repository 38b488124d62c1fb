"""That nobody gets out of a group or raises its limits, and who may make one."""

import ctypes
import errno
from collections.abc import Callable
from pathlib import Path

from referee.processes.cgroups import Group, Unavailable, delegated

from .inside import ROOT, USER, become, told_by

NEW_MOUNTS, NEW_GROUPS, NEW_USER = 0x20000, 0x2000000, 0x10000000
PRIVATE = 1 << 18 | 1 << 14
libc = ctypes.CDLL(None, use_errno=True)


def in_scope(scope: Path, action: Callable[[], object]) -> str:
    """What `action` tells when the user does it, alone in the scope."""

    def enter() -> object:
        (scope / "cgroup.procs").write_text("0")
        become(USER)
        return action()

    return told_by(enter)


def answer(action: Callable[[], object]) -> str:
    """`ok`, or the name of the errno."""
    try:
        action()
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    return "ok"


def checked(result: int) -> None:
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")


def raising(folder: Path) -> list[str]:
    """What one in the group gets who wants more, or out."""
    return [
        answer(lambda: (folder / "memory.max").write_text("max")),
        answer(lambda: (folder / "pids.max").write_text("max")),
        answer(lambda: (ROOT / "cgroup.procs").write_text("0")),
        answer(lambda: (folder / "bot" / "cgroup.subtree_control").write_text("+memory")),
    ]


def test_another_user_can_neither_raise_nor_leave(parent: str) -> None:
    group = Group.make(parent, "test", 64, 8)

    def bot() -> object:
        group.add(0)
        become(USER)
        return raising(Path(group.path))

    try:
        assert told_by(bot) == str(["EACCES"] * 4)
    finally:
        assert group.remove()


def map_user() -> None:
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{USER} {USER} 1"),
        ("gid_map", f"{USER} {USER} 1"),
    ):
        Path("/proc/self", name).write_text(text)


def hide_groups() -> None:
    """As a sandbox does: no /sys, and no right to have it back."""
    checked(libc.unshare(NEW_USER | NEW_MOUNTS))
    map_user()
    checked(libc.mount(b"none", b"/", None, PRIVATE, None))
    checked(libc.mount(b"none", b"/sys", b"tmpfs", 0, None))
    for capability in range(64):
        libc.prctl(24, capability, 0, 0, 0)
    header, nothing = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    checked(libc.capset(header, nothing))


def mount_groups_anew() -> None:
    """By namespaces within the namespace, which nothing but a filter of system calls forbids."""
    checked(libc.unshare(NEW_USER | NEW_MOUNTS | NEW_GROUPS))
    map_user()
    checked(libc.mount(b"none", b"/tmp", b"cgroup2", 0, None))


def test_the_same_user_without_sys_can_neither_raise_nor_leave(scope: Path) -> None:
    def bot() -> object:
        group = Group.make(delegated(), "test", 64, 8)
        group.add(0)
        hide_groups()
        back = answer(lambda: checked(libc.umount2(b"/sys", 2)))
        again = answer(lambda: checked(libc.mount(b"none", b"/tmp", b"cgroup2", 0, None)))
        return [*raising(Path(group.path)), back, again]

    assert in_scope(scope, bot) == str(["ENOENT"] * 4 + ["EPERM"] * 2)


def test_the_same_user_with_groups_mounted_anew_does_not_see_its_limits(scope: Path) -> None:
    def bot() -> object:
        group = Group.make(delegated(), "test", 64, 8)
        group.add(0)
        hide_groups()
        mount_groups_anew()
        seen = [file.name for file in Path("/tmp").glob("*.max")]
        more = answer(lambda: Path("/tmp/cgroup.subtree_control").write_text("+memory"))
        deeper = answer(lambda: Path("/tmp/sub").mkdir())
        return seen, more, deeper

    assert in_scope(scope, bot) == str(([], "ENOENT", "EAGAIN"))


def test_root_has_the_root(parent: str) -> None:
    assert parent == str(ROOT)


def test_a_user_has_the_scope_in_which_he_is_alone(scope: Path) -> None:
    def arena() -> object:
        first, second = delegated(), delegated()
        group = Group.make(second, "test", 64, 8)
        return first == second == str(scope), Path("/proc/self/cgroup").read_text(), group.remove()

    assert in_scope(scope, arena) == str((True, "0::/scope/kingmaker\n", True))


def refusal() -> str:
    try:
        return delegated()
    except Unavailable as unavailable:
        return f"{unavailable} / {unavailable.remedy}"


def test_a_user_with_others_in_his_scope_is_told_how_to_be_alone(scope: Path) -> None:
    def shell() -> object:
        return told_by(refusal)  # a child of it is the arena

    said = in_scope(scope, shell)
    assert said.startswith("other processes are in the arena's own cgroup / ")
    assert "systemd-run --user --scope" in said
    assert not (scope / "kingmaker").exists()


def test_a_user_without_a_scope_is_told_how_to_have_one() -> None:
    def arena() -> object:
        become(USER)
        return refusal()

    said = told_by(arena)
    assert said.startswith("no cgroup is delegated to this user (Permission denied) / ")
    assert "Delegate=yes" in said


def test_a_container_whose_groups_are_read_only_is_told_so() -> None:
    def contained() -> object:
        checked(libc.unshare(NEW_MOUNTS))
        checked(libc.mount(b"none", b"/", None, PRIVATE, None))
        checked(libc.mount(b"none", str(ROOT).encode(), None, 1 | 32 | 4096, None))
        return refusal()

    said = told_by(contained)
    assert said.startswith("/sys/fs/cgroup/cgroup.subtree_control is read-only / ")
