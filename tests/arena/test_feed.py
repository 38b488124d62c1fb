"""What a run shows of games under way: to whom watches, what is public, and nothing younger than it says."""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from arena.feed import EFFORT, MOST, PERIOD, SHOWN, TRUSTED, WATCHED, Actions, Feed, Feeder, Window
from protocol.codec import read_strictly
from protocol.record import unpack
from protocol.vocabulary import Seat
from referee.games import game_of
from referee.jobs import Glimpse, Job, PlannedGame
from referee.processes.sandbox import Sandbox
from referee.score import spec_of
from tests.arena.made import SEED, job_for, played
from tests.referee.driving import bot_ids, planned
from tests.referee.test_telling import fold

KEPT = Sandbox("default", ("namespaces", "seccomp"))
DELAY = 10.0
LUCK = "the seed of a deal"


def job(variant: str, games: Sequence[PlannedGame] = (), box: Sandbox = KEPT) -> Job:
    made = job_for(
        variant, bot_ids(game_of(variant).variant(variant).players), tuple(games) or (planned(0, LUCK),)
    )
    return replace(made, seating=tuple(replace(launch, sandbox=box) for launch in made.seating))


def actions(job: Job, ms: float = 100.0) -> Actions:
    """A random game of it."""
    play = read_strictly(unpack(played(job, job.games[0]).record))["play"]
    return tuple((Seat(seat), text, ms) for seat, text in play["actions"])


