# expect: protocol_error/flood
# evidence: more than 65536 bytes
"""Prints a little too much before its move."""

from tests.bad_bots.bare import follow, hello, move, say


def answer(heard):
    for _ in range(7000):
        say(b"thinking ")
    say(move(heard))


say(hello())
follow(answer)
