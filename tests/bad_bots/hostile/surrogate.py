# expect: protocol_error/bad_utf8
"""Half a surrogate pair, which no text can hold."""

from tests.bad_bots.bare import follow, hello, move, say

say(hello())
follow(lambda heard: say(move(heard) | {"note": "\ud800"}))
