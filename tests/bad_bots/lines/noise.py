# expect: nothing
"""Prints before, between and after its messages, as much as it may."""

from tests.bad_bots.bare import follow, hello, move, say

NOISE = b"thinking " * 7000


def answer(heard):
    say(NOISE)
    say(b"\n[1, 2]\n\t x {}")
    say(move(heard))


say(NOISE)
say(hello())
follow(answer)
say(NOISE)
