"""A Python function in a seat."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

from protocol.messages import Move, Ready
from referee.match import Ask, Reply


class LocalPlayer:
    """Plays what `choose` says to a `turn` message; `told` hears `start` and `end`."""

    wants_events = True

    def __init__(
        self,
        choose: Callable[[dict[str, Any]], str],
        told: Callable[[dict[str, Any]], None] = lambda message: None,
    ) -> None:
        self._choose = choose
        self._told = told

    def reply(self, ask: Ask) -> Reply:
        """A `move`, or `ready`."""
        game_id, begin = ask.message["game_id"], monotonic()
        if ask.turn:
            action = self._choose(ask.message)
            move = Move.model_construct(type="move", game_id=game_id, turn=ask.turn, action=action, note=None)
            return Reply(move, monotonic() - begin)
        self._told(ask.message)
        return Reply(Ready(type="ready", game_id=game_id), 0.0)
