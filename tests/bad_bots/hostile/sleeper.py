# expect: nothing
"""Plays well, and says hello late: it is there while others play."""

import time

from tests.bad_bots.bare import follow, hello, move, say

time.sleep(1.2)
say(hello())
follow(lambda heard: say(move(heard)))
