"""What bots need that keep to no kit: they say anything, over whichever transport they are started for."""

import json
import os
import sys
from functools import cache


def over_lines():
    return os.environ["ARENA_ENDPOINT"] == "stdio:"


@cache
def socket():
    import zmq

    made = zmq.Context().socket(zmq.DEALER)
    made.connect(os.environ["ARENA_ENDPOINT"])
    return made


def say(message, end=b"\n"):
    """A message, or any bytes; `end` is for lines alone."""
    data = message if isinstance(message, bytes) else json.dumps(message).encode()
    if over_lines():
        sys.stdout.buffer.write(data + end)
        sys.stdout.flush()
    else:
        socket().send(data)


def hear():
    return json.loads(sys.stdin.buffer.readline() if over_lines() else socket().recv())


def hello(**more):
    return {"type": "hello", "protocol": [1], "token": os.environ["ARENA_TOKEN"], **more}


def ready(heard):
    return {"type": "ready", "game_id": heard["game_id"]}


def move(heard):
    return {"type": "move", "game_id": heard["game_id"], "turn": heard["turn"], "action": heard["legal"][0]}


def follow(answer):
    """Play on after hello; `answer` is called with each turn, and says something."""
    while (heard := hear())["type"] != "bye":
        if heard["type"] == "turn":
            answer(heard)
        else:
            say(ready(heard))
