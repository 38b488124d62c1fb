"""`arena run` as far as nothing is started: the forecast, and what is refused."""

from __future__ import annotations

import fcntl
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import arena
from arena.cli import main
from arena.home import Home
from tests.arena.made import tournament

GOOD = 'bots = ["random", "greedy"]\nvariants = ["claim/2p/GK-*"]\ndeals = 7\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def call(*words: str) -> Result:
    return CliRunner().invoke(main, ["--home", "home", "run", *words])


def write(text: str) -> str:
    Path("cup.toml").write_text(text)
    return "cup.toml"


def test_dry_run_counts_games_and_blocks() -> None:
    plan = json.loads(call(write(GOOD), "--dry-run", "--json").stdout)
    assert (plan["schema"], plan["games"], plan["kept"]) == ("kingmaker/plan/1", 20 * 7 * 2, 0)
    assert {(v["games"], v["blocks"], v["games_a_block"]) for v in plan["variants"]} == {(14, 7, 2)}
    text = call("cup.toml", "--dry-run").stdout
    assert "280 games, 0 kept, 280 to play" in text and "random@" in text


def test_more_referees_than_cores_are_said_aloud() -> None:
    text = call(write(GOOD), "--dry-run", "--concurrency", "1024")
    assert "warning: 1,024 referee processes on " in text.stderr and "not comparable" in text.stderr
    assert "warning" not in call("cup.toml", "--dry-run").stderr
    crowd = [json.loads(call("cup.toml", "--dry-run", "--json", *more).stdout)["oversubscribed"]
             for more in ((), ("--concurrency", "1024"))]  # fmt: skip
    assert crowd == [False, True]


def test_a_short_opening_is_said_aloud() -> None:
    for deals, kind, warned in (
        (4, "finals", True),
        (4, "adaptive", True),
        (5, "finals", False),
        (4, "swiss", False),
    ):
        file = write(
            f'bots = ["random", "greedy"]\nvariants = ["claim"]\ndeals = {deals}\n'
            f'[schedule]\nkind = "{kind}"\n[stop]\ngames = 50\n'
        )
        said = call(file, "--dry-run").stderr
        assert (f"warning: deals = {deals} is a short opening of {kind}" in said) is warned, said


def test_dry_run_enters_nothing_in_the_ledger() -> None:
    call(write(GOOD), "--dry-run")
    assert arena.statuses(home=Home("home")) == []
    assert not Path("home", "logs").exists()


def test_dry_run_counts_mixed_teams_as_they_will_be_played() -> None:
    bots = [f"b{n}" for n in range(4)]
    for bot in bots:
        Path(bot).mkdir()
        Path(bot, "bot.toml").write_text(f'name = "{bot}"\nrun = ["./x"]\n')
    file = write(
        f'bots = {json.dumps([f"./{bot}" for bot in bots])}\nvariants = ["claim/4p/GK-UWXTD"]\n'
        'partners = "both"\ndeals = 3\n'
    )
    prepared = json.loads(call(file, "--dry-run", "--json").stdout)
    # six pairs of doubled bots in 2 seatings; three pairs of mixed teams in 2 x 2 x 2
    assert prepared["games"] == 3 * (6 * 2 + 3 * 8)
    assert prepared["variants"][0]["blocks"] == 3 * (6 + 3)
    assert prepared["variants"][0]["games_a_block"] == 8


def test_dry_run_tells_what_is_known_of_a_schedule_that_depends_on_results() -> None:
    for schedule, games, said in (
        ('kind = "swiss"', 14, "at most 14 games"),
        ('kind = "finals"\n[stop]\ngames = 50', 50, "at most 50 games"),
        ('kind = "adaptive"\n[stop]\ntau = 0.9', None, "as many games as it takes, 0 kept"),
    ):
        file = write(
            f'bots = ["random", "greedy"]\nvariants = ["claim"]\ndeals = 7\n[schedule]\n{schedule}\n'
        )
        plan = json.loads(call(file, "--dry-run", "--json").stdout)
        assert (plan["games"], plan["seconds"]) == (games, None), schedule
        assert said in call(file, "--dry-run").stdout, schedule


def test_dry_run_tells_how_long_and_how_exact() -> None:
    tournament(Home("home"), "earlier")
    file = write('bots = ["random", "greedy"]\nvariants = ["claim"]\ndeals = 32\n')
    plan = json.loads(call(file, "--dry-run", "--json").stdout)
    (variant,) = plan["variants"]
    assert variant["sigma"] == pytest.approx(8.0 / 64**0.5)
    assert plan["seconds"] == pytest.approx(64 * variant["seconds_a_game"] / plan["processes"])
    said = call(file, "--dry-run").stdout
    assert "of play" in said and "1.00" in said
    other = write('bots = ["random", "greedy"]\nvariants = ["claim", "claim-2"]\ndeals = 32\n')
    assert "once there are games of each variant" in call(other, "--dry-run").stdout


@pytest.mark.parametrize(
    ("stop", "said"), [("games = 90", "\n108 games, 0 kept"), ("tau = 0.9", "\nat most 540 games, 0 kept")]
)
def test_dry_run_tells_what_the_rules_leave_of_a_round_robin(stop: str, said: str) -> None:
    """A deal has 12 games of each variant, and whole deals are played."""
    file = write('bots = ["random", "greedy", "heuristic", "search"]\ndeals = 15\n'
                 f'variants = ["claim", "claim/3p/GK-UWXTD", "claim/4p/GK-UWXTD"]\n[stop]\n{stop}\n')  # fmt: skip
    assert said in call(file, "--dry-run").stdout


