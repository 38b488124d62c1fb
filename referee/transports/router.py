"""ZeroMQ by libzmq: one ROUTER for all bots of a worker. The reference beside `zmtp`, and slower.

The one home of pyzmq in the referee. A blocking receive with a time limit is the poller: with one socket
nothing cheaper exists.
"""

from __future__ import annotations

import contextlib
import errno
import socket
from collections.abc import Callable
from pathlib import Path

import zmq

from referee.transports import TICK, Address, Gone, Parcel

RECEIVE_LIMIT = 1 << 20
"""Bytes of a frame that are taken in at all (a larger one cuts its sender off); the codec refuses less."""


class Router:
    """The transport (see `referee.transports.Transport`). An address is a routing id."""

    def __init__(self, tick: float = TICK) -> None:
        self._context = zmq.Context()
        self._delimited: set[bytes] = set()
        """Peers whose last message had the empty frame of a REQ."""
        self._socket = self._context.socket(zmq.ROUTER)
        for option, value in (
            (zmq.ROUTER_MANDATORY, 1), (zmq.ROUTER_HANDOVER, 0), (zmq.LINGER, 0), (zmq.SNDHWM, 8),
            (zmq.RCVHWM, 8), (zmq.MAXMSGSIZE, RECEIVE_LIMIT), (zmq.HANDSHAKE_IVL, 1000),
            (zmq.RCVTIMEO, round(tick * 1000)), (zmq.SNDTIMEO, 0),
        ):  # fmt: skip
            self._socket.setsockopt(option, value)

    def open(self, folder: Path, kind: str = "ipc") -> str:
        """A new endpoint, as of `Endpoints`. OSError where it can't."""
        endpoint = f"ipc://{folder}/s" if kind == "ipc" else "tcp://127.0.0.1:*"
        try:
            self._socket.bind(endpoint)
        except zmq.ZMQError as error:
            raise OSError(error.errno, f"cannot listen at {endpoint}: {error}") from None
        return self._socket.getsockopt_string(zmq.LAST_ENDPOINT)

    def adopt(self, listener: socket.socket, endpoint: str) -> None:
        """OSError: a ROUTER makes its own sockets."""
        listener.close()
        raise OSError(errno.ENOTSUP, "libzmq does not reach a bot that has a loopback of its own")

    def join(self, reader: int, writer: int, endpoint: str, log: Callable[[bytes], None]) -> Address:
        """OSError: libzmq has no lines."""
        raise OSError(errno.ENOTSUP, "libzmq does not speak over standard input and output")

    def holds(self, address: Address) -> bool:
        """As far as is known: a ROUTER tells of no end."""
        return True

    def unfinished(self, address: Address) -> bytes:
        """Nothing: libzmq keeps it to itself."""
        return b""

    def settle(self, address: Address) -> None:
        """Nothing: who stops listening ends what was accepted there, too."""

    def endpoint(self, address: Address) -> str:
        """Not known: a ROUTER does not tell."""
        return ""

    def shut(self, endpoint: str) -> None:
        """No more of that endpoint: its peer is cut off."""
        with contextlib.suppress(zmq.ZMQError):  # its folder may be gone already
            self._socket.unbind(endpoint)

    def send(self, address: Address, payload: bytes) -> None:
        """Hand `payload` over. Raises Gone where the peer has left or does not read."""
        assert isinstance(address, bytes)
        try:
            self._socket.send(address, zmq.SNDMORE)
            if address in self._delimited:
                self._socket.send(b"", zmq.SNDMORE)
            self._socket.send(payload)
        except zmq.ZMQError as error:
            raise Gone(str(error)) from None

    def receive(self) -> Parcel | None:
        """The next message of anybody; None after a tick without one."""
        try:
            frames = self._socket.recv_multipart()
        except zmq.Again:
            return None
        address, delimited = frames[0], len(frames) == 3 and not frames[1]
        if delimited:
            self._delimited.add(address)
        else:
            self._delimited.discard(address)
        return Parcel(address, frames[-1], "" if delimited or len(frames) == 2 else "not_json")

    def cut(self, address: Address) -> None:
        """Nothing: a ROUTER can't hang up on one peer."""

    def close(self) -> None:
        """Everything, at once, whatever is unsent."""
        self._socket.close()
        self._context.term()
