"""`arena bot conform`: the published conversations (protocol/vectors), held with a bot's program.

Each is held with a process that was just started. A bot's message is judged as in a game, by its session; a move
may be any of `legal`, so any bot will do, whatever it plays.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Literal

import protocol
from arena.errors import CannotStart, InputError, did_you_mean
from protocol.codec import encode
from protocol.messages import Hello, Move, Ready
from protocol.vocabulary import FaultKind, Seat
from referee.faults import Misstep, printable
from referee.jobs import Launch
from referee.match import Ask
from referee.players.remote import GRACE, RemotePlayer
from referee.processes import become_subreaper
from referee.transports import Gone
from referee.transports.endpoints import Endpoints

FOLDER = Path(protocol.__file__).parent / "vectors" / "conversations"
PATIENCE = 5.0
"""Seconds that a bot has for a whole conversation, from its start to its end."""
LINES = 15
"""Of a bot's log that are shown."""
SHOWN = 300
"""Characters of what is expected."""

ADVICE = {
    "too_large": "a message has at most 65,536 bytes: leave out what is long",
    "bad_utf8": "write UTF-8 without a byte order mark, and no escape for half a surrogate pair",
    "too_deep": "nest nothing: a bot's messages are flat",
    "not_json": "a message is one JSON object and nothing else: in one frame, or on one line",
    "not_finite": "send no NaN and no Infinity",
    "int_range": "keep integers within 2^53 either way; `turn` goes back as it came",
    "duplicate_key": "write each field once",
    "wrong_type": "give every field that the message has, each in its type (SPEC.md, section 2)",
    "unknown_field": "send no field but those of SPEC.md, section 2; what you want to tell goes into `note`",
    "out_of_turn": "answer each message once, with its own `game_id` and `turn`, and say nothing unasked",
    "bad_version": "list 1 in `protocol` of `hello`",
    "bad_token": "send the value of ARENA_TOKEN in `hello`",
    "flood": "print on standard error what is for people; standard output is for messages",
    "illegal_move": "answer with one of `legal`, character for character: nothing trimmed, escaped or converted",
    "timeout": "answer each `start`, `turn` and `end`, whatever else is in it, and flush after each message",
    "no_start": "say `hello` in every process, whatever the one before it has left behind",
    "crash": "mend what the end of its log names; fields and words that a bot does not know are to be ignored",
    "success": "leave with status 0 after `bye`: sockets closed with LINGER 0, no thread left, nothing said",
    "failure": "leave with a status other than 0 after `error`, and print its `detail` on standard error",
}
"""What to do, by the reason of a failure."""


@dataclass(frozen=True, slots=True)
class Vector:
    """A published conversation (protocol/vectors/README.md)."""

    name: str
    about: str
    steps: list[dict[Literal["bot", "referee"], dict[str, Any]]]
    exit: Literal["success", "failure"]


@dataclass(frozen=True, slots=True)
class Held:
    """How a conversation went; all that follows `ok` is empty where it went well."""

    name: str
    about: str
    ok: bool
    step: int = 0
    """At which it failed, from 1; one more than there are: as it left. 0: it did not fail."""
    reason: str = ""
    """A word of SPEC.md, section 6; `success` or `failure`: it should have left so."""
    expected: str = ""
    came: str = ""
    """The message that came in its place, escaped, at most 2 KiB of it; empty: none."""
    why: str = ""
    """What is wrong with it, or what happened."""
    log: str = ""
    """The end of what the bot printed."""
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Conformance:
    """All of `arena bot conform`."""

    bot: str
    transport: str
    ok: bool
    conversations: list[Held]


class _Broken(Exception):
    """A conversation that did not go as it must."""

    def __init__(self, expected: str, misstep: Misstep) -> None:
        self.expected = expected
        self.misstep = misstep


def vectors(only: str | None = None) -> list[Vector]:
    """The published conversations, or the one of that name. Raises InputError where there is none."""
    files = {file.stem: file for file in FOLDER.glob("*.json")}
    if only is not None and only not in files:
        raise InputError(f"no conversation {only!r}", did_you_mean(only, files))
    wanted = sorted(files) if only is None else [only]
    read = {name: json.loads(files[name].read_text("utf-8")) for name in wanted}
    return [Vector(name, said["about"], said["steps"], said["exit"]) for name, said in read.items()]


def conform(launch: Launch, conversations: list[Vector], patience: float = PATIENCE) -> Iterator[Held]:
    """Hold them one after the other, in `patience` seconds each.

    Raises CannotStart where the program does not get as far as its `hello` in the first.
    """
    become_subreaper()
    with tempfile.TemporaryDirectory(prefix="kingmaker-") as folder:
        for vector in conversations:
            held = _hold(launch, vector, patience, Path(folder))
            if vector is conversations[0] and held.reason == FaultKind.NO_START:
                raise _cannot_start(launch, held)
            yield held


def _cannot_start(launch: Launch, held: Held) -> CannotStart:
    said = "\n".join(filter(None, [held.came, held.log])) or "(it printed nothing)"
    lines = "".join(f"\n  | {line}" for line in said.splitlines())
    fix = "mend what is shown; the first message is `hello`, on stdio with a newline and a flush after it"
    return CannotStart(f"{launch.bot.name} does not start: {held.why}{lines}", fix, "E301")


