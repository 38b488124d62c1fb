"""How soon a bot is asked tells it nothing of what is hidden (T52).

Measured in one process, where nothing else is in the way: of each game the median of the times that a match
takes from an answer to its next question, by a card that nobody sees before the end. What an opponent thinks is
seen by all, and no matter of the referee.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from statistics import mean, median, variance
from time import perf_counter

import pytest

from protocol.messages import Move, Ready
from referee.games.claim.game import ClaimState
from referee.match import MatchSpec, Reply, play
from tests.referee.driving import spec_for

GAMES = 400
SUSPICIOUS = 4.0
"""Of Welch's t; by chance alone it is above that once in 15,000 times."""

pytestmark = pytest.mark.hostile


def lowest(spec: MatchSpec) -> bool:
    """Whether the last card of the deck, which both see at the end alone, is one of the lower ones."""
    state = spec.state()
    assert isinstance(state, ClaimState)
    deck = state.table.hidden.deck
    return deck[0] < sorted(deck)[len(deck) // 2]


def typical_time(spec: MatchSpec) -> float:
    """The median of what a match takes from an answer to the next turn, in µs; first cards are played."""
    game = play(spec)
    times: list[float] = []
    ask = next(game)
    while True:
        answer: Move | Ready = Ready(type="ready", game_id=ask.message["game_id"])
        if ask.turn:
            legal = ask.message["legal"]
            answer = Move(type="move", game_id=ask.message["game_id"], turn=ask.turn, action=legal[0])
        begun = perf_counter()
        try:
            ask = game.send(Reply(answer, 0.0))
        except StopIteration:
            return median(times)
        if ask.turn > 1:
            times.append((perf_counter() - begun) * 1e6)


def difference() -> float:
    """Welch's t between the games in which the hidden card is low and those in which it is not."""
    groups: tuple[list[float], list[float]] = ([], [])
    for number in range(GAMES):
        spec = spec_for("claim", seed=f"latency {number}")
        groups[lowest(spec)].append(typical_time(spec))
    error = sqrt(sum(variance(group) / len(group) for group in groups))
    return (mean(groups[1]) - mean(groups[0])) / error


def test_how_soon_a_seat_is_asked_tells_nothing_of_what_is_hidden() -> None:
    assert min(abs(difference()) for _ in range(2)) < SUSPICIOUS


def test_a_planted_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ClaimState, "view", leaking(ClaimState.view))
    assert difference() > SUSPICIOUS


def leaking(view: Callable[..., object]) -> Callable[..., object]:
    def slower(state: ClaimState, seat: int) -> object:
        deck = state.table.hidden.deck
        until = perf_counter() + (20e-6 if deck and deck[0] < 20 else 0.0)
        while perf_counter() < until:
            pass
        return view(state, seat)

    return slower
