"""OpenSpiel's hearts at random in a Python loop. Runs in an environment of its own, made by `make bench`.

`open_spiel_hearts.py GAMES` prints one JSON object: the games a second, in CPU time, of

    documented    deals drawn as OpenSpiel's documentation does, from the probabilities, by numpy
    lean          deals drawn evenly by `random.random`, as hearts deals
    dealt         from deals that are given, which are not timed

and `steps`, the decisions of a game.
"""

import json
import random
import sys
from time import process_time
from typing import Any

import numpy as np  # type: ignore[import-not-found, unused-ignore]
import pyspiel  # type: ignore[import-not-found, unused-ignore]


def one_of(actions: list[int]) -> int:
    """Any, each as likely; three times as fast as `random.choice`."""
    return actions[int(random.random() * len(actions))]


def deal_as_documented(state: Any) -> None:
    """Every card is a chance node."""
    while state.is_chance_node():
        cards, probabilities = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(np.random.choice(cards, p=probabilities))


def deal_lean(state: Any) -> None:
    """The same deals, faster."""
    while state.is_chance_node():
        state.apply_action(one_of(state.legal_actions()))


def play(state: Any) -> int:
    """Play a dealt game to its end; the decisions that it took."""
    steps = 0
    while not state.is_terminal():
        state.apply_action(one_of(state.legal_actions()))
        steps += 1
    return steps


def main(games: int) -> None:
    """Measure all three on as many games."""
    hearts = pyspiel.load_game("hearts")
    seconds = {}
    for name, deal in (("documented", deal_as_documented), ("lean", deal_lean)):
        states = [hearts.new_initial_state() for _ in range(games)]
        began = process_time()
        for state in states:
            deal(state)
        dealt = process_time()
        steps = sum(map(play, states))
        seconds[name], seconds["dealt"] = process_time() - began, process_time() - dealt
    print(json.dumps({name: games / taken for name, taken in seconds.items()} | {"steps": steps / games}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
