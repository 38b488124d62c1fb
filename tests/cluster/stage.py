"""Machines of a cluster, each a network namespace of its own on a bridge that is nobody else's.

    hub  10.77.0.1   the bridge, a scheduler, the runner
    w1   10.77.0.11  a worker
    w2   10.77.0.12  ...

They share the disk and the processes of this machine, but no network: not even the loopback.
"""

from __future__ import annotations

import datetime
import ipaddress
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

BIN = Path(sys.executable).parent
HUB = "10.77.0.1"
PATIENCE = 90.0


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def lacking() -> str:
    """Why namespaces cannot be made here; nothing where they can."""
    if shutil.which("ip") is None:
        return "there is no program `ip` (apt-get install iproute2)"
    name = f"km{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True, check=False)
    if made.returncode == 0:
        ip("netns", "del", name)
    return made.stderr.strip()


def certify(folder: Path, name: str) -> None:
    """An authority of its own, and a key that it has signed: `name`-ca.pem, `name`.pem, `name`.key."""
    authority, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    issuer, subject = (
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"{name}{what}")]) for what in ("-ca", "")
    )
    now = datetime.datetime.now(datetime.UTC)

    def signed(public: ec.EllipticCurvePublicKey, is_ca: bool) -> bytes:
        whose = issuer if is_ca else subject
        builder = x509.CertificateBuilder(issuer, whose, public, x509.random_serial_number())
        builder = builder.not_valid_before(now - datetime.timedelta(1)).not_valid_after(
            now + datetime.timedelta(1)
        )
        builder = builder.add_extension(x509.BasicConstraints(is_ca, None), True)
        names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(HUB))])
        made = builder.add_extension(names, False).sign(authority, hashes.SHA256())
        return made.public_bytes(serialization.Encoding.PEM)

    (folder / f"{name}-ca.pem").write_bytes(signed(authority.public_key(), True))
    (folder / f"{name}.pem").write_bytes(signed(key.public_key(), False))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / f"{name}.key").write_bytes(private)


