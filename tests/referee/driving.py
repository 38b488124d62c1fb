"""Drives a match in memory: no process, no socket, no clock of its own."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from protocol.codec import encode
from protocol.messages import Move, Ready
from protocol.vocabulary import BotId, DealId, GameId
from referee.clocks import Limits
from referee.faults import Misstep
from referee.game import Game
from referee.games import game_of
from referee.jobs import PlannedGame
from referee.match import MatchSpec, Played, Reply, play

Player = Callable[[dict[str, Any]], str | Misstep | tuple[str, float]]
"""Takes a message; gives an action (anything for `start` and `end`), a fault, or an action and seconds."""


def bot_ids(count: int) -> tuple[BotId, ...]:
    return tuple(BotId(f"bot{i}", f"{i:040x}") for i in range(count))


def spec_for(variant: str, seed: str = "deal", game: Game | None = None, **more: Any) -> MatchSpec:
    game = game or game_of(variant)
    found = game.variant(variant)
    fields: dict[str, Any] = {
        "id": GameId("g1"),
        "limits": Limits(),
        "secret": "secret",
        "bots": bot_ids(found.players),
    }
    return MatchSpec(game=game, variant=found, seed=seed, **{**fields, **more})


def planned(number: int = 0, seed: str = "deal", **more: Any) -> PlannedGame:
    return PlannedGame(GameId(f"g{number}"), DealId(f"d{number}"), seed, "block", 1, **more)


def random_player(seed: int = 0) -> Player:
    rng = random.Random(seed)
    return lambda message: rng.choice(message["legal"]) if message["type"] == "turn" else ""


def drive(spec: MatchSpec, players: Sequence[Player]) -> tuple[Played, list[list[bytes]]]:
    """Play it out; the game, and the bytes that each seat received."""
    received: list[list[bytes]] = [[] for _ in players]
    game, reply = play(spec), None
    while True:
        try:
            ask = next(game) if reply is None else game.send(reply)
        except StopIteration as stop:
            return stop.value, received
        received[ask.seat].append(encode(ask.message))
        said = players[ask.seat](ask.message)
        said, seconds = said if isinstance(said, tuple) and not isinstance(said, Misstep) else (said, 0.0)
        reply = Reply(said if isinstance(said, Misstep) else _message(ask.message, said), seconds)


def _message(asked: dict[str, Any], action: str) -> Move | Ready:
    if asked["type"] != "turn":
        return Ready(type="ready", game_id=asked["game_id"])
    return Move(type="move", game_id=asked["game_id"], turn=asked["turn"], action=action)
