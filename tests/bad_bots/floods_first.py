# expect: no_start/no_hello
"""Says anything but hello, without an end."""

import os

import zmq

socket = zmq.Context().socket(zmq.DEALER)
socket.connect(os.environ["ARENA_ENDPOINT"])
while True:
    socket.send(b"hello? " * 100)
