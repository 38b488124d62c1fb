"""From what became of a bot's program to a misstep, with what its author needs to see why."""

from __future__ import annotations

from protocol.vocabulary import FaultKind
from referee.faults import Misstep
from referee.processes import Exit
from referee.processes.sandbox import Sandbox

WORDS = 4096
"""Characters of what a bot printed last that go into evidence; its log, which is named there, has more."""
CLOSED = "its connection is closed: it hung up, or it did not read what it was sent"
FORBIDDEN = "it was ended, as it asked the kernel for something that its sandbox forbids"
UNHEARD = (FaultKind.PROTOCOL_ERROR, FaultKind.ILLEGAL_MOVE)
"""Kinds that are judged by an answer alone, without a look at what the bot printed."""


def ended(how: Exit, greeting: bool, box: Sandbox, hint: str = "") -> Misstep:
    """A program that has ended by itself, or for what it did; `greeting`: before its `hello`."""
    kind = FaultKind.NO_START if greeting else FaultKind.CRASH
    why = "" if how.tail else f"its process has ended, {how}, and had printed nothing"
    if how.resource:
        kind, why = (
            FaultKind(f"resource_{how.resource}"),
            f"it was ended: more than {_limit(how.resource, box)}",
        )
    elif how.violation:
        kind, why = FaultKind.SANDBOX_VIOLATION, FORBIDDEN
    return Misstep(kind, str(how), joined(why, how.tail[-WORDS:], hint))


def _limit(resource: str, box: Sandbox) -> str:
    limits = {"memory": f"{box.memory_mb} MiB of memory", "pids": f"{box.pids} processes and threads"}
    return limits.get(resource, "the CPU time that it may use")


def late(seconds: float) -> str:
    """Nothing came in the time that there was.

    >>> late(0.72)
    'nothing came within 720 ms'
    """
    return f"nothing came within {seconds * 1000:,.0f} ms"


def joined(*parts: str) -> str:
    """Those that are not empty, a line or more each."""
    return "\n".join(part.rstrip("\n") for part in parts if part)
