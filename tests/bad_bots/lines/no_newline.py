# expect: no_start/no_hello
# evidence: did it forget the newline?
"""Ends no line."""

from tests.bad_bots.bare import hello, say

say(hello(), end=b"")
input()
