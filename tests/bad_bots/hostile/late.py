# expect: timeout
"""Answers a little after its deadline."""

import time

from tests.bad_bots.bare import follow, hello, move, say


def answer(heard):
    if heard["turn"] == 2:
        time.sleep(heard["clock"]["move_ms"] / 1000 + 0.15)
    say(move(heard))


say(hello())
follow(answer)
