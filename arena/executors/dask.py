"""Dask carries orders to workers, and answers back: with `entry.py` the one home of `distributed`.

Of Dask it uses little, so that nothing hangs on its own notions of what is lost and what is done again: each order is
a task that is pinned to one worker, never retried and never looked into. Waiting for answers, and asking the scheduler
who is there, are coroutines on the client's own loop, so that no call of the runner waits for a network.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from itertools import count
from pathlib import Path
from queue import Empty, Queue
from secrets import token_hex
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from arena.cluster import Cluster
from arena.errors import CannotStart, StorageError
from arena.executors import MEND, remote
from arena.executors.crew import BEAT, Seen
from arena.executors.entry import (
    CONNECT,
    cause,
    check,
    class_of,
    complaint,
    deaf_loop,
    keys_of,
    knock,
    options,
    package,
)

if TYPE_CHECKING:
    from distributed import Client
    from distributed.deploy.cluster import Cluster as Started

PERIOD = 0.5
"""Between two looks at who is there."""
GONE = 20.0
"""Seconds after which a scheduler that does not answer is taken for gone."""
LEAVE = 5.0
"""Seconds for taking leave."""
log = logging.getLogger("arena.cluster")


class DaskLink:
    """A `Link`."""

    def __init__(self, cluster: Cluster, home: str, scratch: Path, keys: Path) -> None:
        """`scratch` is for workers on this machine, and goes with the run; `keys`: for jobs, where they can read it."""
        self._plan, self._home, self._scratch, self._keys = cluster, home, scratch, keys
        self._loop: Any = None
        self._client: Client | None = None
        self._started: Started | None = None
        self._run, self._numbers = token_hex(4), count()
        self._came: Queue[tuple[int, bytes | Exception]] = Queue()
        self._waits: dict[int, Future[None]] = {}
        self._used: set[str] = set()
        """Workers that were asked anything."""
        self._there: dict[str, Seen] = {}
        self._heard = self._looked = monotonic()
        """When the scheduler last said who is there, and when somebody last asked us."""
        self._silence = 0.0
        """Seconds for which it said nothing while we listened: where we stood still ourselves it is not to blame."""

    def __enter__(self) -> Self:
        try:
            self._connect()
        except BaseException:
            self._close()
            raise
        self._watching = self._spawn(self._watch())
        return self

    def _connect(self) -> None:
        """Start what is to be started, and be let in. Raises CannotStart."""
        check(self._plan)
        plan, distributed = self._plan, package()
        try:
            security = keys_of(plan) if plan.address else None
            if security:
                asyncio.run(knock(plan.address, security))
            else:
                self._start()
            self._client = distributed.Client(
                self._started or plan.address, security=security, timeout=CONNECT, name="kingmaker",
                set_as_default=False,
            )  # fmt: skip
        except Exception as error:  # whatever the class of somebody else raises
            raise CannotStart(*complaint(plan, error), "E331") from None

    def _start(self) -> None:
        """Have workers started."""
        import dask

        plan = self._plan
        self._scratch.mkdir(mode=0o700, exist_ok=True)
        dask.config.set({"temporary-directory": str(self._scratch / "dask")})
        if plan.is_local or plan.is_queued:
            self._loop = deaf_loop()
        self._started = started = class_of(plan)(**options(plan, self._loop, self._home, self._keys))
        if plan.kind not in ("local", "ssh"):
            low, high = (plan.workers or plan.minimum), (plan.workers or plan.maximum)
            started.adapt(minimum=low, maximum=high)

    def workers(self) -> Mapping[str, Seen]:
        """As `Link.workers`."""
        assert self._client is not None
        if self._watching.done() and (error := self._watching.exception()):
            raise StorageError(f"the scheduler does not say who is there: {cause(error)}", MEND, "E418")
        self._silence += min(monotonic() - self._looked, BEAT)
        if self._heard > self._looked:
            self._silence = 0.0
        self._looked = monotonic()
        if self._client.status != "running" or self._silence > GONE:
            raise StorageError(
                "the scheduler of the cluster is gone; every game that was kept is kept", MEND, "E418"
            )
        return self._there

    def since_heard(self) -> float:
        """As `Link.since_heard`."""
        return monotonic() - self._heard

    def ask(self, worker: str, order: bytes) -> int:
        """As `Link.ask`."""
        assert self._client is not None
        number = next(self._numbers)
        future = self._client.submit(
            serve, self._run, order, key=f"kingmaker-{self._run}-{number}", workers=[worker], allow_other_workers=False,
            pure=False,
        )  # fmt: skip
        self._used.add(worker)
        self._waits[number] = self._spawn(self._follow(number, future))
        return number

    def forget(self, number: int) -> None:
        """As `Link.forget`."""
        if wait := self._waits.pop(number, None):
            wait.cancel()  # nobody holds the task then, so that the scheduler lets it go

    def answers(self, timeout: float) -> Iterator[tuple[int, bytes | Exception]]:
        """As `Link.answers`."""
        with suppress(Empty):
            yield self._came.get(timeout=timeout)
            while True:
                yield self._came.get_nowait()

    async def _follow(self, number: int, future: Any) -> None:
        answer: bytes | Exception
        try:
            answer = await future
        except (Exception, CancelledError) as error:
            answer = error
        self._waits.pop(number, None)
        self._came.put((number, answer))

    async def _watch(self) -> None:
        """Ask the scheduler, again and again, who is there."""
        assert self._client is not None and self._client.scheduler is not None
        while True:
            with suppress(OSError, TimeoutError):
                found = await asyncio.wait_for(self._client.scheduler.identity(), GONE)
                self._there = {
                    address: Seen(str(one["name"]), str(one["host"]), one["nthreads"], one["last_seen"])
                    for address, one in found["workers"].items()
                }
                self._heard = monotonic()
            await asyncio.sleep(PERIOD)

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> Future[None]:
        assert self._client is not None
        loop: Any = self._client.loop
        return asyncio.run_coroutine_threadsafe(coroutine, loop.asyncio_loop)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._client is not None and self._client.status == "running":
            with suppress(OSError, TimeoutError):
                self._spawn(self._leave()).result(LEAVE + 1)
        self._close()

    async def _leave(self) -> None:
        """Let go of all that is out there, and end what plays it."""
        assert self._client is not None
        for number in list(self._waits):
            self.forget(number)
        await asyncio.sleep(0.1)  # so that what waits on workers is let go before what is under way
        there = [worker for worker in self._used if worker in self._there]
        if there:
            await asyncio.wait_for(
                self._client.run(remote.dismiss, self._run, workers=there, on_error="ignore"), LEAVE
            )

    def _close(self) -> None:
        with suppress(OSError, TimeoutError):
            if self._client is not None:
                self._client.close(LEAVE)  # type: ignore[no-untyped-call]
        with suppress(Exception):  # whatever the class of somebody else raises
            if self._started is not None:
                self._started.close(LEAVE)
        if self._loop is not None:
            self._loop.stop()


def serve(run: str, order: bytes) -> bytes:
    """On a worker: as `remote.serve`. Once the seat can take another order this task's thread counts no more, so that
    the worker begins the next task, which it has by then."""
    from distributed import secede

    return remote.serve(run, order, secede)
