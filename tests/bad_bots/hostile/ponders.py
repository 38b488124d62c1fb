# expect: nothing
"""Plays well, and four children burn the core all the time."""

import os

from tests.bad_bots.bare import follow, hello, move, say

for _ in range(4):
    if os.fork() == 0:
        while True:
            pass
say(hello())
follow(lambda heard: say(move(heard)))
os._exit(0)
