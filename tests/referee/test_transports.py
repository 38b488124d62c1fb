"""Both transports keep one contract with stock libzmq sockets; the one of our own also with hostile bytes."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import zmq
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.codec import MAX_MESSAGE
from referee.transports import Gone, Parcel, Transport
from referee.transports.endpoints import PEERS, Endpoints
from referee.transports.peer import Malformed
from referee.transports.router import Router
from referee.transports.zmtp import DELIMITER, GREETING, READY, SIGNATURE, Socket, frame
from tests.referee.dialing import dial

Connect = Callable[[int, str], "zmq.Socket[bytes]"]


@pytest.fixture
def folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="km", dir="/tmp"))
    yield path
    shutil.rmtree(path)


@pytest.fixture(params=[Endpoints, Router])
def transport(request: pytest.FixtureRequest) -> Iterator[Transport]:
    made: Transport = request.param(0.02)
    yield made
    made.close()


@pytest.fixture
def connect() -> Iterator[Connect]:
    with zmq.Context() as context:
        sockets = []

        def make(kind: int, endpoint: str) -> zmq.Socket[bytes]:
            made: zmq.Socket[bytes] = context.socket(kind)
            made.setsockopt(zmq.LINGER, 0)
            made.setsockopt(zmq.RCVTIMEO, 3000)
            made.connect(endpoint)
            sockets.append(made)
            return made

        yield make
        for made in sockets:
            made.close()


def arrival(transport: Transport) -> Parcel:
    """The next parcel, within some seconds."""
    for _ in range(300):
        if (parcel := transport.receive()) is not None:
            return parcel
    raise AssertionError("nothing arrived")


ways = pytest.mark.parametrize("way", ["ipc", "tcp"])


@ways
@pytest.mark.parametrize("kind", [zmq.REQ, zmq.DEALER])
@pytest.mark.parametrize("size", [0, 1, 255, 256, 5000, MAX_MESSAGE])
def test_a_stock_socket_and_we_understand_each_other(
    kind: int, size: int, way: str, transport: Transport, folder: Path, connect: Connect
) -> None:
    bot = connect(kind, transport.open(folder, way))
    for turn in range(3):
        said = bytes([65 + turn]) * size
        bot.send(said)
        parcel = arrival(transport)
        assert parcel.payload == said and not parcel.flaw
        transport.send(parcel.address, said * 3)
        assert bot.recv() == said * 3


def test_a_dealer_may_send_the_empty_delimiter_and_gets_it_back(
    transport: Transport, folder: Path, connect: Connect
) -> None:
    bot = connect(zmq.DEALER, transport.open(folder))
    bot.send_multipart([b"", b"hello"])
    parcel = arrival(transport)
    assert parcel.payload == b"hello" and not parcel.flaw
    transport.send(parcel.address, b"yes")
    assert bot.recv_multipart() == [b"", b"yes"]


@pytest.mark.parametrize("frames", [[b"a", b"b"], [b"", b"a", b"b"], [b"a", b"", b"b"]])
def test_a_message_of_several_frames_is_not_whole(
    frames: list[bytes], transport: Transport, folder: Path, connect: Connect
) -> None:
    connect(zmq.DEALER, transport.open(folder)).send_multipart(frames)
    assert arrival(transport).flaw == "not_json"


def test_answers_go_to_who_asked(transport: Transport, folder: Path, connect: Connect) -> None:
    bots = {}
    for name in (b"one", b"two", b"three"):
        own = folder / name.decode()
        own.mkdir()
        bots[name] = connect(zmq.REQ, transport.open(own))
        bots[name].send(name)
    for _ in bots:
        parcel = arrival(transport)
        transport.send(parcel.address, b"for " + parcel.payload)
    assert all(bot.recv() == b"for " + name for name, bot in bots.items())


@ways
def test_a_shut_endpoint_cuts_its_peer_off(
    way: str, transport: Transport, folder: Path, connect: Connect
) -> None:
    endpoint = transport.open(folder, way)
    connect(zmq.REQ, endpoint).send(b"hello")
    address = arrival(transport).address
    transport.shut(endpoint)
    transport.shut(endpoint)
    with pytest.raises(Gone):
        for _ in range(50):  # libzmq takes a moment to notice
            transport.send(address, b"anybody?")
            transport.receive()


@ways
def test_who_has_left_is_gone(way: str, transport: Transport, folder: Path, connect: Connect) -> None:
    bot = connect(zmq.REQ, transport.open(folder, way))
    bot.send(b"hello")
    address = arrival(transport).address
    bot.close()
    with pytest.raises(Gone):
        for _ in range(100):
            transport.receive()
            transport.send(address, b"anybody?")


@ways
def test_what_was_sent_before_leaving_arrives(
    way: str, transport: Transport, folder: Path, connect: Connect
) -> None:
    bot = connect(zmq.DEALER, transport.open(folder, way))
    bot.send(b"last words")
    bot.close(linger=2000)
    assert arrival(transport).payload == b"last words"


def test_a_message_above_the_limit_arrives_cut_so_that_it_is_known(
    transport: Transport, folder: Path, connect: Connect
) -> None:
    connect(zmq.REQ, transport.open(folder)).send(b"x" * 200_000)
    assert len(arrival(transport).payload) > MAX_MESSAGE


def test_tcp_is_a_port_of_its_own_on_loopback_alone_as_long_as_it_is_open(
    transport: Transport, folder: Path
) -> None:
    first, second = (transport.open(folder, "tcp") for _ in range(2))
    assert first != second and not list(folder.iterdir())
    address, port = first.removeprefix("tcp://").split(":")
    assert address == "127.0.0.1"
    socket.create_connection((address, int(port)), timeout=20).close()
    with pytest.raises(ConnectionRefusedError):  # another address of the same interface
        socket.create_connection(("127.0.0.2", int(port)), timeout=20)
    transport.shut(first)
    with pytest.raises((ConnectionRefusedError, ConnectionResetError)):
        for _ in range(100):  # libzmq takes a moment
            socket.create_connection((address, int(port)), timeout=20).close()
            transport.receive()


def test_libzmq_has_no_lines() -> None:
    router = Router()
    reader, writer = os.pipe()
    with pytest.raises(OSError, match="standard input and output"):
        router.join(reader, writer, "stdio:", lambda data: None)
    for fd in (reader, writer):
        os.close(fd)
    router.close()


def test_a_path_that_is_too_long_is_an_oserror(transport: Transport, folder: Path) -> None:
    deep = folder / ("d" * 120)
    deep.mkdir()
    with pytest.raises(OSError, match="cannot listen"):
        transport.open(deep)


# what only our own must bear


@pytest.fixture
def endpoints() -> Iterator[Endpoints]:
    made = Endpoints(0.01)
    yield made
    made.close()


@pytest.fixture
def raw(folder: Path) -> Iterator[Callable[[], socket.socket]]:
    """Connections without libzmq."""
    connections = []

    def connect() -> socket.socket:
        connections.append(socket.socket(socket.AF_UNIX))
        connections[-1].connect(f"{folder}/s")
        connections[-1].settimeout(3)
        return connections[-1]

    yield connect
    for connection in connections:
        connection.close()


@pytest.fixture
def greeted(endpoints: Endpoints, folder: Path, raw: Callable[[], socket.socket]) -> socket.socket:
    """A connection that has said all that comes before the first message."""
    endpoints.open(folder)
    connection = raw()
    connection.sendall(GREETING + frame(4, b"\x05READY\x0bSocket-Type\x00\x00\x00\x03REQ"))
    return connection


def is_cut(connection: socket.socket, endpoints: Endpoints) -> bool:
    """Whether we hang up, after what we say on our own."""
    for _ in range(100):
        endpoints.receive()
        with suppress(TimeoutError, BlockingIOError):
            connection.setblocking(False)
            try:
                if not connection.recv(4096):
                    return True
            except ConnectionResetError:
                return True
    return False


HOSTILE = {
    "no greeting": b"GET / HTTP/1.1\r\n" * 10,
    "version 2": GREETING[:10] + b"\x02" + GREETING[11:],
    "CURVE": GREETING[:12] + b"CURVE".ljust(20, b"\0") + GREETING[32:],
    "a message before READY": GREETING + frame(0, b"hello"),
    "a PUB socket": GREETING + frame(4, b"\x05READY\x0bSocket-Type\x00\x00\x00\x03PUB"),
    "no socket type": GREETING + frame(4, b"\x05READY"),
    "broken metadata": GREETING + frame(4, b"\x05READY\x0bSocket-Type\xff\xff\xff\xff"),
    "an unknown command": GREETING + frame(4, b"\x05HELLO"),
    "an empty command": GREETING + frame(4, b""),
    "much metadata": GREETING
    + frame(4, b"\x05READY\x0bSocket-Type\x00\x00\x00\x03REQ" + 500 * b"\x01x\0\0\0\0"),
    "READY twice": GREETING + 2 * frame(4, b"\x05READY\x0bSocket-Type\x00\x00\x00\x03REQ"),
    "many frames": GREETING + frame(4, b"\x05READY\x0bSocket-Type\x00\x00\x00\x03REQ") + 9 * frame(1, b"x"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_who_does_not_speak_the_protocol_is_cut_off(
    name: str, endpoints: Endpoints, folder: Path, raw: Callable[[], socket.socket]
) -> None:
    endpoints.open(folder)
    connection = raw()
    connection.sendall(HOSTILE[name])
    assert is_cut(connection, endpoints)


def test_a_drip_of_bytes_is_read_as_one_message(endpoints: Endpoints, greeted: socket.socket) -> None:
    got = []
    for byte in frame(1, b"") + frame(0, b"hello"):
        greeted.sendall(bytes([byte]))
        got.append(endpoints.receive())
    parcels = [parcel for parcel in got if parcel] or [arrival(endpoints)]
    assert [parcel.payload for parcel in parcels] == [b"hello"]


def test_a_frame_of_a_gigabyte_is_known_by_its_beginning(
    endpoints: Endpoints, greeted: socket.socket
) -> None:
    greeted.setblocking(False)
    greeted.sendall(bytes((2,)) + (1 << 30).to_bytes(8, "big"))
    parcel = None
    while parcel is None:
        with suppress(BlockingIOError):
            greeted.send(b"x" * 10_000)
        parcel = endpoints.receive()
    assert len(parcel.payload) == MAX_MESSAGE + 1
    assert is_cut(greeted, endpoints)


def test_connections_are_bounded_and_the_newest_stay(
    endpoints: Endpoints, folder: Path, raw: Callable[[], socket.socket]
) -> None:
    endpoints.open(folder)
    crowd = []
    for _ in range(PEERS + 3):
        crowd.append(raw())
        endpoints.receive()
    assert all(is_cut(connection, endpoints) for connection in crowd[:-PEERS])
    assert len(endpoints._peers) == PEERS


@ways
def test_silent_connections_keep_nobody_out(
    way: str, endpoints: Endpoints, folder: Path, connect: Connect
) -> None:
    endpoint = endpoints.open(folder, way)
    silent = []
    for _ in range(2 * PEERS):
        silent.append(dial(endpoint))
        endpoints.receive()
    bot = connect(zmq.REQ, endpoint)
    bot.send(b"hello")
    parcel = arrival(endpoints)
    endpoints.send(parcel.address, b"welcome")
    assert bot.recv() == b"welcome"
    for connection in silent:
        connection.close()


@ways
def test_where_the_bot_has_been_found_nobody_else_is_heard(
    way: str, endpoints: Endpoints, folder: Path, connect: Connect
) -> None:
    endpoint = endpoints.open(folder, way)
    bot, stranger = connect(zmq.REQ, endpoint), connect(zmq.REQ, endpoint)
    for one in (bot, stranger):
        one.send(b"hello")
    idle = dial(endpoint)
    parcels = [arrival(endpoints) for _ in range(2)]
    bots = parcels[0].address
    endpoints.settle(bots)
    assert endpoints.holds(bots) and not endpoints.holds(parcels[1].address)
    assert is_cut(idle, endpoints)
    with pytest.raises(ConnectionRefusedError):
        dial(endpoint)
    assert endpoints.endpoint(bots) == endpoint
    endpoints.send(bots, b"welcome")
    endpoints.shut(endpoint)
    assert not endpoints.holds(bots) and not endpoints._peers
    idle.close()


def test_the_port_of_a_bot_that_hung_up_is_not_given_to_another(
    endpoints: Endpoints, folder: Path, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would be shut with the first."""
    first = endpoints.open(folder, "tcp")
    bot = connect(zmq.REQ, first)
    bot.send(b"hello")
    address = arrival(endpoints).address
    endpoints.settle(address)
    bot.close()
    while endpoints.holds(address):
        endpoints.receive()
    ports = [int(first.rpartition(":")[2]), 0]

    class Again(socket.socket):
        def bind(self, address: tuple[str, int]) -> None:  # type: ignore[override]
            super().bind((address[0], ports.pop(0)))

    with monkeypatch.context() as patch:
        patch.setattr("socket.socket", Again)
        second = endpoints.open(folder, "tcp")
    assert second != first and not ports
    endpoints.shut(first)
    dial(second).close()


