# expect: protocol_error/flood
# evidence: more than 65536 bytes
"""Prints a line that has no end."""

from tests.bad_bots.bare import follow, hello, say


def answer(heard):
    while True:
        say(b"thinking ", end=b"")


say(hello())
follow(answer)
