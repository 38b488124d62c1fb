# expect: protocol_error/not_json
"""Babbles."""

from tests.bad_bots.bare import follow, hello, say

say(hello())
follow(lambda heard: say(b"{oops"))
