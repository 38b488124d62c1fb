# expect: protocol_error/bad_version
"""Speaks a version that nobody speaks."""

from tests.bad_bots.bare import follow, hello, move, say

say(hello(protocol=[99]))
follow(lambda heard: say(move(heard)))
