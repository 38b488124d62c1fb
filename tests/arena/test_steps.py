"""A tournament goes step by step: what is played, in what order, and how it goes on after a kill. No process."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from arena import sqlite, tournament
from arena.bundles import take_in
from arena.config import parse
from arena.errors import Busy, InputError
from arena.events import BotSuspended, GamesKept, RunEnded, RunEvent, RunStarted
from arena.executors.local import LocalExecutor
from arena.exported import verify_export
from arena.home import Home
from arena.ledger import Ledger
from arena.moving import copy
from arena.place import Server
from arena.planning import ALL_PLAYED, Course, course_in, course_of
from arena.reading import status
from arena.records import export, find_record
from arena.schedules.blocks import Block, Meeting, pairings_of
from arena.schedules.finals import Finals
from arena.tournament import Imbalance, _enter, _Play, prepare
from arena.verification import Tally, verify_ledger
from protocol.record import pack
from protocol.result import GameResult, SeatResult
from protocol.vocabulary import FaultKind, GameId, Verdict, VoidReason
from referee.faults import Misstep
from referee.games import game_of
from referee.jobs import GameDone, Job, PlannedGame
from referee.score import void
from tests.arena.made import job_for, played
from tests.referee.driving import bot_ids

KINDS: dict[str, dict[str, Any]] = {
    "round_robin": {"deals": 2},
    "gauntlet": {"deals": 2, "schedule": {"bots": ["b1"]}},
    "newcomer": {"deals": 2, "schedule": {"bots": ["b3"], "newcomer_deals": 1}},
    "swiss": {"deals": 1},
    "knockout": {"deals": 1},
    "finals": {"deals": 1, "stop": {"games": 30}},
    "adaptive": {"deals": 1, "stop": {"games": 30}},
}
Player = Callable[[Job, PlannedGame], GameDone]


def decided(job: Job, game: PlannedGame) -> GameDone:
    """A game that nobody played, and that has no record: the first name wins, but on some deals."""
    teams = game_of(job.variant).variant(job.variant).teams
    bots = [launch.bot for launch in job.seating]
    order = sorted(bots, reverse=game.deal.endswith(("1", "5")))
    seats = tuple(SeatResult(bot, team, order.index(bot), 0) for bot, team in zip(bots, teams, strict=True))
    result = GameResult(
        game.id, "claim", job.variant, "1-x", game.deal, game.block, game.block_size, seats, Verdict.FINISHED
    )
    return GameDone(game, job.id, result, b"")


class Staged(LocalExecutor):
    """Plays in this process, a job at a time; the run is killed once `life` games are over."""

    def __init__(self, folder: Path, life: int | None = None, play: Player = decided) -> None:
        super().__init__(folder, concurrency=1)
        self.steps: list[list[GameId]] = []
        """The games of each step, in the order in which they were played."""
        self._life, self._play = life, play

    def run(
        self,
        jobs: Iterable[Job],
        revise: Callable[[Job], Job | None] = lambda job: job,
        lease: Callable[[Iterable[PlannedGame]], None] = lambda games: None,
        timeout: float = 0.5,
    ) -> Iterator[list[GameDone]]:
        self.steps.append([])
        for job in filter(None, map(revise, jobs)):
            room = len(job.games) if self._life is None else self._life - sum(map(len, self.steps))
            lease(job.games)
            self.steps[-1] += [game.id for game in job.games[:room]]
            yield [self._play(job, game) for game in job.games[:room]]
            if room < len(job.games):
                raise KeyboardInterrupt


@pytest.fixture(autouse=True)
def unsynced(monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk may take its time: no power fails here."""

    def set_up(connection: Any, record: Any) -> None:
        properly(connection, record)
        connection.execute("PRAGMA synchronous = OFF")

    properly = sqlite._set_up
    monkeypatch.setattr(sqlite, "_set_up", set_up)


