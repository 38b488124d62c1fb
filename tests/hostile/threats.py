"""The table of threats: what a bot, a machine or a file may do, and what shows that it does no harm.

Numbers are those of docs/security; a threat is shown by bots that try it, by attempts of the probe, or by tests
of the project. Knows no process.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

BAD = Path(__file__).parents[1] / "bad_bots"
GOT_AWAY = "crash/exit 7"
"""How a bot ends that got what it was to be denied."""


@dataclass(frozen=True)
class Attack:
    """A bot that tries something in a game."""

    threat: str
    """`T1` to `T72`."""
    title: str
    bot: str
    """Its file below tests/bad_bots, without `.py`; perhaps with an argument."""
    games: int = 1
    """More than one: each with a process of its own."""
    move_ms: int = 600
    bank_ms: int = 0
    """0: none."""

    @property
    def path(self) -> Path:
        """The bot's file."""
        return BAD / f"{self.bot.split()[0]}.py"

    @property
    def arguments(self) -> tuple[str, ...]:
        """Those of the bot."""
        return tuple(self.bot.split()[1:])

    @cached_property
    def notes(self) -> dict[str, str]:
        """What stands at the top of its file, as `# NAME: VALUE`."""
        return dict(re.findall(r"^# ([a-z ]+): (.+)$", self.path.read_text("utf-8"), re.MULTILINE))

    @property
    def transports(self) -> list[str]:
        """The ways of talking in which it makes sense."""
        only = "stdio" if self.bot.startswith("lines/") else "ipc stdio"
        return self.notes.get("transports", only).split()

    def expected(self, mode: str, transport: str) -> str:
        """The verdicts that are right, with ` or ` between them."""
        notes = self.notes
        return notes.get(f"in {mode}") or notes.get(f"over {transport}") or notes["expect"]

    def litters(self, mode: str) -> bool:
        """Whether it is not promised in `mode` that nothing is left of it."""
        return f"leaves in {mode}" in self.notes


@dataclass(frozen=True)
class Escape:
    """Attempts of the probe, none of which may succeed in an isolated mode."""

    threat: str
    title: str
    attempts: tuple[str, ...]


@dataclass(frozen=True)
class Covered:
    """A threat in which no bot is the attacker: tests of the project."""

    threat: str
    title: str
    tests: tuple[str, ...]
    """Ids as pytest takes them, below tests/."""


Threat = Attack | Escape | Covered

PROBE = Attack("T40", "the probe", "hostile/probe", move_ms=10_000)
"""Its attempts are those of the escapes."""

ATTACKS = (
    Attack("T1", "says what is no JSON", "not_json"),
    Attack("T2", "speaks Latin-2", "not_utf8"),
    Attack("T2", "speaks UTF-16", "hostile/utf16"),
    Attack("T2", "begins with a byte order mark", "lines/byte_order_mark"),
    Attack("T3", "a message of 600 MB", "hostile/endless"),
    Attack("T4", "8,000 frames of 60 kB", "hostile/multipart"),
    Attack("T5", "60,000 brackets", "too_deep"),
    Attack("T6", "NaN and 1e999", "hostile/not_finite"),
    Attack("T7", "a number of 5,000 digits", "hostile/big_int"),
    Attack("T8", "a key twice", "twice"),
    Attack("T9", "a text for a number", "wrong_type"),
    Attack("T10", "a field that is not known", "unknown_field"),
    Attack("T11", "half a surrogate pair", "hostile/surrogate"),
    Attack("T11", "control characters in a note", "hostile/controls"),
    Attack("T12", "a card that it does not have", "cheats"),
    Attack("T13", "moves after its deadline", "hostile/late"),
    Attack("T14", "moves twice", "two_moves"),
    Attack("T15", "talks when it was not asked", "not_asked"),
    Attack("T16", "answers the turn before", "stale"),
    Attack("T17", "answers another game", "hostile/other_game"),
    Attack("T18", "says hello with another token", "wrong_token"),
    Attack("T19", "speaks at other bots' endpoints", "hostile/impostor"),
    Attack("T20", "a grandchild plays on after its end", "hostile/heir"),
    Attack("T21", "100,000 valid moves", "hostile/floods_moves"),
    Attack("T21", "floods a second connection", "floods_beside"),
    Attack("T22", "reads nothing", "lines/deaf"),
    Attack("T23", "drips its move byte by byte", "hostile/drips"),
    Attack("T23", "half a handshake", "hostile/half_greeting"),
    Attack("T24", "keeps alive and never moves", "hostile/keeps_alive"),
    Attack("T25", "250 connections", "hostile/crowd"),
    Attack("T26", "prints a little among its messages", "lines/noise"),
    Attack("T26", "prints without end", "lines/noise_without_end"),
    Attack("T27", "floods its log", "chatters"),
    Attack("T28", "closes its output and lives on", "hangs_up"),
    Attack("T28", "closes its input and lives on", "lines/closes_stdin"),
    Attack("T29", "leaves with exit 3", "dies"),
    Attack("T29", "leaves before hello", "leaves_early"),
    Attack("T29", "ends by a signal", "segfaults"),
    Attack("T30", "leaves a child that holds its output", "hostile/leaves_a_child"),
    Attack("T30", "leaves a daemon", "daemon"),
    Attack("T31", "stops itself", "hostile/stops_itself"),
    Attack("T32", "ignores signals and stays", "hostile/stubborn"),
    Attack("T33", "never says hello", "mute"),
    Attack("T34", "a fork bomb", "hostile/bombs"),
    Attack("T34", "ten rabbits", "hostile/rabbit"),
    Attack("T35", "384 MiB of its own memory", "hostile/hogs anonymous", move_ms=5000),
    Attack("T35", "384 MiB of shared memory", "hostile/hogs shared", move_ms=5000),
    Attack("T35", "384 MiB in memory files", "hostile/hogs memfd", move_ms=5000),
    Attack("T35", "384 MiB in /dev/shm", "hostile/hogs file", move_ms=5000),
    Attack("T35", "384 MiB in children", "hostile/hogs children", move_ms=5000),
    Attack("T36", "burns the core while others think", "hostile/ponders"),
    Attack("T37", "1,000 threads", "hostile/threads", move_ms=2000),
    Attack("T38", "96 MiB of files", "hostile/fills", move_ms=5000),
    Attack("T39", "sleeps for ever", "hangs"),
    Attack("T39", "loops for ever", "spins"),
    Attack("T62", "feigns that the host is busy", "hostile/claims_lag"),
    Attack("T46", "calls by another ABI", "hostile/other_abi"),
    Attack("T48", "litters in public places", "hostile/litters"),
    Attack("T49", "throws its game for a friend (not preventable)", "hostile/throws"),
    Attack("T50", "recalls what its last process left", "hostile/recalls", games=2),
)

