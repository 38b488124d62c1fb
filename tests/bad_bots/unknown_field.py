# expect: protocol_error/unknown_field
"""Adds a field of its own."""

from tests.bad_bots.bare import follow, hello, move, say

say(hello())
follow(lambda heard: say(move(heard) | {"mood": "good"}))
