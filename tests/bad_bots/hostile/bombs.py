# expect: timeout or resource_pids or resource_memory
"""Forks, each child in a session of its own; no more than 150, for the machine's sake."""

import os
import time

from tests.bad_bots.bare import follow, hello, move, say


def answer(heard):
    if heard["turn"] == 1:
        say(move(heard))
        return
    for _ in range(150):
        try:
            if os.fork() == 0:
                os.setsid()
                time.sleep(3600)
        except OSError:
            break
    time.sleep(3600)


say(hello())
follow(answer)
