# expect: nothing
"""Does not take note of the end of a game: no fault of that game."""

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


hello()
while (heard := json.loads(socket.recv()))["type"] != "bye":
    if heard["type"] == "turn":
        say(move(heard))
    elif heard["type"] == "start":
        say({"type": "ready", "game_id": heard["game_id"]})
