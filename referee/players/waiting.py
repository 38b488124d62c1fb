"""A bot's program that is waited for: one question at a time, in the process that asks.

For a few games outside any tournament. A worker asks many bots in turn, and waits for none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

from protocol.messages import Hello, Move, Ready
from referee.faults import Misstep
from referee.jobs import Launch
from referee.match import Ask, Reply
from referee.players.remote import GRACE, RemotePlayer, turn_away
from referee.processes import Exit, Kept
from referee.transports.endpoints import Endpoints


class WaitingPlayer:
    """A started bot. Whoever makes one has become a subreaper, and calls `leave`."""

    def __init__(self, launch: Launch, folder: Path, log: Path) -> None:
        self._endpoints = Endpoints()
        self.remote = RemotePlayer(launch, self._endpoints, folder, log)
        self.heard: Hello | Move | Ready | Misstep | None = None
        """The last that came of it."""

    @property
    def wants_events(self) -> bool:
        """Whether its `hello` leaves events on."""
        return self.remote.wants_events

    def start(self, startup: float | None) -> Misstep | None:
        """Start it and take its `hello`; what kept it from that. `startup` in seconds."""
        self.remote.start(startup)
        return self._wait(lambda: not self.remote.greeting)

    def expect(self, tell: Callable[[dict[str, str]], None]) -> Misstep | None:
        """Wait for the `hello` of a program that somebody starts who was told its environment."""
        tell(self.remote.expect())
        return self._wait(lambda: not self.remote.greeting)

    def reply(self, ask: Ask) -> Reply:
        """Its answer to `ask`, or what it did wrong."""
        misstep = self.remote.ask(ask, ask.message["game_id"])
        if misstep is None:
            self._wait(lambda: not self.remote.asked)
            assert self.heard is not None and not isinstance(self.heard, Hello)
            return Reply(self.heard, monotonic() - self.remote.asked_at, self.remote.cpu)
        return Reply(misstep, 0.0)

    def _wait(self, over: Callable[[], bool]) -> Misstep | None:
        while not over():
            parcel = self._endpoints.receive()
            now = monotonic()
            remote = self.remote
            if parcel is None:
                self.heard = remote.look(now, heard_all=True) or self.heard
            elif parcel.address == remote.address or remote.token.encode() in parcel.payload:
                self.heard = remote.take(parcel, now)
            else:
                turn_away(parcel, [remote], self._endpoints)
        return self.remote.misstep

    def leave(self, reason: str = "that was all") -> Exit | None:
        """Say `bye` and end it; how it ended, None where it had not been started."""
        kept: Kept | None = self.remote.leave(reason)
        ended = None if kept is None else kept.stop(GRACE)
        self._endpoints.close()
        return ended


@contextmanager
def waiting(launch: Launch, folder: Path, log: Path) -> Iterator[WaitingPlayer]:
    """A player that leaves at the end, whatever happens."""
    player = WaitingPlayer(launch, folder, log)
    try:
        yield player
    finally:
        player.leave()
