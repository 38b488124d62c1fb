"""Plays any legal action, each as likely."""

from protocol.client import Bot, run


class Random(Bot):
    def choose(self, turn):
        return self.rng.choice(turn["legal"])


run(Random())
