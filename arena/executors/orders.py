"""What a runner and a worker on another machine say to each other, as values.

    Look     ──►  what are you?                        ──►  Report
    Enlist   ──►  take these bots in, and start each   ──►  Enlisted
    Unit     ──►  play this                            ──►  Came

Each answer may be `Trouble` in its place. They travel pickled, behind a line that says which version wrote it: who
has another reads that and no more. Who may submit to a scheduler owns its workers anyway, and a runner believes its
workers as it believes a scheduler.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from typing import Any, NamedTuple

from protocol.vocabulary import BotId, GameId
from referee.clocks import Limits
from referee.jobs import GameDone, Job, PlannedGame


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot that plays."""

    id: BotId
    manifest: Mapping[str, Any]
    """The fields of its bot.toml that are not the default."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a worker must be, and what it plays by. A unit is played by the terms that it comes with."""

    rules: Mapping[str, str]
    """Of each variant, the id of its rules."""
    bots: tuple[Entrant, ...]
    limits: Limits
    mode: str
    """What bots are kept in: one of `referee.processes.MODES`."""
    allow_missing: tuple[str, ...] = ()
    layers: tuple[str, ...] = ()
    """Of that mode, what the runner's machine has, without versions: a worker must have all of it."""
    memory_mb: int = 1024
    encrypted: bool = True
    """Whether only who has a key may talk to the scheduler and the workers."""
    transport: str = "zmtp"


class Speed(NamedTuple):
    """How quick a core is, by work that is always the same."""

    work: float
    """Seconds that a fixed piece of computing takes, at best."""
    exchange: float = 0.0
    """Seconds from a question to its answer, in a game of house bots: the median; 0: not measured."""
    share: float = 1.0
    """Of the core's time, what we got while we measured, 0 to 1."""


@dataclass(frozen=True, slots=True)
class Look:
    """Say what you are."""

    terms: Terms


@dataclass(frozen=True, slots=True)
class Report:
    """What a worker is."""

    host: str
    cores: int
    """That it may use."""
    rules: Mapping[str, str]
    """As `Terms.rules`; without variants that it does not know."""
    clock: float
    """The step of the clock that times moves, in seconds."""
    sandbox: str
    """What bots are kept in there, in words."""
    layers: tuple[str, ...]
    """As `Terms.layers`."""
    speed: Speed
    flaw: str = ""
    """What keeps it from starting any bot as the terms say."""
    missing: frozenset[str] = frozenset()
    """Digests of bots that are not in its store."""


@dataclass(frozen=True, slots=True)
class Enlist:
    """Take in what was missing, and start each bot once."""

    terms: Terms
    bundles: Mapping[str, bytes]
    """By digest, the files that were handed in, as .tar.gz."""


@dataclass(frozen=True, slots=True)
class Enlisted:
    """What came of it."""

    flaws: tuple[str, ...] = ()
    """Bots that do not build or start there, each with the reason."""


@dataclass(frozen=True, slots=True)
class Unit:
    """What a worker plays at a stretch: some blocks, each with all its seatings, as far as they are to be played."""

    terms: Terms
    jobs: tuple[Job, ...]
    seconds: float
    """After which no other game of it is begun."""

    @property
    def games(self) -> Iterator[tuple[Job, PlannedGame]]:
        """All of it."""
        return ((job, game) for job in self.jobs for game in job.games)


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a unit. Games that did not begin in its time are not in here."""

    games: tuple[GameDone, ...]
    seconds: float
    """That it took."""
    hot: Mapping[str, tuple[int, float]] = field(default_factory=dict)
    """As `units.Stopwatch.hot`, and"""
    start: float = 0.0
    """as its `start`."""
    logs: Mapping[str, bytes] = field(default_factory=dict)
    """By the name of a log, what a bot printed."""
    speed: Speed | None = None
    """Of its core, where it was timed lately; without an exchange."""

    @property
    def ids(self) -> frozenset[GameId]:
        """Of its games."""
        return frozenset(done.planned.id for done in self.games)


@dataclass(frozen=True, slots=True)
class Trouble:
    """A worker could not do what it was told."""

    why: str


Order = Look | Enlist | Unit
Word = Report | Enlisted | Came | Trouble


class Foreign(Exception):
    """What came was written by another version, so that nobody knows what it means."""


@cache
def here() -> str:
    """The versions that have to be the same at both ends; a line."""
    return f"kingmaker {version('kingmaker')} with Python {sys.version_info.major}.{sys.version_info.minor}"


def packed(said: Order | Word) -> bytes:
    """As it travels; an engine has nothing to look into."""
    return f"{here()}\n".encode() + pickle.dumps(said, pickle.HIGHEST_PROTOCOL)


def unpacked(data: bytes) -> Any:
    """An `Order` or a `Word`. Only for what comes from a scheduler that is trusted. Raises Foreign, and what pickle does."""
    head, _, said = data.partition(b"\n")
    if head != here().encode():
        there = head[:80].decode("ascii", "replace") if head.startswith(b"kingmaker ") else "another version"
        raise Foreign(f"it has {there}, and the runner {here()}")
    return pickle.loads(said)
