"""Messages over a program's standard input and output: one a line.

A line that begins with `{` is a message. Any other is what a library or its author printed: it goes to the
bot's log, as long as it is not too much.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from protocol.codec import MAX_MESSAGE
from referee.transports.peer import Malformed, Peer

ENDPOINT = "stdio:"
"""What a bot finds in ARENA_ENDPOINT."""
NOISE = MAX_MESSAGE
"""Bytes that a bot may print from one message to the next."""


class Pipes(Peer):
    """A program's standard output and input. It holds at most a line of the limit."""

    __slots__ = ("_noise", "_rest", "_tell")

    def __init__(self, reader: int, writer: int, endpoint: str, log: Callable[[bytes], None]) -> None:
        super().__init__(reader, writer, endpoint)
        os.set_blocking(reader, False)
        os.set_blocking(writer, False)
        self._tell = log
        self._rest = b""
        self._noise = 0

    def feed(self, data: bytes) -> Iterator[tuple[bytes, str]]:
        """The messages that `data` completes, or has made too long. Raises Malformed after one that is."""
        *whole, self._rest = (self._rest + data).split(b"\n")
        for line in whole:
            if line.lstrip().startswith(b"{"):
                self._noise = 0
                yield line[: MAX_MESSAGE + 1], ""
            else:
                self._keep(line)
        if len(self._rest) > MAX_MESSAGE and self._rest.lstrip().startswith(b"{"):
            yield self._rest[: MAX_MESSAGE + 1], ""
            raise Malformed("a line that is too long")
        if self._noise + len(self._rest) > NOISE:
            yield self._rest, "flood"
            raise Malformed("too much that is no message")

    def _keep(self, line: bytes) -> None:
        self._noise += len(line) + 1
        if self._noise <= NOISE:
            self._tell(line + b"\n")

    def wrap(self, payload: bytes) -> bytes:
        """A line."""
        return payload + b"\n"

    def close(self) -> None:
        """Close both pipes: the program reads the end of its input."""
        os.close(self.reader)
        os.close(self.writer)

    def unfinished(self) -> bytes:
        """A line that has no end yet."""
        return self._rest