class Stage:
    """A feeder, workers that say what the test says, and a clock that goes when it is told to."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.now, self.asked = folder, 1000.0, 0
        self.tick = 0.0
        """By which it goes on whenever it is looked at."""
        self.said: list[tuple[Job, Glimpse]] = []
        self.feeder = Feeder(folder, DELAY, self.clock)

    def clock(self) -> float:
        self.now += self.tick
        return self.now

    def peek(self) -> None:
        self.asked += 1

    def glimpses(self) -> list[tuple[Job, Glimpse]]:
        found, self.said = self.said, []
        return found

    def say(self, job: Job, taken: Actions, game: int = 0) -> None:
        self.said.append((job, Glimpse(job.id, job.games[game], taken)))

    def go(self, seconds: int, job: Job, taken: Actions, game: int = 0) -> Feed:
        """What is shown when a game has been as far as that for some seconds."""
        for _ in range(seconds):
            self.say(job, taken, game)
            shown = self.after(1)
        return shown

    def after(self, seconds: float) -> Feed:
        """What is shown then."""
        self.now += seconds
        self.feeder.turn(self)
        found = Window(self.folder).look()
        assert found is not None
        return found


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    Window(tmp_path).look()
    return Stage(tmp_path)


def test_where_nobody_watches_nobody_is_asked_and_nothing_written(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.feeder.turn(stage)
    assert stage.asked == 0 and list(tmp_path.iterdir()) == []
    Window(tmp_path).look()
    os.utime(tmp_path / WATCHED, (time.time() - 60,) * 2)  # who watched is gone
    stage.now += 1
    stage.feeder.turn(stage)
    assert stage.asked == 0 and [path.name for path in tmp_path.iterdir()] == [WATCHED]


def test_workers_are_asked_twice_a_second_and_the_file_is_its_owners(stage: Stage) -> None:
    for _ in range(10):
        stage.after(PERIOD / 5)
    assert stage.asked == 2
    mode = (stage.folder / SHOWN).stat().st_mode
    assert stat.S_IMODE(mode) == 0o600 and not list(stage.folder.glob("*.new"))


def test_no_action_is_shown_before_it_is_old_enough(stage: Stage) -> None:
    one = job("claim")
    taken = actions(one, ms=500.0)
    stage.say(one, taken[:4])
    assert stage.after(1).games == [], "the deal may be as young as the thinking that was seen"
    stage.say(one, taken[:6])
    assert stage.after(2).games == []
    for seconds, steps in ((5.5, None), (1.1, 1), (0.6, 2), (1.0, 4), (1.0, 4), (1.0, 6), (60, 6)):
        stage.say(one, taken[:6])
        games = stage.after(seconds).games
        assert [game.replay["steps"] for game in games] == ([] if steps is None else [steps]), seconds


def test_who_watches_later_sees_at_once_what_is_old_by_the_thinking_since(stage: Stage) -> None:
    one = job("claim")
    taken = actions(one, ms=2_000.0)
    stage.say(one, taken[:20])
    (game,) = stage.after(1).games
    assert game.replay["steps"] == 15 - 15 % 2 + 1 and game.seconds == 40.0


def test_a_decision_of_several_is_as_old_as_its_last(stage: Stage) -> None:
    """Both are decided when the last one is, and until then neither is told."""
    one = job("aristoocrazy")
    taken = actions(one, ms=100.0)
    first, last = _together(one, taken)[0]
    assert stage.go(int(DELAY) + 1, one, taken[:first]).games[0].replay["steps"] == first
    early, late = stage.go(1, one, taken[: last - 1]), stage.go(int(DELAY), one, taken[: last - 1])
    assert early.games[0].replay["steps"] == late.games[0].replay["steps"] == first
    assert stage.go(int(DELAY) - 1, one, taken[:last]).games[0].replay["steps"] == first
    assert stage.go(2, one, taken[:last]).games[0].replay["steps"] == last


def _together(one: Job, taken: Actions) -> list[tuple[int, int]]:
    """The decisions of several seats: from which action to which."""
    state, found, n = spec_of(one, one.games[0]).state(), [], 0
    while n < len(taken):
        seats = len(state.to_act)
        for seat, text, _ in taken[n : n + seats]:
            state.apply(seat, state.parse(seat, text))
        found += [(n, n + seats)] if seats > 1 else []
        n += seats
    return found


@pytest.mark.parametrize(
    "variant", ["claim", "claim/3p/*", "claim/4p/*", "aristoocrazy", "aristoocrazy/4p/*"]
)
def test_all_that_is_shown_is_what_is_public(stage: Stage, variant: str) -> None:
    one = job(game_of(variant).matching(variant)[0])
    taken = actions(one)[:100]
    (game,) = stage.go(int(DELAY) + 2, one, taken).games
    assert game.replay["steps"] == len(taken) and game.replay["deal"] == ""
    assert {event.audience for event in game.told} == {None}
    assert not {event.kind for event in game.told} & {"@action", "@legal", "@unseen", "@fault"}
    spec = spec_of(one, one.games[0])
    text = (stage.folder / SHOWN).read_text()
    for secret in (SEED, spec.nonce, spec.wire_id, spec.derive("bot 0"), f'"{spec.seed}"'):
        assert secret not in text
    state = spec.state()
    for seat, action, _ in taken:
        state.apply(seat, state.parse(seat, action))
    assert fold({}, game.told, 0) == json.loads(json.dumps(state.public()))


def test_a_hand_is_never_shown(stage: Stage) -> None:
    one = job("claim")
    taken, state = actions(one), spec_of(one, one.games[0]).state()
    for number in range(13):
        (game,) = stage.go(int(DELAY) + 1, one, taken[:number]).games
        view = fold({}, game.told, 0)
        assert game.replay["steps"] == number
        assert not {"hand", "seat"} & view.keys() and view["hands"] == state.view(Seat(0))["hands"]
        text = json.dumps(game.replay["events"])
        hands = {card for seat in (0, 1) for card in state.view(Seat(seat))["hand"]} - {
            "G0"
        }  # there are five
        assert hands and not [card for card in hands if f'"{card}"' in text]
        seat, action, _ = taken[number]
        state.apply(seat, state.parse(seat, action))


def test_games_of_bots_that_can_read_files_are_not_shown(stage: Stage) -> None:
    for box in (Sandbox(), Sandbox("default", ("no-new-privileges", "seccomp"))):
        one = job("claim", box=box)
        stage.say(one, actions(one))
        shown = stage.after(DELAY * 2)
        assert shown.games == [] and shown.notes == [TRUSTED]
    one = job("claim", box=Sandbox("default", ("landlock-abi-4",)))
    stage.say(one, actions(one))
    stage.after(1)
    assert stage.after(DELAY * 2).games == [] and stage.after(1).notes == [TRUSTED]


def test_a_game_that_is_over_is_shown_to_its_end_unless_it_was_short(stage: Stage) -> None:
    quick, slow = planned(1, "quick"), planned(2, "slow")
    one = job("claim", [quick, slow])
    taken = actions(one, ms=1.0)
    of_slow = actions(job("claim", [slow]), ms=1.0)
    stage.say(one, taken)
    for _ in range(4):
        stage.say(one, of_slow, game=1)
        stage.after(1)
    for _ in range(8):
        shown = stage.after(1).games
    assert [game.replay["id"] for game in shown] == ["g2"], "the other one was over within a moment"
    assert shown[0].replay["steps"] == len(of_slow)
    assert stage.after(2).games == [], "all of it has been told"


def test_a_game_that_is_played_again_is_shown_anew(stage: Stage) -> None:
    one = job("claim")
    assert stage.go(12, one, actions(one)[:6]).games[0].replay["steps"] == 6
    again = job("claim", [replace(planned(0, LUCK), attempt=2)])
    assert stage.go(10, again, ()).games == []
    assert stage.go(1, again, ()).games[0].replay["steps"] == 0


def test_only_so_many_are_shown(stage: Stage) -> None:
    one = job("claim", [planned(n, str(n)) for n in range(MOST + 5)])
    for seconds in (1, DELAY):
        for n in range(MOST + 5):
            stage.say(one, (), game=n)
        shown = stage.after(seconds).games
    assert [game.replay["id"] for game in shown] == [f"g{n}" for n in range(MOST)]


def test_who_watches_believes_no_file_of_others_and_none_that_is_no_feed(tmp_path: Path) -> None:
    assert Window(tmp_path / "nothing").look() is None and not (tmp_path / "nothing").exists()
    (tmp_path / SHOWN).write_text('{"at": 1, "games": "many"}')
    assert Window(tmp_path).look() is None
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    assert Window(link).look() is None
    (tmp_path / WATCHED).unlink()
    victim = tmp_path / "victim"
    (tmp_path / WATCHED).symlink_to(victim)
    assert Window(tmp_path).look() is None and not victim.exists()


def test_a_run_goes_on_where_nothing_can_be_written(stage: Stage) -> None:
    (stage.folder / SHOWN).mkdir()
    stage.now += 1
    stage.feeder.turn(stage)
    assert stage.asked == 1


def test_to_play_games_again_is_bounded_and_what_is_left_comes_later(stage: Stage) -> None:
    one = job("claim")
    taken = actions(one, ms=1.0)
    stage.go(int(DELAY), one, taken)
    stage.tick = PERIOD / EFFORT / 5
    steps = [stage.go(1, one, taken).games[0].replay["steps"] for _ in range(16)]
    assert steps[:3] == sorted(set(steps[:3])) and 0 < steps[1] - steps[0] < 6 and steps[-1] == len(taken)


def test_the_last_actions_come_with_the_result(stage: Stage) -> None:
    one = job("claim")
    taken, done = actions(one), played(one, one.games[0])
    stage.go(3, one, taken[:40])
    stage.feeder.turn(stage, [replace(done, planned=replace(done.planned, attempt=2))])
    assert stage.go(10, one, taken[:40]).games[0].replay["steps"] == 40, "that was another attempt"
    stage.feeder.turn(stage, [done])
    steps = [game.replay["steps"] for _ in range(11) for game in stage.after(1).games]
    assert steps[:9] == [40] * 9 and steps[-1] == len(taken) == 52
