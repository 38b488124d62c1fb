"""Messages over a program's standard input and output: one a line.

A line that begins with `{` is a message. Any other is what a library or its author printed: it goes to the
bot's log, as long as it is not too much.
"""

from __future__ import annotations

import os
from codecs import BOM_UTF8
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
            if self._is_message(line):
                message = line.removesuffix(b"\r")
                yield from _within(MAX_MESSAGE, message, "")
                yield message, ""
                self._noise = 0
            else:
                yield from _within(NOISE - self._noise, line + b"\n", "flood")
                self._noise += len(line) + 1
                self._tell(line + b"\n")
        if self._is_message(self._rest):
            yield from _within(MAX_MESSAGE, self._rest.removesuffix(b"\r"), "")
        else:
            yield from _within(NOISE - self._noise, self._rest, "flood")
        if self._rest and not data:  # the end: nothing will complete it
            self._tell(self._rest)

    def _is_message(self, line: bytes) -> bool:
        """As far as it can be told in the room for noise, so that it does not depend on when bytes come."""
        return line[: NOISE - self._noise + 1].removeprefix(BOM_UTF8).lstrip().startswith(b"{")

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


def _within(limit: int, line: bytes, flaw: str) -> Iterator[tuple[bytes, str]]:
    """Nothing where `line` keeps the limit; else its beginning, and Malformed."""
    if len(line) > limit:
        yield line[: limit + 1], flaw
        raise Malformed("a line that is too long, or too much that is no message")
