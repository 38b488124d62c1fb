"""Groups as far as any machine has them; their limits are proved in `tests/uml`, on another kernel."""

import errno
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from referee.processes import cgroups
from referee.processes.cgroups import Group, Unavailable, delegated

from .watching import until


@pytest.fixture
def told(tmp_path: Path) -> Group:
    """A folder in which a test says what the kernel tells of a group."""
    (tmp_path / "memory.events").write_text("low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\noom_group_kill 0\n")
    (tmp_path / "pids.events").write_text("max 0\n")
    (tmp_path / "cpu.stat").write_text("usage_usec 1234\nuser_usec 1000\nsystem_usec 234\n")
    return Group(str(tmp_path))


def test_nothing_has_happened(told: Group) -> None:
    assert (told.events(), told.starved(), told.cpu_usec(), told.peak()) == ((0, 0), 0, 1234, None)


def test_killed_at_its_own_limit(told: Group, tmp_path: Path) -> None:
    (tmp_path / "memory.events").write_text("max 40\noom 1\noom_kill 3\noom_group_kill 1\n")
    (tmp_path / "memory.peak").write_text("67108864\n")
    assert (told.events(), told.starved(), told.peak()) == ((3, 0), 0, 64 << 20)


def test_killed_since_the_machine_had_no_memory(told: Group, tmp_path: Path) -> None:
    (tmp_path / "memory.events").write_text("max 0\noom 0\noom_kill 3\noom_group_kill 0\n")
    assert (told.events(), told.starved()) == ((0, 0), 3)


def test_refused_one_more_process(told: Group, tmp_path: Path) -> None:
    (tmp_path / "pids.events").write_text("max 17\n")
    assert told.events() == (0, 17)


def mounted(monkeypatch: pytest.MonkeyPatch, controllers: str, folder: Path) -> None:
    """A machine on which cgroup2 is at `folder`, with those controllers, and this process in its root."""
    (folder / "cgroup.controllers").write_text(controllers)
    files = {
        "/proc/self/mounts": f"tmpfs / tmpfs rw 0 0\nnone {folder} cgroup2 rw 0 0\n",
        "/proc/self/cgroup": "0::/\n",
    }
    real = cgroups._read
    monkeypatch.setattr(cgroups, "_read", lambda path: files.get(path) or real(path))


def test_without_the_file_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cgroups, "_read", lambda path: "tmpfs /sys/fs/cgroup tmpfs rw 0 0\n")
    with pytest.raises(Unavailable, match="cgroup v2 is not mounted") as refused:
        delegated()
    assert refused.value.remedy.startswith("mount ")


@pytest.mark.parametrize(
    ("controllers", "missing"), [("", "memory"), ("cpu pids\n", "memory"), ("memory\n", "pids")]
)
def test_without_the_controllers(
    controllers: str, missing: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mounted(monkeypatch, controllers, tmp_path)
    with pytest.raises(Unavailable, match=f"^cgroup v2 {missing} controller not available$") as refused:
        delegated()
    assert "systemd.unified_cgroup_hierarchy=1" in refused.value.remedy
    assert [file.name for file in tmp_path.iterdir()] == ["cgroup.controllers"]


@pytest.mark.parametrize(
    ("refusal", "file", "reason", "remedy"),
    [
        (errno.EROFS, "cgroup.subtree_control", "cgroup.subtree_control is read-only", "writable"),
        (errno.EACCES, "cgroup.subtree_control", "no cgroup is delegated to this user", "Delegate=yes"),
        (errno.EBUSY, "cgroup.procs", "other processes are in the arena's own cgroup", "systemd-run"),
        (errno.ENOENT, "cgroup.kill", "cgroup.kill is missing", "Linux 5.14"),
    ],
)
def test_what_the_kernel_refuses_is_told_with_a_remedy(
    refusal: int, file: str, reason: str, remedy: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(path: str, text: str) -> None:
        raise OSError(refusal, os.strerror(refusal), str(tmp_path / file))

    mounted(monkeypatch, "memory pids\n", tmp_path)
    (tmp_path / "cgroup.procs").write_text("")
    monkeypatch.setattr(cgroups, "_write", refuse)
    with pytest.raises(Unavailable, match=reason) as refused:
        delegated()
    assert remedy in refused.value.remedy


@pytest.fixture
def group() -> Iterator[Group]:
    """A group without limits, on a machine that lets us make one."""
    try:
        group = Group(f"{cgroups._mount()}/{cgroups.PREFIX}{os.getpid()}-test")
        Path(group.path, "bot").mkdir(parents=True)
    except (OSError, Unavailable) as refused:
        pytest.skip(f"no cgroup here: {refused}")
    yield group
    assert group.remove()
    assert not Path(group.path).exists()


@pytest.fixture
def spinning(group: Group) -> Iterator[subprocess.Popen[bytes]]:
    program = "import os\nfor _ in range(3): os.fork()\nwhile True: pass"
    with subprocess.Popen(
        [sys.executable, "-I", "-S", "-c", program], preexec_fn=lambda: group.add(0)
    ) as process:
        yield process
        with suppress(FileNotFoundError):  # removed
            group.kill()


def test_frozen_nothing_in_it_runs(group: Group, spinning: subprocess.Popen[bytes]) -> None:
    until(lambda: group.cpu_usec() > 50_000)
    group.freeze(True)
    until(lambda: "frozen 1" in Path(group.path, "cgroup.events").read_text())
    before = group.cpu_usec()
    time.sleep(0.1)
    assert group.cpu_usec() == before
    group.freeze(False)
    until(lambda: group.cpu_usec() > before)


def test_killed_with_all_that_came_of_it(group: Group, spinning: subprocess.Popen[bytes]) -> None:
    processes = Path(group.path, "bot", "cgroup.procs")
    until(lambda: len(processes.read_text().split()) == 8)
    group.kill()
    assert spinning.wait(20) == -9
    until(lambda: not processes.read_text())


def test_removed_with_all_that_is_in_it(group: Group, spinning: subprocess.Popen[bytes]) -> None:
    assert group.remove()
    assert spinning.wait(20) == -9
    assert not Path(group.path).exists()
