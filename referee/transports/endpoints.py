"""The transport of a worker: one poller over all its bots, whichever way each of them talks."""

from __future__ import annotations

import os
import select
import socket
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path

from referee.transports import TICK, Address, Gone, Parcel
from referee.transports.lines import Pipes
from referee.transports.peer import Malformed, Peer
from referee.transports.zmtp import SIGNATURE, Socket

PEERS = 32
"""Connections that an endpoint holds until its bot has been found; for a further one the oldest is cut off.

So whoever says nothing, or not all of it, holds its place as long as nobody wants it; and whoever connects without
end must do so 32 times between a bot's connection and its hello, each time that the bot tries again.
"""
QUEUE = 128
"""Connections that the kernel keeps for us. One that finds no place tries again after a second."""
CHUNK = 1 << 12
"""Bytes read of a bot before the others have their turn: a flood costs them little, and an answer is seldom more."""
STRANGER = 1 << 8
"""The same of whoever has not been found to be a bot, of whom there may be many; a hello seldom has more."""
ROUNDS = 20
"""Turns of everybody in one `receive`: enough for the longest message, lest one that is here be taken for late."""


class Endpoints:
    """The transport (see `referee.transports.Transport`). An address is a peer."""

    def __init__(self, tick: float = TICK) -> None:
        self._tick = tick
        self._epoll = select.epoll()
        self._listeners: dict[int, tuple[socket.socket, str]] = {}
        self._peers: dict[int, Peer] = {}
        """By their descriptors, one or two each, the oldest first."""
        self._settled: set[str] = set()
        """Endpoints that have their bot: nobody listens there, and the name is not free until they are shut."""
        self._arrived: deque[Parcel] = deque()
        """At most one of each peer."""
        self._unread: dict[Peer, Iterator[tuple[bytes, str]]] = {}
        """What was read with those, and may hold more messages; no more is read of its peer before it is empty."""

    def open(self, folder: Path, kind: str = "ipc") -> str:
        """A new endpoint: `ipc`, in `folder` (a short path: the kernel allows 107 bytes), or `tcp` on loopback.

        OSError where it can't.
        """
        family = socket.AF_UNIX if kind == "ipc" else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM | socket.SOCK_NONBLOCK)
        try:
            listener.bind(f"{folder}/s" if kind == "ipc" else ("127.0.0.1", 0))
            name = listener.getsockname()
            endpoint = f"ipc://{name}" if kind == "ipc" else f"tcp://{name[0]}:{name[1]}"
            listener.listen(QUEUE)
        except OSError as error:
            listener.close()
            raise OSError(error.errno, f"cannot listen ({kind}, {folder}/s): {error}") from None
        if endpoint in self._settled:  # the port of a bot that has hung up, which the kernel gives anew
            listener.close()
            return self.open(folder, kind)
        self.adopt(listener, endpoint)
        return endpoint

    def adopt(self, listener: socket.socket, endpoint: str) -> None:
        """Let peers come to a socket that listens already; it is ours from now on."""
        self._listeners[listener.fileno()] = listener, endpoint
        self._epoll.register(listener, select.EPOLLIN)

    def join(self, reader: int, writer: int, endpoint: str, log: Callable[[bytes], None]) -> Address:
        """A program's standard output and input, which are ours from now on; `log` takes what is no message."""
        return self._add(Pipes(reader, writer, endpoint, log))

    def settle(self, address: Address) -> None:
        """Its endpoint has found its bot: the others there are cut off, and nobody listens any more."""
        endpoint = self.endpoint(address)
        self._settled.add(endpoint)
        self._stop_listening(endpoint)
        for peer in self._at(endpoint):
            if peer is not address:
                self.cut(peer)

    def shut(self, endpoint: str) -> None:
        """No more of that endpoint: its peers are cut off. Nothing where it is shut already."""
        self._settled.discard(endpoint)
        self._stop_listening(endpoint)
        for peer in self._at(endpoint):
            self.cut(peer)

    def send(self, address: Address, payload: bytes) -> None:
        """Hand `payload` over. Raises Gone where the peer has left or does not read."""
        assert isinstance(address, Peer)
        if not self.holds(address):
            raise Gone("it was cut off")
        try:
            self._write(address, address.wrap(payload))
        except OSError as error:
            self._cut(address)
            raise Gone(str(error)) from None

    def cut(self, address: Address) -> None:
        """Hang up; what has come from there is dropped."""
        assert isinstance(address, Peer)
        self._cut(address)
        self._arrived = deque([parcel for parcel in self._arrived if parcel.address is not address])

    def endpoint(self, address: Address) -> str:
        """Where that peer has come, also one that has left."""
        assert isinstance(address, Peer)
        return address.endpoint

    def holds(self, address: Address) -> bool:
        """Whether that peer is still connected."""
        return isinstance(address, Peer) and self._peers.get(address.reader) is address

    def unfinished(self, address: Address) -> bytes:
        """What came from there that is no message yet."""
        return address.unfinished() if isinstance(address, Peer) else b""

    def receive(self) -> Parcel | None:
        """The next message of anybody; None after a tick without one, or when what has come is none yet."""
        wait = self._tick
        for _ in range(ROUNDS):
            if self._arrived or not self._go_round(wait):
                break
            wait = 0.0
        return self._arrived.popleft() if self._arrived else None

    def close(self) -> None:
        """Everything, at once, whatever is unsent."""
        for endpoint in {name for _, name in self._listeners.values()} | {
            peer.endpoint for peer in self._peers.values()
        }:
            self.shut(endpoint)
        self._epoll.close()

    def _go_round(self, wait: float) -> bool:
        """Line up a message of everybody who has one; whether anybody did anything within `wait` seconds."""
        if self._unread:
            unread, self._unread = self._unread, {}
            for peer, messages in unread.items():
                self._do(peer, self._line_up, messages)
        happened = self._epoll.poll(0 if self._arrived else wait)
        for number, events in happened:
            if number in self._listeners:
                self._accept(*self._listeners[number])
            elif number in self._peers:
                self._serve(self._peers[number], number, events)
        return bool(happened)

    def _at(self, endpoint: str) -> list[Peer]:
        """The peers there, the oldest first."""
        return [peer for peer in dict.fromkeys(self._peers.values()) if peer.endpoint == endpoint]

    def _stop_listening(self, endpoint: str) -> None:
        for number, (listener, name) in list(self._listeners.items()):
            if name == endpoint:
                del self._listeners[number]
                listener.close()

    def _accept(self, listener: socket.socket, endpoint: str) -> None:
        try:
            connection, _ = listener.accept()
        except (BlockingIOError, ConnectionAbortedError):  # it has left already
            return
        connection.setblocking(False)
        if listener.family == socket.AF_INET:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if len(crowd := self._at(endpoint)) >= PEERS:  # none of them the bot, or nobody would listen here
            self.cut(crowd[0])
        peer = self._add(Socket(connection, endpoint))
        self._do(peer, self._write, SIGNATURE)

    def _add(self, peer: Peer) -> Peer:
        self._peers[peer.reader] = self._peers[peer.writer] = peer
        self._epoll.register(peer.reader, select.EPOLLIN)
        return peer

    def _serve(self, peer: Peer, number: int, events: int) -> None:
        if number == peer.writer and events & (select.EPOLLOUT | select.EPOLLERR) and peer.unsent:
            self._do(peer, self._write, b"")
        if number == peer.reader and events & ~select.EPOLLOUT and peer not in self._unread:
            self._do(peer, self._read)

    def _read(self, peer: Peer) -> None:
        data = os.read(peer.reader, CHUNK if peer.endpoint in self._settled else STRANGER)
        if (message := peer.whole(data)) is not None:
            self._arrived.append(Parcel(peer, message))
            return
        self._line_up(peer, peer.feed(data))
        if not data:
            raise BrokenPipeError("it has left")

    def _line_up(self, peer: Peer, messages: Iterator[tuple[bytes, str]]) -> None:
        """The first of `messages`, if there is one."""
        waited = bool(peer.unsent)
        found = next(messages, None)
        self._await_room(peer, waited)  # a PING may have been answered
        if found is not None:
            self._arrived.append(Parcel(peer, *found))
            self._unread[peer] = messages

    def _write(self, peer: Peer, data: bytes) -> None:
        waited = bool(peer.unsent)
        peer.write(data)
        self._await_room(peer, waited)

    def _await_room(self, peer: Peer, waited: bool) -> None:
        """Be told when there is room for what is unsent, where we were not waiting for that already."""
        waiting = bool(peer.unsent)
        if waiting == waited:
            return
        if peer.reader == peer.writer:
            self._epoll.modify(peer.reader, select.EPOLLIN | (select.EPOLLOUT if waiting else 0))
        elif waiting:
            self._epoll.register(peer.writer, select.EPOLLOUT)
        else:
            self._epoll.unregister(peer.writer)

    def _do(self, peer: Peer, what: Callable[..., None], *how: object) -> None:
        """`what` with the peer, whose failure costs it its connection and is nobody else's."""
        try:
            what(peer, *how)
        except BlockingIOError:
            return
        except (OSError, Malformed):
            self._cut(peer)

    def _cut(self, peer: Peer) -> None:
        if self.holds(peer):  # else it is gone, and the number may be another's
            del self._peers[peer.reader]
            self._peers.pop(peer.writer, None)
            self._unread.pop(peer, None)
            peer.close()  # which takes it out of the epoll, too
