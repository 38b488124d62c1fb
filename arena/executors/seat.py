"""One core of a machine, with a referee and the bots that play there: serves orders, in the order in which they come.

A process of its own (`python -m arena.executors.seat FD`), since what keeps bots must be a main thread, and must end
together with whoever gives orders: when the other end of the socket is closed, also by a kill, this process is gone at
once, and its referee and all bots with it. It is kept warm between units, and leaves after IDLE seconds without an order.

It answers in the order of orders. An empty word before the answer to a unit says that another unit may come at its heels
(`stints.py`). The core is the referee's and the bots': this process, which takes in what they say, runs on it only to
look how quick it is, and with what is built and tried there.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import suppress
from math import inf
from multiprocessing.connection import Connection
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic

from arena.errors import ArenaError
from arena.executors import calibration, cores
from arena.executors.local import LocalExecutor
from arena.executors.orders import Came, Enlist, Look, Order, Speed, Trouble, Unit, Word, packed, unpacked
from arena.executors.stage import Stage
from arena.executors.stints import Stint, Stints
from arena.home import Home
from referee.processes import become_subreaper, reap_strays, spawner

IDLE = 60.0
WEIGH = 60.0
"""Seconds between two looks at how quick the core is, for which its referee is left to finish what it has: of a core
that is ours alone. It is looked at the sooner, the less of it we got."""


class Seat:
    """Who answers orders. Main thread only."""

    def __init__(
        self, claim: cores.Claim, connection: Connection, orders: SimpleQueue[Order | Trouble]
    ) -> None:
        self._claim, self._connection, self._orders = claim, connection, orders
        self._ahead: Order | Trouble | None = None
        """An order that has come while a unit is played."""
        self._is_open = False
        """It was said that another unit may come."""
        self._due = -inf
        """When its core is to be timed."""
        self._speed: Speed | None = None
        """What came of that, where nobody was told yet."""
        self._home = Home.default()
        self._logs = claim.folder / "logs"
        self._executors: dict[str, LocalExecutor] = {}
        """By transport; kept, with a referee process each, which have bots of a unit only while it is played."""

    def close(self) -> None:
        """End the referees."""
        for executor in self._executors.values():
            executor.__exit__(None, None, None)

    def serve(self) -> None:
        """Until none comes for IDLE seconds, or something went wrong: what that left half done ends with this process."""
        with suppress(Empty, OSError):
            while True:
                order = self._ahead or self._orders.get(timeout=IDLE)
                self._ahead, self._is_open = None, False
                for word in self._words(order):
                    self._connection.send_bytes(packed(word))
                    if isinstance(word, Trouble):
                        return

    def _words(self, order: Order | Trouble) -> Iterator[Word]:
        """What comes of an order, and of those at its heels; what can't be done is said, and what can't be read."""
        try:
            if isinstance(order, Unit):
                yield from self._played(order)
            else:
                yield self._told(order)
        except (ArenaError, OSError) as error:
            fix = f" ({error.fix})" if isinstance(error, ArenaError) and error.fix else ""
            yield Trouble(f"{error}{fix}")
        except Exception as error:  # in place of a seat that is lost, and nobody knows why
            yield _trouble(error)

    def _told(self, order: Look | Enlist | Trouble) -> Word:
        with self._claim.taken():
            if isinstance(order, Look):
                report = Stage(self, order.terms).report()
                self._due = monotonic() + WEIGH * report.speed.share
                return report
            if isinstance(order, Enlist):
                return Stage(self, order.terms).enlisted(order)
        return order

    def _played(self, unit: Unit) -> Iterator[Came]:
        """Play a unit, and those of the same terms that follow it."""
        stage = Stage(self, unit.terms)
        stints = Stints(stage.begun(unit), lambda: self._follower(stage))
        executor = self.executor(unit.terms.transport)
        while True:
            for batch in executor.run(stints, stints.revise):
                stints.take(batch)
                executor.recall(stints.is_late)
                for stint, seconds in stints.over():
                    yield stage.came(stint, seconds)
            if monotonic() < self._due:
                break
            self._weigh()  # and on with what has come meanwhile, before what is over is packed
        for stint, seconds in stints.drained():
            yield stage.came(stint, seconds)

    def _follower(self, stage: Stage) -> Stint | None:
        """The unit that begins at the heels of another, where there is one; else it is said, once, that it may come."""
        if not (self._ahead or self._is_open):
            self._connection.send_bytes(b"")
            self._is_open = True
        with suppress(Empty):
            self._ahead = self._ahead or self._orders.get_nowait()
        unit = self._ahead
        if monotonic() >= self._due or not isinstance(unit, Unit) or unit.terms != stage.terms:
            return None
        self._ahead, self._is_open = None, False
        return stage.begun(unit)

    def _weigh(self) -> None:
        """Time the core, while nothing is played on it."""
        with self._claim.taken():
            self._speed = calibration.computing(calibration.BRIEF)
        self._due = monotonic() + WEIGH * self._speed.share

    def news(self) -> Speed | None:
        """Of its core, if it was timed since somebody asked."""
        speed, self._speed = self._speed, None
        return speed

    @property
    def home(self) -> Home:
        """Where bots are kept: the same as for tournaments that run on this machine."""
        return self._home

    @property
    def claim(self) -> cores.Claim:
        """Its core."""
        return self._claim

    @property
    def logs(self) -> Path:
        """A folder for what bots print; emptied by whoever used it."""
        self._logs.mkdir(mode=0o700, exist_ok=True)
        return self._logs

    def executor(self, transport: str) -> LocalExecutor:
        """A referee on its core."""
        if transport not in self._executors:
            with self._claim.taken():  # it goes by the cores that it has now
                self._executors[transport] = LocalExecutor(self._claim.folder, 1, transport, attempts=1)
        return self._executors[transport]


def _hear(connection: Connection, orders: SimpleQueue[Order | Trouble]) -> None:
    """Take orders in; at the end of them end everything, whatever the main thread does."""
    with suppress(OSError, EOFError):
        while True:
            orders.put(_read(connection.recv_bytes()))
    os._exit(0)


def _read(order: bytes) -> Order | Trouble:
    try:
        return unpacked(order)  # type: ignore[no-any-return]
    except Exception as error:  # whatever somebody else's pickle leads to
        return _trouble(error)


def _trouble(error: Exception) -> Trouble:
    return Trouble(f"{type(error).__name__}: {error}")


def main(fd: int) -> None:
    """Serve the other end of socket `fd`."""
    become_subreaper()
    for number in (signal.SIGINT, signal.SIGTERM):  # who gives orders decides
        signal.signal(number, signal.SIG_IGN)
    connection, orders = Connection(fd), SimpleQueue[Order | Trouble]()
    Thread(target=_hear, args=(connection, orders), daemon=True).start()
    with cores.claimed() as claim:
        spawner.sweep(os.fsencode(claim.folder / "logs"))
        seat = Seat(claim, connection, orders)
        seat.serve()
        seat.close()
        reap_strays()


if __name__ == "__main__":
    main(int(sys.argv[1]))
