"""Random games of any registered game, for the tests that run over the registry."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from referee.game import Game, Seat, State
from referee.games import GAMES
from referee.games.claim.variants import OPTIONS


def claim_option_ids() -> list[str]:
    """For every value of every option of Claim and every number of players, one variant."""
    settings = [f"+{option.name}={value}" for option in OPTIONS for value in option.values[1:]]
    return [GAMES["claim"].matching(f"claim/{n}p/*{setting}")[-1] for setting in settings for n in (2, 3, 4)]


PAIRS = [(game, id) for game in GAMES.values() for id in game.variants()]
PAIRS += [(GAMES["claim"], id) for id in claim_option_ids()]
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
