"""Games whose records may be shown, and their replays, made when they are asked for.

A record shows its deal, so it may be shown once no game of its deal is to come (`Course.closed`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena import scripts
from arena.errors import StorageError
from arena.home import Home
from arena.ledger import Begun, Ledger
from arena.planning import course_in
from arena.reading import opened
from protocol.vocabulary import GameId
from referee import replay
from referee.game import GameError


@dataclass(frozen=True, slots=True)
class State:
    """What a tournament's pages are made of, in short: where it is equal nothing has changed."""

    begun: Begun
    head: str
    """The last link of its chain; empty where no game is over."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The games of a tournament that may be shown, at some time of it."""

    begun: Begun
    """Whoever adds bots or deals may open deals again."""
    games: frozenset[GameId]


def state(home: Home, name: str) -> State | None:
    """How a tournament is now; None where there is none. Raises StorageError."""
    with opened(home) as ledger:
        begun = ledger.find(name)
        return None if begun is None else State(begun, ledger.head(name))


def shown(home: Home, name: str) -> Shown:
    """Which games may be shown now. Raises InputError where there is no such tournament, StorageError."""
    with opened(home) as ledger:
        begun = ledger.tournament(name)
        return Shown(begun, _closed(ledger, begun))


def _closed(ledger: Ledger, begun: Begun) -> frozenset[GameId]:
    results = ledger.results(begun.name)
    closed = course_in(ledger, begun).closed({result.deal for result in results})
    return frozenset(result.id for result in results if result.deal in closed)


def replay_of(home: Home, game: GameId, logs: Path | None = None) -> bytes:
    """The script that a page loads for the moves of a game. Raises StorageError where its record is damaged.

    `logs`: the folder of those that are to be told in it, too.
    """
    with opened(home) as ledger:
        record = ledger.record(game)
    try:
        return scripts.replay(game, replay.read(record), logs)
    except (ValueError, GameError) as error:
        raise StorageError(f"the record of game {game} is damaged: {error}", "arena verify", "E407") from None
