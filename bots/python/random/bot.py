"""Plays any legal action, each as likely."""

from protocol.client import Bot, Turn, run


class Random(Bot):
    wants_events = False

    def choose(self, turn: Turn) -> str:
        return self.rng.choice(turn["legal"])


if __name__ == "__main__":
    run(Random())
