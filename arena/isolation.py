"""Which layers keep bots from this machine, found out by putting them on. See SECURITY.md for what they promise."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from secrets import token_hex

import arena
import leaderboards
import protocol
import referee
from arena.errors import CannotStart, did_you_mean
from referee.processes import Command, Sandbox, SandboxError, StartError, become_subreaper, keep, spawner
from referee.processes.cgroups import Unavailable, delegated
from referee.processes.system import landlock_abi

LAYERS = ("rlimits", "no-new-privileges", "namespaces", "landlock", "seccomp")
"""What every mode but `none` has, as far as the machine allows."""
GROUPS = ("memory", "pids")
"""What `strict` has besides, by control groups."""
PROBE = "import os; os.listdir('/usr')"
REMEDIES = {
    "namespaces": "allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone=1, or "
    "kernel.apparmor_restrict_unprivileged_userns=0); in a container: --security-opt seccomp=unconfined",
    "landlock": "a kernel of 5.13 or newer with `landlock` in the boot parameter lsm=",
    "seccomp": "a kernel with CONFIG_SECCOMP_FILTER, on x86_64 or aarch64",
}
NONE = Sandbox()


@dataclass(frozen=True, slots=True)
class Lack:
    """A layer that is not to be had here."""

    layer: str
    why: str
    remedy: str


def sandbox(mode: str, allow_missing: tuple[str, ...] = ()) -> Sandbox:
    """What bots are kept in on this machine.

    Raises CannotStart where `strict` lacks a layer that may not lack.
    """
    if mode == "none":
        return NONE
    _check_layers(allow_missing)
    found, lacks = examined(mode)
    if os.getuid() == 0 and "namespaces" not in found.layers:
        raise CannotStart(
            "as root, bots can be kept apart only with namespaces, which this machine does not allow",
            "run the arena as an ordinary user, or trust the bots: --sandbox none",
            "E303",
        )
    if mode == "strict" and (refused := [lack for lack in lacks if lack.layer not in allow_missing]):
        lines = [f"  {lack.layer}: {lack.why}\n    fix: {lack.remedy}" for lack in refused]
        names = ",".join(lack.layer for lack in refused)
        raise CannotStart(
            "\n".join(["this machine cannot keep bots in a strict sandbox; it lacks", *lines]),
            f"mend that, or say that you know: --allow-missing {names} (every record and table will show it)",
            "E303",
        )
    return found


def words(box: Sandbox) -> tuple[str, ...]:
    """The layers of it that every machine either has or lacks, without versions.

    >>> words(Sandbox("default", ("namespaces", "landlock-abi-7", "memory-watched", "own-user")))
    ('namespaces', 'landlock')
    """
    found = (layer.partition("-abi-")[0] for layer in box.layers)
    return tuple(layer for layer in found if layer in LAYERS)


def _check_layers(names: tuple[str, ...]) -> None:
    for name in names:
        if name not in (*LAYERS, *GROUPS):
            from arena.errors import InputError

            raise InputError(f"--allow-missing: no layer {name!r}", did_you_mean(name, (*LAYERS, *GROUPS)))


@cache
def examined(mode: str) -> tuple[Sandbox, tuple[Lack, ...]]:
    """What is to be had of `mode`, and what is not."""
    lacks: list[Lack] = []
    cgroup = ""
    if mode == "strict":
        try:
            cgroup = delegated()
        except Unavailable as error:
            lacks += [Lack(name, str(error), error.remedy) for name in GROUPS]
    box = Sandbox(mode, _all_layers(cgroup), readable=(*_packages(), sys.prefix), cgroup=cgroup)
    while lack := _refusal(box):
        if lack.layer == "cgroup":
            lacks += [replace(lack, layer=name) for name in GROUPS]
            box = replace(box, cgroup="", layers=_all_layers(""))
        elif lack.layer in box.layers:
            lacks.append(lack)
            box = replace(box, layers=tuple(name for name in box.layers if name != lack.layer))
        else:
            raise CannotStart(f"no bot can be started: {lack.why}", "arena doctor", "E303")
    return replace(_named(box), missing=tuple(lack.layer for lack in lacks)), tuple(lacks)


def _packages() -> tuple[str, ...]:
    """Where ours lie, and where the links in a tree of compiled engines lead: to the sources, which bots import."""
    files = [Path(package.__file__ or "") for package in (arena, leaderboards, protocol, referee)]
    return tuple(dict.fromkeys(str(path.parent) for file in files for path in (file, file.resolve())))


def _all_layers(cgroup: str) -> tuple[str, ...]:
    return (*LAYERS, *(("memory-cgroup", "pids-cgroup") if cgroup else ("memory-watched",)))


def _refusal(box: Sandbox) -> Lack | None:
    """Start a program in it; the layer that stands in the way, if one does."""
    become_subreaper()
    with _scratch() as folder:
        own, log = folder / "b", folder / "log"
        own.mkdir(mode=0o700)
        argv = (sys.executable, "-I", "-S", "-c", PROBE)
        command = Command(argv, Path("/usr"), {}, own, log, sandbox=box)
        try:
            ended = keep(command).stop(10)
        except SandboxError as error:
            return _lack("namespaces" if error.layer == "user" else error.layer, error.strerror or "")
        except StartError as error:
            return _lack("namespaces", str(error))
    if ended.code != 0:
        return _lack("seccomp" if ended.violation else "namespaces", f"a program in it ends with {ended}")
    return None


@contextmanager
def _scratch() -> Iterator[Path]:
    """A folder that is gone afterwards, also where we are killed meanwhile: then the spawner removes it."""
    outer = Path(tempfile.gettempdir(), f"kingmaker-{token_hex(8)}")
    spawner.sweep(os.fsencode(outer / "probe"))
    try:
        outer.mkdir(mode=0o700)
        (outer / "probe").mkdir(mode=0o700)
        yield outer / "probe"
    finally:
        shutil.rmtree(outer, ignore_errors=True)


def _lack(layer: str, why: str) -> Lack:
    return Lack(layer, why, REMEDIES.get(layer, "see SECURITY.md"))


def _named(box: Sandbox) -> Sandbox:
    """With the version of the kernel's Landlock, on which depends what it can forbid, and what root does besides."""
    layers = [f"landlock-abi-{landlock_abi()}" if name == "landlock" else name for name in box.layers]
    if os.getuid() == 0 and "namespaces" in layers:
        layers.append("own-user")
    return replace(box, layers=tuple(layers))
