"""Does what its first argument says when its second says so: `actor.py "closes stdin" turn`."""

import os
import socket
import sys
import time

from tests.bad_bots.bare import hello, move, ready
from tests.bad_bots.hostile.raw import Wire

ACTION, PHASE = sys.argv[1:3]


def close(descriptor, half):
    """One direction, of pipes or of a socket."""
    if wire.socket:
        wire.socket.shutdown(half)
    else:
        os.close(descriptor)


def act(message):
    """In place of saying `message`; does not return."""
    if ACTION == "exits early":
        os._exit(0)
    if ACTION == "closes stdin":
        close(0, socket.SHUT_RD)
        wire.say(message)
    if ACTION == "closes stdout":
        close(1, socket.SHUT_WR)
    if ACTION == "does not read":
        wire.say(message)
    while ACTION == "does not write":
        wire.hear()
    while ACTION == "loops":
        pass
    time.sleep(3600)


def say(message, phase):
    if phase == PHASE:
        act(message)
    wire.say(message)


wire = Wire()
say(hello(), "first")
while (heard := wire.hear())["type"] != "bye":
    if heard["type"] == "turn":
        say(move(heard), "turn" if heard["turn"] == 2 else "")
    else:
        say(ready(heard), heard["type"])
