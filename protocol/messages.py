"""One model a message, one tagged union a direction: the source of the JSON Schema and of SPEC.md.

What a bot sends is checked against these models strictly. What the referee sends is built as plain
structures for speed and agrees with these models by test.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from protocol.vocabulary import Verdict

MAX_ACTION = 200
"""Characters (code points)."""
MAX_NOTE = 200
NO_EVENTS = "no_events"
"""A feature of `hello`."""
MAX_SAFE_INTEGER = 2**53

SafeInt = Annotated[int, Field(ge=-MAX_SAFE_INTEGER, le=MAX_SAFE_INTEGER)]
Count = Annotated[int, Field(ge=0, le=MAX_SAFE_INTEGER)]
Number = Annotated[int, Field(ge=1, le=MAX_SAFE_INTEGER)]
OpaqueId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[!-~]+$")]
_NO_CONTROLS = r"^[^\x00-\x1f\x7f-\x9f]*$"
ShortText = Annotated[str, Field(max_length=100, pattern=_NO_CONTROLS)]


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
    """What the bot calls itself, for logs; the manifest has the name that counts."""
    version: ShortText | None = None
    """The bot's own version, for logs."""
    sdk: ShortText | None = None
    """The kit and its version, for statistics and advice."""
    features: Annotated[list[ShortText], Field(max_length=16)] = []
    """Unknown ones are ignored; `no_events`: it plays from views alone, and `events` is always empty."""


class Ready(FromBot):
    """The bot has taken in `start` or `end`."""

    type: Literal["ready"]
    game_id: OpaqueId
    """The one of the message that it answers."""


class Move(FromBot):
    """The answer to `turn`."""

    type: Literal["move"]
    game_id: OpaqueId
    """The one of the `turn` that it answers."""
    turn: SafeInt
    """The number of the `turn` that it answers."""
    action: Annotated[str, Field(min_length=1, max_length=MAX_ACTION, pattern=_NO_CONTROLS)]
    """One of `legal`, byte for byte."""
    note: Annotated[str, Field(max_length=MAX_NOTE, pattern=_NO_CONTROLS)] | None = None
    """Kept in the record, never shown to another bot."""


class Player(FromReferee):
    """Who sits where."""

    seat: Count
    """0 first in turn order."""
    team: Count
    """Seats of one team win and lose together."""
    name: str | None = None
    """Only where the tournament shows names."""


class ClockLimits(FromReferee):
    """The time limits of a game, in milliseconds; null: no such limit."""

    startup_ms: Count | None
    """For `hello` and for each `ready`."""
    bank_ms: Count | None
    """For all moves of the game together."""
    increment_ms: Count
    """Added to the bank after each move."""
    move_ms: Count | None
    """For one move."""


class ClockState(FromReferee):
    """What a seat has left, in milliseconds."""

    remaining_ms: Count | None
    """In the bank; null where there is none."""
    move_ms: Count | None
    """The most that this move may take, bank and cap taken together; null without clocks."""
    last_ms: Annotated[float, Field(ge=0)]
    """What the seat's last move was charged; 0 before the first."""


class Event(FromReferee):
    """Something that this seat saw."""

    n: Number
    """Counts the events that this seat saw in this game, from 1."""
    kind: str
    """Of the game: see its schema."""
    body: dict[str, Any]
    """By kind: see the game's schema."""


class Start(FromReferee):
    """A game begins; answered by `ready`."""

    type: Literal["start"]
    game_id: OpaqueId
    """Names the game in every message that belongs to it; otherwise without meaning."""
    game: str
    """`claim`, `aristoocrazy`"""
    variant: str
    """In the game's notation: `claim/2p/GK-UWX`."""
    seat: Count
    """Where this bot sits."""
    rules: str
    """Changes whenever play does; games of different rules are never rated together."""
    players: list[Player]
    """All seats, in turn order."""
    setup: dict[str, Any]
    """What every seat may know beforehand: see the game's schema."""
    clock: ClockLimits
    """The time limits of this game."""
    commitment: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """SHA-256 of `<deal seed>|<game id>|<nonce>`, all three published with the record."""
    bot_seed: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
    """32 hex digits for the bot's own randomness; says nothing about the deal."""


class Turn(FromReferee):
    """The seat is to move; answered by `move`."""

    type: Literal["turn"]
    game_id: OpaqueId
    turn: Number
    """Counts the requests to this seat in this game, from 1."""
    view: dict[str, Any]
    """All that the seat may know: a bot without a memory can play from it."""
    events: list[Event]
    """What it saw since the last message to it."""
    legal: Annotated[list[str], Field(min_length=1)]
    """The actions to choose from, in a stable order."""
    clock: ClockState
    """What it has left."""


class SeatOutcome(FromReferee):
    """How a seat came out of a game."""

    seat: Count
    """As in `players`."""
    rank: Count
    """0 is best; equal ranks share the place."""
    score: SafeInt
    """In the game's own points; higher is better."""
    fault: str | None = None
    """What this seat did wrong, if it did: a kind of SPEC.md, section 6, or one that came later."""


class End(FromReferee):
    """A game is over; answered by `ready`."""

    type: Literal["end"]
    game_id: OpaqueId
    result: list[SeatOutcome]
    """Empty where the game is void."""
    verdict: Verdict
    """How the game ended, as a whole."""
    detail: str
    """Why, in a word or two: the fault that ended it, the reason it is void, or nothing."""
    events: list[Event]
    """What this seat saw since the last message to it."""


class Error(FromReferee):
    """The bot's last message was wrong."""

    type: Literal["error"]
    code: str
    """A reason of SPEC.md, section Faults, or the kind of a fault."""
    detail: str
    """For the bot's author."""
    path: str
    """Where in the message: `move.action`; empty: the message as a whole."""
    fatal: bool
    """True: the conversation is over. False: the same request may be answered once more."""


class Bye(FromReferee):
    """The conversation is over: the bot exits."""

    type: Literal["bye"]
    reason: str
    """For the log."""


BotMessage = Annotated[Hello | Ready | Move, Field(discriminator="type")]
RefereeMessage = Annotated[Start | Turn | End | Error | Bye, Field(discriminator="type")]

bot_messages: TypeAdapter[Hello | Ready | Move] = TypeAdapter(BotMessage)
referee_messages: TypeAdapter[Start | Turn | End | Error | Bye] = TypeAdapter(RefereeMessage)

__all__ = [
    "Bye", "ClockLimits", "ClockState", "End", "Error", "Event", "Hello", "Move", "Player", "Ready",
    "SeatOutcome", "Start", "Turn", "bot_messages", "referee_messages",
]  # fmt: skip
