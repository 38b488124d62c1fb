# expect: timeout or protocol_error or crash/closed
# transports: ipc tcp
"""Keeps its referee busy with pings until a little after its deadline, then moves: was it the host?"""

import signal
import time
from contextlib import suppress

from tests.bad_bots.bare import move
from tests.bad_bots.hostile.raw import PING, Wire

MANY = 5000
PONG = 7
"""Bytes of an answer."""


def keep_busy(seconds):
    """Send pings and read their answers, all of them."""
    due, until = 0, time.monotonic() + seconds
    while time.monotonic() < until or due:
        if time.monotonic() < until and due < MANY * PONG:
            wire.send(PING * MANY)
            due += MANY * PONG
        with suppress(BlockingIOError):
            heard = wire.socket.recv(1 << 16)
            due -= len(heard)
            if not heard:
                raise BrokenPipeError


def answer(heard):
    try:
        if heard["turn"] == 2:
            keep_busy(heard["clock"]["move_ms"] / 1000 + 0.05)
        wire.say(move(heard))
    except OSError:  # cut off: it lives on
        signal.pause()


wire = Wire()
wire.follow(answer)
