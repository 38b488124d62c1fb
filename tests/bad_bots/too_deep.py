# expect: protocol_error/too_deep
"""Nests."""

from tests.bad_bots.bare import follow, hello, say

say(hello())
follow(lambda heard: say(b"{" + b"[" * 60_000))
