"""Both databases: what is tested with a ledger in a file is tested with one on a server, too (`-m postgres`).

A test that asks for `place` gets a place for a ledger of each kind. In the modules of SHARED every test runs
once more, and each home folder that it makes has its ledger on the server; those marked `file` look into a
ledger's file themselves, and run once.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from arena.home import Home
from arena.place import Place, place_of
from tests.postgres.server import PostgresServer

SHARED = {
    "test_cli_reading", "test_cli_records", "test_cli_watch", "test_comparing", "test_growing", "test_home", "test_live", "test_records", "test_repro",
    "test_site", "test_spending", "test_steps", "test_suspension",
}  # fmt: skip
KINDS = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))


def pytest_configure() -> None:
    """Programs that tests start and interrupt hear it, also where pytest was started to ignore it (`nohup`, `&`)."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run each test of SHARED over both."""
    folder, _, name = metafunc.module.__name__.rpartition(".")
    if folder == "tests.arena" and name in SHARED and not metafunc.definition.get_closest_marker("file"):
        metafunc.parametrize("database_kind", KINDS, indirect=True, scope="module")


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A server for all tests of a process. Who ends it starts it again."""
    server = PostgresServer()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture(scope="module", autouse=True)
def database_kind(request: pytest.FixtureRequest) -> Iterator[None]:
    """The kind of ledger that a home has where nothing is said: SQLite's but in the tests above."""
    with pytest.MonkeyPatch.context() as patch:
        if getattr(request, "param", "") == "postgres":
            server: PostgresServer = request.getfixturevalue("postgres")
            patch.setattr(Home, "__init__", _on(server))
        yield


def _on(server: PostgresServer) -> Any:
    """`Home.__init__`, where a home that says nothing else has a schema of its own on the server."""
    plain = Home.__init__

    def begin(self: Home, path: Path | str, *words: Any, ledger: Place | None = None) -> None:
        plain(self, path, *words)
        if ledger is None:
            schema = "home_" + sha256(str(self.path).encode()).hexdigest()[:16]
            with server.asking() as db:
                db.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}".encode())
            self.ledger = place_of(server.address("postgres", more=f"&options=-csearch_path%3D{schema}"))
        else:
            self.ledger = ledger

    return begin


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """Where a ledger may be made."""
    if request.param == "sqlite":
        return tmp_path / "ledger.sqlite"
    server: PostgresServer = request.getfixturevalue("postgres")
    return place_of(server.make("t" + sha256(str(tmp_path).encode()).hexdigest()[:16]))
