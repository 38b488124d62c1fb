# expect: timeout
"""Never answers its third turn."""

import time

from protocol.client import Bot, run


class Hangs(Bot):
    def choose(self, turn):
        if turn["turn"] == 3:
            time.sleep(3600)
        return turn["legal"][0]


run(Hangs())
