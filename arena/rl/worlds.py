"""A game under way with what each of its seats remembers: told, chosen, and nothing else. Knows no library of learning."""

from __future__ import annotations

import json
import random
from typing import Any

from referee.game import Seat, State
from referee.games import game_of

Origin = str | tuple[str, float]
"""How a state began: dealt from a seed, or drawn from a view (as JSON) with the seed of a generator."""
Memory = tuple[list[list[str]], list[list[str]]]
"""By seat, the events that it was told, as JSON, and what it chose. Last, as if of one more seat, what all were told."""


class World:
    """A state of the rules, and what its seats remember of how it came about.

    It is stored as its origin and what was played since.
    """

    def __init__(self, variant: str, origin: Origin, memory: Memory, state: State | None = None) -> None:
        """`state` is what `origin` makes, where that has been made already."""
        self._variant, self._origin, self._before = variant, origin, memory
        self.state = state or _begun(variant, origin)
        self._told, self._done = (_copied(part) for part in memory)
        self._heard = 0
        """Events of the state that are in `_told`."""
        self._plays: list[tuple[int, str]] = []

    def __deepcopy__(self, memo: object) -> World:
        copy = object.__new__(World)
        copy.__dict__ |= self.__dict__
        copy.state, copy._plays = self.state.clone(), self._plays[:]
        copy._told, copy._done = _copied(self._told), _copied(self._done)
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        return _replayed, (self._variant, self._origin, self._before, self._plays)

    def apply(self, seat: int, action: str) -> None:
        """What `seat` chose."""
        self.state.apply(Seat(seat), self.state.parse(Seat(seat), action))
        self._done[seat].append(action)
        self._plays.append((seat, action))

    def memory(self, seat: int) -> tuple[list[str], list[str]]:
        """All that a seat was told, and all that it chose, in order."""
        events = self.state.events(self._heard)
        self._heard += len(events)
        for event in events:
            heard = text([event.kind, event.body])
            for other, told in enumerate(self._told):
                if event.seen_by(Seat(other)):
                    told.append(heard)
        return self._told[seat], self._done[seat]

    def drawn(self, seat: int, seed: float) -> World:
        """Another world that agrees with all that a seat knows.

        The others remember in it what all were told, and then, as an event `knows`, their view.
        """
        origin = (text(self.state.view(Seat(seat))), seed)
        state = _begun(self._variant, origin)
        own = self.memory(seat)
        *others, public = range(len(self._told))
        told = [[*self._told[public], text(["knows", state.view(Seat(other))])] for other in others]
        done: list[list[str]] = [[] for _ in others]
        told[seat], done[seat] = (list(part) for part in own)
        return World(self._variant, origin, ([*told, self._told[public][:]], done), state)


def nothing(players: int) -> Memory:
    """What is remembered at first."""
    return [[] for _ in range(players + 1)], [[] for _ in range(players)]


def _begun(variant: str, origin: Origin) -> State:
    game = game_of(variant)
    if isinstance(origin, str):
        return game.setup(game.variant(variant), origin)
    view, seed = origin
    return game.sample(json.loads(view), random.Random(seed))


def _replayed(variant: str, origin: Origin, memory: Memory, plays: list[tuple[int, str]]) -> World:
    world = World(variant, origin, memory)
    for play in plays:
        world.apply(*play)
    return world


def _copied(parts: list[list[str]]) -> list[list[str]]:
    return [part[:] for part in parts]


def text(value: object) -> str:
    """JSON, the same for what is the same."""
    return json.dumps(value, sort_keys=True)