ESCAPES = (
    Escape(
        "T40", "looks into other programs",
        ("list other programs", "read another's command line", "read another's environment",
         "read another's descriptors", "open another's memory", "copy another's memory",
         "take another's descriptor", "read the referee's environment"),
    ),
    Escape(
        "T41", "reads and writes foreign files",
        ("read the ledger", "write the ledger", "read another bot's program", "list the other bots",
         "change its own program", "read the operator's keys", "see that a foreign file is there",
         "write outside its folder"),
    ),
    Escape(
        "T42", "signals, traces and limits others",
        ("signal another", "stop another", "signal the referee", "trace another", "limit another",
         "limit the referee", "move another to a core", "make another nicer"),
    ),
    Escape(
        "T43", "talks to the network and to neighbours",
        ("reach a port of this machine", "have a way out", "ask for a name", "reach an abstract socket",
         "reach a socket by its path", "list the sockets of the machine"),
    ),
    Escape("T44", "has a service of this machine work for it", ("have a local service work for it",)),
    Escape(
        "T45", "gains privileges",
        ("gain by a setuid program", "be root", "make a setuid program"),
    ),
    Escape(
        "T46", "reaches deep into the kernel",
        ("io_uring", "bpf", "perf", "userfaultfd", "keyrings", "file handles", "compare processes",
         "a user namespace", "mount", "a socket to the host of this machine", "a socket to the kernel",
         "the kernel's log", "settings of the kernel"),
    ),
    Escape(
        "T47", "types on the operator's terminal",
        ("write on the operator's terminal", "type on its own terminal"),
    ),
    Escape(
        "T48", "tells a friend something in secret",
        ("see /tmp of the machine", "see /dev/shm of the machine", "attach shared memory", "lock a file of all"),
    ),
    Escape("T51", "finds the seed", ("find the seed",)),
)  # fmt: skip

NEVER = frozenset({"find the seed", "type on its own terminal"})
"""Attempts that must fail in mode `none`, too."""

COVERED: tuple[Covered, ...] = ()

RIVALS = (
    Attack("drip", "an info line each 0.2 s, no move", "hostile/keeps_alive", move_ms=0, bank_ms=1000),
    Attack("silence", "never answers", "hangs", move_ms=0, bank_ms=1000),
    Attack("600 MB", "a line of 600 MB", "hostile/endless", move_ms=0, bank_ms=1000),
    Attack(
        "grandchild",
        "leaves a child that holds its output",
        "hostile/leaves_a_child",
        move_ms=0,
        bank_ms=1000,
    ),
)
"""What was measured of other runners, played with one second on the clock."""
