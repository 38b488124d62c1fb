# expect: crash/exit 0
"""Dies, and leaves its seat to a grandchild that knows its token and holds its descriptors."""

import json
import os
import time
from contextlib import suppress

from tests.bad_bots.bare import hello, move, over_lines
from tests.bad_bots.hostile.raw import Wire, dial, frame


def inherit(heard):
    """Go on as if nothing had happened."""
    said = wire.pack(move(heard))
    while True:
        with suppress(OSError):
            wire.send(said)
        if not over_lines():
            with suppress(OSError):
                dial().sendall(frame(json.dumps(hello()).encode()) + said)
        time.sleep(0.05)


def answer(heard):
    if heard["turn"] == 2:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(0.3)
                inherit(heard)
            os._exit(0)
        os._exit(0)
    wire.say(move(heard))


wire = Wire()
wire.follow(answer)
