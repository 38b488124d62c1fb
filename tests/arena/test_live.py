"""What is seen of a tournament as it goes on: out of a ledger that grows, of a run, of one that waits or is over."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from arena import runs
from arena.config import Tournament
from arena.errors import InputError, StorageError
from arena.feed import SHOWN, TRUSTED
from arena.home import Home
from arena.ledger import Ledger
from arena.live import EFFORT, STARTING, WAITING, Paced, Watch
from arena.planning import plan_of
from arena.snapshots import Away, LiveEntry, Snapshot, entry, leaders
from arena.stored import Kept
from protocol.vocabulary import BotId, FaultKind, Verdict
from referee.jobs import GameDone
from tests.arena.filled import ANN, BOB, done, fill
from tests.arena.made import keep, round_robin

FILE = 'bots = ["ann", "bob"]\nvariants = ["claim"]\n'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return Home("home")


@pytest.fixture
def ledger(home: Home) -> Iterator[Ledger]:
    home.folder()
    with closing(Ledger(home.ledger)) as ledger:
        yield ledger


def begin(
    ledger: Ledger, bots: tuple[BotId, ...] = (ANN, BOB), faulty: bool = False, **more: object
) -> list[GameDone]:
    """Enter a tournament of them; its games, block after block."""
    fields = {"name": "cup", "bots": [bot.name for bot in bots], "variants": ["claim"], "deals": 10, **more}
    config = Tournament.model_validate(fields)
    ledger.begin("cup", "a seed", config.model_dump(mode="json"), bots, ["carl is left out"])
    pairings = round_robin(plan_of(config, "a seed"), bots)
    games = [done(pair.variant, pair.seating, game, faulty) for pair in pairings for game in pair.games]
    return sorted(games, key=lambda game: game.result.block)


def look(home: Home, name: str = "cup") -> Snapshot:
    with Watch(name, home) as watch:
        return watch.look()


def test_one_that_is_over_says_so(home: Home) -> None:
    fill(home, "cup", ["claim"], games=4, faulty=1)
    one = look(home)
    assert (one.running, one.over, one.games, one.ended) == (False, 4, 4, "all games are played")
    assert one.standings and [row.bot for row in one.standings.rows] == [ANN, BOB]
    assert one.per_second is one.left_seconds is one.delay_seconds is None and len(one.head) == 64
    assert one.notes == ("carl is left out",) and one.underway == ()


def test_games_are_seen_as_they_are_kept_each_read_once(
    home: Home, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = begin(ledger)
    asked: list[int] = []
    plain = Ledger.kept_after

    def kept_after(self: Ledger, name: str, number: int, most: int | None = None) -> list[Kept]:
        asked.append(number)
        return plain(self, name, number, most)

    monkeypatch.setattr(Ledger, "kept_after", kept_after)
    with Watch("cup", home) as watch:
        first = watch.look()
        assert (first.over, first.games, first.standings, first.ended) == (0, 20, None, "")
        keep(ledger, "cup", games[:2])
        second = watch.look()
        keep(ledger, "cup", games[2:5])
        third = watch.look()
    assert asked == [0, 0, 2]
    assert [result.id for result in second.newest] == [done.result.id for done in games[1::-1]]
    assert [result.id for result in third.newest] == [done.result.id for done in games[4::-1]]
    assert third.over == 5 and third.head == ledger.head("cup") != second.head
    assert third.standings and third.standings.selection.rated == 4, "half a block is not rated"


def test_faults_come_newest_first_with_who_and_when(home: Home) -> None:
    fill(home, "cup", ["claim"], games=4, faulty=2)
    found = look(home).faults
    with closing(Ledger(home.ledger)) as ledger:
        ids = [one.game for one in ledger.faulty("cup")]
    assert [fault.game for fault in found] == ids[::-1] and len(ids) == 2
    assert {(fault.bot, fault.kind) for fault in found} == {(BOB, FaultKind.TIMEOUT)}
    assert all(datetime.fromisoformat(fault.at).tzinfo for fault in found)


def test_a_bot_that_joins_is_taken_in(home: Home, ledger: Ledger) -> None:
    keep(ledger, "cup", begin(ledger)[:2])
    with Watch("cup", home) as watch:
        assert watch.look().games == 20
        begin(ledger, (ANN, BOB, BotId("dora", "d" * 40)))
        grown = watch.look()
        assert (grown.games, grown.over, len(grown.newest)) == (60, 2, 2)


def test_who_is_suspended_is_noted_and_nothing_is_to_come_of_it(home: Home, ledger: Ledger) -> None:
    keep(ledger, "cup", begin(ledger, faulty=True, on_suspend="drop", suspend_after=2)[:3])
    one = look(home)
    assert one.notes[0] == "carl is left out" and "bob is suspended since" in one.notes[1]
    assert one.ended == "all games are played" and one.over == 3


def test_games_that_a_suspended_bot_was_not_started_for_are_no_faults(home: Home, ledger: Ledger) -> None:
    games = begin(ledger, faulty=True, suspend_after=2)
    keep(ledger, "cup", games[:7])
    one = look(home)
    assert one.away == (Away(BOB, FaultKind.TIMEOUT, 5),) and one.made == {BOB: 2}
    assert [fault.game for fault in one.faults] == [game.result.id for game in games[1::-1]]
    assert one.newest == tuple(game.result for game in games[1::-1]) and not one.unplayed
    assert [(row.faults, row.unplayed) for row in leaders(one)] == [(0, 0), (2, 5)]


def test_a_game_that_others_play_says_who_was_not_started(home: Home, ledger: Ledger) -> None:
    games = begin(ledger, faulty=True, suspend_after=2)
    played = replace(games[2].result, verdict=Verdict.FINISHED)
    object.__setattr__(games[2], "result", played)
    keep(ledger, "cup", games[:3])
    one = look(home)
    assert one.newest[0] == played and one.unplayed == {played.id}
    assert {seat.bot: one.seat_says(played, seat) for seat in played.seats} == {ANN: "", BOB: "suspended"}
    first = one.newest[1]
    assert {one.seat_says(first, seat) for seat in first.seats} == {"", "timeout"}


def test_where_games_of_suspended_bots_are_left_out_the_last_faults_are_faults(
    home: Home, ledger: Ledger
) -> None:
    keep(ledger, "cup", begin(ledger, faulty=True, on_suspend="drop", suspend_after=2)[:3])
    one = look(home)
    assert len(one.faults) == 3 and one.away == (Away(BOB, FaultKind.TIMEOUT, 0),)


def test_a_file_whose_tournament_has_not_begun_is_waited_for(home: Home, ledger: Ledger) -> None:
    Path("cup.toml").write_text(FILE)
    with Watch("cup.toml", home) as watch:
        assert watch.look().notes == (WAITING,)
        with home.lock("cup"):
            assert watch.look().notes == (STARTING,)
            keep(ledger, "cup", begin(ledger)[:1])
            begun = watch.look()
    assert begun.running and begun.over == 1 and not begun.ended


def test_mistakes_are_said_at_once(home: Home) -> None:
    fill(home, "cup", ["claim"], games=1)
    for name, code in (("cub", "E204"), ("none.toml", "E201")):
        with pytest.raises(InputError) as caught, Watch(name, home):
            pass
        assert caught.value.code == code
    Path("cup.toml").write_text(FILE + "deal = 3\n")
    with pytest.raises(InputError, match="unknown key 'deal'"), Watch("cup.toml", home):
        pass


@pytest.mark.parametrize(
    "damage", ["DELETE FROM seats WHERE game = 1", "UPDATE games SET finished = 'noon' WHERE id = '{}'"]
)
def test_a_row_that_is_damaged_is_named(damage: str, home: Home, ledger: Ledger) -> None:
    games = begin(ledger)
    keep(ledger, "cup", games[:2])
    with ledger._database.writing() as db:
        db.exec_driver_sql(damage.format(games[0].result.id))
    with pytest.raises(StorageError, match=games[0].result.id), Watch("cup", home) as watch:
        watch.look()


@pytest.mark.parametrize(
    ("ages", "began", "speed"),
    [
        ([], 100, None),
        ([5], 100, None),
        ([10, 8, 6, 4, 2], 20, 5 / 20),
        ([300, 299, 10, 8, 6, 4, 2], 20, 5 / 20),
        ([age for age in range(600, 0, -40) for _ in range(2)], 1000, 20 / 420),
        ([age for age in range(120, 0, -10) for _ in range(10)], 1000, 60 / 70),
    ],
    ids=["none", "one", "a young run", "an older run before it", "slow games", "a minute"],
)
def test_the_pace_is_of_the_last_minute_and_of_this_run(
    home: Home,
    ledger: Ledger,
    monkeypatch: pytest.MonkeyPatch,
    ages: list[int],
    began: int,
    speed: float | None,
) -> None:
    games, now = begin(ledger, deals=60), 1_800_000_000
    for age, batch in groupby(zip(ages, games, strict=False), lambda pair: pair[0]):
        at = datetime.fromtimestamp(now - age, UTC).isoformat()
        monkeypatch.setattr(runs, "now", lambda at=at: at)
        keep(ledger, "cup", [game for _, game in batch])
    monkeypatch.setattr("arena.live.time", lambda: float(now))
    with home.lock("cup") as folder, Watch("cup", home) as watch:
        folder.mkdir(0o700)
        since = datetime.fromtimestamp(now - began, UTC).isoformat()
        shown = {"at": since, "began": since, "delay_seconds": 30.0, "notes": ["a note"], "games": []}
        (folder / SHOWN).write_text(json.dumps(shown))
        one = watch.look()
        (folder / SHOWN).write_text(json.dumps(shown | {"notes": [TRUSTED]}))
        assert watch.look().delay_seconds is None, "nothing is ever to be had"
    assert one.per_second == (speed if speed is None else pytest.approx(speed, rel=0.1))
    assert one.left_seconds == (speed and pytest.approx((120 - len(ages)) / speed, rel=0.1))
    assert one.delay_seconds == 30 and one.notes[-1] == "a note"


def test_games_under_way_are_those_that_the_run_shows(home: Home, ledger: Ledger) -> None:
    begin(ledger)
    seats = [{"bot": name, "digest": "d", "team": n} for n, name in enumerate(("ann", "bob"))]
    replay = {
        "id": "g1",
        "variant": "claim/2p/GK-UWX",
        "seats": seats,
        "steps": 3,
        "events": [[3, None, "turned", {}]],
    }
    shown = {
        "at": "x", "began": "2026-01-01T00:00:00+00:00", "delay_seconds": 2.0, "notes": [],
        "games": [{"seconds": 7.5, "replay": replay}],
    }  # fmt: skip
    with Watch("cup", home) as watch:
        with home.lock("cup") as folder:
            folder.mkdir(0o700)
            (folder / SHOWN).write_text(json.dumps(shown))
            (game,) = watch.look().underway
            assert (game.id, game.bots, game.step, game.since_seconds) == ("g1", ("ann", "bob"), 3, 7.5)
            assert [tuple(told) for told in watch.moves("g1") or ()] == [(3, None, "turned", {})]
            assert watch.replay("g1") == replay and not watch.moves("g2") and not watch.replay("g2")
        assert watch.look().underway == () and watch.moves("g1") is None


def test_what_takes_long_takes_a_twentieth_of_the_time() -> None:
    clock = [0.0]
    made = []

    def find() -> int:
        clock[0] += 3.0
        made.append(clock[0])
        return len(made)

    value = Paced(find, 0, lambda: clock[0])
    assert value.get("a") == 1 and value.get("a") == 1
    for _ in range(3 * EFFORT - 1):
        clock[0] += 1.0
        assert value.get("b") == 1
    clock[0] += 1.0
    assert value.get("b") == 2
    assert value.get("c", at_once=True) == 3


def test_a_snapshot_is_flat_json(home: Home) -> None:
    fill(home, "cup", ["claim"], games=3, faulty=1)
    flat = json.loads(json.dumps(asdict(entry(look(home))), allow_nan=False))
    assert TypeAdapter(LiveEntry).validate_python(flat)
    assert [leader["bot"]["name"] for leader in flat["leaders"]] == ["ann", "bob"]
    assert flat["faults"][0]["bot"]["name"] == "bob" and flat["faults"][0]["kind"] == "timeout"
    assert flat["newest"][0]["seats"][0]["bot"]["name"] in ("ann", "bob") and flat["ended"] == ""
