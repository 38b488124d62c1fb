# expect: protocol_error/out_of_turn
"""Answers a question of another game."""

from tests.bad_bots.bare import follow, hello, move, say

say(hello())
follow(lambda heard: say(move(heard) | {"game_id": "0" * 32}))
