# expect: timeout
"""Sends its move a byte at a time."""

import time

from tests.bad_bots.bare import move
from tests.bad_bots.hostile.raw import Wire


def answer(heard):
    said = wire.pack(move(heard))
    if heard["turn"] == 1:
        wire.send(said)
        return
    for byte in said:
        wire.send(bytes((byte,)))
        time.sleep(0.1)


wire = Wire()
wire.follow(answer)
