"""Random games as digests, a line a game, by whichever engines are imported: what two kinds of them must agree on.

    PYTHONPATH=build/compiled python -P tests/referee/engine_games.py claim 100000

A digest has in it every action, what was legal, events, outcome, and at some decisions the view, the public view, and
a world sampled from the view, played to its end.
"""

from __future__ import annotations

import json
import random
import sys
from hashlib import sha256

from referee.game import Game, Seat, State
from referee.games import GAMES, compiled

EVERY: int = 8
"""Decisions from one look at the view to the next."""


def digest(game: Game, id: str, number: int) -> str:
    """Of random game `number` of a variant."""
    rng = random.Random(f"{id} {number}")
    state = game.setup(game.variant(id), f"engines {number}")
    told: list[object] = []
    while state.to_act:
        seat = rng.choice(state.to_act)
        legal = state.legal(seat)
        if len(told) % EVERY == number % EVERY:
            told.append(_seen(game, state, rng))
        action = rng.choice(legal)
        told.append([seat, state.legal_text(seat), action, state.text(action)])
        state.apply(seat, action)
    told += [[event.kind, event.body, event.audience] for event in state.events()]
    told += [repr(state.outcome), state.unseen(), [state.view(seat) for seat in _seats(state)]]
    return sha256(json.dumps(told).encode()).hexdigest()


def _seats(state: State) -> list[Seat]:
    assert state.outcome is not None
    return [Seat(seat) for seat in range(len(state.outcome.ranks))]


def _seen(game: Game, state: State, rng: random.Random) -> list[object]:
    """What a look at a decision shows, and how a copy of it and a world drawn from it end."""
    seat = state.to_act[0]
    view = state.view(seat)
    world, copy = game.sample(view, rng), state.clone()
    same = world.view(seat) == view
    ends = [world.play_out(rng), repr(world.outcome), copy.play_out(rng), repr(copy.outcome)]
    return [view, state.public(), same, *ends]


def main(name: str, games: int) -> None:
    """Print a line for each of `games` games, over the variants of a game and their options in turn."""
    game = GAMES[name]
    ids = [*game.variants()]
    for option, values in game.options().items():
        ids += [game.matching(f"{name}/*+{option}={value}")[-1] for value in values[1:]]
    print("compiled" if compiled() else "plain")
    for number in range(games):
        id = ids[number % len(ids)]
        print(f"{digest(game, id, number)} {id} {number}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
