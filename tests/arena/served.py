"""A server of `arena serve` that runs beside a test, with sites that take no time to build."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from arena.errors import ArenaError
from arena.home import Home
from arena.serving import application, server
from arena.serving.guard import Guard

TOKEN = "the token of this test"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


class Answer(NamedTuple):
    status: int
    headers: http.client.HTTPMessage
    body: bytes


class Served:
    """A server that runs, and what it says."""

    def __init__(self, port: int) -> None:
        self.port = port

    def ask(self, path: str, method: str = "GET", **headers: str) -> Answer:
        """An answer, as a browser with the token gets it; a header that is empty is left out."""
        said = {
            **BEARER,
            "Host": "127.0.0.1",
            **{name.replace("_", "-"): text for name, text in headers.items()},
        }
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, text in said.items():
            if text:
                connection.putheader(name, text)
        connection.endheaders()
        answer = connection.getresponse()
        found = Answer(answer.status, answer.headers, answer.read())
        connection.close()
        return found

    def page(self, path: str) -> str:
        answer = self.ask(path)
        assert answer.status == 200, f"{path}: {answer}"
        return answer.body.decode()


@contextmanager
def serving(
    home: Home, chosen: tuple[str, ...] = (), token: str = TOKEN, fails: bool = False
) -> Iterator[Served]:
    """`fails`: whether something is told of that could not be shown."""
    failed: list[ArenaError] = []
    guard = partial(Guard, token=token, names=["cup.example.org"])
    app, closing = application.application(home, chosen, guard, failed.append, built)
    sock = server.listening("127.0.0.1", 0)
    running = server.Server(app, sock, closing)
    thread = Thread(target=running.answer, daemon=True)
    thread.start()
    try:
        yield Served(sock.getsockname()[1])
    finally:  # also where a test fails
        running.end()
        thread.join(10)
    assert not thread.is_alive() and bool(failed) == fails, failed


async def built(home: Home, name: str, folder: Path) -> None:
    """A site that took no time."""
    (folder / "replays").mkdir(parents=True)
    (folder / "index.html").write_text("<p>the leaderboard")
    (folder / "live.html").write_text("<p>as it is played")
