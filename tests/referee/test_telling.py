"""A game as events with their audience: who may see what, and that the fold of a seat's events is its view."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from protocol.vocabulary import FaultKind, Seat
from referee.faults import Misstep
from referee.games import GAMES, game_of
from referee.replay import Step, read
from referee.telling import Teller, Told, document, told
from tests.arena.made import record
from tests.every_game.game_walks import walk
from tests.referee.driving import Player, random_player

SOME = [
    "claim",
    "claim/3p/NA-UWTDS",
    "claim/4p/GK-UWXDS",
    "aristoocrazy/2p/classic",
    "aristoocrazy/3p/quick2013",
]


def fold(view: dict[str, Any], events: list[Told], seat: int | None) -> dict[str, Any]:
    """What the events of a step make of a view, for those who see them; None: of what no seat knows."""
    kind = "@unseen" if seat is None else "@view"
    for event in events:
        if event.kind == kind and (event.audience is None or seat is None or seat in event.audience):
            for path, *rest in json.loads(json.dumps(event.body)):
                *way, last = path
                place: Any = view
                for key in way:
                    place = place[key]
                if not rest:
                    del place[last]
                elif len(rest) == 1:
                    place[last] = rest[0]
                else:
                    place[last][rest[0] :] = rest[1]
    return view


def steps(id: str, seed: int) -> Iterator[tuple[Any, list[Told]]]:
    """The state at each point of a random game, and what is told of it."""
    teller = Teller(game_of(id).variant(id).players)
    before = 0
    for number, state in enumerate(walk(game_of(id), id, seed)):
        news = state.events(before)
        before += len(news)
        yield state, list(teller.tell(Step(number, None, "", False, state, news, [])))


@pytest.mark.parametrize("id", SOME)
def test_the_fold_of_what_a_seat_may_see_is_its_view(id: str) -> None:
    players = range(game_of(id).variant(id).players)
    views: list[dict[str, Any]] = [{} for _ in players]
    unseen: dict[str, Any] = {}
    for state, events in steps(id, 5):
        for seat in players:
            assert fold(views[seat], events, seat) == json.loads(json.dumps(state.view(Seat(seat))))
        assert fold(unseen, events, None) == json.loads(json.dumps(state.unseen()))


def test_what_goes_is_told_in_the_order_of_the_view_and_so_alike_everywhere() -> None:
    before: list[str] = []
    several = 0
    for state, events in steps("aristoocrazy/2p/classic", 7):
        gone = [
            change[0]
            for event in events
            if event.kind == "@view" and (event.audience is None or 0 in event.audience)
            for change in event.body
            if len(change) == 1
        ]
        keys = [path[1] for path in gone if path[0] == "decision" and len(path) == 2]
        assert keys == [key for key in before if key in keys]
        several += len(keys) > 1
        before = list(state.view(Seat(0))["decision"] or ())
    assert several


def test_what_no_seat_knows_is_told_to_none_and_is_the_deck() -> None:
    for id in SOME:
        for state, events in steps(id, 6):
            assert all(event.audience == () for event in events if event.kind == "@unseen")
            assert all(event.audience == (event.body["seat"],) for event in events if event.kind == "@legal")
            view, unseen = state.view(Seat(0)), state.unseen()
            if id.startswith("claim"):
                assert len(unseen["deck"]) == view["deck"]
            else:
                assert len(unseen["actions"]) == view["actions"]["deck"]
                known = [card["id"] for card in view["row"] if card["up"]]
                assert set(known + view["evaluated"]) <= set(unseen["events"])


def crashing(turn: int) -> Player:
    """Plays at random, and crashes in one of its turns."""
    sound = random_player(3)

    def play(message: dict[str, Any]) -> Any:
        gone = Misstep(FaultKind.CRASH, "exit 3", "Traceback: what it said")
        return gone if message.get("turn") == turn else sound(message)

    return play


def test_what_a_bot_did_and_wrote_is_its_own_seats() -> None:
    game = read(record("claim/3p/GK-UWXTD", seat1=crashing(4)))
    events = list(told(game))
    own = [event for event in events if event.kind in ("@action", "@fault")]
    assert own and all(event.audience == (event.body["seat"],) for event in own)
    actions = [(event.body["seat"], event.body["action"]) for event in own if event.kind == "@action"]
    assert actions == game.play.actions
    (fault,) = [event for event in own if event.kind == "@fault"]
    assert (fault.body["seat"], fault.body["turn"], fault.body["kind"]) == (1, 4, "crash")
    assert "what it said" in fault.body["evidence"]
    houses = [event.body["seat"] for event in events if event.kind == "@turn" and event.body["house"]]
    assert set(houses) == {1}
    assert events[-1].kind == "@end" and events[-1].body["ranks"] == game.play.ranks


def test_what_a_bot_printed_is_its_own_seats_and_comes_at_the_end() -> None:
    game = read(record("claim"))
    *_, log, end = told(game, {Seat(1): "a <b> word"})
    assert log == (52, (1,), "@log", {"seat": 1, "text": "a <b> word"}) and end.kind == "@end"
    assert not any(event.kind == "@log" for event in told(game))


def test_a_replay_file_is_json_and_names_its_game() -> None:
    game = read(record("claim"))
    made = json.loads(json.dumps(document(game)))
    assert (made["id"], made["variant"], made["steps"]) == (game.play.id, "claim/2p/GK-UWX", 52)
    assert made["setup"] == json.loads(json.dumps(GAMES["claim"].setup_info(GAMES["claim"].variant("claim"))))
    numbers = [step for step, *_ in made["events"]]
    assert numbers == sorted(numbers) and numbers[-1] == 52
    assert "seed" not in made
