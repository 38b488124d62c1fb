"""What came of an attack, read off the records of its games. Knows no process."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from protocol.record import unpack
from protocol.vocabulary import FaultKind, Verdict
from referee.jobs import GameDone


@dataclass
class Account:
    """What came of one attack in one mode."""

    attack: str
    """The threat and the bot."""
    mode: str
    expected: str
    got: str
    """The verdict of the duel, or of the brawl where that is a wrong one."""
    seconds: float
    """From the witness's last answer (from the order to start, where none came) to the news of the end."""
    deadline: float
    """The time that the bot had, with its margin."""
    lag: float
    """For how long the host kept it from running in a move, by the record, or its referee, by the kernel."""
    grew: int
    """By how much the worker's memory was ever above what it had before, in KiB."""
    left: list[str]
    trouble: list[str]
    """What became of the innocent that should not, or of logs."""
    tries: int = 1
    """How often it was played: again where it may have been the machine that made it late."""
    whole: bool = True
    """Whether the sandbox had namespaces of its own."""
    did: dict[str, str] = field(default_factory=dict)
    """What the probe said of each attempt."""


def hashes(games: Sequence[GameDone]) -> list[str]:
    """What the plays were, in the order of their ids."""
    return sorted(play_of(game)[1] for game in games)


def play_of(game: GameDone) -> tuple[dict[str, Any], str]:
    """The reproducible part of a record, and its hash."""
    record = json.loads(unpack(game.record))
    return record["play"], record["play_hash"]


def fault_of(game: GameDone) -> dict[str, Any] | None:
    """The fault of the first seat."""
    faults = [fault for fault in play_of(game)[0]["faults"] if fault["seat"] == 0]
    return faults[0] if faults else None


def verdict(game: GameDone) -> str:
    """The fault of the first seat, `nothing` where there is none; what became of the game where it is void."""
    if game.result.verdict is Verdict.VOID:
        return f"void/{play_of(game)[0]['void']}"
    fault = fault_of(game)
    return f"{fault['kind']}/{fault['reason']}".rstrip("/") if fault else "nothing"


def matches(got: str, expected: str) -> bool:
    """Whether a verdict is one of those expected; a kind alone means all its reasons."""
    return any(got == one or got.startswith(one + "/") for one in expected.split(" or "))


def harm(game: GameDone) -> str:
    """What happened to the innocent seats of a game that should not have."""
    play, _ = play_of(game)
    faulty = bool(game.result.seats[0].fault)
    innocent = [seat.rank for seat in game.result.seats[1:]]
    if any(seat.fault for seat in game.result.seats[1:]):
        return f"an innocent seat is at fault: {play['faults']}"
    if faulty and (game.result.seats[0].rank <= max(innocent) or min(innocent) != 0):
        return f"ranks are {play['ranks']}"
    if len(innocent) > 1 and game.result.verdict is not Verdict.FINISHED:
        return "the game of the others did not go on"
    return ""


def allowed(game: GameDone) -> tuple[float, float]:
    """Seconds that the first seat had where it failed, to start or to move; and how long the host kept it."""
    account, fault = json.loads(unpack(game.record))["account"], fault_of(game)
    limits = account["limits"]
    if fault and (fault["kind"] == FaultKind.NO_START or fault["turn"] == 0):
        had = limits["startup_ms"]
    else:
        had = (limits["move_ms"] or limits["bank_ms"]) + limits["margin_ms"]
    return had / 1000, (account["lag_ms"] or 0.0) / 1000
