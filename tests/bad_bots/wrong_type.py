# expect: protocol_error/wrong_type
"""A turn that is no number."""

from tests.bad_bots.bare import follow, hello, move, say

say(hello())
follow(lambda heard: say(move(heard) | {"turn": str(heard["turn"])}))
