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
        """Bytes that it may still print before its next message. What is a message is told within it, so that
        it does not depend on when bytes come."""

    def feed(self, data: bytes) -> Iterator[tuple[bytes, str]]:
        """The messages that `data` completes, or has made too long. Raises Malformed after one that is."""
        noise: list[bytes] = []
        try:
            yield from self._messages(self._rest + data, noise)
            if not data:  # the end: nothing will complete what there is of a line
                noise.append(self._rest)
        finally:
            if printed := b"".join(noise):  # told once, since it may be a thousand lines
                self._tell(printed)

    def _messages(self, text: bytes, noise: list[bytes]) -> Iterator[tuple[bytes, str]]:
        """The messages in `text`, which begins with a line; `noise` is given the other lines."""
        at = 0
        while (found := MESSAGE.search(text, at, at + self._room + 1)) is not None:
            at = self._pass_over(text[at : found.start()], at, noise)
            end = text.find(b"\n", at)
            message = text[at : end if end >= 0 else None].removesuffix(b"\r")
            yield from _within(MAX_MESSAGE, message, "")
            if end < 0:
                break
            yield message, ""
            self._room, at = NOISE, end + 1
        else:
            lines = text[at : text.rfind(b"\n", at, at + self._room) + 1]
            at = self._pass_over(lines, at, noise)
            yield from _within(self._room, text[at:], "flood")
        self._rest = text[at:]

    def _pass_over(self, lines: bytes, at: int, noise: list[bytes]) -> int:
        """Take `lines`, which are at `at` and have room, as noise; where they end."""
        noise.append(lines)
        self._room -= len(lines)
        return at + len(lines)

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
