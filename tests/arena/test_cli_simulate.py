"""`arena simulate`, as an organiser uses it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena import trials
from arena.cli import main
from arena.home import Home
from arena.trials import Trial
from tests.arena.filled import fill

CUP = """
bots = ["./mine/ann", "bob", "eve@1f2e"]
variants = ["claim/2p/GK-UWX", "claim/2p/NA-TDS"]
deals = 3
[schedule]
kind = "newcomer"
bots = ["eve"]
newcomer_deals = 2
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("cup.toml").write_text(CUP)


def arena(*words: str, home: str = "home") -> Result:
    return CliRunner().invoke(main, ["--home", home, "simulate", "--jobs", "1", "--runs", "2", *words])


def told(*words: str) -> Any:
    result = arena(*words, "--json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_it_says_in_words_how_true_the_ranking_will_be() -> None:
    result = arena("--bots", "4", "--spread", "99%", "--games", "300")
    assert result.exit_code == 0, result.stderr
    assert "with 300 games the true best is first in 2 of 2 such contests" in result.stdout
    assert "round_robin" in result.stdout and "nan" not in result.stdout


def test_schedules_are_compared_at_one_budget() -> None:
    kinds = ("round_robin", "finals", "adaptive:champion", "quality")
    chosen = [word for kind in kinds for word in ("--schedule", kind)]
    found = told("--bots", "4", "--games", "120", "--deals", "2", *chosen)
    assert [one["schedule"] for one in found["outcomes"]] == list(kinds)
    assert {one["end"]["games"] for one in found["outcomes"]} == {120}


def test_a_file_is_played_as_it_is() -> None:
    found = told("cup.toml", "--variant", "claim/2p/GK-UWX")
    (one,) = found["outcomes"]
    assert one["schedule"] == "newcomer" and len(found["strengths"]) == 3
    assert one["end"]["games"] == 2 * (3 + 2 + 2)


def test_a_schedule_that_names_bots_has_those_of_the_file_or_the_first() -> None:
    assert (
        told("--bots", "4", "--deals", "2", "--schedule", "gauntlet")["outcomes"][0]["end"]["games"]
        == 2 * 2 * 3
    )
    Path("cup.toml").write_text(CUP.replace('bots = ["eve"]', 'bots = ["eve", "bob"]'))
    found = told("cup.toml", "--schedule", "gauntlet")
    assert found["outcomes"][0]["end"]["games"] == 2 * 2 * 3 * 2


@pytest.mark.parametrize(
    ("words", "size"),
    [(["--bots", "6"], 6), (["--strengths", "28,26,25,24"], 4), (["--like", "past"], 2)],
    ids=lambda words: str(words),
)
def test_a_file_that_names_bots_is_played_with_other_bots(words: list[str], size: int) -> None:
    fill(Home("home"), "past", ["claim"], games=40)
    found = told("cup.toml", "--variant", "claim/2p/GK-UWX", *words)
    (one,) = found["outcomes"]
    old = (size - 1) * (size - 2) // 2
    assert (one["schedule"], len(found["strengths"])) == ("newcomer", size)
    assert one["end"]["games"] == 2 * (3 * old + 2 * (size - 1))


def test_a_file_may_name_bots_otherwise_than_their_folders() -> None:
    Path("cup.toml").write_text(CUP.replace('bots = ["eve"]', 'bots = ["otto"]'))
    assert told("cup.toml")["outcomes"][0]["end"]["games"] == 2 * 2 * (3 + 2 + 2)


def test_a_file_asks_what_it_asks() -> None:
    asks = CUP.replace('"newcomer"', '"adaptive"\nask = "rank"') + "[stop]\ngames = 40\n"
    Path("cup.toml").write_text(asks.replace("deals = 3", "deals = 1"))
    assert told("cup.toml", "--bots", "4")["outcomes"][0]["schedule"] == "adaptive:rank"
    kinds = [word for kind in ("gauntlet", "swiss", "adaptive:rank") for word in ("--schedule", kind)]
    Path("cup.toml").write_text(CUP.replace('bots = ["eve"]', 'bots = ["eve", "bob"]'))
    assert len(told("cup.toml", "--games", "90", *kinds)["outcomes"]) == 3


def test_every_variant_of_a_file_has_its_games() -> None:
    found = told("cup.toml")
    assert len(found["variants"]) == 2
    assert found["outcomes"][0]["end"]["games"] == 2 * 2 * (3 + 2 + 2)


def test_strengths_costs_and_shares_are_taken_as_said() -> None:
    found = told(
        "--strengths", "27,25.5,24", "--costs", "1,2,3", "--luck", "0.5", "--draws", "10%", "--deals", "5"
    )
    assert found["strengths"] == [27, 25.5, 24]
    assert found["variants"] == [{"variant": "claim/2p/GK-UWX", "luck": 0.5, "draws": 0.1}]
    assert found["outcomes"][0]["end"]["cpu_seconds"] == 3 * 5 * 2 * 4


def test_usual_trueskill_stands_beside() -> None:
    found = told("--bots", "3", "--deals", "10", "--rating", "online")
    assert [(one["rating"], one["end"]["claimed_tau"] is None) for one in found["outcomes"]] == [
        ("batch", False),
        ("online", True),
    ]


def test_a_seed_settles_all() -> None:
    words = ("--bots", "4", "--deals", "3")
    assert told(*words) == told(*words, "--seed", "1") != told(*words, "--seed", "2")


def test_a_leaderboard_says_how_strong_the_bots_are() -> None:
    fill(Home("home"), "past", ["claim"], games=40)
    found = told("--like", "past", "--variant", "claim", "--deals", "2")
    assert len(found["strengths"]) == 2 and found["strengths"][0] > found["strengths"][1]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["--spread", "50%"], "E311", "--spread 50%"),
        (["--spread", "75%", "--strengths", "1,2"], "E311", "--strengths and --spread"),
        (["--strengths", "25,25"], "E311", "equally strong"),
        (["--strengths", "25,inf"], "E311", "inf is no strength"),
        (["--strengths", "nan,1"], "E311", "nan is no strength"),
        (["--strengths", "25,26", "--bots", "3"], "E311", "--bots 3"),
        (["--bots", "3", "--costs", "1,2"], "E311", "2 numbers for 3 bots"),
        (["--bots", "3", "--costs", "1,2,0"], "E311", "above 0"),
        (["--draws", "100%"], "E311", "--draws"),
        (["--bots", "2", "--variant", "claim/3p/*"], "E216", "more bots than 2"),
        (["--schedule", "knockout", "--variant", "claim/3p/GK-UWXTD"], "E234", "played by two"),
        (
            ["--schedule", "quality", "--games", "90", "--variant", "claim/3p/GK-UWXTD"],
            "E312",
            "3 at a table",
        ),
        (
            ["--bots", "4", "--games", "11", "--deals", "1", "--schedule", "finals"],
            "E240",
            "an opening takes 12",
        ),
        (["--schedule", "lottery"], "E312", "lottery"),
        (["--schedule", "compare"], "E312", "swiss, knockout, finals, adaptive, adaptive:order"),
        (["--schedule", "finals"], "E312", "--games"),
        (["--schedule", "quality"], "E312", "--games"),
        (["--bots", "40", "--games", "9", "--schedule", "quality"], "E312", "more --games"),
        (["--bots", "4", "--games", "3"], "E240", "one deal of every meeting takes 12"),
        (["--like", "nowhere"], "E2", "nowhere"),
        (["none.toml"], "E201", "none.toml"),
        (["--spread", "many"], "", "75%"),
        (["--luck", "120%"], "", "100%"),
        (["--strengths", "a,b"], "", "27,25.5,24"),
    ],
)
def test_what_cannot_be_is_refused_with_words(words: list[str], code: str, says: str) -> None:
    result = arena(*words)
    assert result.exit_code == 2
    assert code in result.stderr and says in result.stderr


