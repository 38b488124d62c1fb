"""Plain and compiled engines are one game. `make test-compiled` runs this, and the tests of the rules, over the latter.

`KINGMAKER_GAMES=100000 make test-compiled` compares as many games of Claim, and 8,000 of Aristoocrazy.
"""

from __future__ import annotations

import copy
import os
import pickle
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path

import pytest

from referee.game import Game, IllegalAction, Seat, State
from referee.games import GAMES, compiled, why_plain
from tests.referee.toy import BiddingGame, Bids

COMPILED = os.environ.get("KINGMAKER_ENGINES") == "compiled"
ROOT = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("engine_games.py")
GAMES_PLAYED = int(os.environ.get("KINGMAKER_GAMES", "200"))
SHARE = {"claim": 1.0, "aristoocrazy": 0.08}
"""Of so many games; one of Aristoocrazy takes as long as a dozen of Claim."""


def test_the_engines_that_run_are_those_that_are_tested() -> None:
    assert compiled() == COMPILED
    assert bool(why_plain()) != COMPILED


@pytest.mark.skipif(not COMPILED, reason="there is nothing to compare plain engines with; make test-compiled")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", GAMES)
def test_both_engines_play_the_same_games(name: str) -> None:
    number = max(1, round(SHARE[name] * GAMES_PLAYED))
    runs = [_started(name, number, tree) for tree in (ROOT / "build/compiled", ROOT)]
    kinds = [next(lines) for lines in runs]
    assert kinds == ["compiled\n", "plain\n"]
    for mine, other in zip_longest(*runs):
        assert mine == other


def _started(name: str, number: int, tree: Path) -> Iterator[str]:
    """The lines of the program with the engines of `tree`."""
    words = [sys.executable, "-P", str(PROGRAM), name, str(number)]
    path = os.pathsep.join(map(str, dict.fromkeys((tree, ROOT))))
    with subprocess.Popen(
        words, env={**os.environ, "PYTHONPATH": path}, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        yield from run.stdout
    assert run.returncode == 0


def _begun(game: Game) -> State:
    return game.setup(game.variant(game.variants()[0]), "engines")


@pytest.mark.parametrize("name", GAMES)
def test_playing_out_ends_a_copy_by_the_luck_that_is_given(name: str) -> None:
    state = _begun(GAMES[name])
    before = state.view(Seat(0))
    ends = [state.clone() for _ in range(2)]
    counts = [end.play_out(random.Random(5)) for end in ends]
    assert state.view(Seat(0)) == before
    assert counts[0] == counts[1] > 10
    assert ends[0].outcome == ends[1].outcome is not None
    assert [ends[0].to_act, ends[0].play_out(random.Random(5))] == [(), 0]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_by_any_way_is_independent(name: str, copied: Callable[[State], State]) -> None:
    state = _begun(GAMES[name])
    before = state.view(Seat(0))
    other = copied(state)
    assert other.view(Seat(0)) == before
    other.play_out(random.Random(2))
    assert state.view(Seat(0)) == before != other.view(Seat(0))


@pytest.mark.parametrize("name", GAMES)
def test_a_state_says_what_to_send_in_its_place(name: str) -> None:
    with pytest.raises(TypeError, match="send variant, seed and actions, or a view"):
        pickle.dumps(_begun(GAMES[name]))


@pytest.mark.parametrize("name", GAMES)
def test_a_refused_action_says_what_is_legal_and_changes_nothing(name: str) -> None:
    state = _begun(GAMES[name])
    seat = state.to_act[0]
    before = state.view(seat)
    with pytest.raises(IllegalAction, match="legal: "):
        state.apply(seat, -7)
    with pytest.raises(IllegalAction, match="legal: "):
        state.parse(seat, "nonsense")
    assert state.view(seat) == before


class InTurn(Bids):
    """The toy, whose seats are asked once each."""

    @property
    def to_act(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in super().to_act if seat not in self.bids)


def test_a_game_of_ones_own_may_be_written_in_python() -> None:
    """Subclasses that are not compiled override what is: what `play_out` calls is theirs."""
    state = InTurn(BiddingGame().variant("bids/2"), 3)
    assert state.play_out(random.Random(1)) == 2 * len(state.events()) == 6
    assert state.outcome is not None
