# expect: crash/closed
# transports: ipc tcp
"""A message of 8,000 frames of 60 kB each."""

import time

from tests.bad_bots.bare import move
from tests.bad_bots.hostile.raw import MORE, Wire, frame


def answer(heard):
    if heard["turn"] == 1:
        wire.say(move(heard))
        return
    part = frame(b"x" * 60_000, MORE)
    try:
        for _ in range(8000):
            wire.send(part)
    except OSError:
        time.sleep(3600)


wire = Wire()
wire.follow(answer)
