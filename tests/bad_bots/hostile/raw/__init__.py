"""For bots that break the framing: the bytes themselves, over lines or as ZMTP 3 by hand."""

import json
import os
import socket
import sys
from pathlib import Path

from tests.bad_bots.bare import over_lines

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
READY = b"\x04\x1c\x05READY\x0bSocket-Type\x00\x00\x00\x06DEALER"
MORE, LONG, COMMAND = 1, 2, 4
PING = bytes((COMMAND, 7)) + b"\x04PING\0\0"


def frame(body, flags=0):
    """A frame of ZMTP."""
    if len(body) < 256:
        return bytes((flags, len(body))) + body
    return bytes((flags | LONG,)) + len(body).to_bytes(8, "big") + body


def path():
    """The socket at which the arena listens for this bot."""
    return Path(os.environ["ARENA_ENDPOINT"].removeprefix("ipc://"))


def dial(where=None, greeting=GREETING + READY):
    """A connection that has said that much, to the bot's own endpoint or to a socket that is `where`."""
    host, _, port = os.environ["ARENA_ENDPOINT"].removeprefix("tcp://").rpartition(":")
    remote = where is None and port.isdigit()
    line = socket.socket(socket.AF_INET if remote else socket.AF_UNIX)
    line.settimeout(5)
    line.connect((host, int(port)) if remote else str(where or path()))
    line.sendall(greeting)
    return line


class Wire:
    """The bot's way to the arena, by bytes."""

    def __init__(self):
        self.socket = None if over_lines() else dial()
        self._in = sys.stdin.buffer if over_lines() else self.socket.makefile("rb")
        if self.socket:
            self.socket.settimeout(None)
            self._in.read(len(GREETING))
            self._frame()

    def send(self, data):
        """Bytes as they are."""
        if self.socket:
            self.socket.sendall(data)
        else:
            os.write(1, data)

    def pack(self, message):
        """A message as it goes over the wire."""
        data = json.dumps(message).encode()
        return frame(data) if self.socket else data + b"\n"

    def say(self, message):
        self.send(self.pack(message))

    def hear(self):
        return json.loads(self._frame() if self.socket else self._in.readline())

    def follow(self, answer):
        """Say hello and play; `answer` is called with each turn, and says something."""
        from tests.bad_bots.bare import hello, ready

        self.say(hello())
        while (heard := self.hear())["type"] != "bye":
            if heard["type"] == "turn":
                answer(heard)
            else:
                self.say(ready(heard))

    def _frame(self):
        flags, size = self._in.read(2)
        if flags & LONG:
            size = int.from_bytes(bytes((size,)) + self._in.read(7), "big")
        return self._in.read(size)
