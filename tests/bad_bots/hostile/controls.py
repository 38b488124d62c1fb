# expect: protocol_error/wrong_type
"""A note that would move the operator's cursor."""

from tests.bad_bots.bare import follow, hello, move, say

say(hello())
follow(lambda heard: say(move(heard) | {"note": "\x1b[2J\x00"}))
