"""What is told to all who watch a tournament: looked at once a second, and only while somebody listens.

Server-sent events (WHATWG HTML, 9.2), each with JSON:

    snapshot    kingmaker/live/1; after the first one the fields that have changed since, and `at`
    moves       of the one game that a listener follows: game, steps, from (the number of the first of these events,
                from 0), events (as replay files have them); its id is `<game>/<number of the next event>`, by
                which a browser that was cut off goes on where it was
    gone        game: it is not shown (any more)
    trouble     message: the tournament cannot be looked at; the stream ends

A stream ends when its tournament has. Nobody queues: who reads slowly misses snapshots, and the kernel drops who
reads nothing at all (see `server`).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, NamedTuple, Protocol

from arena.errors import ArenaError
from protocol.codec import encode

PERIOD = 1.0
"""Seconds from one look to the next."""
HEARTBEAT = 15.0
"""Seconds of silence after which a comment is sent: proxies close what is silent."""
RETRY_MS = 2000
"""After which a browser that was cut off comes again."""
MOST = 200
"""Listeners of a server."""


class Watching(Protocol):
    """What is needed of `arena.live.Watch`; called by one thread after the other."""

    def look(self) -> Any:
        """The tournament as it is, a Snapshot."""

    def replay(self, game: str) -> Mapping[str, Any] | None:
        """A replay file of the part of a game under way that is shown."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What was seen at one look."""

    body: bytes = b""
    """The snapshot as JSON;"""
    before: bytes = b""
    """that of the look before,"""
    change: bytes = b""
    """and what is to be changed in it."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """The same as values."""
    over: bool = False
    """The tournament has ended: there is nothing more to tell."""
    replays: Mapping[str, Mapping[str, Any] | None] = field(default_factory=dict)
    """Of the games that somebody follows; None: it is not shown."""
    trouble: str = ""
    """Why nothing can be seen."""


class Place(NamedTuple):
    """How far somebody knows a game."""

    game: str
    told: int
    """Events."""

    def after(self, replay: Mapping[str, Any] | None) -> tuple[Place | None, bytes]:
        """The place after all that there is, and what is sent to get there; None where there is nothing to follow."""
        if replay is None or len(replay["events"]) < self.told:
            return None, _event("gone", encode({"game": self.game}))
        now = Place(self.game, len(replay["events"]))
        if now == self:
            return self, b""
        body = {
            "game": self.game, "steps": replay["steps"], "from": self.told,
            "events": replay["events"][self.told :],
        }  # fmt: skip
        return now, _event("moves", encode(body), f"{now.game}/{now.told}")


class Channel:
    """All that listen to one tournament share one watch of it."""

    def __init__(
        self, watch: Callable[[], AbstractContextManager[Watching]], told: Callable[[Any], Mapping[str, Any]]
    ) -> None:
        """`told`: a snapshot as JSON-able values."""
        self._watch, self._told = watch, told
        self._followed: Counter[str] = Counter()
        self._seen: Seen | None = None
        self._tick = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.listeners = 0
        self.closed = False

    @contextmanager
    def listening(self, game: str = "") -> Iterator[None]:
        """For as long as somebody listens, and follows a game; only then there is something to see."""
        self.listeners += 1
        self._followed[game] += 1
        if self._task is None:
            self._seen = None
            self._task = asyncio.create_task(self._run())
        try:
            yield
        finally:
            self.listeners -= 1
            self._followed -= Counter([game])

    def close(self) -> None:
        """Let all streams end."""
        self.closed = True
        self._wake()

    async def next(self, seen: Seen | None = None) -> Seen | None:
        """What is seen when that is something else than `seen`; None after HEARTBEAT, or when it is closed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(HEARTBEAT):
                while not self.closed and (self._seen is None or self._seen is seen):
                    await self._tick.wait()
                return None if self.closed else self._seen
        return None

    async def events(self, game: str = "", told: int = 0) -> AsyncIterator[bytes]:
        """The stream of a listener who follows `game` and knows its first `told` events."""
        yield f"retry: {RETRY_MS}\n\n".encode()
        seen, body, place = None, None, Place(game, told) if game else None
        while not self.closed:
            new = await self.next(seen)
            if new is None:
                yield b": still here\n\n"
                continue
            seen = new
            if seen.body != body:
                yield _event("snapshot", seen.change if seen.before is body else seen.body)
                body = seen.body
            if place and game in seen.replays:
                place, more = place.after(seen.replays[game])
                yield more
            if seen.trouble:
                yield _event("trouble", encode({"message": seen.trouble}))
            if seen.trouble or seen.over:
                return

    async def _run(self) -> None:
        try:
            with ExitStack() as stack:
                watch = await asyncio.to_thread(stack.enter_context, self._watch())
                while self.listeners and not self.closed:
                    began = monotonic()
                    self._seen = await asyncio.to_thread(self._look, watch, tuple(self._followed))
                    self._wake()
                    await asyncio.sleep(max(PERIOD / 5, PERIOD - (monotonic() - began)))
        except ArenaError as error:
            self._seen = Seen(trouble=str(error))
        finally:
            self._task = None
            self._wake()

    def _look(self, watch: Watching, games: Sequence[str]) -> Seen:
        snapshot = watch.look()
        told = self._told(snapshot)
        replays = {game: watch.replay(game) for game in games if game}
        over = bool(snapshot.ended) and not snapshot.running
        seen = self._seen or Seen()
        changed = {key: value for key, value in told.items() if seen.facts.get(key, ...) != value}
        if seen.body and changed.keys() <= {"at"} and seen.replays == replays:
            return seen
        if not changed.keys() <= {"at"}:
            change = encode({"schema": told["schema"], **changed})
            seen = replace(seen, body=encode(told), before=seen.body, change=change, facts=told)
        return replace(seen, over=over, replays=replays)

    def _wake(self) -> None:
        self._tick.set()
        self._tick = asyncio.Event()


def _event(kind: str, body: bytes, id: str = "") -> bytes:
    name = f"id: {id}\n" if id else ""
    return f"event: {kind}\n{name}data: ".encode() + body + b"\n\n"
