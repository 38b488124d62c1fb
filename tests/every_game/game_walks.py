"""Random games of any registered game, for the tests that run over the registry."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from referee.game import Game, Seat, State, VariantError
from referee.games import GAMES


def option_ids(game: Game) -> list[str]:
    """For every value of every option of a game and every number of players, one variant that has it."""
    ids = set(game.variants())
    players = sorted({id.split("/")[1] for id in ids})
    found = []
    for name, values in game.options().items():
        for value in values[1:]:
            for number in players:
                with suppress(VariantError):
                    found.append(game.matching(f"{game.name}/{number}/*+{name}={value}")[-1])
    return [id for id in dict.fromkeys(found) if id not in ids]


PAIRS = [(game, id) for game in GAMES.values() for id in game.variants()]
PAIRS += [(game, id) for game in GAMES.values() for id in option_ids(game)]
"""Every variant of every game, and every option."""


def walk(game: Game, id: str, seed: int) -> Iterator[State]:
    """The same state at each point of a random game, the end included."""
    rng = random.Random(seed)
    state = game.setup(game.variant(id), f"walk {seed}")
    yield state
    while state.to_act:
        seat = rng.choice(state.to_act)
        state.apply(seat, rng.choice(state.legal(seat)))
        yield state


def ended(game: Game, id: str, seed: int) -> State:
    """The end of `walk`."""
    *_, state = walk(game, id, seed)
    return state


def shown(state: State, seat: Seat) -> str:
    """All that reaches a seat at this moment apart from events, as bytes would."""
    return json.dumps([state.view(seat), state.legal_text(seat), list(state.to_act), refusal(state, seat)])


def refusal(state: State, seat: Seat) -> str:
    """The error for an action that is nonsense."""
    try:
        state.parse(seat, "nonsense")
    except ValueError as error:
        return str(error)
    raise AssertionError("nonsense was accepted")


def told(state: State, seat: Seat, start: int = 0) -> list[str]:
    """The events that reach a seat, as text."""
    return [json.dumps([e.kind, e.body]) for e in state.events(start) if e.seen_by(seat)]


def everything(state: State, players: int) -> list[Any]:
    """All that can be asked of a state, to compare two."""
    views = [state.view(Seat(seat)) for seat in range(players)]
    legal = [state.legal(Seat(seat)) for seat in range(players)]
    return json.loads(json.dumps([views, legal, state.to_act, state.events()]))  # type: ignore[no-any-return]
