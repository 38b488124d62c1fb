"""What the processes of a bot do with their core: CPU time, thinking out of turn, and how the host starves them.

What its keeper does for it (takes in what it prints, looks at its memory) counts as its own. Knows processes and no
messages. On the way of a quick move one clock is read, in half a microsecond; /proc is
looked at when the bot has said hello, and in ticks in which its referee waits.

**Pondering.** Between its answers a bot has ALLOWANCE of CPU time, of which each answer gives back REFILL. Who
has used it up is stopped until it is asked again, and stopped right after each answer while it is in debt. So in n
moves it takes from those that think no more than ALLOWANCE + n REFILL, and what fits between two looks.

**The host's lag.** A referee shares its core with the bot that thinks, so a canary there is late by the bot's own
doing, too: with thirty processes of a bot that spun it was 40 ms late, with 120 of them 450 ms. Two things are
counted, both less what the bot's own processes ran meanwhile, so that a bot that keeps the core busy can claim
nothing: how late the referee got to run (the caller's part), and how long a thread of the bot was ready to run and
did not (`starved`), less what the referee itself ran. A process could hide by ending before it is counted, so a bot
that starts or ends any in a move can claim nothing of `starved` in it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from math import inf
from pathlib import Path
from time import clock_gettime, monotonic, process_time
from typing import NamedTuple

from referee.processes import Kept

ALLOWANCE = 0.03
"""Seconds of CPU time that a bot may use while it is not to move."""
REFILL = 0.002
"""Seconds of it that come back with each answer."""
LOOK_UP = 0.2
"""Seconds between two looks for new processes of a bot."""
LONG = 0.1
"""Seconds of a move after which it is watched whether the host starves the bot: to look at 30 threads takes 0.5 ms."""


def cpu_clock(pid: int) -> int:
    """The clock of the CPU time of a process and all its threads, for `clock_gettime` (Linux, posix-timers.h)."""
    return ~pid << 3 | 2


def _runs(clock: int) -> bool:
    try:
        clock_gettime(clock)
    except OSError:
        return False
    return True


class _Schedule(NamedTuple):
    """How the kernel has treated a bot since its start, in seconds."""

    ran: float
    """All its processes together."""
    referee: float
    """We: as long as it is to move, what we do is for it."""
    threads: dict[str, tuple[float, float]]
    """How long each ran, and how long it was ready to run and did not."""


class Usage:
    """Of one bot's program, from its hello to its end. Seconds throughout."""

    def __init__(self, kept: Kept, may_ponder: bool) -> None:
        self._kept = kept
        self._may_ponder = may_ponder
        self._pids: list[int] = []
        self._clocks: list[int] = []
        self._looked_up = 0.0
        self._whole: float | None = None
        """CPU time of all that ever came of it, as the last look of this rest found it."""
        self._spare = ALLOWANCE
        self._stopped = False
        self._begin = self._seen = 0.0
        """The CPU time when its move, or its rest, began; and when it was looked at last."""
        self._schedule: _Schedule | None = None
        """As it was LONG after it was asked; None where its processes are not the same any more."""
        self._asked_at = inf
        self._served = 0.0
        """CPU time of its keeper, when it was looked at last."""
        self._look_up(monotonic())
        self._begin = self._seen = self.cpu()

    def cpu(self) -> float:
        """CPU time of its processes so far; what has ended counts no more."""
        clocks = self._clocks
        try:
            return clock_gettime(clocks[0]) if len(clocks) == 1 else sum(map(clock_gettime, clocks))
        except OSError:  # one of them has ended
            self._clocks = [clock for clock in self._clocks if _runs(clock)]
            total = self.cpu()
            self._begin, self._seen = min(self._begin, total), min(self._seen, total)
            return total

    def _keepers(self) -> float:
        """CPU time of its keeper so far."""
        with suppress(OSError):
            return clock_gettime(cpu_clock(self._kept.keeper))
        return self._served

    def _look_up(self, now: float) -> None:
        """Find its processes."""
        before, self._pids = self._pids, self._kept.pids()
        # But for the init above it, which only waits: a clock costs half a microsecond, twice a move.
        own = self._pids if self._kept.pid in self._pids[:1] else self._pids[1:]
        self._clocks = [cpu_clock(pid) for pid in own]
        if set(before) != set(self._pids):
            self._schedule, self._asked_at = None, inf  # for the rest of this move
        self._looked_up = now

    # its move

    def asked(self, at: float) -> None:
        """It is to move, from `at` on."""
        if self._stopped:
            self.wake()
        now = self.cpu()
        if now > self._begin:
            self._spare -= now - self._begin
        self._begin = self._seen = now
        self._asked_at, self._schedule = at, None

    def waited_for(self, now: float) -> None:
        """Its referee has waited a tick for it."""
        if now > self._looked_up + LOOK_UP:
            self._look_up(now)
        self._seen, self._served = self.cpu(), self._keepers()
        if self._schedule is None and now > self._asked_at + LONG:
            self._schedule = self._read_schedule()

    def ran(self) -> float:
        """CPU time since it was asked, or looked at last, of processes that began since then, too."""
        self._look_up(monotonic())
        before, self._seen = self._seen, self.cpu()
        served, self._served = self._served, self._keepers()
        return max(0.0, self._seen - before + self._served - served)

    @property
    def is_watched(self) -> bool:
        """Whether it is in a long move."""
        return self._schedule is not None

    def starved(self) -> float:
        """How long something that is not of the bot kept it from running in a long move, as far as is known."""
        if self._schedule:
            self._look_up(monotonic())
        if self._schedule is None:
            return 0.0
        (ran_then, we_then, then), (ran_now, we_now, now) = self._schedule, self._read_schedule()
        ran, worst = ran_now - ran_then + we_now - we_then, 0.0
        for thread in then.keys() & now.keys():
            own, waited = (after - before for before, after in zip(then[thread], now[thread], strict=True))
            worst = max(worst, waited - max(0.0, ran - own))
        return worst

    def _read_schedule(self) -> _Schedule:
        """Without threads where the kernel does not count, or the bot has ended."""
        threads = {}
        for folder in (f"/proc/{pid}/task" for pid in self._pids):
            with suppress(OSError, ValueError):
                for name in os.listdir(folder):  # noqa: PTH208 - pathlib takes twice the time
                    ran, waited, _ = map(int, Path(folder, name, "schedstat").read_bytes().split())
                    threads[name] = ran / 1e9, waited / 1e9
        return _Schedule(self.cpu() + self._keepers(), process_time(), threads)

    def answered(self) -> float:
        """Its move is over; the CPU time of it."""
        now = self.cpu()
        used, self._begin = max(0.0, now - self._begin), now
        self._whole = None
        self._spare = min(ALLOWANCE, self._spare + REFILL)
        if self._spare < 0:
            self._stop()
        return used

    # its rest

    def rest(self, now: float) -> None:
        """It is not to move: stop it if it has used up what it may use meanwhile."""
        if self._may_ponder:
            return
        hidden = 0.0
        if now > self._looked_up + LOOK_UP and not self._stopped:
            hidden = self._hidden()
            self._look_up(now)
        cpu = self.cpu()
        used, self._begin = max(0.0, cpu - self._begin), cpu
        self._spare -= max(used, hidden)
        if self._spare < 0 and (used or not self._stopped):  # another's bot may have made it go on
            self._stop()

    def _hidden(self) -> float:
        """CPU time since the last look, of processes that have ended, too: so no relay of short ones goes unseen."""
        before, self._whole = self._whole, self._kept.cpu_seconds()
        return 0.0 if before is None or self._whole is None else max(0.0, self._whole - before)

    def _stop(self) -> None:
        if not self._may_ponder:
            self._stopped = True
            self._kept.freeze()

    def wake(self) -> None:
        """Let it go on, if it is stopped."""
        if self._stopped:
            self._stopped = False
            self._kept.thaw()
