"""Steps of RLCard's own environments, with legal random actions: bridge, its game of tricks, and Leduc hold'em.

Prints games a second of CPU, and microseconds of CPU of a step.
"""

import json
import random
from time import process_time
from typing import Any

import rlcard  # type: ignore[import-not-found, unused-ignore]

SECONDS = 0.4
"""Of each."""


def play(environment: Any) -> int:
    """A game at random; the decisions that it took."""
    state, _ = environment.reset()
    steps = 0
    while not environment.is_over():
        state, _ = environment.step(random.choice(list(state["legal_actions"])))
        steps += 1
    return steps


def figures(name: str, environment: Any) -> dict[str, float]:
    """By unit."""
    began, steps, games = process_time(), 0, 0
    while (seconds := process_time() - began) < SECONDS:
        steps, games = steps + play(environment), games + 1
    return {f"{name} games/s": games / seconds, f"{name} µs": seconds / steps * 1e6}


random.seed(1)
print(json.dumps(figures("bridge", rlcard.make("bridge")) | figures("leduc", rlcard.make("leduc-holdem"))))
