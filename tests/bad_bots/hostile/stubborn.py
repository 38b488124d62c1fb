# expect: nothing
"""Plays well, ignores every signal that it can, and stays."""

import signal
import time
from contextlib import suppress

from tests.bad_bots.bare import follow, hello, move, say

for number in signal.valid_signals():
    with suppress(OSError, ValueError):
        signal.signal(number, signal.SIG_IGN)
say(hello())
follow(lambda heard: say(move(heard)))
time.sleep(3600)
