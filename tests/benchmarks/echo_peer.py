"""The other end of a bare echo, with pyzmq: `echo_peer.py ENDPOINT ANSWERS FIRST`, as `programs/peer.c` has it."""

import sys
from itertools import cycle
from pathlib import Path

import zmq


def main(endpoint: str, answers: str, first: str) -> None:
    """Say `first`, then an answer to each message until an empty one comes."""
    lines = cycle(Path(answers).read_bytes().splitlines())
    with zmq.Context() as context, context.socket(zmq.REQ) as socket:
        socket.connect(endpoint)
        socket.send(first.encode())
        while socket.recv():
            socket.send(next(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
