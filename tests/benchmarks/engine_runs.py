"""The games at random, without a referee: what a search or a learner gets out of the rules.

`python -m tests.benchmarks.engine_runs` prints one JSON object of figures, in CPU time, of the engines that are imported,
and `compiled`, whether they are: so a compiled tree is measured by putting it first on PYTHONPATH.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable, Sequence
from itertools import count
from time import process_time

from referee.chance import deal_seed, shuffled
from referee.game import State
from referee.games import compiled, game_of
from referee.games.claim.game import Claim
from tests.benchmarks.harness import Figures

DEALS = 5
"""Of each of Claim's variants, in one sample; of a quick one, two."""
HOUSES = {
    "houses for two": "aristoocrazy/2p/classic",
    "houses for four": "aristoocrazy/4p/classic",
    "houses quick": "aristoocrazy/2p/quick2013",
}
HOUSES_DEALS = 25
SEARCHED = {"claim": "claim/2p/GK-UWX", "houses": "aristoocrazy/2p/classic"}
RNG = random.Random(1)
STATES = 200
"""In which calls are timed: every third of random games."""
Play = Callable[[State], int]
"""Plays a game to its end; the number of decisions."""


def play_out(state: State) -> int:
    """The engine's own loop."""
    return state.play_out(RNG)


def looped(state: State, seen: Callable[[State], object] | None = None) -> int:
    """Play to the end at random, as `play_out` does, in a loop here; `seen` is shown the state before each decision."""
    steps = 0
    while acting := state.to_act:
        if seen is not None:
            seen(state)
        legal = state.legal(acting[0])
        state.apply(acting[0], legal[int(random.random() * len(legal))])
        steps += 1
    return steps


def rates(games: int, steps: int, seconds: float) -> Figures:
    """Games and decisions a second."""
    each = seconds / steps
    return {"games/s": games / seconds, "decisions/s": 1 / each, "µs": each * 1e6}


def claim(name: str, players: tuple[int, ...], deals: int = DEALS, play: Play = play_out) -> Figures:
    """All variants for so many, from given decks; what it takes to shuffle those is counted apart."""
    game = game_of("claim")
    assert isinstance(game, Claim)
    variants = [one for one in map(game.variant, game.variants()) if one.players in players]
    began = process_time()
    seeds = [(variant, deal_seed("bench", variant.id, n)) for n in range(deals) for variant in variants]
    decks = [(variant, shuffled(seed, "deck", variant.deck)) for variant, seed in seeds]
    dealt = process_time()
    steps = sum(play(game.deal_cards(variant, cards)) for variant, cards in decks)
    found = {"deal µs": (dealt - began) / len(decks) * 1e6} | rates(len(decks), steps, process_time() - dealt)
    return _named(name, found)


def houses(name: str, id: str) -> Figures:
    """One variant of Aristoocrazy, from deals that are counted apart."""
    game = game_of(id)
    variant = game.variant(id)
    began = process_time()
    states = [game.setup(variant, deal_seed("bench", id, n)) for n in range(HOUSES_DEALS)]
    dealt = process_time()
    steps = sum(map(play_out, states))
    found = {"deal µs": (dealt - began) / len(states) * 1e6} | rates(
        len(states), steps, process_time() - dealt
    )
    return _named(name, found)


def calls(name: str, id: str) -> Figures:
    """Microseconds of what a search calls, each on fresh copies of states on the way."""
    game, rng = game_of(id), random.Random(1)
    states = _on_the_way(id)
    views = [state.view(state.to_act[0]) for state in states]
    sampled = iter(views)
    return _named(
        name,
        {
            "clone µs": _each(states, lambda state: state.clone()),
            "legal µs": _each(states, lambda state: state.legal(state.to_act[0])),
            "view µs": _each(states, lambda state: state.view(state.to_act[0])),
            "sample µs": _each(states, lambda _: game.sample(next(sampled), rng)),
        },
    )


def _on_the_way(id: str) -> list[State]:
    game, found = game_of(id), list[State]()
    variant = game.variant(id)
    numbers = count()
    while len(found) < 3 * STATES:
        deal = game.setup(variant, deal_seed("calls", id, next(numbers)))
        looped(deal, lambda state: found.append(state.clone()))
    return found[: 3 * STATES : 3]


def _each(states: Sequence[State], call: Callable[[State], object]) -> float:
    fresh = [state.clone() for state in states]  # nothing that a call keeps for the next is there
    began = process_time()
    for state in fresh:
        call(state)
    return (process_time() - began) / len(fresh) * 1e6


def _named(name: str, found: Figures) -> Figures:
    return {f"{name} {unit}": value for unit, value in found.items()}


def main(quick: bool = False) -> None:
    """Everything; or, for `make bench-quick`, the random games of Claim."""
    random.seed(1)
    found = claim("claim", (2, 3, 4), 2 if quick else DEALS)
    if not quick:
        found |= claim("claim looped", (2, 3, 4), play=looped) | claim("claim for two", (2,))
        for name, id in HOUSES.items():
            found |= houses(name, id)
        for name, id in SEARCHED.items():
            found |= calls(name, id)
    print(json.dumps(found | {"compiled": compiled()}))


if __name__ == "__main__":
    main(quick="quick" in sys.argv)
