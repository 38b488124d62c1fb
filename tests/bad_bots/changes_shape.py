# expect: nothing
"""A DEALER that sends the empty frame now and then, as it may."""

import json
import os

import zmq

socket = zmq.Context().socket(zmq.DEALER)
socket.connect(os.environ["ARENA_ENDPOINT"])
said = {"type": "hello", "protocol": [1], "token": os.environ["ARENA_TOKEN"]}
for number in range(1_000_000):
    frames = [b"", json.dumps(said).encode()][number % 2 :]
    socket.send_multipart(frames)
    answer = socket.recv_multipart()
    assert len(answer) == len(frames), "in the shape of the question"
    heard = json.loads(answer[-1])
    if heard["type"] == "bye":
        break
    said = {"type": "ready", "game_id": heard["game_id"]}
    if heard["type"] == "turn":
        said |= {"type": "move", "turn": heard["turn"], "action": heard["legal"][0]}
