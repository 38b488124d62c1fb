"""Messages over a program's standard input and output: one a line.

A line that begins with `{` is a message. Any other is what a library or its author printed: it goes to the
bot's log, as long as it is not too much.
"""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator

from protocol.codec import MAX_MESSAGE
from referee.transports.peer import Malformed, Peer

ENDPOINT = "stdio:"
"""What a bot finds in ARENA_ENDPOINT."""
NOISE = MAX_MESSAGE
"""Bytes that a bot may print from one message to the next."""
MESSAGE = re.compile(rb"^(?:%b)?[ \t\r\f\v]*+\{" % BOM_UTF8, re.MULTILINE)
"""The beginning of a line that is one."""


class Pipes(Peer):
    """A program's standard output and input. It holds at most a line of the limit."""

    __slots__ = ("_rest", "_room", "_tell")

    def __init__(self, reader: int, writer: int, endpoint: str, log: Callable[[bytes], None]) -> None:
        super().__init__(reader, writer, endpoint)
        os.set_blocking(reader, False)
        os.set_blocking(writer, False)
        self._tell = log
        self._rest = b""
        self._room = NOISE
        """Bytes that it may still print before its next message; once that has begun, before the one after it.

        What is a message is told within it, so that it does not depend on when bytes come; and a line without
        an end that has room is neither too long nor a message yet.
        """

    def whole(self, data: bytes) -> bytes | None:
        """A line that begins with {, and is all there is."""
        if not self._rest and data[:1] == b"{" and data.find(b"\n") == len(data) - 1 <= MAX_MESSAGE:
            self._room = NOISE
            return data[:-1].removesuffix(b"\r")
        return None

    def feed(self, data: bytes) -> Iterator[tuple[bytes, str]]:
        """The messages that `data` completes, or has made too long. Raises Malformed after one that is."""
        self._rest += data
        if (
            b"\n" in data or len(self._rest) > self._room
        ):  # else nothing is looked at again: it may come by bytes
            yield from self._messages()
        elif self._rest and not data:  # the end: nothing will complete what there is of a line
            self._tell(self._rest)

    def _messages(self) -> Iterator[tuple[bytes, str]]:
        """Those in what has come."""
        while (found := MESSAGE.search(self._rest, 0, self._room + 1)) is not None:
            self._pass_over(found.start())
            line, newline, rest = self._rest.partition(b"\n")
            message = line.removesuffix(b"\r")
            yield from _within(MAX_MESSAGE, message, "")
            self._room = NOISE
            if not newline:
                return
            self._rest = rest
            yield message, ""
        self._pass_over(self._rest.rfind(b"\n", 0, self._room) + 1)
        yield from _within(self._room, self._rest, "flood")

    def _pass_over(self, size: int) -> None:
        """Take so many bytes, which are lines and have room, as noise."""
        if size:  # told at once, since it may be a thousand lines
            self._tell(self._rest[:size])
            self._rest = self._rest[size:]
            self._room -= size

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
