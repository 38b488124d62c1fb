"""The Python kit: subclass `Bot`, call `run()`.

    from protocol.client import Bot, run

    class First(Bot):
        def choose(self, turn):
            return turn["legal"][0]

    run(First())

Only this module and its imports are needed beside the bot; it reads its endpoint and token from the
environment that the launcher sets. It can be copied beside a bot that shall not depend on a package.
"""

from __future__ import annotations

import json
import os
import random
import sys
from typing import Any

import zmq

SDK = "kingmaker-python/1"


class Bot:
    """A player. Override `choose`; the other methods say what else happens and may be left alone.

    Messages are plain dicts, as SPEC.md describes them. A bot process plays many games, one after the
    other; `started` is where a bot forgets the last one.
    """

    rng: random.Random
    """Seeded anew for each game with its `bot_seed`: a bot that draws from it can be replayed."""

    def started(self, start: dict[str, Any]) -> None:
        """A game begins."""

    def choose(self, turn: dict[str, Any]) -> str | tuple[str, str]:
        """One of `turn["legal"]`; or that and a note of at most 200 characters for the record."""
        raise NotImplementedError

    def ended(self, end: dict[str, Any]) -> None:
        """A game is over."""


def run(bot: Bot) -> None:
    """Play until the arena says `bye`. Exits with a message where no arena started this process."""
    try:
        endpoint, token = os.environ["ARENA_ENDPOINT"], os.environ["ARENA_TOKEN"]
    except KeyError as missing:
        sys.exit(f"{missing} is not set: a bot is started by the arena (try: arena play {sys.argv[0]} random)")
    with zmq.Context() as context, context.socket(zmq.REQ) as socket:
        socket.linger = 0
        socket.connect(endpoint)
        reply: dict[str, Any] | None = {"type": "hello", "protocol": [1], "token": token, "sdk": SDK}
        while reply is not None:
            socket.send(json.dumps(reply, separators=(",", ":")).encode())
            reply = answer(bot, json.loads(socket.recv()))


def answer(bot: Bot, message: dict[str, Any]) -> dict[str, Any] | None:
    """What `bot` replies to a message of the referee; None: it is to exit."""
    match message["type"]:
        case "turn":
            choice = bot.choose(message)
            action, note = choice if isinstance(choice, tuple) else (choice, None)
            move = {"type": "move", "game_id": message["game_id"], "turn": message["turn"], "action": action}
            return move if note is None else move | {"note": note}
        case "start":
            bot.rng = random.Random(message["bot_seed"])
            bot.started(message)
        case "end":
            bot.ended(message)
        case "error":
            print(f"arena: {message['code']} at {message['path']}: {message['detail']}", file=sys.stderr)
            return None
        case _:
            return None
    return {"type": "ready", "game_id": message["game_id"]}