@pytest.fixture(scope="module")
def taken_in(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Four bots, which are never started."""
    home = Home(tmp_path_factory.mktemp("bots") / "home")
    home.folder()
    with closing(Ledger(home.ledger)) as ledger:
        for number in range(4):
            bot = home.path.parent / f"b{number}.py"
            bot.write_text(f"print({number})")
            take_in(home, ledger, bot, listed=True)
    return home


@pytest.fixture
def home(taken_in: Home, tmp_path: Path) -> Home:
    home = Home(shutil.copytree(taken_in.path, tmp_path / "home", symlinks=True))
    if isinstance(home.ledger, Server):
        copy(taken_in.ledger, home.ledger)
    return home


def fields(home: Home, kind: str = "round_robin", **more: Any) -> dict[str, Any]:
    said = KINDS[kind] | more
    bots = [f"b{number}" for number in range(said.pop("field", 4))]
    told = {"name": "cup", "bots": bots, "variants": ["claim"], "seed": "a seed", **said}
    return {**told, "schedule": {"kind": kind, **said.get("schedule", {})}}


def run(home: Home, said: dict[str, Any], executor: Staged) -> list[RunEvent]:
    """One run; what it told."""
    told: list[RunEvent] = []
    with closing(Ledger(home.ledger)) as ledger:
        prepared = prepare(parse(said, "test"), home, ledger)
        hold = _enter(prepared, ledger)
        _Play(prepared, ledger, hold, home.folder("logs"), told.append).all(executor)
    return told


def kept(home: Home) -> set[GameId]:
    with closing(Ledger(home.ledger)) as ledger:
        return ledger.ids("cup")


def results(home: Home, name: str = "cup") -> list[GameResult]:
    with closing(Ledger(home.ledger)) as ledger:
        return list(ledger.results(name))


def course(home: Home, name: str = "cup") -> Course:
    with closing(Ledger(home.ledger)) as ledger:
        return course_in(ledger, ledger.tournament(name))


def ended(told: list[RunEvent]) -> RunEnded:
    (end,) = (event for event in told if isinstance(event, RunEnded))
    return end


# killed


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("life", [1, 5])
def test_a_run_that_was_killed_goes_on(kind: str, life: int, home: Home, tmp_path: Path) -> None:
    said = fields(home, kind)
    with pytest.raises(KeyboardInterrupt):
        run(home, said, first := Staged(tmp_path, life))
    begun = {game.id for p in course(home).next() for game in p.games} if course(home).begun() else set()
    end = ended(run(home, said, second := Staged(tmp_path)))
    times = Counter(game for step in (*first.steps, *second.steps) for game in step)
    assert set(times.values()) == {1}, "nothing is played twice"
    assert times.keys() == kept(home)
    assert begun <= set(second.steps[0]), "what was begun comes first"
    assert end.stopped and not end.unbalanced
    assert course(home).over()


@pytest.mark.parametrize("kind", ["round_robin", "gauntlet", "newcomer", "swiss", "knockout"])
def test_the_games_are_those_of_a_run_that_nobody_killed(kind: str, home: Home, tmp_path: Path) -> None:
    said = fields(home, kind)
    for life in (3, 4, None):
        try:
            run(home, said, Staged(tmp_path, life))
        except KeyboardInterrupt:
            continue
    run(home, said | {"name": "other"}, Staged(tmp_path))
    cup, other = (results(home, name) for name in ("cup", "other"))
    assert sorted(map(_table, cup)) == sorted(map(_table, other))


def _table(result: GameResult) -> tuple[str, list[str]]:
    return result.deal, [seat.bot.name for seat in result.seats]


@pytest.mark.parametrize("kind", ["finals", "adaptive"])
@pytest.mark.parametrize("games", [30, 12])
def test_what_was_begun_is_ended_before_results_or_rules_are_asked(
    kind: str, games: int, home: Home, tmp_path: Path
) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(home, fields(home, kind), Staged(tmp_path, life=13))
    (block,) = course(home).begun()
    run(home, fields(home, kind, stop={"games": games}), executor := Staged(tmp_path))
    assert [len(step) for step in executor.steps] == ([1, 16] if games == 30 else [1])
    assert block in course(home).progress and not course(home).begun()


# steps and their end


def test_results_decide_who_meets_next(home: Home, tmp_path: Path) -> None:
    run(home, fields(home, "knockout"), executor := Staged(tmp_path))
    assert len(executor.steps) > 1, "a final is played when its bots are known"
    rounds = status("cup", home).rounds
    assert [line.split(":")[0] for line in rounds] == ["round 1", "round 1", "final"]
    assert rounds[-1].endswith("wins") and all("%" in line for line in rounds)


def test_a_swiss_shows_its_rounds(home: Home, tmp_path: Path) -> None:
    run(home, fields(home, "swiss", field=3), Staged(tmp_path))
    rounds = status("cup", home).rounds
    assert rounds[0].startswith("round 1 of 3: ") and all("; bye: b" in line for line in rounds)


@pytest.mark.parametrize(
    ("stop", "why"),
    [
        ({"games": 13}, "14 games that count are played"),
        ({"first": 0.1}, "P\\(first\\) of"),
        ({"tau": 0.01}, "Kendall"),
    ],
    ids=str,
)
def test_a_rule_stops_it_and_is_named(stop: dict[str, Any], why: str, home: Home, tmp_path: Path) -> None:
    said = fields(home, "finals", stop=stop)
    end = ended(run(home, said, Staged(tmp_path)))
    assert re.search(why, end.stopped)
    found = status("cup", home)
    assert (found.ended, found.games, end.games) == (end.stopped, found.over, found.over)
    assert ended(run(home, said, again := Staged(tmp_path))).games == end.games and again.steps == []


def test_a_schedule_is_told_what_the_games_of_this_run_cost(home: Home, tmp_path: Path) -> None:
    def play(job: Job, game: PlannedGame) -> GameDone:
        seats = [{"bot": launch.bot.name, "digest": launch.bot.digest} for launch in job.seating]
        body = {"play": {"seats": seats, "actions": [[0, "x"]]}, "account": {"ms": [9.0], "cpu_ms": [3.0]}}
        return replace(decided(job, game), record=pack(body))

    with closing(Ledger(home.ledger)) as ledger:
        prepared = prepare(parse(fields(home, "adaptive"), "test"), home, ledger)
        hold = _enter(prepared, ledger)
        _Play(prepared, ledger, hold, tmp_path, lambda _: None).all(Staged(tmp_path, play=play))
    assert prepared.course.progress.cost == pytest.approx(dict.fromkeys(prepared.bots, 0.003))


@pytest.mark.parametrize("begun", [False, True], ids=["new", "begun"])
def test_of_two_that_have_read_the_same_one_plays(home: Home, tmp_path: Path, begun: bool) -> None:
    said = fields(home)
    if begun:
        with pytest.raises(KeyboardInterrupt):
            run(home, said, Staged(tmp_path, life=5))
    with closing(Ledger(home.ledger)) as ledger:
        drawn = {key: value for key, value in said.items() if key != "seed"}
        late = prepare(parse(drawn, "test"), home, ledger)
        ended(run(home, said, Staged(tmp_path)))
        whole = ledger.tournament("cup"), ledger.head("cup")
        with pytest.raises(Busy, match="taken up by another process"):
            _enter(late, ledger)
        assert (ledger.tournament("cup"), ledger.head("cup")) == whole
        assert ledger.take_up("cup").keep([]) == []


def test_games_that_somebody_else_keeps_are_not_played_for_ever(home: Home, tmp_path: Path) -> None:
    class Unheard(Staged):
        """Of whose games none has a lease, as if all were kept by now."""

        def run(self, jobs: Iterable[Job], *words: Any, **more: Any) -> Iterator[list[GameDone]]:
            assert len(self.steps) < 3, "it goes on and on"
            yield from super().run(jobs)

    with pytest.raises(Busy, match="taken up by another process"):
        run(home, fields(home), Unheard(tmp_path))
    assert kept(home) == set()


def test_minutes_end_a_run_and_no_tournament(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament, "monotonic", iter(range(0, 10_000, 20)).__next__)
    end = ended(run(home, fields(home, "finals", stop={"minutes": 1}), Staged(tmp_path)))
    assert "minutes" in end.stopped
    found = status("cup", home)
    assert (found.ended, found.games) == ("", None)
    with closing(Ledger(home.ledger)) as ledger:
        lines, held = export(ledger, ledger.tournament("cup"))
        assert (held.exported, held.missing) == (0, None), "any deal may come again"
        assert b"a seed" not in next(lines)


@pytest.mark.parametrize(("games", "played"), [(12, 12), (13, 24), (144, 144)])
def test_a_round_robin_with_a_budget_ends_with_a_whole_deal(
    games: int, played: int, home: Home, tmp_path: Path
) -> None:
    """Steps are longer, of some deals, so that workers need not wait after each."""
    said = fields(home, deals=40, stop={"games": games})
    told = run(home, said, executor := Staged(tmp_path))
    end = ended(told)
    assert isinstance(told[0], RunStarted) and told[0].games == end.games == len(kept(home)) == played
    assert len(executor.steps) == (2 if played == 144 else 1) and not end.unbalanced
    assert course(home).closed({results(home)[0].deal})


def test_what_is_told_at_the_start_is_all_that_there_can_be(home: Home, tmp_path: Path) -> None:
    for name, kind, more, games in (
        ("a", "gauntlet", {}, 12),
        ("b", "swiss", {}, 12),
        ("c", "finals", {}, 30),
        ("d", "finals", {"stop": {"first": 0.1}}, None),
        ("e", "swiss", {"stop": {"games": 5}}, 8),
        ("f", "knockout", {"stop": {"games": 1}}, 4),
        ("g", "adaptive", {"stop": {"games": 17}}, 18),
    ):
        told = run(home, fields(home, kind, name=name, **more), Staged(tmp_path))
        assert isinstance(told[0], RunStarted) and told[0].games == games, kind
        assert isinstance(told[1], GamesKept) and told[1].games == games, kind


def test_the_rest_of_a_budget_goes_to_those_who_have_played_least(home: Home) -> None:
    ann, bob, cat = bot_ids(3)
    course = course_of(parse(fields(home, "finals", stop={"games": 4}), "test"), "seed", (ann, bob, cat))
    early, late = (
        Meeting(course.plan.variants[0], ((one,), (two,))) for one, two in ((ann, bob), (bob, cat))
    )
    for pairing in pairings_of(course.plan, [Block(early, 0)]):
        job = job_for(pairing.variant, pairing.seating, pairing.games)
        course.take(decided(job, game).result for game in pairing.games)
    blocks = [Block(early, 1), Block(early, 2), Block(late, 0)]
    with patch.object(Finals, "step", lambda *_: blocks):
        assert [pairing.games[0].deal for pairing in course.next()] == [f"{late.variant}#0"] * 2


# balance


def test_an_imbalance_that_nothing_explains_is_our_mistake(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament, "imbalance", lambda *_: ["b0 sat there once"])
    with pytest.raises(Imbalance, match="b0 sat there once"):
        run(home, fields(home), Staged(tmp_path))
    assert len(kept(home)) == 24, "no game is lost"


def test_void_games_explain_it_and_it_is_told(home: Home, tmp_path: Path) -> None:
    spoilt: list[GameId] = []

    def play(job: Job, game: PlannedGame) -> GameDone:
        if spoilt:
            return played(job, game)
        spoilt.append(game.id)
        return void(job, game, VoidReason.REFEREE_ERROR, "ours")

    end = ended(run(home, fields(home), Staged(tmp_path, play=play)))
    assert end.stopped == ALL_PLAYED
    assert [line.split(": ")[1] for line in end.unbalanced] == ["a game on deal 0 is void"]


def test_a_suspended_bot_is_left_out_of_the_steps_that_follow(home: Home, tmp_path: Path) -> None:
    def play(job: Job, game: PlannedGame) -> GameDone:
        names = [launch.bot.name for launch in job.seating]
        crash = {f"seat{names.index('b3')}": crashing} if "b3" in names else {}
        return played(job, game, **crash)

    said = fields(home, "adaptive", on_suspend="drop", suspend_after=2)
    told = run(home, said, executor := Staged(tmp_path, play=play))
    (one,) = (event for event in told if isinstance(event, BotSuspended))
    assert one.bot.startswith("b3") and ended(told).stopped
    his = {result.id for result in results(home) if "b3" in {s.bot.name for s in result.seats}}
    assert not his.intersection(game for step in executor.steps[1:] for game in step)


def crashing(message: object) -> Misstep:
    return Misstep(FaultKind.CRASH, "exit 1", "no")


# other schedules later


def test_a_newcomer_adds_its_own_games_alone(home: Home, tmp_path: Path) -> None:
    run(home, fields(home, field=3, deals=3), Staged(tmp_path))
    before = kept(home)
    said = fields(home, "newcomer", deals=3)
    end = ended(run(home, said, executor := Staged(tmp_path)))
    assert len(before) == 18 and end.games == 18 + 3 * 2
    new = [result for result in results(home) if result.id not in before]
    assert {len({"b3"} & {seat.bot.name for seat in result.seats}) for result in new} == {1}
    assert {game for step in executor.steps for game in step} == {result.id for result in new}


def test_a_tournament_goes_on_by_other_schedules(home: Home, tmp_path: Path) -> None:
    games = []
    for kind in ("gauntlet", "round_robin", "finals", "newcomer"):
        stop = {"games": 40} if kind == "finals" else {}
        run(home, fields(home, kind, deals=2, stop=stop), Staged(tmp_path))
        games.append(len(kept(home)))
        assert status("cup", home).ended
    assert games == [12, 24, 40, 40]


def test_games_that_another_schedule_began_are_ended_first(home: Home, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        run(home, fields(home), Staged(tmp_path, life=1))
    (block,) = course(home).begun()
    (left,) = (
        g.id for p in pairings_of(course(home).plan, [block]) for g in p.games if g.id not in kept(home)
    )
    run(home, fields(home, "gauntlet", schedule={"bots": ["b3"]}), executor := Staged(tmp_path))
    assert executor.steps[0][0] == left and len(kept(home)) == 12 + 2


@pytest.mark.parametrize(("kind", "games", "least"), [("finals", 12, 19), ("round_robin", 12, 18)])
def test_a_newcomer_for_which_a_budget_has_no_room_is_told(
    kind: str, games: int, least: int, home: Home, tmp_path: Path
) -> None:
    more: dict[str, Any] = {"deals": 1 if kind == "finals" else 40}
    run(home, fields(home, kind, field=3, stop={"games": games}, **more), Staged(tmp_path))
    over = len(kept(home))
    run(home, fields(home, kind, field=3, stop={"games": games}, **more), Staged(tmp_path))
    with pytest.raises(InputError, match="takes 6 more, and 12 are there") as caught:
        run(home, fields(home, kind, stop={"games": least - 1}, **more), Staged(tmp_path))
    assert caught.value.code == "E240" and len(kept(home)) == over == 12
    end = ended(run(home, fields(home, kind, stop={"games": least}, **more), Staged(tmp_path)))
    assert end.games >= least


# exports


def test_what_depended_on_results_may_be_shown_once_it_is_over(home: Home, tmp_path: Path) -> None:
    said = fields(home, "knockout", field=3)
    with pytest.raises(KeyboardInterrupt):
        run(home, said, Staged(tmp_path, life=2, play=played))
    with closing(Ledger(home.ledger)) as ledger:
        _, held = export(ledger, ledger.tournament("cup"))
        assert (held.exported, held.held, held.missing) == (0, 2, None)
        with pytest.raises(InputError, match="still to be played"):
            find_record(home, next(iter(ledger.ids("cup"))))
    run(home, said, Staged(tmp_path, play=played))
    with closing(Ledger(home.ledger)) as ledger:
        exported, held = export(ledger, begun := ledger.tournament("cup"))
        assert (held.held, held.missing) == (0, 0)
        lines = list(exported)
        assert list(verify_export(lines, Tally())) == []
        assert list(verify_ledger(ledger, begun, Tally())) == []
        assert find_record(home, next(iter(ledger.ids("cup"))))
    where = {flaw.place.where for flaw in verify_export([*lines[:2], *lines[3:]], Tally())}
    assert "plan" in where, "its schedule would still have asked for the game that is gone"


def test_a_tournament_that_a_rule_stopped_is_exported_whole(home: Home, tmp_path: Path) -> None:
    run(home, fields(home, deals=99, stop={"games": 3}, field=2), Staged(tmp_path, play=played))
    with closing(Ledger(home.ledger)) as ledger:
        lines, held = export(ledger, ledger.tournament("cup"))
        assert (held.exported, held.held, held.missing) == (len(kept(home)), 0, 0)
        assert list(verify_export(lines, Tally())) == []
