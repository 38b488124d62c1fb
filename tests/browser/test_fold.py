"""What the viewer folds out of a replay's events is what each seat knew, at every step of every variant."""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.game import Game, Seat, State
from referee.replay import Step
from referee.telling import Teller
from tests.every_game.game_walks import PAIRS, walk

pytestmark = pytest.mark.web

PROGRAM = """
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";
import { Film } from "./src/replay/fold";

for await (const line of createInterface({ input: process.stdin })) {
  const { players, events, known } = JSON.parse(line);
  const film = new Film(players);
  film.append(events);
  const wrong = [];
  for (let step = known.length - 1; step >= 0; step--) {
    const { views, unseen } = known[step];
    const eyes = [null, ...views.keys()];
    const expected = (eye) => ({
      views: views.map((view, seat) => (eye === null || eye === seat ? view : null)),
      unseen: eye === null ? unseen : null,
    });
    for (const eye of eyes)
      if (!isDeepStrictEqual({ views: film.views(step, eye), unseen: film.unseen(step, eye) }, expected(eye)))
        wrong.push([step, eye]);
  }
  console.log(JSON.stringify({ steps: film.last + 1, wrong }));
}
"""


def film_of(game: Game, id: str, seed: int) -> dict[str, Any]:
    """A random game: its events, and what each seat knew and none did at every step."""
    players = game.variant(id).players
    teller, told, known, events = Teller(players), 0, [], []
    for number, state in enumerate(walk(game, id, seed)):
        new = state.events(told)
        told += len(new)
        events += list(teller.tell(Step(number, None, "", False, state, new, [])))
        known.append(json.dumps(knowledge(state, players)))
    return {"players": players, "events": events, "known": list(map(json.loads, known))}


def knowledge(state: State, players: int) -> dict[str, Any]:
    return {"views": [state.view(Seat(seat)) for seat in range(players)], "unseen": state.unseen()}


@pytest.fixture(scope="session")
def folded(node: str, bundled: Callable[[str], Path]) -> Callable[[Iterator[dict[str, Any]]], list[Any]]:
    """What one process of Node.js finds wrong in each of some films."""
    script = bundled(PROGRAM)

    def fold(films: Iterator[dict[str, Any]]) -> list[Any]:
        with subprocess.Popen([node, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin is not None and process.stdout is not None
            answers = []
            for film in films:
                process.stdin.write(json.dumps(film).encode() + b"\n")
                process.stdin.flush()
                answers.append(json.loads(process.stdout.readline()))
            process.stdin.close()
        return answers

    return fold


def test_the_fold_is_what_every_seat_knew(folded: Callable[[Iterator[dict[str, Any]]], list[Any]]) -> None:
    steps: list[int] = []

    def films() -> Iterator[dict[str, Any]]:
        for seed, (game, id) in enumerate(PAIRS):
            film = film_of(game, id, seed)
            steps.append(len(film["known"]))
            yield film

    answers = folded(films())
    assert [answer["wrong"] for answer in answers] == [[]] * len(PAIRS)
    assert [answer["steps"] for answer in answers] == steps


def leaking(film: dict[str, Any], rng: random.Random) -> tuple[dict[str, Any], int]:
    """The film with one change of what a seat alone knows told to all at the end of its step; and that step."""
    events = film["events"]
    step, _, kind, body = rng.choice(
        [event for event in events if event[2] == "@view" and event[1] is not None]
    )
    end = sum(event[0] <= step for event in events)
    return film | {"events": [*events[:end], [step, None, kind, body], *events[end:]]}, step


def test_a_change_that_reaches_the_wrong_seat_is_noticed(
    folded: Callable[[Iterator[dict[str, Any]]], list[Any]],
) -> None:
    rng = random.Random("leaks")
    leaks = [leaking(film_of(*PAIRS[0], seed), rng) for seed in range(8)]
    for answer, (_, step) in zip(folded(film for film, _ in leaks), leaks, strict=True):
        assert step in {at for at, _ in answer["wrong"]}


def test_what_nobody_knows_reaches_who_sees_everything_alone(
    folded: Callable[[Iterator[dict[str, Any]]], list[Any]],
) -> None:
    film = film_of(*PAIRS[0], 1)
    without = film | {"events": [event for event in film["events"] if event[2] != "@unseen"]}
    (answer,) = folded(iter([without]))
    assert {eye for _, eye in answer["wrong"]} == {None}
