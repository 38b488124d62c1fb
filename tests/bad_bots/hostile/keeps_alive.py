# expect: timeout
"""Says every 0.2 s that it thinks, and never moves."""

import time

from tests.bad_bots.bare import move
from tests.bad_bots.hostile.raw import PING, Wire


def answer(heard):
    if heard["turn"] == 1:
        wire.say(move(heard))
        return
    while True:
        wire.send(PING if wire.socket else b"info thinking\n")
        time.sleep(0.2)


wire = Wire()
wire.follow(answer)
