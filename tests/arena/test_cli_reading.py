"""`arena status` and `arena leaderboard`, and the calls behind them, on a ledger that is there."""

from __future__ import annotations

import csv
import json
import os
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import arena
from arena.cli import main
from arena.home import Home
from arena.reading import FaultCount
from protocol.vocabulary import FaultKind
from tests.arena.filled import BOB, fill

TWO, THREE = "claim/2p/GK-UWX", "claim/2p/NA-TDS"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    fill(home, "cup", ["claim", "claim-2"], games=7, deals=2, faulty=1)
    return home


def call(home: Home, *words: str) -> Result:
    return CliRunner().invoke(main, ["--home", str(home.path), *words])


def test_status_says_how_far_each_variant_is(home: Home) -> None:
    result = call(home, "status", "cup")
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert [TWO, "4", "4", "1", "0"] in lines
    assert [THREE, "4", "3", "0", "0"] in lines
    assert "7 of 8 games over" in result.stdout and "stopped" in result.stdout


def test_status_names_bots_with_faults(home: Home) -> None:
    assert [str(BOB), "timeout", "1"] in [
        line.split() for line in call(home, "status", "cup").stdout.splitlines()
    ]


def test_status_and_leaderboard_tell_who_is_left_out(home: Home) -> None:
    assert "carl is left out" in call(home, "status", "cup").stdout
    assert "carl is left out" in call(home, "leaderboard", "cup").stdout


def test_status_without_a_name_lists_all(home: Home) -> None:
    fill(home, "done", ["claim"], games=4)
    document = json.loads(call(home, "status", "--json").stdout)
    assert document["schema"] == "kingmaker/statuses/1"
    assert [(t["name"], t["over"], t["games"]) for t in document["tournaments"]] == [
        ("cup", 7, 8),
        ("done", 4, 4),
    ]
    assert "complete" in call(home, "status").stdout


def test_status_of_nothing_says_what_to_do(tmp_path: Path) -> None:
    result = call(Home(tmp_path), "status")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "arena init" in result.stderr


def test_status_sees_that_somebody_runs_it(home: Home) -> None:
    with home.lock("cup"):
        assert arena.status("cup", home=home).running
        assert "cup: running" in call(home, "status", "cup").stdout
    assert not arena.status("cup", home=home).running


def test_status_tells_no_seed(home: Home) -> None:
    assert "a seed" not in call(home, "status", "cup", "--json").stdout


def test_an_unknown_name_gets_the_nearest(home: Home) -> None:
    result = call(home, "status", "cap")
    assert result.exit_code == 2
    assert "did you mean 'cup'?" in result.stderr and "E204" in result.stderr


def test_an_unknown_name_in_an_empty_ledger_gets_a_fix_too(tmp_path: Path) -> None:
    result = call(Home(tmp_path / "empty"), "status", "nosuch")
    assert result.exit_code == 2 and "fix: arena status" in result.stderr


def test_a_name_that_is_a_file_here_gets_that_hint(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("league.toml").write_text('bots = ["a", "b"]\nvariants = ["claim"]\n')
    assert "the file league.toml" in call(home, "status", "league").stderr
    assert "has not begun" in call(home, "status", "league.toml").stderr


def test_a_tournament_is_meant_by_its_file_too(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "some.toml"
    file.write_text('name = "cup"\nbots = ["a", "b"]\nvariants = ["claim"]\n')
    assert arena.status(str(file), home=home).over == 7


@pytest.mark.file
def test_a_ledger_of_another_version_is_not_touched(home: Home) -> None:
    with sqlite3.connect(home.path / "ledger.sqlite") as db:
        db.execute("PRAGMA user_version = 99")
    result = call(home, "status")
    assert result.exit_code == 4
    assert "version 99" in result.stderr and "E403" in result.stderr


@pytest.mark.file
def test_a_home_that_cannot_be_written_is_code_4() -> None:
    result = call(Home("/dev/null/home"), "status")
    assert result.exit_code == 4
    assert "--home" in result.stderr and "E401" in result.stderr


@pytest.mark.file
def test_a_home_that_may_only_be_read_is_said_so(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # these tests may run as root, who may all
    result = call(home, "status")
    assert result.exit_code == 4
    assert "read-only" in result.stderr and "E401" in result.stderr


def test_leaderboard_shows_who_leads_and_what_isolated_the_bots(home: Home) -> None:
    result = call(home, "leaderboard", "cup")
    assert result.exit_code == 0
    assert result.stdout.index("ann") < result.stdout.index("bob")
    assert "none, so bots were trusted" in result.stdout
    assert "nan" not in result.stdout and "inf" not in result.stdout.replace("information", "")


def test_leaderboard_of_one_variant_by_alias_or_pattern(home: Home) -> None:
    for pattern in ("claim-2", THREE, "claim/2p/NA-*"):
        document = json.loads(call(home, "leaderboard", "cup", "--json", "--variant", pattern).stdout)
        assert [board["variant"] for board in document["variants"]] == [THREE]


def test_leaderboard_of_a_variant_that_was_not_played(home: Home) -> None:
    result = call(home, "leaderboard", "cup", "--variant", "claim/3p/*")
    assert result.exit_code == 2
    assert TWO in result.stderr and "E207" in result.stderr
    assert call(home, "leaderboard", "cup", "--variant", "clam").exit_code == 2


def test_leaderboard_by_variant_has_a_table_of_each(home: Home) -> None:
    text = call(home, "leaderboard", "cup", "--by", "variant").stdout
    assert text.index(TWO) < text.index(THREE)


def test_leaderboard_into_a_file(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "cup.csv"
    result = call(home, "leaderboard", "cup", "--format", "csv", "-o", str(file))
    assert result.stdout == ""
    assert next(csv.DictReader(file.read_text().splitlines()))["bot"] == "ann"
    failed = call(home, "leaderboard", "cup", "-o", str(tmp_path / "no" / "x"))
    assert failed.exit_code == 2 and "E209" in failed.stderr


def test_the_calls_give_values(home: Home) -> None:
    assert [row.bot.name for row in arena.leaderboard("cup", home=home).rows] == ["ann", "bob"]
    assert [board.label for board in arena.leaderboard("cup", "claim", home=home).boards] == [TWO]
    assert arena.status("cup", home=home).faults == (FaultCount(BOB, FaultKind.TIMEOUT, 1),)
    with pytest.raises(arena.ArenaError):
        arena.leaderboard("cap", home=home)
