"""What a run shows as it goes on, and the events it tells to scripts."""

from __future__ import annotations

import json

import pytest

from arena.cli.progress import Pace, PlainView
from arena.events import GamesKept, RunEnded, RunEvent, RunStarted, document
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import BotId, DealId, FaultKind, GameId, Team, Verdict

STARTED = RunStarted("cup", "5eed", ("ann", "bob"), games=1000, kept=0, left_out=())


class Clock:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def lines(
    view: PlainView, clock: Clock, steps: list[tuple[float, int]], capsys: pytest.CaptureFixture[str]
) -> list[str]:
    """What is said after games are kept: (seconds since the last, games kept so far)."""
    capsys.readouterr()
    for seconds, kept in steps:
        clock.now += seconds
        view(GamesKept((), kept, 1000))
    return capsys.readouterr().err.splitlines()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def view(clock: Clock) -> PlainView:
    view = PlainView(clock)
    view(STARTED)
    return view


def test_the_seed_is_the_first_thing_said(capsys: pytest.CaptureFixture[str]) -> None:
    PlainView()(STARTED)
    captured = capsys.readouterr()
    assert captured.err.splitlines()[0] == "seed: 5eed"
    assert captured.out == ""


def test_a_line_every_ten_seconds(view: PlainView, clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    said = lines(view, clock, [(4, 1), (4, 2), (4, 3), (4, 4), (5, 5), (1, 6)], capsys)
    assert [line.split()[0] for line in said] == ["3", "6"]


def test_a_line_every_five_percent(view: PlainView, clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    said = lines(view, clock, [(2, 40), (2, 60), (2, 100), (2, 120)], capsys)
    assert [line.split()[0] for line in said] == ["60", "120"]


def test_no_flood_of_lines_from_a_quick_run(
    view: PlainView, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(lines(view, clock, [(0.1, n) for n in range(0, 1000, 50)], capsys)) == 1


def test_pace_tells_speed_and_time_left_of_this_run(clock: Clock) -> None:
    pace = Pace(RunStarted("cup", "5eed", ("ann",), games=1000, kept=500, left_out=()), clock)
    clock.now += 10
    pace.kept = 600
    assert str(pace) == "600 of 1,000 games, 10.0 games/s, 40 s left"


def test_pace_does_not_guess(clock: Clock) -> None:
    pace = Pace(STARTED, clock)
    clock.now += 10
    assert str(pace) == "0 of 1,000 games"
    pace.kept = 1000
    assert "left" not in str(pace)


def test_pace_where_nobody_knows_how_many_there_will_be(clock: Clock) -> None:
    pace = Pace(RunStarted("cup", "5eed", ("ann",), games=None, kept=0, left_out=()), clock)
    clock.now += 10
    pace.kept = 120
    assert str(pace) == "120 games, 12.0 games/s"


def test_the_end_says_why_and_what_is_not_balanced(
    view: PlainView, capsys: pytest.CaptureFixture[str]
) -> None:
    uneven = tuple(f"b{n} sat there {n} times" for n in range(5))
    view(RunEnded("cup", 1000, 75.2, faults=0, stopped="P(first) of ann is 0.96", unbalanced=uneven))
    said = capsys.readouterr().err
    assert "in this run; P(first) of ann is 0.96\n" in said
    assert "warning: not balanced: b2 sat there 2 times" in said and "b3" not in said and "2 more" in said


def test_the_end_says_what_went_wrong(view: PlainView, capsys: pytest.CaptureFixture[str]) -> None:
    view(RunEnded("cup", 1000, 75.2, faults=3))
    assert "1,000 games in 1 min 15 s, 3 faults of bots in this run" in capsys.readouterr().err
    view(RunEnded("cup", 1000, 75.2, faults=0))
    assert "no fault of a bot in this run" in capsys.readouterr().err


def test_events_are_json_with_a_schema() -> None:
    seats = (
        SeatResult(BotId("ann", "a1"), Team(0), 0, 4),
        SeatResult(BotId("bob", "b1"), Team(1), 1, 1, FaultKind.TIMEOUT),
    )
    result = GameResult(
        GameId("g"), "claim", "claim/2p/GK-UWX", "1-x", DealId("d"), "block", 2, seats, Verdict.FORFEIT
    )
    events: list[RunEvent] = [STARTED, GamesKept((result,), 1, 1000), RunEnded("cup", 1000, 1.23456, 0)]
    told = [json.loads(json.dumps(document(event), allow_nan=False)) for event in events]
    assert [one["event"] for one in told] == ["run_started", "games_kept", "run_ended"]
    assert {one["schema"] for one in told} == {"kingmaker/event/1"}
    (game,) = told[1]["results"]
    assert game["verdict"] == "forfeit" and game["seats"][1]["fault"] == "timeout"
    assert game["seats"][0]["bot"] == {"name": "ann", "digest": "a1"} and game["seats"][0]["fault"] is None


def test_the_beginning_says_what_is_kept(capsys: pytest.CaptureFixture[str]) -> None:
    for kept, said in (
        (0, "1,000 games; bots"),
        (400, "games, 400 of them kept;"),
        (1000, "all of them kept;"),
    ):
        PlainView()(RunStarted("cup", "5eed", ("ann", "bob"), games=1000, kept=kept, left_out=()))
        assert said in capsys.readouterr().err
    PlainView()(RunStarted("cup", "5eed", ("ann", "bob"), games=None, kept=7, left_out=()))
    assert "as many games as it takes, 7 of them kept;" in capsys.readouterr().err
