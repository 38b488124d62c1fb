"""Steps of PettingZoo environments (AEC), with masked random actions.

`pettingzoo_steps.py NAME ...` prints microseconds of CPU of a step, `last()` and `step()`, of each: `leduc_holdem_v4` and
others of `pettingzoo.classic`, or a variant of kingmaker's (`claim/2p/GK-UWX`), where that is installed.
"""

import json
import sys
from importlib import import_module
from time import process_time
from typing import Any

import numpy as np

SECONDS = 0.3
"""Of each."""


def environment(name: str) -> Any:
    """The one of that name."""
    if "/" in name:
        return import_module("arena.rl").aec_env(name)
    return import_module(f"pettingzoo.classic.{name}").env()


def step(environment: Any) -> float:
    """Microseconds."""
    luck, steps, seconds = np.random.default_rng(1), 0, 0.0
    while seconds < SECONDS:
        environment.reset(seed=steps)
        began = process_time()
        for _ in environment.agent_iter():
            observation, _, ended, cut, _ = environment.last()
            over = ended or cut
            environment.step(None if over else luck.choice(np.flatnonzero(observation["action_mask"])))
            steps += 1
        seconds += process_time() - began
    return seconds / steps * 1e6


if __name__ == "__main__":
    print(json.dumps({f"{name} µs": step(environment(name)) for name in sys.argv[1:]}))
