"""The Python kit: subclass `Bot`, call `run()`.

    from protocol.client import Bot, Turn, run

    class First(Bot):
        def choose(self, turn: Turn) -> str:
            return turn["legal"][0]

    if __name__ == "__main__":
        run(First())

Needs the standard library, and pyzmq unless the manifest says `transport = "stdio"`, and none of its
neighbours: it can be copied beside a bot that shall not depend on a package. It reads its endpoint and token
from the environment that the launcher sets. What a bot prints goes to its log.
"""

from __future__ import annotations

import json
import os
import random
import sys
from typing import Any, TypedDict

SDK = "kingmaker-python/1"

# ensure_ascii=False: unescaped UTF-8 without spaces is the form that the referee reads fastest.
_to_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Player(TypedDict, total=False):
    """Who sits where; `name` only where the tournament shows names."""

    seat: int
    team: int
    name: str


class Start(TypedDict):
    """A game begins. SPEC.md describes every field of every message."""

    type: str
    game_id: str
    game: str
    variant: str
    seat: int
    rules: str
    players: list[Player]
    setup: dict[str, Any]
    clock: dict[str, Any]
    commitment: str
    bot_seed: str


class Turn(TypedDict):
    """The bot is to choose one of `legal`."""

    type: str
    game_id: str
    turn: int
    view: dict[str, Any]
    events: list[dict[str, Any]]
    legal: list[str]
    clock: dict[str, Any]


class End(TypedDict):
    """A game is over."""

    type: str
    game_id: str
    result: list[dict[str, Any]]
    verdict: str
    detail: str
    events: list[dict[str, Any]]


class Bot:
    """A player. Override `choose`; the other methods say what else happens and may be left alone.

    A bot process plays many games, one after the other; `started` is where a bot forgets the last one.
    An exception that leaves a method ends the process with its traceback in the log, and forfeits.
    """

    wants_events = True
    """False for a bot that plays from the view alone: it is told no events, and its turns are cheaper."""
    rng: random.Random
    """Seeded anew for each game with its `bot_seed`: a bot that draws from it can be replayed."""

    def started(self, start: Start) -> None:
        """A game begins."""

    def choose(self, turn: Turn) -> str | tuple[str, str]:
        """One of `turn["legal"]`; or that and a note of at most 200 characters for the record."""
        raise NotImplementedError

    def ended(self, end: End) -> None:
        """A game is over."""


def run(bot: Bot) -> None:
    """Play until the arena says `bye`. SystemExit with a message where something else ends it."""
    try:
        endpoint, token = os.environ["ARENA_ENDPOINT"], os.environ["ARENA_TOKEN"]
    except KeyError as missing:
        sys.exit(
            f"{missing} is not set: a bot is started by the arena (try: arena play {sys.argv[0]} random)"
        )
    talk = _over_lines if endpoint.startswith("stdio:") else _over_zeromq
    talk(bot, endpoint, hello(bot, token))


def _over_zeromq(bot: Bot, endpoint: str, reply: dict[str, Any] | None) -> None:
    import zmq  # two thirds of the start-up time: only for those who need it

    with zmq.Context() as context, context.socket(zmq.REQ) as socket:
        socket.linger = 0
        socket.connect(endpoint)
        while reply is not None:
            socket.send(_to_json(reply).encode())
            reply = answer(bot, json.loads(socket.recv()))


def _over_lines(bot: Bot, endpoint: str, reply: dict[str, Any] | None) -> None:
    with os.fdopen(os.dup(1), "wb") as messages:
        os.dup2(2, 1)  # what the bot, a library or a child prints goes to the log
        while reply is not None:
            messages.write(_to_json(reply).encode() + b"\n")
            messages.flush()
            line = sys.stdin.buffer.readline()
            reply = answer(bot, json.loads(line)) if line else None


def hello(bot: Bot, token: str) -> dict[str, Any]:
    """What `bot` says first."""
    first = {"type": "hello", "protocol": [1], "token": token, "sdk": SDK}
    return first if bot.wants_events else first | {"features": ["no_events"]}


def answer(bot: Bot, message: Any) -> dict[str, Any] | None:
    """What `bot` replies to a message of the referee; None: it is to exit.

    SystemExit with a message where the referee reports an error or says what version 1 doesn't know.
    """
    match message["type"]:
        case "turn":
            return _move(bot, message)
        case "start":
            bot.rng = random.Random(message["bot_seed"])
            bot.started(message)
        case "end":
            bot.ended(message)
        case "bye":
            return None
        case "error":
            sys.exit(f"arena: {message['code']} at {message['path'] or 'message'}: {message['detail']}")
        case unknown:
            sys.exit(f"arena: a message of type {unknown!r} is not known to {SDK}")
    return {"type": "ready", "game_id": message["game_id"]}


def _move(bot: Bot, turn: Turn) -> dict[str, Any]:
    choice = bot.choose(turn)
    action, note = choice if isinstance(choice, tuple) else (choice, None)
    if action not in turn["legal"]:
        # Sent all the same: the referee is the judge, and its record shows what the bot did.
        print(f"arena: {action!r} is not legal; legal: {' '.join(turn['legal'])}", file=sys.stderr)
    move = {"type": "move", "game_id": turn["game_id"], "turn": turn["turn"], "action": action}
    return move if note is None else move | {"note": note}
