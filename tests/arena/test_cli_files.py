"""Tournament files: written by `arena init`, tested by `arena config check`, refused by line and key."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

import arena
from arena.cli import main
from arena.config import Clock, Tournament, load
from arena.template import template

GOOD = 'bots = ["random", "greedy"]\nvariants = ["claim"]\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*words: str) -> Result:
    return CliRunner().invoke(main, ["--home", "home", *words])


def check(text: str) -> Result:
    Path("cup.toml").write_text(text)
    return call("config", "check", "cup.toml")


def test_init_writes_a_file_that_is_good() -> None:
    assert call("init", "cup.toml").exit_code == 0
    assert call("config", "check", "cup.toml").exit_code == 0
    assert load("cup.toml") == Tournament(name="cup", bots=["random", "greedy"], variants=["claim"])


def test_init_shows_every_key_with_its_default() -> None:
    text = template("cup", ["a", "b"], ["claim"]).replace('# seed = "…"', "")
    shown = tomllib.loads(
        "\n".join(
            line.removeprefix("# ") for line in text.splitlines() if " = " in line or line.startswith("[")
        )
    )
    assert Tournament.model_validate(shown) == Tournament(name="cup", bots=["a", "b"], variants=["claim"])
    assert shown.keys() == Tournament.model_fields.keys() - {"seed"}
    assert shown["clock"].keys() == Clock.model_fields.keys()


def test_init_does_not_overwrite() -> None:
    Path("cup.toml").write_text("mine")
    result = call("init", "cup.toml")
    assert result.exit_code == 2 and "--force" in result.stderr
    assert Path("cup.toml").read_text() == "mine"
    assert call("init", "cup.toml", "--force").exit_code == 0


def test_init_refuses_what_could_not_run() -> None:
    for words in (["--bots", "random,gredy"], ["--variants", "clam"], ["--bots", "random"]):
        assert call("init", "cup.toml", *words).exit_code == 2
        assert not Path("cup.toml").exists()


@pytest.mark.parametrize("file", ["n w.toml", ".n?w..toml"])
def test_a_name_that_cannot_be_is_told_in_words_with_one_that_can(file: str) -> None:
    result = call("init", file)
    assert result.exit_code == 2 and "name has 1 to 63 of" in result.stderr
    assert "pattern" not in result.stderr and "[A-Z" not in result.stderr
    assert "fix: such as: n-w\n" in result.stderr


def test_a_path_in_a_hint_can_be_pasted() -> None:
    Path("my cups").mkdir()
    hints = [call("init", "my cups/cup.toml"), call("config", "check", "my cups/cup.toml")]
    hints += [call("run", "my cups/cup.toml", "--dry-run"), call("run", "my cups/none.toml")]
    for said in hints:
        assert re.search(r"arena (--home home )?(run|init) 'my cups/(cup|none)\.toml'", said.stderr), (
            said.stderr
        )


def test_init_writes_paths_as_seen_from_the_file() -> None:
    Path("mybot").mkdir()
    Path("mybot", "bot.toml").write_text('name = "mine"\nrun = ["python3", "bot.py"]\n')
    Path("cups").mkdir()
    assert call("init", "cups/cup.toml", "--bots", "./mybot,random").exit_code == 0
    assert tomllib.loads(Path("cups/cup.toml").read_text())["bots"] == ["../mybot", "random"]
    assert call("config", "check", "cups/cup.toml").exit_code == 0


def test_paths_in_a_file_are_meant_from_its_folder(here: Path) -> None:
    Path("cup.toml").write_text('bots = ["./mybot", "bots/other", "x.py", "random"]\nvariants = ["claim"]\n')
    assert load("cup.toml").bots == [f"{here}/mybot", f"{here}/bots/other", f"{here}/x.py", "random"]


def test_every_problem_is_told_with_its_line() -> None:
    result = check(GOOD + 'deels = 3\nseatings = "al"\n\n[clock]\nmove_ms = "x"\nmov_ms = 1\n')
    assert result.exit_code == 2
    problems = [line.strip() for line in result.stderr.splitlines() if "line " in line]
    assert [problem.split(":")[0] for problem in problems] == ["line 3", "line 4", "line 7", "line 8"]
    assert "'deals'" in problems[0] and "'rotations'" in problems[1] and "'move_ms'" in problems[3]


def test_a_syntax_error_shows_the_line() -> None:
    result = check('bots = ["random"]\nvariants = claim\n')
    assert result.exit_code == 2
    assert "cup.toml:2:" in result.stderr and "2 | variants = claim" in result.stderr
    assert "E202" in result.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "'bots' is missing"),
        ('bots = ["random"]\nvariants = ["claim"]', "at least 2"),
        ('bots = ["random", "gredy"]\nvariants = ["claim"]', "did you mean 'greedy'?"),
        ('bots = ["random", "./no"]\nvariants = ["claim"]', "no file or folder"),
        ('bots = ["random", "random"]\nvariants = ["claim"]', "same bot"),
        ('bots = ["random", "greedy"]\nvariants = ["claim/9p/*"]', "claim/9p/*"),
        ('bots = ["random", "greedy"]\nvariants = ["claim/3p/*"]', "more bots than 2"),
        (GOOD + "deals = 0", "deals"),
        (GOOD + "[nonsense]\nx = 1", "cup.toml:3: unknown key 'nonsense'"),
    ],
)
def test_what_cannot_run_is_refused(text: str, said: str) -> None:
    result = check(text)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


def test_check_takes_no_bot_in_and_builds_none() -> None:
    Path("mybot").mkdir()
    Path("mybot", "bot.toml").write_text('name = "mine"\nbuild = ["touch", "/built"]\nrun = ["./x"]\n')
    assert check('bots = ["random", "./mybot"]\nvariants = ["claim"]').exit_code == 0
    assert not Path("home", "bots").exists()


def test_a_short_seed_is_warned_of() -> None:
    assert "guesses the seed" in check(GOOD + 'seed = "7"').stderr
    assert "guesses the seed" not in check(GOOD + f'seed = "{"k3" * 10}"').stderr


def test_check_prints_the_settings_with_defaults() -> None:
    Path("cup.toml").write_text(GOOD)
    document = json.loads(call("config", "check", "cup.toml", "--json").stdout)
    assert document["schema"] == "kingmaker/tournament/1"
    assert document["settings"]["deals"] == Tournament.model_fields["deals"].default


def test_the_schema_takes_and_refuses_what_the_program_does() -> None:
    validator = Draft202012Validator(json.loads(call("schema", "tournament").stdout))
    assert validator.is_valid(tomllib.loads(GOOD))
    assert not validator.is_valid(tomllib.loads(GOOD + "deels = 3"))
    bot = Draft202012Validator(json.loads(call("schema", "bot").stdout))
    assert bot.is_valid({"name": "x", "run": ["./x"]})
    assert not bot.is_valid({"name": "x"})


def test_the_schema_describes_every_key() -> None:
    properties = json.loads(call("schema", "tournament").stdout)["properties"]
    assert all("description" in body or "$ref" in body for body in properties.values())


def test_a_missing_file_says_how_to_get_one() -> None:
    with pytest.raises(arena.ArenaError) as caught:
        arena.load("none.toml")
    assert caught.value.code == "E201" and "arena init" in caught.value.fix
