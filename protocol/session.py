"""The conversation with one bot as a pure state machine: which message may follow which.

bot                      referee
 | -- hello ------------> |   GREETING -> IDLE
 | <------------ start -- |   IDLE -> ASKED
 | -- ready ------------> |   ASKED -> IDLE
 | <------------- turn -- |
 | -- move -------------> |
 | <-------------- end -- |
 | -- ready ------------> |
 | <-------------- bye -- |   CLOSED
"""

from __future__ import annotations

from enum import Enum
from hmac import compare_digest

from protocol.codec import decode
from protocol.errors import ProtocolError
from protocol.messages import Hello, Move, Ready
from protocol.version import SUPPORTED


class Phase(Enum):
    """Who is to speak."""

    GREETING = "the bot, with hello"
    IDLE = "the referee"
    ASKED = "the bot, with what was asked"
    CLOSED = "nobody"


class Session:
    """One bot's conversation. Holds no clock and no socket.

    Invariants: the two sides alternate, so at most one answer is owed at any time; a message that is
    refused changes nothing.
    """

    __slots__ = ("_game_id", "_token", "_turn", "phase")

    def __init__(self, token: str) -> None:
        self.phase = Phase.GREETING
        self._token = token
        self._game_id = ""
        self._turn = 0

    def ask(self, game_id: str, turn: int = 0) -> None:
        """The referee has sent `turn` number `turn`, or (0) `start` or `end`. RuntimeError: not its turn."""
        if self.phase is not Phase.IDLE:
            raise RuntimeError(f"the next to speak is {self.phase.value}")
        self.phase, self._game_id, self._turn = Phase.ASKED, game_id, turn

    def drop(self) -> None:
        """An answer came that nobody needs any more: it counts as given, unread. RuntimeError: none is owed.

        For a game that ended while this seat still owed a move: `end` may follow.
        """
        if self.phase is not Phase.ASKED:
            raise RuntimeError(f"no answer is owed: the next to speak is {self.phase.value}")
        self.phase = Phase.IDLE

    def close(self) -> None:
        """Nothing is read any more."""
        self.phase = Phase.CLOSED

    def receive(self, data: bytes) -> Hello | Ready | Move:
        """The bot's message, if it may stand here. Raises ProtocolError: the bot's mistake.

        First the reasons of `codec.decode`; then out_of_turn (phase, type, game, turn in this order);
        for a hello in its place bad_token, then bad_version.
        """
        message = decode(data)
        if self.phase is Phase.ASKED:
            self._check_answer(message)
        elif self.phase is Phase.GREETING:
            self._check_hello(message)
        else:
            raise ProtocolError("out_of_turn", f"{message.type}, but the next to speak is {self.phase.value}")
        self.phase = Phase.IDLE
        return message

    def _check_answer(self, message: Hello | Ready | Move) -> None:
        expected = "move" if self._turn else "ready"
        if message.type == "hello" or message.type != expected:
            raise ProtocolError("out_of_turn", f"{message.type} where {expected} was due", "type")
        if message.game_id != self._game_id:
            raise ProtocolError(
                "out_of_turn", "that is not the game that was asked about", f"{expected}.game_id"
            )
        if message.type == "move" and message.turn != self._turn:
            raise ProtocolError(
                "out_of_turn", f"turn {message.turn} where {self._turn} was asked", "move.turn"
            )

    def _check_hello(self, message: Hello | Ready | Move) -> None:
        if not isinstance(message, Hello):
            raise ProtocolError("out_of_turn", f"{message.type} before hello", "type")
        if not compare_digest(message.token.encode(), self._token.encode()):
            raise ProtocolError("bad_token", "not the token of ARENA_TOKEN", "hello.token")
        if not set(message.protocol) & set(SUPPORTED):
            known = ", ".join(map(str, SUPPORTED))
            raise ProtocolError("bad_version", f"this arena speaks version {known}", "hello.protocol")
