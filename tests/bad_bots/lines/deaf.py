# expect: timeout
"""Reads nothing."""

import time

from tests.bad_bots.bare import hello, say

say(hello())
time.sleep(3600)
