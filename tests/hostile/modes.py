"""The modes of isolation in which the campaign is played, as far as this machine has them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from referee.processes.sandbox import NONE, Sandbox

MEMORY_MB, PIDS, SCRATCH_MB = 192, 64, 32
"""Less than bots are given, so that to use them up is soon done."""


@dataclass(frozen=True)
class Mode:
    """One of them."""

    sandbox: Sandbox
    note: str
    """A line on what it is here."""


@cache
def modes() -> tuple[Mode, ...]:
    """From the weakest to the strongest."""
    layers = ("namespaces", "rlimits", "no-new-privileges", "landlock", "seccomp", "memory-watched")
    default = Sandbox("default", layers, memory_mb=MEMORY_MB, pids=PIDS, scratch_mb=SCRATCH_MB)
    return Mode(NONE, "none: nothing is promised but the end of what a bot starts"), Mode(default, "default")
