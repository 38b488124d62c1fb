"""Takes what it sees in front of it, in any game that has a module of its name beside this one."""

import aristoocrazy
import claim

from protocol.client import Bot, Start, Turn, run

GAMES = {"claim": claim.choose, "aristoocrazy": aristoocrazy.choose}


class Greedy(Bot):
    wants_events = False

    def started(self, start: Start) -> None:
        self.decide = GAMES[start["game"]]

    def choose(self, turn: Turn) -> str:
        return self.decide(turn["view"], turn["legal"])


if __name__ == "__main__":
    run(Greedy())
