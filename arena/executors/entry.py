"""The way into a cluster of Dask: what has to be installed, whose keys, and who starts workers, with what options.

Beside `dask.py` it alone knows `distributed`, and imports it where it is needed.
"""

from __future__ import annotations

import atexit
import logging
import os
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.cluster import KINDS, PACKAGES, Cluster
from arena.errors import CannotStart
from arena.interrupts import deaf_children
from arena.pools import start_tracker

if TYPE_CHECKING:
    from distributed import Security

CONNECT = 10.0
"""Seconds in which a scheduler must answer."""
SETTINGS = {
    "distributed.admin.large-graph-warning-threshold": "1GB",
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}
"""Where it is started here Dask serves no pages, which would need no key."""
EXTRA = ("cryptography", "distributed")
"""What the extra `cluster` brings: keys, and Dask itself."""
NEEDS = {"ssh": ("asyncssh",)}
"""Modules that Dask's class of a kind needs, and imports late."""
KEYS = "name them in [cluster.tls] of a cluster file (docs/clusters.md), or in Dask's own configuration"
LEFT = ".dask-jobqueue.worker.*"
"""Keys of workers, which a run that was killed leaves behind."""
LOUD = ("distributed", "distributed.client")
"""Loggers that would write tracebacks to the terminal, of what is told in words."""


def check(plan: Cluster) -> None:
    """Raise CannotStart where what a cluster needs is not installed, or keys lack: before anything is started."""
    package()
    if not plan.address:
        class_of(plan)
        return
    try:
        keys: dict[str, Any] = keys_of(plan).get_connection_args("client")  # type: ignore[no-untyped-call]
    except OSError as error:
        raise CannotStart(f"keys for {plan.address}: {cause(error)}", KEYS, "E331") from None
    if plan.encrypted and keys["ssl_context"] is None:
        raise CannotStart(f"{plan.address} is entered with a key, and there is none", KEYS, "E331")


async def knock(address: str, security: Security) -> None:
    """Raise OSError where nobody opens: a `Client` tells of that later, and waits as long again when it goes."""
    from distributed.comm.core import connect

    keys = security.get_connection_args("client")  # type: ignore[no-untyped-call]
    comm = await connect(address, timeout=CONNECT, **keys)  # type: ignore[no-untyped-call]
    await comm.close()


def deaf_loop() -> Any:
    """A loop whose thread blocks SIGINT, and so does what is started from it: a terminal's Ctrl-C is the runner's."""
    from distributed.deploy.spec import close_clusters
    from distributed.utils import LoopRunner

    start_tracker()
    atexit.unregister(close_clusters)
    atexit.unregister(_close)
    atexit.register(_close)
    with deaf_children():
        runner = LoopRunner()
        runner.start()  # type: ignore[no-untyped-call]
    return runner


def _close() -> None:
    """At the end: what Dask has left open. It fails over a cluster that was interrupted while it started."""
    from distributed.deploy.spec import close_clusters

    with suppress(Exception):
        close_clusters()


def options(plan: Cluster, loop: Any, home: str, keys: Path) -> dict[str, Any]:
    """For the class of a cluster: what is said in its file, and else what we want of it. `loop`: from `deaf_loop`."""
    if plan.is_local:
        ours = {
            "n_workers": plan.workers, "threads_per_worker": 1, "processes": True, "host": "127.0.0.1",
            "protocol": "tls://", "security": package().Security.temporary(), "memory_limit": 0,
            "dashboard_address": None, "scheduler_kwargs": {"dashboard_address": "127.0.0.1:0"},
            "silence_logs": logging.CRITICAL, "env": {"KINGMAKER_HOME": home}, "loop": loop.loop,
        }  # fmt: skip
    elif plan.is_queued:
        keys.mkdir(parents=True, exist_ok=True)
        keys.chmod(0o700)
        for left in keys.glob(LEFT):
            left.unlink()
        temporary = {"security": True, "shared_temp_directory": str(keys)}
        ours = {"protocol": "tls://", "loop": loop.loop, **temporary}
    else:
        ours = {}
    return ours | plan.options


def package() -> Any:
    """The package, kept from writing to the terminal. Raises CannotStart where it is not installed."""
    if lacking := [name for name in EXTRA if find_spec(name) is None]:
        needs = " and ".join(lacking)
        raise CannotStart(f"--cluster needs {needs}", "pip install 'kingmaker[cluster]'", "E330")
    import dask

    dask.config.set(SETTINGS)
    import distributed

    for name in LOUD:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed


def keys_of(plan: Cluster) -> Security:
    """Keys of the cluster file, else those of Dask's own configuration."""
    if plan.tls is None:
        return package().Security()  # type: ignore[no-any-return]
    ca, cert, key = map(os.fspath, (plan.tls.ca, plan.tls.cert, plan.tls.key))
    return package().Security(  # type: ignore[no-any-return]
        tls_ca_file=ca, tls_client_cert=cert, tls_client_key=key, require_encryption=True
    )


def class_of(plan: Cluster) -> Any:
    """What starts the workers. Raises CannotStart where it is not installed."""
    module, _, name = KINDS.get(plan.kind, plan.kind).partition(":")
    try:
        found = getattr(import_module(module), name)
        for lacking in (one for one in NEEDS.get(plan.kind, ()) if find_spec(one) is None):
            raise ModuleNotFoundError(f"No module named {lacking!r}", name=lacking)
    except Exception as error:  # whatever is in that module
        package = PACKAGES.get((getattr(error, "name", None) or module).partition(".")[0])
        fix = (
            f"pip install {package}" if package else "is the module on the Python path, and the class in it?"
        )
        raise CannotStart(f"cluster.kind = {plan.kind!r}: {cause(error)}", fix, "E333") from None
    if plan.kind not in ("local", "ssh") and not (callable(found) and hasattr(found, "adapt")):
        text = f"cluster.kind = {plan.kind!r} is no cluster of Dask's: it has no `adapt`"
        raise CannotStart(text, "name a class with Dask's interface of a cluster", "E333")
    return found


def complaint(plan: Cluster, error: Exception) -> tuple[str, str]:
    """What keeps one from a cluster, and what to do."""
    if plan.address:
        fix = "is a scheduler running there, and are the keys of the same authority? (docs/clusters.md)"
        return f"cannot reach a scheduler at {plan.address}: {cause(error)}", fix
    return (
        f"the cluster ({plan.kind}) does not start: {cause(error)}",
        "mend [cluster.options], or the machine",
    )


def cause(error: BaseException) -> str:
    """The innermost reason, in words: what is around it says that something failed."""
    while error.__cause__ is not None:
        error = error.__cause__
    return str(error) or type(error).__name__
