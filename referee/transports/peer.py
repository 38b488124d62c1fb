"""A bot at the other end of a pair of descriptors: bytes in, messages out, and back.

What tells one message from the next is the business of `zmtp` (ZeroMQ) and of `lines` (standard input and output).
"""

from __future__ import annotations

import os
from collections.abc import Iterator

UNSENT = 1 << 20
"""Bytes that wait for a peer that does not read, before it is cut off."""


class Malformed(Exception):
    """A peer that does not keep to its framing, or sends too much: it is cut off."""


class Peer:
    """A connection. Both descriptors are non-blocking; a socket has one for both directions."""

    __slots__ = ("endpoint", "reader", "unsent", "writer")

    def __init__(self, reader: int, writer: int, endpoint: str) -> None:
        self.reader = reader
        self.writer = writer
        self.endpoint = endpoint
        self.unsent = b""
        """What the kernel has not taken yet."""

    def feed(self, data: bytes) -> Iterator[tuple[bytes, str]]:
        """The messages that `data` completes, each with its flaw (see `Parcel.flaw`). Raises Malformed."""
        raise NotImplementedError

    def whole(self, data: bytes) -> bytes | None:
        """The message, where nothing is waiting to be completed and `data` is exactly one: what comes nearly always."""
        return None

    def wrap(self, payload: bytes) -> bytes:
        """A message as it goes over the wire."""
        raise NotImplementedError

    def close(self) -> None:
        """Let go of the descriptors."""
        raise NotImplementedError

    def unfinished(self) -> bytes:
        """What has come that is no message yet, where that tells its author something."""
        return b""

    def write(self, data: bytes) -> bool:
        """Send what the kernel takes now; whether all of it. Raises OSError: the peer is gone."""
        data = self.unsent + data
        try:
            sent = os.write(self.writer, data)
        except BlockingIOError:
            sent = 0
        self.unsent = data[sent:]
        if len(self.unsent) > UNSENT:
            raise BrokenPipeError("it does not read")
        return not self.unsent
