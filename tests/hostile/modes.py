"""The modes of isolation in which the campaign is played, as far as this machine has them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from arena.errors import CannotStart
from arena.isolation import examined
from referee.processes.sandbox import MODES, NONE, Sandbox

MEMORY_MB, PIDS, SCRATCH_MB = 192, 64, 32
"""Less than bots are given, so that to use them up is soon done."""


@dataclass(frozen=True)
class Mode:
    """One of them."""

    sandbox: Sandbox | None
    """None where this machine does not give it at all."""
    note: str
    """A line on what it is here."""


@cache
def modes() -> tuple[Mode, ...]:
    """From the weakest to the strongest."""
    return tuple(map(_mode, MODES))


def _mode(name: str) -> Mode:
    if name == NONE.mode:
        return Mode(
            NONE, "none: bots are trusted, and what they start is ended with them; nothing else is promised"
        )
    try:
        box, lacks = examined(name)
    except CannotStart as error:
        return Mode(None, f"{name}: not played, as this machine refuses it: {error}")
    note = f"{box}"
    if lacks and name == MODES[-1]:
        note = f"{box}: refused on this machine, and played with --allow-missing {','.join(box.missing)}"
    return Mode(replace(box, memory_mb=MEMORY_MB, pids=PIDS, scratch_mb=SCRATCH_MB), note)
