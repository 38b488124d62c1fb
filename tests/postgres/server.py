"""A PostgreSQL server for tests: in a folder of its own, at a socket there and at one port of loopback."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

USER, PASSWORD = "kingmaker", "s3cret-pass"
"""A superuser, who needs no password at the socket and this one at the port."""
QUICK = ("fsync=off", "full_page_writes=off", "shared_buffers=16MB", "max_connections=60")
"""Only the machine may not fail: that is not tested here."""


class PostgresServer:
    """Runs until it is stopped, or the process that has started it ends."""

    def __init__(self, settings: tuple[str, ...] = QUICK) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="kmpg", dir="/tmp"))
        self._settings = settings
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        secret = self.folder / "password"
        secret.write_text(PASSWORD)
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
            shutil.chown(secret, "postgres")
        self._process: subprocess.Popen[bytes] | None = None
        subprocess.run(
            [*_as_owner(), _program("initdb"), "-D", self.folder / "data", "-U", USER, "--pwfile", secret,
             "--auth-local=trust", "--auth-host=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"],
            check=True, stdout=subprocess.DEVNULL, cwd=self.folder,
        )  # fmt: skip

    def start(self) -> None:
        """Until it answers."""
        said = (f"unix_socket_directories={self.folder}", "listen_addresses=127.0.0.1", *self._settings)
        options = [word for one in said for word in ("-c", one)]
        command = [
            *_as_owner(),
            _program("postgres"),
            "-D",
            f"{self.folder}/data",
            "-p",
            str(self.port),
            *options,
        ]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, cwd=self.folder, env={"PATH": os.defpath}
            )
        for _ in range(300):
            try:
                psycopg.connect(self.address("postgres")).close()
            except psycopg.OperationalError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError((self.folder / "log").read_text())

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT: every session is ended; SIGQUIT: as a crash."""
        if self._process:
            self._process.send_signal(how)
            self._process.wait(30)
            self._process = None

    def remove(self) -> None:
        """With all that is in it."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder)

    def address(self, database: str, user: str = USER, more: str = "") -> str:
        """Of a database, at the socket."""
        return f"postgresql://{user}@/{database}?host={self.folder}&port={self.port}{more}"

    def at_port(self, database: str, user: str = USER, password: str = PASSWORD) -> str:
        """Of a database, at the port, with the password."""
        return f"postgresql://{user}:{password}@127.0.0.1:{self.port}/{database}"

    def make(self, database: str) -> str:
        """A new database, and its address."""
        with self.asking() as db:
            db.execute(f'CREATE DATABASE "{database}"'.encode())
        return self.address(database)

    @contextmanager
    def asking(self, database: str = "postgres") -> Iterator[psycopg.Connection[Any]]:
        """A session of somebody else's, without transactions."""
        db: psycopg.Connection[Any] = psycopg.connect(self.address(database), autocommit=True)
        try:
            yield db
        finally:
            db.close()


def _as_owner() -> list[str]:
    """A server is no root's."""
    owner = ["--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
    return ["setpriv", *owner, "--pdeathsig=QUIT", "--"]


def _program(name: str) -> str:
    debian = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(debian[-1]) if debian else name
