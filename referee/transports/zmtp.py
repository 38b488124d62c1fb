"""A ROUTER that speaks the wire protocol of ZeroMQ itself: ZMTP 3.0, mechanism NULL, over Unix sockets.

libzmq hands every message between threads, which costs a referee more than all else on a move; and it can
be made to abort or to swell by a hostile peer. This serves the stock libraries of all languages with one
thread, and takes in no more of a peer than one message of the protocol's limit. Source: rfc.zeromq.org/23.

    bot                                   here
     | -- greeting (64 bytes) -----------> |      signature, version 3, NULL
     | <----------- greeting, READY ------ |      a command: Socket-Type = ROUTER
     | -- READY -------------------------> |      Socket-Type = REQ or DEALER
     | -- message -----------------------> |      REQ: an empty frame before it
"""

from __future__ import annotations

import select
import socket
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from protocol.codec import MAX_MESSAGE
from referee.transports import TICK, Address, Gone, Parcel

PEERS = 8
"""Connections that an endpoint holds at a time; further ones are cut off."""
FRAMES = 4
"""Of one message; who sends more is cut off."""
CHUNK = 1 << 16
"""Bytes read at a time."""
UNSENT = 1 << 20
"""Bytes that wait for a peer that does not read, before it is cut off."""

MORE, LONG, COMMAND = 1, 2, 4
GREETING = b"\xff" + bytes(8) + b"\x7f" + b"\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
DELIMITER = bytes((MORE, 0))
"""The empty frame of a REQ socket."""
SOCKETS = (b"REQ", b"DEALER")


def frame(flags: int, body: bytes) -> bytes:
    """A frame as it goes over the wire."""
    if len(body) < 256:
        return bytes((flags, len(body))) + body
    return bytes((flags | LONG,)) + len(body).to_bytes(8, "big") + body


READY = frame(COMMAND, b"\x05READY\x0bSocket-Type\x00\x00\x00\x06ROUTER\x08Identity\x00\x00\x00\x00")


class Malformed(Exception):
    """A peer that does not speak ZMTP 3 with NULL, or too much of it: it is cut off."""


class Peer:
    """A connection: bytes in, messages out. It holds at most FRAMES frames of the limit."""

    __slots__ = ("_buffer", "_frames", "_greeted", "_ready", "delimited", "endpoint", "socket", "unsent")

    def __init__(self, connection: socket.socket, endpoint: str) -> None:
        self.socket = connection
        self.endpoint = endpoint
        self.delimited = False
        """Whether its last message had an empty frame first, as a REQ's have; so does the answer."""
        self._buffer = b""
        self._greeted = False
        self._ready = False
        self._frames: list[bytes] = []
        """Of the message that is not complete."""
        self.unsent = b""
        """What the kernel has not taken yet."""

    def feed(self, data: bytes) -> Iterator[list[bytes]]:
        """The messages that `data` completes, each as its frames. Raises Malformed."""
        if self._ready and not self._buffer and not self._frames and _is_one_answer(data):
            yield [b"", data[4:]]  # what comes nearly always, without a step for each frame
            return
        self._buffer += data
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
                frames, self._frames = self._frames, []
                yield frames
            if len(body) > MAX_MESSAGE:
                raise Malformed("a frame that is too long: what follows cannot be read")

    def _greet(self) -> bool:
        """Whether the peer's greeting is here; it must be of version 3 or later, and NULL."""
        if len(self._buffer) < len(GREETING):
            return False
        head, self._buffer = self._buffer[: len(GREETING)], self._buffer[len(GREETING) :]
        if head[0] != 0xFF or not head[9] & 1 or head[10] < 3 or head[12:32] != GREETING[12:32]:
            raise Malformed("no greeting of ZMTP 3 with NULL")
        self._greeted = True
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
        length = body[0] if body else 0
        name, rest = body[1 : 1 + length], body[1 + length :]
        if name == b"READY" and not self._ready:
            if dict(_properties(rest)).get(b"socket-type") not in SOCKETS:
                raise Malformed("neither REQ nor DEALER")
            self._ready = True
        elif name == b"PING" and self._ready:
            self.write(frame(COMMAND, b"\x04PONG" + rest[2:18]))
        else:
            raise Malformed(f"command {name!r}")

    def write(self, data: bytes) -> bool:
        """Send what the kernel takes now; whether all of it. Raises OSError: the peer is gone."""
        data = self.unsent + data
        try:
            sent = self.socket.send(data)
        except BlockingIOError:
            sent = 0
        self.unsent = data[sent:]
        if len(self.unsent) > UNSENT:
            raise BrokenPipeError("it does not read")
        return not self.unsent