def test_who_does_not_read_is_gone_and_takes_no_more_than_a_bound(
    endpoints: Endpoints, greeted: socket.socket
) -> None:
    greeted.sendall(frame(0, b"hello"))
    address = arrival(endpoints).address
    with pytest.raises(Gone):
        for _ in range(100):
            endpoints.send(address, b"x" * 100_000)


def test_what_the_kernel_does_not_take_at_once_follows(endpoints: Endpoints, greeted: socket.socket) -> None:
    greeted.sendall(frame(0, b"hello"))
    address = arrival(endpoints).address
    endpoints.send(address, b"x" * 900_000)
    got, wanted = 0, len(GREETING + READY) + 9 + 900_000
    greeted.setblocking(False)
    while got < wanted:
        endpoints.receive()
        with suppress(BlockingIOError):
            while data := greeted.recv(1 << 16):
                got += len(data)
    assert got == wanted


def test_it_greets_step_by_step(endpoints: Endpoints, folder: Path, raw: Callable[[], socket.socket]) -> None:
    """As libzmq does; what was measured is told in zmtp.py."""
    endpoints.open(folder)
    connection = raw()
    rest = GREETING[len(SIGNATURE) :]
    heard = b""
    for said, answered in (
        (b"", SIGNATURE),
        (GREETING[:9], b""),
        (GREETING[9:20], rest),
        (GREETING[20:], READY),
    ):
        connection.sendall(said)
        for _ in range(3):
            endpoints.receive()
        heard += answered
        assert connection.recv(len(heard) + 1, socket.MSG_PEEK) == heard


def test_a_ping_is_answered(endpoints: Endpoints, greeted: socket.socket) -> None:
    greeted.sendall(frame(4, b"\x04PING\x00\x00there"))
    endpoints.receive()
    endpoints.receive()
    assert greeted.recv(4096).endswith(frame(4, b"\x04PONGthere"))


@example([DELIMITER + b"\0"], [])
@given(st.lists(st.binary(max_size=200)), st.lists(st.binary(max_size=80), max_size=6))
def test_any_bytes_in_any_pieces_are_frames_or_malformed(noise: list[bytes], messages: list[bytes]) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        peer = Socket(ours, "")
        ready = frame(4, b"\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER")
        stream = GREETING + ready + b"".join(frame(0, message) for message in messages)
        got = [message for byte in stream for message in peer.feed(bytes([byte]))]
        assert got == [(message, "") for message in messages]
        with suppress(Malformed):
            for piece in noise:
                assert {flaw for _, flaw in peer.feed(piece)} <= {"", "not_json"}
