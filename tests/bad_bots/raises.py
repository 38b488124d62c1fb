# expect: crash/exit 1
"""An ordinary bug."""

from protocol.client import Bot, run


class Raises(Bot):
    def choose(self, turn):
        return turn["leagl"][0]


run(Raises())
