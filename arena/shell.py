"""A person, or a program at the other end of a pipe, who is the bot: one JSON message a line.

What is wrong with a message is said with an `error` that is not fatal, and asked again; only here and in no
game that counts there is a second try.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from time import monotonic
from typing import Any

from protocol.codec import encode
from protocol.errors import ProtocolError
from protocol.messages import Hello, Move, Ready
from protocol.session import Session
from referee.match import Ask, Reply


class Left(Exception):
    """No more input."""


class Shell:
    """A player whose messages come from `read` (a line, empty at the end) and go to `tell`."""

    wants_events = True

    def __init__(
        self, read: Callable[[], str], tell: Callable[[str], None], hint: Callable[[str], None]
    ) -> None:
        self.token = secrets.token_hex(16)
        self._read, self._tell, self._hint = read, tell, hint
        self._session = Session(self.token)

    def greet(self) -> None:
        """Take a `hello`. Raises Left."""
        self._hint(_line({"type": "hello", "protocol": [1], "token": self.token}))
        self._hear([])

    def reply(self, ask: Ask) -> Reply:
        """What is typed to `ask`, once it may stand there. Raises Left."""
        message, begin = ask.message, monotonic()
        self._session.ask(message["game_id"], ask.turn)
        self._tell(_line(message))
        self._hint(_line(_example(ask)))
        answer = self._hear(message.get("legal", []))
        assert not isinstance(answer, Hello)
        return Reply(answer, monotonic() - begin)

    def bye(self) -> None:
        """The last message."""
        self._tell(_line({"type": "bye", "reason": "that was all"}))

    def _hear(self, legal: list[str]) -> Hello | Move | Ready:
        while line := self._read():
            if not line.strip():
                continue
            try:
                # looked at before the session moves on: an illegal move may be mended
                self._check_action(line, legal)
                return self._session.receive(line.strip().encode("utf-8", "surrogateescape"))
            except ProtocolError as error:
                self._tell(_line({
                    "type": "error", "code": error.reason, "detail": error.detail, "path": error.path,
                    "fatal": False,
                }))  # fmt: skip
        raise Left

    @staticmethod
    def _check_action(line: str, legal: list[str]) -> None:
        try:
            action = json.loads(line)["action"]
        except (ValueError, TypeError, KeyError, RecursionError):
            return  # the session says what is wrong
        if legal and isinstance(action, str) and action not in legal:
            raise ProtocolError("illegal_move", f"legal are {' '.join(legal)}", "move.action")


def _example(ask: Ask) -> dict[str, Any]:
    game_id = ask.message["game_id"]
    if ask.turn:
        return {"type": "move", "game_id": game_id, "turn": ask.turn, "action": ask.message["legal"][0]}
    return {"type": "ready", "game_id": game_id}


def _line(message: dict[str, Any]) -> str:
    return encode(message).decode()