class Stage:
    """The machines, and what runs on them. `close` ends all of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._prefix = f"km{os.getpid() % 10000}"
        self._spaces: list[str] = []
        self._processes: list[subprocess.Popen[bytes]] = []
        certify(folder, "ours")

    def open(self) -> None:
        """Make the hub."""
        self._space("hub")
        self._in("hub", "ip", "link", "add", "name", "bridge", "type", "bridge")
        self._in("hub", "ip", "addr", "add", f"{HUB}/24", "dev", "bridge")
        self._in("hub", "ip", "link", "set", "bridge", "up")

    def _space(self, name: str) -> None:
        ip("netns", "add", f"{self._prefix}{name}")
        self._spaces.append(name)
        self._in(name, "ip", "link", "set", "lo", "up")

    def _in(self, name: str, *words: str) -> None:
        ip("netns", "exec", f"{self._prefix}{name}", *words)

    def _start(self, space: str, words: list[str], env: dict[str, str] = {}) -> subprocess.Popen[bytes]:  # noqa: B006
        command = ["ip", "netns", "exec", f"{self._prefix}{space}", *words]
        log = (self.folder / f"{space}.log").open("ab")
        with log:
            process = subprocess.Popen(
                command, env=os.environ | {"TMPDIR": str(self.folder)} | env, stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip
        self._processes.append(process)
        return process

    def _keys(self) -> list[str]:
        files = {"ca-file": "ours-ca.pem", "cert": "ours.pem", "key": "ours.key"}
        return [word for name, file in files.items() for word in (f"--tls-{name}", str(self.folder / file))]

    def scheduler(self) -> subprocess.Popen[bytes]:
        """One that is reached over TLS alone."""
        words = ["scheduler", "--host", f"tls://{HUB}:8786", *self._keys(), "--no-dashboard"]
        return self._start("hub", [str(BIN / "dask"), *words, "--dashboard-address", ":0"])

    def worker(
        self,
        number: int,
        env: dict[str, str] = {},  # noqa: B006
        within: tuple[str, ...] = (),
        threads: int = 1,
    ) -> None:
        """A machine with one worker, and a home of its own. `within`: words to start it by."""
        name, home = f"w{number}", self.folder / f"home{number}"
        self._space(name)
        link = f"{self._prefix}v{number}"
        ip("link", "add", link, "type", "veth", "peer", "name", "eth")
        ip("link", "set", "eth", "netns", f"{self._prefix}{name}")
        ip("link", "set", link, "netns", f"{self._prefix}hub")
        self._in("hub", "ip", "link", "set", link, "master", "bridge", "up")
        self._in(name, "ip", "addr", "add", f"10.77.0.{10 + number}/24", "dev", "eth")
        self._in(name, "ip", "link", "set", "eth", "up")
        words = [
            "worker",
            f"tls://{HUB}:8786",
            "--host",
            f"tls://10.77.0.{10 + number}",
            "--name",
            name,
            *self._keys(),
        ]
        more = [
            "--nthreads",
            str(threads),
            "--no-dashboard",
            "--memory-limit",
            "0",
            "--local-directory",
            str(home),
        ]
        self._start(name, [*within, str(BIN / "dask"), *words, *more], {"KINGMAKER_HOME": str(home)} | env)

    def cut(self, number: int, off: bool) -> None:
        """Take a machine off the network, or put it back."""
        link = f"{self._prefix}v{number}"
        self._in("hub", "ip", "link", "set", link, "down" if off else "up")

    def processes(self, number: int) -> list[int]:
        """Of a machine, but for those that bots have a network of their own in."""
        found = subprocess.run(
            ["ip", "netns", "pids", f"{self._prefix}w{number}"], capture_output=True, text=True, check=True
        )
        return [int(pid) for pid in found.stdout.split()]

    def bots(self, number: int) -> list[int]:
        """Processes below its worker, in whatever namespace, which play."""
        found = []
        for pid in self.processes(number):
            try:
                family = psutil.Process(pid).children(recursive=True)
                found += [child.pid for child in family if "bot.py" in " ".join(child.cmdline())]
            except psutil.Error:
                continue
        return found

    def kill(self, number: int) -> list[int]:
        """Kill the nanny and the worker of a machine at one blow, and nothing else; what was below them."""
        below: list[int] = []
        for pid in self.processes(number):
            words = " ".join(_words(pid))
            if "dask" in words or "spawn_main" in words:
                below += [child.pid for child in psutil.Process(pid).children(recursive=True)]
                os.kill(pid, signal.SIGKILL)
        return below

    def arena(self, *words: str) -> subprocess.Popen[bytes]:
        """The runner, on the hub."""
        command = ["ip", "netns", "exec", f"{self._prefix}hub", *map(str, arena_words(self.folder, *words))]
        with (self.folder / "run.log").open("w") as log:
            run = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=log, env=os.environ | {"TMPDIR": str(self.folder)}
            )
        self._processes.append(run)
        return run

    def arena_beside(self, *words: str) -> None:
        """Another runner on the hub, from its start to its end."""
        self._in("hub", *arena_words(self.folder, *words))

    def said(self, run: subprocess.Popen[bytes] | None = None) -> str:
        """By the last runner, on stderr; until it ends where it is given."""
        if run:
            run.wait(120)
        return (self.folder / "run.log").read_text()

    def close(self) -> None:
        """Also tells what all of them have said, for a test that failed."""
        for log in self.folder.glob("*.log"):
            print(f"--- {log.name}", log.read_text()[-5000:], sep="\n")
        for process in self._processes:
            for pid in [process.pid, *_below(process.pid)]:
                if psutil.pid_exists(pid):
                    os.kill(pid, signal.SIGKILL)
            process.wait()
        for name in self._spaces:
            ip("netns", "del", f"{self._prefix}{name}")


def arena_words(folder: Path, *words: str) -> list[str]:
    return [str(BIN / "arena"), "--home", str(folder / "home"), *words]


def cluster_file(folder: Path, **keys: Any) -> str:
    """For the scheduler of the hub."""
    settings = {"kind": "address", "address": f"tls://{HUB}:8786", **LENIENT, **keys}
    return _cluster_file(folder, settings, {"ca": "ours-ca.pem", "cert": "ours.pem", "key": "ours.key"})


LENIENT = {"slowest": 0.05, "busiest": 0.01, "unit_seconds": 2, "wait_seconds": 40}
"""A machine that runs tests is busy."""


def own_cluster_file(folder: Path, options: dict[str, Any] = {}, **keys: Any) -> str:  # noqa: B006
    """Of workers that the run starts by itself."""
    return _cluster_file(folder, {**LENIENT, **keys}, {}, options)


def _cluster_file(
    folder: Path,
    settings: dict[str, Any],
    tls: dict[str, str],
    options: dict[str, Any] = {},  # noqa: B006
) -> str:
    tables = {"cluster": settings, "cluster.tls": tls, "cluster.options": options}
    lines = [
        f"[{table}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())
        for table, values in tables.items()
        if values
    ]
    path = folder / "cluster.toml"
    path.write_text("\n".join(lines))
    return str(path)


def tournament_file(folder: Path, bots: list[str], deals: int, name: str = "cup") -> str:
    path = folder / f"{name}.toml"
    path.write_text(f'seed = "cluster"\nbots = {json.dumps(bots)}\nvariants = ["claim"]\ndeals = {deals}\n')
    return str(path)


def until(what: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Wait for it."""
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end, "it did not come to that in time"
        time.sleep(0.1)
    return found


def kept(events: Path) -> int:
    """Games that a run has kept by now."""
    if not events.exists():
        return 0
    lines = [json.loads(line) for line in events.read_text().splitlines() if line.endswith("}")]
    return max((line["kept"] for line in lines if line["event"] == "games_kept"), default=0)


def _words(pid: int) -> list[str]:
    try:
        return list(psutil.Process(pid).cmdline())
    except psutil.Error:
        return []


def _below(pid: int) -> list[int]:
    try:
        return [child.pid for child in psutil.Process(pid).children(recursive=True)]
    except psutil.Error:
        return []