def _is_one_answer(data: bytes) -> bool:
    """Whether it is exactly one message of a REQ socket, of less than 256 bytes."""
    return data[:3] == b"\x01\x00\x00" and len(data) == 4 + data[3]


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


class Endpoints:
    """The transport (see `referee.transports.Transport`). An address is a peer."""

    def __init__(self, tick: float = TICK) -> None:
        self._tick = tick
        self._epoll = select.epoll()
        self._listeners: dict[int, tuple[socket.socket, str]] = {}
        self._peers: dict[int, Peer] = {}
        self._arrived: deque[Parcel] = deque()

    def open(self, folder: Path) -> str:
        """A new endpoint in `folder` (a short path: the kernel allows 107 bytes). OSError where it can't."""
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        try:
            listener.bind(f"{folder}/s")
            listener.listen(PEERS)
        except OSError as error:
            listener.close()
            raise OSError(error.errno, f"cannot listen at {folder}/s: {error}") from None
        endpoint = f"ipc://{folder}/s"
        self._listeners[listener.fileno()] = listener, endpoint
        self._epoll.register(listener, select.EPOLLIN)
        return endpoint

    def shut(self, endpoint: str) -> None:
        """No more of that endpoint: its peers are cut off. Nothing where it is shut already."""
        for number, (listener, name) in list(self._listeners.items()):
            if name == endpoint:
                del self._listeners[number]
                listener.close()
        for peer in [peer for peer in self._peers.values() if peer.endpoint == endpoint]:
            self._cut(peer)

    def send(self, address: Address, payload: bytes) -> None:
        """Hand `payload` over. Raises Gone where the peer has left or does not read."""
        assert isinstance(address, Peer)
        peer, message = address, frame(0, payload)
        try:
            if not peer.write(DELIMITER + message if peer.delimited else message):
                self._epoll.modify(peer.socket, select.EPOLLIN | select.EPOLLOUT)
        except OSError as error:
            self._cut(peer)
            raise Gone(str(error)) from None

    def cut(self, address: Address) -> None:
        """Hang up."""
        assert isinstance(address, Peer)
        self._cut(address)

    def receive(self) -> Parcel | None:
        """The next message of anybody; None after a tick without one."""
        if not self._arrived:
            for number, events in self._epoll.poll(self._tick):
                if number in self._listeners:
                    self._accept(*self._listeners[number])
                elif number in self._peers:
                    self._serve(self._peers[number], events)
        return self._arrived.popleft() if self._arrived else None

    def close(self) -> None:
        """Everything, at once, whatever is unsent."""
        for _, endpoint in list(self._listeners.values()):
            self.shut(endpoint)
        self._epoll.close()

    def _accept(self, listener: socket.socket, endpoint: str) -> None:
        connection, _ = listener.accept()
        connection.setblocking(False)
        peer = Peer(connection, endpoint)
        if sum(other.endpoint == endpoint for other in self._peers.values()) >= PEERS:
            connection.close()
            return
        self._peers[connection.fileno()] = peer
        self._epoll.register(connection, select.EPOLLIN)
        self._do(peer, lambda: peer.write(GREETING + READY))

    def _serve(self, peer: Peer, events: int) -> None:
        if events & select.EPOLLOUT and self._do(peer, lambda: peer.write(b"")):
            self._epoll.modify(peer.socket, select.EPOLLIN)
        if events & ~select.EPOLLOUT:
            self._read(peer)

    def _read(self, peer: Peer) -> None:
        try:
            data = peer.socket.recv(CHUNK)
            for frames in peer.feed(data):
                peer.delimited = len(frames) == 2 and not frames[0]
                whole = peer.delimited or len(frames) == 1
                self._arrived.append(Parcel(peer, frames[-1], whole))
            if peer.unsent:  # an answer to a PING
                self._epoll.modify(peer.socket, select.EPOLLIN | select.EPOLLOUT)
        except BlockingIOError:
            return
        except (OSError, Malformed):
            data = b""
        if not data:
            self._cut(peer)

    def _do(self, peer: Peer, what: Callable[[], bool]) -> bool:
        """`what`, whose failure costs the peer its connection and is nobody else's."""
        try:
            return what()
        except BlockingIOError:
            return False
        except (OSError, Malformed):
            self._cut(peer)
            return False

    def _cut(self, peer: Peer) -> None:
        self._peers.pop(peer.socket.fileno(), None)
        peer.socket.close()  # which takes it out of the epoll, too
