# expect: nothing
"""Plays well, and floods its log."""

import sys

from protocol.client import Bot, run


class Chatters(Bot):
    def choose(self, turn):
        print("x" * 100_000, file=sys.stderr)
        return turn["legal"][0]


run(Chatters())
