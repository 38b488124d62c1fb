# expect: protocol_error/bad_version
"""Speaks a version that nobody speaks."""

import json
import os

import zmq

socket = zmq.Context().socket(zmq.DEALER)
socket.connect(os.environ["ARENA_ENDPOINT"])


def say(message):
    socket.send(message if isinstance(message, bytes) else json.dumps(message).encode())


def hello(**more):
    say({"type": "hello", "protocol": [1], "token": os.environ["ARENA_TOKEN"], **more})


def move(heard):
    return {"type": "move", "game_id": heard["game_id"], "turn": heard["turn"], "action": heard["legal"][0]}


def answer(heard):
    say(move(heard))


hello(protocol=[99])

while (heard := json.loads(socket.recv()))["type"] != "bye":
    if heard["type"] == "turn":
        answer(heard)
    else:
        say({"type": "ready", "game_id": heard["game_id"]})
