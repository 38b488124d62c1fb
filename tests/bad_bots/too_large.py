# expect: protocol_error/too_large
"""Sends more than 64 KiB."""

from tests.bad_bots.bare import follow, hello, move, say

say(hello())
follow(lambda heard: say(move(heard) | {"note": "n" * 70_000}))
