"""The crash campaign: `python -m tests.crash.campaign [--portable] [--every N]`. Exit 1: something was lost, or a mutant passed.

A process that keeps results is killed at the k-th call of each system call that writes, for every k until it
comes to its end, and is refused space and sound disks in the same way. After each strike the ledger must have
what was acknowledged, and a restart must end with the very tournament that an undisturbed run has. Ways to keep
results that are known to be wrong have to fail. `--portable` strikes at statements and commits, without strace;
`--every N` at each N-th point only where results are kept properly.
"""

from __future__ import annotations

import argparse
import logging
import os
import sqlite3
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, redirect_stderr
from dataclasses import dataclass, field
from functools import partial
from io import StringIO
from itertools import count

from arena.cli.output import complain
from arena.errors import ArenaError
from arena.home import Home
from arena.ledger import Ledger
from arena.verification import Tally, verify_ledger
from leaderboards.standings import standings
from referee.jobs import GameDone, Job
from tests.crash.disturbances import Disturbance, FailPoint, Injected
from tests.crash.work import MUTANTS, NAME, Keep, games, properly, say, work

WRITES = ("pwrite64", "write", "fsync", "fdatasync", "rename", "unlink", "ftruncate")
KILLED, REFUSED = -9, 4
"""How a process ends that was killed, or that the machine failed (see arena.errors) where it could not go on."""
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
"""A death loses nothing that was written, be it on a disk or not; and a disk takes its time."""
BARS = {"kill points": 100, "ENOSPC": 8, "EIO": 10}
"""Strikes that a campaign must come to, so that it proves something."""


@dataclass(slots=True)
class Store:
    """One way to keep results, struck again and again."""

    over: Sequence[tuple[Job, GameDone]]
    keep: Keep = properly
    step: int = 1
    violations: list[str] = field(default_factory=list)

    def every(self, strike: Callable[[int], Disturbance], right: int, first: bool = False) -> int:
        """Strike at 1, 1 + step, … until nothing is left to strike at; how often it was. `first`: up to a violation."""
        for strikes, k in enumerate(count(1, self.step)):
            disturbance = strike(k)
            status, problems = self._struck(disturbance)
            if status not in (0, right):
                problems.append(f"it ended with {status}")
            self.violations += [f"{disturbance}: {problem}" for problem in problems]
            if not (disturbance.struck or status) or (first and self.violations):
                return strikes
        raise AssertionError

    def _struck(self, disturbance: Disturbance) -> tuple[int, list[str]]:
        """How a disturbed process ended, and what did not hold then or after a restart."""
        with tempfile.TemporaryDirectory(prefix="km", dir=MEMORY) as folder:
            home = Home(folder)
            status, told = self._disturbed(home, disturbance)
            return status, list(self._problems(home, told))

    def _disturbed(self, home: Home, disturbance: Disturbance) -> tuple[int, list[str]]:
        """How it ended (see os.waitstatus_to_exitcode), and the games that it acknowledged."""
        (told, tell), (started, start) = os.pipe(), os.pipe()
        process = os.fork()
        if process == 0:
            os.close(start)
            disturbance.inside()
            os.read(started, 1)
            os._exit(self._ended(home, tell))
        os.close(tell)
        os.close(started)
        with disturbance.upon(process), os.fdopen(told) as lines:
            os.close(start)
            acknowledged = lines.read().split()
            status = os.waitpid(process, 0)[1]
        return os.waitstatus_to_exitcode(status), acknowledged

    def _ended(self, home: Home, tell: int) -> int:
        try:
            work(home, self.over, say(tell), self.keep)
        except (ArenaError, OSError) as error:
            with redirect_stderr(StringIO()):
                return complain(error)
        except Exception:
            traceback.print_exc()
            return 1
        return 0

    def _problems(self, home: Home, told: list[str]) -> Iterator[str]:
        if told:
            with closing(Ledger(home.ledger)) as ledger:
                if lost := set(told) - ledger.ids(NAME):
                    yield f"acknowledged and lost: {sorted(lost)}"
        try:
            work(home, self.over, lambda kept: told.extend(done.result.id for done in kept), self.keep)
        except ArenaError as error:
            yield f"it does not go on: {error}"
            return
        if len(set(told)) < len(told):
            yield "a game was acknowledged twice"
        with closing(Ledger(home.ledger)) as ledger:
            yield from map(str, verify_ledger(ledger, ledger.tournament(NAME), Tally()))
            results = ledger.results(NAME)
        expected = sorted((done.result for _, done in self.over), key=lambda result: result.id)
        if results != expected or standings(results) != standings(expected):
            yield "results and ratings are not those of an undisturbed run"
        with closing(sqlite3.connect(home.path / "ledger.sqlite")) as db:
            if db.execute("SELECT * FROM leases").fetchall():
                yield "leases are left"


def kills(store: Store, portable: bool, first: bool = False) -> int:
    """Kill at every point; how many there were. `first`: up to a violation."""
    if portable:
        return store.every(FailPoint, KILLED, first)
    number = 0
    for call in WRITES:
        number += store.every(partial(Injected, call, "signal=SIGKILL"), KILLED, first)
        if first and store.violations:
            break
    return number


def refusals(store: Store) -> dict[str, int]:
    """A disk that is full from every write on, and one that fails once at every sync and read."""
    full = [partial(Injected, call, "error=ENOSPC", onward=True) for call in ("pwrite64", "ftruncate")]
    broken = [partial(Injected, call, "error=EIO") for call in ("fsync", "fdatasync", "pread64")]
    return {
        name: sum(store.every(strike, REFUSED) for strike in strikes)
        for name, strikes in (("ENOSPC", full), ("EIO", broken))
    }


def passed(over: Sequence[tuple[Job, GameDone]], portable: bool) -> list[str]:
    """The mutants that nothing is found wrong with."""
    stores = {name: Store(over, keep) for name, keep in MUTANTS.items()}
    for store in stores.values():
        kills(store, portable, first=True)
    return [name for name, store in stores.items() if not store.violations]


def main() -> int:
    """All of it, and one line that sums it up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--portable", action="store_true", help="without strace, and small")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="strike at each N-th point only")
    said, began = parser.parse_args(), time.monotonic()
    portable: bool = said.portable
    logging.disable()  # of stale results, which are sent on purpose
    store = Store(games(deals=1 if portable else 3), step=said.every)
    strikes = {"kill points": kills(store, portable)} | ({} if portable else refusals(store))
    lost = passed(store.over, portable)
    for line in (*store.violations, *(f"nothing is found wrong with: {name}" for name in lost)):
        print(line)
    short = [] if portable else [kind for kind, bar in BARS.items() if strikes[kind] < bar]
    print(
        f"crash: {', '.join(f'{number} {kind}' for kind, number in strikes.items())}; "
        f"{len(store.violations)} violations; {len(MUTANTS) - len(lost)} of {len(MUTANTS)} mutants caught; "
        f"{time.monotonic() - began:.0f} s" + (f"; too few strikes of: {', '.join(short)}" if short else "")
    )
    return int(bool(store.violations or lost or short))


if __name__ == "__main__":
    sys.exit(main())
