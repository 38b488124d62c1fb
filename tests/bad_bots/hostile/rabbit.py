# expect: timeout or resource_pids
"""Ten processes that fork and leave, so that none is there for long."""

import os
import time
from contextlib import suppress

from tests.bad_bots.bare import follow, hello, move, say


def hop():
    while True:
        with suppress(OSError):
            if os.fork():
                os._exit(0)
        time.sleep(0.001)


def answer(heard):
    if heard["turn"] == 1:
        say(move(heard))
        return
    for _ in range(10):
        if os.fork() == 0:
            os.setsid()
            hop()
    time.sleep(3600)


say(hello())
follow(answer)
