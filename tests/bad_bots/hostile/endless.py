# expect: protocol_error/too_large
"""A message of 600 MB."""

import time

from tests.bad_bots.bare import move
from tests.bad_bots.hostile.raw import LONG, Wire

MB = 1_000_000


def answer(heard):
    if heard["turn"] == 1:
        wire.say(move(heard))
        return
    wire.send(bytes((LONG,)) + (600 * MB).to_bytes(8, "big") if wire.socket else b'{"note": "')
    for _ in range(600):
        wire.send(b"x" * MB)
    time.sleep(3600)


wire = Wire()
wire.follow(answer)
