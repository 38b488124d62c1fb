"""A referee process, run by a runner as `python -m referee FD CPU FOLDER TRANSPORT`."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

from referee.jobs import Failed
from referee.processes import become_subreaper, die_with_parent, spawner
from referee.transports import transport
from referee.worker import Worker


def main(fd: int, cpu: int, folder: Path, name: str) -> None:
    """Serve the runner at the other end of socket `fd` on core `cpu` (-1: any), over transport `name`."""
    die_with_parent(signal.SIGKILL)
    become_subreaper()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the runner decides what Ctrl-C means
    runner = Connection(fd)
    try:
        if cpu >= 0:
            os.sched_setaffinity(0, {cpu})
        folder = folder / f"w{os.getpid()}"
        spawner.sweep(os.fsencode(folder))
        Worker(runner, folder, transport(name)).run()
    except OSError as error:
        with suppress(OSError):  # it may be the runner who is gone
            runner.send(Failed(str(error)))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4])
