"""What bots printed in a game: found in the logs of their processes, and shown where that is asked for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.config import Tournament
from arena.home import Home
from arena.planning import plan_of
from arena.printed import MOST, log_folders, printed
from arena.reading import opened
from arena.serving.shown import replay_of
from arena.site import build
from protocol.record import GameRecord, LogPart, unpack
from protocol.vocabulary import Seat
from referee.jobs import GameDone, Job
from referee.replay import read
from referee.score import finished, spec_of
from tests.arena.made import SEED, job_for, keep, round_robin, tournament
from tests.referee.driving import bot_ids, drive, planned, random_player

LOG = b"before\nof this game \xff\x1b[31m<b>\nafter\n"
PART = LogPart(file="job-1.log", start=7, end=30)
SINGLE = job_for("claim", bot_ids(2), (planned(),))
SAID = "of this game \ufffd\x1b[31m<b>\n"


def game(job: Job, part: LogPart = PART) -> GameDone:
    """The first game of a job, in which seat 1 has printed something."""
    over, _ = drive(spec_of(job, job.games[0]), [random_player(0), random_player(1)])
    return finished(job, job.games[0], over, logs={Seat(1): part})


def record(part: LogPart = PART) -> GameRecord:
    return read(unpack(game(SINGLE, part).record))


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """With the log of a process in the folder of `cup`, and a single game."""
    home = Home(tmp_path / "home")
    home.folder("logs", "cup").joinpath("job-1.log").write_bytes(LOG)
    home.folder("logs", "single")
    home.folder("games").joinpath("abcd.json").write_bytes(unpack(game(SINGLE).record))
    return home


def arena(home: Home, *words: str) -> Result:
    return CliRunner().invoke(main, ["--home", str(home.path), *words])


def test_a_part_is_that_of_the_game_and_the_last_part_goes_to_the_end(home: Home) -> None:
    assert printed(record(), log_folders(home)) == {1: SAID}
    assert printed(record(PART.model_copy(update={"end": None})), log_folders(home)) == {1: f"{SAID}after\n"}


def test_of_much_the_end_is_told(home: Home) -> None:
    home.folder("logs", "cup").joinpath("job-1.log").write_bytes(b"y" * 10 + b"x" * MOST)
    said = printed(record(LogPart(file="job-1.log", start=0, end=None)), log_folders(home))[Seat(1)]
    assert said == "[10 bytes before this are left out]\n" + "x" * MOST


@pytest.mark.parametrize(
    "part",
    [
        LogPart(file="gone.log", start=0, end=None),
        LogPart(file="../../secret", start=0, end=None),
        LogPart(file="..", start=0, end=None),
        LogPart(file="job-1.log", start=10**6, end=None),
        LogPart(file="job-1.log", start=-3, end=None),
        LogPart(file="job-1.log", start=20, end=10),
        LogPart(file="nul\0", start=0, end=None),
    ],
    ids=lambda part: f"{part.file!r} {part.start}",
)
def test_what_is_not_there_is_not_told(part: LogPart, home: Home) -> None:
    (home.path / "secret").write_text("nobody's")
    assert printed(record(part), log_folders(home)) == {}


def test_of_two_files_of_one_name_none_is_told(home: Home) -> None:
    home.folder("logs", "other").joinpath("job-1.log").write_bytes(b"of another tournament" * 3)
    assert printed(record(), log_folders(home)) == {}


def test_a_terminal_shows_it_below_the_game_where_it_is_asked_for(home: Home) -> None:
    shown = arena(home, "replay", "abcd", "--logs")
    assert shown.exit_code == 0, shown.output
    tail = ["", "printed by seat 1 (bot1) in this game:", "  | of this game \ufffd\\x1b[31m<b>"]
    assert shown.stdout.splitlines()[-3:] == tail
    assert "printed by" not in arena(home, "replay", "abcd").stdout


def test_a_seat_sees_its_own_alone(home: Home) -> None:
    other = arena(home, "replay", "abcd", "--logs", "--seat", "0")
    assert "of this game" not in other.output and "nothing that a bot printed" in other.stderr
    assert "of this game" in arena(home, "replay", "abcd", "--logs", "--seat", "1").stdout


def test_the_last_of_the_steps_has_it(home: Home) -> None:
    *others, last = map(json.loads, arena(home, "replay", "abcd", "--logs", "--json").stdout.splitlines())
    assert last["printed"] == {"1": SAID} and not any(step["printed"] for step in others)


def test_a_site_has_it_where_it_is_asked_for(home: Home, tmp_path: Path) -> None:
    tournament(home, without=lambda *_: True, deals=1)
    plan = plan_of(Tournament(name="cup", bots=["bot0", "bot1"], variants=["claim"], deals=1), SEED)
    with opened(home) as ledger:
        for pairing in round_robin(plan, bot_ids(2)):
            keep(ledger, "cup", [game(job_for(pairing.variant, pairing.seating, pairing.games))])
    assert logs_of(tmp_path / "site", home, logs=True) == [SAID] * 2
    assert logs_of(tmp_path / "site", home, logs=False) == []
    with opened(home) as ledger:
        (one, *_) = ledger.ids("cup")
    assert b"@log" in replay_of(home, one, home.path / "logs" / "cup") and b"@log" not in replay_of(home, one)


def logs_of(folder: Path, home: Home, *, logs: bool) -> Sequence[str]:
    build("cup", folder, home=home, logs=logs, replays=None)
    scripts = [path.read_text() for path in (folder / "replays").iterdir()]
    games = [json.loads(script[script.index("{") : script.rindex("}") + 1]) for script in scripts]
    events = [event for one in games for event in one["events"]]
    return [body["text"] for _, audience, kind, body in events if kind == "@log" and audience == [1]]
