"""A value that is made anew when what it is made of has moved, and how much of the time that may take."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from time import monotonic
from typing import Generic, TypeVar

from arena.errors import ArenaError

T = TypeVar("T")

REST = 9
"""To rest after making, in times as long as it took: making takes a tenth of the time at most."""


class Remade(Generic[T]):
    """A value that is made anew for another key than the one it was made for, one at a time.

    While it is made, and rested from that, the old one is given. What fails is told to `failed`, and tried
    again after as long a rest.
    """

    def __init__(
        self, make: Callable[[], Awaitable[T]], failed: Callable[[ArenaError], None],
        clock: Callable[[], float] = monotonic,
    ) -> None:  # fmt: skip
        self._make, self._failed, self._clock = make, failed, clock
        self._value: T | None = None
        self._key: Hashable = None
        self._task: asyncio.Task[None] | None = None
        self._rests_until = clock()

    def look(self, key: Hashable) -> T | None:
        """The value as it is; None where it was never made. Begins to make another one where that is due."""
        if key != self._key and self._task is None and self._clock() >= self._rests_until:
            self._task = asyncio.create_task(self._remake(key))
        return self._value

    async def wait(self, key: Hashable) -> T | None:
        """The same, but the first one is waited for; None where that failed."""
        value = self.look(key)
        if value is None and self._task is not None:
            await asyncio.shield(self._task)
        return self._value

    async def close(self) -> None:
        """End what is under way."""
        if (task := self._task) is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _remake(self, key: Hashable) -> None:
        began = self._clock()
        try:
            self._value = await self._make()
            self._key = key
        except ArenaError as error:
            self._failed(error)
        finally:
            now = self._clock()
            self._rests_until, self._task = now + REST * (now - began), None
