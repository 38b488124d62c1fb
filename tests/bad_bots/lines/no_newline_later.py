# expect: timeout
# evidence: did it forget the newline?
"""Ends all lines but those of its moves."""

from tests.bad_bots.bare import follow, hello, move, say

say(hello())
follow(lambda heard: say(move(heard), end=b""))
