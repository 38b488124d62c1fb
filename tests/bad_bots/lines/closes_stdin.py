# expect: crash/closed
"""Closes its input before it moves, and lives on."""

import os
import time

from tests.bad_bots.bare import follow, hello, move, say


def answer(heard):
    os.close(0)
    say(move(heard))
    time.sleep(3600)


say(hello())
follow(answer)
