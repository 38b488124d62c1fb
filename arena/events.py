"""What a run tells, as JSON Lines for scripts: one object an event, with the version of its schema.

    run_started   tournament, seed, bots, games, kept, left_out
    bot_suspended bot, kind, game, at, note; also of bots that were suspended in an earlier run
    games_kept    results (of each game: rank 0 is best, fault is null where there was none), kept, games
    run_ended     tournament, games, seconds, faults, dropped, head (of the ledger's chain)

A stream without `run_ended` is of a run that was interrupted.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from arena.tournament import BotSuspended, GamesKept, RunEnded, RunEvent, RunStarted

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
