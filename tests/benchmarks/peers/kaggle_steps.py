"""Steps of kaggle-environments, with agents that are functions in its own process.

`kaggle_steps.py` prints microseconds of a step of `connectx`, in which two take turns on a board, and of `rps`, in which
both choose at once.
"""

import json
import random
from time import monotonic
from typing import Any

from kaggle_environments import make  # type: ignore[import-not-found, unused-ignore]


def column(observation: Any, configuration: Any) -> int:
    """One of the columns that are not full, at random."""
    open = [column for column in range(configuration.columns) if not observation.board[column]]
    return random.choice(open)


def sign(observation: Any, configuration: Any) -> int:
    """Any."""
    return random.randrange(3)


def step(name: str, agent: Any, games: int, **configuration: int) -> float:
    """Microseconds."""
    seconds, steps = 0.0, 0
    make(name, configuration=configuration).run([agent, agent])
    for _ in range(games):
        environment = make(name, configuration=configuration)
        began = monotonic()
        steps += len(environment.run([agent, agent])) - 1
        seconds += monotonic() - began
    return seconds / steps * 1e6


print(
    json.dumps({"connectx µs": step("connectx", column, 5), "rps µs": step("rps", sign, 1, episodeSteps=100)})
)
