# expect: timeout or protocol_error or crash
# transports: ipc tcp
"""Floods its endpoint with pings, reads every answer, and does not move."""

import threading

from tests.bad_bots.bare import move
from tests.bad_bots.hostile.raw import PING, Wire


def read_all():
    while wire.socket.recv(1 << 16):
        pass


def answer(heard):
    if heard["turn"] == 1:
        wire.say(move(heard))
        return
    threading.Thread(target=read_all).start()
    while True:
        wire.send(PING * 7000)


wire = Wire()
wire.follow(answer)
