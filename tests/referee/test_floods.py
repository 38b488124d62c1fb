"""Peers that send, print or connect without end: no other bot waits for them, and no bot is kept out.

What is bounded is shown by the order of service and by what is taken in, never by a clock.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import socket
import struct
import sys
import tempfile
import termios
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from protocol.codec import MAX_MESSAGE
from referee.transports import Address, Parcel, lines
from referee.transports.endpoints import CHUNK, PEERS, ROUNDS, STRANGER, Endpoints
from referee.transports.lines import Pipes
from referee.transports.peer import Malformed
from referee.transports.zmtp import COMMAND, GREETING, PINGS, Socket, frame
from tests.referee.dialing import dial

HANDSHAKE = GREETING + frame(COMMAND, b"\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER")
PING = frame(COMMAND, b"\x04PING\x00\x00")


class Bot(NamedTuple):
    """One that has been heard once."""

    address: Address
    say: Callable[[bytes], int]
    """How much of some bytes is taken. BlockingIOError: nothing is."""


@pytest.fixture
def folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="km", dir="/tmp"))
    yield path
    shutil.rmtree(path)


@pytest.fixture
def endpoints() -> Iterator[Endpoints]:
    made = Endpoints(0.01)
    yield made
    made.close()


@pytest.fixture
def connect() -> Iterator[Callable[[str], socket.socket]]:
    """Connections without libzmq."""
    made: list[socket.socket] = []

    def connection(endpoint: str) -> socket.socket:
        made.append(dial(endpoint))
        return made[-1]

    yield connection
    for one in made:
        one.close()


@pytest.fixture
def bots(
    endpoints: Endpoints, folder: Path, connect: Callable[[str], socket.socket]
) -> Iterator[Callable[[str], Bot]]:
    """Bots that talk in `lines` or `zmtp`."""
    pipes: list[int] = []

    def in_lines() -> Bot:
        (reader, one), (other, writer) = os.pipe(), os.pipe()
        pipes.extend((one, other))
        os.set_blocking(one, False)
        os.write(one, b"{}\n")
        endpoints.join(reader, writer, f"stdio:{reader}", lambda printed: None)
        return Bot(arrival(endpoints).address, lambda data: os.write(one, data))

    def over_a_socket() -> Bot:
        own = Path(tempfile.mkdtemp(dir=folder))
        connection = connect(endpoints.open(own))
        connection.sendall(HANDSHAKE + frame(0, b"{}"))
        connection.setblocking(False)
        return Bot(arrival(endpoints).address, connection.send)

    yield lambda way: in_lines() if way == "lines" else over_a_socket()
    for end in pipes:
        os.close(end)


def arrival(endpoints: Endpoints) -> Parcel:
    """The next parcel, within some seconds."""
    for _ in range(300):
        if (parcel := endpoints.receive()) is not None:
            return parcel
    raise AssertionError("nothing arrived")


# messages without end

SMALLEST = {"lines": b"{\n", "zmtp": frame(0, b"")}
ways = pytest.mark.parametrize("way", SMALLEST)


@ways
def test_a_flood_of_messages_is_heard_in_turn_with_everybody(
    way: str, endpoints: Endpoints, bots: Callable[[str], Bot]
) -> None:
    flooding, other = bots(way), bots("lines")
    for _ in range(5):
        with suppress(BlockingIOError):
            flooding.say(SMALLEST[way] * 2000)
        other.say(b"{}\n")
        assert other.address in {arrival(endpoints).address for _ in range(2)}


@ways
def test_no_more_is_read_of_whoever_has_messages_that_wait(
    way: str, endpoints: Endpoints, bots: Callable[[str], Bot]
) -> None:
    flooding = bots(way)
    fill(flooding, SMALLEST[way])
    for _ in range(CHUNK // 4):
        assert arrival(endpoints).address == flooding.address
    assert fill(flooding, SMALLEST[way]) <= CHUNK


@pytest.mark.timeout(10)
def test_what_has_been_read_is_not_waited_for() -> None:
    """Nor is the rest of it, beyond a tick: others look at the time between two calls."""
    endpoints = Endpoints(3600)
    (reader, one), (other, writer) = os.pipe(), os.pipe()
    endpoints.join(reader, writer, "stdio:", lambda printed: None)
    os.write(one, b"{1\n{2\n")
    assert [arrival(endpoints).payload for _ in range(2)] == [b"{1", b"{2"]
    os.write(one, b"{")
    assert endpoints.receive() is None
    endpoints.close()
    os.close(one)
    os.close(other)


def fill(bot: Bot, what: bytes) -> int:
    """Say as much as is taken; the bytes of that."""
    said = 0
    with suppress(BlockingIOError):
        while True:
            said += bot.say(what * (1024 // len(what)))
    return said


@ways
def test_what_waits_of_one_that_is_cut_off_is_dropped(
    way: str, endpoints: Endpoints, bots: Callable[[str], Bot]
) -> None:
    flooding, other = bots(way), bots("lines")
    flooding.say(SMALLEST[way] * 1000)
    endpoints.cut(arrival(endpoints).address)
    other.say(b"{}\n")
    assert not endpoints.holds(flooding.address)
    assert arrival(endpoints).address == other.address


def test_little_is_read_at_a_time_of_whoever_may_be_a_stranger(endpoints: Endpoints) -> None:
    """Since there may be many of them."""
    (reader, one), (other, writer) = os.pipe(), os.pipe()
    address = endpoints.join(reader, writer, "stdio:", lambda printed: None)
    os.write(one, b"n" * 40_000)
    endpoints.receive()
    assert unread(one) == 40_000 - ROUNDS * STRANGER
    endpoints.settle(address)
    endpoints.receive()
    assert unread(one) == 0
    os.close(one)
    os.close(other)


def unread(pipe: int) -> int:
    """Bytes in it."""
    counted = fcntl.ioctl(pipe, termios.FIONREAD, bytes(4))
    return int.from_bytes(counted, sys.byteorder)


@ways
def test_a_long_answer_that_is_here_is_not_taken_for_none(
    way: str, endpoints: Endpoints, bots: Callable[[str], Bot]
) -> None:
    bot = bots(way)
    endpoints.settle(bot.address)
    answer = b"{" * (MAX_MESSAGE - 1)
    bot.say(answer + b"\n" if way == "lines" else frame(0, answer))
    parcel = endpoints.receive()
    assert parcel is not None and parcel.payload == answer


def test_pings_of_one_that_does_not_read_make_no_heap() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        peer = Socket(ours, "")
        for piece in [HANDSHAKE, *[PING * 100] * (PINGS // 100)]:
            assert not list(peer.feed(piece))
        assert len(peer.unsent) <= len(PING)


def test_whoever_pings_without_end_is_cut_off_and_a_heartbeat_is_not() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        peer = Socket(ours, "")
        for piece in [HANDSHAKE, *[PING * (PINGS - 1) + b"\0\1m"] * 3, PING * PINGS]:
            list(peer.feed(piece))
        with pytest.raises(Malformed):
            list(peer.feed(PING))


# a line without end

SLOW = {
    "noise": b"n" * 70_000,
    "blanks": b" " * 70_000,
    "a message": b"{" * 70_000,
    "a message after all": b"\n" * 30_000 + b" " * 30_000 + b"{" * 40_000,
}


@pytest.mark.parametrize("name", SLOW)
def test_a_line_that_comes_byte_by_byte_is_not_searched_again_and_again(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at = 0

    class Search:
        def search(self, text: bytes, at: int, end: int) -> re.Match[bytes] | None:
            nonlocal looked_at
            looked_at += min(len(text), end) - at
            return MESSAGE.search(text, at, end)

    MESSAGE = lines.MESSAGE
    monkeypatch.setattr(lines, "MESSAGE", Search())
    peer = Pipes(*os.pipe(), "", lambda printed: None)
    with pytest.raises(Malformed):
        for byte in SLOW[name]:
            list(peer.feed(bytes([byte])))
    peer.close()
    assert looked_at < 3 * len(SLOW[name])


def test_a_late_message_is_not_taken_for_an_unfinished_line(
    endpoints: Endpoints, bots: Callable[[str], Bot]
) -> None:
    """Its beginning has been read before; what follows it waits."""
    bot = bots("lines")
    bot.say(b'{"half')
    assert endpoints.receive() is None
    assert endpoints.unfinished(bot.address) == b'{"half'
    bot.say(b'":0}\n')
    assert arrival(endpoints).payload == b'{"half":0}'
    assert endpoints.unfinished(bot.address) == b""


# connections without end


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


CROWD: dict[str, Callable[[socket.socket], object]] = {
    "say nothing": lambda connection: None,
    "leave": socket.socket.close,
    "reset": reset,
    "say half a greeting": lambda connection: connection.send(GREETING[:20]),
    "say no READY": lambda connection: connection.send(GREETING),
    "shake hands": lambda connection: connection.send(HANDSHAKE),
}


@pytest.mark.parametrize("kind", ["ipc", "tcp"])
@pytest.mark.parametrize("does", CROWD)
def test_two_hundred_connections_keep_no_bot_out(
    does: str, kind: str, endpoints: Endpoints, folder: Path, connect: Callable[[str], socket.socket]
) -> None:
    endpoint = endpoints.open(folder, kind)
    for _ in range(200):
        CROWD[does](connect(endpoint))
        endpoints.receive()
    assert len(endpoints._peers) <= PEERS
    bot = connect(endpoint)
    bot.sendall(HANDSHAKE + frame(0, b"hello"))
    address = arrival(endpoints).address
    endpoints.settle(address)
    endpoints.send(address, b"welcome")
    heard = b""
    while not heard.endswith(b"welcome"):
        heard += bot.recv(1024)
    assert len(endpoints._peers) == 1


def test_greetings_that_drip_keep_nobody_waiting(
    endpoints: Endpoints, folder: Path, connect: Callable[[str], socket.socket]
) -> None:
    """A bot's hello is heard in the round in which it comes, between two pieces of theirs."""
    endpoint = endpoints.open(folder)
    crowd = []
    for _ in range(PEERS):
        crowd.append(connect(endpoint))
        endpoints.receive()
    *slow, bot = crowd
    pieces = pairwise(range(0, len(HANDSHAKE), 10))
    for said in (HANDSHAKE, frame(0, b"hello")):
        begin, end = next(pieces)
        for connection in slow:
            connection.sendall(HANDSHAKE[begin:end])
        bot.sendall(said)
        parcel = endpoints.receive()
    assert parcel is not None and parcel.payload == b"hello"
    for begin, end in pieces:
        for connection in slow:
            connection.sendall(HANDSHAKE[begin:end])
        assert endpoints.receive() is None
    assert len(endpoints._peers) == PEERS


def test_who_has_come_stays_until_as_many_others_have(
    endpoints: Endpoints, folder: Path, connect: Callable[[str], socket.socket]
) -> None:
    endpoint = endpoints.open(folder)
    first = connect(endpoint)
    first.sendall(HANDSHAKE)
    for _ in range(PEERS - 1):
        connect(endpoint)
        endpoints.receive()
    first.sendall(frame(0, b"hello"))
    address = arrival(endpoints).address
    connect(endpoint)
    endpoints.receive()
    assert not endpoints.holds(address)
