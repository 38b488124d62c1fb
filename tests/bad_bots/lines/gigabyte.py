# expect: protocol_error/too_large
# evidence: the limit is 65536
"""Says a message that has no end."""

import sys

from tests.bad_bots.bare import follow, hello, say


def answer(heard):
    say(b'{"note": "', end=b"")
    while True:
        sys.stdout.write("x" * 1_000_000)


say(hello())
follow(answer)
