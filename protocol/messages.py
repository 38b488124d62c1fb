"""One model a message, one tagged union a direction: the source of the JSON Schema and of SPEC.md.

What a bot sends is checked against these models strictly. What the referee sends is built as plain
structures for speed and agrees with these models by test.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from protocol.vocabulary import FaultKind, Verdict, VoidReason

MAX_NOTE = 200
MAX_SAFE_INTEGER = 2**53

SafeInt = Annotated[int, Field(ge=-MAX_SAFE_INTEGER, le=MAX_SAFE_INTEGER)]
ShortText = Annotated[str, Field(max_length=100, pattern=r"^[^\x00-\x1f\x7f]*$")]
OpaqueId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[!-~]+$")]


class FromBot(BaseModel):
    """What a bot may send: unknown fields are an error, types are strict."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class FromReferee(BaseModel):
    """What a bot receives: it must ignore fields that it does not know."""

    model_config = ConfigDict(extra="ignore", frozen=True, allow_inf_nan=False)


class Hello(FromBot):
    """The first message on a connection."""

    type: Literal["hello"]
    protocol: Annotated[list[SafeInt], Field(min_length=1, max_length=16)]
    """The protocol versions that the bot speaks."""
    token: OpaqueId
    """What the launcher gave it in `ARENA_TOKEN`."""
    name: ShortText | None = None
    version: ShortText | None = None
    sdk: ShortText | None = None
    """The kit and its version, for statistics and advice."""
    features: Annotated[list[ShortText], Field(max_length=16)] = []


class Ready(FromBot):
    """The bot has taken in `start` or `end`."""

    type: Literal["ready"]
    game_id: OpaqueId


class Move(FromBot):
    """The answer to `turn`."""

    type: Literal["move"]
    game_id: OpaqueId
    turn: SafeInt
    """The number of the `turn` that it answers."""
    action: Annotated[str, Field(min_length=1, max_length=200)]
    """One of `legal`, byte for byte."""
    note: Annotated[str, Field(max_length=MAX_NOTE)] | None = None
    """Kept in the record, never shown to another bot."""


class Player(FromReferee):
    """Who sits where."""

    seat: int
    team: int
    name: str | None = None
    """Only where the tournament shows names."""


class ClockLimits(FromReferee):
    """The time limits of a game, in milliseconds; null: no such limit."""

    startup_ms: int | None
    bank_ms: int | None
    increment_ms: int
    move_ms: int | None


class ClockState(FromReferee):
    """What a seat has left, in milliseconds."""

    remaining_ms: int | None
    """In the bank; null where there is none."""
    move_ms: int | None
    """The most that this move may take, bank and cap taken together; null without clocks."""
    last_ms: float
    """What the seat's last move was charged; 0 before the first."""


class Event(FromReferee):
    """Something that this seat saw."""

    n: int
    """Counts the events that this seat saw in this game, from 1."""
    kind: str
    body: dict[str, Any]
    """By kind: see the game's schema."""


class Start(FromReferee):
    """A game begins; answered by `ready`."""

    type: Literal["start"]
    game_id: OpaqueId
    game: str
    variant: str
    seat: int
    rules: str
    players: list[Player]
    setup: dict[str, Any]
    """What every seat may know beforehand: see the game's schema."""
    clock: ClockLimits
    commitment: str
    """SHA-256 of `<deal seed>|<game id>|<nonce>`, all three published with the record."""
    bot_seed: str
    """32 hex digits for the bot's own randomness; says nothing about the deal."""


class Turn(FromReferee):
    """The seat is to move; answered by `move`."""

    type: Literal["turn"]
    game_id: OpaqueId
    turn: int
    """Counts the requests to this seat in this game, from 1."""
    view: dict[str, Any]
    """All that the seat may know: a bot without a memory can play from it."""
    events: list[Event]
    """What it saw since its last message."""
    legal: Annotated[list[str], Field(min_length=1)]
    clock: ClockState


class SeatOutcome(FromReferee):
    """How a seat came out of a game."""

    seat: int
    rank: int
    """0 is best; equal ranks share the place."""
    score: int
    fault: FaultKind | None = None


class End(FromReferee):
    """A game is over; answered by `ready`."""

    type: Literal["end"]
    game_id: OpaqueId
    result: list[SeatOutcome]
    """Empty where the game is void."""
    verdict: Verdict
    detail: str
    """Why, in a word or two: the fault that ended it, the reason it is void, or nothing."""
    events: list[Event]


class Error(FromReferee):
    """The bot's last message was wrong."""

    type: Literal["error"]
    code: str
    detail: str
    path: str
    """Where in the message: `move.action`."""
    fatal: bool


class Bye(FromReferee):
    """The conversation is over: the bot exits."""

    type: Literal["bye"]
    reason: str


BotMessage = Annotated[Hello | Ready | Move, Field(discriminator="type")]
RefereeMessage = Annotated[Start | Turn | End | Error | Bye, Field(discriminator="type")]

bot_messages: TypeAdapter[Hello | Ready | Move] = TypeAdapter(BotMessage)
referee_messages: TypeAdapter[Start | Turn | End | Error | Bye] = TypeAdapter(RefereeMessage)

__all__ = [
    "Bye", "ClockLimits", "ClockState", "End", "Error", "Event", "Hello", "Move", "Player", "Ready",
    "SeatOutcome", "Start", "Turn", "VoidReason", "bot_messages", "referee_messages",
]  # fmt: skip
