# expect: nothing
# transports: ipc tcp
# over tcp: nothing or no_start
"""Plays well, after 250 connections that say nothing."""

from contextlib import suppress

from tests.bad_bots.bare import follow, hello, move, say
from tests.bad_bots.hostile.raw import dial

crowd = []
for _ in range(250):
    with suppress(OSError):
        crowd.append(dial(greeting=b""))
say(hello())
follow(lambda heard: say(move(heard)))
