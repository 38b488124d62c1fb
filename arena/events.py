"""What a run tells, as JSON Lines for scripts: one object an event, with the version of its schema.

    run_started   tournament, seed, bots, games (null: no number bounds them), kept, left_out
    bot_suspended bot, kind, game, at, note; also of bots that were suspended in an earlier run
    games_kept    results (of each game: rank 0 is best, fault is null where there was none), kept, games
    run_ended     tournament, games, seconds, faults, dropped, head (of the ledger's chain), stopped (why), unbalanced

A stream without `run_ended` is of a run that was interrupted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from protocol.result import GameResult
from protocol.vocabulary import FaultKind, GameId


@dataclass(frozen=True, slots=True)
class RunStarted:
    """Everything is ready; the first games begin."""

    tournament: str
    seed: str
    bots: tuple[str, ...]
    games: int | None
    """That there can be in all; None where only time or what is found out bounds them."""
    kept: int
    """How many of them were over already."""
    left_out: tuple[str, ...]
    """Bots that do not build or start here, each with the reason."""


@dataclass(frozen=True, slots=True)
class GamesKept:
    """Games are over and safe in the ledger."""

    results: tuple[GameResult, ...]
    kept: int
    """Games that are over, those of earlier runs too."""
    games: int | None
    """As the run's start said."""


@dataclass(frozen=True, slots=True)
class BotSuspended:
    """A bot plays no more; told of those of earlier runs, too, after the start."""

    bot: str
    kind: FaultKind
    game: GameId
    """The last one that it was suspended for."""
    at: str
    """UTC, ISO 8601."""
    note: str
    """The same in words, and what becomes of its games."""


@dataclass(frozen=True, slots=True)
class RunEnded:
    """There is nothing more to play."""

    tournament: str
    games: int
    """That are over or left out."""
    seconds: float
    faults: int
    """Faults of bots in the games of this run."""
    dropped: int = 0
    """Games that are left out of the schedule, because a bot is suspended."""
    head: str = ""
    """Of the chain over all games that are kept: 64 hex digits, or nothing where there is none."""
    stopped: str = ""
    """Why there is nothing more to play."""
    unbalanced: tuple[str, ...] = ()
    """What the schedule could not keep to, because of void games, suspended bots, a change or a rule that stopped it."""


RunEvent = RunStarted | BotSuspended | GamesKept | RunEnded
Listener = Callable[[RunEvent], None]

SCHEMA = "kingmaker/event/1"
_NAMES = {
    RunStarted: "run_started",
    BotSuspended: "bot_suspended",
    GamesKept: "games_kept",
    RunEnded: "run_ended",
}


def document(event: RunEvent) -> dict[str, Any]:
    """An event as plain values for JSON."""
    body = asdict(event)
    if isinstance(event, RunEnded):
        body["seconds"] = round(event.seconds, 3)
    return {"schema": SCHEMA, "event": _NAMES[type(event)], **body}
