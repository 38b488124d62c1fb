# expect: timeout
"""Floods the arena on a second connection, and does not move."""

import os
import socket

from protocol.client import Bot, run

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
READY = b"\x04\x19\x05READY\x0bSocket-Type\x00\x00\x00\x03REQ"


class Floods(Bot):
    def choose(self, turn):
        while True:
            with socket.socket(socket.AF_UNIX) as line:
                try:
                    line.connect(os.environ["ARENA_ENDPOINT"].removeprefix("ipc://"))
                    line.sendall(GREETING + READY)
                    while True:
                        line.sendall(b"\0\0" * 4096)
                except OSError:
                    continue


run(Floods())