def test_quality_pairs_two_who_fill_their_sides() -> None:
    words = ("--schedule", "quality", "--bots", "4", "--games", "60", "--variant", "claim/4p/GK-UWXTD")
    assert told(*words)["outcomes"][0]["end"]["games"] == 60


def test_of_several_schedules_each_must_be_one_that_can_be_played() -> None:
    result = arena("--games", "300", "--schedule", "round_robin", "--schedule", "finals")
    assert result.exit_code == 2 and "E240" in result.stderr


def test_minutes_alone_end_no_simulation() -> None:
    Path("cup.toml").write_text(CUP.partition("[schedule]")[0] + "[stop]\nminutes = 5\n")
    result = arena("cup.toml")
    assert result.exit_code == 2 and "E312" in result.stderr and "--costs" in result.stderr
    assert arena("cup.toml", "--costs", "9,9,9").exit_code == 0


def test_who_has_seen_enough_gets_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    real = trials.trials

    def stopped(*words: Any) -> Iterator[list[Trial]]:
        yield next(iter(real(*words)))
        raise KeyboardInterrupt

    monkeypatch.setattr(trials, "trials", stopped)
    result = arena("--bots", "3", "--runs", "9")
    assert result.exit_code == 130
    assert "the true best is first" in result.stdout and "after 1 contest of 9" in result.stderr


def test_several_processes_say_the_same() -> None:
    words = ("--bots", "3", "--deals", "2")
    assert told(*words, "--jobs", "2") == told(*words)
