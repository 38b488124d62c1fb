# expect: illegal_move
"""Plays a card that it does not have."""

from protocol.client import Bot, run


class Cheats(Bot):
    def choose(self, turn):
        return "K99" if turn["turn"] == 4 else turn["legal"][0]


run(Cheats())
