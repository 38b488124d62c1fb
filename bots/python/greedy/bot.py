"""first."""

from protocol.client import Bot, run


class Random(Bot):
    def choose(self, turn):
        return turn["legal"][0]


run(Random())
