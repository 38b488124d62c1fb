"""A recorded game fed back: what a seat is told is what it was told. With real bots: tests/e2e/test_bots.py."""

from __future__ import annotations

import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import main
from arena.config import Tournament
from arena.home import Home
from arena.ledger import Ledger
from arena.repro import messages
from protocol.record import unpack
from protocol.vocabulary import FaultKind
from referee.faults import Misstep
from referee.games import game_of
from referee.jobs import Job
from referee.replay import Broken, read
from referee.score import finished, spec_of
from tests.arena.made import SEED, job_for, keep
from tests.referee.driving import Player, bot_ids, drive, planned, random_player

GAME = planned(seed="the deal's")
VARIANTS = ["claim", "claim/3p/GK-UWXTD", "claim/4p/GK-UWXTD", "aristoocrazy"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    monkeypatch.chdir(tmp_path)
    home = Home(tmp_path / "home")
    home.folder()
    return home


def a_game(
    home: Home, variant: str, secret: str, *players: Player, show_names: bool = False
) -> tuple[bytes, list[list[Any]]]:
    """A game of a tournament whose seed is `secret`: its record, and what each seat was told."""
    job = job_for(variant, bot_ids(game_of(variant).variant(variant).players), (GAME,), secret)
    job = replace(job, show_names=show_names)
    others = [random_player(seat) for seat in range(len(players), len(job.seating))]
    over, received = drive(spec_of(job, GAME), [*players, *others])
    done = finished(job, GAME, over)
    _enter(home, job, secret)
    with closing(Ledger(home.ledger)) as ledger:
        keep(ledger, "cup", [done])
    Path("game.json").write_bytes(unpack(done.record))
    return unpack(done.record), [[json.loads(line) for line in heard] for heard in received]


def _enter(home: Home, job: Job, secret: str) -> None:
    """The tournament of a job, so far without games."""
    bots = [launch.bot for launch in job.seating]
    said = Tournament(
        name="cup", bots=[bot.name for bot in bots], variants=[job.variant], seed=secret,
        names="shown" if job.show_names else "hidden",
    )  # fmt: skip
    with closing(Ledger(home.ledger)) as ledger:
        ledger.begin("cup", secret, said.model_dump(mode="json"), bots)


def timeless(told: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Messages without what they say of time: here there is no limit."""
    return [{key: value for key, value in message.items() if key != "clock"} for message in told]


def repro(home: Home, *words: str) -> Result:
    return CliRunner().invoke(main, ["--home", str(home.path), "repro", *words])


@pytest.mark.parametrize("variant", VARIANTS)
def test_each_seat_is_told_again_what_it_was_told(home: Home, variant: str) -> None:
    record, received = a_game(home, variant, SEED)
    for seat, heard in enumerate(received):
        again = messages(read(record), seat, home)
        assert again.pop() == {"type": "bye", "reason": "that was all"}
        assert timeless(again) == timeless(heard)
        assert heard[0]["bot_seed"] == again[0]["bot_seed"]


def test_names_that_were_shown_are_shown_again(home: Home) -> None:
    record, received = a_game(home, "claim", SEED, show_names=True)
    assert received[0][0]["players"][1]["name"] == "bot1"
    assert timeless(messages(read(record), 0, home)[:-1]) == timeless(received[0])


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_fault_of_another_seat_comes_where_it_came(home: Home, variant: str) -> None:
    def breaks(message: dict[str, Any]) -> str | Misstep:
        crash = Misstep(FaultKind.CRASH, "exit 1")
        return crash if message.get("turn") == 3 else message["legal"][0] if "legal" in message else ""

    record, received = a_game(home, variant, SEED, breaks)
    assert b'"crash"' in record
    for seat in range(1, len(received)):
        assert timeless(messages(read(record), seat, home)[:-1]) == timeless(received[seat])


def test_where_the_seed_is_not_known_only_ids_and_luck_are_others(home: Home, tmp_path: Path) -> None:
    record, received = a_game(home, "claim", SEED)
    heard: list[str] = []
    other = messages(
        read(record), 0, Home(tmp_path / "elsewhere"), lambda mark, text: heard.append(str(text))
    )
    assert len(heard) == 1 and "its tournament's seed is not known here" in heard[0]
    assert other[0]["bot_seed"] != received[0][0]["bot_seed"]
    turns = [message["view"] for message in other if message["type"] == "turn"]
    assert turns == [message["view"] for message in received[0] if message["type"] == "turn"]


def test_what_is_saved_is_a_message_a_line(home: Home) -> None:
    _, received = a_game(home, "claim", SEED)
    done = repro(home, "game.json", "--seat", "1", "--save", "game.jsonl")
    assert done.exit_code == 0 and "written: game.jsonl" in done.stderr and "seed" not in done.stderr
    *lines, bye = Path("game.jsonl").read_text("utf-8").splitlines()
    assert timeless([json.loads(line) for line in lines]) == timeless(received[1])
    assert json.loads(bye)["type"] == "bye"


def test_who_saves_a_game_from_elsewhere_is_told_so(home: Home, tmp_path: Path) -> None:
    a_game(home, "claim", SEED)
    done = repro(Home(tmp_path / "elsewhere"), "game.json", "--seat", "1", "--save", "game.jsonl")
    assert done.exit_code == 0 and "seed is not known here" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["game.json", "--seat", "2"], "--seat 2: there is none"),
        (["./missing.json", "--seat", "0"], "missing.json"),
        (["game.json", "nobody", "--seat", "0"], "no bot 'nobody'"),
        (["game.json", "--seat", "0"], "no bot 'bot0@"),
        (["game.json", "--seat", "0", "--save", "no/where"], "cannot write no/where"),
        (["game.json"], "Missing option '--seat'"),
    ],
)
def test_a_wrong_command_is_exit_2_and_starts_nothing(home: Home, words: list[str], said: str) -> None:
    a_game(home, "claim", SEED)
    done = repro(home, *words)
    assert done.exit_code == 2 and said in done.stderr and done.stdout == ""
    assert not (home.path / "logs").exists()


def cut_off(record: bytes, kept: int) -> bytes:
    """A record without its last actions."""
    raw = json.loads(record)
    del raw["play"]["actions"][kept:]
    return json.dumps(raw).encode()


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("kept", [0, 1, -1])
def test_a_record_that_ends_early_is_broken(home: Home, variant: str, kept: int) -> None:
    record, _ = a_game(home, variant, SEED)
    with pytest.raises(Broken, match=r"^turn \d+ of seat \d: the record ends before it$"):
        messages(read(cut_off(record, kept)), 0, home)


def test_an_action_that_was_not_legal_is_broken(home: Home) -> None:
    record, _ = a_game(home, "claim", SEED)
    raw = json.loads(record)
    raw["play"]["actions"][0] = [0, "XX"]
    with pytest.raises(Broken, match=r"^turn 1 of seat 0: 'XX' was not legal$"):
        messages(read(json.dumps(raw).encode()), 0, home)


def test_who_saves_a_record_that_ends_early_is_told_so(home: Home) -> None:
    record, _ = a_game(home, "claim", SEED)
    Path("game.json").write_bytes(cut_off(record, -1))
    done = repro(home, "game.json", "--seat", "0", "--save", "game.jsonl")
    assert done.exit_code == 2 and "the record ends before it" in done.stderr
    assert not Path("game.jsonl").exists()


def test_a_seat_that_was_no_program_needs_one_named(home: Home) -> None:
    record, _ = a_game(home, "claim", SEED)
    Path("game.json").write_bytes(record.replace(b'"digest":"' + b"0" * 40, b'"digest":"'))
    done = repro(home, "game.json", "--seat", "0")
    assert done.exit_code == 2 and "name a BOT for it" in done.stderr
