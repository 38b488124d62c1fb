# expect: nothing
# in none: crash/keeper lost
"""Kills the process above it, so that nobody can tell how it ended, and its game would be void."""

import os
import signal
import time
from contextlib import suppress

from tests.bad_bots.bare import follow, hello, move, say


def answer(heard):
    if heard["turn"] == 2:
        for number in (signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL):
            with suppress(OSError):
                os.kill(os.getppid(), number)
        time.sleep(0.1)
    say(move(heard))


say(hello())
follow(answer)
