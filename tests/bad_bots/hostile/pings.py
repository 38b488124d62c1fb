# expect: timeout or protocol_error or crash/closed
# transports: ipc tcp
"""Floods its endpoint with pings, reads every answer, and does not move."""

import signal
import threading
from contextlib import suppress

from tests.bad_bots.bare import move
from tests.bad_bots.hostile.raw import PING, Wire


def read_all():
    with suppress(OSError):
        while wire.socket.recv(1 << 16):
            pass


def answer(heard):
    if heard["turn"] == 1:
        wire.say(move(heard))
        return
    threading.Thread(target=read_all).start()
    with suppress(OSError):  # until it is cut off, and then it lives on
        while True:
            wire.send(PING * 7000)
    signal.pause()


wire = Wire()
wire.follow(answer)
