# expect: timeout
"""Spins among children of its own, which keep it from its core: a host that is busy would look like that."""

import os

from tests.bad_bots.bare import follow, hello, move, say


def answer(heard):
    if heard["turn"] == 2:
        for _ in range(6):
            if os.fork() == 0:
                os.setsid()
                break
        while True:
            pass
    say(move(heard))


say(hello())
follow(answer)
