# expect: crash/exit 3
"""Leaves in the middle of a game, with last words."""

import os
import sys

from protocol.client import Bot, run


class Dies(Bot):
    def choose(self, turn):
        if turn["turn"] == 2:
            print("I can't go on", file=sys.stderr, flush=True)
            os._exit(3)
        return turn["legal"][0]


run(Dies())
