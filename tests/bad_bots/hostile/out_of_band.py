# expect: timeout or protocol_error
# transports: ipc tcp
"""Sends urgent bytes, which a socket shows as readable and does not give with the others."""

import socket
import time
from contextlib import suppress

from tests.bad_bots.bare import move
from tests.bad_bots.hostile.raw import Wire


def answer(heard):
    if heard["turn"] == 1:
        wire.say(move(heard))
        return
    while True:
        with suppress(OSError):
            wire.socket.send(b"!", socket.MSG_OOB)
        time.sleep(0.05)


wire = Wire()
wire.follow(answer)
