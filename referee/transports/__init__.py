"""How bytes reach a bot and come back. Nothing here knows what they mean.

A transport listens at an endpoint for each bot, in a folder of the bot's own, and gives the messages of all
of them in turn. Two speak ZeroMQ over local sockets: `zmtp`, which serves the protocol itself and is what a
worker uses, and `router`, a ROUTER socket of libzmq, the reference beside it.
"""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import NamedTuple, Protocol

TICK = 0.02
"""The longest that `receive` blocks, in seconds."""
Address = Hashable
"""Whom a message came from; answers go there, wrapped as the message was."""


NAMES = ("zmtp", "libzmq")
"""The transports, the usual one first."""


class Gone(Exception):
    """Nobody is at that address any more, or whoever is does not read."""


class Parcel(NamedTuple):
    """What arrived."""

    address: Address
    payload: bytes
    """One byte above the protocol's limit where it was longer: no more is taken in."""
    whole: bool
    """False: it was no message of one frame, and `payload` is the last one of several."""


class Transport(Protocol):
    """Used by one thread."""

    def open(self, folder: Path) -> str:
        """A new endpoint in `folder` (a short path: the kernel allows 107 bytes). OSError where it can't."""

    def shut(self, endpoint: str) -> None:
        """No more of that endpoint: its peers are cut off."""

    def send(self, address: Address, payload: bytes) -> None:
        """Hand `payload` over. Raises Gone."""

    def cut(self, address: Address) -> None:
        """Hang up on a stranger, where that can be done."""

    def receive(self) -> Parcel | None:
        """The next message of anybody; None after a tick without one."""

    def close(self) -> None:
        """Everything, at once, whatever is unsent."""


def transport(name: str) -> Transport:
    """The transport of that name, one of NAMES; only its module is imported."""
    if name == "libzmq":
        from referee.transports.router import Router

        return Router()
    from referee.transports.zmtp import Endpoints

    return Endpoints()
