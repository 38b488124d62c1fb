# expect: crash/closed
"""Closes its connection in place of its second move, and lives on."""

import os
import time

from tests.bad_bots.bare import follow, hello, move, over_lines, say, socket


def answer(heard):
    if heard["turn"] == 2:
        os.close(1) if over_lines() else socket().close()
        time.sleep(3600)
    say(move(heard))


say(hello())
follow(answer)
