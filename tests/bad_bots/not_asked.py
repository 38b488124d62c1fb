# expect: protocol_error/out_of_turn
"""Talks right after its hello."""

from tests.bad_bots.bare import follow, hello, move, say

say(hello())
say({"type": "ready", "game_id": "x"})
follow(lambda heard: say(move(heard)))
