"""The program `arena`. It minds Ctrl-C before it reads anything else, since to read modules takes a while."""

from __future__ import annotations

import atexit
import signal

from arena.interrupts import at_once, is_heeded


def main() -> None:
    """Run the command line; Ctrl-C ends it silently, but where a command says more of it."""
    if is_heeded(signal.SIGINT):
        signal.signal(signal.SIGINT, at_once)
        # Python puts the handler away before it ends itself, and what it does after that takes no time.
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)
    from arena.cli import main as command

    command(prog_name="arena")


if __name__ == "__main__":
    main()
