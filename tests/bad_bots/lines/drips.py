# expect: timeout
# evidence: a line of
"""Says its second move a byte at a time, for longer than it has: no byte gives it more time."""

import json
import time

from tests.bad_bots.bare import follow, hello, move, say


def drip(heard):
    if heard["turn"] < 2:
        say(move(heard))
        return
    for byte in json.dumps(move(heard)).encode():
        say(bytes([byte]), end=b"")
        time.sleep(0.02)
    say(b"")


say(hello())
follow(drip)
