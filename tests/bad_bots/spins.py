# expect: timeout
"""Burns its core on its second turn."""

from protocol.client import Bot, run


class Spins(Bot):
    def choose(self, turn):
        while turn["turn"] == 2:
            pass
        return turn["legal"][0]


run(Spins())
