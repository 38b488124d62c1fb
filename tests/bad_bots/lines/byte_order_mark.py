# expect: protocol_error/bad_utf8
# evidence: byte order mark
"""Begins its output with a byte order mark, as some libraries do for UTF-8."""

from tests.bad_bots.bare import follow, hello, move, say

say(b"\xef\xbb\xbf", end=b"")
say(hello())
follow(lambda heard: say(move(heard)))
