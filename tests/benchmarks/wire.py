"""One game's messages, and what each part of the referee does for them.

`python -m tests.benchmarks.wire` prints the latter as a JSON object, of the referee that is imported, and `compiled`,
whether that is.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import thread_time
from typing import Any, NamedTuple

from protocol.codec import decode, encode
from protocol.messages import Move, Ready
from protocol.vocabulary import BotId, DealId, GameId, Seat
from referee import score
from referee.clocks import Limits
from referee.game import State
from referee.games import compiled
from referee.jobs import Job, Launch, PlannedGame
from referee.match import Ask, Played, Reply, play
from tests.benchmarks.harness import Figures
from tests.benchmarks.stage import VARIANT


class Exchange(NamedTuple):
    """One turn on the wire."""

    seat: Seat
    question: bytes
    answer: bytes


class Captured(NamedTuple):
    """A game between two bots that play at random."""

    job: Job
    replies: list[Reply]
    turns: list[Exchange]
    played: Played

    @property
    def planned(self) -> PlannedGame:
        """The job's one game."""
        return self.job.games[0]


def capture() -> Captured:
    """Play a game in this process and keep what would have been sent."""
    rng = random.Random(1)
    game = PlannedGame(GameId("0" * 32), DealId(f"{VARIANT}#0"), "1" * 64, "2" * 32, 2)
    seating = tuple(Launch(BotId(f"random-{n}", f"{n}" * 64), (), "") for n in range(2))
    job = Job("job", VARIANT, seating, (game,), Limits(), "3" * 64, "")
    replies: list[Reply] = []
    turns: list[Exchange] = []

    def answered(ask: Ask) -> Reply:
        answer = _answer(ask, rng)
        if isinstance(answer, Move):
            turns.append(
                Exchange(ask.seat, encode(ask.message), encode(answer.model_dump(exclude_none=True)))
            )
        replies.append(Reply(answer, 0.000123))
        return replies[-1]

    played = _play(job, answered)
    return Captured(job, replies, turns, played)


def _answer(ask: Ask, rng: random.Random) -> Move | Ready:
    game_id = ask.message["game_id"]
    if not ask.turn:
        return Ready(type="ready", game_id=game_id)
    return Move(type="move", game_id=game_id, turn=ask.turn, action=rng.choice(ask.message["legal"]))


def _play(job: Job, answered: Callable[[Ask], Reply]) -> Played:
    match = play(score.spec_of(job, job.games[0]))
    try:
        ask = next(match)
        while True:
            ask = match.send(answered(ask))
    except StopIteration as stop:
        played: Played = stop.value
        return played


def parts(game: Captured) -> Figures:
    """Microseconds of CPU a move of each part of the referee, alone and in this process."""
    bare = _each_move(game, _nothing)
    messages: list[dict[str, Any]] = []
    _play(game.job, partial(_noted, messages, iter(game.replies)))
    figures = {
        "match": _timed(game, lambda: _play(game.job, partial(_noted, [], iter(game.replies)))),
        "engine": _each_move(game, lambda state, seat: state.legal(seat))
        - _timed(game, score.spec_of(game.job, game.planned).state),
        "view": _each_move(game, lambda state, seat: state.view(seat)) - bare,
        "legal text": _each_move(game, lambda state, seat: state.legal_text(seat)) - bare,
        "encode": _timed(game, lambda: [encode(message) for message in messages]),
        "decode": _timed(game, lambda: [decode(turn.answer) for turn in game.turns]),
        "record": _timed(game, lambda: score.finished(game.job, game.planned, game.played)),
    }
    return {f"{name} µs": value for name, value in figures.items()}


def _noted(messages: list[dict[str, Any]], replies: Iterator[Reply], ask: Ask) -> Reply:
    messages.append(ask.message)
    return next(replies)


def _nothing(_: State, __: Seat) -> None:
    return


def _each_move(game: Captured, look: Callable[[State, Seat], object]) -> float:
    """The game played over, with a look at it before each action."""
    dealt = score.spec_of(game.job, game.planned).state
    state, codes = dealt(), []
    for action in game.played.actions:
        codes.append((action.seat, state.parse(action.seat, action.text)))
        state.apply(*codes[-1])

    def replay() -> None:
        state = dealt()
        for seat, code in codes:
            look(state, seat)
            state.apply(seat, code)

    return _timed(game, replay)


def _timed(game: Captured, work: Callable[[], object], times: int = 21) -> float:
    taken = []
    for _ in range(times):
        began = thread_time()
        work()
        taken.append(thread_time() - began)
    return median(taken) / len(game.turns) * 1e6


if __name__ == "__main__":
    print(json.dumps(parts(capture()) | {"compiled": compiled()}))
