"""A program that is to be started, where, and within what; and what can keep it from that."""

from __future__ import annotations

import marshal
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.processes.readable import readable
from referee.processes.sandbox import NONE, Sandbox


class StartError(OSError):
    """The bot's program can't be started, by its own fault: the message has its name and the reason."""


class SandboxError(OSError):
    """A layer of the sandbox can't be put on. `layer`: its word."""

    def __init__(self, layer: str, number: int) -> None:
        super().__init__(number, f"the layer {layer} of the sandbox cannot be put on: {os.strerror(number)}")
        self.layer = layer


@dataclass(frozen=True, slots=True)
class Command:
    """A program to start, and where."""

    argv: tuple[str, ...]
    """The program (a path, or a name looked up in the PATH of `env`) and its arguments."""
    cwd: Path
    env: Mapping[str, str]
    """All of its environment (`clean_environment`)."""
    folder: Path
    """The bot's own, made by the caller (mode 0700); removed at the end, and its parent too once empty."""
    log: Path
    """Takes the bot's stdout and stderr, and stays; there is no file where it wrote nothing. Its folder
    exists; a log that can't be written is lost, and no fault of the bot's."""
    log_cap: int = 256 * 1024
    """Bytes of log at most: the first half of it and the last, with a line between them; 1024 or more."""
    cpus: frozenset[int] | None = None
    """The processors that it may run on; None: all of ours."""
    piped: bool = False
    """We talk to it by its stdin and stdout (`Kept.pipes`); else its stdin is empty, and its stdout logged."""
    sandbox: Sandbox = NONE
    """What keeps it apart."""
    port: int = 0
    """The one of loopback that it is to reach. With a network of its own, `Kept.listener` listens there."""
    writable: tuple[Path, ...] = ()
    """Existing folders, beside its own, that it may change."""
    reaches: tuple[int, ...] = ()
    """TCP ports, of any machine, to which it may connect over the machine's own network though it is kept apart."""

    def __post_init__(self) -> None:
        if not self.argv or self.log_cap < 1024:
            raise ValueError(f"a command has a program and a log_cap of 1024 or more: {self}")


def order_of(command: Command) -> bytes:
    """What `keeper.Keeper` is to do. marshal, as both ends are one interpreter: json would cost 5 ms."""
    return marshal.dumps(
        {
            "argv": [os.fsencode(word) for word in command.argv],
            "cwd": os.fsencode(command.cwd),
            "env": {os.fsencode(name): os.fsencode(value) for name, value in command.env.items()},
            "folder": os.fsencode(command.folder.absolute()),
            "log": (os.fsencode(command.log.absolute()), command.log_cap),
            "cpus": None if command.cpus is None else sorted(command.cpus),
            "cage": _cage(command) if command.sandbox.isolates else None,
        }
    )


def _cage(command: Command) -> dict[str, Any]:
    """What `confine.Cage` is to build."""
    box = command.sandbox
    paths = [*readable(), *box.readable]
    return {
        "layers": [layer.partition("-abi-")[0] for layer in box.layers],
        "readable": [os.fsencode(path) for path in paths],
        "hidden": [os.fsencode(path) for path in box.hidden],
        "writable": [os.fsencode(path.absolute()) for path in command.writable],
        "memory_mb": box.memory_mb, "pids": box.pids, "scratch_mb": box.scratch_mb, "cgroup": box.cgroup,
        "port": command.port, "reaches": command.reaches,
    }  # fmt: skip
