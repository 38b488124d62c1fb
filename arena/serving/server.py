"""A socket to be reached at, a server on it, and its end.

What clients may cost is bounded here: so many requests at once; one that is not whole HURRY seconds after its client
came, or went on, is not waited for (see `guard` for those that are); a client that takes nothing for PATIENCE seconds
is dropped by the kernel (TCP_USER_TIMEOUT), and what waits for it there is BUFFER.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from types import FrameType

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from arena.errors import InputError
from arena.serving.guard import HEADER_BYTES

REQUESTS = 500
"""At once, those that listen included."""
HURRY = 10.0
PATIENCE = 30.0
"""Seconds."""
BUFFER = 256 * 1024
"""Bytes that the kernel keeps for a client."""


def listening(bind: str, port: int) -> socket.socket:
    """A socket that listens at an address of this machine; port 0 is any that is free.

    Raises InputError: the port is taken or not for us, there is no such address here.
    """
    try:
        found = socket.getaddrinfo(bind, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, address = found[0][0], found[0][4]
        sock = socket.socket(family, socket.SOCK_STREAM)
    except OSError as error:
        raise _no_address(bind, error) from None
    try:
        _set_up(sock)
        sock.bind(address)
        sock.listen(128)
    except OSError as error:
        sock.close()
        raise _refused(bind, port, error) from None
    return sock


def _set_up(sock: socket.socket) -> None:
    """Options that the sockets of its clients inherit."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(1000 * PATIENCE))


def _refused(bind: str, port: int, error: OSError) -> InputError:
    if error.errno == errno.EADDRINUSE:
        fix = f"arena serve --port 0 takes one that is free; who has it: ss -ltnp 'sport = :{port}'"
        return InputError(f"port {port} of {bind} is taken by another program", fix, "E260")
    if error.errno == errno.EACCES:
        return InputError(f"port {port} is not for you to take", "take one above 1023: --port 8000", "E260")
    return _no_address(bind, error)


def _no_address(bind: str, error: OSError) -> InputError:
    fix = "--bind takes an address of this machine: 127.0.0.1, ::1, 0.0.0.0 (all of them), or one of `ip address`"
    return InputError(f"cannot listen at {bind!r}: {error.strerror}", fix, "E261")


def address(sock: socket.socket) -> str:
    """Where a browser on this machine finds it, without a path."""
    host, port = sock.getsockname()[:2]
    bound = ip_address(host.partition("%")[0])
    if bound.is_unspecified:
        bound = ip_address("127.0.0.1" if bound.version == 4 else "::1")
    return f"http://[{bound}]:{port}" if bound.version == 6 else f"http://{bound}:{port}"


def warnings(sock: socket.socket, *, public: bool) -> list[str]:
    """What whoever starts the server must know of who can reach it."""
    bound = ip_address(sock.getsockname()[0].partition("%")[0])
    who = (
        "every machine that reaches this one"
        if bound.is_unspecified
        else f"every machine that reaches {bound}"
    )
    said = (
        [] if bound.is_loopback else [f"open to {who}; nothing is encrypted: put a proxy with TLS before it"]
    )
    if public:
        said.append(
            "no token: whoever reaches it may look, also a bot that no sandbox keeps from this machine's network"
        )
    return said


class Server(uvicorn.Server):
    """Answers at a socket until it is interrupted (SIGINT, SIGTERM) or told to end.

    Streams never end by themselves, so `closing` is called to end them; what else is under way has a second.
    """

    def __init__(self, app: ASGIApp, sock: socket.socket, closing: Callable[[], None]) -> None:
        super().__init__(_config(app))
        self._sock, self._closing = sock, closing
        self._loop: asyncio.AbstractEventLoop | None = None

    def answer(self) -> None:
        """Returns when it has ended. To be interrupted is how a server ends, so that raises nothing."""
        with self._sock, suppress(KeyboardInterrupt):
            self.run([self._sock])

    def end(self) -> None:
        """Let it end; from any thread, or a signal's handler."""
        self.should_exit = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._closing)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Remember the loop, for `end`."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal: the second one of Ctrl-C does not wait for anything."""
        super().handle_exit(sig, frame)
        self.end()


class _Hurried(H11Protocol):
    """A connection that ends where a request is not whole in time: who sends none takes nobody's place for long."""

    _due: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """The first request is waited for."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """What of it has come."""
        super().data_received(data)
        if self._due and self.conn.their_state is h11.DONE:
            self._due.cancel()
            self._due = None
        elif not self._due and self.conn.their_state is not h11.DONE:
            self._wait()

    def _wait(self) -> None:
        self._due = self.loop.call_later(HURRY, self.transport.close)


def _config(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app, log_config=None, log_level="error", access_log=False, ws="none", lifespan="on",
        http=_Hurried, h11_max_incomplete_event_size=HEADER_BYTES, limit_concurrency=REQUESTS,
        server_header=False, proxy_headers=False, timeout_graceful_shutdown=1,
    )  # fmt: skip
