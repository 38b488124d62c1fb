"""A tournament in the strict sandbox from the command line, with bots that take too much of the machine."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.isolation import sandbox
from referee.processes import Command, keep
from referee.processes.system import landlock_abi

from .inside import ROOT, USER, become, told_by

BOTS = Path(__file__).parent / "bots"
FAULTS = {"hog": "resource_memory", "bomb": "resource_pids"}
LAYERS = ["rlimits", "no-new-privileges", "namespaces", "seccomp", "memory-cgroup", "pids-cgroup"]
CUP = """
name = "cup"
bots = [{bots}]
variants = ["claim"]
deals = 1
seed = "s"
memory_mb = 64
suspend_after = 0
[clock]
startup_ms = 30000
bank_ms = 30000
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(dir="/tmp"))
    yield path
    shutil.rmtree(path)


def cup(folder: Path, *bots: str) -> str:
    """The path of a tournament of those."""
    path = folder / "cup.toml"
    path.write_text(CUP.format(bots=", ".join(f'"{BOTS}/{bot}.toml"' for bot in bots)))
    return str(path)


def arena(folder: Path, *words: str, user: int = 0, scope: Path = ROOT) -> subprocess.CompletedProcess[str]:
    def enter() -> None:
        (scope / "cgroup.procs").write_text("0")
        if user:
            become(user)

    env = os.environ | {"HOME": str(folder), "TMPDIR": str(folder)}
    argv = ["arena", "--home", str(folder / "home"), *words]
    return subprocess.run(argv, preexec_fn=enter, env=env, capture_output=True, text=True)


def records(folder: Path) -> list[dict[str, Any]]:
    """Of all games."""
    arena(folder, "record", "export", "cup", "-o", str(folder / "cup.jsonl"))
    lines = map(json.loads, (folder / "cup.jsonl").read_text().splitlines())
    return [line["record"] for line in lines if "record" in line]


def faults(play: dict[str, Any]) -> dict[str, str]:
    """Which bot had which fault."""
    return {play["seats"][fault["seat"]]["bot"]: fault["kind"] for fault in play["faults"]}


def lacks_landlock() -> bool:
    try:
        return landlock_abi() < 1
    except OSError:
        return True


def test_a_layer_that_lacks_is_refused_until_it_is_allowed_to(folder: Path) -> None:
    assert lacks_landlock()  # or another layer has to be taken away
    refused = arena(folder, "run", cup(folder, "honest", "patient"), "--sandbox", "strict")
    assert refused.returncode == 3
    assert "--allow-missing landlock" in refused.stderr


@pytest.mark.parametrize(
    ("user", "bots", "more"),
    [(0, ["honest", "patient", "hog", "bomb"], ["own-user"]), (USER, ["honest", "hog", "bomb"], [])],
)
def test_hog_and_bomb_lose_their_games_and_nobody_else_does(
    folder: Path, scope: Path, user: int, bots: list[str], more: list[str]
) -> None:
    os.chown(folder, user, user)
    options = ["--sandbox", "strict", "--allow-missing", "landlock"]
    ran = arena(folder, "run", cup(folder, *bots), *options, user=user, scope=scope if user else ROOT)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    games = records(folder)
    assert len(games) == len(bots) * (len(bots) - 1)
    for game in games:
        check(game["play"])
        account = game["account"]
        assert (account["isolation"], account["missing"]) == ("strict", ["landlock"])
        assert account["layers"] == LAYERS + more
    assert not list(ROOT.rglob("kingmaker-*"))


def check(play: dict[str, Any]) -> None:
    """The first of hog and bomb to have its second turn has a fault, the other player wins."""
    here = {seat["bot"] for seat in play["seats"]}
    if guilty := here & FAULTS.keys():
        ((bot, fault),) = faults(play).items()
        assert bot in guilty
        assert fault == FAULTS[bot]
        assert [seat["bot"] for seat in play["seats"]][play["ranks"].index(1)] == bot
    else:
        assert (play["verdict"], play["faults"]) == ("finished", [])


NOSY = """
import ctypes, errno, json, os
libc = ctypes.CDLL(None, use_errno=True)
def no(result): return errno.errorcode[ctypes.get_errno()] if result < 0 else 'yes'
print(json.dumps([
    os.path.exists('/sys'), [line for line in open('/proc/mounts') if 'cgroup' in line],
    no(libc.unshare(0x10000000 | 0x20000 | 0x2000000)), no(libc.mount(b'none', b'/tmp', b'cgroup2', 0, None)),
]))
"""


@pytest.mark.parametrize("user", [0, USER])
def test_a_bot_in_it_sees_no_groups_and_can_mount_none(folder: Path, scope: Path, user: int) -> None:
    os.chown(folder, user, user)

    def nosy() -> str:
        if user:
            (scope / "cgroup.procs").write_text("0")
            become(user)
        own = folder / "bot"
        own.mkdir(mode=0o700)
        argv = (sys.executable, "-I", "-S", "-c", NOSY)
        box = sandbox("strict", ("landlock",))
        return keep(Command(argv, Path("/usr"), {}, own, folder / "log", sandbox=box)).stop(30).tail

    assert json.loads(told_by(nosy)) == [False, [], "EPERM", "EPERM"]
