"""The wire protocol of ZeroMQ itself, in the part of a ROUTER: ZMTP 3.0, mechanism NULL.

libzmq hands every message between threads, which costs a referee more than all else on a move; and it can
be made to abort or to swell by a hostile peer. This serves the stock libraries of all languages with one
thread, and takes in no more of a peer than one message of the protocol's limit. Source: rfc.zeromq.org/23.

    bot                                   here
     | <--------------------- signature -- |      the first 10 bytes of a greeting
     | -- greeting (64 bytes) -----------> |      signature, version 3, NULL
     | <--------------- its other bytes -- |
     | <------------------------- READY -- |      a command: Socket-Type = ROUTER
     | -- READY -------------------------> |      Socket-Type = REQ or DEALER
     | -- message -----------------------> |      REQ: an empty frame before it
"""

from __future__ import annotations

import socket
from collections.abc import Iterator

from protocol.codec import MAX_MESSAGE
from referee.transports.peer import Malformed, Peer

PINGS = 1000
"""From one message to the next; who sends more is cut off. A second apart, as heartbeats are, that is a quarter of
an hour."""
FRAMES = 4
"""Of one message; who sends more is cut off."""

METADATA = 1 << 10
"""Bytes of a command: libzmq's own have some 300 at most."""

MORE, LONG, COMMAND = 1, 2, 4
GREETING = b"\xff" + bytes(8) + b"\x7f" + b"\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
SIGNATURE = GREETING[:10]
DELIMITER = bytes((MORE, 0))
"""The empty frame of a REQ socket."""
SOCKETS = (b"REQ", b"DEALER")


def frame(flags: int, body: bytes) -> bytes:
    """A frame as it goes over the wire."""
    if len(body) < 256:
        return bytes((flags, len(body))) + body
    return bytes((flags | LONG,)) + len(body).to_bytes(8, "big") + body


READY = frame(COMMAND, b"\x05READY\x0bSocket-Type\x00\x00\x00\x06ROUTER\x08Identity\x00\x00\x00\x00")


class Socket(Peer):
    """A connection of a ZeroMQ socket. It holds at most FRAMES frames of the limit."""

    __slots__ = (
        "_buffer",
        "_connection",
        "_delimited",
        "_frames",
        "_greeted",
        "_pings",
        "_ready",
        "_replied",
    )

    def __init__(self, connection: socket.socket, endpoint: str) -> None:
        super().__init__(connection.fileno(), connection.fileno(), endpoint)
        self._connection = connection
        self._delimited = False
        """Whether its last message had an empty frame first, as a REQ's have; so does the answer."""
        self._buffer = b""
        self._replied = False
        """Whether our greeting's rest has been sent, which is not before the peer's signature, as libzmq does.

        Bots of JeroMQ 0.6.0 whose hello had not come within 4 s, on a loaded machine: with a handshake interval
        of 300 ms 0 of 120 so, and 7 of 120 where all was sent at once; without the interval 6 and 7 of 120. So it
        cures nothing alone. Issue 1022 of JeroMQ, which is open, names a race.
        """
        self._greeted = False
        self._ready = False
        self._pings = 0
        """Since its last message."""
        self._frames: list[bytes] = []
        """Of the message that is not complete."""

    def wrap(self, payload: bytes) -> bytes:
        """A message of one frame, in the shape of the last one that came."""
        message = frame(0, payload)
        return DELIMITER + message if self._delimited else message

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

    def whole(self, data: bytes) -> bytes | None:
        """A message of a REQ socket, of less than 256 bytes, without a step for each of its frames."""
        if self._ready and not self._buffer and not self._frames and _is_one_answer(data):
            self._delimited, self._pings = True, 0
            return data[4:]
        return None

    def feed(self, data: bytes) -> Iterator[tuple[bytes, str]]:
        """The messages that `data` completes. Raises Malformed."""
        self._buffer += data
        for frames in self._messages():
            self._delimited = len(frames) == 2 and not frames[0]
            yield frames[-1], "" if self._delimited or len(frames) == 1 else "not_json"

    def _messages(self) -> Iterator[list[bytes]]:
        """The messages in the buffer, each as its frames."""
        if not self._greeted and not self._greet():
            return
        while (found := self._frame()) is not None:
            flags, body = found
            if flags & COMMAND:
                self._obey(body)
                continue
            self._frames.append(body)
            if not self._ready or len(self._frames) > FRAMES:
                raise Malformed("a message before READY, or of too many frames")
            if len(body) > MAX_MESSAGE or not flags & MORE:
                frames, self._frames, self._pings = self._frames, [], 0
                yield frames
            if len(body) > MAX_MESSAGE:
                raise Malformed("a frame that is too long: what follows cannot be read")

    def _greet(self) -> bool:
        """Whether the peer's greeting is here; it must be of version 3 or later, and NULL."""
        if not self._replied and len(self._buffer) >= len(SIGNATURE):
            self._replied = True
            self.write(GREETING[len(SIGNATURE) :])
        if len(self._buffer) < len(GREETING):
            return False
        head, self._buffer = self._buffer[: len(GREETING)], self._buffer[len(GREETING) :]
        if head[0] != 0xFF or not head[9] & 1 or head[10] < 3 or head[12:32] != GREETING[12:32]:
            raise Malformed("no greeting of ZMTP 3 with NULL")
        self._greeted = True
        self.write(READY)
        return True

    def _frame(self) -> tuple[int, bytes] | None:
        """The next frame, with its flags; of one that is too long the first MAX_MESSAGE + 1 bytes."""
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        flags, size, start = buffer[0], buffer[1], 2
        if flags & LONG:
            if len(buffer) < 9:
                return None
            size, start = int.from_bytes(buffer[1:9], "big"), 9
        end = start + min(size, MAX_MESSAGE + 1)
        if len(buffer) < end:
            return None
        self._buffer = buffer[end:]
        return flags, buffer[start:end]

    def _obey(self, body: bytes) -> None:
        """A command: READY once, and PING, which is answered."""
        if len(body) > METADATA:
            raise Malformed("a command that is too long")
        length = body[0] if body else 0
        name, rest = body[1 : 1 + length], body[1 + length :]
        if name == b"READY" and not self._ready:
            if dict(_properties(rest)).get(b"socket-type") not in SOCKETS:
                raise Malformed("neither REQ nor DEALER")
            self._ready = True
        elif name == b"PING" and self._ready and self._pings < PINGS:
            self._pings += 1
            if not self.unsent:  # else it does not read, and what waits for it tells it as much
                self.write(frame(COMMAND, b"\x04PONG" + rest[2:18]))
        else:
            raise Malformed(f"command {name!r}")


def _is_one_answer(data: bytes) -> bool:
    """Whether it is exactly one message of a REQ socket, of less than 256 bytes."""
    return data[:3] == b"\x01\x00\x00" and len(data) > 3 and len(data) == 4 + data[3]


def _properties(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The metadata of a READY command, names in lower case. Raises Malformed."""
    while data:
        name_end = 1 + data[0]
        value = name_end + 4
        end = value + int.from_bytes(data[name_end:value], "big")
        if end > len(data):
            raise Malformed("metadata that ends early")
        yield data[1:name_end].lower(), data[value:end]
        data = data[end:]
