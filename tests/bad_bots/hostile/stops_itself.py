# expect: timeout
"""Stops itself by a signal."""

import os
import signal
import time

from tests.bad_bots.bare import follow, hello, move, say


def answer(heard):
    while heard["turn"] == 2:
        os.kill(os.getpid(), signal.SIGSTOP)
        time.sleep(0.01)
    say(move(heard))


say(hello())
follow(answer)
