# expect: timeout or resource_pids
"""Is kept from its core by children that live for milliseconds, and moves a little late: was it the host?"""

import os
import time
from contextlib import suppress

from tests.bad_bots.bare import follow, hello, move, say

CHILDREN = 20
LIFE = 0.004
"""Seconds of CPU time."""


def hop():
    """A child that uses its core, and leaves before anybody looks."""
    if os.fork() == 0:
        while time.process_time() < LIFE:
            pass
        os._exit(0)


def answer(heard):
    until = time.monotonic() + heard["clock"]["move_ms"] / 1000 + 0.05
    alive = 0
    while heard["turn"] == 2 and time.monotonic() < until:
        if alive < CHILDREN:
            hop()
            alive += 1
        with suppress(ChildProcessError):
            alive -= os.waitpid(-1, os.WNOHANG)[0] != 0
    say(move(heard))


say(hello())
follow(answer)
