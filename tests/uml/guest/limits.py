"""What a bot may hold and start, for real."""

import os
import time
from pathlib import Path

import pytest

from referee.processes.cgroups import Group, delegated

from .conftest import Start
from .inside import has, until

MIB = 1 << 20
FILL = "block = bytes(range(256)) * 4096\n"
WAIT = "import signal\nsignal.pause()"
SPIN = "while True: pass"
HOGS = {
    "anonymous": FILL + "held = []\nwhile True: held.append(block + b'')",
    "memfd": FILL + "import os\nfd = os.memfd_create('hog')\nwhile True: os.write(fd, block)",
    "file": FILL + "file = open('/dev/shm/hog', 'wb')\nwhile True: file.write(block)",
    "children": FILL + "import os\nfor _ in range(8):\n"
    " if os.fork() == 0:\n  held = block * 16\n  break\n" + WAIT,
}
BOMB = "import os\nwhile True:\n try: os.fork()\n except OSError: pass"


@pytest.mark.parametrize("kind", HOGS)
def test_who_takes_too_much_memory_is_killed_with_all_beside_it(
    group: Group, start: Start, kind: str
) -> None:
    innocent = start(group, WAIT)
    hog = start(group, HOGS[kind])
    try:
        assert (hog.wait(60), innocent.wait(10)) == (-9, -9)
        until(lambda: has(group, "cgroup.events", "populated 0"))
        killed, refused = group.events()
        assert (killed > 0, refused, group.starved()) == (True, 0, 0)
        peak = group.peak()
        assert peak is not None
        assert 60 * MIB < peak <= 64 * MIB
    finally:
        Path("/dev/shm/hog").unlink(missing_ok=True)


def test_who_takes_as_much_as_allowed_is_let_be(group: Group, start: Start) -> None:
    modest = start(group, FILL + "held = block * 40\n" + WAIT)
    until(lambda: (group.peak() or 0) > 40 * MIB)
    assert (modest.poll(), group.events()) == (None, (0, 0))


def test_memory_that_the_machine_lacks_is_not_blamed_on_the_bot(parent: str, start: Start) -> None:
    group = Group.make(parent, "large", memory_mb=4096, pids=32)
    hog = start(group, "open('/proc/self/oom_score_adj', 'w').write('1000')\n" + HOGS["anonymous"])
    try:
        assert hog.wait(60) == -9
        assert group.events() == (0, 0)
        assert group.starved() > 0
    finally:
        assert group.remove()


def test_a_fork_bomb_stays_within_its_number_and_dies_in_one_step(group: Group, start: Start) -> None:
    bomb = start(group, BOMB)
    until(lambda: group.events()[1] > 100)
    assert has(group, "pids.current", "32")
    group.kill()
    assert bomb.wait(10) == -9
    until(lambda: has(group, "cgroup.events", "populated 0"))
    assert group.events()[0] == 0


def test_frozen_it_uses_no_cpu_and_goes_on_afterwards(group: Group, start: Start) -> None:
    start(group, SPIN)
    until(lambda: group.cpu_usec() > 100_000)
    group.freeze(True)
    until(lambda: has(group, "cgroup.events", "frozen 1"))
    before = group.cpu_usec()
    time.sleep(1)
    assert group.cpu_usec() == before
    group.freeze(False)
    until(lambda: group.cpu_usec() > before + 100_000)


def test_frozen_it_can_be_removed(group: Group, start: Start) -> None:
    spinning = start(group, SPIN)
    group.freeze(True)
    assert group.remove()
    assert spinning.wait(10) == -9


def test_cpu_time_is_that_of_children_and_of_the_dead_too(group: Group, start: Start) -> None:
    burn = "import os, time\nif os.fork(): os.wait()\nelse:\n while time.process_time() < 0.5: pass"
    assert start(group, burn).wait(60) == 0
    assert group.cpu_usec() > 450_000


def test_what_a_killed_arena_left_is_swept(parent: str) -> None:
    pid = os.fork()
    if pid == 0:
        Group.make(parent, "left", 64, 8)
        os._exit(0)
    os.waitpid(pid, 0)
    left = Path(parent, f"kingmaker-{pid}-left")
    assert left.exists()
    ours = Group.make(parent, "ours", 64, 8)
    delegated()
    assert not left.exists()
    assert Path(ours.path).exists()
    assert ours.remove()
