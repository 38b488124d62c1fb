# expect: nothing
"""Plays well, and leaves a daemon behind."""

import os
import time

from protocol.client import Bot, run

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(3600)
    os._exit(0)


class Sound(Bot):
    def choose(self, turn):
        return turn["legal"][0]


run(Sound())
