"""How bytes reach a bot and come back. Nothing here knows what they mean.

A transport listens at an endpoint for each bot, and gives the messages of all of them in turn. There are two:
`endpoints`, which is what a worker uses: it speaks ZeroMQ itself (`zmtp`) and lines (`lines`); and `router`, a
ROUTER socket of libzmq, the reference beside it, which knows no lines.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Hashable
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
    flaw: str = ""
    """Why it is no message, in a word of SPEC.md, section 6: `not_json`, the last of several frames; `flood`, too
    much that was no message. Empty: a message."""


class Transport(Protocol):
    """Used by one thread."""

    def open(self, folder: Path, kind: str = "ipc") -> str:
        """A new endpoint: `ipc`, in `folder` (a short path: the kernel allows 107 bytes), or `tcp` on loopback.

        OSError where it can't.
        """

    def adopt(self, listener: socket.socket, endpoint: str) -> None:
        """Let peers come to a socket that listens already, which is the transport's from now on, as `endpoint`.

        OSError where that can't be done.
        """

    def join(self, reader: int, writer: int, endpoint: str, log: Callable[[bytes], None]) -> Address:
        """Talk to a program by its standard output and input, which are the transport's from now on.

        `log` takes what it prints that is no message. OSError where that can't be done.
        """

    def shut(self, endpoint: str) -> None:
        """No more of that endpoint: its peers are cut off."""

    def settle(self, address: Address) -> None:
        """Whoever is there is the bot of its endpoint: nobody else is let in, where that can be helped."""

    def send(self, address: Address, payload: bytes) -> None:
        """Hand `payload` over. Raises Gone."""

    def holds(self, address: Address) -> bool:
        """Whether whoever is at that address is still connected, as far as it is known."""

    def endpoint(self, address: Address) -> str:
        """The endpoint that whoever is there has come to; empty where that is not known."""

    def unfinished(self, address: Address) -> bytes:
        """What came from there that is no message yet, where that tells its author something."""

    def cut(self, address: Address) -> None:
        """Hang up on a stranger and drop what has come from there, where that can be done."""

    def receive(self) -> Parcel | None:
        """The next message of anybody; None after a tick without one."""

    def close(self) -> None:
        """Everything, at once, whatever is unsent."""


def transport(name: str) -> Transport:
    """The transport of that name, one of NAMES; only its module is imported."""
    if name == "libzmq":
        from referee.transports.router import Router

        return Router()
    from referee.transports.endpoints import Endpoints

    return Endpoints()
