# expect: crash
"""Leaves right after its second move."""

import os

from tests.bad_bots.bare import follow, hello, move, say


def answer(heard):
    say(move(heard))
    if heard["turn"] == 2:
        os._exit(0)


say(hello())
follow(answer)