def _hold(launch: Launch, vector: Vector, patience: float, folder: Path) -> Held:
    log = folder / f"{vector.name}.log"
    endpoints = Endpoints()
    talk = _Talk(RemotePlayer(launch, endpoints, folder / "bots", log), endpoints, patience)
    broken = None
    try:
        talk.hold(vector)
    except _Broken as error:
        broken = error
    finally:
        kept = talk.player.leave("that was all")
        ended = kept.stop(0) if kept is not None else None
        endpoints.close()
    if broken is None:
        return Held(vector.name, vector.about, True)
    tail = "\n".join(ended.tail.strip().splitlines()[-LINES:]) if ended is not None else ""
    return _failed(vector, talk.step, broken, tail)


def _failed(vector: Vector, step: int, broken: _Broken, log: str) -> Held:
    misstep, leaving = broken.misstep, step > len(vector.steps)
    why, came = _told(misstep, leaving)
    protocol_error = misstep.kind is FaultKind.PROTOCOL_ERROR
    reason = vector.exit if leaving else misstep.reason if protocol_error else str(misstep.kind)
    return Held(
        vector.name, vector.about, False, step, reason, broken.expected, came, why, log, ADVICE[reason]
    )


def _told(misstep: Misstep, leaving: bool) -> tuple[str, str]:
    """What happened, and the message in question."""
    if misstep.kind is FaultKind.TIMEOUT and leaving:
        return "it was still running", ""
    if misstep.kind is FaultKind.CRASH or misstep.reason.startswith(("exit", "signal")):
        return f"it is gone: {misstep.reason}", ""
    why, _, came = misstep.evidence.partition("\n")
    return why or "nothing came in time", came


class _Talk:
    """One conversation with one process."""

    def __init__(self, player: RemotePlayer, endpoints: Endpoints, patience: float) -> None:
        self.player = player
        self.step = 0
        """Where it is, from 1."""
        self._endpoints = endpoints
        self._until = monotonic() + patience
        self._asked: dict[str, Any] = {}
        """What is to be answered; empty: with `hello`."""

    def hold(self, vector: Vector) -> None:
        """All of it. Raises _Broken."""
        self.player.start(self._until - monotonic())
        for self.step, said in enumerate(vector.steps, 1):
            if "bot" in said:
                self._answered(*self._hear())
            else:
                self._say(said["referee"])
        self.step += 1
        last = vector.steps[-1]["referee"]
        came = self._hear()
        if last["type"] == "error" and not last["fatal"] and not isinstance(came[0], Misstep):
            self._answered(*came)
            self._say({"type": "bye", "reason": "that was all"})
            self._left("success", self._hear()[0])
        else:
            self._left(vector.exit, came[0])

    def _say(self, message: dict[str, Any]) -> None:
        """Send it; what is asked is to be answered, after an `error` that is not fatal once more."""
        if "events" in message and not self.player.wants_events:
            message = message | {"events": []}
        if message["type"] == "bye" or message.get("fatal"):
            with suppress(Gone):  # how it left is looked at next
                self._endpoints.send(self.player.address, encode(message))
            self.player.asked_at = monotonic()
            self.player.deadline = max(self._until, self.player.asked_at + GRACE)
            return
        if message["type"] != "error":
            self._asked = message
        ask = Ask(Seat(0), message, self._asked.get("turn", 0), max(0.0, self._until - monotonic()))
        misstep = self.player.ask(ask, self._asked["game_id"])
        if misstep is not None:
            raise _Broken(f"that it is there to read {message['type']!r}", misstep)

    def _hear(self) -> tuple[Hello | Move | Ready | Misstep, bytes]:
        """The bot's next message, or the misstep that came in its place; and its bytes."""
        while self.player.misstep is None:
            parcel = self._endpoints.receive()
            now = monotonic()
            if parcel is not None:
                if self.player.greeting or parcel.address == self.player.address:
                    return self.player.take(parcel, now), parcel.payload
                self._endpoints.cut(parcel.address)
            self.player.look(now, parcel is None)
        return self.player.misstep, b""

    def _answered(self, came: Hello | Move | Ready | Misstep, payload: bytes) -> None:
        if isinstance(came, Misstep):
            raise _Broken(_expected(self._asked), came)
        if isinstance(came, Move) and came.action not in self._asked["legal"]:
            evidence = f"the action is not in `legal`\n{printable(payload)}"
            raise _Broken(_expected(self._asked), Misstep(FaultKind.ILLEGAL_MOVE, "", evidence))

    def _left(self, how: str, came: Hello | Move | Ready | Misstep) -> None:
        """Whether the process has ended by itself, so and without another word. Raises _Broken."""
        assert isinstance(came, Misstep)  # nothing is due any more
        if came.kind is not FaultKind.CRASH or (came.reason == "exit 0") != (how == "success"):
            status = "0" if how == "success" else "other than 0"
            raise _Broken(f"that it leaves by itself, without a word, with status {status}", came)


def _expected(asked: dict[str, Any]) -> str:
    if not asked:
        return "`hello` with the token of ARENA_TOKEN, and with 1 in `protocol`"
    if asked["type"] != "turn":
        return f"`ready` for game {asked['game_id']!r}, the answer to `{asked['type']}`"
    legal = " ".join(json.dumps(action, ensure_ascii=False) for action in asked["legal"])
    cut = legal if len(legal) <= SHOWN else legal[:SHOWN] + "…"
    return f"`move` for game {asked['game_id']!r}, turn {asked['turn']}, with one of {len(asked['legal'])}: {cut}"
