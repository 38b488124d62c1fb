# expect: nothing
"""Plays the last legal card each time: what a friend of another's bot would do."""

from tests.bad_bots.bare import follow, hello, move, say

say(hello())
follow(lambda heard: say(move(heard) | {"action": heard["legal"][-1]}))
