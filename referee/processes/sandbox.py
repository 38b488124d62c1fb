"""What keeps a bot from the machine, from other bots and from the arena: the modes, and what holds of them here."""

from __future__ import annotations

from dataclasses import dataclass

MODES = ("none", "default", "strict")
"""From the weakest to the strongest."""


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The layers around a bot's program. Every record says which there were."""

    mode: str = "none"
    """One of MODES."""
    layers: tuple[str, ...] = ()
    """What is active, in the order in which it is put on; a word each, perhaps with a version: `landlock-7`."""
    missing: tuple[str, ...] = ()
    """Layers of the mode that are not to be had here; in `strict` only those that the operator allowed to lack."""
    readable: tuple[str, ...] = ()
    """Paths that every bot may read and execute, beside its own files."""
    hidden: tuple[str, ...] = ()
    """Folders of which a bot sees nothing but its own files, also where they lie in what is readable."""
    memory_mb: int = 1024
    """Of all processes of the bot together, in MiB."""
    pids: int = 128
    """Processes and threads of the bot together."""
    scratch_mb: int = 64
    """Of files that it may write, in MiB; they are gone with its process."""
    cgroup: str = ""
    """Folder of a cgroup (version 2) below which each bot gets one of its own; empty: there is none."""

    @property
    def isolates(self) -> bool:
        """Whether it is more than a protection from accidents."""
        return self.mode != "none"

    def __str__(self) -> str:
        """As records' readers are told.

        >>> print(Sandbox("strict", ("seccomp",), ("memory",)))
        strict (seccomp; missing: memory)
        """
        if not self.isolates:
            return "none, so bots were trusted"
        lack = f"; missing: {', '.join(self.missing)}" if self.missing else ""
        return f"{self.mode} ({', '.join(self.layers)}{lack})"

    @property
    def network(self) -> str:
        """What a bot reaches: `all`, `loopback` (a network of its own), or `port` (one on this machine, if any)."""
        if not self.isolates:
            return "all"
        return "loopback" if "namespaces" in self.layers else "port"


NONE = Sandbox()
