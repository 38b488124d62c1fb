# expect: nothing
"""Plays well. Says how long it waited, at the end of a game since its last answer and at most."""

import sys
import time

from tests.bad_bots.bare import hear, hello, move, ready, say

say(hello())
said, longest = time.monotonic(), 0.0
while (heard := hear())["type"] != "bye":
    waited = time.monotonic() - said
    longest = max(longest, waited)
    if heard["type"] == "end":
        print("waited", waited, longest, file=sys.stderr, flush=True)
    say(move(heard) if heard["type"] == "turn" else ready(heard))
    said = time.monotonic()
