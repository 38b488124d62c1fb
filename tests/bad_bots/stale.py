# expect: protocol_error/out_of_turn
"""Answers the turn before."""

from tests.bad_bots.bare import follow, hello, move, say

say(hello())
follow(lambda heard: say(move(heard) | {"turn": heard["turn"] - 1}))
