"""What a runner and a referee worker say to each other.

A job is the unit of work: one pairing in one seating on some deals. Its bots' processes live as long as
the job, and play each deal once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from protocol.result import GameResult
from protocol.vocabulary import BotId, DealId, GameId, Seat
from referee.clocks import Limits
from referee.faults import Misstep
from referee.processes.sandbox import NONE, Sandbox


@dataclass(frozen=True, slots=True)
class Launch:
    """How a bot is started."""

    bot: BotId
    argv: tuple[str, ...]
    cwd: str
    env: Mapping[str, str] = field(default_factory=dict)
    """Beside the allow-list; from the bot's manifest."""
    transport: str = "ipc"
    """How it talks: `ipc`, `tcp` or `stdio`."""
    sandbox: Sandbox = NONE
    """What keeps it from everything else."""
    suspended: Misstep | None = None
    """It is not to be started: this is what it does wrong in each game, from the beginning."""


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """One game of a job."""

    id: GameId
    deal: DealId
    seed: str
    """Of the deal; empty with `literal`."""
    block: str
    block_size: int
    literal: tuple[str, ...] = ()
    attempt: int = 1
    """Counts up where a game was void and is played again."""

    @property
    def lease(self) -> tuple[GameId, int]:
        """What tells it from the same game at another attempt."""
        return self.id, self.attempt


@dataclass(frozen=True, slots=True)
class Job:
    """One pairing in one seating on some deals."""

    id: str
    variant: str
    seating: tuple[Launch, ...]
    games: tuple[PlannedGame, ...]
    limits: Limits
    secret: str
    """The tournament's seed."""
    logs: str
    """Folder for what the bots print on stderr."""
    fresh: bool = False
    """New processes for each game."""
    show_names: bool = False
    oversubscribed: bool = False
    """There are more referee processes than cores: times of games are not comparable."""


@dataclass(frozen=True, slots=True)
class Recall:
    """Runner to worker: of that job, no game that has not begun."""

    job: str


@dataclass(frozen=True, slots=True)
class Peek:
    """Runner to worker: say how far your games are; asked while somebody watches, and only then."""


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A game under way."""

    job: str
    planned: PlannedGame
    actions: tuple[tuple[Seat, str, float], ...]
    """That were taken so far: by whom, which, and its thinking time in ms (0: a house player's)."""


@dataclass(frozen=True, slots=True)
class Glimpses:
    """All games that the worker is in, in answer to a Peek."""

    games: tuple[Glimpse, ...]


@dataclass(frozen=True, slots=True)
class GameDone:
    """A game that a worker has finished."""

    planned: PlannedGame
    job: str
    result: GameResult
    record: bytes
    """Packed: see protocol.record."""
    trouble: str = ""
    """Where it is void: our own mistake, as a traceback."""
    isolation: str = str(NONE)
    """What its bots were kept in."""


@dataclass(frozen=True, slots=True)
class Wanting:
    """The worker can take a job; it says so once, and again after it got one."""


@dataclass(frozen=True, slots=True)
class JobDone:
    """All games of a job have been sent that are to be played."""

    job: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The machine does not let the worker go on (no space, no processes, no descriptors)."""

    why: str


@dataclass(frozen=True, slots=True)
class Stop:
    """Runner to worker: no more; end all bots and exit."""


FromWorker = GameDone | JobDone | Wanting | Failed | Glimpses
ToWorker = Job | Recall | Peek | Stop
