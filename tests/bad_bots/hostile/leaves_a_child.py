# expect: crash/exit 0
"""Leaves, while a grandchild of its own session holds its output."""

import os
import time

from tests.bad_bots.bare import follow, hello, move, say


def answer(heard):
    if heard["turn"] == 2:
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(3600)
            os._exit(0)
        os._exit(0)
    say(move(heard))


say(hello())
follow(answer)