def test_sigma_is_of_the_games_that_a_budget_leaves() -> None:
    text = 'bots = ["random", "greedy"]\nvariants = ["claim"]\ndeals = 32\n'
    for games, sigma in ((64, 1.0), (16, 2.0), (999, 1.0)):
        plan = json.loads(call(write(f"{text}[stop]\ngames = {games}\n"), "--dry-run", "--json").stdout)
        assert plan["variants"][0]["sigma"] == pytest.approx(sigma), games
        assert plan["games"] == min(64, games)


@pytest.mark.parametrize(
    ("more", "code", "said"),
    [
        ('[schedule]\nkind = "gauntlet"\nbots = ["gredy"]', "E239", "did you mean 'greedy'?"),
        ('[schedule]\nkind = "gauntlet"', "E203", 'schedule: kind = "gauntlet" needs bots = ["NAME"]'),
        ('[schedule]\nkind = "newcomer"', "E203", 'needs bots = ["NAME"]'),
        ('[schedule]\nkind = "adaptive"\nask = "rank"\n[stop]\ntau = 0.9', "E203", 'ask = "rank" needs bots'),
        ('[schedule]\nkind = "swiss"\nbots = ["random"]', "E203", 'kind = "swiss" takes no bots here'),
        ('[schedule]\nkind = "finals"', "E203", 'cup.toml:5: schedule.kind: "finals" goes on until a rule'),
        ('[schedule]\nkind = "finals"\n[stop]\ngames = 9', "E240", "too few: an opening takes 280"),
        ('[schedule]\nkind = "finals"\n[stop]\ngames = 280', "E240", "games = 560 or more"),
        ("[stop]\ngames = 39", "E240", "one deal of every meeting takes 40"),
        ('[schedule]\nkind = "gauntlet"\nbots = ["greedy", "greedy"]', "E239", "'greedy' is there twice"),
        ('[schedule]\nkind = "gauntlet"\nbots = ["greedy", "random"]', "E239", "with one challenger"),
        ('on_suspend = "drop"\n[schedule]\nkind = "swiss"', "E203", 'cup.toml:4: on_suspend: "drop" would'),
        ('[schedule]\nknd = "swiss"', "E203", "cup.toml:5: unknown key 'schedule.knd'"),
        ('[schedule]\nkind = "sviss"', "E203", "cup.toml:5: schedule.kind"),
        ("[stop]\ntau = 1.5", "E203", "stop.tau"),
    ],
)
def test_what_is_wrong_with_a_schedule_is_said(more: str, code: str, said: str) -> None:
    result = call(write(GOOD + more), "--dry-run")
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr and code in result.stderr


def test_a_knockout_is_for_two() -> None:
    file = write('bots = ["random", "greedy"]\nvariants = ["claim/4p/GK-UWXTD"]\npartners = "both"\n'
                 '[schedule]\nkind = "knockout"\n')  # fmt: skip
    assert "E234" in call(file, "--dry-run").stderr


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ('bots = ["random", "gredy"]\nvariants = ["claim"]', 2, "did you mean 'greedy'?"),
        ('bots = ["random", "greedy"]\nvariants = ["clam"]', 2, "clam"),
        ("bots = [", 2, "cup.toml:1: not TOML"),
        (GOOD + "deels = 3", 2, "did you mean 'deals'?"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(text: str, code: int, said: str) -> None:
    result = call(write(text))
    assert (result.exit_code, result.stdout) == (code, "")
    assert said in result.stderr


def test_an_unknown_tournament() -> None:
    result = call("cup")
    assert result.exit_code == 2 and "E204" in result.stderr
    result = call("./cup.toml")
    assert result.exit_code == 2 and "arena init" in result.stderr


def test_a_build_that_fails_shows_its_log() -> None:
    Path("mybot").mkdir()
    Path("mybot", "bot.toml").write_text(
        'name = "mine"\nbuild = ["sh", "-c", "echo no such header >&2; exit 1"]\nrun = ["./x"]\n'
    )
    result = call(write('bots = ["random", "./mybot"]\nvariants = ["claim"]'), "--dry-run")
    assert result.exit_code == 3
    assert "no such header" in result.stderr and "E310" in result.stderr


def test_a_tournament_that_is_being_run() -> None:
    lock = Home("home").folder("ledger.sqlite.locks") / "cup.lock"
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        result = call(write(GOOD))
    assert result.exit_code == 5
    assert "arena watch cup" in result.stderr and "E501" in result.stderr


def test_a_home_that_cannot_be_written() -> None:
    result = CliRunner().invoke(main, ["--home", "/dev/null/home", "run", write(GOOD)])
    assert result.exit_code == 4 and "E401" in result.stderr


def test_events_that_cannot_be_written() -> None:
    result = call(write(GOOD), "--events", "no/such/folder")
    assert result.exit_code == 2 and "E209" in result.stderr


def test_one_stream_on_stdout() -> None:
    assert call(write(GOOD), "--events", "-", "--json").exit_code == 2
